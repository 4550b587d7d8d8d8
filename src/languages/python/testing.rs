//! Tests in Python: pytest and unittest.
//!
//! A function is a test when a runner would collect it: its name begins with `test`, and it stands in the module or
//! in a class that is collected.

use tree_sitter::Node;

use crate::languages::python::assertion::assertion;
use crate::languages::python::mark::{is_parametrized, mark, rows, step};
use crate::languages::python::suite::is_collected;
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{DEEPEST, Grammar, OutlineBuilder, OutlineStep, Suite};
use crate::languages::testing::skip_condition::{constant, when};
use crate::languages::tree::parts;

/// Methods and fixtures that run before each test of a suite.
const HOOKS: &[&str] = &[
    "setUp",
    "setUpClass",
    "setup_method",
    "setup_class",
    "setup_module",
    "setUpModule",
    "asyncSetUp",
    "setup",
];

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_python::LANGUAGE.into(),
    walk,
    assertion,
    claim: crate::languages::assertions::statements::claim,
    asserting: &["call", "assert_statement"],
    loops: &["for_statement", "while_statement", "list_comprehension", "for_in_clause"],
};

fn walk(sketch: &mut OutlineBuilder, root: Node) {
    sketch.suites.push(Suite::default());
    PythonWalk { aliases: Vec::new() }.block(sketch, root, 0);
    sketch.suites.pop();
}

struct PythonWalk {
    /// Names bound to a mark: `flaky = pytest.mark.skip(reason="...")`.
    aliases: Vec<(String, Skip)>,
}

impl PythonWalk {
    /// Takes a module's or a class's statements.
    fn block(&mut self, sketch: &mut OutlineBuilder, block: Node, depth: usize) {
        let first = sketch.outline.tests.len();
        for statement in parts(block) {
            self.statement(sketch, statement, &[], depth);
        }
        if let Some(skip) = sketch.suites.last().and_then(|suite| suite.skip.clone()) {
            sketch.skip_since(first, &skip);
        }
    }

    fn statement(&mut self, sketch: &mut OutlineBuilder, node: Node, decorators: &[Node], depth: usize) {
        if depth > DEEPEST {
            return;
        }
        match node.kind() {
            "decorated_definition" => {
                let marks: Vec<Node> =
                    parts(node).into_iter().filter(|part| part.kind() == "decorator").collect();
                if let Some(definition) = node.child_by_field_name("definition") {
                    self.statement(sketch, definition, &marks, depth + 1);
                }
            }
            "function_definition" => self.function(sketch, node, decorators),
            "class_definition" => self.class(sketch, node, decorators, depth),
            "if_statement" => self.branch(sketch, node, depth),
            "expression_statement" => self.expression(sketch, node),
            "raise_statement" => {
                if let OutlineStep::Skip(mark) = step(sketch, node) {
                    self.skip_suite(sketch, Skip { mark, when: SkipCondition::Always, suite: true });
                }
            }
            "for_statement" | "while_statement" | "with_statement" | "try_statement" | "block"
            | "else_clause" | "elif_clause" | "except_clause" | "finally_clause" => {
                for part in parts(node) {
                    self.statement(sketch, part, &[], depth + 1);
                }
            }
            _ => {}
        }
    }

    fn skip_suite(&self, sketch: &mut OutlineBuilder, skip: Skip) {
        if let Some(suite) = sketch.suites.last_mut() {
            suite.skip.get_or_insert(skip);
        }
    }

    fn branch(&mut self, sketch: &mut OutlineBuilder, node: Node, depth: usize) {
        let condition = node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
        if constant(condition) == Some(false) && node.child_by_field_name("alternative").is_none() {
            sketch.dead(node, format!("stand inside `if {condition}`"));
            return;
        }
        if let OutlineStep::If(condition, inner) = step(sketch, node) {
            if let (OutlineStep::Skip(mark), Some(when)) = (*inner, when(&condition)) {
                self.skip_suite(sketch, Skip { mark, when, suite: true });
            }
            return;
        }
        for part in parts(node) {
            self.statement(sketch, part, &[], depth + 1);
        }
    }

