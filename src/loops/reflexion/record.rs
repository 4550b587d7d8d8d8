//! A reflection in the fields of the documents' reflection memory, and how one is made of an iteration's facts.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::loops::learning::Learning;
use crate::loops::task_type;
use crate::loops::task_type::TaskType;
use crate::loops::verification::Verification;

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The criterion holds and nothing is lost.
    Success,
    /// It does not hold.
    #[default]
    Failure,
    /// It does not hold, but less fails than before, or something was lost on the way to a pass.
    Partial,
}

/// One trial.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Reflection {
    pub trial_number: u32,
    pub timestamp: Timestamp,
    pub loop_id: String,
    pub task: String,
    pub task_type: Option<String>,
    pub outcome: Outcome,
    pub trajectory: Vec<String>,
    pub reflection: String,
    pub strategy_change: String,
    pub actor_output: ActorOutput,
    pub evaluator_output: EvaluatorOutput,
    pub self_reflection: SelfReflection,
    pub memory_metadata: MemoryMetadata,
    pub performance_delta: f64,
    /// Equal for two failures of one cause; empty after a success.
    pub signature: String,
    /// The tests that failed.
    pub failing: Vec<String>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct ActorOutput {
    pub actions: Vec<Action>,
    pub strategy: String,
    pub files_modified: Vec<String>,
    pub total_changes: u64,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct Action {
    #[serde(rename = "type")]
    pub kind: String,
    pub description: String,
    pub file_path: String,
}

/// What our own run of the criterion gave.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct EvaluatorOutput {
    pub passed: bool,
    pub verification_type: String,
    pub results: Vec<ToolResult>,
    pub errors: Vec<ToolError>,
    pub reward_signal: f64,
}

/// One command.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct ToolResult {
    pub tool: String,
    pub status: String,
    pub exit_code: Option<i32>,
    pub duration_ms: u64,
}

/// One failure.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct ToolError {
    #[serde(rename = "type")]
    pub kind: String,
    pub message: String,
}

/// What follows from it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct SelfReflection {
    pub reflection_text: String,
    pub credit_assignment: CreditAssignment,
    pub causal_reasoning: String,
    pub actionable_insights: Vec<String>,
    pub lessons_learned: Vec<String>,
    pub confidence: f64,
    pub related_reflections: Vec<String>,
}

/// What the failure is put down to.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct CreditAssignment {
    pub root_cause: String,
    pub failure_category: String,
}

/// What was in view.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct MemoryMetadata {
    pub omega_capacity: usize,
    pub current_memory_size: usize,
    pub window_policy: String,
}

/// The facts of one finished iteration.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The loop.
    pub loop_id: &'a str,
    /// Its task.
    pub task: &'a str,
    /// From 1.
    pub number: u32,
    /// When it ended.
    pub timestamp: Timestamp,
    /// What the agent said that it did.
    pub said: &'a str,
    /// The files that it changed.
    pub changed: &'a [String],
    /// What the criterion gave.
    pub verification: &'a Verification,
    /// What its failure teaches.
    pub learning: Option<&'a Learning>,
    /// The learning before.
    pub previous: Option<&'a Learning>,
    /// The change of quality, in points.
    pub quality_delta: f64,
    /// How many regressions are open.
    pub open_regressions: usize,
    /// How many reflections there are already.
    pub known: usize,
}

/// Makes the reflection of an iteration.
pub fn of(facts: &Facts<'_>) -> Reflection {
    let kind = task_type::recognise(facts.task);
    let outcome = outcome(facts);
    let (text, next) = texts(facts, outcome);
    let learning = facts.learning;
    let changed = facts.changed.iter().take(50);
    let passed = facts.verification.checks.iter().filter(|check| check.passed).count();
    let share = ratio(passed, facts.verification.checks.len());
    Reflection {
        trial_number: facts.number,
        timestamp: facts.timestamp,
        loop_id: facts.loop_id.to_owned(),
        task: facts.task.to_owned(),
        task_type: kind.map(|kind| kind.name().to_owned()),
        outcome,
        trajectory: trajectory(facts),
        reflection: text.clone(),
        strategy_change: next.clone(),
        actor_output: ActorOutput {
            actions: changed.clone().map(|path| action(path)).collect(),
            strategy: facts.said.to_owned(),
            files_modified: changed.cloned().collect(),
            total_changes: facts.changed.len() as u64,
        },
        evaluator_output: EvaluatorOutput {
            passed: facts.verification.passed,
            verification_type: verification_type(kind, facts.verification).to_owned(),
            results: facts.verification.checks.iter().map(tool_result).collect(),
            errors: learning.map(error_of).into_iter().collect(),
            reward_signal: if outcome == Outcome::Success { 1.0 } else { share.min(0.9) },
        },
        self_reflection: SelfReflection {
            reflection_text: text,
            credit_assignment: CreditAssignment {
                root_cause: learning.map(|learning| learning.why.clone()).unwrap_or_default(),
                failure_category: category(facts).to_owned(),
            },
            causal_reasoning: learning.map(|learning| learning.why.clone()).unwrap_or_default(),
            actionable_insights: Some(next).filter(|next| !next.is_empty()).into_iter().collect(),
            lessons_learned: learning.map(|learning| learning.failed.clone()).into_iter().collect(),
            // Measured, not felt: a known place is surer than a bare exit code.
            confidence: if learning.is_some_and(|learning| learning.error_type.is_some()) {
                0.8
            } else {
                0.5
            },
            related_reflections: related(facts),
        },
        memory_metadata: MemoryMetadata {
            omega_capacity: task_type::window(kind),
            current_memory_size: facts.known + 1,
            window_policy: "relevance_weighted".to_owned(),
        },
        performance_delta: facts.quality_delta,
        signature: learning.map(|learning| learning.signature.clone()).unwrap_or_default(),
        failing: learning.map(|learning| learning.failing.clone()).unwrap_or_default(),
    }
}

