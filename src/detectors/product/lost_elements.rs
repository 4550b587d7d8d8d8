//! Elements of a page that are shown no more: taken out, or put into a comment, while the file still brings them in.

use crate::detectors::Case;
use crate::detectors::engine::hunks::hunks;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::{has_company, is_part_of_more};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::templates::is_template;
use crate::languages::code::identifiers;
use crate::model::finding::{Change, Severity};
use crate::model::words::is_name_part;

/// Endings of files with elements in their code.
const PAGES: &[&str] = &[".jsx", ".tsx", ".js"];
/// More lines than these are a rewrite.
const REWRITE: usize = 40;

/// The first element that is gone with nothing in its place.
pub(super) fn element_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let path = &revision.change.path;
    let size: usize = revision.hunks().iter().map(|it| it.gone.len() + it.come.len()).sum();
    if !PAGES.iter().any(|end| path.ends_with(end)) || size > REWRITE {
        return None;
    }
    let shown = without_comments(revision.new);
    let is_new = |name: &&str| !elements(revision.old).contains(name);
    if elements(&shown).iter().any(is_new) || is_part_of_more(case, revision) {
        return None;
    }
    let left = elements(&shown);
    let lines = revision.hunks().iter().flat_map(|it| &it.gone);
    let (line, name) = lines.filter(|line| !line.text.starts_with("{/*")).find_map(|line| {
        let name = elements(line.text).into_iter().find(|name| !left.contains(name))?;
        Some((line, name))
    })?;
    let is_commented = elements(revision.new).contains(&name);
    let is_brought_in =
        revision.new.lines().any(|it| it.starts_with("import ") && identifiers(it).any(|word| word == name));
    let owner = revision.old_function_at(line.at).map_or("", |it| it.name);
    let what = format!("`{}` would not be shown any more", short(line.text));
    let severity = match (is_brought_in, is_commented) {
        (true, true) => Severity::High,
        (true, false) | (false, true) => Severity::Medium,
        // What goes with its import is suspected, and a test that promises it confirms it.
        (false, false) => Severity::Low,
    };
    Some(LostCheck::of_line(line, owner, what, severity))
}

/// How an element of a template says what it does when somebody uses it.
const HANDLING: &[&str] = &[
    "@click",
    "@submit",
    "@change",
    "@input",
    "v-on:",
    "on:click",
    "on:submit",
    "onclick",
    "onsubmit",
    "(click)",
    "(submit)",
    "(ngSubmit)",
    "data-action",
    "wire:click",
    "phx-click",
    "phx-submit",
    "hx-post",
    "hx-delete",
    "hx-get",
    "hx-put",
];

/// What somebody could use in a template, and that is gone with nothing in its place. A test that promises it confirms it.
pub(super) fn control_gone(case: &Case, change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_template(&change.path) || old == new {
        return None;
    }
    let places = hunks("//", old, new)?;
    let handles = |text: &str| HANDLING.iter().any(|mark| text.contains(mark));
    let count = |text: &str| text.lines().filter(|line| handles(line)).count();
    let size: usize = places.iter().map(|it| it.gone.len() + it.come.len()).sum();
    if count(new) >= count(old) || size > REWRITE || places.iter().any(|it| !it.come.is_empty()) {
        return None;
    }
    let line = places.iter().flat_map(|it| &it.gone).find(|line| handles(line.text))?;
    let what = format!("`{}` would not be shown any more", short(line.text));
    (!has_company(case, change)).then(|| LostCheck::new(line.number, line.text, what, Severity::Medium))
}

/// The components that a text shows.
fn elements(text: &str) -> Vec<&str> {
    let begins = text.split('<').skip(1).filter(|rest| rest.starts_with(char::is_uppercase));
    let names = begins.filter_map(|rest| {
        let end = rest.find(|c: char| !(is_name_part(c) || c == '.'))?;
        let next = rest.get(end..)?.chars().next()?;
        // A type's argument ends right behind its name.
        (next.is_whitespace() || next == '/').then(|| rest.get(..end)).flatten()
    });
    names.filter(|name| name.len() > 1).collect()
}

/// A text without what stands in the comments of its elements.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, behind)) = rest.split_once("{/*") {
        out.push_str(head);
        rest = behind.split_once("*/}").map_or("", |(_, rest)| rest);
    }
    out + rest
}
