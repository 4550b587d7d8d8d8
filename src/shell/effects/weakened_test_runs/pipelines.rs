//! Steps that hang on the wrong status: of `tests | tail && git commit` the shell asks how `tail` has ended.

use crate::shell::effects::git_call;
use crate::shell::effects::services::rules::RuleWeight;
use crate::shell::effects::services::weight_of;
use crate::shell::effects::weakened_test_runs::is_test_run;
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script};

/// Programs that end well whatever comes in.
const FILTERS: &[&str] = &[
    "tail", "head", "tee", "cat", "sed", "tr", "cut", "sort", "uniq", "nl", "fold", "column", "less", "more",
    "bat", "ts", "pr", "rev", "tac",
];
/// Words of orders that bring a state of the project to others.
const HANDING_OVER: &[&str] = &["deploy", "release", "publish", "rollout", "ship"];

/// A filter behind a run of tests whose status decides about a step that matters.
pub(crate) fn effect(script: &Script, index: usize, command: &Command) -> Option<Effect> {
    if script.hears_pipelines || !FILTERS.contains(&command.program()) {
        return None;
    }
    let later = || script.commands.iter().enumerate().skip(index + 1);
    if later().any(|(_, other)| other.input == CommandInput::From(index)) {
        return None;
    }
    let run = run_before(script, command)?;
    let stops_at_failures = script.commands.iter().take(run).any(stops_on_failure);
    let hangs = |(_, step): &(usize, &Command)| {
        matters(step) && !step.instead && (stops_at_failures || step.follows.is_some_and(|from| from <= run))
    };
    let (_, step) = later().find(hangs)?;
    let detail = format!("`{}` follows {}, which ends well anyhow", first_words(step), command.program());
    let run = script.commands.get(run)?;
    Some(Effect::of(EffectKind::HidesFailure, run, &detail, &[], run.directory.as_deref()))
}

/// `npm test | cat` at the end of a text: nothing is left out of what is shown but how the run has ended.
pub(crate) fn ends_in_a_copy(script: &Script, index: usize, command: &Command) -> bool {
    command.program() == "cat"
        && command.words.len() == 1
        && command.redirects.is_empty()
        && !script.hears_pipelines
        && index + 1 == script.commands.len()
        && run_before(script, command).is_some()
}

/// Whether the text goes on to a step that only a passing run of all tests allows.
pub(crate) fn goes_on(script: &Script, index: usize) -> bool {
    script.commands.iter().skip(index + 1).any(|step| !step.instead && matters(step))
}

/// The step that a text goes on to behind `tests || echo …`, whatever the tests say: `… && git push`, `…; git commit`.
pub(crate) fn step_anyhow(script: &Script, index: usize) -> Option<String> {
    let later = script.commands.get(index + 1..)?;
    // What else is done about the failure may end the text.
    if later.first().is_some_and(|next| next.instead) {
        return None;
    }
    let hangs = |step: &&Command| !step.instead && step.follows.is_none_or(|from| from > index);
    let step = later.iter().find(|step| matters(step) && !is_said(step))?;
    Some(step).filter(hangs).map(first_words)
}

fn is_said(step: &Command) -> bool {
    matches!(step.program(), "echo" | "printf")
}

/// The run of tests whose output comes in, through whatever filters.
fn run_before(script: &Script, command: &Command) -> Option<usize> {
    let CommandInput::From(mut at) = command.input else { return None };
    loop {
        let source = script.commands.get(at)?;
        if is_test_run(source) {
            return Some(at);
        }
        match source.input {
            CommandInput::From(before) if before < at && FILTERS.contains(&source.program()) => at = before,
            _ => return None,
        }
    }
}

/// `set -e`.
fn stops_on_failure(command: &Command) -> bool {
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    command.program() == "set"
        && words().any(|word| {
            word == "errexit" || word.strip_prefix('-').is_some_and(|letters| letters.contains('e'))
        })
}

/// Whether a step is one that only a passing run allows: what is committed, handed to others, or claimed.
fn matters(step: &Command) -> bool {
    let words: Vec<&str> = step.words.iter().map(|word| word.text.as_str()).collect();
    let hands_over = |word: &&str| {
        let mut parts = word.split(|letter: char| !letter.is_alphanumeric());
        parts.any(|part| HANDING_OVER.contains(&part))
    };
    match step.program() {
        "git" => matches!(git_call::call(step).subcommand, "commit" | "push" | "tag" | "merge"),
        "echo" | "printf" => words.iter().skip(1).any(|word| says_success(word)),
        "kubectl" | "oc" | "terraform" | "tofu" => words.contains(&"apply"),
        "helm" => words.contains(&"upgrade") || words.contains(&"install"),
        "docker" | "podman" => words.get(1) == Some(&"push"),
        "gh" | "glab" => {
            words.windows(2).any(|pair| matches!(pair, ["pr" | "mr", "merge"] | ["release", "create"]))
        }
        "cat" | "ls" | "grep" | "cd" => false,
        _ => weight_of(step) == Some(RuleWeight::Releases) || words.iter().take(3).any(hands_over),
    }
}

/// Whether a text says that all went well.
pub(crate) fn says_success(text: &str) -> bool {
    const WORDS: &[&str] = &["passed", "pass", "success", "successful", "green", "succeeded"];
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    words.any(|word| WORDS.contains(&word.to_ascii_lowercase().as_str()))
}

fn first_words(step: &Command) -> String {
    let words = step.words.iter().take(2).map(crate::shell::model::Word::shown);
    words.collect::<Vec<_>>().join(" ")
}
