//! Checks that one command of the project runs now for several: `npm run ci`, of which `package.json` says that it runs them.
//!
//! The project's files are read only where a check is said to be gone while another command has come.

use crate::detectors::checks::check_command::is_check;
use crate::detectors::checks::hooked_checks::is_a_hook;
use crate::languages::file_name;
use crate::model::finding::{Change, Finding};

/// What starts a script of a package.
const STARTERS: &[&str] = &["npm", "pnpm", "yarn", "bun", "composer"];
/// What starts several of them by their names.
const SEVERAL: &[&str] = &["run-s", "run-p", "npm-run-all", "npm-run-all2"];
/// So many scripts start each other.
const DEEPEST: usize = 4;

/// Whether all checks that a file of commands has lost are run by a command that has come, as the project's files say.
pub(super) fn is_handed_on(
    finding: &Finding,
    changes: &[Change],
    read: impl Fn(&str) -> Option<String>,
) -> bool {
    let is_gone =
        ["would be gone", "would not be run any more"].iter().any(|end| finding.what.ends_with(end))
            || finding.what.starts_with("the hook would no longer run `");
    let change = changes.iter().find(|it| it.path == finding.path).filter(|_| is_gone);
    let Some((before, after)) = change.and_then(|it| it.before.as_deref().zip(it.after.as_deref())) else {
        return false;
    };
    let (old, new) = (commands(before), commands(after));
    let come: Vec<&String> = new.iter().filter(|it| !old.contains(it)).collect();
    let lost: Vec<&String> = old.iter().filter(|it| is_check(it) && !new.contains(it)).collect();
    if come.is_empty() || lost.is_empty() {
        return false;
    }
    let text = |path: &str| {
        let here = changes.iter().find(|it| it.path == path);
        here.map_or_else(|| read(path), |it| it.after.clone())
    };
    let project = ScriptSources { text: &text };
    let runs: Vec<String> = come.iter().flat_map(|it| project.run_by(it, DEEPEST)).collect();
    lost.iter().all(|check| {
        if is_a_hook(check, &come, &text) {
            return true;
        }
        let mut own = project.ends_of(check).into_iter().filter(|it| is_check(it)).peekable();
        runs.contains(check) || own.peek().is_some() && own.all(|it| runs.contains(&it))
    })
}

/// The commands of a pipeline, a Dockerfile, a makefile or a script, as far as each stands in a line.
fn commands(text: &str) -> Vec<String> {
    let command = |line: &str| {
        let mut bare = line.trim().trim_start_matches(['-', '@', ' ']);
        for head in ["run:", "script:", "command:", "RUN "] {
            bare = bare.strip_prefix(head).unwrap_or(bare).trim();
        }
        bare.trim_matches(['"', '\'']).to_owned()
    };
    // A script may be named alone: `bin/ci`.
    let has_command = |line: &String| line.contains([' ', '/']) || line.ends_with(".sh");
    let is_command = |line: &String| has_command(line) && !line.starts_with('#') && !line.contains(": ");
    text.lines().map(command).filter(is_command).collect()
}

/// The files of a project that say what its scripts run.
pub(super) struct ScriptSources<'r> {
    pub(super) text: &'r dyn Fn(&str) -> Option<String>,
}

