//! Advice about values of tests that are others: a question where the project has what the tests are about, and neither the
//! session nor the working tree has changed it.
//!
//! One search for the names that the tests call, and a bounded number of files that are read.

use crate::detectors::TEST_DATA;
use crate::detectors::testing::explained_values::{alters, is_unnamed};
use crate::detectors::testing::held_values::HeldValues;
use crate::detectors::testing::subject_names::{defined, subject_names};
use crate::languages::{Language, data_of_tests, file_name, is_test_path};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::last_run;
use crate::lifecycle::changes::touched::began_at;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};

/// So many files that may define what tests are about are read.
const READ: usize = 30;
/// So many tests of a recorded answer are read.
const TESTS: usize = 4;

/// Makes advice about other values a question where what the tests are about is there as it was. Of a test that passed in
/// the newest run nothing is made to fit: whoever changes what it expects begins with the test.
pub(super) fn confirm(context: &HookContext, changes: &[Change], findings: &mut [Finding]) {
    let is_advice =
        |it: &Finding| it.pattern_id == TEST_DATA && it.severity == Severity::Medium && !is_unnamed(&it.what);
    if !findings.iter().any(is_advice) {
        return;
    }
    let run = last_run::newest(context);
    let has_passed = |it: &Finding| run.as_ref().is_some_and(|run| run.has_no_failure_of(it));
    for finding in findings.iter_mut().filter(|it| is_advice(it) && !has_passed(it)) {
        let Some(change) = changes.iter().find(|change| change.path == finding.path) else { continue };
        let Some(held) = HeldValues::of(change) else { continue };
        if let Some((file, name)) = subject(context, changes, change, &held) {
            finding.severity = Severity::High;
            finding.what = format!("{}, and `{name}` of `{file}` is as it was", finding.what);
        }
    }
}

/// The file that defines what the tests of a change are about, and which name it is.
fn subject(
    context: &HookContext,
    changes: &[Change],
    change: &Change,
    held: &HeldValues,
) -> Option<(String, String)> {
    // A line that the session has written itself was never anybody's word.
    let began_text =
        tree::texts_at(&context.project, &began_at(context), &[change.path.as_str()])?.pop()??;
    let bare = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let began = bare(&began_text);
    if !held.lines.iter().all(|line| began.contains(&bare(line))) {
        return None;
    }
    if let Some(name) = beside_its_tests(change, &began_text) {
        return Some((change.path.clone(), name));
    }
    let tests = match data_of_tests(&change.path) {
        true => tests_of_data(context, changes, &change.path),
        false => vec![(change.path.clone(), change.before.clone()?)],
    };
    tests.iter().find_map(|(path, text)| unchanged(context, changes, path, text))
}

/// What a file of Rust has beside its tests, is called by them, and was the same when the session began.
fn beside_its_tests(change: &Change, began: &str) -> Option<String> {
    let product = |text: &str| Some(text.get(..text.find("#[cfg(test)]")?)?.to_owned());
    let before = change.before.as_deref().filter(|_| change.path.ends_with(".rs"))?;
    let own = product(before)?;
    let tests = before.get(own.len()..)?;
    let is_same =
        product(began).as_ref() == Some(&own) && product(change.after.as_deref()?).as_ref() == Some(&own);
    let names = subject_names(&change.path, tests);
    is_same.then(|| defined(&own, &names).cloned()).flatten()
}

/// The tests that read a file of data, as they are; none where one of them is another one since the session began.
fn tests_of_data(context: &HookContext, changes: &[Change], path: &str) -> Vec<(String, String)> {
    let snapshot = path.strip_suffix(".snap").map(|whole| whole.replace("__snapshots__/", ""));
    let mut paths: Vec<String> = match snapshot {
        Some(test) => vec![test],
        None => tree::files_with(&context.project, &[file_name(path)], false, &[]),
    };
    paths.retain(|it| is_test_path(it) && Language::of_path(it).is_some());
    paths.truncate(TESTS);
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let began = tree::texts_at(&context.project, &began_at(context), &names).unwrap_or_default();
    let mut all = Vec::new();
    for (path, began) in paths.iter().zip(began) {
        let now = read_text(&context.project.root().join(path));
        if now.is_none() || now != began || changes.iter().any(|it| it.path == *path) {
            return Vec::new();
        }
        all.extend(now.map(|text| (path.clone(), text)));
    }
    all
}

/// The first file that defines what a test calls, where it answers as it did when the session began and as what is
/// committed does.
fn unchanged(context: &HookContext, changes: &[Change], path: &str, text: &str) -> Option<(String, String)> {
    let names = subject_names(path, text);
    let language = Language::of_path(path)?;
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    if words.is_empty() {
        return None;
    }
    let mut found = tree::files_with(&context.project, &words, true, &[]);
    let is_product = |it: &String| {
        !is_test_path(it)
            && Language::of_path(it) == Some(language)
            && !changes.iter().any(|change| change.path == *it)
    };
    found.retain(is_product);
    found.truncate(READ);
    let defining = found.into_iter().find_map(|file| {
        let text = read_text(&context.project.root().join(&file))?;
        let name = defined(&text, &names)?.clone();
        Some((file, name, text))
    });
    let (file, name, now) = defining?;
    let known = |commit: &str| tree::texts_at(&context.project, commit, &[file.as_str()])?.pop()?;
    let answers_as_it_did = |commit: &str| known(commit).is_some_and(|was| !alters(&file, &was, &now));
    (answers_as_it_did("HEAD") && answers_as_it_did(&began_at(context))).then_some((file, name))
}
