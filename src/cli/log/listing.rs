//! Lines of a log for a terminal.

use std::collections::VecDeque;
use std::io::{self, Write};

use owo_colors::OwoColorize;
use serde_json::Value;

use crate::cli::columns::FittedWriter;
use crate::cli::pages::left_out;
use crate::state::audit::Line;

/// How much of what came of a hook is shown in its line, in characters.
const WIDTH: usize = 100;

/// The newest `most` lines, oldest first, and how many come before them.
pub(super) fn newest_of(
    lines: impl Iterator<Item = io::Result<Line>>,
    most: usize,
) -> io::Result<(VecDeque<Line>, usize)> {
    let mut newest: VecDeque<Line> = VecDeque::new();
    let mut earlier = 0_usize;
    for line in lines {
        newest.push_back(line?);
        if newest.len() > most {
            newest.pop_front();
            earlier += 1;
        }
    }
    Ok((newest, earlier))
}

/// The newest `most` lines, oldest first.
pub(super) fn listed(
    id: &str,
    lines: impl Iterator<Item = io::Result<Line>>,
    most: usize,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let out = &mut FittedWriter::new(out);
    writeln!(out, "{} {}", "Loop".dimmed(), id.bold())?;
    let (newest, earlier) = newest_of(lines, most)?;
    if let Some(left_out) = left_out(newest.len(), newest.len() + earlier) {
        writeln!(out, "{left_out}")?;
    }
    for line in &newest {
        let time = line.timestamp.strftime("%Y-%m-%d %H:%M:%SZ").to_string();
        writeln!(
            out,
            "{} {:>4} {:<24} {:>6} ms  {}",
            time.dimmed(),
            format!("#{}", line.iteration),
            printable(&line.hook_name, 24),
            line.duration_ms,
            told(line)
        )?;
    }
    if newest.is_empty() {
        writeln!(out, "No line fits.")?;
    }
    Ok(0)
}

/// What came of a hook, behind the host where that is another one than Claude Code.
fn told(line: &Line) -> String {
    let outcome = outcome(line);
    line.host.as_ref().map_or(outcome.clone(), |host| format!("{} {outcome}", printable(host, 16).dimmed()))
}

/// What came of a hook, with its verdict in colour.
fn outcome(line: &Line) -> String {
    let words: Vec<String> =
        line.outcomes.iter().map(|outcome| finding(outcome).unwrap_or_else(|| plain(outcome))).collect();
    let text = printable(&words.join(", "), WIDTH);
    match words.first().map(String::as_str) {
        Some("deny" | "halt") => text.red().to_string(),
        Some("ask" | "feedback" | "continue") => text.yellow().to_string(),
        _ if text.contains("problem: ") => text.red().to_string(),
        _ => text,
    }
}

/// A finding in words: pattern, file, and what would be lost.
fn finding(outcome: &Value) -> Option<String> {
    let pattern = outcome["pattern_id"].as_str()?;
    let what = outcome["what"].as_str()?;
    let path = outcome["path"].as_str().filter(|path| !path.is_empty() && !what.contains(path));
    Some(path.map_or(format!("{pattern} {what}"), |path| format!("{pattern} {path}: {what}")))
}

/// A value as text: `iteration 2, level MINIMAL`.
fn plain(value: &Value) -> String {
    let pair = |(key, value): (&String, &Value)| format!("{} {}", key.replace('_', " "), plain(value));
    match value {
        Value::Object(fields) => fields.iter().map(pair).collect::<Vec<_>>().join(", "),
        Value::Array(values) => values.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::String(text) => text.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

/// What may be shown on a terminal: on one line, without control characters, cut.
pub(super) fn printable(text: &str, width: usize) -> String {
    let mut shown: String = text.chars().take(width).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(width).is_some() {
        shown.push('…');
    }
    shown
}
