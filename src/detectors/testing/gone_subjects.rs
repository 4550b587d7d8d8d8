//! Lost tests whose subject is gone as well, or has changed: others in their place follow it.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::engine::hunks::hunks;
use crate::detectors::testing::explained_values::product_changes;
use std::collections::BTreeSet;

use crate::languages::code::identifiers;
use crate::languages::modules::imports::{code_lines, has_word};
use crate::languages::modules::{ALL, ImportQuestion, offered, taken};
use crate::languages::{Fate, Test, subject};
use crate::model::finding::Change;

/// Whether code that lost tests name has changed as well: others in their place follow it.
pub(super) fn follows_its_subject(case: &Case, change: &Change, tests: &[&Test]) -> bool {
    product_changes(case, &change.path).any(|other| {
        let (old, new) = (other.before.as_deref(), other.after.as_deref());
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        // Of a rewrite all lines differ.
        let places = hunks("//", old, new);
        let lines: Vec<&str> = match &places {
            Some(all) => all.iter().flat_map(|it| it.gone.iter().chain(&it.come)).map(|it| it.text).collect(),
            None => old.lines().chain(new.lines()).collect(),
        };
        let words: Vec<&str> =
            lines.iter().copied().flat_map(identifiers).filter(|word| word.len() > 3).collect();
        // `"/v1/"` of a route, for a test that asks `"/v1/items"`.
        let routes: Vec<&str> =
            lines.iter().flat_map(|line| quoted(line, QUOTES)).filter(|it| is_route(it)).collect();
        let asks_route = |test: &Test| {
            let text = test.text_in(change.before.as_deref());
            quoted(text, QUOTES).any(|asked| routes.iter().any(|route| asked.starts_with(route)))
        };
        let names = |test: &&Test| words.iter().any(|word| test.body.mentions(word)) || asks_route(test);
        subject(&other.path) == subject(&change.path) || tests.iter().all(names)
    })
}

/// Whether a text is the path of a route, with more than its first sign.
fn is_route(text: &str) -> bool {
    text.starts_with('/') && text.len() > 3 && !text.contains(' ')
}

/// Whether a lost test calls something that it imported from a module which the session has changed, and which doesn't
/// have it any more.
pub(super) fn imports_what_is_gone(case: &Case, change: &Change, test: &Test) -> bool {
    let before = change.before.as_deref().unwrap_or_default();
    let named: BTreeSet<String> = identifiers(test.text_in(change.before.as_deref()))
        .filter(|name| name.len() > 2)
        .map(str::to_owned)
        .collect();
    product_changes(case, &change.path).any(|other| {
        let Some(after) = other.after.as_deref() else { return false };
        let known = offered(&other.path, after);
        let is_all = known.is_empty() || known.contains(ALL);
        let asking = ImportQuestion { path: &change.path, module: &other.path, project: "" };
        let is_named = |name: &String| code_lines(after).any(|line| has_word(line, name));
        // A name that the module never had is another's: files of one package take from each other without an import.
        let was_named = |name: &String| {
            let was = other.before.as_deref();
            was.is_none_or(|text| code_lines(text).any(|line| has_word(line, name)))
        };
        let is_lost = |name: &String| !known.contains(name) && !is_named(name) && was_named(name);
        !is_all && taken(&asking, before, &named).iter().any(is_lost)
    })
}

/// Whether the code that lost tests are about is gone as well: the file of a file, the functions of single tests.
pub(super) fn are_about_gone(case: &Case, change: &Change, lost: &[(&Test, &Fate)]) -> bool {
    let has_all = lost
        .iter()
        .filter(|(test, _)| !test.suite)
        .all(|(test, fate)| **fate == Fate::Lost && case.gone().has_subject_of(&change.path, test));
    let has_cases = lost.iter().any(|(test, _)| !test.suite);
    !is_root_of_kept_package(case, change) && (subject_is_gone(case, change) || (has_cases && has_all))
}

/// Whether the file that is gone is where a Rust package begins, and the package stays: nothing of it runs any more.
pub(super) fn is_root_of_kept_package(case: &Case, change: &Change) -> bool {
    const ROOTS: &[&str] = &["src/lib.rs", "src/main.rs"];
    let is_root = |path: &str| ROOTS.iter().any(|root| path == *root || path.ends_with(&format!("/{root}")));
    let package = |path: &str| path.rsplit_once("src/").map_or("", |(folder, _)| folder).to_owned();
    if change.after.is_some() || !is_root(&change.path) {
        return false;
    }
    let own = package(&change.path);
    let manifest = format!("{own}Cargo.toml");
    !case.all_changes().any(|other| {
        let is_new = || other.before.is_none() && other.after.is_some();
        let is_given_up = || other.after.is_none() || other.before != other.after;
        is_root(&other.path) && package(&other.path) == own && is_new()
            || other.path == manifest && is_given_up()
    })
}

/// Whether the file that a deleted test file is about is gone as well.
pub(super) fn subject_is_gone(case: &Case, change: &Change) -> bool {
    change.after.is_none() && case.gone().has_file_of(&change.path)
}
