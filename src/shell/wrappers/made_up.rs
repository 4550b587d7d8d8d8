//! Commands that others make up: what comes in through a pipe, the rules of a makefile that the text has written.

use std::path::Path;

use crate::shell::edit;
use crate::shell::model::{Command, Input, Word, resolve};
use crate::shell::parse::output;
use crate::shell::parse::reader::Reader;
use crate::shell::wrappers::unwrap::{prefixes, texts};

impl Reader {
    /// `git ls-files --others | xargs rm`: what `git clean` does.
    pub(super) fn removes_untracked(&self, command: &Command) -> bool {
        let removes = || {
            let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
            let first = words.find(|word| matches!(*word, "rm" | "unlink" | "echo" | "printf"));
            matches!(first, Some("rm" | "unlink"))
        };
        if command.program() != "xargs" || !removes() {
            return false;
        }
        let mut input = &command.input;
        while let Input::From(index) = input {
            let Some(from) = self.script.commands.get(*index) else { return false };
            let has = |options: &[&str]| from.words.iter().any(|word| options.contains(&word.text.as_str()));
            match from.program() {
                "git" => {
                    let others = has(&["ls-files"]) && has(&["-o", "--others", "-oz", "-zo"]);
                    let listed = has(&["status"]) && has(&["-s", "--short", "--porcelain", "-z"]);
                    let tried = has(&["clean"]) && has(&["-n", "-nd", "-dn", "-ndx", "--dry-run"]);
                    return (others || listed || tried) && !has(&["-i", "--ignored"]);
                }
                "sort" | "uniq" | "cat" | "tr" | "awk" | "cut" | "sed" | "grep" | "head" | "tail" => {
                    input = &from.input;
                }
                _ => return false,
            }
        }
        false
    }

    /// `… | awk '{ system("rm " $0) }'`: a command for each line that comes in.
    pub(super) fn told_by_awk(&self, command: &Command) -> Option<String> {
        let program = command.words.iter().skip(1).find(|word| word.text.contains("system("))?;
        let lines = output::sketch::sketch_from(&self.script, &command.input)?;
        edit::told_to_shell(&program.text)?.apply(&lines)
    }

    /// The recipes of a makefile that this text has written.
    pub(super) fn own_recipes(&self, command: &Command) -> Vec<String> {
        let directory = command.directory.as_deref().unwrap_or(Path::new("."));
        let named = prefixes::after_option(command.words.get(1..).unwrap_or_default(), &["-f", "--file"]);
        let reads = |word: &Word| matches!(word.text.as_str(), "-" | "/dev/stdin");
        if named.as_ref().is_some_and(reads) {
            let text = output::text::text_from(&self.script, &command.input);
            return text.map(|text| texts::recipes(&text)).unwrap_or_default();
        }
        let names = named.map_or(vec!["Makefile".to_owned(), "makefile".to_owned()], |word| vec![word.text]);
        let written = names.iter().find_map(|name| self.files.get(&resolve(directory, name)));
        written.map(|text| texts::recipes(text)).unwrap_or_default()
    }

    /// Whether what comes in is put together by a program that writes lines anew.
    pub(super) fn is_made_up(&self, input: &Input) -> bool {
        const MAKERS: &[&str] = &[
            "awk", "gawk", "mawk", "sed", "gsed", "perl", "python", "python3", "ruby", "node", "jq", "xargs",
            "paste", "tr", "cut", "envsubst", "printf",
        ];
        let Input::From(index) = input else { return false };
        self.script.commands.get(*index).is_some_and(|from| MAKERS.contains(&from.program()))
    }
}
