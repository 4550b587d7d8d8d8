//! New functions that say of themselves that their work is not done, or do it for a part of what they are given.
//!
//! The admission alone is nothing: a function that works may have plans. With it counts what the body leaves out.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::fixed_answers::is_discard;
use crate::detectors::product::functions::{excuse_in, is_documented_now};
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::product::parameters::{body_code, description, names, parameters};
use crate::detectors::product::presence::asked;
use crate::detectors::testing::word_edit::{is_name, words};
use crate::languages::code::{BodyKind, Comment, Function, admissions, bare, is_log};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// What a comment says of work that is only pretended, in lower case.
const PRETENDING: &[&str] = &[
    "placeholder",
    "stub",
    "dummy",
    "fake",
    "simulated",
    "hardcoded",
    "hard-coded",
    "rough version",
    "skeleton",
    "to unblock",
    "lost for now",
    "not implemented",
    "not wired",
    "instead of the real",
    "simplified",
    "would be looked up",
    "would be fetched",
    "would come from",
    "in a real",
    "real call",
    "real request",
    "plausible",
    "canned",
    "rough estimate",
    "into account yet",
];
/// How a list gives its first item only.
const FIRST: &[&str] =
    &["[0]", ".get(0)", ".first", ".slice(0, 1)", ".take(1)", "[:1]", "[..1]", ".head", ".at(0)"];
/// Calls in front of a list that do the same.
const FIRST_CALLS: &[&str] = &["hd(", "List.first(", "head("];

/// The first new function that does not do its work, with what is said of it.
pub(super) fn unfinished<'r, 'a>(
    case: &Case,
    revision: &'r Revision<'a>,
) -> Option<(&'r Function<'a>, String, Severity)> {
    let new = revision.added.iter().filter_map(|at| revision.after.functions.get(*at));
    new.into_iter().find_map(|function| {
        let (what, severity) = shortfall(case, revision, function)?;
        Some((function, what, severity))
    })
}

fn shortfall(case: &Case, revision: &Revision, function: &Function) -> Option<(String, Severity)> {
    let code = body_code(revision, revision.new, function);
    let (above, inside) = remarks(revision, function);
    let said = said_of(function, above.iter().chain(&inside));
    let parameters = parameters(revision, revision.new, function);
    let is_loud = function.body_kind == BodyKind::Unimplemented;
    // What a body that only fails says in its message asks for nothing.
    let is_ignored = |name: &&&str| is_loud || !names(&code, name) || is_only_discarded(&code, name);
    let ignored = parameters.iter().find(is_ignored);
    let promise: Vec<&&Comment> = above.iter().filter(|it| admissions(it.text) == 0).collect();
    let has_promise =
        !promise.is_empty() || has_text_of_its_own(revision, function) || is_file_described(revision);
    // `todo!()` fails loudly, but is no work either.
    let fails = is_loud
        && (admissions(&code) > 0
            || is_announced(case, function.name)
            || is_asked_instead(revision, function.name));
    let is_deferred = admissions(&said) > 0 || fails;
    let name = function.name;
    if fails || is_idle(function, &code, &parameters) {
        let is_sure = is_deferred && (has_promise || ignored.is_some() || is_announced(case, name));
        let is_lacking = ["not supported", "unsupported"].iter().any(|words| said.contains(words));
        return (is_deferred || excuse_in(&said) && !is_lacking).then(|| {
            let severity = if is_sure { Severity::High } else { Severity::Medium };
            (format!("`{name}` would be there, and its work not be done"), severity)
        });
    }
    let body = revision.new.get(function.body.clone()).unwrap_or_default();
    let own = description(body).and_then(|it| body.get(it)).unwrap_or_default();
    let first = parameters.iter().find(|it| is_first_only(&code, it));
    if let Some(list) = first.filter(|_| is_deferred) {
        return Some((format!("`{name}` would work on the first of `{list}` alone"), Severity::High));
    }
    if let Some(unasked) = ignored.filter(|it| {
        let plain = it.trim_start_matches('_');
        let is_named = promise.iter().any(|said| names(said.text, plain)) || names(own, plain);
        is_deferred || plain.len() > 3 && is_named
    }) {
        let severity = if is_deferred && has_promise { Severity::High } else { Severity::Medium };
        return Some((format!("`{name}` would take `{unasked}` and do nothing with it"), severity));
    }
    (is_deferred && pretends(&said)).then(|| {
        let severity = if has_promise { Severity::High } else { Severity::Medium };
        (format!("`{name}` would only pretend to work, as it says itself"), severity)
    })
}

/// Whether new lines ask a function for what other lines did, which are gone.
fn is_asked_instead(revision: &Revision, name: &str) -> bool {
    let call = format!("{name}(");
    name.len() > 2
        && revision.hunks().iter().any(|hunk| {
            let is_work = |line: &CodeLine| line.text.contains('(') && !is_log(line.text);
            let is_head = |line: &CodeLine| {
                ["def ", "fn ", "fun ", "func ", "function "].iter().any(|word| line.text.contains(word))
            };
            hunk.gone.iter().any(is_work)
                && hunk.come.iter().any(|line| line.text.contains(&call) && !is_head(line))
        })
}

