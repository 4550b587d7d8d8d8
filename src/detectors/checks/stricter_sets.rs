//! Sets of a checker's rules that ask for more than what stood before: single rules may go where such a set has come.

use crate::languages::SettingEntry;

/// Keys that name the set on which a configuration is built.
const BASES: &[&str] = &["include", "extends"];
/// Parts of names of sets that have the rules of the usual ones and more.
const STRICT: &[&str] = &[
    "very_good_analysis",
    "pedantic_mono",
    "package:lint/strict",
    "all_lint_rules",
    "leancode_lint",
    "netglade_analysis",
    "zekfad_lints",
    "eslint:all",
    "strict-type-checked",
    "airbnb",
];

/// Whether a strict set of rules has come in the place of another, or of none.
pub(super) fn takes_stricter_set(before: &[SettingEntry], after: &[SettingEntry]) -> bool {
    let strict = |entries: &[SettingEntry]| -> Option<String> {
        let bases = entries.iter().filter(|it| BASES.contains(&it.key.trim_end_matches("[]")));
        bases.map(|it| it.value.clone()).find(|value| STRICT.iter().any(|name| value.contains(name)))
    };
    strict(after).is_some() && strict(before).is_none()
}
