//! Refusals that go and are not missed: their errors come up by themselves, or what could fail goes with them.

use crate::detectors::engine::hunks::{Hunk, Line};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named};
use crate::languages::code::{bare, identifiers, plain, refuses};

/// Whether nobody misses the refusals that a place has lost.
pub(super) fn is_unmissed(revision: &Revision, hunk: &Hunk) -> bool {
    is_handler_gone(revision, hunk) || goes_with_its_call(revision, hunk) || is_subscript(revision, hunk)
}

/// Whether a handler went together with what it passed on: the error comes up by itself now.
fn is_handler_gone(revision: &Revision, hunk: &Hunk) -> bool {
    let words = ["catch", "except", "rescue"];
    let of_handler = |line: &Line| {
        let code = plain(revision.words, line.text);
        identifiers(&code).any(|word| words.contains(&word))
    };
    // A lookup with a default does not let it come up.
    let has_default = |line: &Line| {
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
fn goes_with_its_call(revision: &Revision, hunk: &Hunk) -> bool {
    let is_check = |call: &str| {
        let name = call.split('(').next().unwrap_or_default().rsplit('.').next().unwrap_or_default();
        is_named(name, CHECKS)
    };
    let call = hunk.gone.iter().find_map(|line| {
        let (name, call) = line.text.split_once(":=").or_else(|| line.text.split_once('='))?;
        identifiers(name).any(|word| word == "err").then(|| bare(call.split(';').next().unwrap_or(call)))
    });
    let passes =
        |line: &Line| !refuses(revision.words, line.text) || identifiers(line.text).any(|word| word == "err");
    hunk.come.is_empty()
        && hunk.gone.iter().all(passes)
        && call
            .is_some_and(|call| call.contains('(') && !is_check(&call) && !bare(revision.new).contains(&call))
}

/// Whether a lookup that gives nothing became one that fails by itself: Python's `rates[key]` for `rates.get(key)`.
pub(super) fn is_subscript(revision: &Revision, hunk: &Hunk) -> bool {
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
