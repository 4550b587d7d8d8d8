//! Commands that others make up: what comes in through a pipe, the rules of a makefile that the text has written.

use std::path::Path;

use crate::shell::edit;
use crate::shell::model::{Command, CommandInput, Word, program_name, resolve};
use crate::shell::parse::output;
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::unwrap::{prefixes, texts};

/// The program that `xargs` starts; empty where its options are not read.
fn run_by_xargs(command: &Command) -> &str {
    const VALUED: &[&str] = &["-n", "-P", "-L", "-s", "-E", "-d", "-a", "-I", "-J", "-R", "-S"];
    let mut words = command.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "sudo" | "command" | "env" => {}
            option if VALUED.contains(&option) => _ = words.next(),
            option if option.starts_with('-') => {}
            name => return program_name(name),
        }
    }
    ""
}

impl ScriptReader {
    /// `git ls-files --others | xargs rm`: what `git clean` does.
    pub(super) fn removes_untracked(&self, command: &Command) -> bool {
        if command.program() != "xargs" || !matches!(run_by_xargs(command), "rm" | "unlink") {
            return false;
        }
        let mut input = &command.input;
        while let CommandInput::From(index) = input {
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

    /// `git ls-files --deleted | xargs git checkout --`: what is gone already comes back, and nothing else changes.
    pub(super) fn restores_deleted(&self, command: &Command) -> bool {
        let CommandInput::From(index) = &command.input else { return false };
        let Some(from) = self.script.commands.get(*index) else { return false };
        let has = |command: &Command, words: &[&str]| {
            command.words.iter().any(|word| words.contains(&word.text.as_str()))
        };
        command.program() == "xargs"
            && run_by_xargs(command) == "git"
            && has(command, &["checkout", "restore", "checkout-index"])
            && from.program() == "git"
            && has(from, &["ls-files"])
            && has(from, &["-d", "--deleted", "-dz", "-zd"])
            && !has(from, &["-m", "--modified", "-o", "--others", "-c", "--cached"])
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
            return text.map(|text| texts::recipes(&texts::with_values(&text))).unwrap_or_default();
        }
        let names = named.map_or(vec!["Makefile".to_owned(), "makefile".to_owned()], |word| vec![word.text]);
        let written = names.iter().find_map(|name| self.files.get(&resolve(directory, name)));
        written.map(|text| texts::recipes(text)).unwrap_or_default()
    }

    /// Whether what comes in is put together by a program that writes lines anew.
    pub(super) fn is_made_up(&self, input: &CommandInput) -> bool {
        const MAKERS: &[&str] = &[
            "awk", "gawk", "mawk", "sed", "gsed", "perl", "python", "python3", "ruby", "node", "jq", "xargs",
            "paste", "tr", "cut", "envsubst", "printf",
        ];
        let CommandInput::From(index) = input else { return false };
        self.script.commands.get(*index).is_some_and(|from| MAKERS.contains(&from.program()))
    }
}
