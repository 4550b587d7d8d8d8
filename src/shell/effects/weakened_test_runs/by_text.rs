//! Options for later test runs that a command only writes down: in a variable, in a file of variables, in a script of
//! `package.json`.

use crate::runners;
use crate::shell::effects::weakened_test_runs::kind;
use crate::shell::model::{Command, Effect};

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
];

/// Programs whose words are no more than a text that somebody writes down.
const WRITERS: &[&str] = &["echo", "printf", "export", "npm", "pnpm", "yarn"];

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

/// What a command writes down for later runs: told like the run itself.
pub(crate) fn effects(command: &Command) -> Vec<Effect> {
    if !WRITERS.contains(&command.program()) {
        return Vec::new();
    }
    let is_script = command.words.get(1).is_some_and(|word| word.text == "pkg");
    let writes = command.program() == "export" || command.redirects.iter().any(|redirect| redirect.output);
    let texts = command.words.iter().skip(1).filter_map(|word| {
        let text = word.text.trim().trim_start_matches("export ");
        let (name, value) = text.split_once('=')?;
        let runner = match is_script {
            true => {
                name.strip_prefix("scripts.")?;
                value.split_whitespace().find(|it| runners::runs_tests(it, "", || false))?
            }
            false => VARIABLES.iter().find(|(known, _)| writes && *known == name)?.1,
        };
        Some((runner, value))
    });
    let weakened = texts.flat_map(|(runner, text)| {
        options(text)
            .into_iter()
            .filter_map(|(name, value)| Some((runners::weakening(runner, &name, &value)?, name)))
    });
    let mut effects: Vec<Effect> = Vec::new();
    for (weakens, option) in weakened {
        if !effects.iter().any(|effect| effect.kind == kind(weakens)) {
            effects.push(Effect::of(kind(weakens), command, &option, &[], command.directory.as_deref()));
        }
    }
    effects
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
