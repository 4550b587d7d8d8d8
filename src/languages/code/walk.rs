//! One pass over a tree that fills [`Code`], the same for every language.

use std::ops::Range;

use tree_sitter::Node;

use super::super::condition::constant;
use super::super::sketch::{each_node, line, parts, text};
use super::{
    Call, Caught, Code, Condition, Drop, Effect, Essence, Exit, Function, Guard, Handler, Remark, Setting,
    Syntax,
};

/// What a node's kind means here.
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Plain,
    Function,
    Branch,
    Call,
    Setting,
    Mark,
    Comment,
    Word,
}

/// Kinds of nodes whose text is a value by itself.
const LITERALS: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "nil",
    "undefined",
    "number",
    "integer",
    "float",
    "string",
    "int_literal",
    "float_literal",
    "boolean_literal",
    "string_literal",
    "raw_string_literal",
    "interpreted_string_literal",
    "char_literal",
    "rune_literal",
    "integer_literal",
    "unit_expression",
    "concatenated_string",
    "property_identifier",
];
/// Kinds of nodes that are constant when all in them is.
const COMPOUNDS: &[&str] = &[
    "array",
    "object",
    "pair",
    "list",
    "tuple",
    "dictionary",
    "set",
    "unary_expression",
    "parenthesized_expression",
    "expression_list",
    "array_expression",
    "tuple_expression",
    "literal_value",
    "literal_element",
    "keyed_element",
    "reference_expression",
    "as_expression",
    "satisfies_expression",
];
/// Calls and names that give a constant.
const EMPTIES: &[&str] = &[
    "Default::default()",
    "Vec::new()",
    "vec![]",
    "String::new()",
    "HashMap::new()",
    "None",
    "nil",
    "undefined",
    "null",
    "Ok(())",
    "dict()",
    "list()",
    "set()",
    "true",
    "false",
    "True",
    "False",
    "Ok(Default::default())",
    "Ok(true)",
    "Ok(false)",
    "Some(true)",
    "Ok(Vec::new())",
    "Ok(String::new())",
    "Ok(None)",
    "Promise.resolve()",
];
/// First words of what writes a log.
const LOGS: &[&str] = &[
    "console", "log", "logger", "logging", "print", "println", "eprintln", "warnings", "tracing", "fmt",
    "warn", "debug", "error", "info", "LOG", "Log", "slog", "eprint", "dbg", "trace",
];

struct Walk<'c, 's> {
    syntax: &'static Syntax,
    source: &'s str,
    code: &'c mut Code<'s>,
    roles: Vec<Option<(Role, bool)>>,
    /// The open functions, the innermost last: where each ends, and its index.
    open: Vec<(usize, usize)>,
}

pub(super) fn walk<'s>(syntax: &'static Syntax, root: Node, source: &'s str) -> Code<'s> {
    let mut code = Code { broken: root.has_error(), ..Code::default() };
    let mut walk = Walk { syntax, source, code: &mut code, roles: Vec::new(), open: Vec::new() };
    each_node(root, &mut |node| walk.visit(node));
    code.words.seal();
    code
}

