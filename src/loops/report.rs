//! The reports of a loop that has ended, whichever way: for a person who was not there.
//!
//! Written from what was recorded. What is not known is called unknown.

pub mod analytics;
mod ending;
mod markdown;
mod summary;
#[cfg(test)]
mod tests;

use crate::loops::learning::Learning;
use crate::loops::report::analytics::{diminishing_at, trajectory};
use crate::loops::report::ending::{best_and_final, costs, decisions, recoveries, regressions};
pub use crate::loops::report::markdown::duration;
use crate::loops::report::markdown::{cell, code, fenced, one_line, or_unknown};
pub use crate::loops::report::summary::{
    Best, Costs, IterationSummary, LoopSummary, RecoveryAttempt, ReportedDecision, ReportedRegression,
};
use crate::loops::verification::VerificationResult;
use crate::model::finding::counted;
use crate::model::words::first_of;
use serde_json::Value;

/// The content of `report.md`: everything, for looking into a loop.
pub fn report(of: &LoopSummary) -> String {
    let mut out = format!("# Ralph loop {}\n\n", of.loop_id);
    out.push_str(&overview(of));
    out.push_str("\n## Metrics\n\n");
    out.push_str(&metrics(of));
    out.push_str("\n## Trajectory\n\n");
    out.push_str(&figures(of));
    out.push_str("\n## Iterations\n");
    for one in &of.iterations {
        out.push_str(&iteration(one));
    }
    if of.iterations.is_empty() {
        out.push_str("\nNone: no work was done.\n");
    }
    out.push_str(&regressions(of));
    out.push_str(&decisions(of));
    out.push_str(&recoveries(of));
    out.push_str(&best_and_final(of));
    out.push_str(&costs(of));
    out
}

/// The content of `completion-{timestamp}.md`: the outcome on one page. `details` is the path of the full report.
pub fn completion(of: &LoopSummary, details: &str) -> String {
    let mut out = format!("# {}: {}\n\n", of.status.to_uppercase(), one_line(&of.task));
    out.push_str(&overview(of));
    out.push_str("\n## Verification\n\n");
    match of.kept().rev().find_map(|one| one.verification.as_ref()) {
        Some(verification) => out.push_str(&checks(verification)),
        None => out.push_str("None was run.\n"),
    }
    let learnings: Vec<(u32, &Learning)> =
        of.iterations.iter().filter_map(|one| Some((one.number, one.learning.as_ref()?))).collect();
    out.push_str("\n## What was learned\n\n");
    for (number, learning) in &learnings {
        out.push_str(&format!(
            "- Iteration {number}: {} {}\n",
            code(&learning.failed),
            one_line(&learning.why)
        ));
    }
    if learnings.is_empty() {
        out.push_str("Nothing: no verification failed.\n");
    }
    out.push_str(&regressions(of));
    out.push_str(&best_and_final(of));
    out.push_str(&costs(of));
    out.push_str(&format!("\nEvery iteration in full: {details}\n"));
    out
}

fn overview(of: &LoopSummary) -> String {
    let task_type = of.task_type.as_deref().unwrap_or("not recognised");
    format!(
        "| | |\n|---|---|\n| Task | {} |\n| Type | {task_type} |\n| Criteria | {} |\n| Status | {} |\n| Iterations | {} |\n\
         | Duration | {} ({} to {}) |\n| Files changed | {} |\n| Lines | +{}, -{} |\n{}| Loop | {} |\n{}",
        cell(&of.task),
        cell(&of.criteria),
        cell(&of.status),
        iterations_count(of),
        duration(of.seconds()),
        of.started,
        of.ended,
        of.files,
        of.added,
        of.removed,
        others(of),
        cell(&of.loop_id),
        of.host.as_deref().map(|host| format!("| Agent | {} |\n", cell(host))).unwrap_or_default()
    )
}

/// How many iterations there were, and how many attempts beside them a person took back.
fn iterations_count(of: &LoopSummary) -> String {
    match of.taken_back() {
        0 => of.iterations.len().to_string(),
        back => format!("{}, and {} that a person took back", of.kept().count(), counted(back, "attempt")),
    }
}

/// The row of what others have changed, when there is any.
fn others(of: &LoopSummary) -> String {
    match of.others.as_slice() {
        [] => String::new(),
        others => format!("| Changed by no call of this loop | {} |\n", cell(&first(others))),
    }
}

/// The first of many names.
fn first(names: &[String]) -> String {
    first_of(names, 50)
}

