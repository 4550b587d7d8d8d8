//! What the catalogue says of a pattern, and how the pattern is proved.
//!
//! A literal of each stands with the rule that finds the pattern, so that messages, documents and tests cite one source.
//! A pattern with a regression type obeys `pattern_severity`, the allowed paths and `patterns_enabled`; one without is
//! a risk, which only its own severity decides.

use super::loop_figures::LoopFigures;
use crate::model::finding::{Finding, RegressionType, Severity};

/// A pattern of the catalogue.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// The catalogue's id, e.g. `LP-001`.
    pub id: &'static str,
    /// The catalogue's name.
    pub name: &'static str,
    /// Other ids and names under which configuration and documents know the pattern.
    pub aliases: &'static [&'static str],
    /// Its regression type; `None` for a risk that is no regression.
    pub regression_type: Option<RegressionType>,
    /// How bad it is at worst; a finding may be milder.
    pub severity: Severity,
    /// What it detects, in a sentence.
    pub what: &'static str,
    /// Why that is a fault.
    pub why: &'static str,
    /// What to do instead, as a fact.
    pub instead: &'static str,
    /// What it catches and what it spares.
    pub proof: PatternProof,
}

/// What a pattern must find, and what it must not.
#[derive(Debug, Clone, Copy)]
pub enum PatternProof {
    /// Changes of files: the Markdown beside the detector holds them.
    Changes,
    /// Figures of a loop.
    Figures {
        /// To be found.
        catches: &'static [LoopFigures],
        /// Not to be found.
        spares: &'static [LoopFigures],
    },
    /// Commands of a shell, in a project like the one that the test of these commands makes.
    Commands {
        /// To be found.
        catches: &'static [&'static str],
        /// Not to be found.
        spares: &'static [&'static str],
    },
    /// The loop, the settings or the disk of one session decide, so the tests of the code that looks at these prove it.
    Session,
}

impl Pattern {
    /// A certain finding of this pattern in a file, or with an empty `path` in none, with what it says of it.
    pub fn finding(&self, path: &str, what: String) -> Finding {
        Finding {
            pattern_id: self.id,
            pattern_name: self.name,
            regression_type: self.regression_type,
            severity: self.severity,
            path: path.to_owned(),
            line: None,
            lost: Vec::new(),
            what,
            mend: self.instead.to_owned(),
            confidence: 1.0,
            left_out: None,
        }
    }
}