    fn expression(&mut self, sketch: &mut OutlineBuilder, node: Node) {
        for part in parts(node) {
            match part.kind() {
                "string" => sketch.dead(part, "stand inside a string".to_owned()),
                "assignment" => self.assignment(sketch, part),
                "call" => {
                    if let OutlineStep::Skip(mark) = step(sketch, node) {
                        self.skip_suite(sketch, Skip { mark, when: SkipCondition::Always, suite: true });
                    }
                }
                _ => {}
            }
        }
    }

    fn assignment(&mut self, sketch: &mut OutlineBuilder, node: Node) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        let name = sketch.text(left);
        if name == "__test__" && constant(sketch.text(right)) == Some(false) {
            self.skip_suite(
                sketch,
                Skip { mark: "__test__ = False".to_owned(), when: SkipCondition::Always, suite: true },
            );
        } else if let Some(skip) = mark(sketch, right, &self.aliases) {
            if name == "pytestmark" {
                let skip = Skip {
                    mark: format!("pytestmark = {}", skip.mark.trim_start_matches('@')),
                    suite: true,
                    ..skip
                };
                self.skip_suite(sketch, skip);
            } else {
                self.aliases.push((name.to_owned(), skip));
            }
        }
    }

    fn function(&mut self, sketch: &mut OutlineBuilder, node: Node, decorators: &[Node]) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let title = sketch.text(name);
        let whole = if decorators.is_empty() { node } else { node.parent().unwrap_or(node) };
        let body = node.child_by_field_name("body").map(parts).unwrap_or_default();
        if HOOKS.contains(&title)
            && let Some(skip) = sketch.gate(&body, step).filter(|skip| skip.mark != "return")
        {
            self.skip_suite(sketch, Skip { suite: true, ..skip });
        }
        let is_fixture = decorators.iter().any(|it| {
            let name = sketch.text(*it).split('(').next().unwrap_or_default();
            name.trim().rsplit(['.', '@']).next().is_some_and(|last| last.ends_with("fixture"))
        });
        if !title.starts_with("test") || is_fixture {
            sketch.stray(title, whole);
            return;
        }
        let marks = decorators.iter().filter_map(|it| it.named_child(0)).collect::<Vec<_>>();
        let marked =
            marks.iter().filter_map(|it| mark(sketch, *it, &self.aliases)).min_by_key(|skip| skip.when);
        let skipped = match marked {
            Some(skip) if skip.when.stops() => Some(skip),
            mild => sketch.gate(&body, step).or(mild),
        };
        let cases =
            marks.iter().filter_map(|it| rows(sketch, *it)).reduce(|all, rows| all.saturating_mul(rows));
        let has_table = decorators.iter().any(|it| is_parametrized(sketch, *it));
        let test = Test {
            title: title.to_owned(),
            skipped,
            cases,
            looped: has_table && cases.is_none(),
            span: whole.byte_range(),
            title_span: name.byte_range(),
            ..Test::default()
        };
        sketch.add(test, node);
    }

    fn class(&mut self, sketch: &mut OutlineBuilder, node: Node, decorators: &[Node], depth: usize) {
        let (Some(name), Some(body)) = (node.child_by_field_name("name"), node.child_by_field_name("body"))
        else {
            return;
        };
        let name = sketch.text(name);
        if !is_collected(sketch, node, name, body) {
            for method in parts(body) {
                let definition = method.child_by_field_name("definition").unwrap_or(method);
                if let Some(title) = definition
                    .child_by_field_name("name")
                    .filter(|_| definition.kind() == "function_definition")
                {
                    sketch.stray(sketch.text(title), method);
                }
            }
            return;
        }
        let marks = decorators.iter().filter_map(|it| it.named_child(0));
        let skip = marks.filter_map(|it| mark(sketch, it, &self.aliases)).min_by_key(|skip| skip.when);
        sketch.suites.push(Suite { name: name.to_owned(), skip, focus: None });
        self.block(sketch, body, depth + 1);
        sketch.suites.pop();
    }
}
