//! Defaults that take the place of an error: `?` that became `unwrap_or`, `orElseThrow` that became `orElse`.
//!
//! A default for what is really optional (a setting, an argument, a header) is none.

use crate::detectors::Case;
use crate::detectors::engine::hunks::Line;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{falls_back, identifiers, passes_on, plain, refuses};
use crate::model::finding::Severity;

/// What names have of values that may be missing, in lower case.
const OPTIONAL: &[&str] = &[
    "env",
    "config",
    "option",
    "setting",
    "arg",
    "param",
    "header",
    "cookie",
    "query",
    "locale",
    "lang",
    "default",
    "pref",
    "theme",
    "title",
    "label",
    "description",
    "meta",
    "cache",
    "limit",
    "page",
];

/// The first error that a default takes the place of.
pub(super) fn defaulted(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let words = revision.words;
    let places = revision.hunks().iter().filter(|hunk| hunk.gone.len() == hunk.come.len());
    let mut pairs = places.flat_map(|hunk| hunk.gone.iter().zip(&hunk.come));
    let (gone, come) = pairs.find(|(gone, come)| {
        let let_up = |line: &Line| passes_on(words, line.text) || refuses(words, line.text);
        let hides = falls_back(words, come.text) && !falls_back(words, gone.text);
        let_up(gone) && !let_up(come) && hides && is_same_value(revision, gone, come)
    })?;
    let owner = revision.owner_at(gone.at)?;
    revision.successor(owner)?;
    let name = revision.before.functions.get(owner)?.name;
    if has_tests_of(case, name) {
        return None;
    }
    let what = format!(
        "`{}` would take a default where `{}` let the error come up",
        short(come.text),
        short(gone.text)
    );
    Some(LostCheck::new(gone.number, name, what, Severity::High))
}

/// Whether two lines are about one value that has to be there: most names are in both, and none is of an optional one.
fn is_same_value(revision: &Revision, gone: &Line, come: &Line) -> bool {
    let (old, new) = (plain(revision.words, gone.text), plain(revision.words, come.text));
    let known: Vec<&str> = identifiers(&old).collect();
    let kept = known.iter().filter(|word| identifiers(&new).any(|it| it == **word)).count();
    let lower = gone.text.to_lowercase();
    kept * 2 > known.len() && !OPTIONAL.iter().any(|word| lower.contains(word))
}
