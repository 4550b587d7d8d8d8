//! Tests in Go: the testing package with named subtests, and ginkgo's blocks.
//!
//! A function is a test when `go test` would run it: `Test`, `Fuzz` or `Example` followed by no lower-case letter.

use tree_sitter::Node;

use crate::languages::go::assertion::assertion;
use crate::languages::go::claims::claim;
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{
    DEEPEST, Grammar, OutlineBuilder, OutlineStep, Suite, Title,
};
use crate::languages::testing::skip_condition::constant;
use crate::languages::tree::parts;

const PREFIXES: &[&str] = &["Test", "Fuzz", "Example"];

/// Ginkgo's containers and specs, and the letters before them that skip or focus.
pub(super) const CONTAINERS: &[&str] = &["Describe", "Context", "When", "DescribeTable"];

pub(super) const SPECS: &[&str] = &["It", "Specify", "Entry"];

/// Build tags that the platform sets by itself.
const PLATFORMS: &[&str] = &[
    "aix", "android", "arm", "cgo", "darwin", "freebsd", "illumos", "ios", "js", "linux", "netbsd",
    "openbsd", "plan", "race", "solaris", "unix", "wasm", "windows",
];

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_go::LANGUAGE.into(),
    walk,
    assertion,
    claim,
    asserting: &["call_expression"],
    loops: &["for_statement"],
};

pub(super) fn is_test_function(name: &str) -> bool {
    PREFIXES
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| !rest.starts_with(char::is_lowercase)))
        && name != "TestMain"
}

fn walk(sketch: &mut OutlineBuilder, root: Node) {
    let skip = build_tag(sketch.source);
    sketch.suites.push(Suite { name: String::new(), skip, focus: None });
    for item in parts(root) {
        match item.kind() {
            "function_declaration" | "method_declaration" => function(sketch, item),
            "var_declaration" => blocks(sketch, item, 0),
            _ => {}
        }
    }
    sketch.suites.pop();
}

/// A build constraint that leaves the file out.
fn build_tag(source: &str) -> Option<Skip> {
    let lines = source.lines().map(str::trim).take_while(|line| !line.starts_with("package "));
    let tag = lines.filter_map(|line| line.strip_prefix("//go:build ")).next()?;
    let when = match tag.trim() {
        "ignore" | "never" | "skip" | "disabled" | "none" => SkipCondition::Always,
        name if name.bytes().all(|byte| byte.is_ascii_alphabetic()) && !PLATFORMS.contains(&name) => {
            SkipCondition::ByDefault
        }
        _ => SkipCondition::Sometimes,
    };
    Some(Skip { mark: format!("//go:build {}", tag.trim()), when, suite: true })
}

fn function(sketch: &mut OutlineBuilder, item: Node) {
    let (Some(name), Some(body)) = (item.child_by_field_name("name"), item.child_by_field_name("body"))
    else {
        return;
    };
    let title = sketch.text(name);
    let parameters = item.child_by_field_name("parameters").map(|it| sketch.text(it)).unwrap_or_default();
    // `testing.T` without its star compiles nowhere as a test; testify's suite methods take no parameter at all.
    let is_method = item.kind() == "method_declaration" && parameters == "()";
    let is_plain = title.starts_with("Example")
        || ["*testing.", "*gotesting.", "*T)", "*F)"].iter().any(|it| parameters.contains(it));
    if !is_test_function(title) || !(is_method || (is_plain && item.kind() == "function_declaration")) {
        sketch.stray(title, item);
        return;
    }
    let title = Title { text: title.to_owned(), span: name.byte_range() };
    test(sketch, Spec { node: item, title, marks: Suite::default(), body }, 0);
}

/// A test, and what its head says of it.
struct Spec<'t> {
    node: Node<'t>,
    title: Title,
    marks: Suite,
    body: Node<'t>,
}

fn test(sketch: &mut OutlineBuilder, spec: Spec, depth: usize) {
    let Spec { node, title, marks, body } = spec;
    let statements = statements(body);
    let skipped = marks.skip.or_else(|| sketch.gate(&statements, step));
    let cases = statements.iter().find_map(|statement| table(*statement));
    let test = Test {
        title: title.text,
        skipped,
        focused: marks.focus,
        cases,
        span: node.byte_range(),
        title_span: title.span,
        ..Test::default()
    };
    sketch.add_around(test, node, |sketch| {
        // Most bodies have no parts, and need not be walked.
        let text = sketch.text(body);
        if text.contains(".Run(") || SPECS.iter().any(|word| text.contains(word)) {
            blocks(sketch, body, depth + 1);
        }
    });
}

/// The statements of a block; the grammar puts a list between.
fn statements(body: Node) -> Vec<Node> {
    let inside = parts(body);
    match inside[..] {
        [list] if list.kind() == "statement_list" => parts(list),
        _ => inside,
    }
}

