//! The figures of a project: what one command said, and all of them together with where they come from.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::loops::measuring::{Measure, MeasureCommand};
use crate::metrics::{Problems, ReportReading};

/// The coverage of branches in a baseline and a snapshot.
pub const BRANCHES: &str = "branch_coverage_percentage";

/// What one command said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// Tests and their names.
    Tests(u64, Vec<String>),
    /// Percent.
    Coverage(f64),
    /// Percent of lines and of branches.
    LinesAndBranches(f64, f64),
    /// Errors and warnings.
    Problems(Problems),
    /// A number of the project's own.
    Number(f64),
}

/// What was measured, and what could not be.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Figures {
    /// How many tests the runner lists.
    pub test_count: Option<u64>,
    /// Their names.
    pub test_names: Vec<String>,
    /// Percent.
    pub coverage: Option<f64>,
    /// Percent of branches.
    pub branches: Option<f64>,
    /// Errors of the type checkers.
    pub types: Option<Problems>,
    /// Of these, the errors of tsc.
    pub typescript: Option<u64>,
    /// Complaints of the linters.
    pub lint: Option<Problems>,
    /// Numbers of the project's own.
    pub custom: Map<String, Value>,
    /// Why a figure is missing, by field.
    pub unavailable: Map<String, Value>,
    /// The command or report of each figure, and how long it took, milliseconds.
    pub sources: Map<String, Value>,
}

impl Figures {
    pub(super) fn add(&mut self, one: &MeasureCommand, figure: Figure, millis: u64) {
        let field = one.measure.field();
        match figure {
            Figure::Tests(count, names) => {
                *self.test_count.get_or_insert_default() += count;
                self.test_names.extend(names);
            }
            Figure::Coverage(percent) => self.coverage = Some(percent),
            Figure::LinesAndBranches(lines, branches) => {
                self.coverage = Some(lines);
                self.branches = Some(branches);
            }
            Figure::Problems(found) => {
                if one.measure == Measure::Types && one.command.contains("tsc") {
                    *self.typescript.get_or_insert_default() += found.errors;
                }
                let sum = if one.measure == Measure::Types { &mut self.types } else { &mut self.lint };
                let sum = sum.get_or_insert_default();
                sum.errors += found.errors;
                sum.warnings += found.warnings;
            }
            Figure::Number(_) => {}
        }
        self.unavailable.shift_remove(field);
        self.source(field, &one.command, Some(millis));
    }

    fn source(&mut self, field: &str, what: &str, millis: Option<u64>) {
        let entry = self.sources.entry(field.to_owned()).or_insert_with(|| json!([]));
        if let Some(list) = entry.as_array_mut() {
            list.push(match millis {
                Some(millis) => json!({"command": what, "duration_ms": millis}),
                None => json!({"report": what}),
            });
        }
    }

    /// A figure that is there already stands.
    pub(super) fn miss(&mut self, field: &str, why: String) {
        if !self.sources.contains_key(field) {
            self.unavailable.insert(field.to_owned(), json!(why));
        }
    }

    /// Fills in a coverage that a report file holds.
    pub fn add_report(&mut self, path: &str, reading: &ReportReading) {
        if let (None, Some(percent)) = (self.coverage, reading.coverage) {
            self.coverage = Some(percent);
            self.branches = reading.branches;
            self.unavailable.shift_remove(Measure::Coverage.field());
            self.source(Measure::Coverage.field(), path, None);
        }
    }

    /// The figures under the names of a baseline and of a metrics snapshot; what is missing is left out.
    pub fn fields(&self) -> Map<String, Value> {
        let known = [
            ("test_count", self.test_count.map(|n| json!(n))),
            ("coverage_percentage", self.coverage.map(|n| json!(n))),
            (BRANCHES, self.branches.map(|n| json!(n))),
            ("typescript_errors", self.typescript.map(|n| json!(n))),
            ("type_errors", self.types.map(|n| json!(n.errors))),
            ("lint_errors", self.lint.map(|n| json!(n.errors))),
            ("lint_warnings", self.lint.map(|n| json!(n.warnings))),
            ("custom_metrics", (!self.custom.is_empty()).then(|| Value::Object(self.custom.clone()))),
        ];
        known.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}
