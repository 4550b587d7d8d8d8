//! `prompt-reinforcement`: how strongly the agent is reminded, and what it reads.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use self::templates::{Point, Wanted};
use super::{answer, input};
use crate::definitions::envelope::{Reply, Request, Verdict};
use crate::model::finding::counted;
use crate::state::loop_state::Level;

pub mod templates;
mod texts;

/// What decides the level of an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals<'a> {
    /// The iteration that begins, from 1.
    pub iteration: u32,
    /// From which iteration on which level holds.
    pub thresholds: &'a [(u32, Level)],
    /// The level before any threshold.
    pub default_level: Level,
    /// How often the last error came in a row.
    pub same_error: u32,
    /// Whether the last three quality deltas are all below the plateau's.
    pub plateau: bool,
    /// What a plateau's deltas stay below, points.
    pub plateau_points: f64,
    /// The level that such a standstill asks for.
    pub plateau_level: Level,
    /// Whether quality fell by more than that.
    pub falling: bool,
    /// The iteration of a regression that this one follows, or that it tries anew.
    pub regression: Option<u32>,
}

/// The documents' thresholds.
pub const THRESHOLDS: &[(u32, Level)] = &[(3, Level::Standard), (5, Level::Aggressive)];

/// The level, and the reason as the state's history words it: every trigger is named.
pub fn level(signals: Signals) -> (Level, String) {
    if signals.default_level == Level::Off {
        return (Level::Off, "Reinforcement is off".to_owned());
    }
    let reached = signals
        .thresholds
        .iter()
        .filter(|(from, _)| *from <= signals.iteration)
        .max_by_key(|(from, _)| *from);
    let mut level = reached.map_or(signals.default_level, |(_, level)| *level);
    let mut triggers = Vec::from_iter(reached.map(|(from, _)| format!("Iteration {from} threshold")));
    if signals.same_error >= 3 {
        level = Level::Aggressive;
    } else if signals.same_error == 2 {
        level = stronger(level);
    }
    if signals.same_error >= 2 {
        triggers.push("repeated error pattern".to_owned());
    }
    if signals.falling || signals.regression.is_some() {
        level = Level::Aggressive;
    }
    if signals.plateau {
        // ADAPTIVE is no strength of its own: the evidence chooses one.
        level =
            if level == Level::Adaptive { signals.plateau_level } else { level.max(signals.plateau_level) };
        triggers.push(plateau_reason(signals.plateau_points));
    }
    if signals.falling {
        triggers.push("Quality fell".to_owned());
    }
    if let Some(iteration) = signals.regression {
        triggers.push(format!("Regression detected in iteration {iteration}"));
    }
    if reached.map_or(signals.default_level, |(_, level)| *level) == Level::Adaptive {
        level = Level::Adaptive;
    }
    let reason = match triggers.as_slice() {
        [] => "Loop initialization".to_owned(),
        [only] if only.ends_with("threshold") => format!("{only} reached"),
        several => several.join(" + "),
    };
    (level, reason)
}

/// A plateau, as the state's history words it.
pub fn plateau_reason(points: f64) -> String {
    format!("Quality plateau detected (3 iterations < {}% delta)", (points * 100.0).round() / 100.0)
}

fn stronger(level: Level) -> Level {
    match level {
        Level::Off | Level::Minimal => Level::Standard,
        _ => Level::Aggressive,
    }
}

/// How strongly the evidence alone asks for a reminder: what ADAPTIVE uses.
pub fn strength(signals: Signals, risks: usize) -> Level {
    if signals.same_error >= 3 || signals.plateau || signals.falling || signals.regression.is_some() {
        Level::Aggressive
    } else if signals.same_error == 2 || risks > 0 {
        Level::Standard
    } else {
        Level::Minimal
    }
}

/// Answers the hooks that put text before the agent.
pub fn reply(request: &Request) -> Reply {
    match request.metadata.hook_name.as_str() {
        "on_error" => on_error(request),
        "pre_tool_call" => before_call(request),
        _ => before_iteration(request),
    }
}

