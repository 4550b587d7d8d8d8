//! The head of a test or a group in Dart: its name, its title, and what its named arguments say.

use tree_sitter::Node;

use crate::languages::testing::outline::{Skip, SkipCondition};
use crate::languages::testing::outline_builder::{OutlineBuilder, Title};
use crate::languages::testing::skip_condition::{constant, when, when_not};
use crate::languages::tree::{each_node, field, parts};

/// Calls that are a test, besides those whose name begins with `test` and goes on with another word.
const TESTS: &[&str] = &["test", "blocTest", "patrolTest", "patrolWidgetTest", "goldenTest"];
/// Calls that tests stand in.
const SUITES: &[&str] = &["group"];
/// A test of which `skip` says how many of its states are passed over.
const OF_STATES: &str = "blocTest";
/// What skips in a map of platforms, without blanks.
const SKIP: &str = "Skip(";
/// How many functions a title's function may stand in: `fakeAsync((async) { … })`.
const MOST_WRAPPERS: usize = 3;

/// A call taken apart as far as it may be a test.
pub(super) struct TestCall<'t> {
    pub(super) is_suite: bool,
    pub(super) title: Title,
    pub(super) looped: bool,
    pub(super) skip: Option<Skip>,
    pub(super) focus: Option<String>,
    /// The body of its function.
    pub(super) body: Option<Node<'t>>,
}

/// Whether a word is the name of a test's head.
pub(super) fn is_test(word: &str) -> bool {
    TESTS.contains(&word)
        || word.strip_prefix("test").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// Reads a call that is a test or a group: it has a title, and a function to run.
pub(super) fn test_call<'t>(sketch: &OutlineBuilder, node: Node<'t>) -> Option<TestCall<'t>> {
    let name = called(sketch, field(node, "function")?)?;
    let is_suite = SUITES.contains(&name);
    if !is_suite && !is_test(name) {
        return None;
    }
    let arguments = parts(field(node, "arguments")?);
    let (named, given): (Vec<Node>, Vec<Node>) =
        arguments.into_iter().partition(|it| it.kind() == "named_argument");
    let first = *given.first()?;
    let function = given.iter().skip(1).rev().find_map(|it| function_in(*it, 0));
    let by_parts = || named.iter().any(|it| function_in(*it, 0).is_some());
    let is_titled = first.kind() == "string_literal" && (given.len() > 1 || by_parts());
    if first.kind() == "function_expression" || !(is_titled || function.is_some()) {
        return None;
    }
    let (title, looped) = title(sketch, first);
    let body = function.and_then(|it| field(it, "body"));
    let mut call = TestCall { is_suite, title, looped, skip: None, focus: None, body };
    for argument in named {
        call.take(sketch, argument, name);
    }
    Some(call)
}

/// The name of what is called: `test`, `blocTest<A, B>`, `t.test`.
pub(super) fn called<'s>(sketch: &OutlineBuilder<'s>, callee: Node) -> Option<&'s str> {
    match callee.kind() {
        "identifier" => Some(sketch.text(callee)),
        "instantiation_expression" => called(sketch, field(callee, "function")?),
        "member_expression" if field(callee, "object")?.kind() == "identifier" => {
            Some(sketch.text(field(callee, "property")?))
        }
        _ => None,
    }
}

/// The function that an argument is, also inside a call: `() => fakeAsync((async) { … })`.
pub(super) fn function_in(node: Node, depth: usize) -> Option<Node> {
    match node.kind() {
        "function_expression" => Some(node),
        "named_argument" if depth < MOST_WRAPPERS => function_in(parts(node).last().copied()?, depth + 1),
        "call_expression" if depth < MOST_WRAPPERS => {
            let arguments = parts(field(node, "arguments")?);
            arguments.into_iter().rev().find_map(|it| function_in(it, depth + 1))
        }
        _ => None,
    }
}

/// The statements of a function's body: its block's, or those of the function that it calls alone.
pub(super) fn statements(body: Node) -> Vec<Node> {
    let mut body = body;
    for _ in 0..MOST_WRAPPERS {
        let inside = parts(body);
        let [only] = inside[..] else { return inside };
        if only.kind() == "block" {
            return parts(only);
        }
        match function_in(only, 0).filter(|it| it.id() != only.id()).and_then(|it| field(it, "body")) {
            Some(inner) => body = inner,
            None => return inside,
        }
    }
    parts(body)
}

/// What a title says, and whether it is made of what a loop gives it.
fn title(sketch: &OutlineBuilder, node: Node) -> (Title, bool) {
    if node.kind() != "string_literal" {
        return (Title { text: sketch.text(node).to_owned(), span: 0..0 }, false);
    }
    let mut is_made = false;
    each_node(node, &mut |it| {
        is_made |= it.kind() == "template_substitution";
        !is_made
    });
    let text = sketch.text(node).trim_start_matches('r').trim_matches(['\'', '"']).to_owned();
    (Title { text, span: node.byte_range() }, is_made)
}

