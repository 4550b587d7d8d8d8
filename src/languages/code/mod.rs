//! What a piece of code does about errors, input and its own work: functions, guards, handlers, conditions, calls.
//!
//! Values only: nothing here says what a change means. Tests that stand in a source file are left out, and nothing
//! recurses without a bound.

mod classify;
mod prefilter;
pub mod validation;
mod walk;

use std::ops::Range;

use tree_sitter::{Node, Tree};

use super::body::Body;

pub(super) use crate::languages::code::classify::swallowing;
pub use crate::languages::code::prefilter::may_weaken;

/// What a file's code does.
#[derive(Debug, Clone, Default)]
pub struct Code<'s> {
    /// Every function with a body, in the order of the text.
    pub functions: Vec<Function<'s>>,
    /// Branches that leave when a condition holds.
    pub guards: Vec<Guard<'s>>,
    /// Conditions of all branches.
    pub conditions: Vec<Condition<'s>>,
    /// What catches errors.
    pub handlers: Vec<Handler<'s>>,
    /// Errors that are dropped where they come up.
    pub drops: Vec<Drop<'s>>,
    /// Calls by the name of what is called.
    pub calls: Vec<Call<'s>>,
    /// Calls in tests that stand in the middle of the code.
    pub test_calls: Vec<Call<'s>>,
    /// Settings given by name: keyword arguments, fields of literals, assignments.
    pub settings: Vec<Setting<'s>>,
    /// Comments.
    pub comments: Vec<Remark<'s>>,
    /// Marks that a compiler or a checker reads: `#[allow(...)]`.
    pub marks: Vec<Remark<'s>>,
    /// Every identifier.
    pub words: Body,
    /// Whether the text has syntax errors.
    pub broken: bool,
}

/// A function.
#[derive(Debug, Clone)]
pub struct Function<'s> {
    /// Its name.
    pub name: &'s str,
    /// The line of its head, from 1.
    pub line: u32,
    /// Where it is, in bytes.
    pub span: Range<usize>,
    /// Where its body is, in bytes.
    pub body: Range<usize>,
    /// How many statements its body has at the top.
    pub statements: usize,
    /// What it comes to.
    pub body_kind: BodyKind<'s>,
    /// Whether a plain return stands before other statements at the top of its body.
    pub cut: bool,
    /// How many values that stand for nothing it returns: `return null`.
    pub nothings: usize,
    /// How many errors it throws or returns.
    pub throws: usize,
}

/// What a body comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BodyKind<'s> {
    /// It does something.
    Work,
    /// It has no statement, or says `pass`.
    Nothing,
    /// It gives this constant and does nothing else.
    Constant(&'s str),
    /// It says that it isn't implemented.
    Unimplemented,
}

/// How a guard leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By an error: thrown, returned, or answered.
    Error,
    /// By a return.
    Leave,
}

/// A branch that does nothing but leave.
#[derive(Debug, Clone, Copy)]
pub struct Guard<'s> {
    /// The function that it stands in, by its index.
    pub owner: Option<usize>,
    /// The condition as written.
    pub condition: &'s str,
    /// Whether it leaves when the condition does not hold: `unless`, `guard`.
    pub negated: bool,
    /// How it leaves.
    pub exit: Exit,
    /// The constant that it returns, if it does.
    pub gives: Option<&'s str>,
    /// Whether it is the first statement of its function.
    pub first: bool,
    /// The line, from 1.
    pub line: u32,
}

/// A condition.
#[derive(Debug, Clone, Copy)]
pub struct Condition<'s> {
    /// The function that it stands in, by its index.
    pub owner: Option<usize>,
    /// As written.
    pub text: &'s str,
    /// The constant that it is by a constant among its operands, if so.
    pub fixed: Option<bool>,
    /// Whether the branch is taken when it does not hold: `unless`, `guard`.
    pub negated: bool,
    /// The line, from 1.
    pub line: u32,
}

/// What is done about an error that is caught.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing.
    Silent,
    /// A constant takes the place of the result.
    Constant,
    /// It is logged.
    Logged,
    /// Something else.
    Handled,
    /// It is passed on.
    Raised,
}

/// What catches errors.
#[derive(Debug, Clone, Copy)]
pub struct Handler<'s> {
    /// The function that it stands in, by its index.
    pub owner: Option<usize>,
    /// The kinds of error as written; empty for all.
    pub caught: &'s str,
    /// Whether it takes every error.
    pub broad: bool,
    /// What it does.
    pub effect: Effect,
    /// Whether a comment says why.
    pub explained: bool,
    /// The code that it watches over.
    pub watched: &'s str,
    /// The line, from 1.
    pub line: u32,
}

/// An error that is dropped where it comes up.
#[derive(Debug, Clone, Copy)]
pub struct Drop<'s> {
    /// The function that it stands in, by its index.
    pub owner: Option<usize>,
    /// The call whose error it is.
    pub call: &'s str,
    /// How it is dropped: `let _ =`, `.ok()`.
    pub how: &'static str,
    /// The line, from 1.
    pub line: u32,
}

/// A call.
#[derive(Debug, Clone, Copy)]
pub struct Call<'s> {
    /// The function that it stands in, by its index.
    pub owner: Option<usize>,
    /// What is called, as written.
    pub callee: &'s str,
    /// Its arguments as written, with the parentheses.
    pub arguments: &'s str,
    /// Whether it stands alone as a statement.
    pub alone: bool,
    /// The line, from 1.
    pub line: u32,
}

