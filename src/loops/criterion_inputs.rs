//! What a criterion rests on: the scripts, the targets and the runner configuration behind its commands.
//!
//! Pure: files come in through a function. A part is compared by what it says, so that moving, reordering or commenting
//! it is no change; what could not be found at the start is no part.

use std::collections::BTreeSet;
use std::path::{Component, Path};

use crate::languages::settings;
use crate::model::event::ShellDialect;
use crate::shell::{self, Command};

mod helpers;
mod makefile;
mod part;
mod scripts;
mod sections;
mod tools;

use part::said;
pub use part::{CriterionInput, FilePiece};

/// How deep scripts that run scripts are followed.
const DEEPEST: u32 = 8;
/// The most parts of one criterion.
const MOST: usize = 200;
/// Larger scripts are programs, and no check.
const LARGEST_SCRIPT: usize = 64 << 10;
/// Programs that run a script of `package.json`.
const PACKAGE_RUNNERS: &[&str] = &["npm", "pnpm", "yarn", "bun"];
/// Programs whose first argument is a script.
const INTERPRETERS: &[&str] =
    &["sh", "bash", "dash", "zsh", "python", "python3", "node", "ruby", "perl", "php"];
/// Words of the shell that take the commands of a file in.
const TAKES_IN: &[&str] = &[".", "source"];
/// Folders and names of scripts that check something; another file that an interpreter runs is what is being made.
const CHECK_FOLDERS: &[&str] = &["scripts", "script", "tools", "ci", ".ci", "hack", "bin"];
const CHECK_NAMES: &[&str] = &["check", "verify", "validate", "test", "ci", "lint", "assert", "accept"];

/// The parts behind `commands` that run in `folder`, in the order in which they are met. `folder` is relative to the
/// project, and `read` gives a file's text by such a path.
pub fn parts(commands: &[&str], folder: &Path, read: &dyn Fn(&str) -> Option<String>) -> Vec<CriterionInput> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut search =
        InputSearch { read, parts: Vec::new(), seen: BTreeSet::new(), tools: Vec::new(), script: None };
    for command in commands {
        search.command(command, folder, 0);
    }
    search.configurations();
    search.parts
}

struct InputSearch<'a> {
    read: &'a dyn Fn(&str) -> Option<String>,
    parts: Vec<CriterionInput>,
    seen: BTreeSet<(String, FilePiece)>,
    tools: Vec<(String, String)>,
    /// The folder of the script whose commands are read.
    script: Option<String>,
}

