//! What can be configured, and what holds where nothing is.

use std::collections::BTreeMap;

use super::globs::{self, Globs};
use super::sections::{
    BestOutputSelection, Checkpoints, CommandsConfig, Detection, LevelThresholds, MeasuringConfig, Mode,
    Notes, Notify, PerformanceConfig, ProveMode, Recovery, Reinforcement, TerminalNotice, TokenBudgets,
    VerificationConfig,
};
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
    pub performance: PerformanceConfig,
    /// The project's own commands.
    pub commands: CommandsConfig,
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
    pub measuring: MeasuringConfig,
    /// The bounds of a verification.
    pub verification: VerificationConfig,
    /// Folders that a build makes again, besides the well-known ones: their deletion is no loss.
    pub build_folders: Vec<String>,
    /// What is kept for `steadfast undo`.
    pub checkpoints: Checkpoints,
}

impl Config {
    /// What holds without a file. A constant, so a project without one pays for a failed open and no more.
    pub const DEFAULT: Config = Config {
        enabled: true,
        detection: Detection { mode: Mode::Standard, patterns_enabled: None },
        reinforcement: Reinforcement {
            default_level: Level::Minimal,
            escalation_thresholds: LevelThresholds::KNOWN,
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
        performance: PerformanceConfig {
            detection_latency_budget_ms: 500,
            max_integration_overhead_percentage: 10.0,
        },
        commands: CommandsConfig {
            test: None,
            lint: None,
            coverage: None,
            types: None,
            build: None,
            list: None,
        },
        protected_paths: Vec::new(),
        denied_commands: Vec::new(),
        allowed_commands: Vec::new(),
        allowed_paths: Vec::new(),
        pattern_severity: BTreeMap::new(),
        notes: Notes::On,
        notify: Notify { command: None, terminal: TerminalNotice::Bell },
        custom_metrics: BTreeMap::new(),
        measuring: MeasuringConfig { start_seconds: 600, stop_seconds: 60 },
        verification: VerificationConfig { timeout_seconds: 600, prove: ProveMode::Auto },
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
