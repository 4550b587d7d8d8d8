//! Options for later test runs that a command only writes down: in a variable, in a file of variables, in a script of
//! `package.json`.

use crate::runners;
use crate::runners::options::Weakens;
use crate::shell::effects::git_call::HOOKS_OFF;
use crate::shell::effects::guard_bypass::runs_by_itself;
use crate::shell::effects::weakened_test_runs::kind;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word, program_name};
use crate::shell::parse::output::text::text_of;
use crate::shell::wrappers::interpreters;

use EffectKind::HidesFailure;

/// Variables with options for a runner.
pub(crate) const VARIABLES: &[(&str, &str)] = &[
    ("PYTEST_ADDOPTS", "pytest"),
    ("JEST_ARGS", "jest"),
    ("VITEST_ARGS", "vitest"),
    ("MOCHA_OPTS", "mocha"),
    ("MOCHA_OPTIONS", "mocha"),
    ("GOFLAGS", "go"),
    ("RSPEC_OPTS", "rspec"),
    ("SPEC_OPTS", "rspec"),
    ("NODE_OPTIONS", "node"),
    ("MAVEN_ARGS", "mvn"),
    ("MAVEN_OPTS", "mvn"),
    ("JAVA_TOOL_OPTIONS", "mvn"),
    ("CTEST_ARGS", "ctest"),
];

/// How a detail ends that holds for all later runs.
pub(crate) const FOR_GOOD: &str = ", from now on";

/// Programs whose words are no more than a text that somebody writes down.
const WRITERS: &[&str] = &["echo", "printf", "export", "go", "npm", "pnpm", "yarn"];

/// The options that variables give to the run of a command: runner, option and value.
pub(crate) fn given_by_variable(command: &Command) -> Vec<(&'static str, String, String)> {
    let given = command.assignments.iter().filter_map(|(name, value)| {
        let (_, runner) = VARIABLES.iter().find(|(known, _)| known == name)?;
        Some((*runner, value.as_deref()?))
    });
    given
        .flat_map(|(runner, text)| options(text).into_iter().map(move |(name, value)| (runner, name, value)))
        .collect()
}

/// A run with the options that its variables give it among its words: `PYTEST_ADDOPTS='-k nosuch' pytest`.
pub(crate) fn with_words_by_variable(command: &Command) -> Option<Command> {
    let given = command.assignments.iter().filter(|(name, _)| name == "PYTEST_ADDOPTS");
    let texts: Vec<&str> = given.filter_map(|(_, value)| value.as_deref()).collect();
    let words = texts
        .iter()
        .flat_map(|text| text.split_whitespace())
        .map(|it| Word::literal(it.trim_matches(['"', '\''])));
    (!texts.is_empty())
        .then(|| Command { words: command.words.iter().cloned().chain(words).collect(), ..command.clone() })
}

/// What a command writes down for later runs: told like the run itself.
pub(crate) fn effects(command: &Command) -> Vec<Effect> {
    if let Some(shell) = script_shell(command) {
        let detail = format!("script-shell {shell}{FOR_GOOD}");
        return vec![Effect::of(HidesFailure, command, &detail, &[], command.directory.as_deref())];
    }
    if !WRITERS.contains(&command.program()) {
        return Vec::new();
    }
    let is_script = command.words.get(1).is_some_and(|word| word.text == "pkg");
    let writes = command.program() == "export"
        || command.redirects.iter().any(|redirect| redirect.output)
        || is_for_good(command);
    let to_npm = command.redirects.iter().any(|redirect| redirect.target.text.ends_with(".npmrc"))
        || command.words.get(1).is_some_and(|word| matches!(word.text.as_str(), "config" | "c" | "set"));
    let texts = command.words.iter().skip(1).filter_map(|word| {
        let text = word.text.trim().trim_start_matches("export ");
        let (name, value) = text.split_once('=')?;
        let runner = match is_script {
            true => {
                name.strip_prefix("scripts.")?;
                value.split_whitespace().find(|it| runners::runs_tests(it, "", || false))?
            }
            false if to_npm && matches!(name.trim(), "node-options" | "node_options") => "node",
            false => VARIABLES.iter().find(|(known, _)| writes && *known == name)?.1,
        };
        Some((runner, value))
    });
    let weakened = texts.flat_map(|(runner, text)| {
        options(text).into_iter().filter_map(|(name, value)| {
            Some((
                runners::weakening(runner, &name, &value).or_else(|| chosen_for_good(runner, &name))?,
                name,
            ))
        })
    });
    let mut effects: Vec<Effect> = Vec::new();
    for (weakens, option) in weakened {
        if !effects.iter().any(|effect| effect.kind == kind(weakens)) {
            let detail = if is_for_good(command) { format!("{option}{FOR_GOOD}") } else { option };
            effects.push(Effect::of(kind(weakens), command, &detail, &[], command.directory.as_deref()));
        }
    }
    effects
}

