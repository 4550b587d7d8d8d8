//! JSON reports, one key after the other: jest and vitest, mocha, rspec, coverage.py, istanbul, llvm-cov, eslint, ruff.
//!
//! Nothing but the values of known keys is kept, one list's entry at a time, and of a text its beginning.

use std::fmt;
use std::io::{BufRead, BufReader};

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::metrics::coverage::{coverage_py, istanbul, llvm_cov};
use crate::metrics::json::ShortTexts;
use crate::metrics::sieve::SiftedBytes;
use crate::metrics::{Problems, ReportReading, jest_json, mocha_json, rspec_json};

/// The first keys of known documents. A program that prints JSON of its own before its tests run has others.
const FIRST_KEYS: &[&str] = &[
    "numFailedTestSuites",
    "numTotalTestSuites",
    "stats",
    "version",
    "meta",
    "total",
    "data",
    "filePath",
    "cell",
    "code",
];

/// Whether a text begins with a known document.
pub(super) fn is_document(start: &[u8]) -> bool {
    let letters = start.iter().copied().filter(|byte| !byte.is_ascii_whitespace());
    let head: Vec<u8> = letters.take(64).collect();
    let head = String::from_utf8_lossy(&head);
    let Some(rest) = head.strip_prefix('{').or_else(|| head.strip_prefix("[{")) else { return false };
    let key = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')).map(|(key, _)| key);
    key.is_some_and(|key| FIRST_KEYS.contains(&key))
}

/// Reads a document.
pub(super) fn read(bytes: &mut dyn BufRead) -> ReportReading {
    let mut reading = ReportReading::default();
    let mut json =
        serde_json::Deserializer::from_reader(BufReader::new(SiftedBytes::of(bytes, ShortTexts::default())));
    if let Err(error) = (JsonReport { reading: &mut reading }).deserialize(&mut json) {
        reading.unread.push(format!("the document breaks off: {error}"));
    }
    if reading.is_empty() && reading.unread.is_empty() {
        reading.unread.push("no known JSON document".to_owned());
    }
    reading
}

struct JsonReport<'a> {
    reading: &'a mut ReportReading,
}

impl<'de> DeserializeSeed<'de> for JsonReport<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for JsonReport<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a report")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let reading = self.reading;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "totals" => {
                    let totals: coverage_py::CoveragePyTotals = map.next_value()?;
                    recognised(reading, "coverage.py").coverage = totals.percent_covered;
                    reading.branches = totals.branches();
                }
                "total" => {
                    let total: istanbul::IstanbulTotal = map.next_value()?;
                    recognised(reading, "istanbul").coverage = total.percent();
                    reading.branches = total.branches();
                }
                "data" => {
                    let exports: Vec<llvm_cov::Export> = map.next_value()?;
                    recognised(reading, "llvm-cov").coverage =
                        exports.first().and_then(llvm_cov::Export::percent);
                    reading.branches = exports.first().and_then(llvm_cov::Export::branches);
                }
                "testResults" => {
                    let tests = recognised(reading, "jest").tests.get_or_insert_default();
                    map.next_value_seed(EachEntry(&mut |file: jest_json::JestFile| file.add_to(tests)))?;
                }
                "passes" | "failures" | "pending" => {
                    let tests = recognised(reading, "mocha").tests.get_or_insert_default();
                    let outcome = mocha_json::outcome(&key);
                    map.next_value_seed(EachEntry(&mut |test: mocha_json::MochaTest| {
                        test.add_to(tests, outcome)
                    }))?;
                }
                "examples" => {
                    let tests = recognised(reading, "rspec").tests.get_or_insert_default();
                    map.next_value_seed(EachEntry(&mut |example: rspec_json::RspecExample| {
                        example.add_to(tests)
                    }))?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element::<ListItem>()? {
            let Some((name, found)) = item.problems() else { continue };
            let lint = recognised(self.reading, name).lint.get_or_insert_default();
            lint.errors += found.errors;
            lint.warnings += found.warnings;
        }
        Ok(())
    }
}

/// An entry of a document that is a list: what is known of it by its keys, whatever else it holds.
#[derive(Default)]
struct ListItem {
    errors: Option<u64>,
    warnings: Option<u64>,
    has_file: bool,
    has_place: bool,
}

impl ListItem {
    /// The format, and what it complains about.
    fn problems(&self) -> Option<(&'static str, Problems)> {
        match (self.errors, self.warnings) {
            (Some(errors), Some(warnings)) => Some(("eslint", Problems { errors, warnings })),
            _ => (self.has_file && self.has_place).then_some(("ruff", Problems { errors: 1, warnings: 0 })),
        }
    }
}

impl<'de> Deserialize<'de> for ListItem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ItemKeys)
    }
}

struct ItemKeys;

impl<'de> Visitor<'de> for ItemKeys {
    type Value = ListItem;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ListItem, A::Error> {
        let mut item = ListItem::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "errorCount" => item.errors = Some(map.next_value()?),
                "warningCount" => item.warnings = Some(map.next_value()?),
                key => {
                    item.has_file |= key == "filename";
                    item.has_place |= key == "location";
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(item)
    }
}

fn recognised<'r>(reading: &'r mut ReportReading, format: &str) -> &'r mut ReportReading {
    if !reading.formats.iter().any(|known| known == format) {
        reading.formats.push(format.to_owned());
    }
    reading
}

/// Hands on each entry of a list as it comes.
struct EachEntry<'a, T>(&'a mut dyn FnMut(T));

impl<'de, T: Deserialize<'de>> DeserializeSeed<'de> for EachEntry<'_, T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: Deserialize<'de>> Visitor<'de> for EachEntry<'_, T> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        while let Some(item) = list.next_element()? {
            (self.0)(item);
        }
        Ok(())
    }
}
