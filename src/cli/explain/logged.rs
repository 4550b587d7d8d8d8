//! Why a call was stopped, as the log has it.

use std::io::{self, Write};

use anyhow::{Result, anyhow};
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use super::code;
use crate::cli::columns::FittedWriter;
use crate::cli::{log, pages, reader_gone_is_fine};
use crate::definitions;
use crate::detectors::{Pattern, catalogue};
use crate::project::Project;
use crate::state::audit::{self, Filter, Line};
use crate::state::layout::Layout;

/// The hook whose lines are verdicts about calls.
const HOOK: &str = "pre_tool_call";
/// What a person may do who finds a refusal wrong.
const OVERRULED: &str = "\nRight all the same? `steadfast allow` lists what you may let run once, and\n\
                         `steadfast patterns false-positive` calls a finding a false alarm. Both are yours alone.";
/// How the client's ids of calls begin.
const CALL: &str = "toolu_";

/// Which event is meant.
pub(super) enum EventSelector {
    /// The newest that stopped a call.
    Last,
    /// The line with this number, of this loop or of the one that was active last.
    Line(u64, Option<String>),
    /// The call with this id.
    Call(String),
}

/// The id of a call, if a word looks like one.
pub(super) fn call_id(word: &str) -> Option<&str> {
    let is_id = word.starts_with(CALL) && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_id.then_some(word)
}

/// Explains the event that is meant. Returns the exit code of its verdict.
pub(super) fn explain(wanted: &EventSelector, as_json: bool) -> Result<u8> {
    let project = Project::locate(&std::env::current_dir()?);
    let layout = definitions::layout_of(project.root());
    let line = find(&layout, wanted)?;
    let verdict = verdict_of(&line);
    let written = pages::paged(|out| match as_json {
        true => Ok(writeln!(out, "{:#}", as_value(&line, verdict))),
        false => Ok(show(&mut FittedWriter::new(out), &line, verdict)),
    })?;
    let code = code(verdict);
    reader_gone_is_fine(written.map(|()| code)).map(|_| code)
}

fn find(layout: &Layout, wanted: &EventSelector) -> Result<Line> {
    let mut ids: Vec<String> = log::logs(layout)?.into_iter().map(|(_, id)| id).rev().collect();
    if let EventSelector::Line(_, named) = wanted {
        ids = match named {
            Some(id) => vec![log::existing(layout, id)?],
            None => ids.into_iter().take(1).collect(),
        };
    }
    let fits = |line: &Line| match wanted {
        EventSelector::Last => verdict_of(line) == "stop",
        EventSelector::Line(seq, _) => line.seq == *seq,
        EventSelector::Call(id) => call(line)["tool_use_id"] == id.as_str(),
    };
    let hook = (!matches!(wanted, EventSelector::Line(..))).then(|| HOOK.to_owned());
    let mut newest: Option<Line> = None;
    for id in ids {
        let filter = Filter { hook: hook.clone(), since: newest.as_ref().map(|line| line.timestamp) };
        // A log that retention has taken since says nothing.
        let Ok(lines) = audit::read(&layout.hook_log(&id), filter) else { continue };
        newest = lines.filter_map(Result::ok).filter(fits).last().or(newest);
    }
    newest.ok_or_else(|| match wanted {
        EventSelector::Last => anyhow!("no call of a session in this project was stopped yet"),
        EventSelector::Line(seq, _) => {
            anyhow!("the log has no line {seq}; `steadfast log --json` prints all of them")
        }
        EventSelector::Call(id) => {
            anyhow!(
                "no call {id} was judged as risky in this project; `steadfast log --json` prints what was"
            )
        }
    })
}

/// What the log says of the call itself.
fn call(line: &Line) -> &Value {
    line.state_changes.get("last_risky_action").unwrap_or(&Value::Null)
}

/// `pass`, `context` or `stop`.
fn verdict_of(line: &Line) -> &'static str {
    match line.outcomes.first().and_then(Value::as_str).unwrap_or_default() {
        said if said.starts_with("deny") || said.starts_with("ask") => "stop",
        "context" | "feedback" => "context",
        _ => "pass",
    }
}

