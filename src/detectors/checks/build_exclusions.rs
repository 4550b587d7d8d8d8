//! Classes that a build of Gradle takes out of what its coverage counts: `exclude '**/*Mapper.class'` in a block about it.

use crate::detectors::checks::setting_keys::SettingRemark;
use crate::detectors::checks::source_globs::{GlobReach, reach};
use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::languages::file_name;
use crate::model::finding::Change;

/// What lines say that are about coverage, in lower case.
const COVERAGE: &[&str] = &["jacoco", "kover", "classdirectories", "sourcedirectories", "coverage"];

/// Whether a line, by its place, or one of the blocks that it stands in is about coverage.
pub(super) fn is_of_coverage(text: &str, at: usize) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().take(at + 1).collect();
    let Some((own, above)) = lines.split_last() else { return false };
    let says = |line: &str| {
        let lower = line.to_lowercase();
        COVERAGE.iter().any(|word| lower.contains(word))
    };
    let mut left = depth(own);
    says(own)
        || above.iter().rev().filter(|line| !line.trim().is_empty()).any(|line| {
            let is_head = depth(line) < left;
            left = left.min(depth(line));
            is_head && says(line)
        })
}

/// The first pattern that is new among those that coverage leaves out.
pub(super) fn uncounted(change: &Change) -> Option<SettingRemark> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    if !matches!(file_name(&change.path), "build.gradle" | "build.gradle.kts") {
        return None;
    }
    let is_new = |pattern: &&str| !before.contains(*pattern);
    after.lines().enumerate().find_map(|(at, line)| {
        if !line.contains("exclude") || line.trim_start().starts_with("//") || !is_of_coverage(after, at) {
            return None;
        }
        let is_meant = |it: &&str| it.contains("**/") && reach(it) != GlobReach::Others;
        let pattern = quoted(line, PLAIN_QUOTES).filter(is_new).find(is_meant)?;
        let number = u32::try_from(at + 1).unwrap_or(0);
        Some(SettingRemark::of_check(format!("`{pattern}` would not be counted any more"), number, pattern))
    })
}