impl InputSearch<'_> {
    fn command(&mut self, text: &str, directory: &Path, depth: u32) {
        if depth > DEEPEST || self.parts.len() >= MOST {
            return;
        }
        for command in shell::read_at(text, ShellDialect::Posix, directory, Path::new("~")).commands {
            self.computed(&command, depth);
            let Some(words) = known_words(&command) else { continue };
            // A script that goes to a folder that it works out goes to its own, or to the project.
            let known = command.directory.as_deref().and_then(|place| relative(place, ""));
            let Some(place) = known.or_else(|| self.script.clone()) else { continue };
            self.program(&words, &place, depth);
        }
    }

    fn program(&mut self, words: &[&str], place: &str, depth: u32) {
        let Some((first, rest)) = words.split_first() else { return };
        let name = first.rsplit('/').next().unwrap_or(first);
        if let Some(module) = tools::module_file(name, rest) {
            self.script(&module, place, false, depth);
        }
        if let Some(inner) = tools::unwrapped(name, rest) {
            return self.program(&inner, place, depth + 1);
        }
        if first.contains('/') {
            self.script(first, place, true, depth);
        }
        if PACKAGE_RUNNERS.contains(&name) && self.package_script(name, rest, place, depth) {
            return;
        }
        self.read_for(name, rest, place, depth);
        for file in tools::taken_in(name, rest) {
            self.first_of(&[joined(place, &file)], depth);
        }
        self.tools.push((tools::of(name, rest), place.to_owned()));
    }

    /// What a program of this name reads for the commands that it runs.
    fn read_for(&mut self, name: &str, rest: &[&str], place: &str, depth: u32) {
        match name {
            "make" | "gmake" => self.make(rest, place, depth),
            "just" => self.whole(&joined(place, "justfile")),
            _ if TAKES_IN.contains(&name) => {
                if let Some(file) = rest.first() {
                    let folder = self.script.clone().unwrap_or_default();
                    self.first_of(&[joined(place, file), joined(&folder, file)], depth);
                }
            }
            // `eval "$(cat lib.sh)"`, `cat lib.sh | sh`
            "cat" => {
                for file in rest.iter().filter(|file| scripts::is_shell(file)) {
                    self.script(file, place, true, depth);
                }
            }
            "run-s" | "run-p" | "npm-run-all" | "npm-run-all2" => {
                for script in rest.iter().filter(|word| !word.starts_with('-')) {
                    self.package_script("npm", &["run", script], place, depth);
                }
            }
            _ if INTERPRETERS.contains(&name) => {
                if let Some(file) = rest.iter().find(|word| !word.starts_with('-')) {
                    self.script(file, place, matches!(name, "sh" | "bash" | "dash" | "zsh"), depth);
                }
            }
            _ => {}
        }
    }

    /// Whether the words run a script of `package.json` that is there.
    fn package_script(&mut self, name: &str, rest: &[&str], place: &str, depth: u32) -> bool {
        let Some((script, place)) = tools::package_script(name, rest, place) else { return false };
        let file = joined(&place, "package.json");
        let Some(text) = (self.read)(&file) else { return false };
        let Some(command) = script_text(&file, &text, &script) else { return false };
        for name in [format!("pre{script}"), script.clone(), format!("post{script}")] {
            self.add(&file, FilePiece::Keys(vec![format!("scripts.{name}")]), Some(&text));
        }
        self.command(&command, Path::new(&place), depth + 1);
        true
    }

    fn make(&mut self, rest: &[&str], place: &str, depth: u32) {
        let (folder, named, targets) = makefile::arguments(rest);
        let place = folder.map_or(place.to_owned(), |folder| joined(place, folder));
        let names: &[&str] = &["GNUmakefile", "makefile", "Makefile"];
        let candidates = named.map_or(names.to_vec(), |named| vec![named]);
        let found = candidates.iter().find_map(|name| {
            let file = joined(&place, name);
            (self.read)(&file).map(|text| (file, text))
        });
        let Some((file, text)) = found else { return };
        let first = makefile::first_target(&text);
        let mut pending: Vec<String> = if targets.is_empty() {
            first.into_iter().collect()
        } else {
            targets.into_iter().map(str::to_owned).collect()
        };
        let files = makefile::with_included(file, text, self.read);
        while let Some(target) = pending.pop() {
            let mut rules =
                files.iter().filter_map(|(file, text)| Some((makefile::rule(text, &target)?, file, text)));
            let Some(((prerequisites, recipe), file, text)) = rules.next() else { continue };
            if !self.add(file, FilePiece::Target(target.clone()), Some(text)) {
                continue;
            }
            for line in recipe {
                self.command(&line, Path::new(&place), depth + 1);
            }
            pending.extend(prerequisites);
        }
    }

    fn whole(&mut self, file: &str) {
        if let Some(text) = (self.read)(file) {
            self.add(file, FilePiece::Whole, Some(&text));
        }
    }

    /// The configuration of the tools that the commands come to. One that is not there counts too: a new file would
    /// steer the same run.
    fn configurations(&mut self) {
        for (tool, place) in std::mem::take(&mut self.tools) {
            for (file, reads) in tools::naming_plugins(&tool) {
                let text = (self.read)(&joined(&place, file)).unwrap_or_default();
                for plugin in reads(&text) {
                    self.first_of(&[joined(&place, &plugin)], 0);
                }
            }
            for (file, piece) in tools::configuration(&tool) {
                let file = joined(&place, file);
                let text = (self.read)(&file);
                if text.is_some() || piece == FilePiece::Whole {
                    self.add(&file, piece, text.as_deref());
                }
            }
        }
    }

    fn add(&mut self, file: &str, piece: FilePiece, text: Option<&str>) -> bool {
        if self.parts.len() >= MOST || !self.seen.insert((file.to_owned(), piece.clone())) {
            return false;
        }
        let says = text.and_then(|text| said(file, &piece, text));
        self.parts.push(CriterionInput { file: file.to_owned(), piece, says });
        true
    }
}

/// `file` seen from the project, of one that is named from a folder of it.
fn relative_to(folder: &str, file: &str) -> Option<String> {
    relative(Path::new(folder), file)
}

/// The words of a command as far as they are all known.
fn known_words(command: &Command) -> Option<Vec<&str>> {
    let known = command.words.iter().take_while(|word| word.known);
    let words: Vec<&str> = known.map(|word| word.text.as_str()).collect();
    (!words.is_empty() && !command.remote).then_some(words)
}

fn script_text(file: &str, text: &str, script: &str) -> Option<String> {
    let key = format!("scripts.{script}");
    settings(file, text)?.into_iter().find(|entry| entry.key == key).map(|entry| entry.value)
}

fn joined(place: &str, file: &str) -> String {
    relative(Path::new(place), file).unwrap_or_else(|| file.to_owned())
}

/// `file` seen from the project, when it is in it; the project itself is empty.
fn relative(place: &Path, file: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let whole = place.join(file);
    for component in whole.components() {
        match component {
            Component::CurDir => {}
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => {
                parts.pop()?;
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests;
