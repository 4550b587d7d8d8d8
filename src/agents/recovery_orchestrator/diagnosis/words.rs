//! A diagnosis in words for people.

use serde_json::Value;

use super::PROTECTED;

/// What a fact says in words, when it holds and when it does not; `{}` is its value.
static WORDS: &[(&str, &str, &str)] = &[
    (
        "tests_failing_before",
        "what was lost failed when it last ran",
        "what was lost passed when it last ran",
    ),
    ("source_changed", "the source was changed", "no source was changed"),
    ("subject_removed", "what it tested is gone too", "what it tested is still there"),
    ("brought_by_git", "no call of the agent brought it", "a call of the agent changed it"),
    ("criterion_testable", "a command decides the criterion", "no command decides the criterion"),
    ("many_files", "{} files were changed", "{} files were changed"),
    ("many_calls", "after {} calls", "after {} calls"),
    ("compacted", "the conversation was compacted", "the conversation was not compacted"),
    (
        "error_there",
        "an error was seen in the file in which something was lost",
        "no error was seen in the file in which something was lost",
    ),
    ("many_lost", "{} things were lost", "{} things were lost"),
    ("error_repeated", "the same error came {} times in a row", "the last error came once"),
];

pub(super) fn root_cause(id: &str, kind: &str) -> &'static str {
    match (id, kind) {
        ("reward_hacking" | "task_complexity" | "cognitive_load", PROTECTED) => {
            "Agent changed a file that the project keeps for a person"
        }
        ("genuine_fix", _) => "What was tested was removed together with its tests",
        ("cognitive_load", _) => "Agent lost sight of what was there in a long and wide session",
        ("specification_ambiguity", _) => "Agent changed the source and dropped what no longer fitted it",
        ("task_complexity", "coverage_regression") => "Agent added code that no test runs",
        ("task_complexity", "test_deletion") => "Agent lost tests that passed while it worked on their file",
        ("task_complexity", "test_skipping") => "Agent left tests switched off that passed",
        ("task_complexity", "assertion_weakening") => "Agent lost what tests check while it reworked them",
        ("task_complexity", "error_suppression") => {
            "Agent lost the handling of an error while it reworked the code around it"
        }
        ("task_complexity", "validation_bypass") => "Agent lost a check while it reworked what runs it",
        ("task_complexity", _) => "Agent lost what worked while it restructured the code",
        ("outside_change", _) => {
            "Another commit was checked out between the agent's calls, and it lacks what was lost"
        }
        (_, "test_deletion") => "Agent deleted failing tests instead of fixing code",
        (_, "test_skipping") => "Agent switched failing tests off instead of fixing code",
        (_, "assertion_weakening") => "Agent weakened assertions instead of fixing code",
        (_, "error_suppression") => "Agent hid an error instead of fixing its cause",
        (_, "validation_bypass") => "Agent took a check out instead of meeting it",
        (_, "coverage_regression") => "Agent left new code untested",
        _ => "Agent took a feature out instead of mending it",
    }
}

/// The stored DIAGNOSE step in one line: the cause, how sure it is, and what speaks for it.
pub fn in_words(step: &Value) -> Option<String> {
    let cause = step.get("root_cause")?.as_str()?;
    let sure = step.get("confidence").and_then(Value::as_f64).unwrap_or_default() * 100.0;
    let evidence = step.get("hypotheses").and_then(|all| all.get(0)?.get("evidence")?.as_array());
    let speaks_for = evidence.into_iter().flatten().filter_map(|fact| {
        let (_, holds, otherwise) =
            WORDS.iter().find(|(name, ..)| fact.get("fact").is_some_and(|it| it == name))?;
        let value = fact.get("value")?;
        let words = if *value == Value::Bool(false) { otherwise } else { holds };
        (fact.get("weight")?.as_f64()? > 0.0).then(|| words.replace("{}", &value.to_string()))
    });
    let because: Vec<String> = speaks_for.collect();
    let because = if because.is_empty() { String::new() } else { format!(": {}", because.join("; ")) };
    Some(format!("{cause} ({sure:.0}% sure{because}).").replace("..", "."))
}