impl TestCall<'_> {
    /// `skip: 'flaky'`, `solo: true`, `testOn: '!vm'`.
    fn take(&mut self, sketch: &OutlineBuilder, argument: Node, head: &str) {
        let [label, value] = parts(argument)[..] else { return };
        let key = sketch.text(label).trim_end_matches(':').trim();
        let mark = || sketch.text(argument).chars().take(60).collect::<String>();
        match key {
            "skip" if head != OF_STATES => {
                let skip = skipped_when(sketch, value).map(|when| Skip { mark: mark(), when, suite: false });
                self.skip = skip.or(self.skip.take());
            }
            // `onPlatform: {'vm': Skip('why')}`: everywhere but in a browser.
            "onPlatform" if self.skip.is_none() => {
                let bare: String = sketch.text(value).chars().filter(|c| !c.is_whitespace()).collect();
                let bare = bare.replace("constSkip(", SKIP);
                let is_off = |of: &str| bare.contains(&format!("'{of}':{SKIP}"));
                let when = if is_off("vm") || is_off("vm||browser") {
                    SkipCondition::Always
                } else {
                    SkipCondition::Sometimes
                };
                let skips = bare.contains(SKIP);
                self.skip = skips.then(|| Skip { mark: mark(), when, suite: false });
            }
            "testOn" if self.skip.is_none() => {
                let when = run_on(sketch.source, sketch.text(value));
                self.skip = Some(Skip { mark: mark(), when, suite: false });
            }
            "solo" if constant(sketch.text(value)) == Some(true) => self.focus = Some(mark()),
            _ => {}
        }
    }
}

/// When a test that is meant for some platforms is not run: mostly it runs on Dart's own machine, and in a browser where its
/// file asks for one.
fn run_on(source: &str, platforms: &str) -> SkipCondition {
    const ELSEWHERE: &[&str] =
        &["browser", "chrome", "firefox", "safari", "edge", "js", "node", "wasm", "!vm", "windows", "ie"];
    let named = platforms.trim_matches(['\'', '"']).trim();
    let is_of_browser = ["dart:html", "dart:js", "package:web/"].iter().any(|it| source.contains(it));
    if ELSEWHERE.contains(&named) && !is_of_browser {
        SkipCondition::ByDefault
    } else {
        SkipCondition::Sometimes
    }
}

/// When the value of `skip` holds: `true`, `'why'`, `isCi ? 'why' : null`, a constant of the file.
fn skipped_when(sketch: &OutlineBuilder, value: Node) -> Option<SkipCondition> {
    let content = sketch.text(value);
    match value.kind() {
        "string_literal" => (content.len() > 2).then_some(SkipCondition::Always),
        "conditional_expression" => {
            let condition = sketch.text(*parts(value).first()?);
            let is_off = |name| field(value, name).is_some_and(|it| constant(sketch.text(it)) == Some(false));
            match (is_off("consequence"), is_off("alternative")) {
                (true, true) => None,
                (true, false) => when_not(condition),
                (false, true) => when(condition),
                (false, false) => Some(SkipCondition::Always),
            }
        }
        "identifier" => match constant_of(sketch.source, content) {
            Some(value) if value.starts_with(['\'', '"']) => {
                (value.len() > 2).then_some(SkipCondition::Always)
            }
            Some(value) => when(value),
            None => when(content),
        },
        _ => when(content),
    }
}

/// What a constant of the file stands for: `const flaky = 'later';`.
fn constant_of<'s>(source: &'s str, name: &str) -> Option<&'s str> {
    source.lines().find_map(|line| {
        let line = line.trim_start();
        let rest =
            ["const ", "final ", "static const ", "var "].iter().find_map(|it| line.strip_prefix(it))?;
        let (left, value) = rest.split_once('=')?;
        let is_it = left.split_whitespace().next_back() == Some(name);
        is_it.then(|| value.trim().trim_end_matches(';').trim())
    })
}

/// What the annotations of the first directive do to all tests of a file: `@Skip('why')`, `@TestOn('browser')`.
pub(super) fn library_skip(sketch: &OutlineBuilder, root: Node) -> Option<Skip> {
    let first = *parts(root).iter().find(|it| it.kind() != "script_tag")?;
    if !matches!(first.kind(), "library_name" | "import_or_export" | "part_directive") {
        return None;
    }
    let holder = if first.kind() == "import_or_export" { first.named_child(0)? } else { first };
    let marks = parts(holder).into_iter().filter(|it| it.kind() == "annotation");
    let found = marks.filter_map(|mark| {
        let when = match sketch.text(field(mark, "name")?).rsplit('.').next()? {
            "Skip" => SkipCondition::Always,
            "TestOn" => SkipCondition::Sometimes,
            _ => return None,
        };
        Some(Skip { mark: sketch.text(mark).chars().take(60).collect(), when, suite: true })
    });
    found.min_by_key(|it| it.when)
}
