//! Functions that go on and do less: what comes names nothing new, and calls that did some work are gone.
//!
//! Only a small edit of one function counts, in a file that gains no function; what only converts a value is no work.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::left_unread::left_unread;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_choices::settled;
use crate::detectors::product::plain_values::{is_made_otherwise, is_plain_key};
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::product::unmissed_refusals::is_needless;
use crate::languages::code::{BodyKind, bare, identifiers, is_log, plain, refuses};
use crate::model::finding::Severity;
use crate::model::words::{is_name_part, unparted};

/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 24;
/// Calls and words that convert, copy, show or measure, in lower case and without `_`.
const NEUTRAL: &[&str] = &[
    "tostring",
    "str",
    "string",
    "int",
    "float",
    "bool",
    "list",
    "set",
    "dict",
    "map",
    "clone",
    "copy",
    "into",
    "from",
    "asref",
    "asstr",
    "asmut",
    "iter",
    "next",
    "intoiter",
    "collect",
    "toowned",
    "toarray",
    "tolist",
    "trim",
    "strip",
    "len",
    "size",
    "count",
    "length",
    "unwrap",
    "expect",
    "new",
    "some",
    "ok",
    "format",
    "print",
    "println",
    "debug",
    "sorted",
    "append",
    "push",
    "add",
    "get",
    "join",
    "of",
    "array",
    "object",
    "keys",
    "values",
    "entries",
    "enumerate",
    "zip",
    "range",
    "min",
    "max",
    "if",
    "for",
    "while",
    "switch",
    "match",
    "return",
    "catch",
    "func",
    "function",
    "and",
    "or",
    "not",
    "in",
    "when",
    "with",
    "await",
    "let",
    "reserve",
    "makearray",
    "todouble",
    "toint",
    "parseint",
    "number",
    "lock",
    "unlock",
    "defer",
    "isempty",
    "empty",
    "first",
    "last",
    "has",
    "super",
    "vec",
    "box",
    "rc",
    "arc",
    "bind",
    "then",
    "apply",
    "also",
    "run",
    "to",
    "staticcast",
    "sizeof",
    "move",
    "tolowercase",
    "touppercase",
    "lower",
    "upper",
    "tosorted",
    "freeze",
    "filter",
    "isset",
    "ofnullable",
    "ispresent",
    "isnull",
    "isnotnull",
    "maperr",
    "null",
    "sizeofval",
    "dup",
    "tap",
    "each",
    "foreach",
    "flush",
    "close",
    "err",
    "case",
    "guard",
    "unless",
    "until",
    "elif",
    "yield",
    "throw",
    "given",
    "cond",
    "usememo",
    "usecallback",
];
/// Parts of names of what checks, in lower case.
const CHECKING: &[&str] = &[
    "valid",
    "verif",
    "check",
    "auth",
    "sanit",
    "escape",
    "safeparse",
    "safeequal",
    "hmac",
    "signature",
    "permission",
    "allowed",
    "trusted",
    "checksum",
    "digit",
    "crc",
];

/// The first function that does less.
pub(super) fn does_less(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, name, call, _) = simplified(case, revision)?;
    let what = format!("`{name}` would do less: nothing of it would call `{}` any more", short(&call));
    let is_sure = is_cut_short(revision) || left_unread(revision).is_some();
    let severity = if is_sure { Severity::High } else { Severity::Medium };
    Some(LostCheck::new(line, &name, what, severity))
}

/// Whether a loop or a choice went for a line: what is left takes one way.
fn is_cut_short(revision: &Revision) -> bool {
    const DECIDING: &[&str] =
        &["for", "while", "if", "elif", "switch", "match", "repeat", "catch", "rescue", "except"];
    let hunks = revision.hunks();
    let decides = |line: &CodeLine| identifiers(line.text).any(|word| DECIDING.contains(&word));
    let gone: Vec<&CodeLine> = hunks.iter().flat_map(|it| &it.gone).collect();
    let mut come = hunks.iter().flat_map(|it| &it.come);
    gone.len() >= 4 && gone.iter().any(|it| decides(it)) && come.clone().count() <= 2 && !come.any(decides)
}

