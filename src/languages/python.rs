//! Tests in Python: pytest and unittest.
//!
//! A function is a test when a runner would collect it: its name begins with `test`, and it stands in the module or
//! in a class that is collected.

use tree_sitter::Node;

use super::Grammar;
use super::outline::{
    DEEPEST, Found, Sketch, Skip, Step, Suite, Test, When, constant, parts, text, when, when_not,
};
use super::scan::{Lexicon, Strings};

/// Classes that hold no tests even when they have a base.
const NO_SUITES: &[&str] = &[
    "Enum",
    "IntEnum",
    "StrEnum",
    "Exception",
    "BaseException",
    "NamedTuple",
    "TypedDict",
    "Protocol",
    "BaseModel",
    "Model",
    "dict",
    "list",
    "str",
    "int",
];
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

pub(super) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_python::LANGUAGE.into(),
    walk,
    assertion,
    asserting: &["call", "assert_statement"],
    loops: &["for_statement", "while_statement", "list_comprehension", "for_in_clause"],
    lexicon: Lexicon {
        comment: "#",
        block_comments: None,
        strings: Strings::Python,
        indented: true,
        head: |word, before, _| word.starts_with("test") && before.trim_end().ends_with("def"),
        scopes: &["class"],
        marks: &[
            "skip",
            "skipif",
            "skipIf",
            "skipUnless",
            "skipTest",
            "SkipTest",
            "xfail",
            "expectedFailure",
            "__test__",
            "importorskip",
            "pytestmark",
            "__init__",
        ],
        comment_mark: None,
    },
};

/// A decorator, a mark or a call that skips.
fn mark(sketch: &Sketch, node: Node, aliases: &[(String, Skip)]) -> Option<Skip> {
    let (callee, arguments) = match node.kind() {
        "call" => (
            node.child_by_field_name("function")?,
            node.child_by_field_name("arguments").map(parts).unwrap_or_default(),
        ),
        "list" | "tuple" => return parts(node).into_iter().find_map(|item| mark(sketch, item, &[])),
        _ => (node, Vec::new()),
    };
    let name = sketch.text(callee);
    if let Some((_, skip)) = aliases.iter().find(|(alias, _)| alias == name) {
        return Some(skip.clone());
    }
    let last = name.rsplit('.').next().unwrap_or(name);
    let is_mark = name == last
        || name.contains("mark.")
        || name.starts_with("unittest.")
        || name.starts_with("pytest.");
    if !is_mark {
        return None;
    }
    let keyword = |key: &str| {
        arguments
            .iter()
            .find(|it| {
                it.kind() == "keyword_argument"
                    && it.child_by_field_name("name").is_some_and(|name| sketch.text(name) == key)
            })
            .and_then(|it| it.child_by_field_name("value"))
            .map(|value| sketch.text(value))
    };
    let first = arguments.iter().find(|it| it.kind() != "keyword_argument");
    let condition = first.map(|it| sketch.text(*it)).or_else(|| keyword("condition")).unwrap_or_default();
    // A condition given as a string is evaluated by pytest.
    let condition = condition.trim_matches(['"', '\'']);
    let time = match last {
        "skip" | "expectedFailure" => Some(When::Always),
        "skipif" | "skipIf" => when(condition),
        "skipUnless" => when_not(condition),
        "xfail" if keyword("strict") == Some("True") => None,
        "xfail" if condition.is_empty() => Some(When::Always),
        "xfail" => when(condition),
        _ => None,
    };
    time.map(|when| Skip { mark: format!("@{name}"), when, suite: false })
}

fn walk(sketch: &mut Sketch, root: Node) {
    sketch.suites.push(Suite::default());
    Walk { aliases: Vec::new() }.block(sketch, root, 0);
    sketch.suites.pop();
}

struct Walk {
    /// Names bound to a mark: `flaky = pytest.mark.skip(reason="...")`.
    aliases: Vec<(String, Skip)>,
}

impl Walk {
    /// Takes a module's or a class's statements.
    fn block(&mut self, sketch: &mut Sketch, block: Node, depth: usize) {
        let first = sketch.outline.tests.len();
        for statement in parts(block) {
            self.statement(sketch, statement, &[], depth);
        }
        if let Some(skip) = sketch.suites.last().and_then(|suite| suite.skip.clone()) {
            sketch.skip_since(first, &skip);
        }
    }