fn before_iteration(request: &Request) -> Reply {
    let given = |name: &str| input(request, name).as_u64().map(|n| n as u32);
    let iteration = given("iteration_number").or(given("iteration")).unwrap_or(request.metadata.iteration);
    let history = input(request, "error_history");
    let errors = errors(history);
    let same_error = given("same_error").unwrap_or_else(|| repeated(history));
    let known_level = input(request, "level").as_str().map(|word| json!(word));
    let known_level = known_level.and_then(|word| serde_json::from_value::<Level>(word).ok());
    let signals = Signals {
        iteration,
        thresholds: THRESHOLDS,
        default_level: Level::Minimal,
        same_error,
        plateau: input(request, "plateau").as_bool().unwrap_or(false),
        plateau_points: 5.0,
        plateau_level: Level::Aggressive,
        falling: input(request, "falling").as_bool().unwrap_or(false),
        regression: given("regression_iteration"),
    };
    let (computed, reason) = level(signals);
    // A loop's own thresholds have given the reason already.
    let reason = input(request, "reason").as_str().map_or(reason, str::to_owned);
    let level = known_level.unwrap_or(computed);
    let mut risks: Vec<String> = texts(input(request, "risk_patterns"));
    let seen = risks.iter().filter(|risk| *risk != "repeated_error").count();
    if same_error >= 2 && !risks.iter().any(|risk| risk == "repeated_error") {
        risks.push("repeated_error".to_owned());
    }
    let strength = if level == Level::Adaptive { strength(signals, seen) } else { level };
    let chosen = chosen(
        request,
        Point::PreIteration,
        strength,
        "",
        iteration,
        &values(request, iteration, (&errors, same_error), &risks),
    );
    let (id, content) = chosen.unwrap_or_default();
    let facts = json!({
        "level": level,
        "escalated_level": level,
        "reason": reason,
        "strength": strength,
        "risk_patterns": risks,
        "template": id,
    });
    let verdict = if strength >= Level::Aggressive { Verdict::Warn } else { Verdict::Pass };
    let mut reply = answer(content, Some(verdict), facts);
    reply.metadata.reinforcement_level = Some(level);
    if strength == Level::Aggressive {
        reply.metadata.recommendations = vec![
            format!("Escalate if iteration {} also fails", iteration + 1),
            "Consider decomposing task into smaller steps".to_owned(),
        ];
    }
    reply
}

/// What a text may say of this loop.
fn values(
    request: &Request,
    iteration: u32,
    (errors, times): (&[String], u32),
    risks: &[String],
) -> BTreeMap<&'static str, String> {
    let last = errors.last().cloned().unwrap_or_default();
    let ended = input(request, "attempts_ended").as_u64().map_or(iteration.saturating_sub(1), |n| n as u32);
    let attempts = if ended > 0 { counted(ended as usize, "attempt") } else { String::new() };
    let seen: Vec<&str> = risks.iter().map(String::as_str).filter(|risk| *risk != "repeated_error").collect();
    let tried = texts(input(request, "tried"));
    // The same error twice has a line of its own.
    let (repeated_error, single_error) =
        if times >= 2 { (last.clone(), String::new()) } else { (String::new(), last.clone()) };
    BTreeMap::from([
        ("iteration", iteration.to_string()),
        ("attempts", attempts),
        ("error_name", error_name(&last).to_owned()),
        ("error", last),
        ("repeated_error", repeated_error),
        ("single_error", single_error),
        ("times", times.to_string()),
        ("risks", seen.join(", ")),
        ("tried", tried.iter().map(|tried| tried.trim_end_matches('.')).collect::<Vec<_>>().join("; ")),
    ])
}

/// A text that was not used for this cause yet, filled and within its budget; and its id.
fn chosen(
    request: &Request,
    point: Point,
    level: Level,
    error: &str,
    turn: u32,
    values: &BTreeMap<&str, String>,
) -> Option<(String, String)> {
    if level == Level::Off {
        return None;
    }
    let used = texts(input(request, "used"));
    let task = input(request, "task_type").as_str().unwrap_or_default();
    let last = input(request, "last_template").as_str().unwrap_or_default();
    let template = templates::choose(&Wanted { point, level, task, error, turn, used: &used, last })?;
    let own = input(request, "templates").get(template.id).and_then(Value::as_str);
    let text = templates::fill(own.unwrap_or(template.text), values);
    let budget = input(request, "token_budget").as_u64();
    let text = budget.map_or(text.clone(), |budget| templates::within(&text, budget));
    (!text.is_empty()).then(|| (template.id.to_owned(), text))
}

