//! Texts that a project's own files have for a runner: scripts of `package.json` and `deno.json`, recipes of a Makefile or
//! a justfile. What an installation runs of its own package is among them.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Word};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::unwrap::texts::with_values;

/// What package managers run of a package that is installed from here.
const OF_AN_INSTALLATION: &[&str] = &["preinstall", "install", "postinstall", "prepublish", "prepare"];
/// What they run of one that is published or packed.
const OF_A_PUBLICATION: &[&str] = &["prepublishOnly", "prepack", "prepare", "postpack", "publish"];
/// Words of package managers that are no script's name.
const OWN_WORDS: &[&str] = &[
    "add",
    "audit",
    "cache",
    "config",
    "create",
    "dlx",
    "exec",
    "info",
    "init",
    "link",
    "list",
    "login",
    "ls",
    "outdated",
    "remove",
    "rm",
    "uninstall",
    "update",
    "upgrade",
    "version",
    "view",
    "why",
    "x",
];
/// So many recipes are followed from target to target.
const MOST_TARGETS: usize = 64;

impl ScriptReader {
    /// The shell texts that a runner takes from a file of the project, where that is known.
    pub(crate) fn project_texts(&mut self, command: &Command) -> Vec<String> {
        if only_shows(command) {
            return Vec::new();
        }
        match command.program() {
            "npm" | "pnpm" | "yarn" | "bun" => self.package_scripts(command),
            "deno" => self.deno_tasks(command),
            "make" | "gmake" => {
                self.recipes(command, &["GNUmakefile", "makefile", "Makefile"], &["-f", "--file"])
            }
            "just" => self.recipes(command, &["justfile", ".justfile", "Justfile"], &["-f", "--justfile"]),
            _ => Vec::new(),
        }
    }

    /// The text of a file beside a command: written here, or known from elsewhere.
    fn beside(&mut self, name: &str, command: &Command) -> Option<String> {
        let word = Word::literal(name);
        match self.file(&word, command) {
            Some((text, unseen)) => unseen.is_none().then_some(text),
            None => self.known_file(&word, command),
        }
    }

    fn package_scripts(&mut self, command: &Command) -> Vec<String> {
        let (names, folder) = asked_of_a_package(command);
        if names.is_empty() {
            return Vec::new();
        }
        let manifest = Path::new(&folder).join("package.json");
        let Some(text) = self.beside(&manifest.to_string_lossy(), command) else { return Vec::new() };
        let scripts = object(&text, "scripts");
        let named = names.iter().filter_map(|name| scripts.get(name).and_then(Value::as_str));
        named.map(str::to_owned).collect()
    }

    fn deno_tasks(&mut self, command: &Command) -> Vec<String> {
        let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
        let (Some("task"), Some(name)) = (words.next(), words.find(|word| !word.starts_with('-'))) else {
            return Vec::new();
        };
        let text = self.beside("deno.json", command).or_else(|| self.beside("deno.jsonc", command));
        let tasks = object(&text.unwrap_or_default(), "tasks");
        tasks.get(name).and_then(Value::as_str).map(str::to_owned).into_iter().collect()
    }

    fn recipes(&mut self, command: &Command, files: &[&str], options: &[&str]) -> Vec<String> {
        let (given, targets) = operands(command, options);
        let text = match given {
            Some(file) => self.beside(&file, command),
            None => files.iter().find_map(|file| self.beside(file, command)),
        };
        recipe_lines(&with_values(&with_given(&text.unwrap_or_default(), command)), &targets)
    }
}

/// `make -n clean`: the recipes are shown, and none is run.
fn only_shows(command: &Command) -> bool {
    let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
    match command.program() {
        "make" | "gmake" => words.any(|word| {
            let is_cluster = word.bytes().skip(1).all(|letter| letter.is_ascii_lowercase());
            matches!(word, "--dry-run" | "--just-print" | "--recon" | "--question" | "--touch")
                || (is_cluster && !word.starts_with("--") && (has_letter(word, 'n') || has_letter(word, 'q')))
        }),
        "just" => words.any(|word| matches!(word, "-n" | "--dry-run" | "--list" | "-l" | "--show" | "-s")),
        _ => false,
    }
}

