//! What an assertion claims in JavaScript, Python, Rust and Go, whose assertions are calls, statements and macros:
//! `expect(a).toBe(b)`, `assert a == b`, `assert_eq!(a, b)`, `assert.Equal(t, b, a)`.
//!
//! Read from the parsed assertion alone. What isn't understood claims nothing.

use tree_sitter::Node;

use crate::languages::assertions::matchers::Family::Calls;
use crate::languages::assertions::matchers::{ANY_ERROR, is_about_error, lowered, strength_in_calls};
use crate::languages::assertions::model::{Claim, Strength, bare};
use crate::languages::assertions::refinement::refined;
use crate::languages::javascript::assertion::whole;
use crate::languages::tree::{field, parts, text};
use Strength::{Exact, Exists};

/// Reads an assertion.
pub(crate) fn claim(node: Node, source: &str) -> Claim {
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
fn put(subject: &str, matcher: &str, expected: &str, negated: bool) -> Claim {
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
    Claim { subject, matcher: matcher.to_owned(), expected, strength, negated, circular: false }
}

/// `assert a == b`, `assert a in b`, `assert a`.
fn statement(node: Node, source: &str) -> Option<Claim> {
    let condition = *parts(node).first()?;
    match condition.kind() {
        "comparison_operator" => {
            let sides = parts(condition);
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
        "boolean_operator" => {
            let either = text(condition, source).replace(" or ", "||").replace(" is ", "==");
            Some(put(&either, "assert", "", false))
        }
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

/// `expect(a).toBe(b)`, `assert.equal(a, b)`, `self.assertEqual(a, b)`, `assert.Equal(t, want, got)`.
fn call(node: Node, source: &str) -> Option<Claim> {
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
        let values = values.get(1..).unwrap_or_default();
        let (first, second) =
            (values.first().copied().unwrap_or_default(), values.get(1).copied().unwrap_or_default());
        let takes_two = matches!(
            name.as_str(),
            "equal" | "equalvalues" | "notequal" | "same" | "exactly" | "jsoneq" | "indelta"
        );
        return Some(if takes_two {
            put(second, matcher, first, false)
        } else {
            put(first, matcher, second, false)
        });
    }
    if is_about_error(&name, Calls) && node.kind() == "call" {
        let rest: Vec<&str> = values.iter().skip(1).filter(|it| it.starts_with("match")).copied().collect();
        let kind = values.first().copied().unwrap_or_default();
        let expected = if ANY_ERROR.contains(&kind) && rest.is_empty() { "" } else { kind };
        return Some(Claim {
            expected: bare(&format!("{expected}{}", rest.join(""))),
            ..put("raise", matcher, expected, false)
        });
    }
    if name.starts_with("assertcalled") || name.starts_with("asserthascalls") {
        return Some(put(holder, matcher, &values.join(","), false));
    }
    let (subject, expected) =
        (values.first().copied().unwrap_or_default(), values.get(1).copied().unwrap_or_default());
    let is_known =
        holder.is_empty() || matches!(holder, "assert" | "t" | "self" | "chai.assert" | "assert.strict");
    is_known.then(|| put(subject, matcher, expected, false))
}

/// `x.should.equal(3)`, `x.should.be.true`.
fn should(node: Node, source: &str) -> Option<Claim> {
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

/// `assert_eq!(a, b)`, `assert!(a == b)`, `assert!(a.is_ok())`.
fn rust_macro(content: &str) -> Option<Claim> {
    let (name, rest) = content.split_once('!')?;
    let name = name.rsplit("::").next().unwrap_or(name).trim();
    let inside = rest.trim().trim_end_matches(';');
    let inside = inside.get(1..inside.len().checked_sub(1)?)?;
    let arguments = split(inside, ",");
    let first = arguments.first().copied().unwrap_or_default();
    match name {
        "assert_eq" | "debug_assert_eq" | "prop_assert_eq" | "assert_ne" => {
            Some(put(first, name, arguments.get(1).copied().unwrap_or_default(), false))
        }
        "assert" | "debug_assert" | "prop_assert" => {
            if split(first, "||").len() > 1 {
                return Some(put(first, "assert", "", false));
            }
            if let [left, right] = split(first, "==")[..] {
                return Some(put(left, "==", right, false));
            }
            for (sign, matcher) in
                [(" >= ", ">="), (" <= ", "<="), (" > ", ">"), (" < ", "<"), (" != ", "!=")]
            {
                if let [left, right] = split(first, sign)[..] {
                    return Some(put(left, matcher, right, false));
                }
            }
            if let Some(tokens) = first.trim().strip_prefix("matches!") {
                let inner = split(tokens.get(1..tokens.len().checked_sub(1)?)?, ",");
                return matching(inner.first()?, inner.get(1)?);
            }
            for (method, kind) in
                [(".is_ok()", "ok"), (".is_some()", "exists"), (".is_err()", "error"), (".is_none()", "ok")]
            {
                if let Some(subject) = first.trim().strip_suffix(method) {
                    return Some(put(subject, kind, "", false));
                }
            }
            Some(put(first, "assert", "", false))
        }
        "assert_matches" | "debug_assert_matches" => matching(first, arguments.get(1)?),
        _ => None,
    }
}

/// A value that fits a pattern: one without a part that is left open is the value itself.
fn matching(subject: &str, pattern: &str) -> Option<Claim> {
    let pattern = pattern.trim();
    let code: String = pattern.split('"').step_by(2).collect();
    let mut words = code
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '"' | '\'')))
        .filter(|word| word.starts_with(|c: char| c.is_lowercase() || c == '_'));
    let names_part = |word: &str| {
        code.split_once(word).is_some_and(|(_, rest)| rest.trim_start().starts_with([':', '(', '.']))
    };
    let is_open = code.contains('|')
        || code.contains("..")
        || words.any(|word| !names_part(word) && !matches!(word, "true" | "false"));
    let open = put(subject, "matches", pattern, false);
    Some(if is_open { open } else { Claim { strength: Some(Exact), ..open } })
}

/// Splits a text at a separator, outside of brackets and strings.
fn split<'t>(content: &'t str, separator: &str) -> Vec<&'t str> {
    let (mut depth, mut start, mut pieces) = (0i32, 0usize, Vec::new());
    let bytes = content.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at += 1;
                while bytes.get(at).is_some_and(|it| *it != b'"') {
                    at += 1 + usize::from(bytes.get(at) == Some(&b'\\'));
                }
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ if depth == 0 && bytes.get(at..).is_some_and(|rest| rest.starts_with(separator.as_bytes())) => {
                pieces.extend(content.get(start..at));
                at += separator.len();
                start = at;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    pieces.extend(content.get(start..).filter(|rest| !rest.trim().is_empty()));
    pieces
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