impl<'s> Walk<'_, 's> {
    fn text(&self, node: Node) -> &'s str {
        text(node, self.source)
    }

    fn owner(&self) -> Option<usize> {
        self.open.last().map(|(_, index)| *index)
    }

    fn role(&mut self, node: Node) -> (Role, bool) {
        let id = usize::from(node.kind_id());
        if self.roles.len() <= id {
            self.roles.resize(id + 1, None);
        }
        if let Some(Some(role)) = self.roles.get(id) {
            return *role;
        }
        let (kind, syntax) = (node.kind(), self.syntax);
        let role = if !node.is_named() {
            Role::Plain
        } else if kind.contains("comment") {
            Role::Comment
        } else if syntax.functions.contains(&kind) {
            Role::Function
        } else if syntax.branches.contains(&kind) {
            Role::Branch
        } else if syntax.calls.contains(&kind) {
            Role::Call
        } else if syntax.settings.contains(&kind) {
            Role::Setting
        } else if syntax.marks.contains(&kind) {
            Role::Mark
        } else if kind.ends_with("identifier") {
            Role::Word
        } else {
            Role::Plain
        };
        let role = (role, node.is_named() && syntax.catching.contains(&kind));
        if let Some(slot) = self.roles.get_mut(id) {
            *slot = Some(role);
        }
        role
    }

    fn visit(&mut self, node: Node) -> bool {
        while self.open.last().is_some_and(|(end, _)| *end <= node.start_byte()) {
            self.open.pop();
        }
        let (role, catching) = self.role(node);
        if catching && let Some(caught) = (self.syntax.caught)(node, self.source) {
            self.caught(node, &caught);
        }
        match role {
            Role::Plain => {}
            Role::Comment => {
                self.code.comments.push(Remark { text: self.text(node), line: line(node) });
                return false;
            }
            Role::Mark => self.code.marks.push(Remark { text: self.text(node), line: line(node) }),
            Role::Word => self.code.words.word(self.text(node)),
            Role::Setting => self.setting(node),
            Role::Call => self.call(node),
            Role::Branch => self.branch(node),
            Role::Function => {
                if (self.syntax.is_test)(node, self.source) {
                    self.test(node);
                    return false;
                }
                if node.kind() != "mod_item" {
                    self.function(node);
                }
            }
        }
        if let Some(exit) = (self.syntax.exit)(node, self.source)
            && let Some((_, index)) = self.open.last()
            && let Some(function) = self.code.functions.get_mut(*index)
        {
            function.throws += usize::from(exit == Exit::Error);
            let gives_nothing = exit == Exit::Leave && is_nothing(node, self.source);
            function.nothings += usize::from(gives_nothing);
        }
        true
    }

    fn function(&mut self, node: Node) {
        let name = node.child_by_field_name("name").or_else(|| (self.syntax.name)(node));
        let (Some(name), Some(body)) = (name, node.child_by_field_name("body")) else { return };
        let statements = statements(body);
        let plain_return = |it: &Node| (self.syntax.exit)(*it, self.source) == Some(Exit::Leave);
        let cut = statements.len() > 1
            && statements.iter().position(plain_return).is_some_and(|at| {
                statements.get(at + 1..).unwrap_or_default().iter().any(|it| !is_declaration(*it))
            });
        self.open.push((node.end_byte(), self.code.functions.len()));
        self.code.functions.push(Function {
            name: self.text(name),
            line: line(node),
            span: node.byte_range(),
            body: body.byte_range(),
            essence: essence(&statements, self.source),
            statements: statements.len(),
            cut,
            nothings: 0,
            throws: 0,
        });
    }

    fn branch(&mut self, node: Node) {
        let Some(condition) = node.child_by_field_name("condition") else { return };
        let owner = self.owner();
        self.code.conditions.push(Condition {
            owner,
            text: self.text(condition),
            fixed: fixed(condition, self.source, 0),
            line: line(node),
        });
        if node.child_by_field_name("alternative").is_none()
            && let Some(block) = node.child_by_field_name("consequence")
        {
            self.guard(node, condition, block);
        }
    }

    fn guard(&mut self, node: Node, condition: Node, block: Node) {
        let body = statements(block);
        let Some(last) = body.last() else { return };
        let exits = body.iter().filter_map(|it| (self.syntax.exit)(*it, self.source));
        let Some(exit) = exits.min_by_key(|exit| *exit != Exit::Error) else { return };
        if body.len() > 3 || (self.syntax.exit)(*last, self.source).is_none() {
            return;
        }
        let value = parts(*last).first().copied().filter(|it| is_constant(*it, self.source, 0));
        // In Rust the block is an expression of a statement.
        let place = node.parent().filter(|it| it.kind() == "expression_statement").unwrap_or(node);
        let function = self.open.last().and_then(|(_, index)| self.code.functions.get(*index));
        let first = place.prev_named_sibling().is_none_or(|it| it.kind().contains("comment"))
            && place.parent().is_some_and(|it| {
                function.is_some_and(|function| {
                    it.start_byte().abs_diff(function.body.start) < 200
                        && it.end_byte() <= function.body.end
                        && it.start_byte() >= function.body.start
                        && it.parent().is_none_or(|up| up.start_byte() <= function.body.start)
                })
            });
        self.code.guards.push(Guard {
            owner: self.owner(),
            condition: self.text(condition),
            exit,
            gives: value.map(|it| self.text(it)),
            first,
            line: line(node),
        });
    }

    fn caught(&mut self, node: Node, caught: &Caught<'_, 's>) {
        match *caught {
            Caught::Guard { condition, block } => self.guard(node, condition, block),
            Caught::Drop { call, how } => {
                let (owner, call) = (self.owner(), self.text(call));
                self.code.drops.push(Drop { owner, call, how, line: line(node) });
            }
            Caught::Handler { caught, broad, body, watched } => {
                let watched = watched.map(|it| self.text(it)).unwrap_or_default();
                let (effect, explained) = match body {
                    Some(body) => (self.effect(body), has_reason(body, self.source)),
                    None => (Effect::Silent, false),
                };
                let owner = self.owner();
                self.code.handlers.push(Handler {
                    owner,
                    caught,
                    broad,
                    effect,
                    explained,
                    watched,
                    line: line(node),
                });
            }
        }
    }

    fn effect(&self, body: Node) -> Effect {
        let statements = statements(body);
        let mut effect = Effect::Silent;
        for statement in &statements {
            let of_one = if (self.syntax.exit)(*statement, self.source) == Some(Exit::Error) {
                Effect::Raised
            } else if is_empty(*statement, self.source) {
                Effect::Silent
            } else if gives_constant(*statement, self.source).is_some() {
                Effect::Constant
            } else if is_log(*statement, self.source) {
                Effect::Logged
            } else {
                Effect::Handled
            };
            effect = effect.max(of_one);
        }
        if effect < Effect::Raised {
            let mut raises = false;
            each_node(body, &mut |node| {
                raises = raises || (self.syntax.exit)(node, self.source) == Some(Exit::Error);
                !raises
            });
            if raises {
                return Effect::Raised;
            }
        }
        effect
    }

    /// A test in the middle of the code: only what it calls.
    fn test(&mut self, node: Node) {
        let calls = std::mem::take(&mut self.code.calls);
        each_node(node, &mut |node| {
            if self.role(node).0 == Role::Call {
                self.call(node);
            }
            true
        });
        let in_test = std::mem::replace(&mut self.code.calls, calls);
        self.code.test_calls.extend(in_test);
    }

    fn call(&mut self, node: Node) {
        let callee = node.child_by_field_name("function").or_else(|| node.child_by_field_name("macro"));
        let Some(callee) = callee else { return };
        let last =
            node.named_child(u32::try_from(node.named_child_count()).unwrap_or(1).saturating_sub(1) as _);
        let arguments = node.child_by_field_name("arguments").or(last);
        let statement = node.parent().filter(|it| it.kind() == "await_expression").unwrap_or(node);
        self.code.calls.push(Call {
            owner: self.owner(),
            callee: self.text(callee),
            arguments: arguments.map(|it| self.text(it)).unwrap_or_default(),
            alone: statement
                .parent()
                .is_some_and(|it| matches!(it.kind(), "expression_statement" | "block" | "statement_list")),
            line: line(node),
        });
    }

    fn setting(&mut self, node: Node) {
        let field = |names: [&str; 4]| names.into_iter().find_map(|name| node.child_by_field_name(name));
        let name = field(["key", "name", "left", "field"]);
        let value = node.child_by_field_name("value").or_else(|| node.child_by_field_name("right"));
        if let (Some(name), Some(value)) = (name, value)
            && value.end_byte() - value.start_byte() < 400
        {
            let (name, value) = (self.text(name), self.text(value));
            let name = name.trim_matches(['"', '\'']).rsplit('.').next().unwrap_or(name);
            self.code.settings.push(Setting { name, value, line: line(node) });
        }
    }
}

