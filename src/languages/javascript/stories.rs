//! Stories that play: an exported object of a Storybook file whose `play` acts on what is drawn and asserts. The test
//! runner of Storybook runs each of them, but those tagged `!test`.

use tree_sitter::Node;

use crate::languages::javascript::words::FUNCTIONS;
use crate::languages::testing::outline::{Skip, Test};
use crate::languages::testing::outline_builder::OutlineBuilder;
use crate::languages::tree::{field, parts, text};

/// The tag that takes a story out of the test run.
const UNTESTED: &str = "!test";
/// What a story's `play` takes out of its context.
const CONTEXT: &[&str] = &["canvasElement", "canvas", "step", "userEvent"];

/// A declarator whose value is a story that plays, as a test.
pub(super) fn story(sketch: &OutlineBuilder, declarator: Node) -> Option<Test> {
    let (name, value) = (field(declarator, "name")?, unwrapped(field(declarator, "value")?));
    if value.kind() != "object" {
        return None;
    }
    let source = sketch.source;
    let play = entry(source, value, "play").filter(|play| is_function(*play))?;
    let is_typed = field(declarator, "type").is_some_and(|of| text(of, source).contains("Story"));
    let takes_context = || {
        let parameters = field(play, "parameters").or_else(|| field(play, "parameter"));
        parameters.is_some_and(|it| CONTEXT.iter().any(|word| text(it, source).contains(word)))
    };
    if !is_typed && !takes_context() {
        return None;
    }
    let tags = entry(source, value, "tags").filter(|tags| tags.kind() == "array");
    let is_untested = |tag: &Node| text(*tag, source).trim_matches(['\'', '"', '`']) == UNTESTED;
    let untested = tags.is_some_and(|tags| parts(tags).iter().any(is_untested));
    Some(Test {
        title: text(name, source).to_owned(),
        skipped: untested.then(|| Skip::always(format!("tags: ['{UNTESTED}']"))),
        span: declarator.byte_range(),
        title_span: name.byte_range(),
        ..Test::default()
    })
}

/// The value under a type: `{ … } satisfies Story`.
fn unwrapped(value: Node) -> Node {
    match value.kind() {
        "satisfies_expression" | "as_expression" => value.named_child(0).unwrap_or(value),
        _ => value,
    }
}

/// The value, or the method, of an object's key.
fn entry<'t>(source: &str, object: Node<'t>, key: &str) -> Option<Node<'t>> {
    parts(object).into_iter().find_map(|part| match part.kind() {
        "pair" if text(field(part, "key")?, source) == key => field(part, "value"),
        "method_definition" if text(field(part, "name")?, source) == key => Some(part),
        _ => None,
    })
}

fn is_function(node: Node) -> bool {
    FUNCTIONS.contains(&node.kind()) || node.kind() == "method_definition"
}
