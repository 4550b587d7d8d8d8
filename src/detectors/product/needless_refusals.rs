//! Refusals with which nothing is lost: behind another way out, or of an error that is given back by itself.

use crate::detectors::engine::hunks::{Hunk, Line};
use crate::detectors::engine::revision::Revision;
use crate::languages::Language;
use crate::languages::code::{Refusing, identifiers, plain};

/// Whether nothing gets through for want of the lines that are gone.
pub(super) fn is_needless(revision: &Revision, hunk: &Hunk) -> bool {
    is_never_reached(revision.words, hunk) || is_given_back(revision, hunk)
}

/// Whether a refusal stands in the line right behind another way out, under no condition of its own.
fn is_never_reached(words: &Refusing, hunk: &Hunk) -> bool {
    let (Some(above), [gone], []) = (hunk.above, &hunk.gone[..], &hunk.come[..]) else { return false };
    let first = |code: &str| identifiers(code).next().unwrap_or_default().to_owned();
    let (way_out, refusal) = (plain(words, above.text), plain(words, gone.text));
    let is_conditional = [" if ", " unless "].iter().any(|word| way_out.contains(word));
    // Without a sign at its end a statement may go on in the next line.
    let is_whole = way_out.trim_end().ends_with(';') || words.comment == "#";
    matches!(first(&way_out).as_str(), "throw" | "raise" | "return")
        && matches!(first(&refusal).as_str(), "throw" | "raise")
        && !is_conditional
        && is_whole
        && gone.number == above.number + 1
}

/// Whether a call whose error was passed on, where it gave one, is given back whole: `return run(job)`. An error is a
/// value there.
fn is_given_back(revision: &Revision, hunk: &Hunk) -> bool {
    let language = Language::of_path(&revision.change.path);
    let ([_, _, ..], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return false };
    let given = come.text.trim_end_matches(';');
    let call = given.strip_prefix("return ").unwrap_or(given);
    // The call with what it gave, the same given back, and the end that says that nothing was wrong.
    let is_part = |line: &Line| {
        let bare = line.text.trim_end_matches([';', ' ', '}']);
        let back = bare.strip_prefix("return ").unwrap_or(bare).trim_end_matches('?');
        line.text.contains(call)
            || matches!(
                back,
                "nil" | "err" | "Ok(())" | "Err(e)" | "Err(err)" | "s" | "st" | "status" | "Status::OK()"
            )
            || bare.starts_with("if ") && bare.contains("status") && bare.contains(".ok()")
    };
    matches!(language, Some(Language::Go | Language::Rust | Language::Cpp))
        && call.ends_with(')')
        && call.contains('(')
        && hunk.gone.iter().all(is_part)
        && hunk.gone.iter().any(|line| line.text.contains(call))
}
