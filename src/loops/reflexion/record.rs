//! A reflection made of what was recorded of an iteration.

use jiff::Timestamp;

use crate::loops::learning::Learning;
pub use crate::loops::reflexion::reflection::{
    ActorOutput, CreditAssignment, EvaluatorOutput, LearntAction, MemoryMetadata, Reflection, SelfReflection,
    ToolError, ToolResult, TrialOutcome,
};
use crate::loops::task_type;
use crate::loops::task_type::TaskType;
use crate::loops::verification::VerificationResult;
use crate::model::finding::counted_are;

/// The facts of one finished iteration.
#[derive(Debug, Clone, Copy)]
pub struct IterationFacts<'a> {
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
    pub verification: &'a VerificationResult,
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
pub fn of(facts: &IterationFacts<'_>) -> Reflection {
    let kind = task_type::recognise(facts.task);
    let outcome = outcome(facts);
    let (text, next) = texts(facts, outcome);
    let learning = facts.learning;
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
        actor_output: actor(facts),
        evaluator_output: evaluator(facts, kind, outcome),
        self_reflection: self_reflection(facts, text, next),
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

/// What the agent did.
fn actor(facts: &IterationFacts<'_>) -> ActorOutput {
    let changed = facts.changed.iter().take(50);
    ActorOutput {
        actions: changed.clone().map(|path| action(path)).collect(),
        strategy: facts.said.to_owned(),
        files_modified: changed.cloned().collect(),
        total_changes: facts.changed.len() as u64,
    }
}

/// What the criterion gave.
fn evaluator(facts: &IterationFacts<'_>, kind: Option<TaskType>, outcome: TrialOutcome) -> EvaluatorOutput {
    let checks = &facts.verification.checks;
    let share = ratio(checks.iter().filter(|check| check.passed).count(), checks.len());
    EvaluatorOutput {
        passed: facts.verification.passed,
        verification_type: verification_type(kind, facts.verification).to_owned(),
        results: checks.iter().map(tool_result).collect(),
        errors: facts.learning.map(error_of).into_iter().collect(),
        reward_signal: if outcome == TrialOutcome::Success { 1.0 } else { share.min(0.9) },
    }
}

/// What follows from it.
fn self_reflection(facts: &IterationFacts<'_>, text: String, next: String) -> SelfReflection {
    let learning = facts.learning;
    let why = learning.map(|learning| learning.why.clone()).unwrap_or_default();
    // Measured, not felt: a known place is surer than a bare exit code.
    let is_placed = learning.is_some_and(|learning| learning.error_type.is_some());
    SelfReflection {
        reflection_text: text,
        credit_assignment: CreditAssignment {
            root_cause: why.clone(),
            failure_category: category(facts).to_owned(),
        },
        causal_reasoning: why,
        actionable_insights: Some(next).filter(|next| !next.is_empty()).into_iter().collect(),
        lessons_learned: learning.map(|learning| learning.failed.clone()).into_iter().collect(),
        confidence: if is_placed { 0.8 } else { 0.5 },
        related_reflections: related(facts),
    }
}

fn outcome(facts: &IterationFacts<'_>) -> TrialOutcome {
    let passed_some = facts.verification.checks.iter().any(|check| check.passed);
    let fewer = facts
        .learning
        .zip(facts.previous)
        .is_some_and(|(now, before)| !now.failing.is_empty() && now.failing.len() < before.failing.len());
    match (facts.verification.passed, facts.open_regressions) {
        (true, 0) => TrialOutcome::Success,
        (true, _) => TrialOutcome::Partial,
        (false, _) if fewer || passed_some => TrialOutcome::Partial,
        (false, _) => TrialOutcome::Failure,
    }
}

fn texts(facts: &IterationFacts<'_>, outcome: TrialOutcome) -> (String, String) {
    let changed = match facts.changed {
        [] => "Nothing was changed.".to_owned(),
        [one] => format!("{one} was changed."),
        [first, rest @ ..] => format!("{first} and {} more were changed.", rest.len()),
    };
    match (facts.learning, outcome) {
        (_, TrialOutcome::Success) => (format!("The criterion holds. {changed}"), String::new()),
        (Some(learning), _) => {
            (format!("{changed} Failed: {} {}", learning.failed, learning.why), learning.next.clone())
        }
        (None, _) => (
            format!(
                "The criterion's commands pass, but {} open. {changed}",
                counted_are(facts.open_regressions, "regression")
            ),
            "Bring back what was lost; the loop is not done before.".to_owned(),
        ),
    }
}

fn trajectory(facts: &IterationFacts<'_>) -> Vec<String> {
    let mut steps: Vec<String> =
        facts.changed.iter().take(20).map(|path| format!("changed {path}")).collect();
    steps.extend(
        facts.verification.checks.iter().map(|check| format!("ran {}: {}", check.command, check.reason)),
    );
    steps
}

fn action(path: &str) -> LearntAction {
    LearntAction {
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

fn verification_type(kind: Option<TaskType>, verification: &VerificationResult) -> &'static str {
    match kind {
        _ if verification.checks.len() > 1 => "combined",
        Some(TaskType::TypeErrors) => "type_check",
        Some(TaskType::LintCleanup) => "lint",
        _ => "unit_tests",
    }
}

fn category(facts: &IterationFacts<'_>) -> &'static str {
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

fn related(facts: &IterationFacts<'_>) -> Vec<String> {
    let same =
        facts.learning.zip(facts.previous).is_some_and(|(now, before)| now.signature == before.signature);
    let before = facts.number.checked_sub(1).filter(|before| same && *before > 0);
    before.map(|before| format!("iteration-{before}")).into_iter().collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of checks are small")]
fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}
