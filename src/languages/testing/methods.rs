//! Tests that are methods of classes: what the walks of Java, Kotlin, C#, PHP and Swift share.
//!
//! A language's own file says how marks are written and which methods its runners collect.

use std::ops::Range;

use tree_sitter::Node;

use crate::languages::body::Body;
use crate::languages::testing::outline::{Skip, SkipCondition, Test};
use crate::languages::testing::outline_builder::{DEEPEST, OutlineBuilder, OutlineStep, Suite};
use crate::languages::testing::skip_condition::constant;
use crate::languages::tree::{parts, text};

/// An annotation or attribute: `@Test(enabled = false)`, `[Fact]`, `#[DataProvider('rows')]`.
pub(crate) struct Annotation<'t> {
    pub(crate) name: &'t str,
    /// The values, with the names that some have.
    pub(crate) arguments: Vec<(&'t str, Node<'t>)>,
    pub(crate) node: Node<'t>,
}

/// A class or a method with its marks.
pub(crate) struct Member<'t> {
    pub(crate) node: Node<'t>,
    pub(crate) name: Node<'t>,
    pub(crate) marks: Vec<Annotation<'t>>,
    pub(crate) body: Option<Node<'t>>,
    /// The class around a method.
    pub(crate) class: Option<Node<'t>>,
}

/// What a method is to the runner.
pub(crate) enum MethodRole {
    Test(Traits),
    /// Runs before each test of its class.
    Hook,
    Other,
}

/// What the marks of a test say.
#[derive(Default)]
pub(crate) struct Traits {
    pub(crate) title: Option<(String, Range<usize>)>,
    pub(crate) skip: Option<Skip>,
    pub(crate) inverted: Option<String>,
    pub(crate) cases: Option<usize>,
    pub(crate) looped: bool,
    /// What its rows say beyond the tokens of the grammar: the cells of a line.
    pub(crate) rows: Body,
}

/// How a language declares classes and methods.
pub(crate) struct MethodSyntax {
    /// Kinds that hold declarations and mean nothing.
    pub(crate) holders: &'static [&'static str],
    pub(crate) classes: &'static [&'static str],
    pub(crate) methods: &'static [&'static str],
    pub(crate) marks: for<'t> fn(Node<'t>, &'t str) -> Vec<Annotation<'t>>,
    pub(crate) role: fn(&OutlineBuilder, &Member) -> MethodRole,
    /// What a class's marks skip.
    pub(crate) suite: fn(&OutlineBuilder, &Member) -> Option<Skip>,
    pub(crate) statements: fn(Node) -> Vec<Node>,
    pub(crate) step: fn(&OutlineBuilder, Node) -> OutlineStep,
    /// Takes what only this language has; answers whether it was such a thing.
    pub(crate) other: fn(&mut OutlineBuilder, Node, usize) -> bool,
}

impl<'t> Annotation<'t> {
    /// The name without what it is in: `NUnit.Framework.Test` is `Test`.
    pub(crate) fn last(&self) -> &'t str {
        self.name.rsplit(['.', '\\']).next().unwrap_or(self.name)
    }

    pub(crate) fn value(&self, key: &str) -> Option<Node<'t>> {
        self.arguments.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
    }

    /// The first value that has no name.
    pub(crate) fn first(&self) -> Option<Node<'t>> {
        self.value("")
    }
}

impl Member<'_> {
    pub(crate) fn has(&self, names: &[&str]) -> bool {
        self.marks.iter().any(|mark| names.contains(&mark.last()))
    }

    pub(crate) fn start(&self) -> usize {
        self.marks
            .first()
            .map_or(self.node.start_byte(), |mark| mark.node.start_byte().min(self.node.start_byte()))
    }
}

/// A skip without conditions by a mark.
pub(crate) fn always(sketch: &OutlineBuilder, mark: &Annotation) -> Option<Skip> {
    skip(sketch, mark, SkipCondition::Always)
}

/// A skip by a mark.
pub(crate) fn skip(sketch: &OutlineBuilder, mark: &Annotation, when: SkipCondition) -> Option<Skip> {
    let written: String =
        sketch.text(mark.node).lines().next().unwrap_or_default().chars().take(60).collect();
    Some(Skip { mark: written, when, suite: false })
}

/// How many rows marks and lists give.
pub(crate) fn rows(counts: impl Iterator<Item = usize>) -> Option<usize> {
    counts.reduce(|all, one| all.saturating_add(one))
}

