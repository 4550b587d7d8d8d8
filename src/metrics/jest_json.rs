//! The JSON of `jest --json` and of vitest's reporter `json`: one entry for each file.

use std::fmt;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, de};

use super::{NAMES, TestOutcome, Tests};

/// One test file.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct JestFile {
    name: String,
    status: String,
    assertion_results: Results,
}

/// The tests of a file, whose name comes after them.
#[derive(Default)]
struct Results {
    named: Vec<(String, TestOutcome)>,
    /// Those that are only counted.
    more: Tests,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct JestTest {
    full_name: String,
    status: String,
}

impl<'de> Deserialize<'de> for Results {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct JestFileStream;
        impl<'de> Visitor<'de> for JestFileStream {
            type Value = Results;

            fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
                formatter.write_str("a list of tests")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Results, A::Error> {
                let mut results = Results::default();
                while let Some(test) = list.next_element::<JestTest>()? {
                    let outcome = match test.status.as_str() {
                        "passed" => TestOutcome::Passed,
                        "failed" => TestOutcome::Failed,
                        _ => TestOutcome::Skipped,
                    };
                    if results.named.len() < NAMES {
                        results.named.push((test.full_name, outcome));
                    } else {
                        results.more.count(outcome);
                    }
                }
                Ok(results)
            }

            fn visit_unit<E: de::Error>(self) -> Result<Results, E> {
                Ok(Results::default())
            }
        }
        deserializer.deserialize_any(JestFileStream)
    }
}

impl JestFile {
    /// Adds its tests. A file that could not be loaded is one that failed.
    pub(super) fn add_to(&self, tests: &mut Tests) {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or_default();
        let Results { named, more } = &self.assertion_results;
        for (name, outcome) in named {
            tests.add(&format!("{file} > {name}"), *outcome);
        }
        tests.passed += more.passed;
        tests.failed += more.failed;
        tests.skipped += more.skipped;
        if named.is_empty() && self.status == "failed" {
            tests.add(file, TestOutcome::Failed);
        }
    }
}