/// The region whose errors a statement swallows: a `try` whose handlers all do nothing.
pub(in crate::languages) fn swallowing(node: Node, source: &str) -> Option<Range<usize>> {
    let body = node.child_by_field_name("body")?;
    if node.kind() == "with_statement" {
        let head = source.get(node.start_byte()..body.start_byte())?;
        return (head.contains("suppress(Exception") || head.contains("suppress(AssertionError"))
            .then(|| body.byte_range());
    }
    let handlers: Vec<Node> = parts(node)
        .into_iter()
        .filter(|part| matches!(part.kind(), "catch_clause" | "except_clause"))
        .collect();
    let is_silent = |handler: &Node| {
        let block = handler
            .child_by_field_name("body")
            .or_else(|| parts(*handler).into_iter().rfind(|it| it.kind() == "block"));
        let only_logs =
            |it: &Node| is_empty(*it, source) || is_log(*it, source) || gives_constant(*it, source).is_some();
        let catches_assertions = handler.child_by_field_name("value").is_none_or(|value| {
            let kind = text(value, source);
            ["Exception", "BaseException", "AssertionError"].iter().any(|it| kind.starts_with(it))
        });
        catches_assertions && block.is_none_or(|block| statements(block).iter().all(only_logs))
    };
    handlers.iter().any(is_silent).then(|| body.byte_range())
}

