//! One event, read off a line of a log.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::model::finding::counted;
use crate::state::audit::Line;
use crate::state::schema::DateTime;

/// What kind of event it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sort {
    /// A session or loop began.
    Began,
    /// A call was refused.
    Stopped,
    /// A person was asked about a call.
    Asked,
    /// A call ran, and the agent was told something.
    Advised,
    /// Something was lost.
    Lost,
    /// A question to a person was opened.
    Gate,
    /// A person decided.
    Decided,
    /// What a call had done was undone.
    Undone,
    /// An iteration ended.
    Iteration,
    /// It does not get on, or something else is wrong.
    Trouble,
    /// It is over.
    Ended,
}

impl Sort {
    /// The word for a person, of at most nine letters.
    pub(in crate::cli) fn word(self) -> &'static str {
        match self {
            Sort::Began => "began",
            Sort::Stopped => "stopped",
            Sort::Asked => "asked",
            Sort::Advised => "advised",
            Sort::Lost => "lost",
            Sort::Gate => "gate",
            Sort::Decided => "decided",
            Sort::Undone => "undone",
            Sort::Iteration => "iteration",
            Sort::Trouble => "trouble",
            Sort::Ended => "ended",
        }
    }
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Event")]
pub struct SeenEvent {
    /// When.
    #[schemars(with = "DateTime")]
    pub at: Timestamp,
    /// In which iteration; 0 before the first.
    pub iteration: u32,
    /// What kind of event it is.
    pub sort: Sort,
    /// The call that it is about: `Bash rm -rf build`.
    pub target: Option<String>,
    /// What happened, in a few words.
    pub what: String,
    /// The patterns that were found.
    pub patterns: Vec<String>,
    /// The host's id of the call, where it is known.
    #[serde(skip)]
    pub call: Option<String>,
}

impl SeenEvent {
    /// The event that a line tells of; most lines tell of none.
    pub(in crate::cli) fn of(line: &Line) -> Option<SeenEvent> {
        let (sort, what) = match line.hook_name.as_str() {
            "pre_tool_call" => of_call(line)?,
            "regression_detected" => (Sort::Lost, lost(line)?),
            "human_gate" => of_gate(line)?,
            "loop_start" => (Sort::Began, began(line)),
            "post_iteration" => (Sort::Iteration, iteration(line)?),
            "stuck_loop_detected" => (Sort::Trouble, "the same failure again and again".to_owned()),
            "on_error" => (Sort::Trouble, critical(line)?),
            "loop_complete" => (Sort::Ended, status(line)),
            "SessionEnd" if line.state_changes.contains_key("status") => {
                (Sort::Ended, "its session has ended".to_owned())
            }
            _ => return None,
        };
        Some(SeenEvent {
            at: line.timestamp,
            iteration: line.iteration,
            sort,
            target: target(line),
            what,
            patterns: patterns(line),
            call: None,
        })
    }

    /// The event in a line: the call, what happened, and the patterns' ids.
    pub(in crate::cli) fn in_words(&self) -> String {
        let ids =
            if self.patterns.is_empty() { String::new() } else { format!(" ({})", self.patterns.join(", ")) };
        match (&self.target, self.what.is_empty()) {
            (Some(target), true) => format!("{target}{ids}"),
            (Some(target), false) => format!("{target}: {}{ids}", self.what),
            (None, _) => format!("{}{ids}", self.what),
        }
    }
}

fn words(line: &Line) -> impl Iterator<Item = &str> {
    line.outcomes.iter().filter_map(Value::as_str)
}

fn text<'v>(outcome: &'v Value, field: &str) -> Option<&'v str> {
    outcome.get(field).and_then(Value::as_str)
}

/// What became of a call, as the first word of its line says.
fn of_call(line: &Line) -> Option<(Sort, String)> {
    let verdict = words(line).next()?;
    let (word, rest) = verdict.split_once(": ").unwrap_or((verdict, ""));
    let sort = match word {
        "deny" | "halt" => Sort::Stopped,
        "ask" => Sort::Asked,
        "context" => Sort::Advised,
        _ => return None,
    };
    let found = line.outcomes.iter().find_map(|outcome| text(outcome, "what"));
    let said = || words(line).nth(1).filter(|text| !text.starts_with("kept: "));
    let what = found.or((!rest.is_empty()).then_some(rest)).or_else(said).unwrap_or_default();
    Some((sort, what.lines().next().unwrap_or_default().to_owned()))
}

fn began(line: &Line) -> String {
    let in_session = words(line).any(|word| word == "guarded session");
    if in_session { "guarded from its first change on" } else { "the loop was started" }.to_owned()
}

fn lost(line: &Line) -> Option<String> {
    let found = line.outcomes.iter().find(|outcome| outcome.get("regression_type").is_some())?;
    let kind = text(found, "regression_type").unwrap_or_default().replace('_', " ");
    let severity = text(found, "severity").unwrap_or_default();
    let names: Vec<&str> =
        found.get("lost").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    Some(match names.as_slice() {
        [] => format!("{kind} ({severity})"),
        [one] => format!("{kind} ({severity}): {one}"),
        [first, rest @ ..] => format!("{kind} ({severity}): {first} and {}", counted(rest.len(), "other")),
    })
}

