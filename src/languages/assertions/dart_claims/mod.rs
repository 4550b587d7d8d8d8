//! What an assertion claims in Dart: `expect(a, matcher)`, mocktail's `verify(() => a.b(c)).called(1)`, and what a test of a
//! bloc is given as `expect:`.
//!
//! What is not known as a matcher is the expected value itself, unless its name says that it is one.

use tree_sitter::Node;

use crate::languages::assertions::calls::{AssertionWords, CallParts, assertion, call, chain};
use crate::languages::assertions::chains;
use crate::languages::assertions::conditions::{condition, is_literal};
use crate::languages::assertions::matchers::MatcherFamily::Chains;
use crate::languages::assertions::matchers::{core, strength};
use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use crate::languages::assertions::refinement::{ONE_OF, refined};
use crate::languages::testing::skip_condition::holds;
use crate::languages::tree::{field, parts, text};
use Strength::{Exact, Exists, Kind, Nothing, Partial};

mod thrown;
mod verified;

use thrown::{generic, thrown, thrown_by};
use verified::verified;

/// Calls whose second argument says what the first has to be.
const OPENERS: &[&str] = &["expect", "expectLater", "expectSync"];
/// Named arguments by which a test of a bloc asserts.
const OF_BLOC: &[&str] = &["expect", "errors", "verify"];
/// Matchers that only hand on what they hold.
const HANDING_ON: &[&str] = &["completion", "emits", "wrapMatcher", "emitsThrough"];
/// How names of matchers begin that are known to nobody here.
const MATCHERS: &[&str] =
    &["is", "has", "contains", "matches", "finds", "throws", "emits", "returns", "completes", "equals"];
/// Matchers whose names begin otherwise.
#[rustfmt::skip] // Words in lines, not in a column.
const OTHER_MATCHERS: &[&str] = &[
    "closeTo", "greaterThan", "greaterThanOrEqualTo", "lessThan", "lessThanOrEqualTo", "startsWith",
    "endsWith", "inInclusiveRange", "inExclusiveRange", "inOpenClosedRange", "inClosedOpenRange",
    "everyElement", "anyElement", "predicate", "unorderedEquals", "orderedEquals", "unorderedMatches",
    "stringContainsInOrder", "pairwiseCompare", "same",
];
/// Matchers are not nested deeper.
const DEEPEST: usize = 6;

/// Whether a node asserts.
pub(crate) fn is_asserting(node: Node, source: &str, words: &AssertionWords) -> bool {
    match node.kind() {
        "named_argument" => of_bloc(node, source).is_some(),
        _ => assertion(node, source, words).is_some(),
    }
}

/// Whether an assertion holds whatever the code does: `expect(true, isTrue)`, `expect(a, anything)`.
pub(crate) fn is_trivial(node: Node, source: &str) -> bool {
    if claim(node, source).strength == Some(Nothing) {
        return true;
    }
    let Some((subject, matcher)) = call(node, source).and_then(|it| opened(&it)) else { return false };
    let (given, said) = (text(subject, source), text(matcher, source));
    let inside = said.strip_prefix("equals(").and_then(|it| it.strip_suffix(')')).unwrap_or(said);
    match said {
        "isTrue" => holds(given),
        "isFalse" => given == "false",
        "isNull" => given == "null",
        "isNotNull" => is_literal(given) && given != "null",
        _ => is_literal(given) && given == inside || inside == "true" && holds(given),
    }
}

/// Reads the assertion that a node is.
pub(crate) fn claim(node: Node, source: &str) -> AssertionClaim {
    let mut claim = refined(read(node, source).unwrap_or_default());
    claim.circular = claim.strength == Some(Exact)
        && !claim.negated
        && claim.subject == claim.expected
        && claim.subject.len() > 1;
    claim
}

fn read(node: Node, source: &str) -> Option<AssertionClaim> {
    if node.kind() == "named_argument" {
        let (name, value) = of_bloc(node, source)?;
        return if name == "verify" { None } else { matched(name, value, source, 0) };
    }
    let links = chain(node, source);
    let first = links.last()?;
    if let Some((subject, matcher)) = opened(first) {
        let subject = text(subject, source);
        return matched(subject.strip_prefix("await ").unwrap_or(subject), matcher, source, 0);
    }
    if first.name.starts_with("verify") {
        return verified(first, &links, source);
    }
    let checked = text(node, source).strip_prefix("check(")?;
    Some(chains::claim(&format!("expectThat({checked}")))
}