/// The statements of a block; a single statement is its own list.
pub(super) fn statements(block: Node) -> Vec<Node> {
    match block.kind() {
        "statement_block" | "block" => {
            let list = parts(block);
            match list[..] {
                [only] if only.kind() == "statement_list" => parts(only),
                _ => list,
            }
        }
        kind if kind.contains("comment") => Vec::new(),
        _ => vec![block],
    }
}

fn is_declaration(node: Node) -> bool {
    matches!(
        node.kind(),
        "function_declaration"
            | "function_item"
            | "function_definition"
            | "class_declaration"
            | "empty_statement"
    )
}

fn is_docstring(node: Node) -> bool {
    node.kind() == "expression_statement" && node.named_child(0).is_some_and(|it| it.kind() == "string")
}

/// What a list of statements comes to.
pub(super) fn essence<'s>(statements: &[Node], source: &'s str) -> Essence<'s> {
    let rest = match statements {
        [first, rest @ ..] if is_docstring(*first) => rest,
        all => all,
    };
    match rest {
        [] => Essence::Nothing,
        [only] if is_empty(*only, source) => Essence::Nothing,
        [only] if is_unimplemented(*only, source) => Essence::Unimplemented,
        [only] => gives_constant(*only, source).map_or(Essence::Work, Essence::Constant),
        _ => Essence::Work,
    }
}

fn is_empty(node: Node, source: &str) -> bool {
    match node.kind() {
        "pass_statement" | "continue_statement" | "empty_statement" | "ellipsis" => true,
        "return_statement" | "return_expression" => parts(node).is_empty(),
        "expression_statement" => matches!(text(node, source).trim_end_matches(';'), "..." | "()" | "void 0"),
        "unit_expression" => true,
        "assignment_statement" => text(node, source).starts_with("_ ="),
        _ => false,
    }
}

/// The constant that a statement gives, if that is all it does.
fn gives_constant<'s>(node: Node, source: &'s str) -> Option<&'s str> {
    let value = match node.kind() {
        "return_statement" | "return_expression" => parts(node).first().copied()?,
        "expression_statement" => {
            let inner = node.named_child(0)?;
            if inner.kind() == "return_expression" { parts(inner).first().copied()? } else { return None }
        }
        // The last expression of a block in Rust, and of an arrow function.
        _ => node,
    };
    is_constant(value, source, 0).then(|| text(value, source))
}

