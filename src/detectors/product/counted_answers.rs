//! Answers by how often a function was called, or taken from a list one after the other, where something was worked out.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::fixed_answers::{ComputingFunction, worked};
use crate::detectors::product::literals::{CodeLiteral, value_of};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{bare, identifiers, refuses};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// What takes the next item of a list, behind its name, without white space.
const TAKING: &[&str] = &[
    ".shift()",
    ".pop()",
    ".pop(0)",
    ".popleft()",
    ".removeFirst()",
    ".removeAt(0)",
    ".remove(0)",
    ".poll()",
    ".next()",
    ".Dequeue()",
    ".dequeue()",
    ".pop_front()",
    ".head",
    ".shift",
];
/// The same with the name in parentheses.
const TAKERS: &[&str] = &["next(", "array_shift(", "array_pop(", "current(", "hd("];

/// The first function that would count its calls and answer by that.
pub(super) fn counted_answer(revision: &Revision) -> Option<LostCheck> {
    let come: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.come).collect();
    if come.is_empty() || come.len() > 24 {
        return None;
    }
    revision.hunks().iter().find_map(|hunk| {
        let ComputingFunction { line, name, .. } = worked(revision, hunk)?;
        let found = by_count(revision, hunk, &come).or_else(|| in_turn(revision, hunk, &come))?;
        let what = format!("`{name}` would answer by how often it was asked: `{}`", short(found.text));
        Some(LostCheck::new(line.number, name, what, Severity::High))
    })
}

/// A line that chooses between literals by a new count.
fn by_count<'a>(revision: &Revision, hunk: &TextHunk<'a>, come: &[&CodeLine]) -> Option<CodeLine<'a>> {
    let count =
        come.iter().filter_map(|line| counted(line.text)).find(|name| !was_counted(revision, name))?;
    let asks = |line: &&CodeLine| {
        let code = bare(line.text).replace("===", "==");
        let compares = code.split("==").skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
            && code.contains(&format!("{count}=="));
        let chooses = ["switch", "match", "when", "case"]
            .iter()
            .any(|word| identifiers(line.text).any(|it| it == *word));
        let takes = code.contains(&format!("[{count}"))
            || code.contains(&format!("[self.{count}"))
            || code.contains(&format!("[this.{count}"));
        names(line.text, &count) && (compares || chooses || takes)
    };
    let asked = hunk.come.iter().find(asks)?;
    if is_begun_within(revision, asked, &count) {
        return None;
    }
    let literals: usize = come.iter().map(|line| given(line.text)).sum();
    let says_no = hunk.come.iter().any(|line| refuses(revision.words, line.text));
    (literals > 1 && !says_no).then_some(*asked)
}

/// Whether a count begins anew with each call: its first value stands in the body of the function that asks it.
fn is_begun_within(revision: &Revision, asked: &CodeLine, count: &str) -> bool {
    const ONCE: &[&str] = &["static", "nonlocal", "global"];
    let function = revision.after.functions.iter().rfind(|it| it.body.contains(&asked.at));
    let body = function.and_then(|it| revision.new.get(it.body.clone())).unwrap_or_default();
    let is_once = |line: &str| identifiers(line).any(|word| ONCE.contains(&word));
    !body.lines().any(|line| is_once(line) && identifiers(line).any(|word| word == count))
        && body.lines().any(|line| {
            let (head, _) = line.split_once('=').unwrap_or_default();
            let head = head.split(':').next().unwrap_or_default().trim_end();
            identifiers(head).last() == Some(count)
                && !head.ends_with(['+', '-', '!', '<', '>', '.'])
                && !head.contains(['.', '>', '('])
        })
}

/// A line that takes its answer from a new list of literals.
fn in_turn<'a>(revision: &Revision, hunk: &TextHunk<'a>, come: &[&CodeLine]) -> Option<CodeLine<'a>> {
    let lists = come.iter().filter_map(|line| list_of(line.text)).filter(|name| is_new(revision, name));
    let lists: Vec<&str> = lists.collect();
    let takes = |line: &&CodeLine| {
        let code = bare(line.text);
        lists.iter().any(|name| {
            TAKING.iter().any(|end| code.contains(&format!("{name}{end}")))
                || TAKERS.iter().any(|head| {
                    code.contains(&format!("{head}{name}"))
                        || code.contains(&format!("{head}self.{name}"))
                        || code.contains(&format!("{head}this.{name}"))
                        || code.contains(&format!("{head}${name}"))
                })
                || ["++", "+=1"].iter().any(|step| {
                    code.split_once(&format!("{name}["))
                        .is_some_and(|(_, rest)| rest.split(']').next().is_some_and(|it| it.contains(step)))
                })
        })
    };
    hunk.come.iter().find(takes).copied()
}

/// The name that a line counts up: `calls++`, `self.calls += 1`, `calls.incrementAndGet()`.
fn counted(line: &str) -> Option<String> {
    let code = bare(line);
    let heads = ["++", "+=1", ".incrementAndGet()", ".getAndIncrement()", ".fetch_add(1"];
    let before = heads.iter().find_map(|sign| code.split_once(sign).map(|(head, _)| head.to_owned()));
    let last = |text: &str| text.rsplit(|c| !is_name_part(c)).next().unwrap_or_default().to_owned();
    let name = before.map(|head| last(&head)).filter(|name| !name.is_empty());
    name.or_else(|| {
        let rest = code
            .split_once("++")
            .map(|(_, rest)| rest.split(|c| !is_name_part(c)).next().unwrap_or_default().to_owned());
        rest.filter(|name| !name.is_empty())
    })
    .filter(|name| name.len() > 1 && !name.starts_with(|c: char| c.is_ascii_digit()))
}

/// The name that a line gives a list of at least two literals.
fn list_of(line: &str) -> Option<&str> {
    let (head, list) = line.split_once('=')?;
    let opens = list.contains(['[', '{', '(']);
    let head = head.split(':').next().unwrap_or_default().trim_end();
    let name = head.rsplit(|c| !is_name_part(c)).next()?;
    (opens && name.len() > 2 && CodeLiteral::all(&words(list)).len() > 1).then_some(name)
}

/// How many literals a line has beside those that it compares with.
fn given(line: &str) -> usize {
    let code = words(line);
    let is_compared = |at: usize| code.get(at.wrapping_sub(1)).is_some_and(|(_, word)| *word == "=");
    let all = CodeLiteral::all(&code);
    all.iter().filter(|it| !is_compared(it.at) && !value_of(it.text).is_empty()).count()
}

/// Whether something counted a name up before.
fn was_counted(revision: &Revision, name: &str) -> bool {
    revision.old.lines().filter_map(counted).any(|it| it == name)
}

fn is_new(revision: &Revision, name: &str) -> bool {
    !identifiers(revision.old).any(|word| word == name)
}

fn names(line: &str, name: &str) -> bool {
    identifiers(line).any(|word| word == name)
}
