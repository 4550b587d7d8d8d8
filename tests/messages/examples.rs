//! Each text of `src/text` as it comes out with everyday values, by where it is read.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;
use serde_json::json;
use steadfast::loops::learning::Learning;
use steadfast::loops::verification::{CheckResult, VerificationResult};
use steadfast::model::finding::{Finding, Severity};
use steadfast::state::gate::{Gate, GateDecision};
use steadfast::state::loop_state::LoopState;
use steadfast::state::records::{HookFailure, RegressionEvent};
use steadfast::state::registry::RegistryEntry;
use steadfast::text::banner::{self, AbortedLoop, BannerIteration, LimitReached, LoopLimit, SuccessfulLoop};
use steadfast::text::verdicts::Safety;
use steadfast::text::{
    allowance, diagnostic, disarming, failure, gate, headline, health, persistence, session, verdicts,
    witness,
};

use crate::block;

/// Who reads a text, and when; the function that makes it; the text.
type Row = (&'static str, &'static str, String);

/// Parts of texts, and what decides instead of saying.
const NO_MESSAGES: &[&str] = &[
    "banner::is_iteration",
    "headline::listed",
    "headline::one_line",
    "headline::cut",
    "persistence::best",
    "persistence::quality",
    "session::are_hooks_active",
    "tense::happened",
    "verdicts::short_id",
];

/// The chapter.
pub(crate) fn chapter() -> String {
    let mut out = String::new();
    let mut made: Vec<&str> = Vec::new();
    for (title, rows) in [
        ("Before and after a call", calls()),
        ("A gate", gates()),
        ("A session, and a loop in it", sessions()),
        ("A loop's own words", banners()),
        ("When something is wrong with the guard", faults()),
    ] {
        writeln!(out, "### {title}\n").unwrap();
        for (function, when, text) in rows {
            made.push(function);
            writeln!(out, "{when}:\n\n{}", block(&text)).unwrap();
        }
    }
    let missing: Vec<String> = functions()
        .into_iter()
        .filter(|name| !made.contains(&name.as_str()) && !NO_MESSAGES.contains(&name.as_str()))
        .collect();
    assert!(missing.is_empty(), "no example of: {}", missing.join(", "));
    out
}

/// The public functions and texts of `src/text` with their file, as `gate::opened`.
fn functions() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/text");
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let file = path.file_stem().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            continue;
        }
        for line in fs::read_to_string(&path).unwrap().lines() {
            let function = line.strip_prefix("pub fn ").map(|rest| rest.split(['(', '<']).next());
            let constant = || line.strip_prefix("pub const ").filter(|it| it.contains("&str"));
            let name = function.unwrap_or_else(|| constant().map(|rest| rest.split(':').next().unwrap()));
            all.extend(name.map(|name| format!("{file}::{name}")));
        }
    }
    assert!(all.len() > 40, "{all:?}");
    all
}

fn findings() -> Vec<Finding> {
    let finding = |id, name, severity, path: &str, lost: &[&str], what: &str, mend: &str| Finding {
        pattern_id: id,
        pattern_name: name,
        regression_type: None,
        severity,
        path: path.to_owned(),
        line: None,
        lost: lost.iter().map(|&name| name.to_owned()).collect(),
        what: what.to_owned(),
        mend: mend.to_owned(),
        confidence: 1.0,
        left_out: None,
    };
    vec![
        finding(
            "LP-001",
            "Test Deletion",
            Severity::Critical,
            "math.test.js",
            &["adds negative numbers", "is commutative"],
            "2 of 5 tests would be gone",
            "Each lost test can be kept, or added at its new place first: then this edit passes.",
        ),
        finding(
            "LP-R002",
            "Skipping Configuration",
            Severity::High,
            "package.json",
            &[],
            "`test` would no longer run `node --test`",
            "The command can stay as it is.",
        ),
    ]
}

fn regression() -> RegressionEvent {
    serde_json::from_value(json!({
        "event_id": "5f1c2a3b-0000-4000-8000-000000000000", "timestamp": "2026-01-02T03:04:05Z", "iteration": 2,
        "regression_type": "test_deletion", "severity": "critical", "display_id": "reg-001",
        "details": {"diff": {"deleted_tests": ["math.test.js: adds negative numbers", "math.test.js: is commutative"]}},
    }))
    .unwrap()
}

