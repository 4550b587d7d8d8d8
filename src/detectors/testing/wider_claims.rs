//! Claims of a test's line that became wider by a small change of it: a bound that a failing comparison allows, a kind of
//! status for the one status, some items for all of them, a number of items for the number of different ones.
//!
//! Only lines are judged that are the same but for that, and no line is judged that also asks for more.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::{line_pairs, places_of};
use crate::languages::code::bare;
use crate::languages::is_test_path;
use crate::model::finding::{Change, Severity};
use crate::model::words::is_name_part;

/// What takes every status of a kind, without white space, and the kind of its statuses.
const KINDS: &[(&str, char)] = &[
    ("status().is2xxSuccessful()", '2'),
    ("status().is4xxClientError()", '4'),
    ("status().is5xxServerError()", '5'),
    ("expectStatus().is2xxSuccessful()", '2'),
    ("expectStatus().is4xxClientError()", '4'),
    ("expectStatus().is5xxServerError()", '5'),
    ("->assertSuccessful()", '2'),
    ("->assertClientError()", '4'),
    ("->assertServerError()", '5'),
    ("have_http_status(:client_error)", '4'),
    ("have_http_status(:success)", '2'),
    ("have_http_status(:server_error)", '5'),
];
/// Names of single statuses as matchers have them, in lower case, by their kinds.
const STATUSES: &[(&str, char)] = &[
    ("ok", '2'),
    ("created", '2'),
    ("accepted", '2'),
    ("nocontent", '2'),
    ("badrequest", '4'),
    ("unauthorized", '4'),
    ("forbidden", '4'),
    ("notfound", '4'),
    ("conflict", '4'),
    ("gone", '4'),
    ("methodnotallowed", '4'),
    ("unsupportedmediatype", '4'),
    ("unprocessable", '4'),
    ("unprocessableentity", '4'),
    ("toomanyrequests", '4'),
    ("payloadtoolarge", '4'),
    ("locked", '4'),
    ("internalservererror", '5'),
    ("serviceunavailable", '5'),
    ("badgateway", '5'),
];
/// What stands around a list of which some items suffice.
const SOME_OF: &[&str] = &["expect.arrayContaining(", "array_including(", "a_collection_including("];
/// What leaves each item once.
const ONCE: &[&str] =
    &[".toSet()", ".to_set", ".ToHashSet()", ".Distinct()", ".distinct()", ".distinct", ".uniq", ".toSet"];
/// What says how many there are, behind what leaves each item once.
const COUNTS: &[&str] = &[".size", ".count", ".Count", ".length", ".Length", ".toList().size"];

/// The first claim that takes more, with its line and how sure that is.
pub(super) fn widened(change: &Change) -> Option<(String, u32, Severity)> {
    let (old, _new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path) {
        return None;
    }
    let all = places_of(change)?;
    line_pairs(&all).find_map(|(was, is)| {
        let (how, severity) = wider(old, was, is)?;
        let what = format!("`{}` would become `{}`, which {how}", was.text, is.text);
        Some((what, is.number, severity))
    })
}

fn wider(old: &str, was: &CodeLine, is: &CodeLine) -> Option<(&'static str, Severity)> {
    let (gone, come) = (bare(was.text), bare(is.text));
    if kind_of_status(&gone, &come) {
        return Some(("takes other statuses", Severity::High));
    }
    if some_of_all(&gone, &come) {
        return Some(("takes any order and other items", Severity::High));
    }
    if counts_all(&gone, &come) {
        return Some(("counts what comes twice", Severity::High));
    }
    let below = old.lines().nth(usize::try_from(was.number).ok()?)?;
    let much = failing_bound(&gone, &come).filter(|_| fails(below))?;
    let severity = if much >= 10.0 { Severity::High } else { Severity::Medium };
    Some(("allows more", severity))
}

/// Whether a line makes its test fail.
fn fails(line: &str) -> bool {
    ["t.Error", "t.Fatal", "panic!", "XCTFail(", "fail(", "FAIL(", "Assert.Fail(", "t.Fail"]
        .iter()
        .any(|it| line.contains(it))
}

