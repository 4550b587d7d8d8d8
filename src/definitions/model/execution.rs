//! How hooks are run, what they may cost, and what they leave in the log.

use std::time::Duration;

use super::values::{DefinedList, Text};
use crate::definitions::names::{HookName, OnFailure};

/// How hooks are run.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutionPolicy {
    /// Hooks that nobody waits for.
    pub async_hooks: DefinedList<HookName>,
    /// Hooks that must be done before the session goes on.
    pub blocking_hooks: DefinedList<HookName>,
    /// Milliseconds for a hook that has none of its own; `None` is without limit.
    pub default_timeout_ms: Option<u64>,
    /// Milliseconds by hook; `None` is without limit.
    pub timeouts_ms: DefinedList<(HookName, Option<u64>)>,
    /// What follows from a failure of a hook that is not critical.
    pub default_on_failure: OnFailure,
    /// What follows from a failure of a critical hook.
    pub critical: DefinedList<(HookName, OnFailure)>,
}

impl ExecutionPolicy {
    /// How long a hook may take; `None` is without limit.
    pub fn timeout(&self, hook: HookName) -> Option<Duration> {
        let own = self.timeouts_ms.iter().find(|(name, _)| *name == hook);
        own.map_or(self.default_timeout_ms, |(_, own)| *own).map(Duration::from_millis)
    }

    /// What follows when a hook fails.
    pub fn on_failure(&self, hook: HookName) -> OnFailure {
        let own = self.critical.iter().find(|(name, _)| *name == hook);
        own.map_or(self.default_on_failure, |(_, own)| *own)
    }

    /// Whether the session waits for a hook.
    pub fn is_blocking(&self, hook: HookName) -> bool {
        self.blocking_hooks.contains(&hook)
    }

    /// Whether nobody waits for a hook.
    pub fn is_async(&self, hook: HookName) -> bool {
        self.async_hooks.contains(&hook)
    }
}

/// What hooks may cost: measured against, never enforced.
#[derive(Debug, Clone, PartialEq)]
pub struct PerformanceTargets {
    /// Milliseconds that 95 of 100 invocations stay under.
    pub target_p95_ms: u64,
    /// Milliseconds that 99 of 100 invocations stay under.
    pub target_p99_ms: u64,
    /// How much longer an iteration may become, per cent.
    pub max_overhead_percentage: f64,
    /// False detections of all detections, per cent.
    pub max_false_positive_percentage: f64,
}

/// What hooks leave in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogPolicy {
    /// Whether invocations without an outcome are logged too.
    pub log_all_hook_invocations: bool,
    /// The log, relative to the project and in `.aiwg/ralph/`, with `{loop_id}`.
    pub log_location: Text,
    /// The fields of a line and their types.
    pub log_format: DefinedList<(Text, Text)>,
    /// How long lines are kept.
    pub retention_days: u32,
}
