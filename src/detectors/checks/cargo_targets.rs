//! Targets of Cargo that are told not to run their tests.

use crate::detectors::Case;
use crate::detectors::checks::both_settings::both;
use crate::detectors::checks::setting_keys::{SettingFinding, list_of, place, value};
use crate::languages::SettingEntry;
use crate::model::finding::{Change, Severity};

/// A target whose tests would not be run.
pub(super) fn untested(case: &Case, change: &Change) -> Option<SettingFinding> {
    let (before, after) = both(change)?;
    if let Some(found) = asked_for(&before, &after) {
        return Some(found);
    }
    let is_off = |entry: &&SettingEntry| {
        let name = entry.name();
        entry.value == "false"
            && (name == "autotests"
                || (matches!(name, "test" | "harness" | "doctest")
                    && matches!(place(entry), "lib" | "test" | "bin" | "package")))
    };
    let new = after.iter().filter(is_off).find(|new| {
        let count =
            |all: &[SettingEntry]| all.iter().filter(|it| it.key == new.key && it.value == new.value).count();
        count(&after) > count(&before)
    })?;
    // A target with its own harness that is new as a whole is a choice.
    let section = place(new);
    let sections =
        |all: &[SettingEntry]| all.iter().filter(|it| it.key == section && it.value.is_empty()).count();
    let is_new_target = new.name() == "harness" && sections(&after) > sections(&before);
    let is_new_target = is_new_target && (section != "test" || brings_a_harness(case, &before, &after));
    (!is_new_target)
        .then(|| (format!("`{} = false` would keep tests from running", new.key), new.line, Severity::High))
}

/// A test target that runs only where a feature is asked for, which nobody asks for by default.
fn asked_for(before: &[SettingEntry], after: &[SettingEntry]) -> Option<SettingFinding> {
    let is_condition =
        |it: &&SettingEntry| place(it) == "test" && list_of(&it.key).ends_with("required-features");
    let count = |all: &[SettingEntry]| all.iter().filter(is_condition).count();
    let tests = |all: &[SettingEntry]| all.iter().filter(|it| it.key == "test.name").count();
    let new = after.iter().filter(is_condition).find(|it| value(before, &it.key).is_none())?;
    let by_default = after.iter().any(|it| list_of(&it.key) == "features.default" && it.value == new.value);
    (count(after) > count(before) && !by_default && tests(after) == tests(before)).then(|| {
        (format!("a test would run only where `{}` is asked for", new.value), new.line, Severity::High)
    })
}

/// Whether a test target with its own harness comes with one: a file of the target, or a crate that it may be from. A
/// file of tests that was there before would run none of them.
fn brings_a_harness(case: &Case, before: &[SettingEntry], after: &[SettingEntry]) -> bool {
    let all = case.evidence.changes.iter().chain(case.evidence.elsewhere);
    let has_file =
        all.filter(|it| it.before.is_none() && it.after.is_some()).any(|it| it.path.ends_with(".rs"));
    let is_crate = |it: &&SettingEntry| it.key.contains("dependencies.") && value(before, &it.key).is_none();
    has_file || after.iter().any(|it| is_crate(&it))
}
