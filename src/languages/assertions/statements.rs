//! What an assertion claims in JavaScript, Python, Rust and Go, whose assertions are calls, statements and macros:
//! `expect(a).toBe(b)`, `assert a == b`, `assert_eq!(a, b)`, `assert.Equal(t, b, a)`.
//!
//! Read from the parsed assertion alone. What isn't understood claims nothing.

use tree_sitter::Node;

use crate::languages::assertions::matchers::MatcherFamily::Calls;
use crate::languages::assertions::matchers::{ANY_ERROR, is_about_error, lowered, strength_in_calls};
use crate::languages::assertions::model::{AssertionClaim, Strength, bare};
use crate::languages::assertions::refinement::refined;
use crate::languages::javascript::assertion::whole;
use crate::languages::tree::{field, parts, text};
use Strength::{Exact, Exists};

mod rust_macros;

use rust_macros::rust_macro;

/// Reads an assertion.
pub(crate) fn claim(node: Node, source: &str) -> AssertionClaim {
    let claim = match node.kind() {
        "assert_statement" => statement(node, source),
        "call_expression" | "call" => call(node, source),
        "member_expression" => should(whole(node), source),
        "macro_invocation" => rust_macro(text(node, source)),
        "identifier" => {
            let rest = source.get(node.start_byte()..).unwrap_or_default();
            let end = rest.find(';').unwrap_or(rest.len()).min(600);
            rust_macro(rest.get(..end).unwrap_or_default())
        }
        _ => None,
    };
    let mut claim = refined(claim.unwrap_or_default());
    if claim.strength == Some(Exact)
        && claim.matcher != "!="
        && !claim.negated
        && claim.subject == claim.expected
        && claim.subject.len() > 1
    {
        claim.circular = true;
    }
    claim
}

/// Puts a claim together, with the strength that its parts give it.
fn put(subject: &str, matcher: &str, expected: &str, negated: bool) -> AssertionClaim {
    // What is waited for is what the name stands for that it may have.
    let subject = subject.strip_prefix("await ").unwrap_or(subject);
    let (subject, mut expected) = (bare(subject), bare(expected));
    let name = lowered(matcher);
    let mut strength = strength_in_calls(matcher);
    if is_about_error(&name, Calls) {
        strength = Some(if ANY_ERROR.contains(&expected.as_str()) { Exists } else { Exact });
    } else if strength == Some(Exact) && !name.starts_with("len") && name != "tohavelength" {
        // Equal to true says no more than that it is true, and not null no more than that it is there.
        if negated || matches!(name.as_str(), "!=" | "assertne" | "notequal" | "isnot") {
            strength = Some(Exists);
        }
    }
    if negated && strength != Some(Exists) {
        strength = Some(Exists);
    }
    if expected.len() > 400 {
        expected.truncate(0);
    }
    AssertionClaim { subject, matcher: matcher.to_owned(), expected, strength, negated, circular: false }
}

/// `assert a == b`, `assert a in b`, `assert a`.
fn statement(node: Node, source: &str) -> Option<AssertionClaim> {
    let condition = *parts(node).first()?;
    match condition.kind() {
        "comparison_operator" => {
            let sides = parts(condition);
            // `0 < a < 9`: between both.
            if let [_, middle, last] = sides[..] {
                return Some(put(text(middle, source), "<", text(last, source), false));
            }
            let [left, right] = sides[..] else { return None };
            let operator = source.get(left.end_byte()..right.start_byte())?.trim();
            let (left, right) = (text(left, source), text(right, source));
            Some(match operator {
                "is not" | "!=" => put(left, "isnot", right, false),
                "in" => put(right, "in", left, false),
                "not in" => put(right, "in", left, true),
                other => put(left, other, right, false),
            })
        }
        "boolean_operator" => Some(put(&with_signs(text(condition, source)), "assert", "", false)),
        "not_operator" => Some(put(text(condition, source).trim_start_matches("not "), "false", "", false)),
        "call" => {
            let callee = text(field(condition, "function")?, source);
            if callee == "isinstance" {
                let arguments = parts(field(condition, "arguments")?);
                return Some(put(text(*arguments.first()?, source), "isinstance", "", false));
            }
            Some(put(text(condition, source), "assert", "", false))
        }
        _ => Some(put(text(condition, source), "assert", "", false)),
    }
}

