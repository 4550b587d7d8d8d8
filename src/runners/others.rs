//! Runners of which only the programs, some options and the configuration are known.
//!
//! One that gets a reader of its results or failures moves to a file of its own.

use crate::runners::model::{Runner, RunnerProgram, RunnerWords, ToolConfiguration, WeakeningSettings};
use crate::runners::options::{WeakeningOption, Weakens, any, weakening};

/// The runners.
pub(crate) static RUNNERS: &[&Runner] = &[
    &Runner {
        configuration: &[ToolConfiguration {
            tool: "ava",
            files: &["ava.config.js", "ava.config.mjs"],
            keys: &[("package.json", &["ava"])],
        }],
        settings: WeakeningSettings { files: &["ava.config*"], ..WeakeningSettings::NONE },
        words: RunnerWords::all(&["ava"]),
        ..known("ava", &[RunnerProgram::always(&["ava"])])
    },
    &Runner {
        weakenings: PLAYWRIGHT,
        configuration: &[ToolConfiguration {
            tool: "playwright",
            files: &["playwright.config.ts", "playwright.config.js"],
            keys: &[],
        }],
        settings: WeakeningSettings {
            files: &["playwright.config*"],
            filters: &["testIgnore"],
            places: &["testDir"],
            ..WeakeningSettings::NONE
        },
        words: RunnerWords { whole_runs: &[], ..RunnerWords::all(&["playwright"]) },
        ..known(
            "playwright",
            &[
                RunnerProgram::with(&["playwright"], &["test"]),
                RunnerProgram::with(&["playwright"], &["run"]).may_change_files(),
            ],
        )
    },
    &Runner {
        configuration: &[ToolConfiguration {
            tool: "cypress",
            files: &["cypress.config.ts", "cypress.config.js"],
            keys: &[],
        }],
        settings: WeakeningSettings {
            files: &["cypress.config*"],
            filters: &["excludeSpecPattern"],
            places: &["specPattern"],
            ..WeakeningSettings::NONE
        },
        words: RunnerWords { whole_runs: &[], ..RunnerWords::all(&["cypress"]) },
        ..known(
            "cypress",
            &[
                RunnerProgram::with(&["cypress"], &["run"]),
                RunnerProgram::with(&["cypress"], &["test"]).may_change_files(),
            ],
        )
    },
    &Runner {
        configuration: &[ToolConfiguration { tool: "karma", files: &["karma.conf.js"], keys: &[] }],
        settings: WeakeningSettings { files: &["karma.conf*"], ..WeakeningSettings::NONE },
        words: RunnerWords { whole_runs: &[], ..RunnerWords::all(&["karma"]) },
        ..known("karma", &[RunnerProgram::always(&["karma"]).may_change_files()])
    },
    &Runner {
        configuration: &[ToolConfiguration {
            tool: "tox",
            files: &[],
            keys: &[
                ("tox.ini", &["tox", "testenv", "pytest"]),
                ("pyproject.toml", &["tool.tox", "tool.pytest"]),
            ],
        }],
        settings: WeakeningSettings {
            switches: &[("ignore_outcome", "true"), ("ignore_errors", "true")],
            ..WeakeningSettings::NONE
        },
        words: RunnerWords { whole_runs: &[], ..RunnerWords::all(&["tox"]) },
        ..known("tox", &[RunnerProgram::always(&["tox"])])
    },
    &Runner {
        weakenings: &[weakening(Weakens::LeavesTestsOut, "--exclude-regex", &["ctest"], any)],
        words: RunnerWords { whole_runs: &[], ..RunnerWords::all(&["ctest"]) },
        ..known("ctest", &[RunnerProgram::always(&["ctest"])])
    },
    &Runner {
        words: RunnerWords::all(&["bats"]),
        test_extensions: &["bats"],
        ..known("bats", &[RunnerProgram::always(&["bats"])])
    },
    &Runner {
        settings: WeakeningSettings { files: &["wallaby*"], ..WeakeningSettings::NONE },
        ..known("wallaby", &[])
    },
    &Runner {
        settings: WeakeningSettings {
            lines: &[("test_helper.exs", "exclude:", true)],
            ..WeakeningSettings::NONE
        },
        ..known("mix test", &[RunnerProgram::with(&["mix"], &["test"])])
    },
    // A pest is also an animal.
    &Runner {
        words: RunnerWords { commands: &[], ..RunnerWords::all(&["pest"]) },
        ..known("pest", &[RunnerProgram::always(&["pest"])])
    },
    &Runner {
        words: RunnerWords { whole_runs: &[], ..RunnerWords::all(&["nox"]) },
        ..known("nox", &[RunnerProgram::always(&["nox"])])
    },
    &known("nose2", &[RunnerProgram::always(&["nose2"]).may_change_files(), NOSE2.may_change_files()]),
    &Runner {
        words: RunnerWords { commands: &["jasmine"], ..RunnerWords::NONE },
        ..known("jasmine", &[RunnerProgram::always(&["jasmine"]).may_change_files()])
    },
    &Runner {
        words: RunnerWords { commands: &["gotestsum"], ..RunnerWords::NONE },
        ..known("gotestsum", &[RunnerProgram::always(&["gotestsum"]).may_change_files()])
    },
    &known("xctest", &[RunnerProgram::always(&["xctest"]).may_change_files()]),
    &known("deno test", &[RunnerProgram::with(&["deno"], &["test"])]),
    &known("swift test", &[RunnerProgram::with(&["swift"], &["test"])]),
    &known("zig test", &[RunnerProgram::with(&["zig"], &["test"])]),
    &known("stack test", &[RunnerProgram::with(&["stack"], &["test"])]),
    &known("cabal test", &[RunnerProgram::with(&["cabal"], &["test"])]),
    &known("sbt test", &[RunnerProgram::with(&["sbt"], &["test"])]),
];

const NOSE2: RunnerProgram = RunnerProgram::module("nose2");

const PLAYWRIGHT: &[WeakeningOption] = &[
    weakening(Weakens::HidesFailure, "--pass-with-no-tests", &[], any),
    weakening(Weakens::LeavesTestsOut, "--grep-invert", &["playwright"], any),
    weakening(Weakens::RewritesSnapshots, "-u", &["playwright"], any),
    weakening(Weakens::RewritesSnapshots, "--update-snapshots", &[], any),
];

const fn known(name: &'static str, programs: &'static [RunnerProgram]) -> Runner {
    Runner { name, programs, ..Runner::NOTHING }
}
