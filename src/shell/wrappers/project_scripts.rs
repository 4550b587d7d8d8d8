//! Texts that a project's own files have for a runner: scripts of `package.json` and `deno.json`, recipes of a Makefile or
//! a justfile, tasks of many other runners. What an installation runs of its own package is among them.

mod brackets;
mod folders;
mod following;
mod foreign_code;
mod foreign_values;
mod gradle;
mod marked_up;
mod mix;
mod named_tasks;
mod own_programs;
mod python_tasks;
mod recipes;
mod ruby_tasks;
mod settings_tasks;
mod taskfiles;

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Word, resolve};
use crate::shell::parse::reader::ScriptReader;
use crate::shell::wrappers::project_scripts::folders::{folder_of_recipes, folders_of};
use crate::shell::wrappers::project_scripts::recipes::{recipe_lines, with_given};
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

impl ScriptReader {
    /// The shell texts that a runner takes from a file of the project, where that is known, and where it runs them.
    pub(crate) fn project_texts(&mut self, command: &Command) -> (Vec<String>, Option<PathBuf>) {
        let here = command.directory.clone();
        if only_shows(command) {
            return (Vec::new(), here);
        }
        match command.program() {
            "npm" | "pnpm" | "yarn" | "bun" => self.package_scripts(command),
            "deno" => (self.deno_tasks(command), here),
            "make" | "gmake" => {
                self.recipes(command, &["GNUmakefile", "makefile", "Makefile"], &["-f", "--file"])
            }
            "just" => self.recipes(command, &["justfile", ".justfile", "Justfile"], &["-f", "--justfile"]),
            "task" | "go-task" => match self.tasks(command) {
                (texts, _) if texts.is_empty() => self.named_tasks(command),
                found => found,
            },
            program if has_tasks(program) => self.named_tasks(command),
            _ => (Vec::new(), here),
        }
    }

    fn tasks(&mut self, command: &Command) -> (Vec<String>, Option<PathBuf>) {
        let folder = folder_of_recipes(command);
        let within = |file: &str| Path::new(&folder).join(file).to_string_lossy().into_owned();
        let (given, targets) = operands(command, &["-t", "--taskfile"]);
        let text = match given {
            Some(file) => self.beside(&file, command),
            None => taskfiles::NAMES.iter().find_map(|file| self.beside(&within(file), command)),
        };
        let texts = taskfiles::task_lines(&text.unwrap_or_default(), &targets);
        (texts, command.directory.as_ref().map(|here| resolve(here, &folder)))
    }

    /// The text of a file beside a command: written here, or known from elsewhere.
    fn beside(&mut self, name: &str, command: &Command) -> Option<String> {
        let word = Word::literal(name);
        match self.file(&word, command) {
            Some((text, unseen)) => unseen.is_none().then_some(text),
            None => self.known_file(&word, command),
        }
    }

    fn package_scripts(&mut self, command: &Command) -> (Vec<String>, Option<PathBuf>) {
        let here = command.directory.clone();
        let (names, folder) = asked_of_a_package(command);
        if names.is_empty() {
            return (Vec::new(), here);
        }
        let found = folders_of(&folder, command).into_iter().find_map(|folder| {
            let manifest = Path::new(&folder).join("package.json");
            Some((self.beside(&manifest.to_string_lossy(), command)?, folder))
        });
        let Some((text, folder)) = found else { return (Vec::new(), here) };
        let scripts = object(&text, "scripts");
        let named = names.iter().filter_map(|name| scripts.get(name).and_then(Value::as_str));
        (named.map(str::to_owned).collect(), here.map(|here| resolve(&here, &folder)))
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

    fn recipes(
        &mut self,
        command: &Command,
        files: &[&str],
        options: &[&str],
    ) -> (Vec<String>, Option<PathBuf>) {
        let folder = folder_of_recipes(command);
        let within = |file: &str| Path::new(&folder).join(file).to_string_lossy().into_owned();
        let is_make = command.program() != "just";
        let (given, targets) = operands(command, options);
        let text = match &given {
            Some(file) => self.beside(&if is_make { within(file) } else { file.clone() }, command),
            None => files.iter().find_map(|file| self.beside(&within(file), command)),
        };
        let texts = recipe_lines(&with_values(&with_given(&text.unwrap_or_default(), command)), &targets);
        // `just` runs its recipes beside their file, unless the words say where.
        let beside_it = given.filter(|_| !is_make && folder.is_empty());
        let beside_it =
            beside_it.and_then(|file| Some(Path::new(&file).parent()?.to_string_lossy().into_owned()));
        let folder = beside_it.unwrap_or(folder);
        (texts, command.directory.as_ref().map(|here| resolve(here, &folder)))
    }
}

/// Whether a runner has tasks that a file of the project defines.
fn has_tasks(program: &str) -> bool {
    matches!(
        program,
        "gradle"
            | "gradlew"
            | "rake"
            | "rails"
            | "invoke"
            | "inv"
            | "fab"
            | "nox"
            | "tox"
            | "ant"
            | "msbuild"
            | "dotnet"
            | "mix"
            | "composer"
            | "poe"
            | "poethepoet"
            | "pdm"
            | "rye"
            | "hatch"
            | "pixi"
            | "mise"
            | "cargo"
            | "makers"
            | "go"
    )
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
        "task" | "go-task" => words.any(|word| {
            matches!(word, "-n" | "--dry" | "-l" | "--list" | "--list-all" | "-a" | "--summary" | "--status")
        }),
        "just" => words.any(|word| matches!(word, "-n" | "--dry-run" | "--list" | "-l" | "--show" | "-s")),
        "gradle" | "gradlew" => words.any(|word| matches!(word, "-m" | "--dry-run" | "tasks" | "help")),
        "rake" => {
            words.any(|word| matches!(word, "-n" | "--dry-run" | "-T" | "--tasks" | "-P" | "-D" | "-W"))
        }
        "invoke" | "inv" | "fab" => words.any(|word| matches!(word, "-l" | "--list" | "--dry" | "-R")),
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
            // Of a repository of several packages one is chosen.
            _ if matches!(word, "--workspace" | "-w" | "--filter" | "-F") => _ = rest.next(),
            _ if word == "workspace" && command.program() == "yarn" && words.is_empty() => _ = rest.next(),
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
        } else if matches!(word, "-C" | "--directory" | "-d" | "--working-directory" | "-j" | "--jobs") {
            let is_alone = word == "-j" || word == "--jobs";
            let mut ahead = words.clone();
            // A number of jobs may be left out.
            if !is_alone || ahead.next().is_some_and(|it| it.bytes().all(|byte| byte.is_ascii_digit())) {
                words.next();
            }
        } else if let Some(value) = options.iter().find_map(|it| word.strip_prefix(it)?.strip_prefix('=')) {
            file = Some(value.to_owned());
        } else if !word.starts_with('-') && !word.contains('=') {
            targets.push(word.to_owned());
        }
    }
    (file, targets)
}