impl ScriptSources<'_> {
    /// The commands that a command runs, itself and those of its scripts. One whose failure is hidden runs none.
    fn run_by(&self, command: &str, depth: usize) -> Vec<String> {
        let mut all = vec![command.to_owned()];
        if depth == 0 || command.contains(['|', ';']) {
            return all;
        }
        let parts: Vec<&str> = command.split("&&").map(str::trim).filter(|it| !it.is_empty()).collect();
        let steps: Vec<String> = match parts[..] {
            [only] => self.script(only),
            _ => parts.iter().map(|it| (*it).to_owned()).collect(),
        };
        all.extend(steps.iter().flat_map(|it| self.run_by(it, depth - 1)));
        all
    }

    /// What a command comes to in the end, without what only starts something else.
    pub(super) fn ends_of(&self, command: &str) -> Vec<String> {
        let all = self.run_by(command, DEEPEST);
        all.into_iter().skip(1).filter(|it| self.run_by(it, DEEPEST).len() == 1).collect()
    }

    /// The commands of the script that a command starts.
    fn script(&self, command: &str) -> Vec<String> {
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some((first, rest)) = words.split_first() else { return Vec::new() };
        let names = || rest.iter().filter(|word| !word.starts_with('-') && !word.contains('='));
        if SEVERAL.contains(first) {
            return names().map(|name| format!("npm run {name}")).collect();
        }
        if STARTERS.contains(first) {
            let name = names().find(|word| !matches!(**word, "run" | "run-script"));
            let file = if *first == "composer" { "composer.json" } else { "package.json" };
            return name.map(|name| self.of_package(file, name)).unwrap_or_default();
        }
        if matches!(*first, "make" | "just") {
            let files = if *first == "make" { ["Makefile", "makefile"] } else { ["justfile", "Justfile"] };
            let text = files.iter().find_map(|file| (self.text)(file)).unwrap_or_default();
            return names().flat_map(|name| of_target(first, &text, name)).collect();
        }
        if *first == "mix" {
            let text = (self.text)("mix.exs").unwrap_or_default();
            return names().flat_map(|name| of_alias(&text, name)).collect();
        }
        let path = if matches!(*first, "sh" | "bash") { names().next() } else { Some(first) };
        path.filter(|it| file_name(it).ends_with(".sh") || self.is_shell(it))
            .map(|it| self.of_file(it))
            .unwrap_or_default()
    }

    fn of_package(&self, file: &str, name: &str) -> Vec<String> {
        let text = (self.text)(file).unwrap_or_default();
        let package: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        match &package["scripts"][name] {
            serde_json::Value::String(script) => vec![script.clone()],
            serde_json::Value::Array(all) => {
                let steps = all.iter().filter_map(|it| it.as_str());
                steps
                    .map(|it| it.strip_prefix('@').map_or(it.to_owned(), |own| format!("composer {own}")))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether a file is named by its place, and its first line says that a shell runs it.
    fn is_shell(&self, path: &str) -> bool {
        let first =
            |text: String| text.lines().next().is_some_and(|it| it.starts_with("#!") && it.ends_with("sh"));
        path.contains('/')
            && !file_name(path).contains('.')
            && (self.text)(path.trim_start_matches("./")).is_some_and(first)
    }

    /// The lines of a shell's script that ends at the first failure.
    fn of_file(&self, path: &str) -> Vec<String> {
        let text = (self.text)(path.trim_start_matches("./")).unwrap_or_default();
        let stops = text.lines().any(|line| line.trim().starts_with("set -") && line.contains('e'));
        let lines =
            text.lines().map(str::trim).filter(|line| stops && !line.is_empty() && !line.starts_with('#'));
        lines.map(str::to_owned).collect()
    }
}

/// The commands of an alias of Mix: `ci: ["format --check-formatted", "test"]`.
fn of_alias(text: &str, name: &str) -> Vec<String> {
    let head = [format!("{name}: ["), format!("\"{name}\": [")];
    let list = head
        .iter()
        .find_map(|head| text.split_once(head.as_str()))
        .and_then(|(_, rest)| rest.split(']').next());
    let quoted = list.into_iter().flat_map(|list| list.split('"').skip(1).step_by(2));
    quoted.map(|task| format!("mix {task}")).collect()
}

/// What a target of a makefile needs, as commands that make it, and its recipe.
fn of_target(program: &str, text: &str, name: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut is_own = false;
    for line in text.lines() {
        if line.starts_with(['\t', ' ']) {
            let recipe = line.trim();
            // What begins with `-` may fail.
            all.extend(
                (is_own && !recipe.starts_with('-')).then(|| recipe.trim_start_matches('@').to_owned()),
            );
        } else if let Some((head, needs)) = line.split_once(':') {
            is_own = head.split_whitespace().any(|it| it == name) && !needs.starts_with('=');
            let needs = needs.split_whitespace().filter(|_| is_own && name != ".PHONY");
            all.extend(needs.map(|it| format!("{program} {it}")));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::checks::named_files::weigh;
    use crate::detectors::{Evidence, judge};

    const GITLAB: &str = "types:\n  script:\n    - npm run typecheck\nlint:\n  script:\n    - npm run lint\nunit:\n  script:\n    - npm test\n";

    /// How many findings are left of a pipeline that runs one command for three.
    fn left(command: &str, files: &[(&str, &str)]) -> usize {
        left_of(".gitlab-ci.yml", GITLAB, &format!("unit:\n  script:\n    - {command}\n"), files)
    }

    fn left_of(path: &str, before: &str, after: &str, files: &[(&str, &str)]) -> usize {
        let text = |it: &str| Some(it.to_owned());
        let changes = [Change { path: path.to_owned(), before: text(before), after: text(after) }];
        let mut found = judge(&Evidence { changes: &changes, elsewhere: &[] });
        assert!(!found.is_empty(), "{after}: nothing is found without the files");
        let read =
            |path: &str| files.iter().find(|(name, _)| *name == path).map(|(_, text)| (*text).to_owned());
        weigh(&mut found, &changes, || None, read);
        found.len()
    }

    #[test]
    fn one_script_may_run_all_checks() {
        let package = |all: &str| {
            format!(
                "{{\"scripts\": {{\"typecheck\": \"tsc\", \"lint\": \"eslint .\", \"test\": \"vitest run\", \"all\": \"{all}\"}}}}"
            )
        };
        let of = |all: &str| left("npm run all", &[("package.json", &package(all))]);
        assert_eq!(of("npm run typecheck && npm run lint && npm test"), 0);
        assert_eq!(of("run-s typecheck lint test"), 0);
        assert_eq!(of("tsc && eslint . && vitest run"), 0);
        assert_eq!(of("npm run lint && npm test"), 1, "the types are not checked");
        assert_eq!(of("npm run typecheck; npm run lint; npm test"), 1, "a failure is passed over");
        assert_eq!(left("npm run every", &[("package.json", &package("tsc"))]), 1, "there is no such script");
    }

    #[test]
    fn so_may_a_makefile_and_a_shell_script() {
        let makefile = "ready: types\n\t@npm run lint\n\tnpm test\n\ntypes:\n\tnpm run typecheck\n";
        assert_eq!(left("make ready", &[("Makefile", makefile)]), 0);
        let script = "#!/bin/sh\nset -eu\nnpm run typecheck\nnpm run lint\nnpm test\n";
        assert_eq!(left("./scripts/ci.sh", &[("scripts/ci.sh", script)]), 0);
        assert_eq!(left("./scripts/ci.sh", &[("scripts/ci.sh", &script.replace("set -eu\n", ""))]), 1);
        assert_eq!(left("bin/all", &[("bin/all", script)]), 0);
        assert_eq!(
            left("bin/all", &[("bin/all", &script.replace("#!/bin/sh", "#!/usr/bin/env python3"))]),
            1
        );
    }

    #[test]
    fn so_may_a_hook() {
        let package = |all: &str| {
            format!(
                "{{\"scripts\": {{\"lint\": \"eslint .\", \"test\": \"vitest run\", \"verify\": \"{all}\"}}}}"
            )
        };
        let of = |all: &str| {
            let files = package(all);
            left_of(
                ".husky/pre-push",
                "npm run lint\nnpm test\n",
                "npm run verify\n",
                &[("package.json", &files)],
            )
        };
        assert_eq!(of("npm run lint && npm test"), 0);
        assert_eq!(of("npm run lint"), 1, "the tests are not run");
    }
}