fn calls() -> Vec<Row> {
    let all = findings();
    let one = &all[..1];
    let event = regression();
    let risks = [
        ("test_file_modification", "math.test.js", Safety::Kept { files: 1, undo: "--last" }),
        ("validation_modification", "src/check.js", Safety::Kept { files: 1, undo: "--last" }),
        ("emptied_before_read", "notes.txt", Safety::NotKept),
        ("uncommitted_work_replaced", "src/a.js", Safety::Kept { files: 1, undo: "--last" }),
        ("version_control_deletion", "src/a.js", Safety::Kept { files: 1, undo: "--last" }),
        ("bulk_deletion", "src/old", Safety::Kept { files: 12, undo: "--last" }),
        ("file_deletion", "src/gone.js", Safety::Nothing),
        ("other", "src/a.js", Safety::NotKept),
    ];
    let risk = |(class, target, safety): (&str, &str, Safety<'_>)| {
        verdicts::risk(target, class, Severity::Medium, safety)
    };
    vec![
        ("headline::of", "The first line of a stopped call", headline::of(&all)),
        ("verdicts::too_large", "The agent, of a call that is too large", verdicts::too_large(16 << 20)),
        (
            "verdicts::not_looked_at",
            "A person, of an event that is too large",
            verdicts::not_looked_at(16 << 20),
        ),
        (
            "verdicts::stopped",
            "The agent, of a denied call; a person sees the beginning",
            verdicts::stopped(one, false),
        ),
        ("verdicts::stopped", "The agent, of two findings in one call", verdicts::stopped(&all, false)),
        ("verdicts::stopped", "A person in the client's dialog", verdicts::stopped(one, true)),
        (
            "allowance::offered",
            "A person, beside a denied call",
            allowance::offered(one, "Edit math.test.js", "K7QM-2"),
        ),
        (
            "allowance::not_offered",
            "A person, of a call on the guard itself",
            allowance::not_offered(one, "Edit .claude/settings.json"),
        ),
        (
            "allowance::CODE_IN_A_PROMPT",
            "A person, of a prompt with a code in it",
            format!("Steadfast: {}", allowance::CODE_IN_A_PROMPT),
        ),
        (
            "verdicts::refused_by_a_person",
            "The agent, with the prompt after a dialog was answered with no",
            verdicts::refused_by_a_person(&[verdicts::stopped(one, true)]),
        ),
        ("verdicts::advice", "The agent, of what stops no call", verdicts::advice(&all[1..])),
        (
            "verdicts::risk",
            "The agent, of a risky target in which nothing was found",
            risks.map(risk).join("\n"),
        ),
        (
            "verdicts::several_deleted",
            "The agent, of several tracked files that a call deletes by name",
            verdicts::several_deleted(
                &["src/a.js", "src/b.js", "src/c.js"].map(str::to_owned),
                Safety::Kept { files: 3, undo: "--tool-call toolu_01" },
            ),
        ),
        (
            "verdicts::counted_only",
            "The agent, of a file that is too large",
            verdicts::counted_only("data.test.js", [(3, 3), (0, 1)]),
        ),
        (
            "verdicts::lost_by_call",
            "The agent, after a call that lost something",
            verdicts::lost_by_call(&all, Some("toolu_01")),
        ),
        ("headline::after_call", "Its first line", headline::after_call(one)),
        ("verdicts::lost_meanwhile", "The agent, of losses between two turns", verdicts::lost_meanwhile(one)),
        ("headline::between_turns", "Its first line", headline::between_turns(one)),
        (
            "verdicts::outside_of_scope",
            "A person, of files outside of a loop's scope",
            verdicts::outside_of_scope(one),
        ),
        (
            "verdicts::open_regressions",
            "The agent, at the end of a turn with open losses",
            verdicts::open_regressions(&[&event], false),
        ),
        (
            "verdicts::open_regressions",
            "The same again, within the turn",
            verdicts::open_regressions(&[&event, &event], true),
        ),
    ]
}