/// How many times more the comparison of a difference that makes a test fail lets pass: `if abs(got - 3.5) > 0.1 {`.
fn failing_bound(gone: &str, come: &str) -> Option<f64> {
    let parts = |line: &'_ str| -> Option<(String, f64)> {
        let is_difference =
            line.starts_with("if") && line.to_lowercase().contains("abs(") && line.contains('-');
        let (head, rest) = line.rsplit_once('>').filter(|_| is_difference)?;
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "._e-".contains(c))).unwrap_or(rest.len());
        let (number, tail) = rest.split_at(end);
        let is_end = tail.chars().all(|c| !c.is_alphanumeric());
        let bound = number.trim_start_matches('=').replace('_', "").parse().ok();
        Some((head.to_owned(), bound.filter(|_| is_end)?))
    };
    let ((was, least), (is, most)) = (parts(gone)?, parts(come)?);
    (was == is && least > 0.0 && most > least).then(|| most / least)
}

/// Whether a kind of status is asked for where one was.
fn kind_of_status(gone: &str, come: &str) -> bool {
    KINDS.iter().any(|(wide, kind)| {
        let Some((head, tail)) = come.split_once(wide) else { return false };
        let Some(said) = gone.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail)) else {
            return false;
        };
        let of_kind = |word: &str| {
            let plain: String = word.to_lowercase().replace('_', "");
            let name = ["is", "assert"].iter().find_map(|it| plain.strip_prefix(it)).unwrap_or(&plain);
            STATUSES.contains(&(name, *kind)) || name.len() == 3 && number_of(name, *kind)
        };
        let is_one = ["status", "Status", "->assert"].iter().any(|it| said.contains(it));
        is_one && !said.contains(';') && said.split(|c| !is_name_part(c)).any(of_kind)
    })
}

fn number_of(name: &str, kind: char) -> bool {
    name.starts_with(kind) && name.chars().all(|c| c.is_ascii_digit())
}

/// Whether the items that were all of a list are some of it now.
fn some_of_all(gone: &str, come: &str) -> bool {
    let is_whole = ["toEqual(", "toStrictEqual(", "eq(", "be("].iter().any(|it| gone.contains(it));
    is_whole
        && SOME_OF.iter().any(|wide| {
            let Some((head, rest)) = come.split_once(wide) else { return false };
            gone.strip_prefix(head).is_some_and(|said| closed_once_more(rest, said))
        })
}

/// Whether a text is another one with one more bracket closed.
fn closed_once_more(text: &str, other: &str) -> bool {
    text.len() == other.len() + 1
        && text.match_indices(')').any(|(at, _)| {
            let (head, rest) = (text.get(..at).unwrap_or_default(), text.get(at + 1..).unwrap_or_default());
            other.strip_prefix(head) == Some(rest)
        })
}

/// Whether all items are counted where only different ones were.
fn counts_all(gone: &str, come: &str) -> bool {
    let is_claim = ["assert", "expect", "Assert", "require", "check("].iter().any(|it| gone.contains(it));
    is_claim && (ONCE.iter().any(|once| without(gone, come, once)) || without_set(gone, come))
}

/// Whether a line is another one without what left each item once, in front of their number.
fn without(gone: &str, come: &str, once: &str) -> bool {
    gone.match_indices(once).any(|(at, _)| {
        let head = gone.get(..at).unwrap_or_default();
        let rest = gone.get(at + once.len()..).unwrap_or_default();
        COUNTS.iter().any(|it| rest.starts_with(it)) && come.strip_prefix(head) == Some(rest)
    })
}

/// The same where a function makes the set: `len(set(names))`.
fn without_set(gone: &str, come: &str) -> bool {
    [("len(", "set("), ("count(", "array_unique(")].iter().any(|(count, once)| {
        let Some((head, rest)) = gone.split_once(&format!("{count}{once}")) else { return false };
        let kept = come.strip_prefix(head).and_then(|it| it.strip_prefix(count));
        kept.is_some_and(|kept| closed_once_more(rest, kept))
    })
}
