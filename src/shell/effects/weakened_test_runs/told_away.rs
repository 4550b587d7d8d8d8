//! What a text prints behind a run of tests, and the run's failure with it: a word of success that asks no run, an excuse, or
//! anything at all before the text goes on.

use crate::shell::effects::weakened_test_runs::{is_test_run, pipelines};
use crate::shell::model::{Command, Script};

/// What an `echo` makes of the run before it.
pub(super) fn detail(script: &Script, index: usize, command: &Command) -> Option<String> {
    let earlier = script.commands.get(..index).unwrap_or_default();
    let later = script.commands.get(index + 1..).unwrap_or_default();
    if claims(earlier, command, later) {
        return Some("a word of success that asks no run".to_owned());
    }
    if command.instead && (excuses(earlier, command) || only_says(earlier, command, later)) {
        return Some("a failure that is told away".to_owned());
    }
    if later.is_empty() && closes_over(earlier, command) {
        return Some("what it prints last asks no run".to_owned());
    }
    let is_behind_one = command.instead && earlier.last().is_some_and(is_test_run);
    let step = is_behind_one.then(|| pipelines::step_anyhow(script, index)).flatten()?;
    Some(format!("`{step}` follows, however the run has ended"))
}

/// `pytest > /dev/null 2>&1; echo "All tests passed"`.
fn claims(earlier: &[Command], command: &Command, later: &[Command]) -> bool {
    let Some(run) = earlier.last().filter(|run| is_test_run(run)) else { return false };
    let kept = run.redirects.iter().find(|redirect| redirect.output);
    let is_unseen = kept.is_some_and(|to| {
        let names_it = |other: &Command| other.words.iter().skip(1).any(|word| word.text == to.target.text);
        !later.iter().any(names_it)
    });
    let depends = command.follows.is_some_and(|from| from < earlier.len());
    let words = command.words.get(1..).unwrap_or_default();
    let says =
        words.iter().all(|word| word.known) && words.iter().any(|word| pipelines::says_success(&word.text));
    is_unseen && !depends && !command.instead && says
}

/// `npm test; echo done`: the text ends with a word of its end, and well, whatever the run before it says.
fn closes_over(earlier: &[Command], command: &Command) -> bool {
    const ENDS: &[&str] = &[
        "done",
        "finished",
        "complete",
        "completed",
        "ok",
        "okay",
        "good",
        "passed",
        "success",
        "green",
        "fine",
    ];
    let Some(run) = earlier.last().filter(|run| is_test_run(run) && !run.background) else { return false };
    let depends = command.follows.is_some_and(|from| from < earlier.len()) || command.instead || run.instead;
    let words = command.words.get(1..).unwrap_or_default();
    let text = words.iter().map(|word| word.text.to_lowercase()).collect::<Vec<_>>().join(" ");
    let mut parts = text.split(|letter: char| !letter.is_alphanumeric());
    !depends
        && command.redirects.is_empty()
        && words.iter().all(|word| word.known)
        && !HEARD.iter().any(|word| text.contains(word))
        && parts.any(|part| ENDS.contains(&part))
}

/// `pytest || echo failed`: the failure is said, and the text ends well all the same. Who says how the run has ended, or
/// ends badly behind it, hides nothing.
fn only_says(earlier: &[Command], command: &Command, later: &[Command]) -> bool {
    const STATUS: &[&str] = &["$?", "exit", "status", "code"];
    let text = command.source.to_lowercase();
    let ends_badly = |other: &Command| {
        let ends = matches!(other.program(), "exit" | "return" | "kill");
        other.program() == "false" || (ends && other.words.get(1).is_none_or(|word| word.text != "0"))
    };
    earlier.last().is_some_and(is_test_run)
        && command.redirects.is_empty()
        && !STATUS.iter().any(|word| text.contains(word))
        && !later.iter().any(ends_badly)
}

/// Words that excuse a failure right behind a run.
const EXCUSES: &[&str] = &[
    "ok",
    "okay",
    "fine",
    "flaky",
    "known",
    "ignore",
    "ignored",
    "ignoring",
    "skip",
    "skipped",
    "skipping",
    "passed",
    "pass",
    "success",
    "successful",
    "green",
    "done",
    "expected",
    "whatever",
    "anyway",
    "continuing",
    "continue",
    "finished",
    "complete",
    "completed",
    "ran",
    "over",
    "good",
    "next",
    "moving",
    "mind",
    "nevermind",
    "regardless",
    "proceeding",
    "proceed",
];
/// Words that claim success where something stands between.
const CLAIMS: &[&str] = &[
    "ok",
    "okay",
    "fine",
    "flaky",
    "known",
    "passed",
    "pass",
    "success",
    "successful",
    "green",
    "expected",
    "good",
];
/// Words by which a failure is heard.
const HEARD: &[&str] = &["fail", "error", "broken", "not ok", "exit", "status", "code"];

/// `npm test || echo "ok, known to be flaky"`, `npm test || echo finished`.
fn excuses(earlier: &[Command], command: &Command) -> bool {
    let text =
        command.words.iter().skip(1).map(|word| word.text.to_lowercase()).collect::<Vec<_>>().join(" ");
    // Behind `else`, what runs if all is well stands between.
    let is_said = |command: &&Command| matches!(command.program(), "echo" | "printf");
    let words: &[&str] = match earlier.last().is_some_and(is_test_run) {
        true => EXCUSES,
        false if earlier.iter().rev().find(|it| !is_said(it)).is_some_and(is_test_run) => CLAIMS,
        false => return false,
    };
    let parts = || text.split(|letter: char| !letter.is_alphanumeric()).filter(|part| !part.is_empty());
    let says_nothing = words.len() == EXCUSES.len() && parts().next().is_none();
    let is_heard = HEARD.iter().any(|word| text.contains(word)) || parts().any(|part| part == "red");
    let is_known = command.words.iter().all(|word| word.known);
    !is_heard && is_known && (says_nothing || parts().any(|part| words.contains(&part)))
}
