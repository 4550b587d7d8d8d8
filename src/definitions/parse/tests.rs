use std::time::Duration;

use super::*;
use crate::definitions::builtin::BUILTIN;
use crate::definitions::model::{DefinitionValue, FieldChange, ThresholdAt, UpdateSource};
use crate::definitions::names::{Action, Agent, GateAction, OnFailure};
use crate::state::loop_state::Level;

/// The problems of a text as `line:column: message`, with the near name.
fn problems(text: &str) -> Vec<String> {
    let shown = |problem: Problem| problem.to_string().lines().next().unwrap_or_default().to_owned();
    parse(text, &BUILTIN).problems.into_iter().map(shown).collect()
}

#[test]
fn every_slip_is_reported_with_its_place() {
    let rows = [
        ("hooks:\n  loop_strat: {}\n", "2:3: \"loop_strat\" is no hook; perhaps loop_start is meant"),
        ("hooks:\n  deploy: {}\n", "2:3: \"deploy\" is no hook"),
        ("hooks: []\n", "1:8: a mapping is expected here, not a list"),
        ("$id: https://x/other/v1\n", "1:6: files of the schema ralph-persistence-hooks/v1 are understood"),
        (
            "execution:\n  timeout_ms:\n    pre_tool_call: fast\n",
            "3:20: a whole number is expected here, not a text",
        ),
        ("execution:\n  timeout_ms:\n    pre_tool_call: 0\n", "3:20: a whole number from 1 is expected"),
        (
            "execution:\n  timeout_ms:\n    pre_tool_cal: 1\n",
            "3:5: \"pre_tool_cal\" is no hook; perhaps pre_tool_call",
        ),
        (
            "execution:\n  blocking_hooks:\n    hooks: [post_tool_call]\n",
            "2:3: post_tool_call is both asynchronous and blocking",
        ),
        (
            "execution:\n  error_handling:\n    on_hook_failure:\n      default: log_and_continu\n",
            "4:16: \"log_and_continu\" is no answer to a failure; perhaps log_and_continue is meant",
        ),
        (
            "execution:\n  error_handling:\n    on_hook_failure:\n      critical_hooks:\n        - hook: on_error\n",
            "5:11: a critical hook has `hook` and `on_failure`",
        ),
        ("performance:\n  false_positive_rate: {target: few}\n", "2:33: a percentage such as"),
        ("audit:\n  log_location: /tmp/{loop_id}.jsonl\n", "2:17: the log's place is a path in .aiwg/ralph/"),
        ("audit:\n  log_location: a/../../{loop_id}\n", "2:17: the log's place is a path in .aiwg/ralph/"),
        ("audit:\n  log_location: logs/{loop_id}.jsonl\n", "2:17: the log's place is a path in .aiwg/ralph/"),
        ("audit:\n  log_location: .aiwg/ralph/log.jsonl\n", "2:17: the log's place must hold {loop_id}"),
        ("audit:\n  log_location: .aiwg/ralph/{loop_id}\n", "2:17: the log's name ends in .jsonl"),
        ("audit:\n  retention_days: -1\n", "2:19: a whole number from 1"),
        (
            "audit:\n  retention_dais: 1\n",
            "2:3: warning: \"retention_dais\" has no effect; perhaps retention_days",
        ),
    ];
    for (text, expected) in rows {
        let found = problems(text);
        assert!(
            found.len() == 1 && found[0].starts_with(expected),
            "{text}\nexpected {expected}\nfound {found:#?}"
        );
    }
}