fn on_error(request: &Request) -> Reply {
    let word = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let (kind, message) = (word("error_type"), word("error_message"));
    let kind = if kind.is_empty() { "error".to_owned() } else { kind };
    let mut history = input(request, "previous_errors").as_array().cloned().unwrap_or_default();
    history.push(json!(format!("{kind}: {message}")));
    let times = input(request, "same_error").as_u64();
    let times = times.map_or_else(|| repeated(&Value::Array(history)), |times| times as u32);
    let values = BTreeMap::from([
        ("error_name", kind.clone()),
        ("message", message),
        ("times", times.max(1).to_string()),
        ("seen", if times > 1 { format!("{times} times in a row") } else { "once".to_owned() }),
        ("place", word("place")),
    ]);
    let level = if times >= 3 { Level::Aggressive } else { Level::Standard };
    let level = if input(request, "level").as_str() == Some(Level::Off.name()) { Level::Off } else { level };
    let chosen = chosen(request, Point::PostError, level, templates::error_kind(&kind), 0, &values);
    let (id, content) = chosen.unwrap_or_default();
    let verdict = if times >= 2 { Verdict::Warn } else { Verdict::Pass };
    answer(content, Some(verdict), json!({"prompt": "post-error", "same_error": times, "template": id}))
}

fn before_call(request: &Request) -> Reply {
    let word = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let given = word("warning");
    let values =
        BTreeMap::from([("tool", word("tool")), ("target", word("target")), ("risk", word("risk_level"))]);
    let chosen =
        chosen(request, Point::PreToolCall, Level::Standard, "", request.metadata.iteration, &values);
    let content = if given.is_empty() { chosen.map(|(_, text)| text).unwrap_or_default() } else { given };
    answer(content, Some(Verdict::Warn), json!({"prompt": "pre-action"}))
}

/// The messages of an error history, oldest first: its items are texts, or objects with an `error` or `message`.
pub fn errors(history: &Value) -> Vec<String> {
    let items = history.as_array().into_iter().flatten();
    items
        .filter_map(|item| {
            let text =
                item.as_str().or_else(|| ["error", "message"].iter().find_map(|key| item.get(key)?.as_str()));
            text.map(str::to_owned)
        })
        .collect()
}

/// How often the last error of a history came in a row: as it was counted when it came, by tries and by what is equal
/// for the same fault; in a history that has only words, by these, numbers apart.
pub fn repeated(history: &Value) -> u32 {
    let last = history.as_array().and_then(|items| items.last());
    if let Some(times) = last.and_then(|last| last.get("in_a_row")?.as_u64()) {
        return times as u32;
    }
    let errors = errors(history);
    let plain = |error: &String| error.chars().filter(|c| !c.is_ascii_digit()).collect::<String>();
    let Some(last) = errors.last().map(plain) else { return 0 };
    errors.iter().rev().take_while(|error| plain(error) == last).count() as u32
}