fn outcome(facts: &Facts<'_>) -> Outcome {
    let passed_some = facts.verification.checks.iter().any(|check| check.passed);
    let fewer = facts
        .learning
        .zip(facts.previous)
        .is_some_and(|(now, before)| !now.failing.is_empty() && now.failing.len() < before.failing.len());
    match (facts.verification.passed, facts.open_regressions) {
        (true, 0) => Outcome::Success,
        (true, _) => Outcome::Partial,
        (false, _) if fewer || passed_some => Outcome::Partial,
        (false, _) => Outcome::Failure,
    }
}

fn texts(facts: &Facts<'_>, outcome: Outcome) -> (String, String) {
    let changed = match facts.changed {
        [] => "Nothing was changed.".to_owned(),
        [one] => format!("{one} was changed."),
        [first, rest @ ..] => format!("{first} and {} more were changed.", rest.len()),
    };
    match (facts.learning, outcome) {
        (_, Outcome::Success) => (format!("The criterion holds. {changed}"), String::new()),
        (Some(learning), _) => {
            (format!("{changed} Failed: {} {}", learning.failed, learning.why), learning.next.clone())
        }
        (None, _) => (
            format!(
                "The criterion's commands pass, but {} regressions are open. {changed}",
                facts.open_regressions
            ),
            "Bring back what was lost; the loop is not done before.".to_owned(),
        ),
    }
}

fn trajectory(facts: &Facts<'_>) -> Vec<String> {
    let mut steps: Vec<String> =
        facts.changed.iter().take(20).map(|path| format!("changed {path}")).collect();
    steps.extend(
        facts.verification.checks.iter().map(|check| format!("ran {}: {}", check.command, check.reason)),
    );
    steps
}

fn action(path: &str) -> Action {
    Action {
        kind: "code_modification".to_owned(),
        description: format!("changed {path}"),
        file_path: path.to_owned(),
    }
}

fn tool_result(check: &crate::loops::verification::CheckResult) -> ToolResult {
    ToolResult {
        tool: check.command.clone(),
        status: if check.passed { "passed" } else { "failed" }.to_owned(),
        exit_code: check.exit_code,
        duration_ms: check.duration_ms,
    }
}

fn error_of(learning: &Learning) -> ToolError {
    ToolError {
        kind: learning.error_type.clone().unwrap_or_else(|| "failure".to_owned()),
        message: learning.failed.clone(),
    }
}

fn verification_type(kind: Option<TaskType>, verification: &Verification) -> &'static str {
    match kind {
        _ if verification.checks.len() > 1 => "combined",
        Some(TaskType::TypeErrors) => "type_check",
        Some(TaskType::LintCleanup) => "lint",
        _ => "unit_tests",
    }
}

fn category(facts: &Facts<'_>) -> &'static str {
    let same =
        facts.learning.zip(facts.previous).is_some_and(|(now, before)| now.signature == before.signature);
    match facts.verification.first_failure() {
        None => "none",
        Some(check) if check.timed_out => "timeout",
        Some(check) if check.not_found => "environment",
        Some(_) if facts.changed.is_empty() => "no_change",
        Some(_) if same => "wrong_approach",
        Some(_) => "incomplete_fix",
    }
}

fn related(facts: &Facts<'_>) -> Vec<String> {
    let same =
        facts.learning.zip(facts.previous).is_some_and(|(now, before)| now.signature == before.signature);
    let before = facts.number.checked_sub(1).filter(|before| same && *before > 0);
    before.map(|before| format!("iteration-{before}")).into_iter().collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of checks are small")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
