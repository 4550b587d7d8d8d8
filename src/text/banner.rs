//! What a loop says of itself: each iteration, success, a limit reached, an abort.
//!
//! A banner is at most [`LONGEST`] letters, states facts, and quotes a command's output without anything that a model
//! could take for a word of its host.

mod excerpt;
mod quoted;
mod subject;

use excerpt::{summary, without_passes};
pub use quoted::quoted;
use quoted::{cut_middle, line};
pub use subject::{AbortedLoop, BannerIteration, LimitReached, LoopLimit, SuccessfulLoop};

use crate::loops::learning::Learning;
use crate::loops::report::duration;
use crate::loops::verification::{CheckResult, VerificationResult};
use crate::model::finding::{counted, counted_are};
use crate::model::words::first_of;
use crate::text::headline::listed;

/// The longest banner, in letters.
pub const LONGEST: usize = 9_000;

/// So much room is left for what the commands printed, in letters.
const EXCERPT: usize = 240;

/// Less of what a command printed says nothing, in letters.
const LEAST: usize = 40;

/// How the banner of an iteration begins.
const ITERATION: &str = "Ralph Loop: Iteration ";
const THICK: &str = "═══════════════════════════════════════════";

/// The banner after an iteration: after a failure it is the text that the turn goes on with.
pub fn iteration(of: &BannerIteration<'_>) -> String {
    let core = checks(of.verification, 0, ShownOutput::Failed).chars().count() + EXCERPT;
    // Where there is little room, what was learned before gives way first, since the report has it, then the words about
    // this failure. The commands and what became of them stay.
    let forms = [(2, 100), (0, 100), (0, 60), (0, 30)];
    let made = |(earlier, share)| (beginning(of, earlier), outcome(of, share));
    let fits =
        |(head, tail): &(String, String)| head.chars().count() + core + tail.chars().count() <= of.room;
    let (head, tail) = forms.into_iter().map(made).find(fits).unwrap_or_else(|| made((0, 30)));
    within(&head, &|budget| checks(of.verification, budget, ShownOutput::Failed), &tail, of.room)
}

/// What the iteration was about, with so many of the earlier learnings.
fn beginning(of: &BannerIteration<'_>, earlier: usize) -> String {
    let previous = match earlier {
        0 => String::new(),
        most => format!("Previous learnings: {}\n", learnings(of.previous, most, 60)),
    };
    format!(
        "{ITERATION}{}/{}\n{}\nTask: {}\n{previous}This iteration:\n- Approach: {}\n- Changes: {}\nVerifying:\n",
        of.number,
        of.max,
        of_loop(of.loop_id),
        line(of.task, 120),
        said(of.approach, 100),
        names(of.changed, 4)
    )
}

/// How the iteration ended, and what comes next, with so many percent of the words about it.
fn outcome(of: &BannerIteration<'_>, share: usize) -> String {
    let mut tail = format!("Result: {}", if of.verification.passed { "PASS" } else { "FAIL" });
    if let Some(learning) = of.learning.filter(|_| !of.verification.passed) {
        tail.push_str(&format!(
            "\nLearning: {}\n  Why: {}\nNext approach: {}",
            line(&learning.failed, 160 * share / 100),
            line(&learning.why, 200 * share / 100),
            line(&learning.next, 200 * share / 100)
        ));
        let next = of.number.saturating_add(1);
        if next <= of.max {
            tail.push_str(&format!(
                "\nThe criteria are not met. Continuing to iteration {next} of {}.",
                of.max
            ));
        }
    }
    tail
}

/// Whether a text is such a banner of this loop: some hosts send what a turn was continued with as a prompt of its own.
pub fn is_iteration(text: &str, loop_id: &str) -> bool {
    let mut lines = text.trim_start().lines();
    lines.next().is_some_and(|first| first.starts_with(ITERATION))
        && lines.next().is_some_and(|second| second == of_loop(loop_id))
}

fn of_loop(id: &str) -> String {
    format!("Loop: {}", line(id, 60))
}

/// The banner of success.
pub fn success(of: &SuccessfulLoop<'_>) -> String {
    let head = format!(
        "{THICK}\nRalph Loop: COMPLETE\n{THICK}\nTask: {}\nStatus: SUCCESS\nIterations: {}\nDuration: {}\n\nVerification:\n",
        line(of.task, 400),
        of.iterations,
        duration(of.seconds)
    );
    let others = match of.others {
        [] => String::new(),
        others => format!("\n- {}", listed("Changed by no call of this loop", others, 300)),
    };
    let tail = format!(
        "\nSummary:\n- Files modified: {}\n- Total changes: +{}, -{}{others}\n\nReport: {}\n{THICK}",
        of.files,
        of.added,
        of.removed,
        line(of.report, 300)
    );
    within(&head, &|budget| checks(of.verification, budget, ShownOutput::Summary), &tail, LONGEST)
}