/// The subject and the matcher of `expect(a, b)`.
fn opened<'t>(call: &CallParts<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let [subject, matcher, ..] = call.arguments[..] else { return None };
    (OPENERS.contains(&call.name) && call.receiver.is_none_or(|it| it.kind() == "identifier"))
        .then_some((subject, matcher))
}

/// What a test of a bloc is given to assert: the argument's name, and what its function gives.
fn of_bloc<'t>(argument: Node<'t>, source: &'t str) -> Option<(&'t str, Node<'t>)> {
    let [label, value] = parts(argument)[..] else { return None };
    let name = text(label, source).trim_end_matches(':').trim();
    if !OF_BLOC.contains(&name) || value.kind() != "function_expression" {
        return None;
    }
    let callee = field(argument.parent()?.parent()?, "function")?;
    let is_meant = text(callee, source).split('<').next().is_some_and(|it| it.ends_with("blocTest"));
    is_meant.then_some((name, parts(field(value, "body")?).first().copied()?))
}

/// What a matcher claims about a subject.
fn matched(subject: &str, matcher: Node, source: &str, depth: usize) -> Option<AssertionClaim> {
    let written = text(matcher, source);
    let said = |strength| Some(compared(subject, "equals", written, strength, false));
    match matcher.kind() {
        "true" => truth(subject, true),
        "false" => truth(subject, false),
        "list_literal" => said(listed(matcher, source)),
        "identifier" => named(subject, written, written),
        "call_expression" if depth < DEEPEST => {
            let links = chain(matcher, source);
            let first = links.last()?;
            called(subject, matcher, first, source, depth)
        }
        _ => said(Exact),
    }
}

/// `isTrue`, and what stands for it.
fn truth(subject: &str, is: bool) -> Option<AssertionClaim> {
    if is { condition(subject) } else { Some(compared(subject, "false", "", Kind, false)) }
}

/// How much a list says whose items may be matchers.
fn listed(list: Node, source: &str) -> Strength {
    let items = parts(list);
    let is_open = |it: &Node| matches!(text(*it, source), "anything" | "isNotNull");
    let of_kind = |it: &Node| text(*it, source).starts_with("isA<");
    if !items.is_empty() && items.iter().all(is_open) {
        Exists
    } else if items.iter().any(|it| is_open(it) || of_kind(it)) {
        Partial
    } else {
        Exact
    }
}

/// A matcher without arguments, or a value under its name.
fn named(subject: &str, name: &str, written: &str) -> Option<AssertionClaim> {
    match name {
        "isTrue" => return truth(subject, true),
        "isFalse" => return truth(subject, false),
        "isNull" => return Some(compared(subject, "equals", "null", Exact, false)),
        "anything" => return Some(compared(subject, "anything", "", Nothing, false)),
        _ => {}
    }
    if let Some(kind) = name.strip_prefix("throws").filter(|it| it.starts_with(char::is_uppercase)) {
        return Some(thrown(kind, false));
    }
    let known = strength(&core(name), Chains).map(|found| compared(subject, name, "", found, false));
    let is_matcher = OTHER_MATCHERS.contains(&name)
        || MATCHERS.iter().any(|word| {
            name.strip_prefix(word)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_uppercase))
        });
    let value = || (!is_matcher).then(|| compared(subject, "equals", written, Exact, false));
    known.filter(|_| is_matcher).or_else(value)
}

/// A matcher with arguments: `equals(3)`, `isNot(isEmpty)`, `isA<X>().having(…)`, `throwsA(isA<X>())`.
fn called(
    subject: &str,
    matcher: Node,
    first: &CallParts,
    source: &str,
    depth: usize,
) -> Option<AssertionClaim> {
    let inner = first.arguments.first().copied();
    let is_narrowed = text(matcher, source).contains(".having(");
    match first.name {
        "equals" => {
            let value = inner?;
            Some(compared(subject, "equals", text(value, source), listed(value, source), false))
        }
        "isNot" => {
            let denied = matched(subject, inner?, source, depth + 1)?;
            Some(AssertionClaim { strength: Some(Exists), negated: true, ..denied })
        }
        name if HANDING_ON.contains(&name) => matched(subject, inner?, source, depth + 1),
        "allOf" => {
            let all = first.arguments.iter().filter_map(|it| matched(subject, *it, source, depth + 1));
            all.max_by_key(|it| it.strength)
        }
        "anyOf" => Some(compared(subject, ONE_OF, &listing(first, source), Partial, false)),
        "throwsA" => Some(thrown_by(inner?, source)),
        "isA" | "TypeMatcher" | "isInstanceOf" => {
            let found = if is_narrowed { Partial } else { Kind };
            Some(compared(subject, "isA", generic(text(matcher, source)), found, false))
        }
        name => {
            let known = named(subject, name, text(matcher, source))?;
            let expected = if known.matcher == "equals" { known.expected } else { listing(first, source) };
            Some(compared(subject, &known.matcher, &expected, known.strength?, false))
        }
    }
}

