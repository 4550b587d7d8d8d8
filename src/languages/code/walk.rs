//! One pass over a tree that fills [`Code`], the same for every language.

use crate::languages::code::conditions::fixed;
use crate::languages::code::constants::is_nothing;
use crate::languages::code::model::{Call, Code, Comment, Condition, Exit, Function, Setting};
use crate::languages::code::statements::{body_kind, is_declaration, statements};
use crate::languages::code::syntax::{BranchNodes, FunctionNodes, Syntax};
use crate::languages::tree::{each_node_within, line, text};
use tree_sitter::Node;

/// What a node of a kind may be.
#[derive(Clone, Copy, Default)]
struct Roles {
    comment: bool,
    word: bool,
    mark: bool,
    function: bool,
    branch: bool,
    call: bool,
    setting: bool,
    catching: bool,
}

/// Kinds of nodes that wait for a call, or try it.
const STEPS: &[&str] = &["await_expression", "try_expression", "unary_expression"];

/// Kinds of nodes in which a call is a statement of its own.
const PLACES: &[&str] =
    &["expression_statement", "block", "statement_list", "statements", "do_block", "body", "function_body"];

pub(super) struct CodeWalk<'c, 's> {
    pub(super) syntax: &'static Syntax,
    pub(super) source: &'s str,
    pub(super) code: &'c mut Code<'s>,
    roles: Vec<Option<Roles>>,
    /// The open functions, the innermost last: where each ends, and its index.
    pub(super) open: Vec<(usize, usize)>,
}

pub(super) fn walk<'s>(syntax: &'static Syntax, root: Node, source: &'s str) -> Code<'s> {
    let mut code = Code { broken: root.has_error(), ..Code::default() };
    let mut walk = CodeWalk { syntax, source, code: &mut code, roles: Vec::new(), open: Vec::new() };
    each_node_within(root, &[], &mut |node, above| walk.visit(node, above));
    code.words.seal();
    code
}

