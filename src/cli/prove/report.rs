//! A proof for people, for programs and for GitHub's runners.

use std::io::{self, Write};

use owo_colors::OwoColorize;
use serde_json::json;

use super::{chosen::ProofInputs, faults};
use crate::cli::check::report::{data, property};
use crate::cli::undo::{shown, write_json};
use crate::model::finding::counted;
use crate::proof::judgement::{Decider, Ending, Judgement, Notice, NoticedTest, ProofVerdict, Sum};

/// How many tests of a kind are named, and how many lines of a diff are shown.
const NAMED: usize = 20;
const LINES: usize = 24;
/// The width of a cell of the table.
const CELL: usize = 36;

/// For people.
pub(super) fn people(out: &mut dyn Write, chosen: &ProofInputs, judgement: &Judgement) -> io::Result<()> {
    let files = counted(chosen.work.changed.len(), "changed file");
    writeln!(out, "{} against {}: {files}", shown(&chosen.criteria.text), shown(&chosen.work.from))?;
    for (path, why) in &chosen.work.unread {
        writeln!(out, "{}: left as it is: {}", shown(path), shown(why))?;
    }
    table(out, &judgement.corners)?;
    let mut last = None;
    for (at, row) in judgement.tests.iter().enumerate() {
        if last != Some(row.kind) {
            heading(out, row.kind)?;
            last = Some(row.kind);
        }
        let before = judgement.tests.iter().take(at).filter(|it| it.kind == row.kind).count();
        match before {
            NAMED => writeln!(out, "  … and more; --json has them all")?,
            before if before > NAMED => {}
            _ => test(out, row)?,
        }
    }
    deciders(out, judgement)?;
    if let Some(bite) = &judgement.bite {
        faults::write(out, bite)?;
    }
    verdict(out, judgement)
}

fn table(out: &mut dyn Write, corners: &[Sum]) -> io::Result<()> {
    if corners.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{:11}{:CELL$}{:CELL$}", "", "old source", "new source")?;
    for tests in ["old", "new"] {
        write!(out, "{:11}", format!("{tests} tests"))?;
        for source in ["old", "new"] {
            let found = corners.iter().find(|sum| sum.tests == tests && sum.source == source);
            // Where nothing that decides has changed, the old tests are the new ones.
            let same =
                || corners.iter().find(|sum| sum.source == source && ["old", "new"].contains(&sum.tests));
            match found.or_else(same) {
                Some(sum) => write!(out, "{}", cell(sum))?,
                None => write!(out, "{:CELL$}", "not run")?,
            }
        }
        writeln!(out)?;
    }
    writeln!(out)
}

fn cell(sum: &Sum) -> String {
    let mut parts = vec![if sum.passed { "pass".to_owned() } else { "FAIL".to_owned() }];
    let counts = [(sum.passing, "passed"), (sum.failing, "failed"), (sum.skipped, "skipped")];
    let counts = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}"));
    let counts = counts.collect::<Vec<_>>().join(", ");
    if !counts.is_empty() {
        parts.push(format!("({counts})"));
    }
    let text = format!("{:CELL$}", parts.join(" "));
    if sum.passed { text.green().to_string() } else { text.red().to_string() }
}

fn heading(out: &mut dyn Write, kind: Notice) -> io::Result<()> {
    let words = kind.words();
    match kind {
        _ if kind.refutes() => writeln!(out, "{}", words.red().bold()),
        _ if kind.leaves_open() => writeln!(out, "{}", words.yellow()),
        _ => writeln!(out, "{words}"),
    }
}

fn test(out: &mut dyn Write, row: &NoticedTest) -> io::Result<()> {
    writeln!(out, "  {}", shown(&row.test).bold())?;
    if let Some(file) = &row.file {
        let line = row.line.map(|line| format!(":{line}")).unwrap_or_default();
        writeln!(out, "    {}{line}", shown(file))?;
    }
    let ends = [
        ("old/old", row.old_tests_old_source),
        ("old/new", row.old_tests_new_source),
        ("new/old", row.new_tests_old_source),
        ("new/new", row.new_tests_new_source),
    ];
    let ends = ends.iter().map(|(name, ending)| format!("{name} {}", word(*ending)));
    writeln!(out, "    tests/source: {}", ends.collect::<Vec<_>>().join(", "))?;
    if !row.message.is_empty() {
        writeln!(out, "    it said: {}", shown(&row.message))?;
    }
    lines(out, &row.diff)
}

fn word(ending: Ending) -> &'static str {
    match ending {
        Ending::Passed => "passed",
        Ending::Failed => "failed",
        Ending::Skipped => "skipped",
        Ending::Missing => "did not run",
        Ending::NotRun => "-",
    }
}

