//! Tests in JavaScript and TypeScript: jest, vitest, mocha, jasmine, ava, node:test, Playwright, Cypress, Deno.
//!
//! A call is a test when its callee is a known head, directly or through members that the frameworks know, and its
//! first argument is a title. `schema.only(...)` and `re.test('x')` are neither.

use tree_sitter::Node;

use crate::languages::javascript::assertion::assertion;
use crate::languages::javascript::head::{JavaScriptWalk, TestHead, always, function_in, options, title};
use crate::languages::javascript::steps::step;
use crate::languages::javascript::stories::story;
use crate::languages::javascript::words::FUNCTIONS;
use crate::languages::testing::outline::Test;
use crate::languages::testing::outline_builder::{DEEPEST, Grammar, OutlineBuilder, Suite, Title};
use crate::languages::testing::skip_condition::constant;
use crate::languages::tree::{field, parts};

/// Without any of these a test's body has no tests of its own, and need not be walked.
const PARTS: &[&str] = &["test(", "it(", "describe(", "specify("];

/// What runs before each test of a suite.
const HOOKS: &[&str] = &["before", "beforeEach", "beforeAll", "setup"];

const LOOPS: &[&str] = &["for_statement", "for_in_statement", "while_statement", "do_statement"];

/// A call that is a test or a suite, and what its head says of it.
struct HeadedCall<'t> {
    node: Node<'t>,
    title: Title,
    head: TestHead,
    body: Option<Node<'t>>,
}

const fn grammar(parser: fn() -> tree_sitter::Language) -> Grammar {
    Grammar {
        parser,
        walk,
        assertion,
        claim: crate::languages::assertions::statements::claim,
        asserting: &["call_expression", "member_expression"],
        loops: LOOPS,
    }
}

pub(crate) static JAVASCRIPT: Grammar = grammar(|| tree_sitter_javascript::LANGUAGE.into());

pub(crate) static TYPESCRIPT: Grammar = grammar(|| tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into());

pub(crate) static TSX: Grammar = grammar(|| tree_sitter_typescript::LANGUAGE_TSX.into());

fn walk(sketch: &mut OutlineBuilder, root: Node) {
    JavaScriptWalk { aliases: Vec::new() }.visit(sketch, root, 0);
}

impl JavaScriptWalk {
    fn visit(&mut self, sketch: &mut OutlineBuilder, node: Node, depth: usize) {
        if depth > DEEPEST || node.named_child_count() == 0 {
            return;
        }
        match node.kind() {
            "call_expression" if self.call(sketch, node, depth) => return,
            "function_declaration" | "method_definition" | "generator_function_declaration"
                if self.function(sketch, node, field(node, "name"), depth) =>
            {
                return;
            }
            "import_statement" => self.import(sketch, node),
            "variable_declarator" if is_exported(node) && self.story(sketch, node) => return,
            "variable_declarator" | "assignment_expression" => {
                let name = field(node, "name").or_else(|| field(node, "left"));
                let value = field(node, "value").or_else(|| field(node, "right"));
                if let (Some(name), Some(value)) = (name, value) {
                    if !self.required(sketch, name, value) {
                        self.alias(sketch, name, value);
                    }
                    if FUNCTIONS.contains(&value.kind()) && self.function(sketch, node, Some(name), depth) {
                        return;
                    }
                }
            }
            "if_statement" => {
                let condition = field(node, "condition").map(|it| sketch.text(it)).unwrap_or_default();
                if constant(condition) == Some(false) && field(node, "alternative").is_none() {
                    sketch.dead(node, format!("stand inside `if {condition}`"));
                    return;
                }
            }
            "expression_statement" => {
                if let [only] = parts(node)[..]
                    && matches!(only.kind(), "string" | "template_string")
                {
                    sketch.dead(only, "stand inside a string".to_owned());
                }
            }
            _ => {}
        }
        for child in parts(node) {
            self.visit(sketch, child, depth + 1);
        }
    }

    /// Takes a story that plays; answers whether it was one.
    fn story(&mut self, sketch: &mut OutlineBuilder, declarator: Node) -> bool {
        let Some(story) = story(sketch, declarator) else { return false };
        sketch.add(story, declarator);
        true
    }

    /// Takes a named function; answers whether it is done with.
    fn function(
        &mut self,
        sketch: &mut OutlineBuilder,
        node: Node,
        name: Option<Node>,
        depth: usize,
    ) -> bool {
        let Some(name) = name.filter(|name| name.kind() != "object_pattern") else { return false };
        let is_plain = name.kind() == "identifier";
        let name = sketch.text(name);
        let first = sketch.outline.tests.len();
        for child in parts(node) {
            self.visit(sketch, child, depth + 1);
        }
        if sketch.outline.tests.len() == first {
            sketch.stray(name, node);
        } else if is_plain && !is_exported(node) && sketch.is_unused(name) {
            sketch.outline.tests.truncate(first);
            sketch.dead(node, format!("stand inside `{name}`, which nothing calls"));
        }
        true
    }