fn listing(call: &CallParts, source: &str) -> String {
    call.arguments.iter().map(|it| text(*it, source)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::outline_of;

    #[test]
    fn claims_of_matchers() {
        let rows = [
            ("expect(f(1), 2);", "f(1)", Some(Exact)),
            ("expect(f(1), equals(2));", "f(1)", Some(Exact)),
            ("expect(f(1), want);", "f(1)", Some(Exact)),
            ("expect(await f(1), row.want);", "f(1)", Some(Exact)),
            ("await expectLater(f(1), completion(2));", "f(1)", Some(Exact)),
            ("expect(f(1), isNull);", "f(1)", Some(Exact)),
            ("expect(f(1), hasLength(2));", "f(1)", Some(Exact)),
            ("expect(f(1), isEmpty);", "f(1)", Some(Exact)),
            ("expect(find.text('a'), findsOneWidget);", "find.text('a')", Some(Exact)),
            ("expect(find.text('a'), findsNWidgets(2));", "find.text('a')", Some(Exact)),
            ("expect(f(1) > 3, isTrue);", "f(1)", Some(Partial)),
            ("expect(f(1), closeTo(2, 0.1));", "f(1)", Some(Partial)),
            ("expect(f(1), contains('a'));", "f(1)", Some(Partial)),
            ("expect(f(1), anyOf(2, 3));", "f(1)", Some(Partial)),
            ("expect(f(1), [isA<A>(), isA<B>()]);", "f(1)", Some(Partial)),
            ("expect(f(1), isA<A>().having((a) => a.b, 'b', 3));", "f(1)", Some(Partial)),
            ("expect(f(1), isA<A>());", "f(1)", Some(Kind)),
            ("expect(f(1), isNotEmpty);", "f(1)", Some(Kind)),
            ("expect(f(1), isFalse);", "f(1)", Some(Kind)),
            ("expect(f(1), isNotNull);", "f(1)", Some(Exists)),
            ("expect(f(1), isNot(2));", "f(1)", Some(Exists)),
            ("expect(find.text('a'), findsWidgets);", "find.text('a')", Some(Exists)),
            ("expect(f(1), anything);", "f(1)", Some(Nothing)),
            ("expect(f(1), isSorted);", "f(1)", None),
            ("expect(() => f(1), throwsA(isA<A>().having((a) => a.b, 'b', 3)));", "raise", Some(Exact)),
            ("expect(() => f(1), throwsA(isA<A>()));", "raise", Some(Partial)),
            ("expect(() => f(1), throwsA(const TypeMatcher<A>()));", "raise", Some(Partial)),
            ("expect(() => f(1), throwsArgumentError);", "raise", Some(Partial)),
            ("expect(() => f(1), throwsException);", "raise", Some(Kind)),
            ("expect(() => f(1), throwsA(anything));", "raise", Some(Exists)),
            ("verify(() => a.b(c)).called(1);", "verify:a.b", Some(Exact)),
            ("verify(() => a.b(c));", "verify:a.b", Some(Partial)),
            ("verify(() => a.b(any())).called(1);", "verify:a.b", Some(Kind)),
            ("verifyNever(() => a.b(any()));", "verify:a.b", Some(Exists)),
            ("check(f(1)).equals(2);", "f(1)", Some(Exact)),
        ];
        for (text, subject, strength) in rows {
            let source = format!("void main() {{\n  test('a', () async {{\n    {text}\n  }});\n}}\n");
            let outline = outline_of("test/a_test.dart", &source);
            let claim = &outline.tests[0].assertions[0].claim;
            let subject = if strength.is_none() { "" } else { subject };
            assert_eq!((claim.subject.as_str(), claim.strength), (subject, strength), "{text}: {claim:?}");
        }
    }
}