/// Whether an expression is made of literals only.
pub(super) fn is_constant(node: Node, source: &str, depth: usize) -> bool {
    let kind = node.kind();
    if LITERALS.contains(&kind) {
        return true;
    }
    if COMPOUNDS.contains(&kind) {
        return depth < 6 && parts(node).into_iter().all(|part| is_constant(part, source, depth + 1));
    }
    match kind {
        "identifier" | "call_expression" | "call" | "scoped_identifier" | "macro_invocation"
        | "composite_literal" => {
            let content = text(node, source);
            content.len() < 40 && (EMPTIES.contains(&content) || content.ends_with("{}"))
        }
        "template_string" => !text(node, source).contains("${"),
        _ => false,
    }
}

fn is_nothing(node: Node, source: &str) -> bool {
    let inner =
        if node.kind() == "expression_statement" { node.named_child(0).unwrap_or(node) } else { node };
    parts(inner).first().is_some_and(|value| {
        matches!(
            text(*value, source),
            "null" | "undefined" | "None" | "nil" | "false" | "False" | "[]" | "{}" | "''" | "\"\""
        )
    })
}

/// `throw new Error("Not implemented")`, `raise NotImplementedError`, `todo!()`, `panic("not implemented")`.
fn is_unimplemented(node: Node, source: &str) -> bool {
    let content = text(node, source);
    if content.len() > 300 {
        return false;
    }
    let inner =
        if node.kind() == "expression_statement" { node.named_child(0).unwrap_or(node) } else { node };
    match inner.kind() {
        "throw_statement" | "raise_statement" | "call_expression" | "call" | "macro_invocation" => {
            let lower = content.to_lowercase();
            let head = lower.trim_start();
            head.starts_with("todo!")
                || head.starts_with("unimplemented!")
                || ((head.starts_with("throw") || head.starts_with("raise") || head.starts_with("panic"))
                    && ["not implemented", "notimplemented", "unimplemented", "not yet implemented", "todo"]
                        .iter()
                        .any(|words| lower.contains(words)))
        }
        _ => false,
    }
}

fn is_log(node: Node, source: &str) -> bool {
    let content = text(node, source);
    let first = content.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    matches!(node.kind(), "expression_statement" | "call_expression" | "macro_invocation")
        && (LOGS.contains(&first)
            || content.starts_with("self.log")
            || content.starts_with("this.log")
            || content.starts_with("app.log"))
}

/// Whether a comment in a handler says more than that the error is ignored.
fn has_reason(body: Node, source: &str) -> bool {
    let mut cursor = body.walk();
    body.children(&mut cursor).filter(|child| child.kind().contains("comment")).any(|comment| {
        let words = text(comment, source).split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 1);
        words.count() >= 3
    })
}

/// The constant that a condition is because of a constant among its operands.
fn fixed(node: Node, source: &str, depth: usize) -> Option<bool> {
    let content = text(node, source);
    if content.len() < 24
        && let Some(value) = constant(content)
    {
        return Some(value);
    }
    if depth > 8 {
        return None;
    }
    match node.kind() {
        "parenthesized_expression" => fixed(node.named_child(0)?, source, depth + 1),
        "binary_expression" | "boolean_operator" => {
            let operator = text(node.child_by_field_name("operator")?, source);
            let sides = [node.child_by_field_name("left")?, node.child_by_field_name("right")?];
            let absorbing = match operator {
                "&&" | "and" => false,
                "||" | "or" => true,
                _ => return None,
            };
            sides
                .into_iter()
                .any(|side| fixed(side, source, depth + 1) == Some(absorbing))
                .then_some(absorbing)
        }
        _ => None,
    }
}
