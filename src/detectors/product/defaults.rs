//! Defaults that take the place of an error: `?` that became `unwrap_or`, `orElseThrow` that became `orElse`.
//!
//! A default for what is really optional (a setting, an argument, a header) is none.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::product::refused_values::is_refused;
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
    if let Some(lost) = swallowed_whole(case, revision) {
        return Some(lost);
    }
    let places = revision.hunks().iter().filter(|hunk| hunk.gone.len() == hunk.come.len());
    let mut pairs = places.flat_map(|hunk| hunk.gone.iter().zip(&hunk.come));
    let (gone, come) = pairs.find(|(gone, come)| {
        let let_up = |line: &CodeLine| passes_on(words, line.text) || refuses(words, line.text);
        let hides = falls_back(words, come.text) && !falls_back(words, gone.text);
        let_up(gone)
            && !let_up(come)
            && hides
            && is_same_value(revision, gone, come)
            && revision.is_of_one(gone, come)
    })?;
    let owner = revision.owner_at(gone.at)?;
    let new = revision.successor(owner)?;
    let name = revision.before.functions.get(owner)?.name;
    if has_tests_of(case, name) || is_refused(revision, Some(new), come.number) {
        return None;
    }
    let what = format!(
        "`{}` would take a default where `{}` let the error come up",
        short(come.text),
        short(gone.text)
    );
    Some(LostCheck::new(gone.number, name, what, Severity::High))
}

/// What makes of every error nothing, or a default, without blanks.
const WRAPPERS: &[&str] =
    &["runCatching{", "try?", "contextlib.suppress(", "rescuenil", ".catch(()=>", "catch{}", ".onFailure{}"];
/// What a wrapper is followed by that still does something about the error.
const HANDLING: &[&str] = &["getOrThrow", "onFailure{", "fold(", "getOrElse{", "recover", "exceptionOrNull"];

/// A handler, or a refusal over several lines, of which a default for every error is left.
fn swallowed_whole(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let words = revision.words;
    revision.hunks().iter().filter(|hunk| hunk.gone.len() > 1).find_map(|hunk| {
        let text =
            |lines: &[CodeLine]| lines.iter().map(|it| plain(words, it.text)).collect::<Vec<_>>().join("\n");
        let (old, new) = (text(&hunk.gone), text(&hunk.come));
        let squeezed: String = new.chars().filter(|c| !c.is_whitespace()).collect();
        let wraps = WRAPPERS.iter().any(|it| squeezed.contains(it))
            && !HANDLING.iter().any(|it| squeezed.contains(it));
        let handled = hunk.gone.iter().any(|it| refuses(words, it.text))
            || identifiers(&old).any(|word| matches!(word, "catch" | "except" | "rescue"));
        let called = |text: &str| -> Vec<String> {
            let heads = text.split('(').take(text.matches('(').count());
            heads.filter_map(|it| identifiers(it).last().map(str::to_owned)).collect()
        };
        let known = called(&old);
        let is_same = called(&new).iter().any(|it| it.len() > 2 && known.contains(it));
        let line = *hunk.gone.first()?;
        let owner = revision.owner_at(line.at)?;
        let new = revision.successor(owner)?;
        let name = revision.before.functions.get(owner)?.name;
        let is_lost = wraps && handled && is_same && !hunk.come.iter().any(|it| refuses(words, it.text));
        let come = hunk.come.first()?;
        let is_refused = || is_refused(revision, Some(new), come.number);
        (is_lost && !has_tests_of(case, name) && !is_refused()).then(|| {
            let what = format!("`{}` would hide every error of what `{name}` does there", short(come.text));
            LostCheck::new(line.number, name, what, Severity::High)
        })
    })
}

/// Whether two lines are about one value that has to be there: most names are in both, and none is of an optional one.
fn is_same_value(revision: &Revision, gone: &CodeLine, come: &CodeLine) -> bool {
    let (old, new) = (plain(revision.words, gone.text), plain(revision.words, come.text));
    let known: Vec<&str> = identifiers(&old).collect();
    let kept = known.iter().filter(|word| identifiers(&new).any(|it| it == **word)).count();
    let first =
        |code: &str| code.split('(').next().map(|it| it.rsplit([' ', '=']).next().unwrap_or(it).to_owned());
    let is_same_call =
        old.contains('(') && first(&old).is_some_and(|it| it.len() > 3 && first(&new).as_ref() == Some(&it));
    (kept * 2 > known.len() || is_same_call) && !is_optional(gone.text)
}

/// Whether a line is about a value that may be missing.
pub(super) fn is_optional(line: &str) -> bool {
    let lower = line.to_lowercase();
    // `limited` is no limit.
    OPTIONAL.iter().any(|word| lower.split(word).skip(1).any(|rest| !rest.starts_with("ed")))
}