    fn statement(&mut self, sketch: &mut Sketch, node: Node, decorators: &[Node], depth: usize) {
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
                if let Step::Skip(mark) = step(sketch, node) {
                    self.skip_suite(sketch, Skip { mark, when: When::Always, suite: true });
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

    fn skip_suite(&self, sketch: &mut Sketch, skip: Skip) {
        if let Some(suite) = sketch.suites.last_mut() {
            suite.skip.get_or_insert(skip);
        }
    }

    fn branch(&mut self, sketch: &mut Sketch, node: Node, depth: usize) {
        let condition = node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
        if constant(condition) == Some(false) && node.child_by_field_name("alternative").is_none() {
            sketch.dead(node, format!("stand inside `if {condition}`"));
            return;
        }
        if let Step::If(condition, inner) = step(sketch, node) {
            if let (Step::Skip(mark), Some(when)) = (*inner, when(&condition)) {
                self.skip_suite(sketch, Skip { mark, when, suite: true });
            }
            return;
        }
        for part in parts(node) {
            self.statement(sketch, part, &[], depth + 1);
        }
    }

    fn expression(&mut self, sketch: &mut Sketch, node: Node) {
        for part in parts(node) {
            match part.kind() {
                "string" => sketch.dead(part, "stand inside a string".to_owned()),
                "assignment" => self.assignment(sketch, part),
                "call" => {
                    if let Step::Skip(mark) = step(sketch, node) {
                        self.skip_suite(sketch, Skip { mark, when: When::Always, suite: true });
                    }
                }
                _ => {}
            }
        }
    }

    fn assignment(&mut self, sketch: &mut Sketch, node: Node) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        let name = sketch.text(left);
        if name == "__test__" && constant(sketch.text(right)) == Some(false) {
            self.skip_suite(
                sketch,
                Skip { mark: "__test__ = False".to_owned(), when: When::Always, suite: true },
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

    fn function(&mut self, sketch: &mut Sketch, node: Node, decorators: &[Node]) {
        let Some(name) = node.child_by_field_name("name") else { return };
        let title = sketch.text(name);
        let whole = if decorators.is_empty() { node } else { node.parent().unwrap_or(node) };
        let body = node.child_by_field_name("body").map(parts).unwrap_or_default();
        if HOOKS.contains(&title)
            && let Some(skip) = sketch.gate(&body, step).filter(|skip| skip.mark != "return")
        {
            self.skip_suite(sketch, Skip { suite: true, ..skip });
        }
        let is_fixture = decorators.iter().any(|it| sketch.text(*it).contains("fixture"));
        if !title.starts_with("test") || is_fixture {
            sketch.stray(title, whole);
            return;
        }
        let marks = decorators.iter().filter_map(|it| it.named_child(0)).collect::<Vec<_>>();
        let skipped = marks
            .iter()
            .filter_map(|it| mark(sketch, *it, &self.aliases))
            .min_by_key(|skip| skip.when == When::Sometimes);
        let skipped = skipped
            .filter(|skip| skip.when != When::Sometimes)
            .or_else(|| sketch.gate(&body, step))
            .or_else(|| marks.iter().find_map(|it| mark(sketch, *it, &self.aliases)));
        let cases =
            marks.iter().filter_map(|it| rows(sketch, *it)).reduce(|all, rows| all.saturating_mul(rows));
        let test = Test {
            title: title.to_owned(),
            skipped,
            cases,
            span: whole.byte_range(),
            title_span: name.byte_range(),
            ..Test::default()
        };
        sketch.add(test, node);
    }

    fn class(&mut self, sketch: &mut Sketch, node: Node, decorators: &[Node], depth: usize) {
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
        let skip = marks.filter_map(|it| mark(sketch, it, &self.aliases)).next();
        sketch.suites.push(Suite { name: name.to_owned(), skip, focus: None });
        self.block(sketch, body, depth + 1);
        sketch.suites.pop();
    }
}

fn is_collected(sketch: &Sketch, class: Node, name: &str, body: Node) -> bool {
    let bases = class.child_by_field_name("superclasses").map(parts).unwrap_or_default();
    let mut bases = bases
        .iter()
        .filter(|it| it.kind() != "keyword_argument")
        .map(|it| sketch.text(*it))
        .filter(|base| *base != "object")
        .peekable();
    if bases.peek().is_some() {
        let is_none = |base: &str| NO_SUITES.contains(&base.rsplit('.').next().unwrap_or(base));
        return !bases.any(is_none);
    }
    let has_init = || {
        parts(body).into_iter().any(|method| {
            let definition = method.child_by_field_name("definition").unwrap_or(method);
            definition.child_by_field_name("name").is_some_and(|name| sketch.text(name) == "__init__")
        })
    };
    name.starts_with("Test") && !has_init()
}

/// The rows of `@pytest.mark.parametrize("a, b", [...])`.
fn rows(sketch: &Sketch, decorator: Node) -> Option<usize> {
    let callee = decorator.child_by_field_name("function")?;
    if !sketch.text(callee).ends_with("parametrize") {
        return None;
    }
    let arguments = parts(decorator.child_by_field_name("arguments")?);
    let table = arguments.get(1)?;
    let table = if table.kind() == "keyword_argument" { table.child_by_field_name("value")? } else { *table };
    // A row made by unpacking or a comprehension stands for any number.
    let items = parts(table);
    let is_countable =
        matches!(table.kind(), "list" | "tuple") && items.iter().all(|it| it.kind() != "list_splat");
    is_countable.then_some(items.len())
}

fn step(sketch: &Sketch, node: Node) -> Step {
    match node.kind() {
        "return_statement" => Step::Return,
        "raise_statement" => {
            let raised = parts(node).first().map(|it| sketch.text(*it)).unwrap_or_default();
            let name = raised.split('(').next().unwrap_or_default();
            match name.rsplit('.').next() {
                Some("SkipTest" | "Skipped") => Step::Skip(format!("raise {name}")),
                _ => Step::Other,
            }
        }
        "expression_statement" => {
            let callee = parts(node)
                .first()
                .and_then(|call| call.child_by_field_name("function"))
                .map(|it| sketch.text(it));
            match callee {
                Some(
                    name @ ("pytest.skip" | "pytest.xfail" | "self.skipTest" | "unittest.skip" | "skip"),
                ) => Step::Skip(format!("{name}()")),
                _ => Step::Other,
            }
        }
        "if_statement" if node.child_by_field_name("alternative").is_none() => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            let Some(body) = node.child_by_field_name("consequence") else { return Step::Other };
            let steps = parts(body).into_iter().map(|statement| step(sketch, statement));
            match steps.into_iter().find(|step| matches!(step, Step::Skip(_) | Step::Return)) {
                Some(found) => Step::If(condition.to_owned(), Box::new(found)),
                None => Step::Other,
            }
        }
        _ => Step::Other,
    }
}

fn assertion(node: Node, source: &str) -> Option<Found> {
    match node.kind() {
        "assert_statement" => Found::at(node, parts(node).first().is_some_and(|it| is_true(*it, source))),
        "call" => {
            let name = text(node.child_by_field_name("function")?, source);
            let last = name.rsplit('.').next().unwrap_or(name);
            let asserts = last.trim_start_matches('_').starts_with("assert")
                || matches!(
                    name,
                    "pytest.raises"
                        | "pytest.warns"
                        | "pytest.fail"
                        | "self.fail"
                        | "raises"
                        | "fail"
                        | "expect"
                )
                || (name.starts_with("self.") && last.starts_with("fail"));
            if !asserts {
                return None;
            }
            let arguments = node.child_by_field_name("arguments").map(parts).unwrap_or_default();
            let trivial = match (last, &arguments[..]) {
                ("assertTrue", [it, ..]) => is_true(*it, source),
                ("assertFalse", [it, ..]) => constant(text(*it, source)) == Some(false),
                ("assertEqual" | "assertEquals" | "assertIs", [left, right, ..]) => {
                    is_literal(*left) && text(*left, source) == text(*right, source)
                }
                _ => false,
            };
            Found::at(node, trivial)
        }
        _ => None,
    }
}

fn is_literal(node: Node) -> bool {
    matches!(node.kind(), "integer" | "float" | "string" | "true" | "false" | "none")
}

/// Whether an expression holds whatever the code under test does.
fn is_true(node: Node, source: &str) -> bool {
    match node.kind() {
        "true" => true,
        "integer" => text(node, source) != "0",
        "string" => !text(node, source).trim_matches(['"', '\'']).is_empty(),
        "parenthesized_expression" => node.named_child(0).is_some_and(|it| it.kind() == "true"),
        // A tuple with anything in it is true: `assert (x == 1, "message")`.
        "tuple" => node.named_child_count() > 0,
        "boolean_operator" => text(node, source).ends_with("or True"),
        "comparison_operator" => match parts(node)[..] {
            [left, right] => {
                is_literal(left)
                    && text(left, source) == text(right, source)
                    && text(node, source).contains("==")
            }
            _ => false,
        },
        _ => false,
    }
}