/// `echo "export PYTEST_ADDOPTS='-k x'" >> ~/.bashrc`: what a text leaves for every shell that is started from now on, and
/// for every step of a workflow behind it.
pub(crate) fn left_for_every_shell(script: &Script, index: usize, command: &Command) -> Vec<Effect> {
    let written = command.redirects.iter().filter(|redirect| redirect.output).map(|it| &it.target);
    let handed = command.words.iter().skip(1).filter(|_| matches!(command.program(), "tee" | "sponge"));
    let is_read = |word: &&Word| runs_by_itself(&word.text) || word.text.ends_with("GITHUB_ENV");
    if !written.chain(handed).any(|word| is_read(&word)) {
        return Vec::new();
    }
    let Some(text) = text_of(script, index) else { return Vec::new() };
    let mut hooks_off = false;
    let given = text.lines().filter_map(|line| {
        let line = line.trim();
        let line = ["export ", "set -gx ", "set -Ux ", "set -x "]
            .iter()
            .find_map(|order| line.strip_prefix(order))
            .unwrap_or(line);
        let (name, value) = line.split_once(['=', ' '])?;
        hooks_off |= switches_hooks_off(name, value);
        let (_, runner) = VARIABLES.iter().find(|(known, _)| *known == name)?;
        Some((*runner, value.to_owned()))
    });
    let found = given.flat_map(|(runner, text)| {
        options(&text).into_iter().filter_map(move |(name, value)| {
            let weakens =
                runners::weakening(runner, &name, &value).or_else(|| chosen_for_good(runner, &name));
            Some((weakens?, name))
        })
    });
    let effect = |(weakens, option): (Weakens, String)| {
        Effect::of(kind(weakens), command, &format!("{option}{FOR_GOOD}"), &[], command.directory.as_deref())
    };
    let mut effects: Vec<Effect> = found.map(effect).collect();
    if hooks_off {
        let detail = "a variable for every shell";
        effects.push(Effect::of(
            EffectKind::BypassChecks,
            command,
            detail,
            &[],
            command.directory.as_deref(),
        ));
    }
    effects
}

/// `HUSKY=0`: of the variables that switch hooks off those that are there for nothing else.
fn switches_hooks_off(name: &str, value: &str) -> bool {
    let value = value.trim().trim_matches(['"', '\'']);
    name != "SKIP" && HOOKS_OFF.iter().any(|(known, off)| *known == name && off(Some(value)))
}

/// `go env -w GOFLAGS=-run=None`: for every project of the user, where no undo reaches.
fn is_for_good(command: &Command) -> bool {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    command.program() == "go" && words.starts_with(&["env"]) && words.contains(&"-w")
}

/// A choice of tests that is all right for one run, and leaves the others out of every later one when it is written down.
pub(crate) fn chosen_for_good(runner: &str, option: &str) -> Option<Weakens> {
    let chooses = match runner {
        "node" => matches!(option, "--test-name-pattern" | "--test-only"),
        "go" => option == "-run",
        "pytest" => option == "-k",
        _ => false,
    };
    chooses.then_some(Weakens::LeavesTestsOut)
}

/// The program that npm would run every script with from now on, where it is no shell.
fn script_shell(command: &Command) -> Option<String> {
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    let set = |text: &str| {
        let (name, value) = text.split_once('=')?;
        matches!(name.trim(), "script-shell" | "script_shell").then(|| value.trim().to_owned())
    };
    let to_settings = || command.redirects.iter().any(|it| it.target.text.ends_with(".npmrc"));
    let value = match (command.program(), words.as_slice()) {
        ("npm" | "pnpm", ["config" | "c", "set", rest @ ..] | ["set", rest @ ..]) => match rest {
            [.., "script-shell", value] | ["script-shell", value, ..] => Some((*value).to_owned()),
            rest => rest.iter().find_map(|word| set(word)),
        },
        ("echo" | "printf", words) if to_settings() => {
            words.iter().flat_map(|word| word.split("\\n")).find_map(set)
        }
        _ => None,
    }?;
    let name = program_name(value.trim_end_matches("\\n").trim());
    let is_shell = interpreters::is_shell(name) || matches!(name, "pwsh" | "powershell" | "cmd" | "");
    (!is_shell).then(|| name.to_owned())
}

/// The options in a text, each with its value.
fn options(text: &str) -> Vec<(String, String)> {
    let words: Vec<&str> = text.split_whitespace().map(|word| word.trim_matches(['"', '\''])).collect();
    let pair = |(index, word): (usize, &&str)| {
        let (name, glued) = word.split_once('=').map_or((*word, None), |(name, value)| (name, Some(value)));
        let value = glued.or_else(|| words.get(index + 1).copied()).unwrap_or_default();
        name.starts_with('-').then(|| (name.to_owned(), value.to_owned()))
    };
    words.iter().enumerate().filter_map(pair).collect()
}
