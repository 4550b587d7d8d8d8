//! Rules of one checker that another one's configuration of the session asks for now: `[flake8]` that became `ruff.toml`.

use crate::detectors::Case;
use crate::detectors::checks::checker_rules::{ENABLED, is_checker_file, items};
use crate::languages::settings;

/// Whether the rules that a finding says are checked no longer stand in a list of what another file looks for, by
/// themselves or as the family that they belong to, and did not before.
pub(super) fn are_asked_elsewhere(case: &Case, path: &str, what: &str) -> bool {
    let list = what.strip_suffix("` would no longer be checked").and_then(|it| it.strip_prefix('`'));
    let rules: Vec<&str> = list.map(parts).unwrap_or_default();
    let asks = |path: &str, text: &Option<String>, rule: &str| {
        let entries = text.as_deref().and_then(|text| settings(path, text)).unwrap_or_default();
        let found = items(&entries, ENABLED);
        found.iter().flat_map(|(value, _)| parts(value)).any(|it| covers(it, rule))
    };
    let is_asked = |rule: &&str| {
        let mut others = case.all_changes().filter(|it| it.path != path && is_checker_file(&it.path));
        others.any(|it| asks(&it.path, &it.after, rule) && !asks(&it.path, &it.before, rule))
    };
    !rules.is_empty() && rules.iter().all(is_asked)
}

/// The rules of a list that is one text.
fn parts(list: &str) -> Vec<&str> {
    list.split([',', ' ', '\n']).map(str::trim).filter(|it| !it.is_empty()).collect()
}

/// Whether a rule is the other or of its family: `B` has `B904`.
fn covers(family: &str, rule: &str) -> bool {
    let is_code = family.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    family == rule || family == "ALL" || is_code && rule.starts_with(family)
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::Change;

    fn found(other: (&str, &str)) -> usize {
        let change = |path: &str, before: Option<&str>, after: &str| Change {
            path: path.to_owned(),
            before: before.map(str::to_owned),
            after: Some(after.to_owned()),
        };
        let tool = "[metadata]\nname = shop\n";
        let before = format!("{tool}\n[flake8]\nextend-select = C4,SIM1\n");
        let changes = [change("setup.cfg", Some(&before), tool)];
        let elsewhere = [change(other.0, None, other.1)];
        judge(&Evidence { changes: &changes, elsewhere: &elsewhere }).len()
    }

    #[test]
    fn rules_may_move_to_another_checker() {
        assert_eq!(found(("ruff.toml", "[lint]\nselect = [\"C4\", \"SIM\"]\n")), 0);
        assert_eq!(found(("pyproject.toml", "[tool.ruff.lint]\nselect = [\"ALL\"]\n")), 0);
        assert_eq!(found(("ruff.toml", "[lint]\nselect = [\"C4\"]\n")), 1, "one of both is lost");
        assert_eq!(found(("notes.md", "select = [\"C4\", \"SIM\"]\n")), 1, "a document checks nothing");
    }
}