/// The findings of a line: pattern, file, and what would have been lost.
fn findings(line: &Line) -> impl Iterator<Item = &Value> {
    line.outcomes.iter().filter(|outcome| outcome["pattern_id"].is_string())
}

/// What else the hook has noted beside its verdict.
fn remarks(line: &Line) -> impl Iterator<Item = &str> {
    line.outcomes.iter().skip(1).filter_map(Value::as_str).filter(|said| !said.starts_with("kept: "))
}

fn pattern_of(finding: &Value) -> Option<Pattern> {
    let id = finding["pattern_id"].as_str()?;
    catalogue().iter().copied().find(|pattern| pattern.id == id)
}

fn as_value(line: &Line, verdict: &str) -> Value {
    let all = findings(line).map(|finding| {
        let pattern = pattern_of(finding);
        let mut value = finding.clone();
        if value["pattern_name"].is_null() {
            value["pattern_name"] = json!(pattern.map(|it| it.name));
        }
        value["why"] = json!(pattern.map(|it| it.why));
        value["instead"] = json!(pattern.map(|it| it.instead));
        value
    });
    json!({
        "timestamp": line.timestamp,
        "loop_id": line.loop_id,
        "seq": line.seq,
        "hook": line.hook_name,
        "answer": line.outcomes.first(),
        "verdict": verdict,
        "call": call(line),
        "findings": all.collect::<Vec<Value>>(),
        "remarks": remarks(line).collect::<Vec<&str>>(),
    })
}

fn show(out: &mut dyn Write, line: &Line, verdict: &str) -> io::Result<()> {
    let words = |key: &str| call(line)[key].as_str().unwrap_or_default().to_owned();
    let answered = match line.outcomes.first().and_then(Value::as_str).unwrap_or_default() {
        said if said.starts_with("deny") => "denied".red().to_string(),
        said if said.starts_with("ask") => "asked about".yellow().to_string(),
        "context" => "let through with a note".yellow().to_string(),
        _ => "let through".green().to_string(),
    };
    let (tool, target) = (words("tool"), words("target"));
    let what = if tool.is_empty() { line.hook_name.clone() } else { format!("{tool} {target}") };
    writeln!(out, "{} was {answered} at {}", what.bold(), line.timestamp.strftime("%F %TZ"))?;
    let id = words("tool_use_id");
    let id = if id.is_empty() { id } else { format!(", call {id}") };
    writeln!(out, "  line {} of the log of {}{id}", line.seq, line.loop_id)?;
    for finding in findings(line) {
        let Some(pattern) = pattern_of(finding) else { continue };
        let said = finding["what"].as_str().unwrap_or_default();
        let name = finding["pattern_name"].as_str().unwrap_or(pattern.name);
        writeln!(out, "\n{} {name}: {said}", pattern.id.red())?;
        if let Some(path) = finding["path"].as_str().filter(|path| !path.is_empty()) {
            writeln!(out, "  In: {path}")?;
        }
        writeln!(out, "  Why: {}\n  Instead: {}", pattern.why, pattern.instead)?;
    }
    for remark in remarks(line) {
        writeln!(out, "\n{remark}")?;
    }
    if verdict == "stop" {
        writeln!(out, "{OVERRULED}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn a_line_is_told_by_its_answer() {
        let line = |outcomes: Vec<Value>| Line { outcomes, ..Line::new(HOOK, "l", 1, Timestamp::UNIX_EPOCH) };
        for (outcomes, verdict) in [
            (vec![json!("deny"), json!({"pattern_id": "LP-001"})], "stop"),
            (vec![json!("deny: a person is asked in another session's loop")], "stop"),
            (vec![json!("ask")], "stop"),
            (vec![json!("context")], "context"),
            (vec![json!("pass")], "pass"),
            (vec![], "pass"),
        ] {
            assert_eq!(verdict_of(&line(outcomes.clone())), verdict, "{outcomes:?}");
        }
        assert_eq!(call_id("toolu_01Abc"), Some("toolu_01Abc"));
        assert_eq!((call_id("toolu_01 | sh"), call_id("rm -rf x")), (None, None));
    }
}
