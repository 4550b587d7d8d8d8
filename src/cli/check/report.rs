//! A check's answer for people, for programs and for GitHub's runners.
//!
//! Invariant: every text names the pattern's id, the file, what was lost and what to do instead.

use std::io::{self, Write};

use owo_colors::OwoColorize;
use serde_json::{Value, json};

use super::{DiffVerdict, PlacedFinding, write_json};
use crate::agents::laziness_detector;
use crate::cli::undo::shown;
use crate::config::Mode;
use crate::model::finding::{Finding, Severity, counted};

/// How many lost things are named before the rest is counted.
const NAMED: usize = 20;

/// For people: the findings that matter, the worst first, and a sum.
pub(super) fn people(out: &mut dyn Write, verdict: &DiffVerdict) -> io::Result<()> {
    for judged in verdict.judged.iter().filter(|it| is_shown(it, verdict)) {
        let finding = &judged.finding;
        let severity = finding.severity.name();
        let severity = match finding.severity {
            Severity::Critical | Severity::High => severity.red().bold().to_string(),
            Severity::Medium => severity.yellow().to_string(),
            Severity::Low => severity.to_string(),
        };
        let (id, name) = (finding.pattern_id, finding.pattern_name);
        writeln!(out, "{}: {} {name} ({severity}): {}", place(judged), id.bold(), shown(&finding.what))?;
        for lost in finding.lost.iter().take(NAMED) {
            writeln!(out, "  lost: {}", shown(lost))?;
        }
        if finding.lost.len() > NAMED {
            writeln!(out, "  lost: … and {} more", finding.lost.len() - NAMED)?;
        }
        if !finding.mend.is_empty() {
            writeln!(out, "  instead: {}", shown(&finding.mend))?;
        }
    }
    for (path, why) in &verdict.unread {
        writeln!(out, "{}: not judged: {why}", shown(path))?;
    }
    sum(out, verdict)
}

/// What is too mild to be shown is counted.
fn is_shown(judged: &PlacedFinding, verdict: &DiffVerdict) -> bool {
    judged.finding.severity >= Severity::Medium.min(verdict.fail_on)
}

fn sum(out: &mut dyn Write, verdict: &DiffVerdict) -> io::Result<()> {
    if verdict.mode == Mode::Off {
        return writeln!(out, "Detection is off in aiwg.yml: nothing was judged.");
    }
    let shown = verdict.judged.iter().filter(|it| is_shown(it, verdict)).count();
    let mild = match verdict.judged.len() - shown {
        0 => String::new(),
        mild => format!(" ({mild} of low severity not shown; --json has them)"),
    };
    let files = counted(verdict.files, "changed file");
    let failing = match verdict.failing() {
        0 => String::new(),
        failing => format!(", {failing} at or above {}", verdict.fail_on.name()),
    };
    writeln!(out, "{files}: {}{failing}{mild}", counted(shown, "finding"))
}

/// `file:line`, the line after the change; a file that is gone has the line before.
fn place(judged: &PlacedFinding) -> String {
    let path = shown(&judged.finding.path);
    match (judged.line_after, judged.finding.line) {
        (Some(line), _) | (None, Some(line)) => format!("{path}:{line}"),
        (None, None) => path,
    }
}

/// For programs.
pub(super) fn json(out: &mut dyn Write, verdict: &DiffVerdict) -> io::Result<()> {
    let findings = verdict.judged.iter().map(|judged| {
        let mut finding = serde_json::to_value(&judged.finding).unwrap_or_default();
        if let Some(finding) = finding.as_object_mut() {
            finding.insert("line_after".to_owned(), json!(judged.line_after));
            finding.insert("fails".to_owned(), json!(judged.finding.severity >= verdict.fail_on));
        }
        finding
    });
    let all: Vec<Finding> = verdict.judged.iter().map(|judged| judged.finding.clone()).collect();
    let (decision, recovery) = laziness_detector::decision(&all);
    let unread = verdict.unread.iter().map(|(path, why)| json!({"path": path, "reason": why}));
    write_json(
        out,
        &json!({
            "fail_on": verdict.fail_on,
            "failed": verdict.failing() > 0,
            "decision": decision,
            "recovery": recovery,
            "detection_mode": verdict.mode,
            "files": verdict.files,
            "findings": findings.collect::<Vec<Value>>(),
            "not_judged": unread.collect::<Vec<Value>>(),
        }),
    )
}

/// Workflow commands, which GitHub shows beside the lines.
pub(super) fn github(out: &mut dyn Write, verdict: &DiffVerdict) -> io::Result<()> {
    for judged in &verdict.judged {
        let finding = &judged.finding;
        let level = match finding.severity {
            severity if severity >= verdict.fail_on => "error",
            Severity::Low => "notice",
            _ => "warning",
        };
        let line = judged.line_after.map(|line| format!(",line={line}")).unwrap_or_default();
        let title = format!("{} {} ({})", finding.pattern_id, finding.pattern_name, finding.severity.name());
        writeln!(
            out,
            "::{level} file={}{line},title={}::{}",
            property(&finding.path),
            property(&title),
            data(&message(judged))
        )?;
    }
    sum(out, verdict)
}

/// What happened, what was lost and what to do instead, in a few lines.
pub(super) fn message(judged: &PlacedFinding) -> String {
    let finding = &judged.finding;
    let mut text = finding.what.clone();
    for lost in finding.lost.iter().take(NAMED) {
        text.push_str(&format!("\n- {lost}"));
    }
    if finding.lost.len() > NAMED {
        text.push_str(&format!("\n- and {} more", finding.lost.len() - NAMED));
    }
    if !finding.mend.is_empty() {
        text.push_str(&format!("\n{}", finding.mend));
    }
    text
}

pub(in crate::cli) fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

pub(in crate::cli) fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_can_not_end_its_annotation() {
        assert_eq!(data("100%\r\n::error::x"), "100%25%0D%0A::error::x");
        assert_eq!(property("a,b:c%\n"), "a%2Cb%3Ac%25%0A");
    }
}