/// `TypeError` of `TypeError at line 42`.
fn error_name(error: &str) -> &str {
    let word = error.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| !word.is_empty());
    word.filter(|word| word.ends_with("Error") || word.ends_with("Exception")).unwrap_or("error")
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().filter_map(|text| text.as_str().map(str::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::envelope::RequestMetadata;
    use jiff::Timestamp;

    fn ask(hook: &str, iteration: u32, inputs: Value) -> Reply {
        let metadata = RequestMetadata {
            hook_name: hook.into(),
            loop_id: "l".into(),
            iteration,
            inputs: inputs.as_object().cloned().unwrap_or_default(),
        };
        reply(&Request::new("Remind", metadata, Timestamp::UNIX_EPOCH))
    }

    #[test]
    fn levels_and_their_reasons() {
        let signals = |iteration, same_error, plateau| Signals {
            iteration,
            thresholds: THRESHOLDS,
            default_level: Level::Minimal,
            same_error,
            plateau,
            plateau_points: 5.0,
            plateau_level: Level::Aggressive,
            falling: false,
            regression: None,
        };
        let rows = [
            (signals(1, 0, false), Level::Minimal, "Loop initialization"),
            (signals(2, 1, false), Level::Minimal, "Loop initialization"),
            (signals(3, 0, false), Level::Standard, "Iteration 3 threshold reached"),
            (signals(4, 0, false), Level::Standard, "Iteration 3 threshold reached"),
            (signals(5, 0, false), Level::Aggressive, "Iteration 5 threshold reached"),
            (signals(200, 0, false), Level::Aggressive, "Iteration 5 threshold reached"),
            (signals(5, 2, false), Level::Aggressive, "Iteration 5 threshold + repeated error pattern"),
            (signals(2, 2, false), Level::Standard, "repeated error pattern"),
            (signals(2, 3, false), Level::Aggressive, "repeated error pattern"),
            (signals(2, 0, true), Level::Aggressive, "Quality plateau detected (3 iterations < 5% delta)"),
        ];
        for (signals, expected, reason) in rows {
            assert_eq!(level(signals), (expected, reason.to_owned()), "{signals:?}");
        }
        assert_eq!(level(Signals { default_level: Level::Off, ..signals(9, 9, true) }).0, Level::Off);
        let narrow = Signals { plateau_points: 2.5, ..signals(2, 0, true) };
        assert_eq!(level(narrow).1, "Quality plateau detected (3 iterations < 2.5% delta)");
        let after_loss = Signals { regression: Some(7), ..signals(2, 0, false) };
        assert_eq!(level(after_loss), (Level::Aggressive, "Regression detected in iteration 7".to_owned()));
        let adaptive = Signals { default_level: Level::Adaptive, thresholds: &[], ..signals(4, 0, false) };
        assert_eq!(level(adaptive).0, Level::Adaptive);
        for (signals, risks, expected) in [
            (adaptive, 0, Level::Minimal),
            (adaptive, 1, Level::Standard),
            (Signals { same_error: 2, ..adaptive }, 0, Level::Standard),
            (Signals { plateau: true, ..adaptive }, 0, Level::Aggressive),
        ] {
            assert_eq!(strength(signals, risks), expected, "{signals:?} {risks}");
        }
    }

    #[test]
    fn the_documents_first_example() {
        let reply = ask(
            "pre_iteration",
            5,
            json!({
                "iteration_number": 5,
                "task_context": "Fix all TypeScript errors",
                "error_history": [
                    {"iteration": 3, "error": "TypeError at line 42"},
                    {"iteration": 4, "error": "TypeError at line 42"},
                ],
                "risk_patterns": ["repeated_error"],
            }),
        );
        assert_eq!(reply.metadata.verdict, Some(Verdict::Warn));
        assert_eq!(reply.metadata.reinforcement_level, Some(Level::Aggressive));
        assert_eq!(
            reply.metadata.recommendations,
            ["Escalate if iteration 6 also fails", "Consider decomposing task into smaller steps",]
        );
        assert_eq!(reply.metadata.extra["reason"], "Iteration 5 threshold + repeated error pattern");
        for part in [
            "ITERATION #5 - Stuck Loop Risk",
            "same TypeError",
            "STOP",
            "WHY",
            "alternative",
            "ESCALATE",
            "tests",
            "features",
            "shortcuts",
        ] {
            assert!(reply.content.contains(part), "{part} in {}", reply.content);
        }
    }

    #[test]
    fn an_error_is_named_and_points_at_the_source() {
        let reply = ask(
            "on_error",
            2,
            json!({"error_type": "TypeError", "error_message": "x is undefined", "previous_errors": ["TypeError: x is undefined"]}),
        );
        for part in ["TypeError", "x is undefined", "SOURCE CODE", "2 times"] {
            assert!(reply.content.contains(part), "{part} in {}", reply.content);
        }
    }
}
