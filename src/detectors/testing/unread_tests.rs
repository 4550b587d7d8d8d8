//! Deleted or emptied test files that can't be read: their names say what they held.

use crate::detectors::Case;
use crate::detectors::testing::gone_subjects::subject_is_gone;
use crate::languages::{Language, bare_lines, is_test_name, is_test_path, scan};
use crate::model::finding::{Change, Severity};

/// Whether the file is of no known language, or no test that can be named is in it.
pub(super) fn is_unread(case: &Case, change: &Change) -> bool {
    let (Some(language), Some(before)) = (Language::of_path(&change.path), change.before.as_deref()) else {
        return true;
    };
    // A file that is neither deleted nor emptied is none of this.
    if change.after.as_deref().is_some_and(|after| !after.trim().is_empty()) {
        return false;
    }
    match case.comparisons().iter().find(|it| it.change.path == change.path) {
        Some(comparison) => comparison.before.tests.is_empty() && comparison.counts.is_none(),
        None => scan(language, before).tests == 0,
    }
}

/// Whether the file stays as it is, under its name with something behind it.
fn is_hidden(case: &Case, change: &Change) -> bool {
    change.after.is_none()
        && case.all_changes().any(|other| {
            other.after == change.before
                && other
                    .path
                    .strip_prefix(&change.path)
                    .is_some_and(|ending| ending.starts_with(['.', '_', '~']))
        })
}

/// Whether a file of what a generator writes gets the ending of its kind of templates: it was no test of the project.
pub(super) fn becomes_template(case: &Case, change: &Change) -> bool {
    const FOLDERS: &[&str] = &["templates", "template", "skeleton", "scaffold", "scaffolds", "stubs"];
    const ENDINGS: &[&str] = &[
        ".eex",
        ".erb",
        ".tmpl",
        ".tpl",
        ".hbs",
        ".ejs",
        ".j2",
        ".jinja",
        ".tt",
        ".mustache",
        ".liquid",
        ".stub",
    ];
    change.after.is_none()
        && change.path.split('/').any(|folder| FOLDERS.contains(&folder))
        && case.all_changes().any(|other| {
            let ending = other.path.strip_prefix(&change.path);
            other.after.is_some() && ending.is_some_and(|it| ENDINGS.contains(&it))
        })
}

/// A deleted or emptied test file that can't be read: its name says what it held.
pub(super) fn unread_file(case: &Case, change: &Change) -> Option<(&'static str, Severity)> {
    let is_test = is_test_name(&change.path);
    let belongs = Language::of_path(&change.path).is_some() && is_test_path(&change.path);
    let before = change.before.as_deref().filter(|_| is_test || belongs)?;
    let after = change.after.as_deref().unwrap_or_default();
    if before.trim().is_empty() || !after.trim().is_empty() {
        return None;
    }
    let mut lines: Vec<u64> = bare_lines(before).collect();
    lines.sort_unstable();
    let moved = case
        .all_changes()
        .filter(|other| other.path != change.path && is_test_path(&other.path))
        // A test that gets another ending is hidden, not moved.
        .filter(|other| Language::of_path(&other.path) == Language::of_path(&change.path))
        .any(|other| {
            let there = other.after.as_deref().map(bare_lines).into_iter().flatten();
            let found = there.filter(|line| lines.binary_search(line).is_ok()).count();
            found * 10 >= lines.len() * 6
        });
    if moved || becomes_template(case, change) {
        return None;
    }
    let what = if is_test { "the test file would be gone" } else { "a file of the tests would be gone" };
    let what =
        if is_hidden(case, change) { "it would stay under a name that no runner collects" } else { what };
    // Without a test that can be named it may be a helper that nothing needs any more.
    let is_read = Language::of_path(&change.path).is_some_and(|language| language != Language::Cpp);
    let severity = match (is_test, subject_is_gone(case, change)) {
        (true, false) if !is_read => Severity::Critical,
        (true, false) => Severity::High,
        // Nobody empties a file that is needed no more.
        (false, false) if change.after.is_some() || is_hidden(case, change) => Severity::High,
        _ => Severity::Medium,
    };
    Some((what, severity))
}
