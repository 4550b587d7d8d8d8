//! What a call's own text says of a file that changed while it ran.
//!
//! A file is put down to the call unless its text speaks against it: all that it runs can be read, and nothing of that
//! names the file or a folder above it, or chooses files by itself; or it only checks. Somebody else may have changed it
//! then, and it is taken back with nobody's work but by force.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::checkpoint::node::Entry;
use crate::checkpoint::settle::{self, EndedCall};
use crate::lifecycle::call::shell_call::is_output_name;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::{Action, ToolCall};
use crate::shell::{self, LONGEST_TEXT, ShellReading};

/// How often a script is followed into one that it names.
const DEEPEST: usize = 3;
/// At most so many texts are read of a call.
const MOST_TEXTS: usize = 30;
/// In a text that has one of these the program chooses files by itself.
const CHOOSES: &[&str] = &[
    "*", "glob", "Glob", "walk", "Walk", "iterdir", "readdir", "ReadDir", "read_dir", "listdir", "scandir",
    "opendir", "ls-files", "find ", "xargs", "Dir[", "Dir.", "GetFiles", "argv", "$1", "$@", "ARGV",
    "os.Args",
];
/// Programs, and words of programs, by which files are written that no text names.
const WRITERS: &[&str] = &[
    "--fix", "--write", "--update", "-u", "-w", "fix", "fmt", "format", "generate", "install", "add",
    "remove", "update", "upgrade", "tidy", "get", "init", "new", "sync", "migrate", "patch", "tar", "unzip",
    "rsync", "cp", "mv", "rm", "ln", "curl", "wget", "black", "isort", "gofmt", "prettier", "rustfmt",
    "autopep8", "protoc", "tsc", "comby",
];
/// Programs that run a text of the command line, and the words before it.
const INTERPRETERS: &[&str] =
    &["python", "python3", "node", "deno", "bun", "perl", "ruby", "php", "sh", "bash", "zsh"];
const INLINE: &[&str] = &["-c", "-e", "-r", "-p", "-pe", "-ne", "--eval", "-", "eval"];
/// Endings of files that tools write for themselves.
const OF_TOOLS: &[&str] = &[".lock", ".snap", ".sum", "-lock.json", "-lock.yaml"];
/// Endings of scripts.
const SCRIPTS: &[&str] = &["py", "js", "mjs", "cjs", "ts", "sh", "bash", "rb", "pl", "php"];

/// Notes in the checkpoint of a call that has ended what its text does not account for.
pub fn note(context: &mut HookContext, tool_call: &ToolCall) {
    let Action::Shell { command, dialect } = &tool_call.action else { return };
    let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
    let reading = shell::effects(command, *dialect, &context.event.cwd, home);
    let Some(texts) = CallTexts::of(context, command, &reading) else { return };
    note_those(context, tool_call, |context, changed| unaccounted(context, changed, &texts));
}

/// Notes in the checkpoint of a call that has ended which files had changed before it began.
pub fn note_older(context: &mut HookContext, tool_call: &ToolCall, older: &BTreeSet<String>) {
    let is_older = |path: &PathBuf| path.to_str().is_some_and(|path| older.contains(path));
    note_those(context, tool_call, |_, changed| {
        changed.iter().map(|entry| entry.path.clone()).filter(is_older).collect()
    });
}

fn note_those(
    context: &mut HookContext,
    tool_call: &ToolCall,
    unaccounted: impl FnOnce(&HookContext, &[Entry]) -> BTreeSet<PathBuf>,
) {
    let Some(bound) = context.bound.clone() else { return };
    let call = EndedCall {
        loop_id: &bound.id,
        iteration: context.iteration(),
        tool_call_id: tool_call.id.as_deref(),
    };
    let noted = settle::note_unaccounted(&context.store, call, |changed| unaccounted(context, changed));
    if let Err(error) = noted {
        context.problems.push(error.to_string());
    }
}

/// The files among what a call left that neither its text names, nor a tool writes for itself, nor git ignores.
fn unaccounted(context: &HookContext, changed: &[Entry], texts: &CallTexts) -> BTreeSet<PathBuf> {
    let files = changed.iter().filter(|entry| entry.path.is_relative() && !entry.node.is_directory());
    let mut open: Vec<PathBuf> = files.map(|entry| entry.path.clone()).collect();
    open.retain(|path| !is_of_tools(path) && !texts.account_for(path));
    if !open.is_empty() {
        let ignored = context.project.git().ignored(&open).unwrap_or_default();
        open.retain(|path| !ignored.contains(path));
    }
    open.into_iter().collect()
}

fn is_of_tools(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    path.starts_with(".git") || is_output_name(path) || OF_TOOLS.iter().any(|ending| name.ends_with(ending))
}

/// The texts that a call runs.
struct CallTexts {
    texts: Vec<String>,
}

