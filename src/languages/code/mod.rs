//! What a piece of code does about errors, input and its own work: functions, guards, handlers, conditions, calls.
//!
//! Values only: nothing here says what a change means. Tests that stand in a source file are left out, and nothing
//! recurses without a bound.

mod conditions;
mod constants;
mod handlers;
mod model;
mod refusing;
mod statements;
mod status_constants;
mod suspicious_words;
mod swallowing;
mod syntax;
pub mod validation;
mod walk;

use tree_sitter::Tree;

pub use crate::languages::code::model::{
    BodyKind, Call, Code, Comment, Condition, Drop, Exit, Function, Guard, Handler, HandlerEffect, Setting,
};
pub(crate) use crate::languages::code::refusing::{
    Refusing, falls_back, identifiers, is_log, may_refuse, passes_on, plain, refuses,
};
pub use crate::languages::code::suspicious_words::{admissions, may_weaken};
pub(super) use crate::languages::code::swallowing::swallowing;
pub(crate) use crate::languages::code::syntax::{
    BranchNodes, Callee, CaughtError, FunctionNodes, Syntax, body_range, callee, fields, fork, pair,
};

/// What the code of a parsed text does.
pub(super) fn of_tree<'s>(syntax: &'static Syntax, source: &'s str, tree: &Tree) -> Code<'s> {
    walk::walk(syntax, tree.root_node(), source)
}

/// `text`, which is without white space, as it is written in `source` from a line on, from 1: with the blanks that are
/// there, a run of them as one. The text itself where it does not stand there.
pub fn as_written(source: Option<&str>, line: u32, text: &str) -> String {
    let lines = usize::try_from(line).unwrap_or(usize::MAX).saturating_sub(1);
    let from = source.unwrap_or_default().split_inclusive('\n').take(lines).map(str::len).sum();
    let rest = source.and_then(|source| source.get(from..)).unwrap_or_default();
    let first = rest.split('\n').next().unwrap_or_default();
    let starts = first.char_indices().map(|(at, _)| at);
    let mut found = starts.filter_map(|at| rest.get(at..).and_then(|rest| written(rest, text)));
    found.next().unwrap_or_else(|| text.to_owned())
}

/// The start of `source` whose letters are those of `text`.
fn written(source: &str, text: &str) -> Option<String> {
    let mut wanted = text.chars().peekable();
    let mut out = String::new();
    for c in source.chars() {
        if wanted.peek().is_none() {
            return Some(out);
        }
        if !c.is_whitespace() {
            if wanted.next() != Some(c) {
                return None;
            }
            out.push(c);
        } else if out.is_empty() {
            return None;
        } else if !out.ends_with(' ') {
            out.push(' ');
        }
    }
    (wanted.peek().is_none() && !out.is_empty()).then_some(out)
}

/// A text without white space.
pub fn bare(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
