//! The catalogue: every pattern that a message can cite, by its id, whatever shows it.

use super::DETECTORS;
use super::commands::COMMAND_PATTERNS;
use super::pattern::Pattern;
use super::session_patterns::SESSION_PATTERNS;
use super::trends::TREND_PATTERNS;

/// All patterns in the order of their ids.
pub fn catalogue() -> Vec<Pattern> {
    let of_changes = DETECTORS.iter().map(|it| it.pattern);
    let of_figures = TREND_PATTERNS.iter().map(|it| it.pattern);
    let of_calls = COMMAND_PATTERNS.iter().chain(SESSION_PATTERNS).map(|it| **it);
    let mut all: Vec<_> = of_changes.chain(of_figures).chain(of_calls).collect();
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
    use std::path::{Path, PathBuf};

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
        let mut names: Vec<&str> = all
            .iter()
            .flat_map(|it| it.aliases.iter().chain([&it.id, &it.name]))
            .copied()
            .filter(|name| !TWINS.contains(name))
            .collect();
        names.sort_unstable();
        let several: Vec<_> = names.windows(2).filter(|pair| pair[0].eq_ignore_ascii_case(pair[1])).collect();
        assert!(several.is_empty(), "names of two patterns: {several:?}");
    }

    /// Names of two patterns that tell the same thing: one where a file is changed, one where a command does it.
    const TWINS: &[&str] = &["Guard Tampering", "Protected Path"];

    /// Ids that tests make up.
    const MADE_UP: &[&str] = &["SF-999"];

    #[test]
    fn every_id_that_is_written_anywhere_is_known() {
        let mut unknown = Vec::new();
        let mut seen = 0;
        for path in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
            let text = std::fs::read_to_string(&path).unwrap();
            for id in ids(&text) {
                seen += 1;
                if !is_known(id) && !MADE_UP.contains(&id) {
                    unknown.push(format!("{}: {id}", path.display()));
                }
            }
        }
        assert!(seen > 100, "only {seen} ids were read");
        assert!(unknown.is_empty(), "{}", unknown.join("\n"));
    }

    fn sources(directory: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
        entries
            .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|it| it == "rs" || it == "md" || it == "json"))
            .collect()
    }

    /// Words like `LP-001`, `LP-R006` and `SF-010`.
    fn ids(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.filter(|word| {
            let Some((family, number)) = word.split_once('-') else { return false };
            let digits = number.strip_prefix(|c: char| c.is_ascii_uppercase()).unwrap_or(number);
            ["LP", "SF"].contains(&family)
                && digits.len() == 3
                && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    }

    #[test]
    fn every_pattern_has_its_words() {
        for pattern in catalogue() {
            let words = [pattern.name, pattern.what, pattern.why, pattern.instead];
            assert!(words.iter().all(|text| !text.is_empty()), "{} lacks words", pattern.id);
        }
        let ids: std::collections::BTreeSet<_> = catalogue().iter().map(|pattern| pattern.id).collect();
        assert_eq!(ids.len(), catalogue().len(), "an id is used twice");
    }
}
