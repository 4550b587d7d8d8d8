//! Snapshots in the text of a test that are emptied: the next run writes into them whatever the code says.

use crate::detectors::Case;
use crate::detectors::engine::line_pairs::places_of;
use crate::detectors::testing::explained_values::{Reason, reason};
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// Claims that hold their snapshot, each with its opening.
const SNAPSHOTS: &[&str] = &[
    "toMatchInlineSnapshot(",
    "toThrowErrorMatchingInlineSnapshot(",
    "assert_snapshot!(",
    "assert_debug_snapshot!(",
    "snapshot(",
    "assertInlineSnapshot(",
    "inlineSnapshot(",
];

/// The first claim whose snapshot would be empty, with its line.
pub(super) fn emptied(case: &Case, change: &Change) -> Option<(String, u32)> {
    let old = change.before.as_deref()?;
    if !is_test_path(&change.path) || !SNAPSHOTS.iter().any(|it| old.contains(it)) {
        return None;
    }
    let all = places_of(change)?;
    let (was, is) = all.iter().find_map(|hunk| {
        let was = hunk.gone.iter().find(|line| holds(line.text))?;
        let is = hunk.come.iter().find(|line| is_empty(line.text))?;
        (!hunk.gone.iter().any(|it| is_empty(it.text))).then_some((was, is))
    })?;
    // What the session did besides is asked last: git has to tell.
    if matches!(reason(case, change), Reason::Change) {
        return None;
    }
    let what = format!("`{}` would become `{}`, whose snapshot is whatever the code says", was.text, is.text);
    Some((what, was.number))
}

/// What stands behind the opening of a snapshot.
fn inside(line: &str) -> Option<&str> {
    SNAPSHOTS.iter().find_map(|it| line.split_once(it).map(|(_, rest)| rest))
}

fn holds(line: &str) -> bool {
    inside(line).is_some_and(|rest| rest.contains(['"', '`', '\'']) || rest.trim().is_empty())
}

fn is_empty(line: &str) -> bool {
    inside(line).is_some_and(|rest| {
        let rest = rest.trim_start();
        rest.starts_with(')')
            || ["\"\")", "``)", "'')"].iter().any(|it| rest.starts_with(it))
            || rest.ends_with("@\"\");")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_snapshot_is_told_from_a_full_one() {
        for (line, expected) in [
            ("expect(view.text).toMatchInlineSnapshot();", true),
            ("expect(view.text).toMatchInlineSnapshot(``);", true),
            ("assert view.text == snapshot()", true),
            ("expect(view.text).toMatchInlineSnapshot(`a`);", false),
            ("insta::assert_snapshot!(view, @\"\");", true),
        ] {
            assert_eq!(is_empty(line), expected, "{line}");
        }
    }
}