/// The scripts that a package manager's words start, and the folder of the package.
fn asked_of_a_package(command: &Command) -> (Vec<String>, String) {
    let mut folder = String::new();
    let mut words = Vec::new();
    let mut rest = command.words.iter().skip(1).map(|word| word.text.as_str());
    while let Some(word) = rest.next() {
        match word.split_once('=') {
            _ if word == "--" => break,
            _ if matches!(word, "--prefix" | "-C" | "--cwd" | "--dir") => {
                folder = rest.next().unwrap_or_default().to_owned();
            }
            Some(("--prefix" | "--cwd" | "--dir", value)) => folder = value.to_owned(),
            _ if word.starts_with('-') => {}
            _ => words.push(word),
        }
    }
    let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let around = |name: &str| vec![format!("pre{name}"), name.to_owned(), format!("post{name}")];
    let names = match (command.program(), words.as_slice()) {
        (_, ["run" | "run-script" | "rum", name, ..]) => around(name),
        (_, ["test" | "t" | "tst", ..]) => around("test"),
        (_, [name @ ("start" | "stop" | "restart"), ..]) => around(name),
        (_, ["install" | "i" | "ci" | "add" | "rebuild", ..]) | ("yarn", []) => own(OF_AN_INSTALLATION),
        (_, ["publish" | "pack", ..]) => own(OF_A_PUBLICATION),
        ("yarn" | "pnpm" | "bun", [name, ..]) if !OWN_WORDS.contains(name) => around(name),
        _ => Vec::new(),
    };
    (names, folder)
}

/// A table of a JSON text.
fn object(text: &str, name: &str) -> serde_json::Map<String, Value> {
    let value: Value = serde_json::from_str(text).unwrap_or_default();
    value.get(name).and_then(Value::as_object).cloned().unwrap_or_default()
}

/// The file that an option gives, and the targets.
fn operands(command: &Command, options: &[&str]) -> (Option<String>, Vec<String>) {
    let (mut file, mut targets) = (None, Vec::new());
    let mut words = command.words.iter().skip(1).map(|word| word.text.as_str());
    while let Some(word) = words.next() {
        if options.contains(&word) {
            file = words.next().map(str::to_owned);
        } else if let Some(value) = options.iter().find_map(|it| word.strip_prefix(it)?.strip_prefix('=')) {
            file = Some(value.to_owned());
        } else if !word.starts_with('-') && !word.contains('=') {
            targets.push(word.to_owned());
        }
    }
    (file, targets)
}

/// A makefile with the variables that the words of a call give instead of its own: `make clean OUT=~/x`.
fn with_given(text: &str, command: &Command) -> String {
    let given = command.words.iter().skip(1).filter(|word| word.known && !word.text.starts_with('-'));
    given.filter_map(|word| word.text.split_once('=')).fold(text.to_owned(), |text, (name, value)| {
        text.replace(&format!("$({name})"), value).replace(&format!("${{{name}}}"), value)
    })
}

/// A rule of a Makefile or a justfile.
struct MakeRule {
    targets: Vec<String>,
    needs: Vec<String>,
    lines: String,
}

/// The lines that targets run, with those of the targets that they need.
fn recipe_lines(text: &str, asked: &[String]) -> Vec<String> {
    let rules = rules(text);
    let is_plain =
        |rule: &&MakeRule| rule.targets.iter().any(|name| !name.starts_with('.') && !name.contains('%'));
    let first = || rules.iter().find(is_plain).map(|rule| rule.targets.clone()).unwrap_or_default();
    let mut waiting = if asked.is_empty() { first() } else { asked.to_vec() };
    let mut seen: HashSet<String> = HashSet::new();
    let mut texts = Vec::new();
    while let Some(target) = waiting.pop() {
        if seen.len() >= MOST_TARGETS || !seen.insert(target.clone()) {
            continue;
        }
        for rule in rules.iter().filter(|rule| rule.targets.contains(&target)) {
            waiting.extend(rule.needs.iter().cloned());
            texts.extend((!rule.lines.is_empty()).then(|| as_shell(&rule.lines)));
        }
    }
    texts
}

/// Lines of a recipe as the shell gets them, as far as its variables come from the environment: `$(HOME)` is none of its
/// commands, and `$$x` its own.
fn as_shell(lines: &str) -> String {
    const FROM_OUTSIDE: &[&str] = &["HOME", "PWD", "CURDIR", "USER", "PATH", "TMPDIR"];
    FROM_OUTSIDE
        .iter()
        .fold(lines.replace("$$", "$"), |text, name| {
            text.replace(&format!("$({name})"), &format!("${{{name}}}"))
        })
        .replace("${CURDIR}", "${PWD}")
}

