//! What a file's code does, as values: functions, guards, handlers, conditions, calls, settings.
//!
//! Nothing here says what a change means.

use std::ops::Range;

use crate::languages::body::Body;

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
    pub comments: Vec<Comment<'s>>,
    /// Marks that a compiler or a checker reads: `#[allow(...)]`.
    pub marks: Vec<Comment<'s>>,
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
pub enum HandlerEffect {
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
    pub effect: HandlerEffect,
    /// Whether a comment says why.
    pub explained: bool,
    /// The code that it watches over.
    pub watched: &'s str,
    /// What it does, as written.
    pub body: &'s str,
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
pub struct Comment<'s> {
    /// As written.
    pub text: &'s str,
    /// The line, from 1.
    pub line: u32,
}
