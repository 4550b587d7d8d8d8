//! A call, its chain and what it asserts, in the grammars of the class-based languages and their kin.
//!
//! A chain is followed a bounded number of links; what can't be read is no call.

use tree_sitter::Node;

use crate::languages::testing::outline_builder::AssertionSpan;
use crate::languages::testing::skip_condition::{constant, holds};
use crate::languages::tree::{parts, text};

/// A call taken apart.
pub(crate) struct CallParts<'t> {
    pub(crate) name: &'t str,
    /// What it is called on.
    pub(crate) receiver: Option<Node<'t>>,
    /// The values, without the names and wrappers of arguments.
    pub(crate) arguments: Vec<Node<'t>>,
}

/// What a language's frameworks assert with.
pub(crate) struct AssertionWords {
    /// First words of names: `assert` stands for `assert`, `assertThat` and `assert_that`.
    pub(crate) names: &'static [&'static str],
    /// Classes all of whose methods assert.
    pub(crate) receivers: &'static [&'static str],
}

/// Methods of asserting classes that end a test instead.
const SKIPPING: &[&str] = &["Ignore", "Inconclusive", "Skip", "SkipWhen", "SkipUnless"];

/// Calls that are written like assertions and fail no test.
const HARMLESS: &[&str] =
    &["addToAssertionCount", "expectNotToPerformAssertions", "CHECK_NOFAIL", "BOOST_WARN", "WARN_MESSAGE"];

const LONGEST_CHAIN: usize = 24;

/// Reads a call of any of the grammars.
pub(crate) fn call<'t>(node: Node<'t>, source: &'t str) -> Option<CallParts<'t>> {
    let field = |name| node.child_by_field_name(name);
    let arguments = || field("arguments").map(values).unwrap_or_default();
    match node.kind() {
        // Java, PHP.
        "method_invocation" | "member_call_expression" | "nullsafe_member_call_expression" => {
            Some(CallParts {
                name: text(field("name")?, source),
                receiver: field("object"),
                arguments: arguments(),
            })
        }
        "scoped_call_expression" => Some(CallParts {
            name: text(field("name")?, source),
            receiver: field("scope"),
            arguments: arguments(),
        }),
        "object_creation_expression" => {
            let class = field("type").or_else(|| node.named_child(0))?;
            Some(CallParts { name: text(class, source), receiver: None, arguments: arguments() })
        }
        // C#, PHP, C++, Kotlin, Swift.
        "invocation_expression" | "function_call_expression" => {
            callee(field("function")?, arguments(), source)
        }
        "call_expression" => match field("function") {
            // Scala's `f(a) { b }` is two nested calls, `f { b }` is one.
            Some(function) if field("arguments").is_some_and(|it| it.kind() == "block") => {
                let inner = (function.kind() == "call_expression").then(|| call(function, source)).flatten();
                let mut found = inner.or_else(|| callee(function, Vec::new(), source))?;
                found.arguments.extend(field("arguments"));
                Some(found)
            }
            Some(function) => callee(function, arguments(), source),
            None => with_lambdas(node, source),
        },
        "macro_invocation" => callee(node.named_child(0)?, trailing(node), source),
        "infix_expression" => match parts(node)[..] {
            [left, name, right] => {
                Some(CallParts { name: text(name, source), receiver: Some(left), arguments: vec![right] })
            }
            _ => None,
        },
        // `f<T> { b }`: Kotlin's grammar takes it for two comparisons.
        "binary_expression" => {
            let block = field("right").filter(|it| it.kind() == "lambda_literal")?;
            let name =
                field("left").filter(|it| it.kind() == "binary_expression")?.child_by_field_name("left")?;
            callee(name, vec![block], source)
        }
        // Elixir.
        "call" => {
            let inside = parts(node).into_iter().find(|it| it.kind() == "arguments").map(values);
            callee(field("target")?, inside.unwrap_or_default(), source)
        }
        _ => None,
    }
}

