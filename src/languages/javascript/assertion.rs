//! What asserts in JavaScript: `expect`, `assert`, `should`, and the `t` of ava, tape and node:test.

use tree_sitter::Node;

use super::chain::{CalleeChain, chain};
use crate::languages::testing::outline_builder::AssertionSpan;
use crate::languages::testing::skip_condition::{constant, holds};
use crate::languages::tree::{field, parts, text};

/// Methods of ava's, tape's and node:test's `t` that assert.
const T_ASSERTS: &[&str] = &[
    "is",
    "not",
    "deepEqual",
    "notDeepEqual",
    "like",
    "true",
    "false",
    "truthy",
    "falsy",
    "assert",
    "pass",
    "fail",
    "throws",
    "throwsAsync",
    "notThrows",
    "notThrowsAsync",
    "regex",
    "notRegex",
    "snapshot",
    "equal",
    "equals",
    "notEqual",
    "same",
    "ok",
    "notOk",
    "strictEqual",
    "deepStrictEqual",
    "error",
    "match",
    "rejects",
    "resolves",
    "isEqual",
];
/// Recognises a call that asserts, with the whole chain of matchers around it.
pub(super) fn assertion(node: Node, source: &str) -> Option<AssertionSpan> {
    if node.kind() == "member_expression" {
        if field(node, "property").is_none_or(|it| text(it, source) != "should") {
            return None;
        }
        let all = whole(node);
        let subject = field(node, "object");
        let values = field(all, "arguments").map(parts).unwrap_or_default();
        let trivial =
            subject.is_some_and(|it| is_constant(it, 0)) && values.iter().all(|it| is_constant(*it, 0));
        return AssertionSpan::at(all, trivial);
    }
    if node.kind() != "call_expression" {
        return None;
    }
    let chain = chain(field(node, "function")?, source)?;
    let is_named = |name: &str, words: &[&str]| {
        words.iter().any(|word| {
            name.strip_prefix(word).is_some_and(|rest| {
                rest.is_empty() || rest.starts_with(|c: char| c.is_uppercase() || c == '_')
            })
        })
    };
    let asserts =
        is_named(chain.root, &["expect", "assert", "should", "verify", "check", "ensure", "validate"])
            || matches!(chain.root, "strictEqual" | "deepEqual" | "deepStrictEqual" | "equal")
            || chain.members.iter().any(|member| is_named(member, &["expect", "assert", "should"]))
            || (chain.root == "t" && chain.members.first().is_some_and(|member| T_ASSERTS.contains(member)));
    if !asserts {
        return None;
    }
    AssertionSpan::at(node, is_trivial(&chain, node, source))
}

/// The call, or the chain of members, that an expression is the beginning of: all of `x.should.equal(3)` for `x.should`.
pub(crate) fn whole(mut node: Node) -> Node {
    while let Some(parent) = node.parent().filter(|it| {
        it.kind() == "member_expression"
            || (it.kind() == "call_expression" && field(*it, "function") == Some(node))
    }) {
        node = parent;
    }
    node
}

/// Whether the assertion compares constants that agree.
fn is_trivial(chain: &CalleeChain, node: Node, source: &str) -> bool {
    let arguments = |node: Option<Node>| -> Vec<String> {
        node.map(parts)
            .unwrap_or_default()
            .into_iter()
            .map(|it| if is_constant(it, 0) { text(it, source).to_owned() } else { String::new() })
            .collect()
    };
    let last = arguments(field(node, "arguments"));
    let matcher = chain.members.last().copied().unwrap_or(chain.root);
    let negated = chain.members.contains(&"not");
    let subject =
        chain.calls.iter().find(|(member, _)| member.is_empty()).map(|(_, it)| arguments(Some(*it)));
    let truthy = |text: &String| {
        !text.is_empty()
            && constant(text) != Some(false)
            && !matches!(text.as_str(), "''" | "\"\"" | "undefined")
    };
    if let Some(subject) = subject {
        let Some(subject) = subject.first().filter(|text| !text.is_empty()) else { return false };
        return match matcher {
            _ if negated => false,
            "toBe" | "toEqual" | "toStrictEqual" | "equal" | "eql" | "equals" | "eq" => {
                last.first() == Some(subject)
            }
            "toBeTruthy" | "toBeDefined" | "ok" => truthy(subject),
            _ => false,
        };
    }
    match matcher {
        "assert" | "ok" | "true" | "isTrue" | "truthy" | "isOk" => {
            let first = field(node, "arguments").map(parts).unwrap_or_default();
            last.first().is_some_and(truthy) || first.first().is_some_and(|it| holds(text(*it, source)))
        }
        "equal" | "strictEqual" | "deepEqual" | "deepStrictEqual" | "is" | "same" => {
            matches!(&last[..], [left, right, ..] if !left.is_empty() && left == right)
        }
        "pass" => true,
        _ => false,
    }
}

fn is_constant(node: Node, depth: usize) -> bool {
    match node.kind() {
        "true" | "false" | "null" | "number" | "string" | "undefined" => true,
        "array"
        | "object"
        | "pair"
        | "unary_expression"
        | "parenthesized_expression"
        | "binary_expression" => {
            depth < 4
                && parts(node)
                    .into_iter()
                    .all(|part| part.kind() == "property_identifier" || is_constant(part, depth + 1))
        }
        _ => false,
    }
}
