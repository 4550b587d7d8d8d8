//! Fixed answers whose values stand in the project's tests: what the tests expect was written down, not worked out.
//!
//! Tests are looked at only where a detector suspects such an answer, and a bounded number of them.

use crate::detectors::product::feature_words::feature_words;
use crate::detectors::product::literals::{known_rows, shown, tests_of};
use crate::detectors::product::lost_parts::{lost_parts, part_asked};
use crate::detectors::product::lost_states::{lost_states, state_asked};
use crate::detectors::product::lost_values::{asked_for, lost_values};
use crate::detectors::product::new_values::{expected_beside, joined_values, new_values, values_put};
use crate::detectors::product::orphans::{lost_calls, only_declares};
use crate::detectors::product::promises::{lost_words, promised};
use crate::detectors::product::single_answers::answers_in;
use crate::languages::{Language, file_name, is_test_path};
use crate::lifecycle::changes::exercised_work::confirm_exercised;
use crate::lifecycle::changes::expected_failures::confirm_failures;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::searched_tests::{READ, in_tests_with};
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};
use crate::model::words::has_word;

/// The patterns that a value of a test confirms.
const CONFIRMED: &[&str] = &["LP-017", "LP-021"];
/// The patterns of which a test tells that what is gone is missed.
const MISSED: &[&str] = &["LP-F001", "LP-006", "LP-007", "LP-016", "LP-018"];
/// The pattern of work that goes.
const REMOVAL: &str = "LP-F001";
/// What is said of an option of a function that goes.
const WITHOUT: &str = "would have no `";
/// The pattern of features that are switched off.
const FLAG: &str = "LP-008";
/// What is said of an element of a page that goes, which may only be suspected.
const UNSHOWN: &str = "would not be shown any more";
/// The pattern that may only be suspected.
const SUSPECTED: &str = "LP-017";
/// So many values of one test are no chance.
const SEVERAL: usize = 2;
/// A value as long as this is none by itself, and one as long as that where it is all that is new.
const LONG: usize = 8;
const SHORT: usize = 4;