/// Takes the declarations of a file, a class or a holder.
pub(crate) fn members(
    sketch: &mut OutlineBuilder,
    list: Node,
    class: Option<Node>,
    dialect: &MethodSyntax,
    depth: usize,
) {
    if depth > DEEPEST {
        return;
    }
    let first = sketch.outline.tests.len();
    for item in parts(list) {
        let kind = item.kind();
        if (dialect.other)(sketch, item, depth) {
            continue;
        }
        if dialect.classes.contains(&kind) {
            suite(sketch, item, dialect, depth);
        } else if dialect.methods.contains(&kind) {
            if let Some(skip) = method(sketch, item, class, dialect) {
                sketch.skip_since(first, &skip);
                if let Some(suite) = sketch.suites.last_mut() {
                    suite.skip.get_or_insert(Skip { suite: true, ..skip.clone() });
                    sketch.skipping.push((suite.name.clone(), skip));
                }
            }
        } else if kind.starts_with("preproc_if") {
            preprocessed(sketch, item, class, dialect, depth);
        } else if dialect.holders.contains(&kind) || kind.starts_with("preproc_el") || kind == "ERROR" {
            members(sketch, item, class, dialect, depth + 1);
        }
    }
}

fn preprocessed(
    sketch: &mut OutlineBuilder,
    item: Node,
    class: Option<Node>,
    dialect: &MethodSyntax,
    depth: usize,
) {
    match dead_branch(sketch, item) {
        Some(None) => {}
        Some(Some(alternative)) => members(sketch, alternative, class, dialect, depth + 1),
        None => members(sketch, item, class, dialect, depth + 1),
    }
}

/// `#if 0`: marks the branch as dead and gives the other one.
pub(crate) fn dead_branch<'t>(sketch: &mut OutlineBuilder, item: Node<'t>) -> Option<Option<Node<'t>>> {
    let condition = item.child_by_field_name("condition").map(|it| sketch.text(it))?;
    if !is_off(condition) {
        return None;
    }
    let alternative = item.child_by_field_name("alternative");
    let end = alternative.map_or(item.end_byte(), |it| it.start_byte());
    let why = format!("stand inside `#if {}`", condition.trim());
    sketch.dead_range(item.start_byte()..end, why);
    Some(alternative)
}

/// Whether a preprocessor's condition never holds.
pub(crate) fn is_off(condition: &str) -> bool {
    constant(condition) == Some(false) || matches!(condition.trim(), "FALSE" | "NEVER")
}

fn suite(sketch: &mut OutlineBuilder, node: Node, dialect: &MethodSyntax, depth: usize) {
    let Some((name, body)) = name_and_body(node) else { return };
    let member = Member { node, name, marks: (dialect.marks)(node, sketch.source), body, class: None };
    // A class in several parts, as in Swift's extensions, has one set-up.
    let by_set_up = || sketch.skipping.iter().find(|(class, _)| class == sketch.text(name)).cloned();
    let skip = (dialect.suite)(sketch, &member).or_else(|| Some(by_set_up()?.1));
    sketch.suites.push(Suite { name: sketch.text(name).to_owned(), skip, focus: None });
    // Not the body alone: a Kotlin class can hold its tests in an argument of its base.
    members(sketch, node, Some(node), dialect, depth + 1);
    sketch.suites.pop();
}

/// Takes a method; gives what it skips when it is a hook that skips.
fn method(
    sketch: &mut OutlineBuilder,
    node: Node,
    class: Option<Node>,
    dialect: &MethodSyntax,
) -> Option<Skip> {
    let (name, block) = name_and_body(node)?;
    let member = Member { node, name, marks: (dialect.marks)(node, sketch.source), body: block, class };
    let statements = || block.map(dialect.statements).unwrap_or_default();
    let traits = match (dialect.role)(sketch, &member) {
        MethodRole::Test(traits) => traits,
        role => {
            sketch.stray(text(name, sketch.source), node);
            let skip = matches!(role, MethodRole::Hook).then(|| sketch.gate(&statements(), dialect.step))?;
            return skip.filter(|skip| skip.mark != "return");
        }
    };
    let skipped = match traits.skip {
        Some(skip) if skip.when.stops() => Some(skip),
        mild => sketch.gate(&statements(), dialect.step).or(mild),
    };
    let (title, title_span) =
        traits.title.unwrap_or_else(|| (sketch.text(name).trim_matches('`').to_owned(), name.byte_range()));
    let mut body = traits.rows;
    // A provider of rows that is named in a string is used like one that is called.
    if traits.looped {
        let values = member.marks.iter().flat_map(|mark| &mark.arguments);
        values.for_each(|(_, value)| body.word(sketch.text(*value).trim_matches(['"', '\''])));
    }
    let test = Test {
        title,
        skipped,
        inverted: traits.inverted,
        cases: traits.cases,
        looped: traits.looped,
        body,
        span: member.start()..node.end_byte(),
        title_span,
        ..Test::default()
    };
    sketch.add(test, name);
    None
}

/// A declaration's name and body, by field or by kind.
fn name_and_body(node: Node) -> Option<(Node, Option<Node>)> {
    let inside = parts(node);
    let by_kind = |kinds: &[&str]| inside.iter().find(|it| kinds.contains(&it.kind())).copied();
    let name = node
        .child_by_field_name("name")
        .or_else(|| by_kind(&["identifier", "simple_identifier", "type_identifier"]))?;
    let body =
        node.child_by_field_name("body").or_else(|| by_kind(&["class_body", "function_body", "block"]));
    Some((name, body))
}
