//! What skips in Python: decorators, module marks and calls at the start of a body.

use tree_sitter::Node;

use crate::languages::testing::outline::{Skip, SkipCondition};
use crate::languages::testing::outline_builder::{OutlineBuilder, OutlineStep};
use crate::languages::testing::skip_condition::{when, when_not};
use crate::languages::tree::parts;

/// A decorator, a mark or a call that skips.
pub(super) fn mark(sketch: &OutlineBuilder, node: Node, aliases: &[(String, Skip)]) -> Option<Skip> {
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
        "skip" | "expectedFailure" => Some(SkipCondition::Always),
        "skipif" | "skipIf" => when(condition),
        "skipUnless" => when_not(condition),
        "xfail" if keyword("strict") == Some("True") => None,
        "xfail" if condition.is_empty() => Some(SkipCondition::Always),
        "xfail" => when(condition),
        _ => None,
    };
    time.map(|when| Skip { mark: format!("@{name}"), when, suite: false })
}

/// Whether a decorator gives a test a table.
pub(super) fn is_parametrized(sketch: &OutlineBuilder, decorator: Node) -> bool {
    let name = sketch.text(decorator).split('(').next().unwrap_or_default();
    name.contains("parametrize") || name.contains("parameterized")
}

/// The rows of `@pytest.mark.parametrize("a, b", [...])`.
pub(super) fn rows(sketch: &OutlineBuilder, decorator: Node) -> Option<usize> {
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
    let runs = items.iter().filter(|it| !is_marked_off(sketch, **it)).count();
    is_countable.then_some(runs)
}

/// `pytest.param(3, marks=pytest.mark.xfail)`: a row that need not pass.
fn is_marked_off(sketch: &OutlineBuilder, row: Node) -> bool {
    let Some(arguments) = row.child_by_field_name("arguments").filter(|_| row.kind() == "call") else {
        return false;
    };
    let marks = parts(arguments).into_iter().find(|it| {
        it.kind() == "keyword_argument"
            && it.child_by_field_name("name").is_some_and(|name| sketch.text(name) == "marks")
    });
    let given = marks.and_then(|it| it.child_by_field_name("value"));
    given.and_then(|it| mark(sketch, it, &[])).is_some_and(|skip| skip.when.stops())
}

pub(super) fn step(sketch: &OutlineBuilder, node: Node) -> OutlineStep {
    match node.kind() {
        "return_statement" => OutlineStep::Return,
        "raise_statement" => {
            let raised = parts(node).first().map(|it| sketch.text(*it)).unwrap_or_default();
            let name = raised.split('(').next().unwrap_or_default();
            match name.rsplit('.').next() {
                Some("SkipTest" | "Skipped") => OutlineStep::Skip(format!("raise {name}")),
                _ => OutlineStep::Other,
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
                ) => OutlineStep::Skip(format!("{name}()")),
                _ => OutlineStep::Other,
            }
        }
        "if_statement" if node.child_by_field_name("alternative").is_none() => {
            let condition =
                node.child_by_field_name("condition").map(|it| sketch.text(it)).unwrap_or_default();
            let Some(body) = node.child_by_field_name("consequence") else { return OutlineStep::Other };
            let steps = parts(body).into_iter().map(|statement| step(sketch, statement));
            match steps.into_iter().find(|step| matches!(step, OutlineStep::Skip(_) | OutlineStep::Return)) {
                Some(found) => OutlineStep::If(condition.to_owned(), Box::new(found)),
                None => OutlineStep::Other,
            }
        }
        _ => OutlineStep::Other,
    }
}
