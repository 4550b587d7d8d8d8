//! Runners of which only the programs, some options and the configuration are known.
//!
//! One that gets a reader of its results or failures moves to a file of its own.

use crate::runners::counts::{before, behind};
use crate::runners::model::{
    OutputReader, Runner, RunnerProgram, RunnerWords, ToolConfiguration, WeakeningSettings,
};
use crate::runners::options::{WeakeningOption, Weakens, any, weakening};
use crate::runners::summary::{Summary, Told};

/// The runners.
pub(crate) static RUNNERS: &[&Runner] = &[
    &Runner {
        configuration: &[ToolConfiguration {
            tool: "ava",
            files: &["ava.config.js", "ava.config.mjs", "ava.config.cjs"],
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
            filters: &["testIgnore", "grepInvert"],
            switches: &[("forbidOnly", "false")],
            places: &["testDir"],
            lines: &[
                ("playwright.config.ts", "forbidOnly:", false),
                ("playwright.config.js", "forbidOnly:", false),
            ],
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
        results: Some(OutputReader { turn: 153, read: || Box::new(Summary::by(ctest)) }),
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
        results: Some(OutputReader { turn: 154, read: || Box::new(Summary::by(mix)) }),
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
        settings: WeakeningSettings {
            files: &["jasmine.json", "jasmine.mjs", "jasmine.js"],
            places: &["spec_dir", "spec_files"],
            ..WeakeningSettings::NONE
        },
        words: RunnerWords { commands: &["jasmine"], ..RunnerWords::NONE },
        ..known("jasmine", &[RunnerProgram::always(&["jasmine"]).may_change_files()])
    },
    &Runner {
        words: RunnerWords { commands: &["gotestsum"], ..RunnerWords::NONE },
        ..known("gotestsum", &[RunnerProgram::always(&["gotestsum"]).may_change_files()])
    },
    &known("xctest", &[RunnerProgram::always(&["xctest"]).may_change_files()]),
    &Runner {
        results: Some(OutputReader { turn: 155, read: || Box::new(Summary::by(deno)) }),
        ..known("deno test", &[RunnerProgram::with(&["deno"], &["test"])])
    },
    &known("swift test", &[RunnerProgram::with(&["swift"], &["test"])]),
    &known("zig test", &[RunnerProgram::with(&["zig"], &["test"])]),
    &known("stack test", &[RunnerProgram::with(&["stack"], &["test"])]),
    &known("cabal test", &[RunnerProgram::with(&["cabal"], &["test"])]),
    &known("sbt test", &[RunnerProgram::with(&["sbt"], &["test"])]),
];

/// `80% tests passed, 1 tests failed out of 5`
fn ctest(line: &str) -> Option<Told> {
    let (share, rest) = line.trim().split_once("% tests passed, ")?;
    share.parse::<u64>().ok()?;
    let (failed, all) = (before(rest, "tests").or_else(|| before(rest, "test"))?, behind(rest, "out of")?);
    Some(Told::all(all, failed, 0))
}

/// `1 doctest, 5 tests, 2 failures, 1 skipped`
fn mix(line: &str) -> Option<Told> {
    let is_summary = |item: &str| {
        let words = ["doctest", "doctests", "property", "properties", "test", "tests", "failure", "failures"];
        let (count, word) = item.split_once(' ').unwrap_or_default();
        count.parse::<u64>().is_ok()
            && (words.contains(&word) || ["skipped", "excluded", "invalid"].contains(&word))
    };
    let line = line.trim();
    line.split(", ").all(is_summary).then_some(())?;
    let count = |words: &[&str]| words.iter().filter_map(|word| before(line, word)).sum::<u64>();
    let failed = before(line, "failures").or_else(|| before(line, "failure"))?;
    let all = count(&["doctest", "doctests", "property", "properties", "test", "tests"]);
    let (failed, skipped) = (failed + count(&["invalid"]), count(&["skipped"]));
    Some(Told::all(all, failed, skipped))
}

/// `FAILED | 3 passed | 1 failed | 1 ignored (12ms)`
fn deno(line: &str) -> Option<Told> {
    let rest = line.strip_prefix("ok | ").or_else(|| line.strip_prefix("FAILED | "))?;
    let failed = before(rest, "failed")?;
    Some(Told::Counts(before(rest, "passed")?, failed, before(rest, "ignored").unwrap_or_default()))
}

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

#[cfg(test)]
mod tests {
    use crate::runners::results::printed;

    #[test]
    fn summaries_of_one_line_are_counted() {
        let rows = [
            ("80% tests passed, 1 tests failed out of 5", Some((4, 1, 0))),
            ("1 doctest, 5 tests, 2 failures, 1 skipped", Some((3, 2, 1))),
            ("3 tests, 0 failures", Some((3, 0, 0))),
            ("FAILED | 3 passed | 1 failed | 1 ignored (12ms)", Some((3, 1, 1))),
            ("5 runs, 9 assertions, 1 failures, 1 errors, 1 skips", Some((2, 2, 1))),
            ("12 tests completed, 3 failed, 1 skipped", Some((8, 3, 1))),
            ("4 tests, 4 things", None),
            ("ok | no", None),
        ];
        for (output, expected) in rows {
            let tests = printed(&mut output.as_bytes()).tests;
            assert_eq!(tests.map(|tests| (tests.passed, tests.failed, tests.skipped)), expected, "{output}");
        }
    }
}
