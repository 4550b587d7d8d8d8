//! New branches of functions that were there, whose work is left for another day as a comment in them says.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::fixed_answers::is_discard;
use crate::languages::code::{Comment, Function, bare};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

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
        let is_idle = is_nothing(next) && body.get(at + 1).is_some_and(|it| is_come(revision, it))
            || own.into_iter().any(is_nothing)
            || is_empty;
        is_idle.then(|| {
            let what =
                format!("`{}` of `{}` would do nothing, as it says itself", short(head.text), function.name);
            (function, what, Severity::High)
        })
    })
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
    let start = revision.new.get(..function.body.start)?.rfind('\n').map_or(0, |at| at + 1);
    Some((function, lines(revision.words.comment, revision.new, start..function.body.end).collect()))
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
