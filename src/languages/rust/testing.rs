//! Tests in Rust: `#[test]` and the attributes and macros that stand for it, in test files and in modules of a source
//! file.
//!
//! An attribute makes a function a test; its name says nothing.

use tree_sitter::Node;

use crate::languages::rust::assertion::assertion;
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{DEEPEST, Grammar, OutlineBuilder, OutlineStep, Suite};
use crate::languages::tree::parts;

/// Last segments of attributes that make a test: `#[test]`, `#[tokio::test]`, `#[rstest]`.
pub(super) const TESTS: &[&str] =
    &["test", "rstest", "test_case", "quickcheck", "wasm_bindgen_test", "test_matrix", "proptest", "case"];

/// Attributes of which each is one case.
const CASES: &[&str] = &["test_case", "case"];

pub(crate) static GRAMMAR: Grammar = Grammar {
    parser: || tree_sitter_rust::LANGUAGE.into(),
    walk: |sketch, root| items(sketch, root, 0),
    assertion,
    claim: crate::languages::assertions::statements::claim,
    asserting: &["macro_invocation", "call_expression", "identifier"],
    loops: &["for_expression", "while_expression", "loop_expression"],
};

fn items(sketch: &mut OutlineBuilder, list: Node, depth: usize) {
    if depth > DEEPEST {
        return;
    }
    let first = sketch.outline.tests.len();
    let mut attributes: Vec<Node> = Vec::new();
    let mut inner: Option<Skip> = None;
    for item in parts(list) {
        match item.kind() {
            "attribute_item" => {
                attributes.push(item);
                continue;
            }
            "inner_attribute_item" => inner = inner.or_else(|| skip_mark(sketch, item)),
            "function_item" => function(sketch, item, &attributes),
            "mod_item" | "impl_item" | "trait_item" => container(sketch, item, &attributes, depth),
            "macro_invocation" => macro_tests(sketch, item),
            "expression_statement" => parts(item)
                .into_iter()
                .filter(|it| it.kind() == "macro_invocation")
                .for_each(|it| macro_tests(sketch, it)),
            _ => {}
        }
        attributes.clear();
    }
    if let Some(skip) = inner {
        sketch.skip_since(first, &skip);
    }
}

fn container(sketch: &mut OutlineBuilder, item: Node, attributes: &[Node], depth: usize) {
    let Some(body) = item.child_by_field_name("body") else { return };
    let named = item.child_by_field_name("name").filter(|_| item.kind() == "mod_item");
    let name = named.map(|it| sketch.text(it)).unwrap_or_default().to_owned();
    let skip = attributes.iter().find_map(|it| skip_mark(sketch, *it));
    sketch.suites.push(Suite { name, skip, focus: None });
    items(sketch, body, depth + 1);
    sketch.suites.pop();
}

fn function(sketch: &mut OutlineBuilder, item: Node, attributes: &[Node]) {
    let Some(name) = item.child_by_field_name("name") else { return };
    let title = sketch.text(name);
    if !attributes.iter().any(|it| TESTS.contains(&attribute_name(sketch, *it))) {
        sketch.stray(title, item);
        return;
    }
    let body = item.child_by_field_name("body").map(parts).unwrap_or_default();
    let marked = attributes.iter().filter_map(|it| skip_mark(sketch, *it)).min_by_key(|skip| skip.when);
    let skipped = match marked {
        Some(skip) if skip.when.stops() => Some(skip),
        mild => sketch.gate(&body, step).or(mild),
    };
    let cases = attributes.iter().filter(|it| CASES.contains(&attribute_name(sketch, **it))).count();
    let inverted = attributes.iter().find(|it| attribute_name(sketch, **it) == "should_panic");
    let inverted = inverted.map(|it| sketch.text(*it).to_owned());
    let start = attributes.first().map_or(item.start_byte(), |it| it.start_byte());
    let test = Test {
        title: title.to_owned(),
        skipped,
        inverted,
        cases: (cases > 0).then_some(cases),
        span: start..item.end_byte(),
        title_span: name.byte_range(),
        ..Test::default()
    };
    sketch.add(test, name);
}

/// `tokio::test(flavor = "x")` is `test`.
fn attribute_name<'s>(sketch: &OutlineBuilder<'s>, item: Node) -> &'s str {
    let path = attribute_text(sketch, item).split(['(', '=', ' ']).next().unwrap_or_default();
    path.rsplit("::").next().unwrap_or(path).trim()
}

fn attribute_text<'s>(sketch: &OutlineBuilder<'s>, item: Node) -> &'s str {
    let content = sketch.text(item);
    content.trim_start_matches(['#', '!', '[', ' ']).strip_suffix(']').unwrap_or(content).trim()
}