/// `f(a) { b }`: Kotlin makes two nested calls of it.
fn with_lambdas<'t>(node: Node<'t>, source: &'t str) -> Option<CallParts<'t>> {
    let (mut head, mut arguments) = (node.named_child(0)?, trailing(node));
    for _ in 0..LONGEST_CHAIN {
        if head.kind() != "call_expression" {
            return callee(head, arguments, source);
        }
        let mut inner = trailing(head);
        inner.append(&mut arguments);
        arguments = inner;
        head = head.named_child(0)?;
    }
    None
}

fn callee<'t>(node: Node<'t>, arguments: Vec<Node<'t>>, source: &'t str) -> Option<CallParts<'t>> {
    let field = |name| node.child_by_field_name(name);
    let (name, receiver) = match node.kind() {
        "member_access_expression" => (field("name")?, field("expression").or_else(|| field("object"))),
        "field_expression" => (field("field")?, field("argument").or_else(|| field("value"))),
        "generic_function" => return callee(field("function")?, arguments, source),
        "navigation_expression" => match field("suffix") {
            Some(suffix) => (suffix.child_by_field_name("suffix")?, field("target")),
            None => (parts(node).last().copied()?, node.named_child(0)),
        },
        "qualified_identifier" => (field("name")?, field("scope")),
        // Dart.
        "member_expression" | "null_aware_member_expression" => (field("property")?, field("object")),
        "instantiation_expression" => return callee(field("function")?, arguments, source),
        "dot" => (field("right")?, field("left")),
        "prefix_expression" => (field("target")?, None),
        _ => (node, None),
    };
    let name = if name.kind() == "generic_name" { name.named_child(0)? } else { name };
    Some(CallParts { name: text(name, source), receiver, arguments })
}

/// The arguments of a call that has no field for them: in parentheses, and lambdas behind.
fn trailing(node: Node) -> Vec<Node> {
    let mut found = Vec::new();
    for part in parts(node).into_iter().skip(1) {
        match part.kind() {
            "value_arguments" => found.extend(values(part)),
            "call_suffix" => parts(part).into_iter().for_each(|inner| match inner.kind() {
                "value_arguments" => found.extend(values(inner)),
                _ => found.push(inner),
            }),
            "annotated_lambda" => found.extend(parts(part).last().copied()),
            _ => found.push(part),
        }
    }
    found
}

/// The values of a list of arguments.
pub(crate) fn values(list: Node) -> Vec<Node> {
    let value = |it: Node<'_>| matches!(it.kind(), "argument" | "value_argument" | "named_argument");
    let unwrap = |it| if value(it) { parts(it).last().copied().unwrap_or(it) } else { it };
    parts(list).into_iter().map(unwrap).collect()
}

/// The calls of a chain, the last first: `a.b().c()` is `c`, then `b`.
pub(crate) fn chain<'t>(node: Node<'t>, source: &'t str) -> Vec<CallParts<'t>> {
    let mut calls: Vec<CallParts> = Vec::new();
    let mut next = Some(node);
    while let Some(node) = next.filter(|_| calls.len() < LONGEST_CHAIN) {
        match call(node, source) {
            Some(call) => {
                next = call.receiver;
                calls.push(call);
            }
            // A property between calls: `expect(x)->not->toBe(y)`.
            None => match callee(node, Vec::new(), source) {
                Some(member) if member.receiver.is_some() => {
                    next = member.receiver;
                    calls.push(member);
                }
                _ => break,
            },
        }
    }
    calls
}