/// The first function that checks, and checks less.
pub(super) fn checks_less(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let (line, name, call, is_check) = simplified(case, revision)?;
    let what = format!("`{name}` would check less: nothing of it would call `{}` any more", short(&call));
    is_check.then(|| LostCheck::new(line, &name, what, Severity::High))
}

/// The line, the function and the call that is gone, and whether that checks.
fn simplified(case: &Case, revision: &Revision) -> Option<(u32, String, String, bool)> {
    if !revision.added.is_empty() || revision.after.broken {
        return None;
    }
    revision.pairs.iter().find_map(|(old, new)| {
        let (before, after) = (revision.before.functions.get(*old)?, revision.after.functions.get(*new)?);
        if before.name.starts_with("__")
            || before.body_kind != BodyKind::Work
            || after.body_kind != BodyKind::Work
            || before.name != after.name
        {
            return None;
        }
        let inside = |span: &std::ops::Range<usize>, line: &&CodeLine| span.contains(&line.at);
        let gone: Vec<&CodeLine> =
            revision.hunks().iter().flat_map(|it| &it.gone).filter(|it| inside(&before.body, it)).collect();
        let (come, beside): (Vec<&CodeLine>, Vec<&CodeLine>) =
            revision.hunks().iter().flat_map(|it| &it.come).partition(|it| inside(&after.body, it));
        let is_same = |hunk: &&TextHunk| hunk.gone.first() == gone.first().copied();
        let is_kept = revision.hunks().iter().find(is_same).is_some_and(|it| is_needless(revision, it));
        if gone.is_empty() || come.is_empty() || gone.len() + come.len() > REWRITE || is_kept {
            return None;
        }
        let text = |lines: &[&CodeLine]| -> String {
            lines.iter().map(|it| format!("{}\n", plain(revision.words, it.text))).collect()
        };
        let (gone_text, come_text) = (text(&gone), text(&come));
        let was = revision.old.get(before.span.clone()).unwrap_or_default();
        let is = plain_of(revision, revision.new.get(after.body.clone()).unwrap_or_default());
        // What only tells of the work takes the place of none.
        let said: Vec<&CodeLine> = come.iter().copied().filter(|it| !is_log(it.text)).collect();
        let come_text = if said.is_empty() { come_text } else { text(&said) };
        let known: BTreeSet<&str> = identifiers(was).collect();
        let is_new = |word: &str| !known.contains(word) && !is_constant(word);
        let size = |text: &str| identifiers(text).count();
        if identifiers(&come_text).any(is_new) || size(&come_text) >= size(&gone_text) {
            return None;
        }
        let left = called(&is);
        // A call whose only argument is a block: `zip { a, b -> … }`.
        let takes_block = |name: &str| is.contains(&format!("{name} {{"));
        // What a function of the file does that is called there now is done still.
        let is_there = |name: &str| {
            let mut others =
                revision.after.functions.iter().filter(|it| it.name != after.name && it.name.len() > 1);
            others.any(|it| {
                let body = revision.new.get(it.body.clone()).unwrap_or_default();
                come_text.contains(&format!("{}(", it.name)) && body.contains(&format!("{name}("))
            })
        };
        // What is handed over by its name is called by somebody else: `map(of_type)`.
        let handed = bare(&come_text);
        let is_handed = |name: &str| {
            ["()", "(,", ",)", ",,"].iter().any(|ends| {
                let (open, close) = ends.split_at(1);
                handed.contains(&format!("{open}{name}{close}"))
            })
        };
        // What every call made anew is made once now: a field, a constant of the file.
        let is_made_once = |name: &str| beside.iter().any(|it| it.text.contains(&format!(" {name}(")));
        let is_lost = |name: &&String| {
            !left.contains(*name)
                && !is_made_once(name)
                && !takes_block(name)
                && !is_neutral(name)
                && !is_there(name)
                && !is_handed(name)
                && !is_made_otherwise(name, &come)
        };
        let work: Vec<&CodeLine> = gone.iter().copied().filter(|it| !is_log(it.text)).collect();
        let is_kept = |it: &String| is_settled(revision, &gone, it) || comes_up_by_itself(it, &gone, &come);
        let lost: BTreeSet<String> = called(&text(&work)).into_iter().filter(|it| !is_kept(it)).collect();
        let call = lost.iter().find(is_lost)?.clone();
        let is_shown = gone.iter().all(|it| is_log(it.text) || !it.text.contains(call.as_str()));
        let is_refused = gone
            .iter()
            .filter(|it| it.text.contains(call.as_str()))
            .all(|it| refuses(revision.words, it.text));
        if is_shown
            || is_refused
            || is_plain_key(&gone, &come)
            || has_tests_of(case, before.name)
            || is_part_of_more(case, revision)
        {
            return None;
        }
        let checking = |name: &str| {
            let lower = name.replace('_', "").to_lowercase();
            CHECKING.iter().any(|part| lower.contains(part))
        };
        let is_check = lost.iter().filter(is_lost).any(|it| checking(it));
        Some((gone.first()?.number, before.name.to_owned(), call, is_check))
    })
}

