//! Runners of which only the programs, some options and the configuration are known.
//!
//! One that gets a reader of its results or failures moves to a file of its own.

use crate::runners::model::{Configuration, Program, Runner, Settings, Words};
use crate::runners::options::{Weakening, Weakens, any, weakening};

/// The runners.
pub(crate) static RUNNERS: &[&Runner] = &[
    &Runner {
        configuration: &[Configuration {
            tool: "ava",
            files: &["ava.config.js", "ava.config.mjs"],
            keys: &[("package.json", &["ava"])],
        }],
        settings: Settings { files: &["ava.config*"], ..Settings::NONE },
        words: Words::all(&["ava"]),
        ..known("ava", &[Program::always(&["ava"])])
    },
    &Runner {
        weakenings: PLAYWRIGHT,
        configuration: &[Configuration {
            tool: "playwright",
            files: &["playwright.config.ts", "playwright.config.js"],
            keys: &[],
        }],
        settings: Settings {
            files: &["playwright.config*"],
            filters: &["testIgnore"],
            places: &["testDir"],
            ..Settings::NONE
        },
        words: Words { whole_runs: &[], ..Words::all(&["playwright"]) },
        ..known(
            "playwright",
            &[
                Program::with(&["playwright"], &["test"]),
                Program::with(&["playwright"], &["run"]).may_change_files(),
            ],
        )
    },
    &Runner {
        configuration: &[Configuration {
            tool: "cypress",
            files: &["cypress.config.ts", "cypress.config.js"],
            keys: &[],
        }],
        settings: Settings {
            files: &["cypress.config*"],
            filters: &["excludeSpecPattern"],
            places: &["specPattern"],
            ..Settings::NONE
        },
        words: Words { whole_runs: &[], ..Words::all(&["cypress"]) },
        ..known(
            "cypress",
            &[
                Program::with(&["cypress"], &["run"]),
                Program::with(&["cypress"], &["test"]).may_change_files(),
            ],
        )
    },
    &Runner {
        configuration: &[Configuration { tool: "karma", files: &["karma.conf.js"], keys: &[] }],
        settings: Settings { files: &["karma.conf*"], ..Settings::NONE },
        words: Words { whole_runs: &[], ..Words::all(&["karma"]) },
        ..known("karma", &[Program::always(&["karma"]).may_change_files()])
    },
    &Runner {
        configuration: &[Configuration {
            tool: "tox",
            files: &[],
            keys: &[
                ("tox.ini", &["tox", "testenv", "pytest"]),
                ("pyproject.toml", &["tool.tox", "tool.pytest"]),
            ],
        }],
        settings: Settings {
            switches: &[("ignore_outcome", "true"), ("ignore_errors", "true")],
            ..Settings::NONE
        },
        words: Words { whole_runs: &[], ..Words::all(&["tox"]) },
        ..known("tox", &[Program::always(&["tox"])])
    },
    &Runner {
        weakenings: &[weakening(Weakens::LeavesTestsOut, "--exclude-regex", &["ctest"], any)],
        words: Words { whole_runs: &[], ..Words::all(&["ctest"]) },
        ..known("ctest", &[Program::always(&["ctest"])])
    },
    &Runner {
        words: Words::all(&["bats"]),
        test_extensions: &["bats"],
        ..known("bats", &[Program::always(&["bats"])])
    },
    &Runner { settings: Settings { files: &["wallaby*"], ..Settings::NONE }, ..known("wallaby", &[]) },
    &Runner {
        settings: Settings { lines: &[("test_helper.exs", "exclude:", true)], ..Settings::NONE },
        ..known("mix test", &[Program::with(&["mix"], &["test"])])
    },
    // A pest is also an animal.
    &Runner {
        words: Words { commands: &[], ..Words::all(&["pest"]) },
        ..known("pest", &[Program::always(&["pest"])])
    },
    &Runner {
        words: Words { whole_runs: &[], ..Words::all(&["nox"]) },
        ..known("nox", &[Program::always(&["nox"])])
    },
    &known("nose2", &[Program::always(&["nose2"]).may_change_files(), NOSE2.may_change_files()]),
    &Runner {
        words: Words { commands: &["jasmine"], ..Words::NONE },
        ..known("jasmine", &[Program::always(&["jasmine"]).may_change_files()])
    },
    &Runner {
        words: Words { commands: &["gotestsum"], ..Words::NONE },
        ..known("gotestsum", &[Program::always(&["gotestsum"]).may_change_files()])
    },
    &known("xctest", &[Program::always(&["xctest"]).may_change_files()]),
    &known("deno test", &[Program::with(&["deno"], &["test"])]),
    &known("swift test", &[Program::with(&["swift"], &["test"])]),
    &known("zig test", &[Program::with(&["zig"], &["test"])]),
    &known("stack test", &[Program::with(&["stack"], &["test"])]),
    &known("cabal test", &[Program::with(&["cabal"], &["test"])]),
    &known("sbt test", &[Program::with(&["sbt"], &["test"])]),
];

const NOSE2: Program = Program::module("nose2");

const PLAYWRIGHT: &[Weakening] = &[
    weakening(Weakens::HidesFailure, "--pass-with-no-tests", &[], any),
    weakening(Weakens::LeavesTestsOut, "--grep-invert", &["playwright"], any),
    weakening(Weakens::RewritesSnapshots, "-u", &["playwright"], any),
    weakening(Weakens::RewritesSnapshots, "--update-snapshots", &[], any),
];

const fn known(name: &'static str, programs: &'static [Program]) -> Runner {
    Runner { name, programs, ..Runner::NOTHING }
}