/// Makes advice about a fixed answer a question where a test has the answer's values. What is only a suspicion is one
/// where a row of a test has an input with its answer, and nothing otherwise.
pub fn confirm(context: &HookContext, changes: &[Change], findings: &mut Vec<Finding>) {
    for finding in findings.iter_mut().filter(|it| CONFIRMED.contains(&it.pattern_id)) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        let found = match finding.severity {
            Severity::Medium => tested(context, &new_values(change))
                .or_else(|| put(context, change))
                .or_else(|| answered(context, change, &finding.lost)),
            Severity::Low => answered(context, change, &finding.lost),
            _ => None,
        };
        if let Some((test, value)) = found {
            finding.severity = Severity::High;
            finding.what = format!("{}, as `{test}` has it: `{value}`", finding.what);
        }
    }
    for finding in findings.iter_mut().filter(|it| MISSED.contains(&it.pattern_id)) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        if finding.severity == Severity::Medium
            && let Some((test, value)) = missed(context, change)
        {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` asks for `{value}`", finding.what);
        } else if finding.severity == Severity::Medium
            && finding.pattern_id == REMOVAL
            && let Some((file, name)) = orphaned(context, change)
        {
            finding.severity = Severity::High;
            finding.what = format!("{}, and nothing else asks for `{name}` of `{file}`", finding.what);
        } else if finding.severity == Severity::Medium
            && finding.pattern_id == REMOVAL
            && let Some((test, line)) = given(context, &finding.what, &finding.lost)
        {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` gives it: `{line}`", finding.what);
        } else if (finding.severity == Severity::Medium || finding.what.ends_with(UNSHOWN))
            && finding.pattern_id == REMOVAL
            && let Some((test, title)) = titled(context, change, &finding.lost)
        {
            finding.severity = Severity::High;
            finding.what = format!("{}, which `{test}` promises: `{title}`", finding.what);
        }
    }
    for finding in
        findings.iter_mut().filter(|it| it.severity == Severity::Medium && it.pattern_id == REMOVAL)
    {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        if let Some((test, name)) = kept_state(context, change) {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` asks for `{name}`", finding.what);
        }
    }
    confirm_flags(context, changes, findings);
    confirm_failures(context, changes, findings);
    confirm_exercised(context, changes, findings);
    findings.retain(|it| it.severity > Severity::Low || it.pattern_id != SUSPECTED);
}

/// Makes advice about a feature that is switched off a question where a test asks for it.
fn confirm_flags(context: &HookContext, changes: &[Change], findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|it| it.pattern_id == FLAG && it.severity == Severity::Medium) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        if let Some((test, value)) = flagged(context, change, &finding.lost) {
            finding.severity = Severity::High;
            finding.what = format!("{}, while `{test}` asks for `{value}`", finding.what);
        }
    }
}

/// The first test that claims something about a state which a change writes to no more, by its name.
fn kept_state(context: &HookContext, change: &Change) -> Option<(String, String)> {
    let names = lost_states(change);
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    if words.is_empty() { None } else { in_tests_with(context, &words, |test| state_asked(test, &names)) }
}

/// The first test of a feature that is switched off, by its name or by what it could do.
fn flagged(context: &HookContext, change: &Change, keys: &[String]) -> Option<(String, String)> {
    let names = feature_words(change, keys);
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    if words.is_empty() {
        return None;
    }
    in_tests_with(context, &words, |test| names.iter().find(|name| has_word(test, name)).cloned())
}

/// The first test that asks for what a change takes out of its file, and what that is.
fn missed(context: &HookContext, change: &Change) -> Option<(String, String)> {
    let lost = lost_values(change);
    let parts = lost_parts(change);
    let words: Vec<&str> =
        lost.iter().map(|value| value.trim_matches('"')).chain(parts.iter().map(String::as_str)).collect();
    let asked = |test: &str| asked_for(test, &lost).or_else(|| part_asked(test, &parts));
    if words.is_empty() { None } else { in_tests_with(context, &words, asked) }
}

/// The first test of a function, or of its file, whose title promises what a change takes away.
fn titled(context: &HookContext, change: &Change, names: &[String]) -> Option<(String, String)> {
    let lost = lost_words(change);
    let stem = file_name(&change.path).split('.').next().unwrap_or_default();
    let words: Vec<&str> = names.iter().map(String::as_str).filter(|it| is_word(it)).chain([stem]).collect();
    if lost.is_empty() || stem.len() < SHORT {
        None
    } else {
        in_tests_with(context, &words, |test| promised(test, &lost))
    }
}

/// The first test that gives a function the option which it would not have any more, with the line that does.
fn given(context: &HookContext, what: &str, names: &[String]) -> Option<(String, String)> {
    let option = what.split_once(WITHOUT)?.1.split('`').next().filter(|it| it.len() > 2)?;
    let gives = |line: &&str| {
        [":", "=", " = "].iter().any(|sign| line.contains(&format!("{option}{sign}")))
            && has_word(line, option)
    };
    let is_about =
        |text: &str| names.iter().any(|it| has_word(text, it)) || names.iter().any(|it| it == "constructor");
    let line = |text: &str| text.lines().find(gives).filter(|_| is_about(text)).map(shown);
    in_tests_with(context, &[option], line)
}

fn is_word(name: &str) -> bool {
    name.len() >= SHORT && name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// What a change calls no more, and that other code only declares, with the file that does.
fn orphaned(context: &HookContext, change: &Change) -> Option<(String, String)> {
    let names = lost_calls(change);
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    if words.is_empty() {
        return None;
    }
    let mut found = tree::files_with(&context.project, &words, false, &[]);
    found.retain(|path| *path != change.path && !is_test_path(path) && Language::of_path(path).is_some());
    if found.len() > READ {
        return None;
    }
    let texts: Vec<(String, String)> = found
        .into_iter()
        .filter_map(|path| Some((path.clone(), read_text(&context.project.root().join(&path))?)))
        .collect();
    names.into_iter().find_map(|name| {
        let said: Vec<(&String, bool)> =
            texts.iter().filter_map(|(path, text)| Some((path, only_declares(text, &name)?))).collect();
        let (path, _) = said.first()?;
        said.iter().all(|(_, declares)| *declares).then(|| ((*path).clone(), name))
    })
}

/// The first test of a function with a row that has both an input and its new fixed answer.
fn answered(context: &HookContext, change: &Change, names: &[String]) -> Option<(String, String)> {
    let (name, answers) = (names.first()?, answers_in(change));
    if answers.is_empty() || name.is_empty() {
        return None;
    }
    let row = |text: &str| answers.iter().find_map(|values| known_rows(text, values));
    let own = change.after.as_deref().and_then(tests_of).and_then(row);
    if let Some(row) = own {
        return Some((change.path.clone(), row));
    }
    in_tests_with(context, &[name], row)
}

/// The first test that expects a value in the very line that has got it.
fn put(context: &HookContext, change: &Change) -> Option<(String, String)> {
    let put = values_put(change);
    let words: Vec<&str> = put.iter().flat_map(|(_, kept)| kept).map(String::as_str).collect();
    if words.is_empty() { None } else { in_tests_with(context, &words, |test| expected_beside(test, &put)) }
}

/// The first test that has the values, and one of them.
fn tested(context: &HookContext, values: &[&str]) -> Option<(String, String)> {
    if values.is_empty() {
        return None;
    }
    let joined: Vec<(&str, Vec<&str>)> =
        values.iter().filter_map(|value| Some((*value, joined_values(value)?))).collect();
    let words: Vec<&str> =
        values.iter().copied().chain(joined.iter().flat_map(|(_, parts)| parts.iter().copied())).collect();
    in_tests_with(context, &words, |text| {
        let is_row = |parts: &[&str]| text.lines().any(|line| parts.iter().all(|it| line.contains(it)));
        if let Some((value, _)) = joined.iter().find(|(_, parts)| is_row(parts)) {
            return Some((*value).to_owned());
        }
        let known: Vec<&&str> = values.iter().filter(|value| text.contains(**value)).collect();
        let is_long = |least: usize| known.iter().any(|value| value.len() >= least);
        let is_sure =
            known.len() >= SEVERAL || is_long(LONG) || known.len() == values.len() && is_long(SHORT);
        let value = known.iter().max_by_key(|value| value.len())?;
        is_sure.then(|| (**value).to_string())
    })
}
