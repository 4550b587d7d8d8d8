//! Errors that become a missing value which the same function then refuses: nothing is hidden by that.

use crate::detectors::engine::revision::Revision;
use crate::languages::code::{bare, identifiers, passes_on, refuses};
use crate::model::words::is_name_part;

/// Words at the head of a statement that are no name of a value.
const KEYWORDS: &[&str] = &[
    "let", "mut", "const", "var", "val", "auto", "final", "guard", "if", "Some", "Ok", "await", "int",
    "String", "string",
];
/// So many lines below a check its refusal stands.
const BELOW: usize = 2;
/// So many lines a statement has.
const LONGEST: usize = 8;

/// Whether the value that a line of a function after gives, from 1, is refused there where it is missing.
pub(super) fn is_refused(revision: &Revision, function: Option<usize>, line: u32) -> bool {
    let lines = lines_from(revision, function, line.saturating_sub(1));
    let size = statement(&lines);
    let (head, rest) = lines.split_at(size);
    let whole = head.join("\n");
    let next = rest.iter().take(BELOW).any(|it| refuses(revision.words, it));
    is_refused_within(revision, &whole, next)
        || names(&whole).iter().any(|name| is_refused_below(revision, name, rest))
}

/// Whether a value that a region of code gives to a name is refused below a line, where it is missing.
pub(super) fn is_refused_after(
    revision: &Revision,
    function: Option<usize>,
    region: &str,
    line: u32,
) -> bool {
    let rest = lines_from(revision, function, line);
    let given = region.lines().filter(|it| it.contains('=')).flat_map(names);
    given.collect::<Vec<_>>().iter().any(|name| is_refused_below(revision, name, &rest))
}

/// The lines of a function after that stand below the first so many of its file; none where it is not known.
fn lines_from<'a>(revision: &Revision<'a>, function: Option<usize>, first: u32) -> Vec<&'a str> {
    let Some(function) = function.and_then(|at| revision.after.functions.get(at)) else { return Vec::new() };
    let last = revision.new.get(..function.span.end).map_or(0, |text| text.lines().count());
    revision.new.lines().take(last).skip(usize::try_from(first).unwrap_or(usize::MAX)).collect()
}

/// How many lines the first statement has.
fn statement(lines: &[&str]) -> usize {
    let mut open = 0_isize;
    for (at, line) in lines.iter().enumerate().take(LONGEST) {
        let count = |marks: [char; 2]| isize::try_from(line.matches(marks).count()).unwrap_or(0);
        open += count(['(', '[']) - count([')', ']']);
        let goes_on = lines.get(at + 1).is_some_and(|next| next.trim_start().starts_with(['.', '?']));
        if open <= 0 && !goes_on {
            return at + 1;
        }
    }
    lines.len().min(LONGEST)
}

/// Whether a statement refuses what is missing by itself, or opens a branch that does.
fn is_refused_within(revision: &Revision, whole: &str, next: bool) -> bool {
    let text = bare(whole);
    let after_drop = [".ok()", "getOrNull()", "try?", "rescuenil", ".catch(", "runCatching"];
    let rest = after_drop.iter().find_map(|it| text.split_once(it)).map_or("", |(_, rest)| rest);
    let is_branch = ["else{", "??throw", "?:throw", "?:return", "||raise", "orraise", "||throw"];
    passes_on(revision.words, rest) && rest.contains("context(")
        || ["ok_or", ".expect(", "expect("].iter().any(|it| rest.contains(it)) && rest.contains(['?', '('])
        || is_branch.iter().any(|it| rest.contains(it)) && (next || refuses(revision.words, whole))
}

/// The names that a statement binds.
fn names(statement: &str) -> Vec<&str> {
    let Some((head, _)) = statement.split_once(":=").or_else(|| statement.split_once('=')) else {
        return Vec::new();
    };
    let head = head.split(':').next().unwrap_or(head);
    identifiers(head).filter(|word| !KEYWORDS.contains(word) && *word != "_").collect()
}

/// Whether one of the lines refuses a name that has no value, or a branch on that does.
fn is_refused_below(revision: &Revision, name: &str, lines: &[&str]) -> bool {
    const REFUSED: &[&str] = &[".context(", ".with_context(", ".ok_or", ".expect(", ".unwrap()", "?;", "?)"];
    const MISSING: &[&str] = &[
        ".is_none()",
        ".isnil()",
        ".nil?",
        "isNone",
        "==null",
        "===null",
        "==nil",
        "==undefined",
        "===undefined",
        "==None",
        "??throw",
        "?:throw",
        "||raise",
        "orraise",
        ".isEmpty()",
        "===false",
        "isnull",
        "=== false",
        "==nullptr",
        "==\"\"",
    ];
    lines.iter().enumerate().any(|(at, line)| {
        let text = bare(line);
        let ends = || {
            text.match_indices(name).filter_map(|(at, _)| {
                let head = text.get(..at)?;
                (!head.ends_with(is_name_part) || is_word_before(head))
                    .then_some((head, text.get(at + name.len()..)?))
            })
        };
        let refuses_near = || lines.iter().skip(at).take(BELOW + 1).any(|it| refuses(revision.words, it));
        let is_given_up = ends().any(|(_, rest)| REFUSED.iter().any(|it| rest.starts_with(it)));
        let is_asked = ends().any(|(head, rest)| {
            let is_missing = MISSING.iter().any(|it| rest.starts_with(it));
            let is_denied = (head.ends_with('!') || head.ends_with("not") || head.ends_with("unless"))
                && !rest.starts_with(is_name_part);
            let is_bound = head.ends_with('=') && rest.starts_with("else{") || rest.starts_with("else{");
            is_missing || is_denied || is_bound || head.ends_with("is_null(")
        });
        is_given_up || is_asked && refuses_near()
    })
}

/// Whether the text before a name, without white space, ends with a word that stands by itself.
fn is_word_before(head: &str) -> bool {
    ["not", "if", "unless", "match", "raise", "return", "case", "switch"]
        .iter()
        .any(|word| head.ends_with(word))
}