#[test]
fn every_slip_in_a_hook_is_reported_with_its_place() {
    let rows = [
        ("timing: now", "3:13: \"now\" is no timing"),
        ("description: [a]", "3:18: a text is expected here, not a list"),
        ("actions: log_error", "3:14: a list is expected here, not a text"),
        ("actions: [log_error, lock_error]", "3:26: \"lock_error\" is no action; perhaps log_error is meant"),
        ("actoins: [log_error]", "3:5: warning: \"actoins\" has no effect; perhaps actions is meant"),
        (
            "agents_to_invoke: [{agent: lazyness-detector}]",
            "3:32: \"lazyness-detector\" is no built-in agent, and it has no `command`; perhaps laziness-detector",
        ),
        ("agents_to_invoke: [{purpose: none}]", "3:24: an agent to invoke has a name"),
        ("agents_to_invoke: [{agent: laziness-detector, required: 1}]", "3:61: true or false is expected"),
        ("agents_to_invoke: [{agent: x, command: ./x}]", "3:44: a list is expected here, not a text"),
        (
            "agents_to_invoke: [{agent: x, command: []}]",
            "3:44: a command is a list that begins with its program",
        ),
        (
            "agents_to_invoke: [{agent: laziness-detector, inputs: {a: \"{itration}\"}}]",
            "3:63: \"itration\" is no variable; perhaps iteration is meant",
        ),
        (
            "state_updates: [{set: error_cout, value: 1}]",
            "3:27: \"error_cout\" is no state field; perhaps error_count",
        ),
        ("state_updates: [{set: error_count}]", "3:21: `set` takes its value by one of `from` and `value`"),
        (
            "state_updates: [{set: error_count, value: 1, from: error_record}]",
            "3:21: `set` takes its value by one of",
        ),
        ("state_updates: [{increment: error_count, value: 2}]", "3:21: `increment` adds one"),
        (
            "state_updates: [{set: error_count, append: error_history, value: 1}]",
            "3:21: a state update has one of",
        ),
        ("state_updates: [{value: 1}]", "3:21: a state update has one of"),
        (
            "state_updates: [{set: last_error, from: eror_record}]",
            "3:45: \"eror_record\" is no record that a hook makes; perhaps error_record is meant",
        ),
        (
            "state_updates: [{set: last_error, from: progress-tracker.baseline}]",
            "3:45: \"progress-tracker\" is no agent that the hook asks",
        ),
        (
            "state_updates: [{set: last_error, from: prompt-reinforcement.levl}]",
            "3:45: \"levl\" is no field of what prompt-reinforcement answers; perhaps level is meant",
        ),
        (
            "conditional_actions: [{condition: \"error_count => 3\", action: log_error}]",
            "3:39: `=` means nothing here; equality is == at character 13 of the condition",
        ),
        (
            "conditional_actions: [{condition: eror_count > 3, action: log_error}]",
            "3:39: \"eror_count\" is no variable; perhaps error_count is meant",
        ),
        ("conditional_actions: [{condition: error_count > 3}]", "3:27: a conditional action has"),
        (
            "conditional_actions: [{condition: error_count, action: triger_hook}]",
            "3:60: \"triger_hook\" is no action; perhaps trigger_hook",
        ),
        (
            "conditional_actions: [{condition: error_count, action: trigger_hook}]",
            "3:27: `trigger_hook` says which",
        ),
        (
            "conditional_actions: [{condition: error_count, action: trigger_hook, hook: on_eror}]",
            "3:80: \"on_eror\" is no hook; perhaps on_error is meant",
        ),
        (
            "conditional_actions: [{condition: error_count, action: trigger_hook, hook: on_error}]",
            "3:27: on_error would fire itself again through on_error",
        ),
        ("risk_patterns: [{tool: Bash, risk: r}]", "3:21: a risk pattern has `tool`, `risk` and one of"),
        (
            "risk_patterns: [{tool: Bash, risk: r, command_pattern: \"{a\"}]",
            "3:60: a `{` of the pattern has no `}`",
        ),
        ("thresholds: {iteration_x: MINIMAL}", "3:18: \"iteration_x\" is no threshold"),
        (
            "thresholds: {iteration_3: STANDART}",
            "3:31: \"STANDART\" is no reinforcement level; perhaps STANDARD is meant",
        ),
        ("recovery_protocol: {steps: [{PAUSE: a}, {REST: b}]}", "3:46: \"REST\" is no stage"),
        ("recovery_protocol: {steps: [{RETRY: a}, {PAUSE: b}]}", "3:32: each stage comes once, in the order"),
        ("recovery_protocol: {steps: [PAUSE]}", "3:33: a mapping is expected here, not a text"),
        ("recovery_protocol: {escalation_conditions: [{condition: severity}]}", "3:49: an escalation has"),
        ("human_gate: {message: hi}", "3:17: a gate without options could never be left"),
        (
            "human_gate: {options: [{id: a, label: b, action: resume}]}",
            "3:54: \"resume\" is no action of a gate",
        ),
        (
            "human_gate: {options: [{id: a, label: b, action: abort_lop}]}",
            "3:54: \"abort_lop\" is no action of a gate; perhaps abort_loop is meant",
        ),
        (
            "human_gate: {options: [{id: a, label: b, action: abort_loop}, {id: a, label: c, action: abort_loop}]}",
            "3:27: two options have the id \"a\"",
        ),
        (
            "human_gate: {type: NEVER, options: [{id: a, label: b, action: abort_loop}]}",
            "3:24: \"NEVER\" is no kind of gate",
        ),
    ];
    for (line, expected) in rows {
        let text = format!("hooks:\n  on_error:\n    {line}\n");
        let found = problems(&text);
        assert!(
            found.iter().any(|found| found.starts_with(expected)),
            "{line}\nexpected {expected}\nfound {found:#?}"
        );
    }
}

