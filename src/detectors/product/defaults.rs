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
    if let Some(lost) = swallowed_whole(case, revision).or_else(|| bound_and_defaulted(case, revision)) {
        return Some(lost);
    }
    let sides =
        revision.hunks().iter().map(|hunk| (statements(&hunk.gone), without_end(statements(&hunk.come))));
    let sides: Vec<_> = sides.filter(|(gone, come)| gone.len() == come.len()).collect();
    let mut pairs = sides.iter().flat_map(|(gone, come)| gone.iter().zip(come));
    let ((_, gone), (_, come)) = pairs.find(|((old, gone), (new, come))| {
        let is_tail = |text: &str| text.contains(".map_err(") && text.ends_with(')');
        let let_up = |text: &str| passes_on(words, text) || refuses(words, text) || is_tail(text);
        let hides = falls_back(words, new) && !falls_back(words, old);
        let_up(old)
            && !let_up(new)
            && hides
            && is_same_value(revision, old, new)
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

/// What a function of Rust gave back whole, which has got a name now and a default in the place of its error:
/// `let out = match kind {` and `Ok(out.unwrap_or_default())`.
fn bound_and_defaulted(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if !revision.change.path.ends_with(".rs") {
        return None;
    }
    let hunks = revision.hunks();
    let mut gone = hunks.iter().flat_map(|it| &it.gone);
    let mut come = hunks.iter().flat_map(|it| &it.come);
    let bound = |line: &CodeLine| {
        let (name, value) = line.text.strip_prefix("let ")?.split_once(" = ")?;
        let old = gone.clone().find(|it| it.text == value || value.strip_suffix(';') == Some(it.text))?;
        Some((name.split(':').next()?.trim().to_owned(), *old))
    };
    let (name, old) = come.clone().find_map(bound)?;
    let is_hidden = |line: &&CodeLine| {
        line.text.starts_with("Ok(")
            && line.text.contains(&format!("{name}."))
            && falls_back(revision.words, line.text)
    };
    let line = come.find(is_hidden)?;
    let owner = revision.owner_at(old.at)?;
    let function = revision.before.functions.get(owner)?.name;
    let what = format!("`{}` would take a default where the error of it was given back", short(line.text));
    let is_last = gone.all(|it| !it.text.starts_with("Ok("));
    (is_last && !has_tests_of(case, function))
        .then(|| LostCheck::new(line.number, function, what, Severity::High))
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

/// The statements of some lines, each with its first line: what begins with a dot or a question mark goes on.
fn statements<'a>(lines: &[CodeLine<'a>]) -> Vec<(String, CodeLine<'a>)> {
    let mut all: Vec<(String, CodeLine)> = Vec::new();
    for line in lines {
        match all.last_mut().filter(|_| line.text.starts_with(['.', '?'])) {
            Some((text, _)) => text.push_str(line.text),
            None => all.push((line.text.to_owned(), *line)),
        }
    }
    all
}

/// Statements without the word of success at their end: `Ok(())`.
fn without_end(mut all: Vec<(String, CodeLine)>) -> Vec<(String, CodeLine)> {
    if all.len() > 1 && all.last().is_some_and(|(text, _)| text == "Ok(())") {
        all.pop();
    }
    all
}

/// Whether a statement reads what somebody has written: that may be wrong, and is not missing.
fn reads_text(code: &str) -> bool {
    const READING: &[&str] =
        &["from_str", "from_slice", "from_reader", "parse", "decode", "deserialize", "from_utf8"];
    identifiers(code).any(|word| READING.iter().any(|it| word.to_lowercase().contains(it)))
}

/// Whether two statements are about one value that has to be there: most names are in both, and none is of an optional one.
fn is_same_value(revision: &Revision, gone: &str, come: &str) -> bool {
    let (old, new) = (plain(revision.words, gone), plain(revision.words, come));
    let known: Vec<&str> = identifiers(&old).collect();
    let kept = known.iter().filter(|word| identifiers(&new).any(|it| it == **word)).count();
    let first =
        |code: &str| code.split('(').next().map(|it| it.rsplit([' ', '=']).next().unwrap_or(it).to_owned());
    let is_same_call =
        old.contains('(') && first(&old).is_some_and(|it| it.len() > 3 && first(&new).as_ref() == Some(&it));
    // What is given to a reader of texts is there, whatever it is called.
    let is_read = reads_text(&old) && old.contains("map_err");
    (kept * 2 > known.len() || is_same_call) && (is_read || !is_optional(gone))
}

/// Whether a line is about a value that may be missing.
pub(super) fn is_optional(line: &str) -> bool {
    // `charge` is no `arg`, and `limited` no limit.
    let begins = |word: &String| {
        OPTIONAL.iter().any(|it| word.strip_prefix(it).is_some_and(|rest| !rest.starts_with("ed")))
    };
    crate::model::words::words(line).iter().any(begins)
}
