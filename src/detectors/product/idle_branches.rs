//! New branches of functions that were there, whose work is left for another day as a comment in them says.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::fixed_answers::{is_discard, is_missing};
use crate::detectors::product::literal_answers::given;
use crate::languages::code::{BodyKind, Comment, Function, bare, identifiers, is_log, plain, refuses};
use crate::model::finding::Severity;
use crate::model::words::{has_word, is_name_part};

/// Words that begin a branch or an arm.
const HEADS: &[&str] =
    &["if", "elif", "elsif", "else", "case", "when", "default", "unless", "} else", "} elif", "match"];
/// What a branch says that does nothing, without white space.
const NOTHINGS: &[&str] = &[
    "pass",
    "return",
    "return;",
    "continue",
    "continue;",
    "break",
    "break;",
    "{}",
    "nil",
    "null",
    "Unit",
    ":ok",
    "()",
    "end",
    "returnnull;",
    "returnnull",
    "returnnil",
    "returnNone",
    "return[]",
    "return[];",
    "return{}",
    "return{};",
    "return\"\"",
    "return\"\";",
    "return'';",
    "returnfalse",
    "returnfalse;",
    "returntrue",
    "returntrue;",
    "return0",
    "return0;",
    "returnundefined;",
    "None",
    "Ok(())",
    "returnnil,nil",
    "return\"\",nil",
];

/// The first branch of the kind, with the function that it stands in.
pub(super) fn idle_branch<'r, 'a>(
    revision: &'r Revision<'a>,
) -> Option<(&'r Function<'a>, String, Severity)> {
    said_only(revision).or_else(|| put_off(revision))
}

/// An arm or a line of a function that worked, and only says now that its work is missing:
/// `case 0xc4: throw new NotImplementedException("bin")`.
pub(super) fn undone_arm<'r, 'a>(revision: &'r Revision<'a>) -> Option<(&'r Function<'a>, String, Severity)> {
    let is_undone = |line: &CodeLine| {
        let arm =
            ["=>", "->", ": ", "{ "].iter().find_map(|sign| line.text.split_once(sign).map(|it| it.1.trim()));
        let says = |code: &str| {
            let lower = code.to_lowercase();
            is_missing(code, &plain(revision.words, code)) && !lower.contains("supported")
        };
        says(line.text) || arm.is_some_and(says)
    };
    let works = |line: &CodeLine| line.text.contains('(') && !is_log(line.text) && !is_undone(line);
    revision.hunks().iter().filter(|hunk| hunk.come.len() <= 2).find_map(|hunk| {
        let line = hunk.come.iter().find(|it| is_undone(it))?;
        let gone = hunk.gone.iter().find(|it| works(it) && !refuses(revision.words, it.text))?;
        let at = revision.after.functions.iter().rposition(|it| it.body.contains(&line.at))?;
        revision.predecessor(at)?;
        let function = revision.after.functions.get(at)?;
        let what = format!("`{}` of `{}` would only be said to be missing", short(gone.text), function.name);
        Some((function, what, Severity::High))
    })
}

/// A new branch that only says that its work is missing, for inputs that the function around it dealt with:
/// `if (to < from) throw new NotImplementedException("falling")`.
pub(super) fn undone_branch<'r, 'a>(
    revision: &'r Revision<'a>,
) -> Option<(&'r Function<'a>, String, Severity)> {
    const BRANCH: usize = 5;
    let adds = |hunk: &&TextHunk| hunk.gone.is_empty() && hunk.come.len() <= BRANCH;
    revision.hunks().iter().filter(adds).find_map(|hunk| {
        let head = hunk.come.first().filter(|it| is_head(it.text) && !refuses(revision.words, it.text))?;
        let says = |line: &CodeLine| {
            is_missing(line.text, &plain(revision.words, line.text))
                && !line.text.to_lowercase().contains("supported")
        };
        hunk.come.iter().find(|it| says(it))?;
        let at = revision.after.functions.iter().rposition(|it| it.body.contains(&head.at))?;
        let old = revision.before.functions.get(revision.predecessor(at)?)?;
        let known = revision.old.get(old.span.clone()).unwrap_or_default();
        // What it asks about was there before: no kind of input that is new.
        let code = plain(revision.words, head.text);
        let is_known = identifiers(&code).all(|it| HEADS.contains(&it) || has_word(known, it));
        let function =
            revision.after.functions.get(at).filter(|_| is_known && old.body_kind == BodyKind::Work)?;
        let what = format!("`{}` of `{}` would only be said to be missing", short(head.text), function.name);
        Some((function, what, Severity::Medium))
    })
}