#[test]
fn all_slips_are_reported_at_once_and_in_order() {
    let text =
        "hooks:\n  on_eror: {}\n  on_error:\n    timing: x\n    actions: [x, log_error, y]\naudit: 1\n";
    let lines: Vec<usize> = parse(text, &BUILTIN).problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [2, 4, 5, 5, 6]);
}

#[test]
fn the_documents_words_and_values_that_are_not_built_in_are_accepted() {
    let text = r#"
hooks:
  on_error:
    owner: someone else's field
    agents_to_invoke:
      - agent: prompt-reinforcement
        inputs: {error_type: "{error.type}", deep: {list: ["{iteration}", 0.5, null]}}
      - agent: my-detector
        required: false
        command: ["./my-detector", "--fast"]
    state_updates:
      - append: "escalation_history"
        from: "my-detector.anything.at_all"
      - set: last_error
        value: null
    conditional_actions:
      - condition: "error_count >= 3 AND same_error_repeated"
        action: trigger_hook
        hook: stuck_loop_detected
      - condition: baseline_metrics.test_count < 10
        action: pause_execution
  reinforcement_escalation:
    thresholds: {iteration_2: standard, quality_plateau: ADAPTIVE}
execution:
  timeout_ms: {default: null, on_error: 250, stuck_loop_detected: 60000}
performance:
  false_positive_rate: {target: 2.5}
conversable_agent_protocol:
  message_format: {role: user}
"#;
    let parsed = parse(text, &BUILTIN);
    let hook = parsed.definitions.hook(HookName::OnError);
    // What is right and has no effect is a warning.
    let warned: Vec<usize> = parsed.problems.iter().map(|problem| problem.line).collect();
    assert!(parsed.is_usable());
    assert_eq!(warned, [12, 20], "{:#?}", parsed.problems);
    let external = &hook.agents[1];
    assert_eq!(external.command.as_ref().unwrap().to_vec(), ["./my-detector", "--fast"]);
    assert_eq!((external.required, external.built_in(), hook.agents[0].required), (false, None, true));
    assert_eq!(hook.agents[0].built_in(), Some(Agent::PromptReinforcement));
    assert_eq!(hook.state_updates[1].change, FieldChange::Set(UpdateSource::Value(DefinitionValue::Null)));
    assert_eq!(hook.conditional_actions[0].then, ConditionOutcome::Trigger(HookName::StuckLoopDetected));
    assert_eq!(hook.conditional_actions[1].then, ConditionOutcome::Act(Action::PauseExecution));
    assert_eq!(hook.actions, BUILTIN.hook(HookName::OnError).actions);
    let thresholds = &parsed.definitions.hook(HookName::ReinforcementEscalation).thresholds;
    assert_eq!((thresholds[0].at, thresholds[0].level), (ThresholdAt::Iteration(2), Level::Standard));
    assert_eq!(thresholds.len(), 2);
    let execution = &parsed.definitions.execution;
    assert_eq!(execution.timeout(HookName::LoopStart), None);
    assert_eq!(execution.timeout(HookName::OnError), Some(Duration::from_millis(250)));
    assert_eq!(execution.timeout(HookName::PreToolCall), Some(Duration::from_millis(2_000)));
    assert_eq!(execution.timeout(HookName::StuckLoopDetected), Some(Duration::from_secs(60)));
    assert_eq!(parsed.definitions.performance.max_false_positive_percentage, 2.5);
}