fn a_gate(subject: &str) -> Gate {
    let message = match subject {
        "stuck_loop" => {
            "The loop does not get on.\n\nThe same failure three times:\nTypeError: x is undefined\n\nWhat next?"
        }
        _ => {
            "2 tests were lost in iteration 2.\n\n- math.test.js: adds negative numbers\n- math.test.js: is commutative"
        }
    };
    let choices = match subject {
        "stuck_loop" => json!([
            {"id": "continue", "label": "go on with another strategy", "decision": "continue"},
            {"id": "manual_fix", "label": "pause, until it is mended by hand", "decision": "manual_fix"},
            {"id": "abort", "label": "end the loop", "decision": "abort"},
        ]),
        _ => json!([
            {"id": "reject", "label": "put back what was lost", "decision": "reject"},
            {"id": "approve", "label": "accept the loss", "decision": "approve"},
        ]),
    };
    serde_json::from_value(json!({
        "gate_id": "g", "subject": subject, "gate_type": "TERMINATE", "opened_at": "2026-01-02T03:04:05Z",
        "iteration": 2, "message": message, "choices": choices,
    }))
    .unwrap()
}

fn gates() -> Vec<Row> {
    let (lost, stuck) = (a_gate("regression"), a_gate("stuck_loop"));
    let decided = |gate: &Gate, decision, back_to, reason| {
        let text = gate::decided(gate, decision, back_to, reason, &["Rename it instead of removing it."]);
        ("gate::decided", "The agent, after a decision", text)
    };
    vec![
        ("gate::opened", "A person, when a gate opens", gate::opened(&lost, "K7QM-2")),
        ("gate::opened", "A person, about a loop that does not get on", gate::opened(&stuck, "K7QM-2")),
        ("gate::now_waits", "The agent, when a gate has opened", gate::now_waits(&lost)),
        ("gate::held_back", "The agent, of a call that waits", gate::held_back(Some(&lost))),
        ("gate::held_back", "The agent, of a call while a loop is stuck", gate::held_back(Some(&stuck))),
        (
            "gate::person_held_back",
            "A person, of a call that waits",
            gate::person_held_back(Some(&lost), "Edit src/a.js"),
        ),
        ("gate::waiting", "A person, at the end of a turn", gate::waiting(&lost)),
        ("gate::no_answer", "A person, of an answer that does not fit", gate::no_answer(&lost, "manual_fix")),
        (
            "gate::waits_in_another_session",
            "The agent, in a session beside the one that waits",
            gate::waits_in_another_session("ralph-fix-1a2b3c4d", &lost),
        ),
        (
            "gate::rejection_puts_back",
            "A person, of what a rejection does outside of a loop",
            format!(
                "{}\n{}",
                gate::rejection_puts_back(&["math.test.js".to_owned()]),
                gate::rejection_puts_back(&[])
            ),
        ),
        (
            "gate::about",
            "What a gate is about",
            ["regression", "stuck_loop", "destructive_action", "false_positive"]
                .map(|it| gate::about(&a_gate(it)))
                .join("\n"),
        ),
        decided(&lost, GateDecision::Reject, Some(1), Some("keep them")),
        decided(&lost, GateDecision::Approve, None, None),
        decided(&stuck, GateDecision::Continue, None, None),
        decided(&stuck, GateDecision::ManualFix, None, None),
        decided(&stuck, GateDecision::Abort, None, None),
    ]
}

fn a_loop(status: &str) -> LoopState {
    serde_json::from_value(json!({
        "version": "3.0.0", "loop_id": "ralph-fix-1a2b3c4d", "task": "Fix the failing tests", "status": status,
        "kind": "explicit", "started_at": "2026-01-02T03:04:05Z", "last_updated": "2026-01-02T03:04:05Z",
        "completion_criteria": "npm test passes", "iteration": 2,
        "configuration": {"max_iterations": 10, "timeout_minutes": 60},
        "baseline_metrics": {"captured_at": "2026-01-02T03:04:05Z", "test_count": 5, "coverage_percentage": 85.0},
        "iteration_history": [{
            "iteration": 1, "timestamp": "2026-01-02T03:04:05Z", "quality_score": 80.0,
            "result": "1 of 5 tests fails", "action": "edited src/math.js", "learnings": "subtract returns a string",
        }],
        "regression_events": [serde_json::to_value(regression()).unwrap()],
    }))
    .unwrap()
}