/// What comments say of a function, in lower case. A word of its name is a word of the trade: a `placeholder` of a form;
/// so is one that is quoted as code.
fn said_of<'r>(function: &Function, remarks: impl Iterator<Item = &'r &'r Comment<'r>>) -> String {
    let words_of = |text: &str| text.split('`').step_by(2).collect::<Vec<_>>().join(" ").to_lowercase();
    let said: String = remarks.map(|it| words_of(it.text) + "\n").collect();
    let words = function.name.split('_').filter(|it| it.len() > 3);
    words.fold(said, |said, word| said.replace(&word.to_lowercase(), ""))
}

/// Whether comments say of work that it is only pretended.
fn pretends(said: &str) -> bool {
    PRETENDING.iter().any(|it| said.contains(it)) || said.contains("for now") && said.contains("later")
}

/// The comments right above a function, and those in it, that are new.
fn remarks<'r, 'a>(
    revision: &'r Revision<'a>,
    function: &Function,
) -> (Vec<&'r Comment<'a>>, Vec<&'r Comment<'a>>) {
    let size = |text: &str| u32::try_from(text.trim_end().lines().count()).unwrap_or(1).max(1);
    let first = function.line;
    let body = revision.new.get(function.span.clone()).unwrap_or_default();
    let last = first + size(body);
    let all: Vec<&Comment> = revision.new_comments().collect();
    let inside = all.iter().copied().filter(|it| it.line >= first && it.line < last).collect();
    let (mut above, mut next) = (Vec::new(), first);
    for remark in all.iter().rev().filter(|it| it.line < first) {
        if remark.line + size(remark.text) < next {
            break;
        }
        next = remark.line;
        above.push(*remark);
    }
    (above, inside)
}

/// Whether a text in the code describes a function: Python's in its body, Elixir's above it.
fn has_text_of_its_own(revision: &Revision, function: &Function) -> bool {
    let body = revision.new.get(function.body.clone()).unwrap_or_default().trim_start();
    let above = revision.new.get(..function.span.start).unwrap_or_default().trim_end();
    let line = above.lines().next_back().unwrap_or_default().trim_start();
    body.starts_with("\"\"\"") || line.starts_with("@doc ") || line == "\"\"\""
}

/// Whether a new file says in a text of its own what it is for.
fn is_file_described(revision: &Revision) -> bool {
    let is_text =
        |text: &str| ["/**", "///", "//!"].iter().any(|head| text.starts_with(head)) && admissions(text) == 0;
    revision.old.trim().is_empty() && revision.after.comments.iter().any(|it| is_text(it.text))
}

/// Whether a document of the session names a function that it did not name before.
fn is_announced(case: &Case, name: &str) -> bool {
    name.len() > 3 && is_documented_now(case, |text| names(text, name))
}

/// Whether all that a body does with a name is to say that it does not need it: `void name;`, `_ = name`.
pub(super) fn is_only_discarded(code: &str, name: &str) -> bool {
    let mut all = code.lines().filter(|line| names(line, name)).peekable();
    all.peek().is_some() && all.all(is_discard)
}

/// Whether a body does nothing but log, and gives a constant or a parameter as it came.
fn is_idle(function: &Function, code: &str, parameters: &[&str]) -> bool {
    if matches!(function.body_kind, BodyKind::Nothing | BodyKind::Constant(_)) {
        return true;
    }
    let is_work = |line: &&str| {
        let line = line.trim_start_matches('@');
        !is_log(line) && !is_discard(line) && !matches!(line, "do" | "end" | "pass" | "begin")
    };
    let rest: Vec<&str> = code.lines().filter(is_work).collect();
    let [answer] = rest[..] else { return rest.is_empty() && function.body_kind == BodyKind::Work };
    let given = answer.trim_start_matches("return ").trim_end_matches(';');
    // All that is asked of a parameter is whether it is there.
    is_hollow(answer, parameters)
        || asked(&bare(given)).is_some_and(|name| parameters.contains(&name.as_str()) && given.trim() != name)
}

/// Whether an answer has no name of a value in it but one parameter as it came.
fn is_hollow(answer: &str, parameters: &[&str]) -> bool {
    let all = words(answer.trim_end_matches(';'));
    let word = |at: usize| all.get(at).map(|(_, word)| *word).unwrap_or_default();
    let given: Vec<&str> = (0..all.len())
        .filter(|at| {
            let own = word(*at);
            let is_key = matches!(word(at + 1), ":" | "=") && word(at + 1) != "==";
            let is_type = own.starts_with(char::is_uppercase);
            let is_atom = at.checked_sub(1).is_some_and(|at| word(at) == ":");
            let is_self = matches!(own, "this" | "self");
            is_name(own) && !is_maker(own) && !is_key && !is_type && !is_atom && !is_self
        })
        .map(word)
        .collect();
    match given[..] {
        [] => true,
        [only] => {
            parameters.contains(&only)
                && all.iter().all(|(_, it)| {
                    *it == only || matches!(*it, "return" | "$" | "{" | "}" | ":" | "ok" | ",")
                })
        }
        _ => false,
    }
}

/// Whether a body asks a list for its first item and for nothing else.
fn is_first_only(code: &str, list: &str) -> bool {
    let is_list = list.len() > 3 && list.ends_with('s');
    let count = code.split(|c: char| !is_name_part(c)).filter(|word| *word == list).count();
    let asks = FIRST.iter().any(|end| code.contains(&format!("{list}{end}")))
        || FIRST_CALLS.iter().any(|head| code.contains(&format!("{head}{list})")));
    is_list && count == 1 && asks
}
