//! Faults in what checks the work: runners, linters, coverage, CI, git hooks.

pub(crate) mod check_command;
pub(crate) mod checker_config;
pub(crate) mod ci_weakening;
pub(crate) mod hook_bypass;
pub(crate) mod runner_tampering;
pub(crate) mod suppressions;