fn sessions() -> Vec<Row> {
    let running = a_loop("running");
    let entry: RegistryEntry = running.registry_entry();
    let active = |status: &str, enabled| session::hooks_active(&a_loop(status), enabled);
    let one_iteration =
        LoopState { task: "Rewrite the whole application in another language".into(), ..a_loop("running") };
    vec![
        ("session::started", "A person, when a loop has started", session::started(&running, Some(8))),
        ("session::hints", "A person, before it begins", session::hints(&one_iteration).join("\n")),
        (
            "session::loop_context",
            "The agent, at the start of a session or turn",
            session::loop_context(&running, None),
        ),
        ("session::claimed", "A person, when a session takes a loop up", session::claimed(&running)),
        (
            "session::left",
            "A person, of a loop whose session has ended",
            session::left("ralph-fix-1a2b3c4d", &entry),
        ),
        (
            "session::left_open",
            "A person, when a session goes on with what an earlier one lost",
            session::left_open(&running).unwrap(),
        ),
        (
            "session::crashed",
            "A person, of a loop whose client is gone",
            session::crashed("ralph-fix-1a2b3c4d"),
        ),
        ("session::overdue", "A person, of a loop whose time is over", session::overdue(&running)),
        (
            "session::waits_for_a_person",
            "A person, when a loop stands still",
            session::waits_for_a_person(&running, "three turns have ended without a change"),
        ),
        (
            "session::given_up",
            "A person, when more was kept than there is room for",
            session::given_up(12, 5_400 << 20, 4_900 << 20, 5_000),
        ),
        ("session::waits_at_cap", "A person, at the client's limit", session::waits_at_cap(&running)),
        (
            "session::paused_meanwhile",
            "A person, who paused the loop while the criterion ran",
            session::paused_meanwhile(&running),
        ),
        (
            "session::hooks_active",
            "`steadfast status`",
            ["running", "paused", "crashed", "failed", "completed"]
                .map(|status| active(status, true))
                .join("\n")
                + "\n"
                + &active("running", false),
        ),
        (
            "persistence::metrics",
            "Its figures",
            persistence::metrics(&json!({"test_count": 5, "coverage_percentage": 85})),
        ),
        (
            "persistence::persistence",
            "`steadfast status --persistence`",
            persistence::persistence(&running, Some(0.1)),
        ),
        ("persistence::regressions", "`steadfast status --regressions`", persistence::regressions(&running)),
    ]
}

fn verification(passed: bool, output: &str) -> VerificationResult {
    let check = CheckResult {
        command: "npm test".into(),
        passed,
        reason: if passed { "exit code 0" } else { "exit code 1" }.into(),
        output_tail: output.into(),
        ..CheckResult::default()
    };
    VerificationResult { passed, checks: vec![check], duration_ms: 12 }
}

fn banners() -> Vec<Row> {
    let (failed, passed) =
        (verification(false, "not ok 2 - subtracts\n"), verification(true, "# pass 5\n# fail 0\n"));
    let learning = Learning {
        failed: "subtracts: 1 !== 2".into(),
        why: "Expected 2, got 1.".into(),
        next: "Start at src/math.js:3.".into(),
        ..Learning::default()
    };
    let learnings = std::slice::from_ref(&learning);
    let (loop_id, task) = ("ralph-fix-1a2b3c4d", "Fix the failing tests");
    let (report, state) =
        (".aiwg/ralph/completion-2026-01-02.md", ".aiwg/ralph/loops/ralph-fix-1a2b3c4d/state.json");
    let changed = ["src/math.js".to_owned()];
    let iteration = BannerIteration {
        loop_id,
        task,
        number: 2,
        max: 10,
        previous: learnings,
        approach: "edited src/math.js",
        changed: &changed,
        verification: &failed,
        learning: Some(&learning),
        room: 1_400,
    };
    let success = SuccessfulLoop {
        task,
        iterations: 3,
        seconds: 95,
        verification: &passed,
        files: 1,
        added: 4,
        removed: 2,
        others: &["notes.md".to_owned()],
        report,
    };
    let limit = LimitReached {
        loop_id,
        task,
        limit: LoopLimit::MaxIterations,
        iterations: 10,
        max: 10,
        higher: 20,
        minutes: 60,
        last_attempt: "edited src/math.js",
        verification: Some(&failed),
        learnings,
        state,
        report,
    };
    let ended = AbortedLoop {
        loop_id,
        task,
        iterations: 2,
        seconds: 95,
        reason: "no longer needed",
        reverted: false,
        files: 1,
        learnings,
        report,
        state,
    };
    let looped = a_loop("running");
    let stuck = diagnostic::StuckLoop {
        state: &looped,
        pattern: "TypeError: x is undefined",
        trigger: "the same failure three times",
        iteration: 4,
        changed: &changed,
        learned: &["subtract returns a string".to_owned()],
        now: "2026-01-02T03:04:05Z".parse().unwrap(),
    };
    vec![
        ("banner::iteration", "The agent, after an iteration that failed", banner::iteration(&iteration)),
        ("banner::success", "A person, when the criterion is met", banner::success(&success)),
        ("banner::limit", "A person, when a limit is reached", banner::limit(&limit)),
        ("banner::aborted", "A person, when a loop was ended", banner::aborted(&ended)),
        ("diagnostic::report", "The report about a loop that does not get on", diagnostic::report(&stuck)),
    ]
}

