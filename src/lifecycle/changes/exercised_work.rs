//! Advice about work that goes from a function which the project's tests call: what they ask of it is missed.
//!
//! Tests are looked at only where such advice was found, and a bounded number of them.

use crate::detectors::product::exercised::{exercised, is_of_lost_work, replaces_work, ways_to};
use crate::detectors::product::literals::tests_of;
use crate::languages::{Language, file_name};
use crate::lifecycle::changes::searched_tests::in_tests_with;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};

/// The pattern of work that goes.
const REMOVAL: &str = "LP-F001";
/// The pattern of functions that answer without working.
const STUB: &str = "LP-021";
/// The pattern of answers for single inputs.
const SPECIAL: &str = "LP-017";

/// Makes such advice a question.
pub(super) fn confirm_exercised(context: &HookContext, changes: &[Change], findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|it| it.severity == Severity::Medium) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        let is_meant = match finding.pattern_id {
            REMOVAL => is_of_lost_work(&finding.what),
            STUB => true,
            SPECIAL => replaces_work(change),
            _ => false,
        };
        if !is_meant {
            continue;
        }
        if let Some((test, line)) = called(context, change, &finding.lost) {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` calls it: `{line}`", finding.what);
        }
    }
}

/// The first test that calls a function of a change, with the line that does.
fn called(context: &HookContext, change: &Change, lost: &[String]) -> Option<(String, String)> {
    let stem = file_name(&change.path).split('.').next().unwrap_or_default();
    let names = match Language::of_path(&change.path) {
        Some(_) => lost.first().map(|name| ways_to(change, name)).unwrap_or_default(),
        None => vec![stem.to_owned()],
    };
    if names.is_empty() {
        return None;
    }
    let line = |text: &str| exercised(text, &names, stem);
    if let Some(own) = change.after.as_deref().and_then(tests_of).and_then(line) {
        return Some((change.path.clone(), own));
    }
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    in_tests_with(context, &words, line)
}