impl<'s> CodeWalk<'_, 's> {
    pub(super) fn text(&self, node: Node) -> &'s str {
        text(node, self.source)
    }

    pub(super) fn owner(&self) -> Option<usize> {
        self.open.last().map(|(_, index)| *index)
    }

    fn roles(&mut self, node: Node) -> Roles {
        let id = usize::from(node.kind_id());
        if self.roles.len() <= id {
            self.roles.resize(id + 1, None);
        }
        if let Some(Some(roles)) = self.roles.get(id) {
            return *roles;
        }
        let (kind, syntax) = (node.kind(), self.syntax);
        let is_named = node.is_named();
        let has = |kinds: &[&str]| is_named && kinds.contains(&kind);
        let roles = Roles {
            comment: is_named && kind.contains("comment"),
            word: is_named && (kind.ends_with("identifier") || matches!(kind, "name" | "alias")),
            mark: has(syntax.marks),
            function: has(syntax.functions),
            branch: has(syntax.branches),
            call: has(syntax.calls),
            setting: has(syntax.settings),
            catching: has(syntax.catching),
        };
        if let Some(slot) = self.roles.get_mut(id) {
            *slot = Some(roles);
        }
        roles
    }

    fn visit(&mut self, node: Node, above: &[Node]) -> bool {
        while self.open.last().is_some_and(|(end, _)| *end <= node.start_byte()) {
            self.open.pop();
        }
        let roles = self.roles(node);
        if roles.catching
            && let Some(caught) = (self.syntax.caught)(node, self.source)
        {
            self.caught(node, &caught);
        }
        if roles.comment {
            self.code.comments.push(Comment { text: self.text(node), line: line(node) });
            return false;
        }
        if roles.mark {
            self.code.marks.push(Comment { text: self.text(node), line: line(node) });
        }
        if roles.word {
            self.code.words.word(self.text(node));
        }
        if roles.setting {
            self.setting(node);
        }
        if roles.call {
            self.call(node, above);
        }
        if roles.branch
            && let Some(fork) = (self.syntax.branch)(node, self.source)
        {
            self.branch(node, &fork);
        }
        if roles.function && (self.syntax.is_test)(node, self.source) {
            self.test(node, above);
            return false;
        }
        if roles.function
            && let Some(shape) = (self.syntax.function)(node, self.source)
            && node.kind() != "mod_item"
        {
            self.function(node, &shape);
        }
        self.exit(node);
        true
    }

    /// Counts an exit of the innermost function: with an error, or with nothing.
    fn exit(&mut self, node: Node) {
        if let Some(exit) = (self.syntax.exit)(node, self.source)
            && let Some((_, index)) = self.open.last()
            && let Some(function) = self.code.functions.get_mut(*index)
        {
            function.throws += usize::from(exit == Exit::Error);
            let gives_nothing = exit == Exit::Leave && is_nothing(node, self.source);
            function.nothings += usize::from(gives_nothing);
        }
    }

    fn function(&mut self, node: Node, shape: &FunctionNodes) {
        let statements = statements(shape.body);
        let plain_return = |it: &Node| (self.syntax.exit)(*it, self.source) == Some(Exit::Leave);
        let cut = statements.len() > 1
            && statements.iter().position(plain_return).is_some_and(|at| {
                // What follows in the other branch of a directive is compiled in its place.
                let start = statements.get(at).map_or(0, |it| it.start_byte());
                let rest = statements.get(at + 1..).unwrap_or_default();
                // A directive that says how the compiler reads is no work.
                const DIRECTIVES: &[&str] = &["#pragma", "#region", "#endregion", "#nullable", "#line"];
                let says_how = |it: &Node| DIRECTIVES.iter().any(|mark| self.text(*it).starts_with(mark));
                let next = rest.iter().find(|it| !is_declaration(**it) && !says_how(it));
                next.is_some_and(|it| {
                    let between = self.source.get(start..it.start_byte()).unwrap_or_default();
                    let is_mark = |line: &str| {
                        ["#else", "#elif", "#endif"].iter().any(|mark| line.trim_start().starts_with(mark))
                    };
                    // In Swift such a line is a statement of its own.
                    !between.lines().any(is_mark) && !is_mark(self.text(*it))
                })
            });
        self.open.push((node.end_byte(), self.code.functions.len()));
        self.code.functions.push(Function {
            name: self.text(shape.name),
            line: line(node),
            span: node.byte_range(),
            body: shape.body.byte_range(),
            body_kind: body_kind(&statements, self.source),
            statements: statements.len(),
            cut,
            nothings: 0,
            throws: 0,
        });
    }

    fn between(&self, first: Node, last: Node) -> &'s str {
        self.source.get(first.start_byte()..last.end_byte()).unwrap_or_default()
    }

    fn branch(&mut self, node: Node, fork: &BranchNodes) {
        let (first, last) = fork.condition;
        let condition = self.between(first, last);
        let mut fixed_by = None;
        let mut part = Some(first);
        while let Some(node) = part {
            fixed_by = fixed_by.or(fixed(node, self.source, 0));
            part = if node.id() == last.id() { None } else { node.next_named_sibling() };
        }
        self.code.conditions.push(Condition {
            owner: self.owner(),
            text: condition,
            fixed: fixed_by,
            negated: fork.negated,
            line: line(node),
        });
        if let Some(block) = fork.block {
            self.guard(node, condition, block, fork.negated);
        }
    }

    /// A test in the middle of the code: only what it calls.
    fn test<'t>(&mut self, node: Node<'t>, above: &[Node<'t>]) {
        let calls = std::mem::take(&mut self.code.calls);
        each_node_within(node, above, &mut |node, above| {
            if self.roles(node).call {
                self.call(node, above);
            }
            true
        });
        let in_test = std::mem::replace(&mut self.code.calls, calls);
        self.code.test_calls.extend(in_test);
    }

    fn call(&mut self, node: Node, above: &[Node]) {
        let Some(callee) = (self.syntax.call)(node) else { return };
        let place = above.iter().map(|it| it.kind()).rfind(|kind| !STEPS.contains(kind));
        self.code.calls.push(Call {
            owner: self.owner(),
            callee: self.between(callee.name.0, callee.name.1),
            arguments: callee.arguments.map(|it| self.text(it)).unwrap_or_default(),
            alone: place.is_some_and(|kind| PLACES.contains(&kind)),
            line: line(node),
        });
    }

    fn setting(&mut self, node: Node) {
        if let Some((name, value)) = (self.syntax.setting)(node)
            && value.end_byte() - value.start_byte() < 400
        {
            let (name, value) = (self.text(name), self.text(value));
            let name = name.trim().trim_end_matches(':').trim_matches(['"', '\'']);
            let name = name.rsplit(['.', '>', ':']).next().unwrap_or(name);
            self.code.settings.push(Setting { name, value, line: line(node) });
        }
    }
}
