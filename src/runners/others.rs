//! Runners of which only the programs, some options and the configuration are known.
//!
//! One that gets a reader of its results or failures moves to a file of its own.

use crate::runners::counts::{before, behind};
use crate::runners::model::{Configuration, Program, Reader, Runner, Settings, Words};
use crate::runners::options::{Weakening, Weakens, any, weakening};
use crate::runners::summary::{Summary, Told};

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
        results: Some(Reader { turn: 153, read: || Box::new(Summary::by(ctest)) }),
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
        results: Some(Reader { turn: 154, read: || Box::new(Summary::by(mix)) }),
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
    &Runner {
        results: Some(Reader { turn: 155, read: || Box::new(Summary::by(deno)) }),
        ..known("deno test", &[Program::with(&["deno"], &["test"])])
    },
    &known("swift test", &[Program::with(&["swift"], &["test"])]),
    &known("zig test", &[Program::with(&["zig"], &["test"])]),
    &known("stack test", &[Program::with(&["stack"], &["test"])]),
    &known("cabal test", &[Program::with(&["cabal"], &["test"])]),
    &known("sbt test", &[Program::with(&["sbt"], &["test"])]),
];

/// `80% tests passed, 1 tests failed out of 5`
fn ctest(line: &str) -> Option<Told> {
    let (share, rest) = line.trim().split_once("% tests passed, ")?;
    share.parse::<u64>().ok()?;
    let (failed, all) = (before(rest, "tests").or_else(|| before(rest, "test"))?, behind(rest, "out of")?);
    Some(Told::Counts(all.saturating_sub(failed), failed, 0))
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
    Some(Told::Counts(all.saturating_sub(failed + skipped), failed, skipped))
}

/// `FAILED | 3 passed | 1 failed | 1 ignored (12ms)`
fn deno(line: &str) -> Option<Told> {
    let rest = line.strip_prefix("ok | ").or_else(|| line.strip_prefix("FAILED | "))?;
    let failed = before(rest, "failed")?;
    Some(Told::Counts(before(rest, "passed")?, failed, before(rest, "ignored").unwrap_or_default()))
}

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
