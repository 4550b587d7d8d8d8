//! What can be configured, and what holds where nothing is.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::globs::{self, Globs};
use crate::model::finding::{RegressionType, Severity};
use crate::shell::CommandPattern;
use crate::state::loop_state::Level;

/// What a project configured.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// False: every hook passes.
    pub enabled: bool,
    /// What is looked for.
    pub detection: Detection,
    /// How strongly the agent is reminded.
    pub reinforcement: Reinforcement,
    /// What follows a regression.
    pub recovery: Recovery,
    /// Which iteration's work is kept.
    pub best_output_selection: BestOutputSelection,
    /// What the hooks may cost.
    pub performance: Performance,
    /// The project's own commands.
    pub commands: Commands,
    /// Globs of files that the agent may not write, relative to the project.
    pub protected_paths: Vec<String>,
    /// Commands that never run without a person.
    pub denied_commands: Vec<CommandPattern>,
    /// Commands that lose nothing the project cares about; they are kept for an undo all the same.
    pub allowed_commands: Vec<CommandPattern>,
    /// Globs of files in which no finding acts, relative to the project.
    pub allowed_paths: Vec<String>,
    /// A pattern's own severity by its id, in capitals; `None` switches the pattern off.
    pub pattern_severity: BTreeMap<String, Option<Severity>>,
    /// Whether advice is given: what stops a call is said all the same.
    pub notes: Notes,
    /// Who is told of a critical finding.
    pub notify: Notify,
    /// Numbers of the project's own by name: shell commands that print one.
    pub custom_metrics: BTreeMap<String, String>,
    /// The bounds of measuring.
    pub measuring: Measuring,
    /// The bounds of a verification.
    pub verification: Verification,
    /// Folders that a build makes again, besides the well-known ones: their deletion is no loss.
    pub build_folders: Vec<String>,
    /// What is kept for `steadfast undo`.
    pub checkpoints: Checkpoints,
}

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
    pub escalation_thresholds: Thresholds,
    /// A change of quality below this share of the scale counts as none: 0.05 is 5 of 100 points.
    pub quality_plateau_threshold: f64,
    /// A folder with texts that replace the built-in ones, relative to the project.
    pub templates_dir: Option<String>,
    /// How long a reminder may be.
    pub token_budgets: TokenBudgets,
}

/// Level by first iteration, in the order of iterations.
#[derive(Debug, Clone, PartialEq)]
pub struct Thresholds(pub Cow<'static, [(u32, Level)]>);

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
pub struct Performance {
    /// Milliseconds from a hook's start to its answer, 95th percentile.
    pub detection_latency_budget_ms: u64,
    /// What all hooks may add to an iteration, percent.
    pub max_integration_overhead_percentage: f64,
}

/// `agent_persistence.commands`: shell commands, for projects whose own can't be guessed.
#[derive(Debug, Clone, PartialEq)]
pub struct Commands {
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
pub struct Measuring {
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
pub struct Verification {
    /// Seconds that the completion commands may take at the end of an iteration.
    pub timeout_seconds: u64,
    /// When a criterion that passes is run with the tests of the loop's start.
    pub prove: Prove,
}

/// `agent_persistence.verification.prove`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Prove {
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

impl Config {
    /// What holds without a file. A constant, so a project without one pays for a failed open and no more.
    pub const DEFAULT: Config = Config {
        enabled: true,
        detection: Detection { mode: Mode::Standard, patterns_enabled: None },
        reinforcement: Reinforcement {
            default_level: Level::Minimal,
            escalation_thresholds: Thresholds(Cow::Borrowed(&[(3, Level::Standard), (5, Level::Aggressive)])),
            quality_plateau_threshold: 0.05,
            templates_dir: None,
            token_budgets: TokenBudgets {
                minimal: 50,
                standard: 150,
                aggressive: 300,
                adaptive: 300,
                session: None,
            },
        },
        recovery: Recovery {
            max_retries: 3,
            auto_escalate_on_critical: true,
            human_gate_timeout_minutes: None,
        },
        best_output_selection: BestOutputSelection {
            enabled: true,
            quality_threshold: 70.0,
            require_verification: false,
        },
        performance: Performance {
            detection_latency_budget_ms: 500,
            max_integration_overhead_percentage: 10.0,
        },
        commands: Commands { test: None, lint: None, coverage: None, types: None, build: None, list: None },
        protected_paths: Vec::new(),
        denied_commands: Vec::new(),
        allowed_commands: Vec::new(),
        allowed_paths: Vec::new(),
        pattern_severity: BTreeMap::new(),
        notes: Notes::On,
        notify: Notify { command: None, terminal: TerminalNotice::Bell },
        custom_metrics: BTreeMap::new(),
        measuring: Measuring { start_seconds: 600, stop_seconds: 60 },
        verification: Verification { timeout_seconds: 600, prove: Prove::Auto },
        build_folders: Vec::new(),
        checkpoints: Checkpoints {
            max_file_mb: 64,
            max_call_mb: 512,
            max_call_files: 20_000,
            max_total_mb: 5_000,
            retention_days: 30,
            keep: 5,
        },
    };

    /// Whether a regression type is looked for.
    pub fn looks_for(&self, kind: RegressionType) -> bool {
        self.detection.patterns_enabled.as_ref().is_none_or(|kinds| kinds.contains(&kind))
    }

    /// The severity that a pattern has here, `usual` where nothing is said of it; `None` when it is switched off.
    pub fn severity_of(&self, pattern_id: &str, usual: Severity) -> Option<Severity> {
        self.pattern_severity.get(pattern_id).copied().unwrap_or(Some(usual))
    }

    /// Whether `path`, relative to the project with `/`, is one that the agent may not write.
    pub fn protects(&self, path: &str) -> bool {
        globs::any(&self.protected_paths, path)
    }

    /// The globs of protected paths, made ready for many questions.
    pub fn protected(&self) -> Globs {
        Globs::new(&self.protected_paths)
    }

    /// The globs of build folders, made ready for many questions.
    pub fn built(&self) -> Globs {
        Globs::new(&self.build_folders)
    }

    /// Whether findings in `path`, relative to the project with `/`, don't act.
    pub fn allows(&self, path: &str) -> bool {
        globs::any(&self.allowed_paths, path)
    }
}

impl Default for Config {
    fn default() -> Self {
        Config::DEFAULT
    }
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
        let known = Config::DEFAULT.reinforcement.escalation_thresholds;
        let is_own = self.escalation_thresholds != known;
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