/// The figures that people look for, by their field.
const FIGURES: &[(&str, &str)] = &[
    ("test_count", "Tests"),
    ("coverage_percentage", "Coverage %"),
    ("typescript_errors", "TypeScript errors"),
    ("type_errors", "Type errors"),
    ("lint_errors", "Lint errors"),
    ("lint_warnings", "Lint warnings"),
];

/// Each figure at the start and after the last iteration.
fn metrics(of: &LoopSummary) -> String {
    let mut out = String::from("| | Baseline | Final |\n|---|---|---|\n");
    let shown = |value: Option<&Value>| {
        value.filter(|value| !value.is_null()).map_or("unknown".to_owned(), |value| cell(&value.to_string()))
    };
    let last = of.kept().next_back().map(|one| &one.metrics);
    for (field, title) in FIGURES {
        let before = of.baseline.as_ref().and_then(|baseline| baseline.get(*field));
        let after = last.and_then(|metrics| metrics.get(*field));
        out.push_str(&format!("| {title} | {} | {} |\n", shown(before), shown(after)));
    }
    out
}

/// A line for each iteration, and what they show together.
fn figures(of: &LoopSummary) -> String {
    let mut out =
        String::from("| # | Quality | Change | Verification | First failure |\n|---|---|---|---|---|\n");
    let mut before: Option<f64> = None;
    for one in &of.iterations {
        let quality = one.quality.map_or("unknown".to_owned(), |quality| format!("{quality:.1}"));
        let change = one
            .quality
            .zip(before)
            .map_or(String::new(), |(after, before)| format!("{:+.1}", after - before));
        before = one.quality.filter(|_| !one.taken_back).or(before);
        let verdict = verdict(one);
        let failure = one.learning.as_ref().map_or(String::new(), |learning| cell(&learning.failed));
        out.push_str(&format!("| {} | {quality} | {change} | {verdict} | {failure} |\n", one.number));
    }
    let scores: Vec<f64> = of.kept().filter_map(|one| one.quality).collect();
    let figures = trajectory(&scores).map_or("unknown (fewer than three scores)", |figures| figures.name());
    out.push_str(&format!("\nQuality: {figures}."));
    if let Some(at) = diminishing_at(of.kept()) {
        out.push_str(&format!(" The gains were small from iteration {at} on."));
    }
    out.push('\n');
    out
}

fn verdict(one: &IterationSummary) -> &'static str {
    match (one.taken_back, one.passed()) {
        (true, Some(true)) => "passed, taken back by a person",
        (true, Some(false)) => "failed, taken back by a person",
        (true, None) => "taken back by a person",
        (false, Some(true)) => "passed",
        (false, Some(false)) => "failed",
        (false, None) => "not run",
    }
}

fn iteration(one: &IterationSummary) -> String {
    let seconds = u64::try_from(one.ended.duration_since(one.started).as_secs()).unwrap_or(0);
    let mut out = format!("\n### Iteration {}: {} ({})\n\n", one.number, verdict(one), duration(seconds));
    out.push_str(&format!("- Tried: {}\n", or_unknown(&one.action)));
    if !one.result.is_empty() {
        out.push_str(&format!("- Result: {}\n", one_line(&one.result)));
    }
    let changed: Vec<String> = one.changed.iter().map(|path| code(path)).collect();
    let changed = if changed.is_empty() { "nothing".to_owned() } else { first(&changed) };
    out.push_str(&format!("- Changed: {changed}\n"));
    if let Some(learning) = &one.learning {
        out.push_str(&format!(
            "- Failed: {}\n- Why: {}\n- Next: {}\n",
            code(&learning.failed),
            one_line(&learning.why),
            one_line(&learning.next)
        ));
        if !learning.failing.is_empty() {
            let names: Vec<String> = learning.failing.iter().take(50).map(|name| code(name)).collect();
            out.push_str(&format!("- Failing tests ({}): {}\n", learning.failing.len(), names.join(", ")));
        }
    }
    if let Some(verification) = &one.verification {
        out.push('\n');
        out.push_str(&checks(verification));
    }
    out
}

fn checks(verification: &VerificationResult) -> String {
    let mut out = String::new();
    for check in &verification.checks {
        let verdict = if check.passed { "passed" } else { "failed" };
        out.push_str(&format!(
            "{} {verdict}: {} ({} ms)\n",
            code(&check.command),
            one_line(&check.reason),
            check.duration_ms
        ));
        if !check.output_tail.trim().is_empty() {
            out.push_str(&fenced(&check.output_tail));
        }
    }
    out
}