    /// Takes a call that is a test, a suite or a hook; answers whether it was one.
    fn call(&mut self, sketch: &mut OutlineBuilder, node: Node, depth: usize) -> bool {
        let (Some(callee), Some(arguments)) = (field(node, "function"), field(node, "arguments")) else {
            return false;
        };
        if arguments.kind() != "arguments" {
            return false;
        }
        let arguments = parts(arguments);
        if HOOKS.contains(&sketch.text(callee)) {
            self.hook(sketch, &arguments);
            return false;
        }
        let Some(mut head) = self.head(sketch, callee) else { return false };
        let Some(title) = title(&arguments, sketch.source) else { return false };
        let function = arguments.iter().rev().find_map(|argument| function_in(*argument, 0));
        if function.is_none() && arguments.len() < 2 && !self.may_lack_body(sketch, &mut head, &arguments) {
            return false;
        }
        for object in arguments.iter().filter(|argument| argument.kind() == "object") {
            options(sketch.source, *object, &mut head);
        }
        let body = function.and_then(|function| field(function, "body"));
        let headed = HeadedCall { node, title, head, body };
        if headed.head.is_suite {
            self.suite(sketch, headed, depth);
        } else {
            self.test(sketch, headed, depth);
        }
        true
    }

    /// A title alone: a pending test where a suite or a `todo` says so, else some other function.
    fn may_lack_body(&self, sketch: &OutlineBuilder, head: &mut TestHead, arguments: &[Node]) -> bool {
        let is_text =
            arguments.first().is_some_and(|first| matches!(first.kind(), "string" | "template_string"));
        let pending = !head.is_suite && is_text && (head.skip.is_some() || !sketch.suites.is_empty());
        if pending && head.skip.is_none() {
            head.skip = always("a title without a body".to_owned());
        }
        pending
    }

    fn suite(&mut self, sketch: &mut OutlineBuilder, headed: HeadedCall, depth: usize) {
        let HeadedCall { title, head, body, .. } = headed;
        let first = sketch.outline.tests.len();
        sketch.suites.push(Suite { name: title.text, skip: head.skip, focus: head.focus });
        let outer = self.aliases.len();
        if let Some(body) = body {
            self.visit(sketch, body, depth + 1);
            // A hook leaves its skip on the suite that it stands in, after earlier tests were added.
            if let Some(skip) = sketch.suites.last().and_then(|suite| suite.skip.clone()) {
                sketch.skip_since(first, &skip);
            }
        }
        self.aliases.truncate(outer);
        sketch.suites.pop();
    }

    fn test(&mut self, sketch: &mut OutlineBuilder, headed: HeadedCall, depth: usize) {
        let HeadedCall { node, title, head, body } = headed;
        let statements = body.map(parts).unwrap_or_default();
        let skipped = head.skip.or_else(|| {
            body.filter(|body| body.kind() == "statement_block").and_then(|_| sketch.gate(&statements, step))
        });
        let looped = head.looped || title.span.is_empty() || title.text.contains("${");
        let test = Test {
            title: title.text,
            skipped,
            focused: head.focus,
            cases: head.cases,
            looped,
            span: node.byte_range(),
            title_span: title.span,
            ..Test::default()
        };
        let outer = self.aliases.clone();
        let own = body.and_then(|body| body.parent()).map(parameters).unwrap_or_default();
        self.aliases.retain(|(name, _)| own.iter().all(|own| sketch.text(*own) != name));
        sketch.add_around(test, node, |sketch| {
            let text = body.map(|body| sketch.text(body)).unwrap_or_default();
            let has_parts = PARTS.iter().any(|word| text.contains(word));
            for statement in statements.into_iter().filter(|_| has_parts) {
                self.visit(sketch, statement, depth + 1);
            }
        });
        self.aliases = outer;
    }

    /// `beforeEach(function () { this.skip() })` skips the suite.
    fn hook(&mut self, sketch: &mut OutlineBuilder, arguments: &[Node]) {
        let function = arguments.iter().find_map(|argument| function_in(*argument, 0));
        let Some(body) = function.and_then(|function| field(function, "body")) else { return };
        let skip = sketch.gate(&parts(body), step).filter(|skip| skip.mark != "return");
        if let (Some(skip), Some(suite)) = (skip, sketch.suites.last_mut()) {
            suite.skip.get_or_insert(skip);
        }
    }
}

/// What a function calls its parameters.
fn parameters(function: Node) -> Vec<Node> {
    let listed = field(function, "parameters").map(parts).unwrap_or_default();
    field(function, "parameter").into_iter().chain(listed).collect()
}

fn is_exported(node: Node) -> bool {
    let mut outer = node.parent();
    for _ in 0..3 {
        match outer {
            Some(it) if it.kind() == "export_statement" => return true,
            Some(it) => outer = it.parent(),
            None => return false,
        }
    }
    false
}
