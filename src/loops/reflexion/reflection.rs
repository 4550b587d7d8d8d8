//! A reflection, in the fields of the documents' reflection memory.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// How a trial ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrialOutcome {
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
    pub outcome: TrialOutcome,
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
    pub actions: Vec<LearntAction>,
    pub strategy: String,
    pub files_modified: Vec<String>,
    pub total_changes: u64,
}

/// One changed file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[expect(missing_docs, reason = "the names are the documents'")]
pub struct LearntAction {
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
