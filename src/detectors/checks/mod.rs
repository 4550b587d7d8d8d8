//! Faults in what checks the work: runners, linters, coverage, CI, git hooks.

pub(crate) mod both_settings;
pub(crate) mod build_switches;
pub(crate) mod check_command;
pub(crate) mod checker_config;
pub(crate) mod checker_levels;
pub(crate) mod checker_rules;
pub(crate) mod ci_conditions;
pub(crate) mod ci_steps;
pub(crate) mod ci_weakening;
pub(crate) mod command_files;
pub(crate) mod command_pairs;
pub(crate) mod coverage_gate;
pub(crate) mod coverage_pragmas;
pub(crate) mod gate_lines;
pub(crate) mod hook_bypass;
pub(crate) mod ignore_files;
pub(crate) mod narrowed_command;
pub(crate) mod raised_limits;
pub(crate) mod runner_tampering;
pub(crate) mod setting_keys;
pub(crate) mod source_globs;
pub(crate) mod stand_ins;
pub(crate) mod suppression_marks;
pub(crate) mod suppressions;
pub(crate) mod swallowed_failure;
