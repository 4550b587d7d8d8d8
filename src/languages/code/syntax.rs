//! How one language writes what [`Code`](crate::languages::code::Code) holds, and the ways that most languages share.

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::code::model::Exit;

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
    pub(crate) function: for<'t, 's> fn(Node<'t>, &'s str) -> Option<FunctionNodes<'t>>,
    /// A branch's parts.
    pub(crate) branch: for<'t, 's> fn(Node<'t>, &'s str) -> Option<BranchNodes<'t>>,
    /// What is called, and with what.
    pub(crate) call: for<'t> fn(Node<'t>) -> Option<Callee<'t>>,
    /// A setting's name and value.
    pub(crate) setting: for<'t> fn(Node<'t>) -> Option<(Node<'t>, Node<'t>)>,
    /// Whether a node is a test in the middle of the code.
    pub(crate) is_test: fn(Node, &str) -> bool,
    /// How a statement leaves, if that is all it does.
    pub(crate) exit: fn(Node, &str) -> Option<Exit>,
    /// Reads a node that may catch or drop an error.
    pub(crate) caught: for<'t, 's> fn(Node<'t>, &'s str) -> Option<CaughtError<'t, 's>>,
    /// The kinds of nodes that `caught` is asked about.
    pub(crate) catching: &'static [&'static str],
}

/// A function's name and body.
pub(crate) struct FunctionNodes<'t> {
    pub(crate) name: Node<'t>,
    pub(crate) body: Node<'t>,
}

/// A branch: its condition from the first node to the last, and what is done when it holds.
pub(crate) struct BranchNodes<'t> {
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
pub(crate) enum CaughtError<'t, 's> {
    /// A handler with its kinds of errors, its body and what it watches over.
    Handler { caught: &'s str, broad: bool, body: Option<Node<'t>>, watched: Range<usize> },
    /// A dropped error: the call, and how.
    Drop { call: Node<'t>, how: &'static str },
    /// A guard that isn't a branch: the condition, and the block that leaves.
    Guard { condition: Node<'t>, block: Node<'t> },
}

/// A function whose name and body are its fields.
pub(crate) fn fields<'t>(node: Node<'t>, _source: &str) -> Option<FunctionNodes<'t>> {
    Some(FunctionNodes { name: node.child_by_field_name("name")?, body: node.child_by_field_name("body")? })
}

/// A branch whose parts are its fields.
pub(crate) fn fork<'t>(node: Node<'t>, _source: &str) -> Option<BranchNodes<'t>> {
    let condition = node.child_by_field_name("condition")?;
    let block = match node.child_by_field_name("alternative") {
        Some(_) => None,
        None => node.child_by_field_name("consequence"),
    };
    Some(BranchNodes { condition: (condition, condition), block, negated: false })
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
