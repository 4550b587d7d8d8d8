//! The sections of the `agent_persistence` block, a type each.

use std::borrow::Cow;

use serde::Serialize;

use crate::model::finding::RegressionType;
use crate::state::loop_state::Level;

/// `agent_persistence.detection`.
#[derive(Debug, Clone, PartialEq)]
pub struct Detection {
    /// How strictly findings are acted on.
    pub mode: Mode,
    /// The regression types that are looked for; `None` means all of them.
    pub patterns_enabled: Option<Vec<RegressionType>>,
}

/// How strictly findings are acted on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Nothing is detected.
    Off,
    /// Critical findings alone act.
    Minimal,
    /// Critical and high findings act; medium ones are advice.
    #[default]
    Standard,
    /// Medium findings act like high ones.
    Aggressive,
}

/// `agent_persistence.reinforcement`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reinforcement {
    /// The level before any threshold is reached.
    pub default_level: Level,
    /// From which iteration on which level holds.
    pub escalation_thresholds: LevelThresholds,
    /// A change of quality below this share of the scale counts as none: 0.05 is 5 of 100 points.
    pub quality_plateau_threshold: f64,
    /// A folder with texts that replace the built-in ones, relative to the project.
    pub templates_dir: Option<String>,
    /// How long a reminder may be.
    pub token_budgets: TokenBudgets,
}

/// Level by first iteration, in the order of iterations.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelThresholds(pub Cow<'static, [(u32, Level)]>);

impl LevelThresholds {
    /// Those that hold where nobody has set any.
    pub const KNOWN: LevelThresholds =
        LevelThresholds(Cow::Borrowed(&[(3, Level::Standard), (5, Level::Aggressive)]));
}

/// `agent_persistence.reinforcement.token_budgets`: tokens a reminder may take, by level.
#[derive(Debug, Clone, PartialEq)]
pub struct TokenBudgets {
    /// At MINIMAL.
    pub minimal: u64,
    /// At STANDARD.
    pub standard: u64,
    /// At AGGRESSIVE.
    pub aggressive: u64,
    /// At ADAPTIVE.
    pub adaptive: u64,
    /// All reminders of a session together; `None` is without limit.
    pub session: Option<u64>,
}

/// `agent_persistence.recovery`.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery {
    /// Tries to mend one regression before a person is asked.
    pub max_retries: u64,
    /// Whether a critical regression is a person's matter at once.
    pub auto_escalate_on_critical: bool,
    /// Minutes until a waiting gate is reported as overdue; `None` waits forever. No gate opens by itself.
    pub human_gate_timeout_minutes: Option<u64>,
}

/// `agent_persistence.best_output_selection`.
#[derive(Debug, Clone, PartialEq)]
pub struct BestOutputSelection {
    /// False: the last iteration is taken.
    pub enabled: bool,
    /// The least quality that counts as acceptable, 0 to 100.
    pub quality_threshold: f64,
    /// Whether an iteration without a passed verification is out.
    pub require_verification: bool,
}

/// `agent_persistence.performance`: targets that are measured and reported, not enforced.
#[derive(Debug, Clone, PartialEq)]
pub struct PerformanceConfig {
    /// Milliseconds from a hook's start to its answer, 95th percentile.
    pub detection_latency_budget_ms: u64,
    /// What all hooks may add to an iteration, percent.
    pub max_integration_overhead_percentage: f64,
}

/// `agent_persistence.commands`: shell commands, for projects whose own can't be guessed.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandsConfig {
    /// Runs the tests.
    pub test: Option<String>,
    /// Runs the linter.
    pub lint: Option<String>,
    /// Measures coverage.
    pub coverage: Option<String>,
    /// Checks types.
    pub types: Option<String>,
    /// Builds.
    pub build: Option<String>,
    /// Lists the tests without running them, in its runner's own form.
    pub list: Option<String>,
}

/// `agent_persistence.measuring`.
#[derive(Debug, Clone, PartialEq)]
pub struct MeasuringConfig {
    /// Seconds that all commands may take before a loop starts.
    pub start_seconds: u64,
    /// Seconds that all commands may take at the end of an iteration; 0 runs none.
    pub stop_seconds: u64,
}

/// `agent_persistence.notify`.
#[derive(Debug, Clone, PartialEq)]
pub struct Notify {
    /// A shell command that is run on a critical finding.
    pub command: Option<String>,
    /// What the session's own terminal does besides.
    pub terminal: TerminalNotice,
}

/// Whether the agent hears of what does not stop a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Notes {
    /// It is on record alone.
    Off,
    /// It is said, once.
    #[default]
    On,
}

/// How a terminal calls its person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum TerminalNotice {
    /// It doesn't.
    Off,
    /// With its bell.
    #[default]
    Bell,
    /// With a notification on the desktop.
    Desktop,
}

/// `agent_persistence.verification`.
#[derive(Debug, Clone, PartialEq)]
pub struct VerificationConfig {
    /// Seconds that the completion commands may take at the end of an iteration.
    pub timeout_seconds: u64,
    /// When a criterion that passes is run with the tests of the loop's start.
    pub prove: ProveMode,
}

/// `agent_persistence.verification.prove`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProveMode {
    /// Never.
    Off,
    /// When something that decides the criterion has changed.
    Auto,
    /// Always.
    Always,
}

/// `agent_persistence.checkpoints`.
#[derive(Debug, Clone, PartialEq)]
pub struct Checkpoints {
    /// The largest file that is kept, in MiB.
    pub max_file_mb: u64,
    /// All files of one call together, in MiB.
    pub max_call_mb: u64,
    /// How many files of one call are kept.
    pub max_call_files: u64,
    /// What all that is kept may take, in MiB.
    pub max_total_mb: u64,
    /// Days after which a checkpoint may go.
    pub retention_days: u64,
    /// How many of the newest checkpoints stay, however old.
    pub keep: u64,
}

impl Reinforcement {
    /// The level that the number of an iteration asks for, whatever else may raise it.
    pub fn level_at(&self, iteration: u32) -> Level {
        let reached = self.thresholds().rfind(|(from, _)| *from <= iteration);
        reached.map_or(self.default_level, |(_, level)| level)
    }

    /// From which iteration on which level holds. Those that nobody has set never lower the level that a project begins
    /// with; those that somebody has set hold as they are.
    pub fn thresholds(&self) -> impl DoubleEndedIterator<Item = (u32, Level)> {
        let is_own = self.escalation_thresholds != LevelThresholds::KNOWN;
        let all = self.escalation_thresholds.0.iter().copied();
        all.filter(move |(_, level)| is_own || *level >= self.default_level)
    }
}

impl TokenBudgets {
    /// The tokens that a reminder at `level` may take.
    pub fn at(&self, level: Level) -> u64 {
        match level {
            Level::Off => 0,
            Level::Minimal => self.minimal,
            Level::Standard => self.standard,
            Level::Aggressive => self.aggressive,
            Level::Adaptive => self.adaptive,
        }
    }
}