/// A condition of Python with the signs that other languages have for its words.
fn with_signs(condition: &str) -> String {
    let either = condition.replace(" or ", "||").replace(" and ", "&&");
    either.replace(" is not ", "!=").replace(" is ", "==")
}

/// `expect(a).toBe(b)`, `assert.equal(a, b)`, `self.assertEqual(a, b)`, `assert.Equal(t, want, got)`.
fn call(node: Node, source: &str) -> Option<AssertionClaim> {
    let callee = field(node, "function")?;
    let arguments = parts(field(node, "arguments")?);
    let values: Vec<&str> = arguments.iter().map(|it| text(*it, source)).collect();
    let part = ["property", "attribute", "field"].into_iter().find_map(|name| field(callee, name));
    let matcher = text(part.unwrap_or(callee), source);
    if let Some((subject, negated)) = expectation(callee, source) {
        return Some(put(subject, matcher, &values.join(","), negated));
    }
    let holder = ["object", "operand"].into_iter().find_map(|name| field(callee, name));
    let holder = holder.map(|it| text(it, source)).unwrap_or_default();
    let name = lowered(matcher);
    // Go's testify takes the test first.
    let is_go = node.kind() == "call_expression"
        && matches!(holder, "assert" | "require")
        && matcher.starts_with(char::is_uppercase);
    if is_go {
        return Some(testify(matcher, &name, values.get(1..).unwrap_or_default()));
    }
    if is_about_error(&name, Calls) && node.kind() == "call" {
        return Some(raises(matcher, &values));
    }
    if name.starts_with("assertcalled") || name.starts_with("asserthascalls") {
        return Some(put(holder, matcher, &values.join(","), false));
    }
    let (mut subject, mut expected) =
        (values.first().copied().unwrap_or_default(), values.get(1).copied().unwrap_or_default());
    match name.as_str() {
        // The part stands first, and a message behind a condition.
        "assertin" | "assertnotin" => std::mem::swap(&mut subject, &mut expected),
        "asserttrue" | "assertfalse" => expected = "",
        _ => {}
    }
    if name == "asserttrue" && [" or ", " and "].iter().any(|word| subject.contains(word)) {
        return Some(put(&with_signs(subject), matcher, "", false));
    }
    let is_known =
        holder.is_empty() || matches!(holder, "assert" | "t" | "self" | "chai.assert" | "assert.strict");
    is_known.then(|| put(subject, matcher, expected, false))
}

/// `assert.Equal(t, want, got)`, without the test.
fn testify(matcher: &str, name: &str, values: &[&str]) -> AssertionClaim {
    let [first, second] = [0, 1].map(|at| values.get(at).copied().unwrap_or_default());
    let takes_two =
        matches!(name, "equal" | "equalvalues" | "notequal" | "same" | "exactly" | "jsoneq" | "indelta");
    match takes_two {
        true => put(second, matcher, first, false),
        false => put(first, matcher, second, false),
    }
}

/// `self.assertRaises(KeyError)`, `pytest.raises(KeyError, match="…")`.
fn raises(matcher: &str, values: &[&str]) -> AssertionClaim {
    let is_regex = lowered(matcher).ends_with("regex");
    let says = |it: &&&str| it.starts_with("match") || is_regex && it.contains(['"', '\'']);
    let rest: Vec<&str> = values.iter().skip(1).filter(says).copied().collect();
    let kind = values.first().copied().unwrap_or_default();
    let expected = if ANY_ERROR.contains(&kind) && rest.is_empty() { "" } else { kind };
    AssertionClaim {
        expected: bare(&format!("{expected}{}", rest.join(""))),
        ..put("raise", matcher, expected, false)
    }
}

