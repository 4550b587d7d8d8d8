//! The catalogue: every pattern by its id, whether a change or a loop's figures show it.

use super::{DETECTORS, Example};
use crate::detectors::trends::{LoopFigures, TREND_PATTERNS};
use crate::model::finding::{Finding, RegressionType, Severity};

/// What the catalogue says of a pattern, from the literal that finds it.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// The catalogue's id, e.g. `LP-001`.
    pub id: &'static str,
    /// The catalogue's name.
    pub name: &'static str,
    /// Other ids and names of it.
    pub aliases: &'static [&'static str],
    /// Its regression type; `None` for a risk that is no regression.
    pub regression_type: Option<RegressionType>,
    /// How bad it is at worst.
    pub severity: Severity,
    /// What it detects, in a sentence.
    pub what: &'static str,
    /// Why that is a fault.
    pub why: &'static str,
    /// What to do instead, as a fact.
    pub instead: &'static str,
    /// What it catches and what it spares.
    pub proof: Proof,
}

/// What a pattern must find, and what it must not.
#[derive(Debug, Clone, Copy)]
pub enum Proof {
    /// Changes of files.
    Changes {
        /// To be found.
        catches: &'static [Example],
        /// Not to be found.
        spares: &'static [Example],
    },
    /// Figures of a loop.
    Figures {
        /// To be found.
        catches: &'static [LoopFigures],
        /// Not to be found.
        spares: &'static [LoopFigures],
    },
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
        }
    }
}

/// All patterns in the order of their ids.
pub fn catalogue() -> Vec<Pattern> {
    let of_changes = DETECTORS.iter().map(|it| it.pattern());
    let of_figures = TREND_PATTERNS.iter().map(|it| it.pattern);
    let mut all: Vec<Pattern> = of_changes.chain(of_figures).collect();
    all.sort_by_key(|pattern| pattern.id);
    all
}

/// Whether a pattern has this id or alias, in capitals.
pub fn is_known(id: &str) -> bool {
    catalogue()
        .iter()
        .any(|pattern| pattern.id == id || pattern.aliases.iter().any(|alias| alias.eq_ignore_ascii_case(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documents_patterns_are_all_there() {
        let all = catalogue();
        let known = |name: &str| all.iter().any(|it| it.id == name || it.aliases.contains(&name));
        let missing: Vec<String> = (1..=24)
            .map(|number| format!("LP-{number:03}"))
            .filter(|id| all.iter().all(|it| it.id != *id))
            .collect();
        assert_eq!(missing, [""; 0]);
        for alias in [
            "LP-T001",
            "LP-T002",
            "LP-T003",
            "LP-T004",
            "LP-T005",
            "LP-F001",
            "LP-F002",
            "LP-F003",
            "LP-F004",
            "LP-C001",
            "LP-C002",
            "LP-C003",
            "LP-A001",
            "LP-A002",
            "LP-A003",
            "LP-A004",
            "LP-P001",
            "LP-P002",
            "LP-D001",
            "LP-D002",
            "LP-TODO",
            "Test Deletion",
        ] {
            assert!(known(alias), "{alias}");
        }
        let mut names: Vec<&str> =
            all.iter().flat_map(|it| it.aliases.iter().chain([&it.id, &it.name])).copied().collect();
        names.sort_unstable();
        let several: Vec<_> = names.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case(pair[1])).collect();
        assert!(several.is_empty(), "names of two patterns: {several:?}");
    }
}
