//! Refusals that go and are not missed: their errors come up or are given back by themselves, what could fail goes with
//! them, or nothing ever reached them.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named};
use crate::detectors::product::proven_arms::is_proven;
use crate::detectors::product::refused_when_made::is_refused_when_made;
use crate::detectors::product::strict_conversions::is_converted;
use crate::detectors::product::strict_lookups::is_looked_up_strictly;
use crate::languages::Language;
use crate::languages::code::{Refusing, bare, identifiers, plain, refuses};

/// Whether nobody misses the refusals that a place has lost.
pub(super) fn is_unmissed(revision: &Revision, hunk: &TextHunk) -> bool {
    is_needless(revision, hunk)
        || is_handler_gone(revision, hunk)
        || goes_with_its_call(revision, hunk)
        || is_subscript(revision, hunk)
        || is_in_force(revision, hunk)
}

/// Whether what the refusals were against can't happen without them either: nothing reaches them, the value is refused when
/// it is made, or the lookup fails by itself.
pub(super) fn is_in_force(revision: &Revision, hunk: &TextHunk) -> bool {
    is_proven(revision, hunk)
        || is_refused_when_made(revision, hunk)
        || is_looked_up_strictly(revision, hunk)
        || is_converted(revision, hunk)
}

/// Whether nothing gets through for want of the lines that are gone.
pub(super) fn is_needless(revision: &Revision, hunk: &TextHunk) -> bool {
    is_never_reached(revision.words, hunk) || is_given_back(revision, hunk)
}

/// Whether a refusal stands in the line right behind another way out, under no condition of its own.
fn is_never_reached(words: &Refusing, hunk: &TextHunk) -> bool {
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
fn is_given_back(revision: &Revision, hunk: &TextHunk) -> bool {
    let language = Language::of_path(&revision.change.path);
    let ([_, _, ..], [come]) = (&hunk.gone[..], &hunk.come[..]) else { return false };
    let given = come.text.trim_end_matches(';');
    let call = given.strip_prefix("return ").unwrap_or(given);
    // The call with what it gave, the same given back, and the end that says that nothing was wrong.
    let is_part = |line: &CodeLine| {
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

/// Whether a handler went together with what it passed on: the error comes up by itself now.
fn is_handler_gone(revision: &Revision, hunk: &TextHunk) -> bool {
    let words = ["catch", "except", "rescue"];
    let of_handler = |line: &CodeLine| {
        let code = plain(revision.words, line.text);
        identifiers(&code).any(|word| words.contains(&word))
    };
    // A lookup with a default does not let it come up.
    let has_default = |line: &CodeLine| {
        let code = plain(revision.words, line.text);
        let lookups = [".get(", ".fetch(", ".pop("];
        let mut given = lookups.iter().filter_map(|call| code.split_once(call));
        given.any(|(_, rest)| rest.contains(", "))
            || ["getOrDefault", "GetValueOrDefault"].iter().any(|it| code.contains(it))
    };
    hunk.gone.iter().any(of_handler)
        && !hunk.come.iter().any(of_handler)
        && !hunk.come.iter().any(has_default)
        && revision.after.handlers.len() < revision.before.handlers.len()
}

/// Whether a refusal only passed on the error of a call that goes with it: what is lost is the call.
fn goes_with_its_call(revision: &Revision, hunk: &TextHunk) -> bool {
    let given = hunk.gone.iter().find_map(|line| {
        let (name, given) = line.text.split_once(":=").or_else(|| line.text.split_once('='))?;
        identifiers(name).any(|word| word == "err").then_some(given)
    });
    let passes = |line: &CodeLine| {
        !refuses(revision.words, line.text) || identifiers(line.text).any(|word| word == "err")
    };
    hunk.come.is_empty()
        && hunk.gone.iter().all(passes)
        && given.and_then(|it| lost_call(revision, it)).is_some_and(|call| call.contains('('))
}

/// The call that stands behind a `=`, without white space, where it checks nothing and the file has it no more.
pub(super) fn lost_call(revision: &Revision, given: &str) -> Option<String> {
    let call = bare(given.split(';').next().unwrap_or(given));
    let name = call.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
    (!is_named(name, CHECKS) && !bare(revision.new).contains(&call)).then_some(call)
}

/// Whether a lookup that gives nothing became one that fails by itself: Python's `rates[key]` for `rates.get(key)`.
pub(super) fn is_subscript(revision: &Revision, hunk: &TextHunk) -> bool {
    let looked_up = hunk.gone.iter().filter_map(|it| {
        bare(it.text).split_once(".get(").map(|(head, rest)| {
            let key = rest.split(')').next().unwrap_or_default().to_owned();
            format!("{}[{key}]", head.rsplit(['=', '(', ',']).next().unwrap_or_default())
        })
    });
    let come: String = hunk.come.iter().map(|it| bare(it.text)).collect();
    revision.change.path.ends_with(".py")
        && looked_up.into_iter().any(|it| it.len() > 4 && come.contains(&it))
}