/// The rows of `tests := []struct{...}{{...}, {...}}`, when there is one that a loop could run over.
fn table(statement: Node) -> Option<usize> {
    if statement.kind() != "short_var_declaration" {
        return None;
    }
    let right = statement
        .child_by_field_name("right")?
        .named_child(0)
        .filter(|it| it.kind() == "composite_literal")?;
    let kind = right.child_by_field_name("type")?.kind();
    let body = right.child_by_field_name("body")?;
    let is_table = matches!(kind, "slice_type" | "map_type")
        && right.child_by_field_name("type")?.named_child_count() > 0;
    let rows = parts(body);
    let are_rows = rows.iter().all(|row| {
        row.kind() == "keyed_element" || row.named_child(0).is_some_and(|it| it.kind() == "literal_value")
    });
    (is_table && !rows.is_empty() && are_rows).then_some(rows.len())
}

/// Looks for `t.Run("name", func...)` and for ginkgo's blocks.
fn blocks(sketch: &mut OutlineBuilder, node: Node, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    if node.kind() == "if_statement" {
        let condition = node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
        if constant(condition) == Some(false) && node.child_by_field_name("alternative").is_none() {
            sketch.dead(node, format!("stand inside `if {condition}`"));
            return;
        }
    }
    if node.kind() == "call_expression" && block(sketch, node, depth).is_some() {
        return;
    }
    for part in parts(node) {
        blocks(sketch, part, depth + 1);
    }
}

fn block(sketch: &mut OutlineBuilder, node: Node, depth: usize) -> Option<()> {
    let callee = node.child_by_field_name("function")?;
    let arguments = parts(node.child_by_field_name("arguments")?);
    let first = arguments.first().filter(|it| it.kind().ends_with("string_literal"))?;
    let text = sketch.text(*first).trim_matches(['"', '`']).to_owned();
    let title = Title { text, span: first.byte_range() };
    let body = arguments
        .iter()
        .rev()
        .find(|it| it.kind() == "func_literal")
        .and_then(|it| it.child_by_field_name("body"));
    if callee.kind() == "selector_expression" {
        let method = callee.child_by_field_name("field").map(|it| sketch.text(it));
        if method != Some("Run") {
            return None;
        }
        test(sketch, Spec { node, title, marks: Suite::default(), body: body? }, depth);
        return Some(());
    }
    let (plain, marks) = marks(sketch, callee, &arguments);
    let marks = Suite { name: title.text.clone(), ..marks };
    if CONTAINERS.contains(&plain) {
        sketch.within(marks, |sketch| {
            arguments.iter().skip(1).for_each(|argument| blocks(sketch, *argument, depth + 1));
        });
        Some(())
    } else if SPECS.contains(&plain) {
        test(sketch, Spec { node, title, marks, body: body.unwrap_or(*first) }, depth);
        Some(())
    } else {
        None
    }
}

/// Which of ginkgo's words a call is, without the letter before it, and what skips or focuses it.
fn marks<'s>(sketch: &OutlineBuilder<'s>, callee: Node, arguments: &[Node]) -> (&'s str, Suite) {
    let name = sketch.text(callee);
    let (letter, plain) = match name.strip_prefix(['P', 'X', 'F']) {
        Some(rest) if CONTAINERS.contains(&rest) || SPECS.contains(&rest) => (name.get(..1), rest),
        _ => (None, name),
    };
    let has_decorator =
        |word: &str| arguments.iter().any(|it| it.kind() == "identifier" && sketch.text(*it) == word);
    let is_skipped = matches!(letter, Some("P" | "X")) || has_decorator("Pending");
    let is_focused = letter == Some("F") || has_decorator("Focus");
    let skip = is_skipped.then(|| Skip::always(name));
    (plain, Suite { skip, focus: is_focused.then(|| name.to_owned()), ..Suite::default() })
}

fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    match node.kind() {
        "return_statement" => OutlineStep::Return,
        "expression_statement" => {
            let callee = node.named_child(0).and_then(|call| call.child_by_field_name("function"));
            let Some(callee) = callee else { return OutlineStep::Other };
            let name = sketch.text(callee);
            match callee.child_by_field_name("field").map_or(name, |it| sketch.text(it)) {
                "Skip" | "Skipf" | "SkipNow" => OutlineStep::Skip(format!("{name}()")),
                _ => OutlineStep::Other,
            }
        }
        "if_statement" if node.child_by_field_name("alternative").is_none() => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            let body = node.child_by_field_name("consequence").map(statements).unwrap_or_default();
            let steps = body.into_iter().map(|statement| step(sketch, statement));
            match steps.into_iter().find(|step| matches!(step, OutlineStep::Skip(_) | OutlineStep::Return)) {
                Some(found) => OutlineStep::If(condition.to_owned(), Box::new(found)),
                None => OutlineStep::Other,
            }
        }
        _ => OutlineStep::Other,
    }
}
