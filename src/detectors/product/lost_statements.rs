//! Statements of a text that are gone as a whole and only said no: conditions with their refusal, calls that check, marks.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::detectors::product::check_words::{CHECKS, is_named};
use crate::languages::code::{Refusing, identifiers, plain, refuses};
use crate::model::words::is_name_part;

/// What a statement says no by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StatementKind {
    /// Who may: a mark or a call with a role, an ability or a guard.
    Authority,
    /// A condition of what is given.
    Condition,
    /// A call that is given rules.
    Rules,
}

/// A statement that is gone.
#[derive(Debug)]
pub(super) struct LostStatement {
    pub(super) kind: StatementKind,
    /// Its lines in the text before, from 0.
    pub(super) lines: Range<usize>,
    /// These as one text.
    pub(super) text: String,
    /// The function that it stands in or above.
    pub(super) owner: Option<String>,
}

/// Words of calls and marks that ask who somebody is.
const AUTHORITIES: &[&str] = &[
    "authorize",
    "authorise",
    "authorized",
    "preauthorize",
    "secured",
    "rolesallowed",
    "roles",
    "useguards",
    "permission",
    "permissionrequired",
    "loginrequired",
    "requirerole",
    "requireadmin",
    "can",
    "gate",
    "isgranted",
    "denyaccessunlessgranted",
    "beforeaction",
    "allowanonymous",
    "staffmemberrequired",
    "userpassestest",
];
/// Words that begin a condition, or a loop over what is checked.
const HEADS: &[&str] = &["if", "unless", "guard", "for", "foreach", "when"];
/// What a function's head has before its name.
const NO_NAMES: &[&str] =
    &["if", "for", "while", "switch", "catch", "match", "foreach", "when", "function", "async"];

/// The statements among the lines of a text that are gone as a whole and said no.
pub(super) fn statements(words: &Refusing, lines: &[&str], gone: &BTreeSet<usize>) -> Vec<LostStatement> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let found = gone.contains(&at).then(|| statement(words, lines, gone, at)).flatten();
        at = found.as_ref().map_or(at + 1, |it| it.lines.end);
        all.extend(found);
    }
    all
}

fn statement(words: &Refusing, lines: &[&str], gone: &BTreeSet<usize>, at: usize) -> Option<LostStatement> {
    let range = extent(words, lines, at);
    let own = lines.get(range.clone())?;
    let says = |line: &str| plain(words, line).chars().any(char::is_alphanumeric) && line.trim() != "end";
    let are_gone = range.clone().zip(own).all(|(at, line)| gone.contains(&at) || !says(line));
    let kind = kind(words, own).filter(|_| are_gone)?;
    Some(LostStatement { kind, text: own.join("\n"), owner: owner(words, lines, &range), lines: range })
}

/// The lines of the statement that begins in a line: up to where its brackets are closed, and what stands further in.
fn extent(words: &Refusing, lines: &[&str], at: usize) -> Range<usize> {
    let line = |at: usize| lines.get(at).copied().unwrap_or_default();
    let balance = |line: &str| {
        let code = plain(words, line);
        let count = |signs: &[char]| code.matches(signs).count();
        i64::try_from(count(&['(', '[', '{'])).unwrap_or(0)
            - i64::try_from(count(&[')', ']', '}'])).unwrap_or(0)
    };
    let own = depth(line(at));
    let (mut end, mut open) = (at + 1, balance(line(at)));
    while end < lines.len() {
        let is_within = open > 0 || !line(end).trim().is_empty() && depth(line(end)) > own;
        if !is_within {
            break;
        }
        open += balance(line(end));
        end += 1;
    }
    let is_closed = end > at + 1 && line(end).trim() == "end" && depth(line(end)) == own;
    at..end + usize::from(is_closed)
}