fn of_gate(line: &Line) -> Option<(Sort, String)> {
    if words(line).any(|word| word.contains("allowed once")) {
        return Some((Sort::Decided, "a refused call was allowed once".to_owned()));
    }
    let outcome = line.outcomes.iter().find(|outcome| outcome.is_object())?;
    if let Some(decision) = text(outcome, "human_decision") {
        let via = text(outcome, "decided_via").map(|via| format!(", {via}")).unwrap_or_default();
        let reason = text(outcome, "reason").map(|reason| format!(": {reason}")).unwrap_or_default();
        return Some((Sort::Decided, format!("{}{via}{reason}", decision.replace('_', " "))));
    }
    if outcome.get("false_positive").is_some() {
        return Some((Sort::Decided, "called a false alarm".to_owned()));
    }
    text(outcome, "gate_type").map(|_| (Sort::Gate, "waits for a person's decision".to_owned()))
}

/// The end of an iteration; a turn without one says nothing.
fn iteration(line: &Line) -> Option<String> {
    let ended = line.outcomes.iter().find(|outcome| outcome.get("quality_score").is_some())?;
    let passed = if ended.get("passed") == Some(&Value::Bool(true)) { "passed" } else { "failed" };
    let quality = ended.get("quality_score").and_then(Value::as_f64).unwrap_or_default();
    Some(format!("{} {passed}, quality {quality:.0}%", line.iteration))
}

fn critical(line: &Line) -> Option<String> {
    let said = line.outcomes.iter().find(|outcome| outcome.get("critical").is_some());
    let what = said.and_then(|outcome| text(outcome, "what").or(text(outcome, "critical")));
    let gone = words(line).find(|word| word.contains("is gone"));
    what.or(gone).map(|what| what.lines().next().unwrap_or_default().to_owned())
}

fn status(line: &Line) -> String {
    let status = line.state_changes.get("status").and_then(Value::as_str);
    status.unwrap_or("over").to_owned()
}

fn target(line: &Line) -> Option<String> {
    let action = line.state_changes.get("last_risky_action")?;
    Some(format!("{} {}", text(action, "tool")?, text(action, "target")?))
}

fn patterns(line: &Line) -> Vec<String> {
    let mut ids: Vec<String> =
        line.outcomes.iter().filter_map(|outcome| text(outcome, "pattern_id")).map(str::to_owned).collect();
    ids.dedup();
    ids
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn line(hook: &str, outcomes: &[Value]) -> Line {
        Line { outcomes: outcomes.to_vec(), ..Line::new(hook, "l", 2, Timestamp::UNIX_EPOCH) }
    }

    /// A hook, its outcomes, and what is told of them.
    type Row = (&'static str, Vec<Value>, Option<(Sort, &'static str)>);

    #[test]
    fn lines_that_matter_are_told_and_others_are_not() {
        let found = json!({"pattern_id": "LP-001", "path": "t.py", "what": "1 of 3 tests would be gone"});
        let lost = json!({"pattern_id": "LP-001", "regression_type": "test_deletion", "severity": "critical", "lost": ["a", "b", "c"]});
        let decided = json!({"human_gate": "g", "human_decision": "manual_fix", "decided_via": "terminal", "reason": null});
        let rows: Vec<Row> = vec![
            ("pre_tool_call", vec![json!("pass")], None),
            (
                "pre_tool_call",
                vec![json!("deny"), found.clone()],
                Some((Sort::Stopped, "1 of 3 tests would be gone (LP-001)")),
            ),
            (
                "pre_tool_call",
                vec![json!("ask"), found],
                Some((Sort::Asked, "1 of 3 tests would be gone (LP-001)")),
            ),
            (
                "pre_tool_call",
                vec![json!("deny: a person is asked")],
                Some((Sort::Stopped, "a person is asked")),
            ),
            ("pre_tool_call", vec![json!("context"), json!("kept: c-1")], Some((Sort::Advised, ""))),
            (
                "regression_detected",
                vec![json!({"emergency_checkpoint": "c"}), lost],
                Some((Sort::Lost, "test deletion (critical): a and 2 others (LP-001)")),
            ),
            ("regression_detected", vec![json!({"retry": "Recovery"})], None),
            (
                "human_gate",
                vec![json!({"human_gate": "g", "gate_type": "TERMINATE"})],
                Some((Sort::Gate, "waits for a person's decision")),
            ),
            ("human_gate", vec![decided], Some((Sort::Decided, "manual fix, terminal"))),
            ("human_gate", vec![json!("refused: a wrong code was typed")], None),
            (
                "post_iteration",
                vec![json!({"iteration": 2, "passed": true, "quality_score": 71.6})],
                Some((Sort::Iteration, "2 passed, quality 72%")),
            ),
            ("post_iteration", vec![json!("pass")], None),
            ("on_error", vec![json!({"error": "x"})], None),
            ("UserPromptSubmit", vec![json!("a new turn")], None),
        ];
        for (hook, outcomes, expected) in rows {
            let told = SeenEvent::of(&line(hook, &outcomes));
            let told = told.as_ref().map(|event| (event.sort, event.in_words()));
            assert_eq!(told, expected.map(|(sort, words)| (sort, words.to_owned())), "{hook} {outcomes:?}");
        }
    }

    #[test]
    fn a_call_is_named_with_what_happened() {
        let mut of = line("pre_tool_call", &[json!("deny")]);
        of.state_changes.insert(
            "last_risky_action".to_owned(),
            json!({"tool": "Bash", "target": "rm a", "risk_level": "high"}),
        );
        assert_eq!(SeenEvent::of(&of).unwrap().in_words(), "Bash rm a");
    }
}
