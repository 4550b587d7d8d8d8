//! `prompt-reinforcement`: how strongly the agent is reminded, and what it reads.

use serde_json::{Value, json};

use super::{answer, input};
use crate::definitions::envelope::{Reply, Request, Verdict};
use crate::state::loop_state::Level;

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
    /// The level that such a standstill asks for.
    pub plateau_level: Level,
    /// Whether quality fell by more than that.
    pub falling: bool,
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
    if signals.falling {
        level = Level::Aggressive;
    }
    if signals.plateau {
        // ADAPTIVE is no strength of its own: the evidence chooses one.
        level =
            if level == Level::Adaptive { signals.plateau_level } else { level.max(signals.plateau_level) };
        triggers.push("Quality plateau detected (3 iterations < 5% delta)".to_owned());
    }
    if signals.falling {
        triggers.push("Quality fell".to_owned());
    }
    let reason = match triggers.as_slice() {
        [] => "Loop initialization".to_owned(),
        [only] if only.ends_with("threshold") => format!("{only} reached"),
        several => several.join(" + "),
    };
    (level, reason)
}

fn stronger(level: Level) -> Level {
    match level {
        Level::Off | Level::Minimal => Level::Standard,
        _ => Level::Aggressive,
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
    let errors = errors(input(request, "error_history"));
    let same_error = repeated(&errors);
    let known_level = input(request, "level").as_str().map(|word| json!(word));
    let known_level = known_level.and_then(|word| serde_json::from_value::<Level>(word).ok());
    let signals = Signals {
        iteration,
        thresholds: THRESHOLDS,
        default_level: Level::Minimal,
        same_error,
        plateau: input(request, "plateau").as_bool().unwrap_or(false),
        plateau_level: Level::Aggressive,
        falling: false,
    };
    let (computed, reason) = level(signals);
    let level = known_level.unwrap_or(computed);
    let mut risks: Vec<String> = texts(input(request, "risk_patterns"));
    if same_error >= 2 && !risks.iter().any(|risk| risk == "repeated_error") {
        risks.push("repeated_error".to_owned());
    }
    let facts = json!({"level": level, "escalated_level": level, "reason": reason, "risk_patterns": risks});
    let verdict = if level >= Level::Aggressive { Verdict::Warn } else { Verdict::Pass };
    let mut reply = answer(text(level, iteration, &errors, &risks).unwrap_or_default(), Some(verdict), facts);
    reply.metadata.reinforcement_level = Some(level);
    if level == Level::Aggressive {
        reply.metadata.recommendations = vec![
            format!("Escalate if iteration {} also fails", iteration + 1),
            "Consider decomposing task into smaller steps".to_owned(),
        ];
    }
    reply
}

/// What the model reads at the beginning of an iteration, besides the loop's banner.
fn text(level: Level, iteration: u32, errors: &[String], risks: &[String]) -> Option<String> {
    let risks = match risks.iter().filter(|risk| *risk != "repeated_error").collect::<Vec<_>>().as_slice() {
        [] => String::new(),
        seen => format!(
            "\nRisky calls in this loop so far: {}.",
            seen.iter().map(|risk| risk.as_str()).collect::<Vec<_>>().join(", ")
        ),
    };
    let last = errors.last().map(|error| format!("\nThe last error was: {error}")).unwrap_or_default();
    match level {
        Level::Off => None,
        Level::Minimal | Level::Adaptive => Some(format!(
            "Steadfast runs the completion command itself at the end of each turn; its exit code decides. Tests that \
             are deleted, skipped or weakened on the way keep the loop open.{risks}"
        )),
        Level::Standard => Some(format!(
            "Iteration {iteration}: earlier turns did not reach the goal.{last}\nThe cause is more likely in the source \
             than in the tests: a test that fails is evidence. Deleting, skipping or weakening it keeps the loop \
             open.{risks}"
        )),
        Level::Aggressive => Some(aggressive(iteration, errors, &risks)),
    }
}

fn aggressive(iteration: u32, errors: &[String], risks: &str) -> String {
    let times = repeated(errors);
    let seen = match errors.last() {
        Some(error) if times >= 2 => {
            format!("\nThe same {} has come up {times} times in a row: {error}", error_name(error))
        }
        Some(error) => format!("\nThe last error was: {error}"),
        None => String::new(),
    };
    format!(
        "ITERATION #{iteration} - Stuck Loop Risk\n\n{} attempts ended without the goal.{seen}\n\nWhat is needed now:\n\
         1. STOP repeating the approach that did not work.\n\
         2. Find out WHY it fails, not only where.\n\
         3. Choose an alternative implementation.\n\
         4. When unsure, ESCALATE: ask the person.\n\n\
         Not a way out: deleted, skipped or weakened tests, disabled features, shortcuts. They keep the loop \
         open.{risks}",
        iteration.saturating_sub(1)
    )
}

fn on_error(request: &Request) -> Reply {
    let word = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let (kind, message) = (word("error_type"), word("error_message"));
    let kind = if kind.is_empty() { "error".to_owned() } else { kind };
    let mut history = errors(input(request, "previous_errors"));
    history.push(format!("{kind}: {message}"));
    let times = repeated(&history);
    let again = if times >= 2 { format!(" It has come {times} times in a row.") } else { String::new() };
    let content = format!(
        "Error seen: {kind}.{again} {message}\nIts root cause is to be looked for in the SOURCE CODE, not in the test: \
         the test that shows it is probably right."
    );
    let verdict = if times >= 2 { Verdict::Warn } else { Verdict::Pass };
    answer(content, Some(verdict), json!({"prompt": "post-error", "same_error": times}))
}

fn before_call(request: &Request) -> Reply {
    let word = |name: &str| input(request, name).as_str().unwrap_or_default().to_owned();
    let content = word("warning");
    let content = if content.is_empty() {
        format!(
            "{} is about to touch {} (risk: {}). A fix is expected, not a deletion.",
            word("tool"),
            word("target"),
            word("risk_level")
        )
    } else {
        content
    };
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

/// How often the last message came in a row, numbers apart.
pub fn repeated(errors: &[String]) -> u32 {
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
            plateau_level: Level::Aggressive,
            falling: false,
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