fn depth(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// What a statement says no by, if it does.
fn kind(words: &Refusing, own: &[&str]) -> Option<StatementKind> {
    let head = own.first()?.trim();
    let code = plain(words, head);
    let first = identifiers(&code).next().unwrap_or_default();
    let asks_who = identifiers(&code).take(4).any(|word| AUTHORITIES.contains(&normal(word).as_str()))
        || head.starts_with('@') && (code.contains("Depends(") || code.contains("Security("));
    let is_mark = head.starts_with(['@', '[']) || head.starts_with("#[") || head.starts_with("->middleware(");
    if is_mark || first.starts_with("before_action") {
        return (asks_who || head.starts_with("->middleware(")).then_some(StatementKind::Authority);
    }
    let refuses_at = |line: &&str| refuses(words, line);
    if HEADS.contains(&first) {
        return own.iter().any(refuses_at).then_some(StatementKind::Condition);
    }
    if is_called(&code, asks_who) {
        return Some(if asks_who { StatementKind::Authority } else { StatementKind::Rules });
    }
    let has_condition = [" if ", " unless ", "abort_if", "abort_unless", "require(", "require!("];
    (has_condition.iter().any(|it| code.contains(it)) && own.iter().any(refuses_at))
        .then_some(StatementKind::Condition)
}

/// Whether a line is a call that checks, alone or with what it gives.
fn is_called(code: &str, asks_who: bool) -> bool {
    let call =
        code.split_once('=').filter(|(head, _)| !head.contains(['(', '!'])).map_or(code, |(_, rest)| rest);
    let head = call.split(['(', ' ', '!']).find(|it| !it.is_empty()).unwrap_or_default();
    let name = head.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default();
    let has_arguments = call.contains('(') || asks_who;
    let is_kept = matches!(head, "return" | "throw" | "raise" | "const" | "let" | "var");
    has_arguments && !is_kept && (asks_who || is_named(name, CHECKS))
}

/// The name of the function around a statement, or of the one below a mark.
fn owner(words: &Refusing, lines: &[&str], range: &Range<usize>) -> Option<String> {
    let head = lines.get(range.start).copied().unwrap_or_default();
    let is_mark = |line: &str| line.trim().starts_with(['@', '[']) || line.trim().starts_with("#[");
    if is_mark(head) {
        let below =
            lines.iter().skip(range.end).take(12).find(|line| !line.trim().is_empty() && !is_mark(line))?;
        return function(&plain(words, below));
    }
    let mut own = depth(head);
    for line in lines.get(..range.start)?.iter().rev().filter(|line| !line.trim().is_empty()) {
        if depth(line) < own {
            own = depth(line);
            if let Some(name) = function(&plain(words, line)) {
                return Some(name);
            }
        }
    }
    None
}

/// The name that a function's head gives.
fn function(code: &str) -> Option<String> {
    let code = code.trim();
    let named = ["def ", "fn ", "func ", "fun ", "function ", "defp "].iter().find_map(|word| {
        let rest = code.split_once(word).filter(|(head, _)| head.is_empty() || head.ends_with(' '))?.1;
        // `func (h *Handler) Delete(`.
        let rest = if rest.starts_with('(') { rest.split_once(')')?.1.trim_start() } else { rest };
        rest.split(|c: char| !is_name_part(c)).next()
    });
    let assigned = || {
        let (head, rest) = code.split_once('=')?;
        let is_function = rest.contains("=>") || rest.contains("function");
        identifiers(head).last().filter(|_| is_function)
    };
    let called = || {
        let head = code.get(..code.find('(')?)?;
        let name = head.rsplit(|c: char| !is_name_part(c)).next()?;
        (code.ends_with('{') || code.ends_with(')') || code.ends_with(',') || code.ends_with('('))
            .then_some(name)
    };
    let name = named.or_else(assigned).or_else(called)?;
    (name.len() > 1 && !NO_NAMES.contains(&name)).then(|| name.to_owned())
}

/// A name in lower case, with letters and digits alone.
pub(super) fn normal(word: &str) -> String {
    word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
