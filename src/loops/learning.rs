//! What a failed verification teaches: what failed, why, and what to try next.
//!
//! Every sentence is made of facts in the output; where the same failure comes back, it says so and changes the
//! approach.

mod cause;

use cause::{named, why};

pub use crate::state::records::Learning;

use crate::loops::errors::signature;
use crate::loops::verification::printed;
use crate::loops::verification::{CheckResult, VerificationResult};
use crate::model::finding::{counted, is_or_are};
use crate::runners::failures::{self, Failures, OutputSource, TestFailure, shorten};

/// The class of a failure that only tests make up which another loop has lost.
pub(crate) const LOST_ELSEWHERE: &str = "lost elsewhere";

/// The learning of a failed verification. `None` when it passed. `previous` are the learnings of the iterations
/// before, oldest first.
pub fn learn(verification: &VerificationResult, previous: &[Learning]) -> Option<Learning> {
    let check = verification.first_failure()?;
    // The output of a command that was not found is the shell's own, and names the missing program best.
    let known =
        if check.timed_out || check.is_of_the_count() { None } else { failures::read(check.output()) };
    // A command that succeeded failed by what it printed or did not print: any last line of it is no error.
    let known = known.filter(|known| {
        check.exit_code != Some(0) || known.source != OutputSource::Unknown && check.coverage.is_none()
    });
    let mut learning = match &known {
        Some(known) => of_failures(check, known),
        None => of_silence(check),
    };
    if check.not_found {
        learning.error_type = Some("not found".to_owned());
    }
    let others = verification.checks.iter().filter(|check| !check.passed).count() - 1;
    if others > 0 {
        learning
            .why
            .push_str(&format!(" Besides, {others} more of {} checks failed.", verification.checks.len()));
    }
    compare(&mut learning, previous, check, known.as_ref());
    Some(learning)
}

/// How often in a row, this one included, the newest learnings have the same signature.
pub fn repeats(learnings: &[Learning]) -> usize {
    let Some(newest) = learnings.last() else { return 0 };
    learnings.iter().rev().take_while(|learning| learning.signature == newest.signature).count()
}

fn of_failures(check: &CheckResult, known: &Failures) -> Learning {
    let Some(first) = known.list.first() else { return of_silence(check) };
    let failing: Vec<String> = known.list.iter().filter_map(|failure| failure.test.clone()).collect();
    let failed = match &first.test {
        Some(test) if !first.message.contains(test.as_str()) => {
            shorten(&format!("{test}: {}", first.message), 300)
        }
        _ => first.message.clone(),
    };
    Learning {
        why: why(check, known, first),
        next: next(check, known, first),
        signature: signature_of(first, &failing, known.total),
        error_type: first.error_type.clone(),
        failed,
        faults: failing.is_empty().then_some(known.total as u64),
        failing,
    }
}

/// A failure whose output holds no error at all: the verdict itself is the message.
fn of_silence(check: &CheckResult) -> Learning {
    let last = check.output_tail.lines().rev().find(|line| !line.trim().is_empty());
    let last = last.map_or("it printed nothing".to_owned(), |line| {
        format!("its last line was \"{}\"", shorten(line, 160))
    });
    let last = if check.is_of_the_count() { String::new() } else { format!("; {last}") };
    Learning {
        failed: shorten(&check.reason, 300),
        why: format!("`{}`: {}{last}.", check.command, check.reason),
        next: after_silence(check),
        signature: signature::normalise(&check.reason),
        error_type: class_of_silence(check).map(str::to_owned),
        ..Learning::default()
    }
}

fn class_of_silence(check: &CheckResult) -> Option<&'static str> {
    let is_elsewhere = check.lost_elsewhere.is_some();
    if is_elsewhere { Some(LOST_ELSEWHERE) } else { check.timed_out.then_some("timeout") }
}

/// What to try where the output names no error.
fn after_silence(check: &CheckResult) -> String {
    if let Some((least, ran)) = check.fewer_tests {
        let gone = least.saturating_sub(ran);
        format!(
            "Find the {} that no longer {} (deleted, renamed, skipped, left out by a filter) and bring {} back.",
            counted(gone, "test"),
            if gone == 1 { "runs" } else { "run" },
            if gone == 1 { "it" } else { "them" }
        )
    } else if let Some(lost) = &check.lost_elsewhere {
        format!(
            "Do your own part and leave that loss alone: {lost}. This loop can end once it is back or accepted there."
        )
    } else if check.timed_out {
        "Find what waits: a prompt, a watcher that never ends, an open handle or server, an endless loop. A run that ends by \
         itself (a CI or run-once mode) or a smaller part of it shows where it stands still."
            .to_owned()
    } else if check.coverage.is_some() {
        let files = printed::least_covered(&check.output_tail);
        let files: Vec<String> = files.iter().map(|(file, percent)| format!("{file} ({percent}%)")).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        match files.as_slice() {
            [] => "Add tests for the code that the coverage report lists as not run.".to_owned(),
            some => format!("Add tests that assert what the least covered files do: {}.", named(some)),
        }
    } else if check.exit_code == Some(0) {
        let line = check.output_tail.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        format!("Mend what the first line names, at its place: {}", shorten(line, 160))
    } else if check.output_bytes == 0 {
        format!("Run `{}` with its verbose option to see why it ends with {}.", check.command, check.reason)
    } else {
        format!(
            "Read the whole output of `{}`: the reason for \"{}\" stands before its last line.",
            check.command, check.reason
        )
    }
}