/// Recognises a call that asserts, with the chain around it.
pub(crate) fn assertion(node: Node, source: &str, words: &AssertionWords) -> Option<AssertionSpan> {
    let first = call(node, source)?;
    let is_class = |receiver: Option<Node>| {
        let name = receiver.map(|it| text(it, source)).unwrap_or_default();
        words.receivers.contains(&name.rsplit(['.', '\\', ':']).next().unwrap_or(name))
    };
    // Most calls are neither, and have no chain.
    let links = if first.receiver.is_some() { chain(node, source) } else { vec![first] };
    let asserts = |link: &CallParts| {
        words.names.iter().any(|word| is_named(link.name, word)) || is_class(link.receiver)
    };
    // `doThrow(e).when(mock).verify(x)` says what a stand-in does.
    let is_stubbing = links.iter().skip(1).any(|link| link.name == "when" || link.name == "given");
    if is_stubbing || !links.iter().any(asserts) {
        return None;
    }
    let skips = links.first().is_some_and(|it| SKIPPING.contains(&it.name));
    if skips { None } else { AssertionSpan::at(node, is_trivial(&links, source)) }
}

/// Whether a name begins with a word and goes on with another.
pub(crate) fn is_named(name: &str, word: &str) -> bool {
    name.strip_prefix(word).is_some_and(|rest| {
        rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || matches!(c, '_' | '!'))
    })
}

/// Whether the assertion compares constants that agree.
fn is_trivial(links: &[CallParts], source: &str) -> bool {
    let Some(last) = links.first() else { return false };
    if HARMLESS.contains(&last.name) {
        return true;
    }
    if links.iter().any(|link| matches!(link.name, "not" | "Not" | "never" | "refute")) {
        return false;
    }
    // What is asserted about: the argument of `assertThat`, or what `Should` is called on.
    // A call before it may have arguments of its own: `(await load(1)).ShouldBe(1)`, `load(1).Should().Be(1)`.
    let received = ["should", "Should", "must"].iter().any(|word| is_named(last.name, word));
    let opener = links.iter().skip(1).find(|link| !link.arguments.is_empty());
    let subject = match links.iter().find(|link| link.name == "Should").and_then(|link| link.receiver) {
        Some(receiver) => Some(receiver),
        None if received && last.receiver.is_some() => last.receiver,
        None => opener.and_then(|it| it.arguments.first().copied()),
    };
    let values: Vec<Node> = subject.into_iter().chain(last.arguments.iter().copied()).collect();
    let content = |at: usize| values.get(at).map(|it| text(*it, source)).unwrap_or_default();
    let are_same = || content(0) == content(1) && values.get(1).is_some_and(|it| is_literal(*it, source));
    match core(last.name).as_str() {
        "true" => holds(content(0)),
        "" if values.len() == 1 => holds(content(0)),
        "" | "equal" | "equals" | "equalto" | "eq" | "same" | "sameas" | "identical" | "streq"
        | "equivalentto" => are_same(),
        "that" => constant(content(0)) == Some(true) && content(1).ends_with("True"),
        "false" => constant(content(0)) == Some(false) && content(0) != "null",
        "null" | "nil" => matches!(content(0), "null" | "nil" | "nullptr" | "NULL"),
        "notnull" | "notnil" | "truthy" => {
            values.first().is_some_and(|it| is_literal(*it, source))
                && !matches!(content(0), "null" | "nil" | "false")
        }
        "pass" | "succeed" => true,
        _ => false,
    }
}

/// A matcher's name without the words that all matchers share: `assertEquals` is `equals`, `toBeTrue` is `true`.
fn core(name: &str) -> String {
    const SHARED: &[&str] = &[
        "boost", "static", "xct", "assert", "expect", "require", "check", "are", "is", "to", "should", "be",
    ];
    let lower: String =
        name.chars().filter(|c| c.is_alphanumeric()).map(|c| c.to_ascii_lowercase()).collect();
    let mut rest = lower.as_str();
    while let Some(shorter) = SHARED.iter().find_map(|word| rest.strip_prefix(word)) {
        rest = shorter;
    }
    if rest == "that" && name.starts_with("assert") { String::new() } else { rest.to_owned() }
}

fn is_literal(node: Node, source: &str) -> bool {
    let content = text(node, source);
    content.parse::<f64>().is_ok()
        || matches!(content, "true" | "false" | "null" | "nil")
        || (node.kind().contains("string") && !content.contains(['$', '#', '{']))
}
