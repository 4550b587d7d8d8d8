//! What a loop says of itself: each iteration, success, a limit reached, an abort.
//!
//! A banner is at most [`LONGEST`] letters, states facts, and quotes a command's output without anything that a model
//! could take for a word of its host.

mod quoted;
mod subject;

pub use quoted::quoted;
use quoted::{cut_middle, line};
pub use subject::{Aborted, Iteration, Limit, LimitReached, Success};

use crate::loops::learning::Learning;
use crate::loops::report::duration;
use crate::loops::verification::Verification;
use crate::model::finding::counted;

/// The longest banner, in letters.
pub const LONGEST: usize = 9_000;

const THIN: &str = "─────────────────────────────────────────";
const THICK: &str = "═══════════════════════════════════════════";

/// The banner after an iteration: after a failure it is the text that the turn goes on with.
pub fn iteration(of: &Iteration<'_>) -> String {
    let mut head = format!("{THIN}\nRalph Loop: Iteration {}/{}\n{THIN}\n", of.number, of.max);
    head.push_str(&format!("Loop: {}\nTask: {}\n\n", line(of.loop_id, 100), line(of.task, 400)));
    head.push_str(&format!("Previous learnings: {}\n\n", learnings(of.previous, 3)));
    head.push_str(&format!(
        "This iteration:\n- Approach: {}\n- Changes: {}\n\n",
        said(of.approach, 400),
        names(of.changed)
    ));
    head.push_str("Verifying (ralph-verifier):\n");
    let mut tail = format!("Result: {}\n", if of.verification.passed { "PASS" } else { "FAIL" });
    if let Some(learning) = of.learning.filter(|_| !of.verification.passed) {
        tail.push_str(&format!(
            "\nLearning (debugger): {}\n  Why: {}\nNext approach ({}): {}\n",
            line(&learning.failed, 320),
            line(&learning.why, 900),
            line(of.role, 40),
            line(&learning.next, 900)
        ));
        let next = of.number.saturating_add(1);
        if next <= of.max {
            tail.push_str(&format!(
                "\nThe criteria are not met. Continuing to iteration {next} of {}...\n",
                of.max
            ));
        }
    }
    tail.push_str(THIN);
    within(&head, &|budget| checks(of.verification, budget, true), &tail)
}

/// Whether a text is such a banner of this loop: some hosts send what a turn was continued with as a prompt of its own.
pub fn is_iteration(text: &str, loop_id: &str) -> bool {
    let head = text.trim_start().strip_prefix(THIN).map(|rest| rest.trim_start().lines().take(3).collect());
    head.is_some_and(|head: Vec<&str>| {
        head.first().is_some_and(|line| line.starts_with("Ralph Loop: Iteration "))
            && head.last().is_some_and(|last| *last == format!("Loop: {}", line(loop_id, 100)))
    })
}

/// The banner of success.
pub fn success(of: &Success<'_>) -> String {
    let head = format!(
        "{THICK}\nRalph Loop: COMPLETE\n{THICK}\nTask: {}\nStatus: SUCCESS\nIterations: {}\nDuration: {}\n\nVerification:\n",
        line(of.task, 400),
        of.iterations,
        duration(of.seconds)
    );
    let tail = format!(
        "\nSummary:\n- Files modified: {}\n- Total changes: +{}, -{}\n\nReport: {}\n{THICK}",
        of.files,
        of.added,
        of.removed,
        line(of.report, 300)
    );
    within(&head, &|budget| checks(of.verification, budget, false), &tail)
}

/// The banner of a reached limit.
pub fn limit(of: &LimitReached<'_>) -> String {
    let id = line(of.loop_id, 100);
    let raise = match of.limit {
        Limit::MaxIterations => format!("--max-iterations {}", of.higher),
        Limit::Timeout => format!("--timeout {}", of.minutes),
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
        learnings(of.learnings, 6),
        line(of.report, 300),
        line(of.state, 300)
    );
    let last = |budget: usize| match of.verification {
        Some(verification) => checks(verification, budget, true),
        None => "No verification was run.\n".to_owned(),
    };
    within(&head, &last, &tail)
}

/// The banner of an abort.
pub fn aborted(of: &Aborted<'_>) -> String {
    let kept =
        if of.reverted { "undone, back to the state before the loop" } else { "kept in the working tree" };
    let text = format!(
        "{THICK}\nRalph Loop: ABORTED\n{THICK}\nTask: {}\nStatus: ABORTED\nIterations completed: {}\nDuration: {}\nReason: {}\n\n\
         Changes: {} files, {kept}\n\nLearnings accumulated: {}\n\nReport: {}\nState saved to: {}\n{THICK}",
        line(of.task, 400),
        of.iterations,
        duration(of.seconds),
        said(of.reason, 300),
        of.files,
        learnings(of.learnings, 6),
        line(of.report, 300),
        line(of.state, 300)
    );
    cut_middle(&text, LONGEST)
}

/// The checks with their output, in about `budget` letters. `failed_only`: passing ones are a line each.
fn checks(verification: &Verification, budget: usize, failed_only: bool) -> String {
    let shown = |passed: bool| !(failed_only && passed);
    let outputs = verification
        .checks
        .iter()
        .filter(|check| shown(check.passed) && !check.output_tail.trim().is_empty());
    let share = (budget / outputs.count().max(1)).saturating_sub(600);
    let mut out = String::new();
    for check in verification.checks.iter().take(20) {
        let verdict = if check.passed { "pass" } else { "fail" };
        out.push_str(&format!("  $ {}\n", line(&check.command, 300)));
        if shown(check.passed) && !check.output_tail.trim().is_empty() {
            let output = cut_middle(quoted(check.output_tail.trim_end()).trim_start_matches('\n'), share);
            for printed in output.lines() {
                out.push_str(&format!("  | {printed}\n"));
            }
        }
        out.push_str(&format!("  -> {verdict}: {}\n", line(&check.reason, 200)));
    }
    if verification.checks.len() > 20 {
        out.push_str(&format!("  and {} more checks\n", verification.checks.len() - 20));
    }
    out
}

/// Puts the middle between head and tail, with as many letters as are left; the bars before output lines count too.
fn within(head: &str, middle: &dyn Fn(usize) -> String, tail: &str) -> String {
    let left = LONGEST.saturating_sub(head.chars().count() + tail.chars().count() + 10);
    let mut budget = left;
    let mut body = middle(budget);
    // Short lines cost more than their letters: shrink until it fits.
    while body.chars().count() > left && budget > 200 {
        budget = budget * 3 / 4;
        body = middle(budget);
    }
    cut_middle(&format!("{head}{}{tail}", cut_middle(&body, left)), LONGEST)
}

fn said(text: &str, letters: usize) -> String {
    if text.trim().is_empty() { "not stated".to_owned() } else { line(text, letters) }
}

fn names(changed: &[String]) -> String {
    if changed.is_empty() {
        return "none".to_owned();
    }
    let shown: Vec<String> = changed.iter().take(15).map(|name| line(name, 120)).collect();
    match changed.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// The newest learnings, one line each.
fn learnings(all: &[Learning], most: usize) -> String {
    if all.is_empty() {
        return "none yet".to_owned();
    }
    let mut out = String::new();
    let from = all.len().saturating_sub(most);
    if from > 0 {
        let verb = if from == 1 { "is" } else { "are" };
        out.push_str(&format!("\n- {} {verb} in the report", counted(from, "earlier one")));
    }
    for learning in all.iter().skip(from) {
        out.push_str(&format!("\n- {} — {}", line(&learning.failed, 200), line(&learning.why, 260)));
    }
    out
}

#[cfg(test)]
mod tests;