/// `x.should.equal(3)`, `x.should.be.true`.
fn should(node: Node, source: &str) -> Option<AssertionClaim> {
    if node.kind() == "call_expression" {
        return call(node, source);
    }
    let (subject, negated) = expectation(node, source)?;
    Some(put(subject, text(field(node, "property")?, source), "", negated))
}

/// The argument of `expect` under a chain of matchers, and whether the chain negates.
fn expectation<'s>(mut callee: Node, source: &'s str) -> Option<(&'s str, bool)> {
    let mut negated = false;
    for _ in 0..12 {
        match callee.kind() {
            "member_expression" => {
                if field(callee, "property").is_some_and(|it| text(it, source) == "should") {
                    return Some((text(field(callee, "object")?, source), negated));
                }
                negated ^= field(callee, "property").is_some_and(|it| text(it, source) == "not");
                callee = field(callee, "object")?;
            }
            "call_expression" => {
                let name = text(field(callee, "function")?, source);
                if matches!(name, "expect" | "expect.soft" | "chai.expect" | "expectTypeOf" | "should") {
                    let first = parts(field(callee, "arguments")?).first().copied()?;
                    return Some((text(first, source), negated));
                }
                callee = field(callee, "function")?;
            }
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::outline_of;
    use Strength::{Kind, Partial};

    #[test]
    fn claims_are_read_in_every_language() {
        let js = |line: &str| ("a.test.js", format!("it('a', () => {{ {line} }});\n"));
        let py = |line: &str| ("test_a.py", format!("def test_a(self):\n    {line}\n"));
        let rs = |line: &str| ("a.rs", format!("#[test]\nfn a() {{ {line} }}\n"));
        let go = |line: &str| ("a_test.go", format!("package a\nfunc TestA(t *testing.T) {{ {line} }}\n"));
        let rows = [
            (js("expect(f(1)).toBe(2);"), "f(1)", Some(Exact)),
            (js("expect(f(1)).toMatchObject({a: 2});"), "f(1)", Some(Partial)),
            (js("expect(f(1)).toBeTruthy();"), "f(1)", Some(Kind)),
            (js("expect(f(1)).toBeDefined();"), "f(1)", Some(Exists)),
            (js("expect(f(1)).not.toBeNull();"), "f(1)", Some(Exists)),
            (js("expect(spy).toHaveBeenCalledWith(1);"), "spy", Some(Exact)),
            (js("expect(() => f()).toThrow('no');"), "()=>f()", Some(Exact)),
            (js("expect(() => f()).toThrow();"), "()=>f()", Some(Exists)),
            (js("assert.equal(f(1), 2);"), "f(1)", Some(Exact)),
            (js("expectTable(f(1));"), "f(1)", None),
            (py("assert f(1) == 2"), "f(1)", Some(Exact)),
            (py("assert 'x' in f(1)"), "f(1)", Some(Partial)),
            (py("assert f(1)"), "f(1)", Some(Kind)),
            (py("assert f(1) is not None"), "f(1)", Some(Exists)),
            (py("self.assertEqual(f(1), 2)"), "f(1)", Some(Exact)),
            (py("self.assertIsNotNone(f(1))"), "f(1)", Some(Exists)),
            (rs("assert_eq!(f(1), 2);"), "f(1)", Some(Exact)),
            (rs("assert!(f(1) == 2);"), "f(1)", Some(Exact)),
            (rs("assert!(f(1).is_ok());"), "f(1)", Some(Kind)),
            (go("assert.Equal(t, 2, f(1))"), "f(1)", Some(Exact)),
            (go("require.NotNil(t, f(1))"), "f(1)", Some(Exists)),
        ];
        for ((path, source), subject, strength) in rows {
            let outline = outline_of(path, &source);
            let claim = &outline.tests[0].assertions[0].claim;
            assert_eq!((claim.subject.as_str(), claim.strength), (subject, strength), "{source}");
        }
    }
}