/// Whether a call only handed an error on, and whoever awaits the function gets it now: `next(err)` of an asynchronous
/// handler that has no `next` any more.
fn comes_up_by_itself(call: &str, gone: &[&CodeLine], come: &[&CodeLine]) -> bool {
    let is_head = |line: &&&CodeLine| line.text.contains("async ") && line.text.contains("=>");
    let names = |line: &CodeLine| identifiers(line.text).any(|word| word == call);
    let hands_error = |line: &CodeLine| {
        let argument = line.text.split_once(&format!("{call}(")).map(|(_, rest)| rest);
        argument.is_none_or(|it| ["err)", "error)", "e)", "ex)"].iter().any(|end| it.starts_with(end)))
    };
    gone.iter().filter(is_head).any(|line| names(line))
        && come.iter().any(|line| is_head(&line) && !names(line))
        && gone.iter().any(|line| line.text.contains("catch"))
        && gone.iter().all(|line| hands_error(line))
}

/// Whether a call went only with the choice by a switch that is settled now, or asked for that switch.
fn is_settled(revision: &Revision, gone: &[&CodeLine], call: &str) -> bool {
    let choice = |line: &CodeLine| {
        let hunk = revision.hunks().iter().find(|it| it.gone.contains(line))?;
        settled(hunk, line).map(str::to_owned)
    };
    let conditions: Vec<String> = gone.iter().filter_map(|it| choice(it)).collect();
    let asked: BTreeSet<&str> = conditions.iter().flat_map(|it| identifiers(it)).collect();
    let declares = |line: &CodeLine| {
        let (head, _) = line.text.split_once('=').unwrap_or_default();
        identifiers(head).last().is_some_and(|name| asked.contains(name))
    };
    !asked.is_empty()
        && gone.iter().filter(|it| it.text.contains(call)).all(|it| choice(it).is_some() || declares(it))
}

fn plain_of(revision: &Revision, text: &str) -> String {
    text.lines().map(|line| format!("{}\n", plain(revision.words, line))).collect()
}

/// The names that are called in a text.
fn called(text: &str) -> BTreeSet<String> {
    // `a != b` calls nothing.
    let text = &text.replace("!=", "  ");
    let heads = text.split(['(', '!']).take(text.matches(['(', '!']).count());
    let names = heads.map(|head| {
        head.trim_end_matches(['?', ' ']).rsplit(|c| !is_name_part(c)).next().unwrap_or_default()
    });
    names.filter(|name| name.len() > 1).map(str::to_owned).collect()
}

pub(super) fn is_neutral(name: &str) -> bool {
    let lower = unparted(name);
    NEUTRAL.contains(&lower.as_str()) || lower.starts_with("log") || lower.starts_with("assert")
}

fn is_constant(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
        || matches!(
            word,
            "null"
                | "nil"
                | "None"
                | "undefined"
                | "true"
                | "false"
                | "True"
                | "False"
                | "any"
                | "return"
                | "as"
                | "end"
                | "emptyList"
                | "emptyMap"
                | "List"
                | "of"
                | "const"
                | "let"
                | "var"
                | "val"
                | "do"
                | "else"
                | "if"
                | "ok"
                | "Some"
                | "Ok"
                | "_"
                | "then"
                | "Collections"
                | "Buffer"
                | "alloc"
                | "Uint8Array"
                | "Blob"
                | "bytes"
                | "default"
                | "void"
                | "string"
                | "int"
        )
}
