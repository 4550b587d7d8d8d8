//! Tests that stand twice: one that is gone is not lost while the same text stays under the same name, about the same
//! code, in a file that runners look at.

use std::collections::BTreeSet;

use crate::detectors::DELETED_TESTS;
use crate::languages::testing::collection::is_run_as;
use crate::languages::{self, Outline, Test, file_name, is_test_path};
use crate::lifecycle::changes::successors::text_after;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding};

/// So many files beside a lost test are read.
const READ: usize = 60;

/// Takes out what is said of tests whose twins stay.
pub(super) fn spare(context: &HookContext, changes: &[Change], findings: &mut Vec<Finding>) {
    findings.retain(|finding| {
        let is_of_tests = finding.pattern_id == DELETED_TESTS && !finding.lost.is_empty();
        let change = changes.iter().find(|change| is_of_tests && change.path == finding.path);
        !change.is_some_and(|change| all_stay(context, change, changes, &finding.lost))
    });
}

/// Whether a file that goes has nothing but tests whose twins stay.
pub(crate) fn stays(context: &HookContext, changes: &[Change], path: &str) -> bool {
    let gone = changes.iter().find(|change| change.path == path && change.after.is_none());
    gone.is_some_and(|change| {
        let outline = languages::outline_of(path, change.before.as_deref().unwrap_or_default());
        let names: BTreeSet<String> = outline.tests.iter().map(|test| test.name.clone()).collect();
        !names.is_empty() && all_stay(context, change, changes, &names.into_iter().collect::<Vec<_>>())
    })
}

/// Whether each of the lost tests of a file has a twin in one that stays.
fn all_stay(context: &HookContext, change: &Change, changes: &[Change], lost: &[String]) -> bool {
    let Some(before) = change.before.as_deref() else { return false };
    let outline = languages::outline_of(&change.path, before);
    let mut missing: Vec<&Test> = outline.tests.iter().filter(|test| lost.contains(&test.name)).collect();
    let named: BTreeSet<&str> = missing.iter().map(|test| test.name.as_str()).collect();
    if named.len() != lost.len() {
        return false;
    }
    for path in beside(context, change, changes) {
        let Some(text) = text_after(context, &path, changes) else { continue };
        if !missing.iter().any(|test| text.contains(test.text_in(Some(before)).trim())) {
            continue;
        }
        let there = languages::outline_of(&path, &text);
        missing.retain(|test| !is_there(test, before, &there, &text));
        if missing.is_empty() {
            return true;
        }
    }
    false
}

/// Whether a test of the same name and text runs there.
fn is_there(test: &Test, before: &str, there: &Outline, text: &str) -> bool {
    let is_same = |own: &&Test| {
        own.name == test.name
            && own.skipped.is_none()
            && own.text_in(Some(text)).trim() == test.text_in(Some(before)).trim()
    };
    there.tests.iter().any(|own| is_same(&own))
}

/// Files of tests of the same language beside a file: in another folder the same words may mean other code.
fn beside(context: &HookContext, change: &Change, changes: &[Change]) -> Vec<String> {
    let folder = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    let ending = |path: &str| file_name(path).rsplit_once('.').map(|(_, ending)| ending.to_owned());
    let own = context.project.root().join(folder(&change.path));
    let entries = std::fs::read_dir(&own).into_iter().flatten().flatten();
    let on_disk = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let mut found: BTreeSet<String> =
        on_disk.map(|entry| context.relative(&own.join(entry.file_name()))).collect();
    found.extend(changes.iter().map(|other| other.path.clone()));
    let is_other = |path: &String| {
        *path != change.path
            && folder(path) == folder(&change.path)
            && ending(path) == ending(&change.path)
            && is_test_path(path)
            && is_run_as(&change.path, path)
    };
    found.into_iter().filter(is_other).take(READ).collect()
}