impl CallTexts {
    /// `None` where not all of them can be read, or one chooses by itself what it writes.
    fn of(context: &HookContext, command: &str, reading: &ShellReading) -> Option<CallTexts> {
        let is_break = |c: char| c.is_whitespace() || matches!(c, ';' | '&' | '|' | '(' | ')' | '`');
        let is_any = |known: &[&str]| command.split(is_break).any(|word| known.contains(&word));
        if reading.runs_git || reading.unread || reading.too_much || is_any(WRITERS) {
            return None;
        }
        if reading.runs_checks && !reading.runs_code {
            // What a check names, it looks at.
            return Some(CallTexts { texts: Vec::new() });
        }
        let is_inline = is_any(INTERPRETERS) && (is_any(INLINE) || command.contains("<<"));
        if reading.runs.is_empty() && !is_inline {
            return None;
        }
        let mut texts = vec![command.to_owned()];
        let cwd = &context.event.cwd;
        let mut files: BTreeSet<PathBuf> = reading.runs.iter().map(|path| cwd.join(path)).collect();
        files.extend(scripts_in(cwd, cwd, command));
        let mut seen = BTreeSet::new();
        for _ in 0..DEEPEST {
            let mut named = BTreeSet::new();
            for file in files.into_iter().filter(|file| seen.insert(file.clone())) {
                let text = read_text(&file).filter(|text| text.len() <= LONGEST_TEXT)?;
                named.extend(scripts_in(cwd, file.parent().unwrap_or(cwd), &text));
                texts.push(text);
            }
            files = named;
        }
        let chooses = |text: &String| CHOOSES.iter().any(|word| text.contains(word));
        (texts.len() <= MOST_TEXTS && !texts.iter().any(chooses)).then_some(CallTexts { texts })
    }

    /// Whether a text names a file, or a folder above it.
    fn account_for(&self, path: &Path) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let folders = path.parent().into_iter().flat_map(Path::components);
        let mut folders = folders.filter_map(|part| part.as_os_str().to_str());
        self.texts.iter().any(|text| names(text, name, false) || makes_such_names(text, name))
            || folders.any(|folder| self.texts.iter().any(|text| names(text, folder, true)))
    }
}

/// The scripts that a text in a folder names, or imports by a name.
fn scripts_in(cwd: &Path, folder: &Path, text: &str) -> BTreeSet<PathBuf> {
    let is_break = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let imported = text.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let is_import = matches!(words.next()?, "import" | "from");
        is_import.then_some(format!("{}.py", words.next()?.trim_end_matches(',').replace('.', "/")))
    });
    let is_script = |word: &&str| {
        Path::new(word).extension().is_some_and(|ending| SCRIPTS.iter().any(|script| ending == *script))
    };
    let named = text.split(is_break).filter(is_script).map(str::to_owned);
    let found = imported.chain(named).flat_map(|name| [folder.join(&name), cwd.join(&name)]);
    found.filter(|path| path.is_file()).collect()
}

/// Whether a text makes names out of the beginning of this one: `'out_' + n`, `"out_$n"`, `f'lib/m{n}'`.
fn makes_such_names(text: &str, name: &str) -> bool {
    let mut starts = (1..name.len()).filter_map(|length| name.get(..length));
    starts.any(|start| {
        text.match_indices(start).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + start.len()..).unwrap_or_default();
            let is_filled = after.starts_with(['{', '$', '%']) || after.starts_with("#{");
            let is_joined = start.len() > 2 && after.starts_with(['"', '\'']);
            before.ends_with(['"', '\'', '`', '/']) && (is_filled || is_joined)
        })
    })
}

/// Whether a text has a name by itself. The name of a folder that only leads to another name says nothing of what else
/// is in it.
fn names(text: &str, name: &str, is_folder: bool) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    text.match_indices(name).any(|(at, _)| {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        let mut after = after.chars();
        let next = after.next();
        let leads_on = is_folder && next == Some('/') && after.next().is_some_and(is_part);
        let goes_on = next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
        let is_alone = !before.ends_with(is_part) && !goes_on;
        is_alone && !leads_on
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_accounts_for_what_it_names() {
        let text =
            "open('src/a.js', 'w'); run('lib/'); require('node:test'); open('out_' + n); f'src/m{n}.py'\n";
        let texts = CallTexts { texts: vec![text.to_owned()] };
        for (path, is_named) in [
            ("src/a.js", true),
            ("src/ba.js", false),
            ("src/b.js", false),
            ("lib/deep/c.js", true),
            ("test/d.js", false),
            ("notes.md", false),
            ("out_1.txt", true),
            ("src/m1.py", true),
            ("src/n1.py", false),
        ] {
            assert_eq!(texts.account_for(Path::new(path)), is_named, "{path}");
        }
    }

    #[test]
    fn a_script_leads_to_those_that_it_names_or_imports() {
        let scratch = tempfile::tempdir().unwrap();
        for name in ["two.py", "three.js", "other.md"] {
            std::fs::write(scratch.path().join(name), "").unwrap();
        }
        let text = "import two, sys\nsubprocess.run(['node', 'three.js', 'other.md', 'gone.js'])\n";
        let found = scripts_in(scratch.path(), scratch.path(), text);
        assert_eq!(found, BTreeSet::from(["three.js", "two.py"].map(|name| scratch.path().join(name))));
    }
}