/// The banner of a reached limit.
pub fn limit(of: &LimitReached<'_>) -> String {
    let id = line(of.loop_id, 100);
    let raise = match of.limit {
        LoopLimit::MaxIterations => format!("--max-iterations {}", of.higher),
        LoopLimit::Timeout => format!("--timeout {}", of.minutes),
    };
    let head = format!(
        "{THICK}\nRalph Loop: LIMIT REACHED\n{THICK}\nTask: {}\nStatus: {}\nIterations completed: {} of {}\n\nLast attempt:\n{}\n\nLast failure:\n",
        line(of.task, 400),
        of.limit.name(),
        of.iterations,
        of.max,
        said(of.last_attempt, 400)
    );
    let tail = format!(
        "\nLearnings accumulated: {}\n\nOptions, for a person to choose:\n- steadfast loop resume {id} {raise}\n\
         - steadfast loop resume {id}   (continue from here)\n- steadfast loop abort {id}\n\nReport: {}\nState saved to: {}\n{THICK}",
        learnings(of.learnings, 6, 200),
        line(of.report, 300),
        line(of.state, 300)
    );
    let last = |budget: usize| match of.verification {
        Some(verification) => checks(verification, budget, ShownOutput::Failed),
        None => "No verification was run.\n".to_owned(),
    };
    within(&head, &last, &tail, LONGEST)
}

/// The banner of an abort.
pub fn aborted(of: &AbortedLoop<'_>) -> String {
    let kept =
        if of.reverted { "undone, back to the state before the loop" } else { "kept in the working tree" };
    let text = format!(
        "{THICK}\nRalph Loop: ABORTED\n{THICK}\nTask: {}\nStatus: ABORTED\nIterations completed: {}\nDuration: {}\nReason: {}\n\n\
         Changes: {}, {kept}\n\nLearnings accumulated: {}\n\nReport: {}\nState saved to: {}\n{THICK}",
        line(of.task, 400),
        of.iterations,
        duration(of.seconds),
        said(of.reason, 300),
        counted(of.files, "file"),
        learnings(of.learnings, 6, 200),
        line(of.report, 300),
        line(of.state, 300)
    );
    cut_middle(&text, LONGEST)
}

/// What of the checks' output a banner shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ShownOutput {
    /// That of failing ones, without the tests that passed in them.
    Failed,
    /// What each runner sums up at its end.
    Summary,
}

/// The checks with what is shown of their output, in about `budget` letters.
fn checks(verification: &VerificationResult, budget: usize, shown: ShownOutput) -> String {
    let excerpt = |check: &CheckResult, letters: usize| match shown {
        ShownOutput::Failed if check.passed => String::new(),
        ShownOutput::Failed => cut_middle(&without_passes(&quoted(&check.output_tail)), letters),
        ShownOutput::Summary => cut_middle(&summary(&quoted(&check.output_tail)), letters),
    };
    let told = verification.checks.iter().filter(|check| !excerpt(check, usize::MAX).is_empty()).count();
    let lines: usize =
        verification.checks.iter().take(20).map(|check| check.command.len().min(300) + 60).sum();
    let share = budget.saturating_sub(lines) / told.max(1);
    let mut out = String::new();
    for check in verification.checks.iter().take(20) {
        let verdict = if check.passed { "pass" } else { "fail" };
        out.push_str(&format!("  $ {}\n", line(&check.command, 300)));
        let shown = if share < LEAST { String::new() } else { excerpt(check, share) };
        for printed in shown.lines() {
            out.push_str(&format!("  | {printed}\n"));
        }
        out.push_str(&format!("  -> {verdict}: {}\n", line(&check.reason, 200)));
    }
    if verification.checks.len() > 20 {
        out.push_str(&format!("  and {}\n", counted(verification.checks.len() - 20, "more check")));
    }
    out
}

/// Puts the middle between head and tail, with as many letters as are left; the bars before output lines count too.
fn within(head: &str, middle: &dyn Fn(usize) -> String, tail: &str, room: usize) -> String {
    let left = room.saturating_sub(head.chars().count() + tail.chars().count());
    let mut budget = left;
    let mut body = middle(budget);
    // Short lines cost more than their letters: shrink until it fits.
    while body.chars().count() > left && budget > 100 {
        budget = budget * 3 / 4;
        body = middle(budget);
    }
    cut_middle(&format!("{head}{}{tail}", cut_middle(&body, left)), room)
}

fn said(text: &str, letters: usize) -> String {
    if text.trim().is_empty() { "not stated".to_owned() } else { line(text, letters) }
}

fn names(changed: &[String], most: usize) -> String {
    if changed.is_empty() {
        return "none".to_owned();
    }
    let all: Vec<String> = changed.iter().map(|name| line(name, 60)).collect();
    first_of(&all, most)
}

/// The newest learnings, one line each, a failure in so many letters.
fn learnings(all: &[Learning], most: usize, letters: usize) -> String {
    if all.is_empty() {
        return "none yet".to_owned();
    }
    let mut out = String::new();
    let from = all.len().saturating_sub(most);
    if from > 0 {
        out.push_str(&format!("\n- {} in the report", counted_are(from, "earlier one")));
    }
    for learning in all.iter().skip(from) {
        out.push_str(&format!(
            "\n- {} — {}",
            line(&learning.failed, letters),
            line(&learning.why, letters * 5 / 4)
        ));
    }
    out
}

#[cfg(test)]
mod tests;