#[test]
fn the_built_in_definitions_are_the_documents() {
    let execution = &BUILTIN.execution;
    let rows = [
        (HookName::LoopStart, Some(5_000), false, false, OnFailure::LogAndContinue),
        (HookName::PreToolCall, Some(2_000), true, false, OnFailure::LogAndContinue),
        (HookName::PostToolCall, Some(5_000), false, true, OnFailure::LogAndContinue),
        (HookName::RegressionDetected, Some(10_000), true, false, OnFailure::AbortIteration),
        (HookName::StuckLoopDetected, None, true, false, OnFailure::ForcePause),
    ];
    for (hook, limit, blocking, asynchronous, failure) in rows {
        assert_eq!(execution.timeout(hook), limit.map(Duration::from_millis), "{hook:?}");
        assert_eq!(execution.is_blocking(hook), blocking, "{hook:?}");
        assert_eq!(execution.is_async(hook), asynchronous, "{hook:?}");
        assert_eq!(execution.on_failure(hook), failure, "{hook:?}");
    }
    let options = |hook| -> Vec<(&str, GateAction)> {
        let gate = BUILTIN.hook(hook).gate.as_ref().unwrap();
        gate.options.iter().map(|option| (option.id.as_ref(), option.action)).collect()
    };
    assert_eq!(
        options(HookName::RegressionDetected),
        [
            ("reject", GateAction::RevertChange),
            ("approve", GateAction::AcceptChange),
            ("abort", GateAction::AbortLoop)
        ]
    );
    assert_eq!(
        options(HookName::StuckLoopDetected),
        [
            ("continue", GateAction::ResumeWithNewStrategy),
            ("abort", GateAction::AbortLoop),
            ("manual_fix", GateAction::PauseForManualIntervention)
        ]
    );
    assert!(
        BUILTIN.hook(HookName::PreToolCall).asks(Agent::LazinessDetector).is_some_and(|ask| !ask.required)
    );
}

#[test]
fn built_in_risk_patterns_mean_tests_and_deletions() {
    let patterns = &BUILTIN.hook(HookName::PreToolCall).risk_patterns;
    let files = [
        ("src/test/a.ts", true),
        ("src/a.test.ts", true),
        ("a.spec.jsx", true),
        ("pkg/a_test.go", true),
        ("tests/a.rs", true),
        ("test_a.py", true),
        ("src/a.ts", false),
        ("src/contest/a.ts", false),
    ];
    for (path, risky) in files {
        assert_eq!(patterns.iter().any(|pattern| pattern.means_file("Edit", path)), risky, "{path}");
    }
    let commands = [
        ("rm -rf x", true),
        ("rm -r x", true),
        ("git rm -r x", true),
        ("rm x", false),
        ("git status", false),
    ];
    for (command, risky) in commands {
        assert_eq!(patterns.iter().any(|pattern| pattern.means_command("Bash", command)), risky, "{command}");
    }
}

proptest::proptest! {
    #[test]
    fn any_tree_is_read_or_refused(
        lines in proptest::collection::vec((0usize..5, proptest::sample::select(WORDS), proptest::sample::select(VALUES)), 0..25)
    ) {
        let text: String =
            lines.iter().map(|(depth, word, value)| format!("{}{word}{value}\n", "  ".repeat(*depth))).collect();
        let parsed = parse(&text, &BUILTIN);
        for problem in &parsed.problems {
            proptest::prop_assert!(problem.line >= 1 && problem.column >= 1, "{problem}");
        }
    }
}

const WORDS: &[&str] = &[
    "hooks:",
    "on_error:",
    "actions:",
    "- condition:",
    "- set:",
    "value:",
    "- agent:",
    "inputs:",
    "human_gate:",
    "options:",
    "- id:",
    "execution:",
    "timeout_ms:",
    "default:",
    "thresholds:",
    "iteration_3:",
    "recovery_protocol:",
    "steps:",
    "state_updates:",
    "conditional_actions:",
    "agents_to_invoke:",
    "- PAUSE:",
    "audit:",
    "log_format:",
    "x:",
];
const VALUES: &[&str] =
    &["", "", "", " a", " 1", " [a, {b: c}]", " {a: 1}", " ~", " true", " 'x", " \"{task}\""];
