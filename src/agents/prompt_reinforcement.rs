//! `prompt-reinforcement`: how strongly the agent is reminded, and what it reads.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use self::templates::{ReinforcementPoint, TemplateRequest};
use super::{answer, input};
use crate::definitions::envelope::{AgentRequest, AgentVerdict, Reply};
use crate::model::finding::counted;
use crate::state::loop_state::Level;

mod strength;
mod template;
pub mod templates;
mod texts;

pub use strength::{Signals, THRESHOLDS, level, plateau_reason, strength};

/// Answers the hooks that put text before the agent.
pub fn reply(request: &AgentRequest) -> Reply {
    match request.metadata.hook_name.as_str() {
        "on_error" => on_error(request),
        "pre_tool_call" => before_call(request),
        _ => before_iteration(request),
    }
}

fn before_iteration(request: &AgentRequest) -> Reply {
    let errors = errors(input(request, "error_history"));
    let signals = signals(request);
    let (computed, reason) = level(signals);
    // A loop's own thresholds have given the reason already.
    let reason = input(request, "reason").as_str().map_or(reason, str::to_owned);
    let known_level = input(request, "level").as_str().map(|word| json!(word));
    let known_level = known_level.and_then(|word| serde_json::from_value::<Level>(word).ok());
    let level = known_level.unwrap_or(computed);
    let mut risks: Vec<String> = texts(input(request, "risk_patterns"));
    let seen = risks.iter().filter(|risk| *risk != "repeated_error").count();
    if signals.same_error >= 2 && !risks.iter().any(|risk| risk == "repeated_error") {
        risks.push("repeated_error".to_owned());
    }
    let strength = if level == Level::Adaptive { strength(signals, seen) } else { level };
    let turn = signals.iteration;
    let values = values(request, turn, (&errors, signals.same_error), &risks);
    let choice = TemplateChoice { point: ReinforcementPoint::PreIteration, level: strength, error: "", turn };
    let (id, content) = chosen(request, choice, &values).unwrap_or_default();
    let facts = json!({
        "level": level,
        "escalated_level": level,
        "reason": reason,
        "strength": strength,
        "risk_patterns": risks,
        "template": id,
    });
    let verdict = if strength >= Level::Aggressive { AgentVerdict::Warn } else { AgentVerdict::Pass };
    let mut reply = answer(content, Some(verdict), facts);
    reply.metadata.reinforcement_level = Some(level);
    if strength == Level::Aggressive {
        reply.metadata.recommendations = recommendations(turn);
    }
    reply
}

fn recommendations(iteration: u32) -> Vec<String> {
    vec![
        format!("Escalate if iteration {} also fails", iteration + 1),
        "Consider decomposing task into smaller steps".to_owned(),
    ]
}

/// What a request says of the loop, under the documents' thresholds.
fn signals(request: &AgentRequest) -> Signals<'static> {
    let given = |name: &str| input(request, name).as_u64().map(|n| n as u32);
    let flag = |name: &str| input(request, name).as_bool().unwrap_or(false);
    Signals {
        iteration: given("iteration_number").or(given("iteration")).unwrap_or(request.metadata.iteration),
        thresholds: THRESHOLDS,
        default_level: Level::Minimal,
        same_error: given("same_error").unwrap_or_else(|| repeated(input(request, "error_history"))),
        plateau: flag("plateau"),
        plateau_points: 5.0,
        plateau_level: Level::Aggressive,
        falling: flag("falling"),
        regression: given("regression_iteration"),
    }
}

/// What a text may say of this loop.
fn values(
    request: &AgentRequest,
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

/// What a text is chosen by besides its request.
#[derive(Clone, Copy)]
struct TemplateChoice<'a> {
    point: ReinforcementPoint,
    level: Level,
    /// The kind of error, where there is one.
    error: &'a str,
    /// Turns the choice among equals.
    turn: u32,
}

/// A text that was not used for this cause yet, filled and within its budget; and its id.
fn chosen(
    request: &AgentRequest,
    choice: TemplateChoice<'_>,
    values: &BTreeMap<&str, String>,
) -> Option<(String, String)> {
    let TemplateChoice { point, level, error, turn } = choice;
    if level == Level::Off {
        return None;
    }
    let used = texts(input(request, "used"));
    let task = input(request, "task_type").as_str().unwrap_or_default();
    let last = input(request, "last_template").as_str().unwrap_or_default();
    let template =
        templates::choose(&TemplateRequest { point, level, task, error, turn, used: &used, last })?;
    let own = input(request, "templates").get(template.id).and_then(Value::as_str);
    let text = templates::fill(own.unwrap_or(template.text), values);
    let budget = input(request, "token_budget").as_u64();
    let text = budget.map_or(text.clone(), |budget| templates::within(&text, budget));
    (!text.is_empty()).then(|| (template.id.to_owned(), text))
}

fn on_error(request: &AgentRequest) -> Reply {
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
    let chosen = chosen(
        request,
        TemplateChoice {
            point: ReinforcementPoint::PostError,
            level,
            error: templates::error_kind(&kind),
            turn: 0,
        },
        &values,
    );
    let (id, content) = chosen.unwrap_or_default();
    let verdict = if times >= 2 { AgentVerdict::Warn } else { AgentVerdict::Pass };
    answer(content, Some(verdict), json!({"prompt": "post-error", "same_error": times, "template": id}))
}

fn before_call(request: &AgentRequest) -> Reply {
    let word = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let given = word("warning");
    let values =
        BTreeMap::from([("tool", word("tool")), ("target", word("target")), ("risk", word("risk_level"))]);
    let turn = request.metadata.iteration;
    let choice =
        TemplateChoice { point: ReinforcementPoint::PreToolCall, level: Level::Standard, error: "", turn };
    let chosen = chosen(request, choice, &values);
    let content = if given.is_empty() { chosen.map(|(_, text)| text).unwrap_or_default() } else { given };
    answer(content, Some(AgentVerdict::Warn), json!({"prompt": "pre-action"}))
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
        reply(&AgentRequest::new("Remind", metadata, Timestamp::UNIX_EPOCH))
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
        assert_eq!(reply.metadata.verdict, Some(AgentVerdict::Warn));
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