/// The files in which a runner may look for what it is asked to run, as a first look sees them: relative to where it runs.
pub(crate) fn manifests(command: &Command) -> Vec<PathBuf> {
    let recipes = |name: &str| vec![Path::new(&folder_of_recipes(command)).join(name)];
    match command.program() {
        _ if only_shows(command) => Vec::new(),
        "npm" | "pnpm" | "yarn" | "bun" => {
            let (names, folder) = asked_of_a_package(command);
            let folders = if names.is_empty() { Vec::new() } else { folders_of(&folder, command) };
            folders.iter().map(|folder| Path::new(folder).join("package.json")).collect()
        }
        "make" | "gmake" => recipes("Makefile"),
        "just" => recipes("justfile"),
        "task" | "go-task" => recipes("Taskfile.yml"),
        _ => named_tasks::files(command).into_iter().map(PathBuf::from).collect(),
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
    fn recipes_of_another_folder_run_there() {
        let files =
            [("tools/Makefile", "wipe:\n\trm -rf data\n"), ("ops/justfile", "nuke:\n    rm -rf data\n")];
        let deleted = |text: &str| {
            let files: FileTexts =
                files.iter().map(|(name, text)| (Path::new("/p").join(name), (*text).to_owned())).collect();
            let known = ScriptContext { files, ..ScriptContext::default() };
            let script = read_knowing(text, ShellDialect::Posix, (Path::new("/p"), Path::new("/h")), &known);
            let own = script.commands.iter().find(|command| command.program() == "rm");
            own.and_then(|command| command.directory.clone()).map(|path| path.display().to_string())
        };
        for (text, expected) in [
            ("make -C tools wipe", Some("/p/tools")),
            ("make --directory=tools wipe", Some("/p/tools")),
            ("make -j4 -Ctools wipe", Some("/p/tools")),
            ("just -f ops/justfile nuke", Some("/p/ops")),
            ("just -d . -f ops/justfile nuke", Some("/p")),
            ("make -C docs wipe", None),
            ("make -C tools -n wipe", None),
        ] {
            assert_eq!(deleted(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn scripts_of_one_package_of_several_are_read() {
        let manifest = r#"{"scripts":{"wipe":"rm -rf data"}}"#;
        let files = [("packages/api/package.json", manifest)];
        for text in [
            "npm run wipe --workspace packages/api",
            "npm run wipe -w packages/api",
            "npm --prefix packages/api run wipe",
            "pnpm --filter api wipe",
            "pnpm --filter=@acme/api run wipe",
            "yarn workspace @acme/api wipe",
        ] {
            assert_eq!(programs(text, &files).first().map(String::as_str), Some("rm"), "{text}");
        }
        assert_eq!(programs("npm run wipe", &files), ["npm"]);
    }

    #[test]
    fn tasks_of_a_taskfile_are_read_with_what_they_need() {
        let tasks = "version: '3'\ntasks:\n  reset:\n    deps: [stop]\n    cmds:\n      - rm -rf data\n      - task: seed\n  stop:\n    cmds:\n      - docker compose stop\n  seed:\n    cmds:\n      - cmd: touch seeded\n      - |\n        mkdir x\n        mv a b\n";
        let files = [("Taskfile.yml", tasks)];
        assert_eq!(programs("task reset", &files), ["rm", "touch", "mkdir", "mv", "docker", "task"]);
        assert_eq!(programs("task stop", &files), ["docker", "task"]);
        assert_eq!(programs("task --dry reset", &files), ["task"]);
        let others = "tasks:\n  default: rm -rf data\n  wipe:\n    deps:\n      - task: stop\n    cmd: mv a b\n  stop: [docker compose stop]\n";
        let files = [("Taskfile.yaml", others)];
        assert_eq!(programs("task", &files), ["rm", "task"]);
        assert_eq!(programs("task wipe", &files), ["mv", "docker", "task"]);
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