/// A branch that puts its work off in a comment, with nothing or an answer of success in its place.
fn put_off<'r, 'a>(revision: &'r Revision<'a>) -> Option<(&'r Function<'a>, String, Severity)> {
    revision.new_admissions().find_map(|remark| {
        let (function, body) = around(revision, remark)?;
        let at = body.iter().rposition(|line| line.number <= remark.line)?;
        // The remark may stand behind the nothing that is done.
        let is_beside = body.get(at).is_some_and(|it| it.number == remark.line && is_nothing(it.text));
        let at = if is_beside { at.checked_sub(1)? } else { at };
        let head = body.get(at).filter(|it| is_come(revision, it) && is_head(it.text))?;
        let next = body.get(at + 1).map_or("", |it| it.text);
        let own =
            [" => ", " -> ", ": "].iter().filter_map(|sign| head.text.split_once(sign)).map(|(_, rest)| rest);
        let is_empty = head.text.ends_with(['{', ':']) && (is_head(next) || next.is_empty());
        let is_over = || is_last(revision, &body, at);
        let is_done = is_nothing(next) || is_success(next) || is_log(next) && is_over();
        let is_idle = is_done && body.get(at + 1).is_some_and(|it| is_come(revision, it))
            || own.into_iter().any(is_nothing)
            || is_empty;
        is_idle.then(|| {
            let what =
                format!("`{}` of `{}` would do nothing, as it says itself", short(head.text), function.name);
            (function, what, Severity::High)
        })
    })
}

/// A branch that does nothing but say that its work is to come: `print("CSV is coming soon")`.
fn said_only<'r, 'a>(revision: &'r Revision<'a>) -> Option<(&'r Function<'a>, String, Severity)> {
    let come = revision.hunks().iter().flat_map(|hunk| &hunk.come);
    let said = come.filter(|line| is_log(line.text) && says_later(line.text));
    said.into_iter().find_map(|line| {
        let (at, function) =
            revision.after.functions.iter().enumerate().rfind(|(_, it)| it.span.contains(&line.at))?;
        revision.predecessor(at)?;
        let body = lines_of(revision, function)?;
        let place = body.iter().position(|it| it.number == line.number)?.checked_sub(1)?;
        let head = body.get(place).filter(|it| is_come(revision, it) && is_head(it.text))?;
        let what = format!("`{}` of `{}` would only say that it is to come", short(head.text), function.name);
        is_last(revision, &body, place).then_some((function, what, Severity::High))
    })
}

/// Whether a line says of what is asked for that it is not there yet.
fn says_later(line: &str) -> bool {
    const LATER: &[&str] = &[
        "coming soon",
        "not implemented yet",
        "not yet implemented",
        "under construction",
        "to be implemented",
        "todo:",
    ];
    let lower = line.to_lowercase();
    LATER.iter().any(|word| lower.contains(word))
}

/// Whether the line below the head at a place is the only one of its branch.
fn is_last(revision: &Revision, body: &[CodeLine], at: usize) -> bool {
    let depth = |line: &CodeLine| {
        let start = revision.new.get(..line.at).and_then(|it| it.rfind('\n')).map_or(0, |it| it + 1);
        line.at - start
    };
    let Some(head) = body.get(at) else { return false };
    body.get(at + 2).is_none_or(|line| depth(line) <= depth(head))
}

/// How lines begin that answer a request with success.
const ANSWERS: &[&str] = &[
    "res.status(2",
    "res.sendStatus(2",
    "reply.code(2",
    "reply.status(2",
    "ctx.status = 2",
    "c.Status(http.Status",
    "w.WriteHeader(http.Status",
    "head :no_content",
    "head :ok",
    "send_resp(conn, 2",
    "return Results.NoContent",
    "return NoContent()",
    "return Ok()",
    "return ResponseEntity.noContent()",
    "return response()->noContent()",
];

/// Whether a line answers as if the work were done: with a status of success, or with literals alone.
fn is_success(line: &str) -> bool {
    let is_literal = || line.starts_with("return ") && given(line).is_some_and(|all| !all.is_empty());
    ANSWERS.iter().any(|head| line.starts_with(head)) || is_literal()
}

/// The function that was there and has a comment in it now, with its lines of code.
fn around<'r, 'a>(
    revision: &'r Revision<'a>,
    remark: &Comment,
) -> Option<(&'r Function<'a>, Vec<CodeLine<'a>>)> {
    let (at, function) = revision.after.functions.iter().enumerate().rev().find(|(_, it)| {
        let size = revision.new.get(it.span.clone()).unwrap_or_default().lines().count();
        it.line <= remark.line && remark.line < it.line + u32::try_from(size).unwrap_or(0)
    })?;
    revision.predecessor(at)?;
    Some((function, lines_of(revision, function)?))
}

fn lines_of<'a>(revision: &Revision<'a>, function: &Function) -> Option<Vec<CodeLine<'a>>> {
    let start = revision.new.get(..function.body.start)?.rfind('\n').map_or(0, |at| at + 1);
    Some(lines(revision.words.comment, revision.new, start..function.body.end).collect())
}

/// Whether a line is new.
fn is_come(revision: &Revision, line: &CodeLine) -> bool {
    revision.hunks().iter().any(|hunk| hunk.come.iter().any(|it| it.number == line.number))
}

fn is_nothing(text: &str) -> bool {
    let text = bare(text.split("//").next().unwrap_or(text).split(" #").next().unwrap_or(text));
    NOTHINGS.contains(&text.trim_end_matches([',', '}'])) || text == "{" || is_discard(&text)
}

fn is_head(line: &str) -> bool {
    HEADS.iter().any(|word| line.strip_prefix(word).is_some_and(|rest| !rest.starts_with(is_name_part)))
        || line.contains(" => ")
        || line.contains(" -> ")
}