fn faults() -> Vec<Row> {
    let failed = |on_failure: &str| HookFailure {
        hook: "regression_detected".into(),
        on_failure: on_failure.into(),
        reason: "the required agent regression-detector failed".into(),
        loop_id: "ralph-fix-1a2b3c4d".into(),
        iteration: 2,
        timestamp: Timestamp::UNIX_EPOCH,
    };
    let (abort, pause) = (failed("abort_iteration"), failed("force_pause"));
    let hook = Path::new("/home/ada/.local/bin/steadfast-hook");
    let registry = Path::new(".aiwg/ralph/registry.json");
    let (settings, ignore) = (".claude/settings.json", "the hook for PreToolUse is gone");
    let lost = ["loop ralph-fix-1a2b3c4d is missing".to_owned()];
    let own = ["terms.json".to_owned(), "state.seal".to_owned()];
    vec![
        ("failure::held", "The agent, of a call after a hook failed", failure::held(&abort)),
        ("failure::held", "The agent, while the loop is paused for it", failure::held(&pause)),
        ("failure::aborted", "In the log", failure::aborted(&abort)),
        ("health::SWITCHED_OFF", "A person, at a session's start", health::SWITCHED_OFF.to_owned()),
        ("health::SWITCHED_OFF_WITHIN", "A person, in a session", health::SWITCHED_OFF_WITHIN.to_owned()),
        ("health::DETECTION_OFF", "A person, at a session's start", health::DETECTION_OFF.to_owned()),
        (
            "health::events_left_out",
            "A person, at a session's start",
            health::events_left_out(&["Stop", "PostToolUse"]),
        ),
        ("health::tools_left_out", "A person, at a session's start", health::tools_left_out(&["Bash"])),
        ("health::program_missing", "A person, at a session's start", health::program_missing(hook)),
        (
            "health::program_does_not_start",
            "A person, at a session's start",
            health::program_does_not_start(hook, "Permission denied"),
        ),
        (
            "health::program_fails",
            "A person, at a session's start",
            health::program_fails(hook, Some(1), Duration::from_millis(12)),
        ),
        (
            "health::untested_client",
            "A person, at a session's start",
            health::untested_client("2.2.0", "2.1.332"),
        ),
        (
            "health::unrecorded",
            "A person, when nothing can be written",
            health::unrecorded("No space left on device"),
        ),
        (
            "health::git_is_silent",
            "The agent, when git does not answer",
            health::git_is_silent("git is not installed"),
        ),
        (
            "health::log_changed",
            "A person, of a log that something else changed",
            health::log_changed("ralph-fix-1a2b3c4d", "line 7 is not what was written"),
        ),
        (
            "disarming::weakened",
            "Person and agent, of settings that no call changed",
            disarming::weakened(settings, ignore, true)
                + "\n"
                + &disarming::weakened(settings, ignore, false),
        ),
        (
            "disarming::loosened",
            "A person, of a change that leaves the guard on",
            disarming::loosened("aiwg.yml", "`notes` is off"),
        ),
        (
            "disarming::forged",
            "Person and agent, of a hook that the client did not call",
            disarming::forged("Stop", "bash"),
        ),
        (
            "disarming::in_an_earlier_session",
            "The same in the next session",
            disarming::in_an_earlier_session(&disarming::forged("Stop", "bash")),
        ),
        (
            "witness::differs",
            "Person and agent, of a state that something else changed",
            witness::differs(registry, &lost, true) + "\n" + &witness::differs(registry, &lost, false),
        ),
        (
            "witness::own_files_changed",
            "The same, of files on which decisions rest",
            witness::own_files_changed(&own, true) + "\n" + &witness::own_files_changed(&own, false),
        ),
        (
            "witness::registry_changed",
            "`steadfast status`, before a hook has put the registry right",
            witness::registry_changed(&lost),
        ),
        (
            "witness::changed",
            "The same afterwards, on the record of a loop",
            witness::changed(&lost) + "\n" + &witness::changed(&[]),
        ),
    ]
}