/// A setting given by name.
#[derive(Debug, Clone, Copy)]
pub struct Setting<'s> {
    /// Its name.
    pub name: &'s str,
    /// Its value as written.
    pub value: &'s str,
    /// The line, from 1.
    pub line: u32,
}

/// A comment or a mark.
#[derive(Debug, Clone, Copy)]
pub struct Remark<'s> {
    /// As written.
    pub text: &'s str,
    /// The line, from 1.
    pub line: u32,
}

/// How one language writes what [`Code`] holds.
///
/// One kind of node can be several things: in Elixir a function, a branch and a call are all calls. Who is asked about a
/// node answers `None` when it isn't that.
pub(crate) struct Syntax {
    /// Kinds of nodes that may be functions.
    pub(crate) functions: &'static [&'static str],
    /// Kinds of nodes that may branch on a condition.
    pub(crate) branches: &'static [&'static str],
    /// Kinds of nodes that call.
    pub(crate) calls: &'static [&'static str],
    /// Kinds of nodes that name a value.
    pub(crate) settings: &'static [&'static str],
    /// Kinds of marks.
    pub(crate) marks: &'static [&'static str],
    /// A function's name and body.
    pub(crate) function: for<'t, 's> fn(Node<'t>, &'s str) -> Option<Shape<'t>>,
    /// A branch's parts.
    pub(crate) branch: for<'t, 's> fn(Node<'t>, &'s str) -> Option<Fork<'t>>,
    /// What is called, and with what.
    pub(crate) call: for<'t> fn(Node<'t>) -> Option<Callee<'t>>,
    /// A setting's name and value.
    pub(crate) setting: for<'t> fn(Node<'t>) -> Option<(Node<'t>, Node<'t>)>,
    /// Whether a node is a test in the middle of the code.
    pub(crate) is_test: fn(Node, &str) -> bool,
    /// How a statement leaves, if that is all it does.
    pub(crate) exit: fn(Node, &str) -> Option<Exit>,
    /// Reads a node that may catch or drop an error.
    pub(crate) caught: for<'t, 's> fn(Node<'t>, &'s str) -> Option<Caught<'t, 's>>,
    /// The kinds of nodes that `caught` is asked about.
    pub(crate) catching: &'static [&'static str],
}

/// A function's name and body.
pub(crate) struct Shape<'t> {
    pub(crate) name: Node<'t>,
    pub(crate) body: Node<'t>,
}

/// A branch: its condition from the first node to the last, and what is done when it holds.
pub(crate) struct Fork<'t> {
    pub(crate) condition: (Node<'t>, Node<'t>),
    /// What is done, where nothing is done otherwise.
    pub(crate) block: Option<Node<'t>>,
    /// Whether it is done when the condition does not hold: `unless`, `guard`.
    pub(crate) negated: bool,
}

/// What is called, from the first node to the last, and its arguments.
pub(crate) struct Callee<'t> {
    pub(crate) name: (Node<'t>, Node<'t>),
    pub(crate) arguments: Option<Node<'t>>,
}

/// What a language's file finds about an error.
#[derive(Clone)]
pub(crate) enum Caught<'t, 's> {
    /// A handler with its kinds of errors, its body and what it watches over.
    Handler { caught: &'s str, broad: bool, body: Option<Node<'t>>, watched: Range<usize> },
    /// A dropped error: the call, and how.
    Drop { call: Node<'t>, how: &'static str },
    /// A guard that isn't a branch: the condition, and the block that leaves.
    Guard { condition: Node<'t>, block: Node<'t> },
}

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

/// A function whose name and body are its fields.
pub(crate) fn fields<'t>(node: Node<'t>, _source: &str) -> Option<Shape<'t>> {
    Some(Shape { name: node.child_by_field_name("name")?, body: node.child_by_field_name("body")? })
}

/// A branch whose parts are its fields.
pub(crate) fn fork<'t>(node: Node<'t>, _source: &str) -> Option<Fork<'t>> {
    let condition = node.child_by_field_name("condition")?;
    let block = match node.child_by_field_name("alternative") {
        Some(_) => None,
        None => node.child_by_field_name("consequence"),
    };
    Some(Fork { condition: (condition, condition), block, negated: false })
}

/// A call whose callee and arguments are its fields.
pub(crate) fn callee(node: Node) -> Option<Callee> {
    let name = node.child_by_field_name("function").or_else(|| node.child_by_field_name("macro"))?;
    let last = node.named_child(u32::try_from(node.named_child_count()).unwrap_or(1).saturating_sub(1) as _);
    let arguments = node.child_by_field_name("arguments").or(last);
    Some(Callee { name: (name, name), arguments })
}

/// A setting whose name and value are fields.
pub(crate) fn pair(node: Node) -> Option<(Node, Node)> {
    let field = |names: &[&str]| names.iter().find_map(|name| node.child_by_field_name(name));
    Some((field(&["key", "name", "left", "field", "declarator"])?, field(&["value", "right"])?))
}

/// Where a node's body is.
pub(crate) fn body_range(node: Option<Node>) -> Range<usize> {
    node.and_then(|it| it.child_by_field_name("body")).map(|it| it.byte_range()).unwrap_or_default()
}