fn signature_of(first: &TestFailure, failing: &[String], total: usize) -> String {
    let class = first.error_type.as_deref().unwrap_or("error");
    let mut names: Vec<&str> = failing.iter().map(String::as_str).collect();
    names.sort_unstable();
    let names = match (names.len(), total) {
        (0, 0 | 1) => String::new(),
        (0, total) => format!(" in {total} places"),
        (count, _) => format!(" in {count} of {}", names.join(", ")),
    };
    // The names stay as they are: a number in a test's name tells it from its sister.
    format!("{class}: {}{}", signature::normalise(&first.message), shorten(&names, 400))
}

fn next(check: &CheckResult, known: &Failures, first: &TestFailure) -> String {
    let at = first.place.as_deref().unwrap_or("the place of the error");
    let others = known.list.len() - 1;
    let after = match others {
        0 => String::new(),
        _ if same_message(&known.list) => {
            format!(" All {} have the same message, so one cause is likely.", others + 1)
        }
        1 => " Then the other one.".to_owned(),
        _ => format!(" Then the other {others}."),
    };
    if check.not_found {
        return format!(
            "Install or name the program that `{}` runs; no source change can pass before that.",
            check.command
        );
    }
    let alone = first.test.as_deref().and_then(|test| known.source.alone(test));
    let alone = alone.map(|command| format!(" `{command}` runs it alone.")).unwrap_or_default();
    let step = match (&first.expected, &first.actual, first.test.is_some()) {
        (Some(expected), Some(actual), _) => {
            format!(
                "Follow {actual} back from {at} into the code under test, to where {expected} should come out."
            )
        }
        (_, _, true) => format!("Start at {at}, and follow the call down to the code that gives this error."),
        _ if known.source == OutputSource::Compiler => {
            format!("Mend {at} first; later errors often follow from the first.")
        }
        _ => format!("Start at {at}: reproduce this message with the smallest part of `{}`.", check.command),
    };
    format!("{step}{alone}{after}")
}

/// Adds what the learnings before tell: progress, new failures, or none.
fn compare(learning: &mut Learning, previous: &[Learning], check: &CheckResult, known: Option<&Failures>) {
    let Some(last) = previous.last() else { return };
    let same = previous.iter().rev().take_while(|one| one.signature == learning.signature).count();
    if same > 0 {
        learning.next = another_approach(learning, same, check, known);
        return;
    }
    if previous.iter().any(|one| one.signature == learning.signature) {
        learning.why.push_str(" This failure was seen before and had gone: a later change brought it back.");
    }
    if learning.failing.is_empty() || last.failing.is_empty() {
        return;
    }
    let gone = last.failing.iter().filter(|test| !learning.failing.contains(test)).count();
    let new: Vec<&str> =
        learning.failing.iter().filter(|test| !last.failing.contains(test)).map(String::as_str).collect();
    if gone > 0 {
        let earlier = counted(last.failing.len(), "earlier failure");
        learning.why.push_str(&format!(" {gone} of {earlier} {} gone.", is_or_are(gone)));
    }
    if !new.is_empty() {
        learning.next = format!(
            "New since the last iteration: {}; what it changed is the first suspect. {}",
            named(&new),
            learning.next
        );
    }
}

/// What differs from the approach that left the failure as it was. It changes with every repetition.
fn another_approach(
    learning: &Learning,
    same: usize,
    check: &CheckResult,
    known: Option<&Failures>,
) -> String {
    let first = known.and_then(|known| known.list.first());
    let place = first.and_then(|failure| failure.place.as_deref()).unwrap_or("the failing place");
    let alone = first.and_then(|failure| failure.test.as_deref()).zip(known);
    let alone =
        alone.and_then(|(test, known)| known.source.alone(test)).unwrap_or_else(|| check.command.clone());
    let told =
        format!("The last approach did not change the failure (the same {} times in a row).", same + 1);
    let other = match same {
        1 => format!(
            "First see the cause before any further change: run `{alone}` with the values around {place} printed, and compare them \
             with what was assumed."
        ),
        2 => format!(
            "Three equal failures say that the assumed cause is wrong: undo the last changes, and look elsewhere than {place}: at \
             what builds its input (fixtures, configuration, mocks, the build or cache), and whether the changed file is the one \
             that runs."
        ),
        _ => format!(
            "A fundamentally different way is due: reduce `{alone}` to the smallest case that still fails, or do the task in \
             another place of the design. What stays the same after {} attempts is worth a person's look.",
            same + 1
        ),
    };
    let what = if learning.failed.is_empty() {
        String::new()
    } else {
        format!(" It is still: {}", shorten(&learning.failed, 120))
    };
    format!("{told} {other}{what}")
}

fn same_message(list: &[TestFailure]) -> bool {
    let mut all = list.iter().map(|failure| signature::normalise(&failure.message));
    let first = all.next();
    all.all(|other| Some(&other) == first.as_ref())
}

#[cfg(test)]
mod tests;
