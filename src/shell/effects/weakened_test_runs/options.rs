//! Options and variables that make a test run say less than it should, each with the programs that know it.

use crate::shell::model::EffectKind;

use EffectKind::{HidesFailure, LeavesTestsOut, LowersThreshold, RewritesSnapshots};

/// An option that weakens a run.
pub(crate) struct Weakening {
    pub(crate) kind: EffectKind,
    /// The option; `--x` also as `--x=value`.
    pub(crate) option: &'static str,
    /// Programs that mean this by it; none means any test runner.
    pub(crate) programs: &'static [&'static str],
    /// What its value must be for it; none means any.
    pub(crate) value: fn(&str) -> bool,
}

pub(crate) const fn weakening(
    kind: EffectKind,
    option: &'static str,
    programs: &'static [&'static str],
    value: fn(&str) -> bool,
) -> Weakening {
    Weakening { kind, option, programs, value }
}

const PYTEST: &[&str] = &["pytest", "py.test", "python", "python3", "tox"];

const SNAPSHOTS: &[&str] = &["jest", "vitest", "npm", "pnpm", "yarn", "bun", "playwright"];

pub(crate) static WEAKENINGS: &[Weakening] = &[
    weakening(HidesFailure, "--passWithNoTests", &[], any),
    weakening(HidesFailure, "--pass-with-no-tests", &[], any),
    weakening(HidesFailure, "--exit-zero", &[], any),
    weakening(HidesFailure, "--suppress-no-test-exit-code", &[], any),
    weakening(HidesFailure, "-Dmaven.test.failure.ignore", &[], not_off),
    weakening(HidesFailure, "--no-timeouts", &[], any),
    weakening(HidesFailure, "--timeout", &[], zero),
    weakening(HidesFailure, "--testTimeout", &[], zero),
    weakening(HidesFailure, "-timeout", &["go"], zero),
    weakening(LeavesTestsOut, "-k", PYTEST, negated),
    weakening(LeavesTestsOut, "--deselect", PYTEST, any),
    weakening(LeavesTestsOut, "--ignore", PYTEST, any),
    weakening(LeavesTestsOut, "--ignore-glob", PYTEST, any),
    weakening(LeavesTestsOut, "--skip", &["cargo"], any),
    weakening(LeavesTestsOut, "-E", &["cargo"], negated),
    weakening(LeavesTestsOut, "--filter-expr", &["cargo"], negated),
    weakening(LeavesTestsOut, "-skip", &["go"], any),
    weakening(LeavesTestsOut, "--testPathIgnorePatterns", &[], any),
    weakening(LeavesTestsOut, "--exclude", &["vitest", "mocha", "npm", "pnpm", "yarn"], any),
    weakening(LeavesTestsOut, "--exclude-pattern", &["rspec"], any),
    weakening(LeavesTestsOut, "--exclude-group", &["phpunit"], any),
    weakening(LeavesTestsOut, "--invert", &["mocha"], any),
    weakening(LeavesTestsOut, "--grep-invert", &["playwright"], any),
    weakening(LeavesTestsOut, "--exclude-regex", &["ctest"], any),
    weakening(LeavesTestsOut, "-DskipTests", &[], not_off),
    weakening(LeavesTestsOut, "-Dmaven.test.skip", &[], not_off),
    weakening(RewritesSnapshots, "-u", SNAPSHOTS, any),
    weakening(RewritesSnapshots, "--update", &["vitest", "npm", "pnpm", "yarn"], any),
    weakening(RewritesSnapshots, "--updateSnapshot", &[], any),
    weakening(RewritesSnapshots, "--update-snapshots", &[], any),
    weakening(RewritesSnapshots, "--snapshot-update", &[], any),
    weakening(RewritesSnapshots, "--inline-snapshot", &[], |value| {
        matches!(value, "fix" | "update" | "create")
    }),
    weakening(RewritesSnapshots, "--accept", &["cargo"], any),
    weakening(RewritesSnapshots, "accept", &["cargo"], any),
    weakening(LowersThreshold, "--cov-fail-under", &[], any),
    weakening(LowersThreshold, "--fail-under", &[], any),
    weakening(LowersThreshold, "--fail-under-lines", &[], any),
    weakening(LowersThreshold, "--coverageThreshold", &[], any),
    weakening(LowersThreshold, "--coverage.thresholds", &[], any),
    weakening(LowersThreshold, "--check-coverage", &[], |value| value == "false"),
    weakening(LowersThreshold, "--max-warnings", &["eslint"], |value| value != "0"),
];

/// Variables that make a test run take its own output as right.
pub(crate) const SNAPSHOT_VARIABLES: &[&str] =
    &["INSTA_UPDATE", "UPDATE_SNAPSHOTS", "UPDATE_SNAPSHOT", "UPDATE_GOLDEN", "SNAPSHOT_UPDATE"];

pub(crate) fn any(_: &str) -> bool {
    true
}

fn zero(value: &str) -> bool {
    matches!(value, "0" | "0s" | "0ms")
}

fn negated(value: &str) -> bool {
    value.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == "not")
}

fn not_off(value: &str) -> bool {
    value != "false"
}