fn lines(out: &mut dyn Write, diff: &str) -> io::Result<()> {
    for line in diff.lines().take(LINES) {
        let text = format!("    {}", shown(line));
        match line.as_bytes().first() {
            Some(b'+') => writeln!(out, "{}", text.green())?,
            Some(b'-') => writeln!(out, "{}", text.red())?,
            _ => writeln!(out, "{text}")?,
        }
    }
    if diff.lines().count() > LINES {
        writeln!(out, "    …")?;
    }
    Ok(())
}

/// The changed files that decide; how, where no test of theirs shows it.
fn deciders(out: &mut dyn Write, judgement: &Judgement) -> io::Result<()> {
    if judgement.deciding.is_empty() {
        return Ok(());
    }
    writeln!(out, "what decides and has changed")?;
    let is_bad = judgement.verdict != ProofVerdict::Proven;
    for Decider { path, why, diff } in &judgement.deciding {
        writeln!(out, "  {}: {}", shown(path), shown(why))?;
        let is_shown =
            judgement.tests.iter().any(|row| row.file.as_deref() == Some(path) && !row.diff.is_empty());
        if is_bad && !is_shown {
            lines(out, diff)?;
        }
    }
    Ok(())
}

fn verdict(out: &mut dyn Write, judgement: &Judgement) -> io::Result<()> {
    let reasons = judgement.reasons.iter().map(|reason| shown(reason)).collect::<Vec<_>>().join("; ");
    let word = match judgement.verdict {
        ProofVerdict::Proven => "proven".green().bold().to_string(),
        ProofVerdict::Refuted => "refuted".red().bold().to_string(),
        ProofVerdict::Undecided => "undecided".yellow().bold().to_string(),
    };
    writeln!(out, "\n{word}: {reasons}")?;
    if judgement.verdict != ProofVerdict::Undecided && !judgement.by_name {
        writeln!(out, "No test was named by the command: this goes by its exit code alone.")?;
    }
    if judgement.verdict == ProofVerdict::Refuted {
        writeln!(out, "Make the tests pass as they were; a changed demand is for a person to confirm.")?;
    }
    if judgement.was_cut_short && judgement.verdict != ProofVerdict::Undecided {
        writeln!(out, "Time ran out before all corners were run; --budget gives more.")?;
    }
    for help in &judgement.help {
        writeln!(out, "What would help: {}", shown(help))?;
    }
    if judgement.verdict == ProofVerdict::Undecided {
        let failing = judgement.corners.iter().find(|sum| !sum.passed && !sum.tail.is_empty());
        if let Some(sum) = failing.filter(|_| judgement.tests.is_empty()) {
            writeln!(out, "{} tests on {} source printed at their end:", sum.tests, sum.source)?;
            sum.tail
                .lines()
                .rev()
                .take(LINES)
                .collect::<Vec<_>>()
                .into_iter()
                .rev()
                .try_for_each(|line| writeln!(out, "    {}", shown(line)))?;
        }
    }
    Ok(())
}

/// For programs.
pub(super) fn json(out: &mut dyn Write, judgement: &Judgement) -> io::Result<()> {
    write_json(out, &json!(judgement))
}

/// Workflow commands, which GitHub shows beside the lines.
pub(super) fn github(out: &mut dyn Write, judgement: &Judgement) -> io::Result<()> {
    for row in &judgement.tests {
        let level = match row.kind {
            kind if kind.refutes() => "error",
            kind if kind.leaves_open() => "warning",
            _ => "notice",
        };
        let file = row.file.as_ref().map(|file| format!("file={},", property(file))).unwrap_or_default();
        let line = row.line.filter(|_| row.file.is_some());
        let line = line.map(|line| format!("line={line},")).unwrap_or_default();
        writeln!(out, "::{level} {file}{line}title={}::{}", property("steadfast prove"), data(&said(row)))?;
    }
    let level = match judgement.verdict {
        ProofVerdict::Proven => "notice",
        ProofVerdict::Refuted => "error",
        ProofVerdict::Undecided => "warning",
    };
    let word = match judgement.verdict {
        ProofVerdict::Proven => "proven",
        ProofVerdict::Refuted => "refuted",
        ProofVerdict::Undecided => "undecided",
    };
    let text = [&judgement.reasons[..], &judgement.help[..]].concat().join("\n");
    writeln!(out, "::{level} title={}::{}", property(&format!("steadfast prove: {word}")), data(&text))
}

/// What is noticed of a test, in a few lines.
pub(super) fn said(row: &NoticedTest) -> String {
    let mut text = format!("{}: {}", row.test, row.kind.words());
    for part in [&row.message, &row.diff] {
        if !part.is_empty() {
            text.push('\n');
            text.push_str(part.trim_end());
        }
    }
    text
}