/// `#[ignore]`, `#[cfg(any())]`, `#[cfg_attr(condition, ignore)]`.
fn skip_mark(sketch: &OutlineBuilder, item: Node) -> Option<Skip> {
    let content = attribute_text(sketch, item);
    let time = match attribute_name(sketch, item) {
        "ignore" => Some(SkipCondition::Always),
        "cfg" => cfg(content.strip_prefix("cfg")?.trim()),
        "cfg_attr" => {
            let inside = content.strip_prefix("cfg_attr")?.trim().strip_prefix('(')?;
            let (condition, marks) = inside.rsplit_once(", ")?;
            if !marks.trim_end_matches(')').trim().starts_with("ignore") {
                return None;
            }
            if condition.trim() == "all()" {
                Some(SkipCondition::Always)
            } else {
                Some(SkipCondition::Sometimes)
            }
        }
        _ => None,
    };
    time.map(|when| Skip { mark: sketch.text(item).to_owned(), when, suite: false })
}

/// When code under `#[cfg(...)]` is left out of a test build.
fn cfg(condition: &str) -> Option<SkipCondition> {
    let bare: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    let inner = bare.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&bare);
    match inner {
        "test" | "all()" | "all(test)" | "true" | "not(any())" | "debug_assertions" => None,
        "any()" | "false" | "not(test)" | "not(all())" | "not(debug_assertions)" => {
            Some(SkipCondition::Always)
        }
        _ if inner.contains("feature=") && !inner.contains("not(") && is_shelf(inner) => {
            Some(SkipCondition::ByDefault)
        }
        _ => Some(SkipCondition::Sometimes),
    }
}

/// Whether a feature's name says that its tests are put aside.
fn is_shelf(condition: &str) -> bool {
    const SHELVES: &[&str] = &[
        "slow",
        "flaky",
        "disabled",
        "broken",
        "ignored",
        "manual",
        "e2e",
        "integration",
        "todo",
        "skip",
        "tests",
        "full",
        "heavy",
    ];
    SHELVES.iter().any(|word| condition.contains(word))
}

/// `proptest! { #[test] fn name(x in 0..9) { ... } }`: the grammar gives only tokens.
fn macro_tests(sketch: &mut OutlineBuilder, item: Node) {
    let mut cursor = item.walk();
    let Some(tree) = item.named_children(&mut cursor).find(|it| it.kind() == "token_tree") else { return };
    let mut cursor = tree.walk();
    let tokens: Vec<Node> = tree.children(&mut cursor).collect();
    let mut head: Option<(usize, bool, Option<Skip>)> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let next = |ahead: usize| tokens.get(at + ahead).copied();
        match (sketch.text(*token), next(1)) {
            ("#", Some(attribute)) if attribute.kind() == "token_tree" => {
                let content = sketch.text(attribute).trim_matches(['[', ']']).trim();
                let name = content.split(['(', ' ', '=']).next().unwrap_or_default();
                let (start, is_test, skip) = head.unwrap_or((token.start_byte(), false, None));
                let ignored = (name == "ignore").then(|| Skip {
                    mark: format!("#[{content}]"),
                    when: SkipCondition::Always,
                    suite: false,
                });
                head = Some((
                    start,
                    is_test || TESTS.contains(&name.rsplit("::").next().unwrap_or(name)),
                    skip.or(ignored),
                ));
                at += 1;
            }
            ("fn", Some(name)) => {
                let body = tokens
                    .iter()
                    .skip(at)
                    .find(|it| it.kind() == "token_tree" && sketch.text(**it).starts_with('{'));
                if let (Some((start, true, skipped)), Some(body)) = (head.take(), body) {
                    let test = Test {
                        title: sketch.text(name).to_owned(),
                        skipped,
                        span: start..body.end_byte(),
                        title_span: name.byte_range(),
                        ..Test::default()
                    };
                    sketch.add(test, name);
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    match node.kind() {
        "return_expression" => OutlineStep::Return,
        "expression_statement" => node.named_child(0).map_or(OutlineStep::Other, |inner| step(sketch, inner)),
        "if_expression" if node.child_by_field_name("alternative").is_none() => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            let body = node.child_by_field_name("consequence").map(parts).unwrap_or_default();
            if body.into_iter().any(|statement| matches!(step(sketch, statement), OutlineStep::Return)) {
                OutlineStep::If(condition.to_owned(), Box::new(OutlineStep::Return))
            } else {
                OutlineStep::Other
            }
        }
        _ => OutlineStep::Other,
    }
}
