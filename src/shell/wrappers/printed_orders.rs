//! Text that a program of somebody's own prints and a shell runs: `eval "$(python3 tools/env.py)"`, `source <(./gen)`.
//!
//! Programs that are there to print orders for a shell (`ssh-agent -s`, `direnv hook bash`) are what their people have
//! installed, and say nothing here.

use crate::shell::model::{Command, CommandInput};
use crate::shell::parse::marks::WordChar;
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::interpreters;

/// Programs that print parts of files as they are.
const EXTRACTORS: &[&str] = &[
    "cat", "head", "tail", "grep", "egrep", "rg", "sed", "gsed", "awk", "gawk", "jq", "yq", "cut", "tr",
    "xmllint",
];
/// How far a pipeline is followed back.
const FARTHEST: usize = 8;

impl ScriptReader {
    /// Whether what a command runs, of which nothing is known, comes from what a program of the text prints: from a
    /// substitution in its own words, or from a variable that holds what such a one printed.
    pub(super) fn was_printed_by_a_program(&self, command: &Command) -> bool {
        let source = command.source.as_str();
        let is_substituted = ["$(", "`", "<("].iter().any(|sign| source.contains(sign));
        (is_substituted || self.holds_what_was_printed(source)) && self.last_prints_orders()
    }

    /// Whether the variable that a text names was set by this text to something that nobody knows.
    fn holds_what_was_printed(&self, source: &str) -> bool {
        let Some((_, name)) = source.split_once('$') else { return false };
        let name = name.trim_start_matches('{');
        let end = name.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(name.len());
        let value = self.place.variables.get(name.get(..end).unwrap_or_default());
        let is_unknown = |marks: &[WordChar]| marks.iter().all(|mark| *mark == WordChar::Unknown);
        matches!(value, Some(Some(values)) if values.len() == 1 && values.iter().all(|it| !it.is_empty() && is_unknown(it)))
    }

    /// Whether the newest command prints what somebody's own program makes up, or what stands in a file.
    fn last_prints_orders(&self) -> bool {
        let mut at = self.script.commands.len().checked_sub(1);
        let mut extracts = false;
        for step in 0..FARTHEST {
            let Some(command) = at.and_then(|at| self.script.commands.get(at)) else { return false };
            if is_own_program(command) {
                return true;
            }
            // Variables by themselves are what `export` is for, and quoted words stay words.
            if !EXTRACTORS.contains(&command.program())
                || command.words.iter().any(|word| sets_only(&word.text))
            {
                return false;
            }
            // A file by itself is what `source` reads too.
            extracts |= command.words.len() > 2 || step > 0;
            let CommandInput::From(before) = command.input else { return extracts };
            at = Some(before);
        }
        false
    }
}

/// Whether a word of what is printed says that it sets variables, and no more.
fn sets_only(text: &str) -> bool {
    text.contains(".env") || text.ends_with("env") || text.contains("@sh") || text.contains("export ")
}

/// Whether a command is an interpreter or a shell with a source of somebody's own, or a program by a path of the project.
fn is_own_program(command: &Command) -> bool {
    let name = command.program();
    let path = command.words.first().map_or("", |word| word.text.as_str());
    let is_of_the_project = path.contains('/') && !path.starts_with(['/', '~']);
    // A module is a tool that somebody has installed, and so is what completes the words of one.
    let first = command.words.get(1).map_or("", |word| word.text.as_str());
    let is_installed = first == "-m" || first.starts_with("-M") || first.starts_with("completion");
    let has_source = command.words.len() > 1 && !is_installed;
    is_of_the_project
        || (has_source && (interpreters::is_shell(name) || interpreters::language(name).is_some()))
}