fn rules(text: &str) -> Vec<MakeRule> {
    let mut rules: Vec<MakeRule> = Vec::new();
    for line in text.lines() {
        if let Some(recipe) = line.strip_prefix(['\t', ' ']) {
            let command = recipe.trim_start().trim_start_matches(['@', '-', '+']);
            if let Some(rule) = rules.last_mut().filter(|_| !command.is_empty()) {
                rule.lines.push_str(command);
                rule.lines.push('\n');
            }
            continue;
        }
        let Some((head, rest)) = line.split_once(':').filter(|_| !line.starts_with('#')) else { continue };
        if rest.starts_with('=') || head.contains('=') {
            continue;
        }
        let (needs, inline) = rest.split_once(';').unwrap_or((rest, ""));
        let words =
            |text: &str| text.split_whitespace().map(|it| it.trim_matches(['(', ')']).to_owned()).collect();
        rules.push(MakeRule { targets: words(head), needs: words(needs), lines: inline.trim().to_owned() });
    }
    rules
}

/// The file in which a runner looks for what it is asked to run, as a first look sees it: relative to where it runs.
pub(crate) fn manifest(command: &Command) -> Option<PathBuf> {
    match command.program() {
        _ if only_shows(command) => None,
        "npm" | "pnpm" | "yarn" | "bun" => {
            let (names, folder) = asked_of_a_package(command);
            (!names.is_empty()).then(|| Path::new(&folder).join("package.json"))
        }
        "make" | "gmake" => Some(PathBuf::from("Makefile")),
        "just" => Some(PathBuf::from("justfile")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell::model::{FileTexts, ScriptContext};
    use crate::shell::read_knowing;

    /// The programs that a text runs where the files are known.
    fn programs(text: &str, files: &[(&str, &str)]) -> Vec<String> {
        let files: FileTexts =
            files.iter().map(|(name, text)| (Path::new("/p").join(name), (*text).to_owned())).collect();
        let known = ScriptContext { files, ..ScriptContext::default() };
        let script = read_knowing(text, ShellDialect::Posix, (Path::new("/p"), Path::new("/h")), &known);
        script.commands.iter().map(|command| command.program().to_owned()).collect()
    }

    #[test]
    fn scripts_of_a_package_are_read() {
        let manifest = r#"{"scripts":{"clean":"rm -rf src","postinstall":"node x.js","pretest":"touch a"}}"#;
        for (text, expected) in [
            ("npm run clean", &["rm", "npm"][..]),
            ("pnpm clean", &["rm", "pnpm"]),
            ("yarn run clean --silent", &["rm", "yarn"]),
            ("npm test", &["touch", "npm"]),
            ("npm ci", &["node", "npm"]),
            ("npm --prefix ./sub run clean", &["npm"]),
            ("npm run build", &["npm"]),
            ("npm view clean", &["npm"]),
        ] {
            assert_eq!(programs(text, &[("package.json", manifest)]), expected, "{text}");
        }
    }

    #[test]
    fn recipes_are_read_with_what_they_need() {
        let makefile = "VERSION := 1\nall: build\n\ttouch done\n\nbuild:\n\t@rm -rf src\n\nother: ; mv a b\n";
        for (text, expected) in [
            ("make", &["touch", "rm", "make"][..]),
            ("make build", &["rm", "make"]),
            ("make -j4 other", &["mv", "make"]),
            ("make none", &["make"]),
        ] {
            assert_eq!(programs(text, &[("Makefile", makefile)]), expected, "{text}");
        }
        assert_eq!(programs("just wipe", &[("justfile", "wipe:\n    rm -rf src\n")]), ["rm", "just"]);
        assert_eq!(programs("make -f own.mk x", &[("own.mk", "x:\n\tshred a\n")]), ["shred", "make"]);
    }

    #[test]
    fn files_whose_text_is_run_and_not_known_are_named() {
        let place = (Path::new("/p"), Path::new("/h"));
        for (text, expected) in [
            ("sh x.sh", &["/p/x.sh"][..]),
            ("cd a && python3 b.py", &["/p/a/b.py"]),
            ("./x", &["/p/x"]),
            ("source env.sh; npm run x", &["/p/env.sh", "/p/package.json"]),
            ("/usr/bin/python3 -c 'print(1)'", &[]),
            ("ls", &[]),
        ] {
            let script = read_knowing(text, ShellDialect::Posix, place, &ScriptContext::default());
            let runs: Vec<String> = script.runs.iter().map(|path| path.display().to_string()).collect();
            assert_eq!(runs, expected, "{text}");
        }
    }

    #[test]
    fn a_known_script_is_read_beside_its_command() {
        let files = [("x.sh", "#!/bin/sh\nrm -rf src\n"), ("y", "#!/usr/bin/env python3\nimport os\n")];
        assert_eq!(programs("sh x.sh", &files), ["sh", "rm"]);
        assert_eq!(programs("./x.sh", &files), ["rm", "./x.sh".rsplit('/').next().unwrap()]);
        assert_eq!(programs("./y", &files), ["y", "y"]);
        assert_eq!(programs("bash ./x.sh; python3 y", &files), ["bash", "rm", "python3", "python3"]);
    }
}
