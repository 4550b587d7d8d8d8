//! What a claim says behind its matcher: `expect(rows.length > 0).toBe(true)` is about `rows`, and says that there are
//! some; `assertTrue(a == 1 || a == 2)` is about `a`, and takes one of several.
//!
//! Works on claims whose texts are without white space. What isn't understood stays as it is.

use crate::languages::assertions::model::{AssertionClaim, Strength};
use crate::languages::assertions::tolerances::near;
use Strength::{Exists, Kind, Nothing, Partial};

/// The matcher of a claim that takes one of several values.
pub(crate) const ONE_OF: &str = "one of";
/// The matcher of a claim that something holds anything.
pub(crate) const FILLED: &str = "filled";

/// Matchers of which a condition is the subject, in lower case without `_`.
#[rustfmt::skip] // Words in lines, not in a column.
const TRUE: &[&str] = &[
    "true", "assert", "truthy", "tobetruthy", "asserttrue", "istrue", "ok", "tobe", "toequal",
    "tostrictequal", "equal", "equals", "shouldbe", "be", "eq", "strictequal", "==", "===", "is",
    "assertequal", "assertequals",
];
/// How the size of something is asked for.
const SIZES: &[&str] = &[
    ".length",
    ".length()",
    ".size",
    ".size()",
    ".count",
    ".count()",
    ".Count",
    ".Count()",
    ".Length",
    ".len()",
];
/// Questions whether something is there, by how they end.
#[rustfmt::skip] // Words in lines, not in a column.
const FILLED_BY: &[&str] = &[
    ".isNotEmpty()", ".any()", ".any?", ".isPresent()", ".isPresent", ".present?", ".exists()",
    ".isNotBlank()", ".isDefined", ".isLeft", ".isRight", ".nonEmpty", ".Any()", ".exist?", ".IsNotEmpty()", ".is_some()", ".has_value()",
    "!=null", "!==null", "!=nil", "!=nullptr", "!==undefined",
];
/// Questions whether something holds a part, by the method's name.
#[rustfmt::skip] // Words in lines, not in a column.
const HOLDS: &[&str] = &[
    ".contains", ".includes", ".include?", ".Contains", ".has", ".startsWith", ".starts_with",
    ".start_with?", ".StartsWith", ".endsWith", ".ends_with", ".end_with?", ".containsKey", ".contains_key",
    ".key?", ".has_key?", ".ContainsKey", ".hasPrefix", ".hasSuffix", ".match?", ".matches",
];
/// Questions of which type a value is.
#[rustfmt::skip] // Words in lines, not in a column.
const KINDS: &[&str] = &[
    "is_float(", "is_integer(", "is_number(", "is_list(", "is_map(", "is_binary(", "is_tuple(", "is_atom(",
    "is_boolean(", "is_int(", "is_string(", "is_array(", "Array.isArray(", "callable(", "Number.isInteger(",
    "Number.isFinite(",
];
/// Pairs of questions of which one always holds.
const COMPLEMENTS: &[(&str, &str)] = &[
    (".is_ok()", ".is_err()"),
    (".is_some()", ".is_none()"),
    (".isEmpty()", ".isNotEmpty()"),
    (".isSuccess", ".isFailure"),
    ("==null", "!=null"),
    ("===null", "!==null"),
    ("==nil", "!=nil"),
    ("==None", "==notNone"),
];

/// The same claim, about what its condition is about.
pub(super) fn refined(claim: AssertionClaim) -> AssertionClaim {
    if claim.negated || claim.strength.is_none() || claim.subject.len() > 400 {
        return claim;
    }
    if let Some(near) = near(&claim) {
        return near;
    }
    let name = claim.matcher.to_lowercase().replace('_', "");
    let is_true = matches!(claim.expected.as_str(), "true" | "True" | "TRUE")
        || claim.expected.is_empty() && claim.strength == Some(Kind);
    if is_true && TRUE.contains(&name.as_str()) {
        return condition(&claim).unwrap_or(claim);
    }
    if claim.expected == "false" && TRUE.contains(&name.as_str()) && is_question(&claim.subject) {
        return AssertionClaim { strength: Some(Kind), ..claim };
    }
    if let Some(subject) = claim.subject.strip_prefix("typeof").filter(|_| is_type_name(&claim.expected)) {
        return with(subject, "type", "", Kind);
    }
    contained(&claim).or_else(|| filled(&claim, &name)).unwrap_or(claim)
}

/// Whether what a subject asks last has a yes or a no for its answer: `method.isTrue()`.
fn is_question(subject: &str) -> bool {
    let bare = subject.trim_end_matches("()");
    let last = bare.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    ["is", "has", "can"].iter().any(|head| {
        last.strip_prefix(head).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase() || c == '_'))
    })
}

/// Whether a text is the name of a type that JavaScript's `typeof` gives.
fn is_type_name(text: &str) -> bool {
    let bare = text.trim_matches(['"', '\'', '`']);
    ["string", "number", "object", "function", "boolean", "bigint"].contains(&bare)
}

/// What a size is the size of.
pub(crate) fn measured(subject: &str) -> Option<&str> {
    let inside = ["len(", "count(", "size(", "length(", "Enum.count(", "map_size(", "tuple_size("]
        .iter()
        .find_map(|head| subject.strip_prefix(head)?.strip_suffix(')'));
    inside.or_else(|| SIZES.iter().find_map(|size| subject.strip_suffix(size))).filter(|it| !it.is_empty())
}

fn with(subject: &str, matcher: &str, expected: &str, strength: Strength) -> AssertionClaim {
    AssertionClaim {
        subject: subject.to_owned(),
        matcher: matcher.to_owned(),
        expected: expected.to_owned(),
        strength: Some(strength),
        ..AssertionClaim::default()
    }
}

fn condition(claim: &AssertionClaim) -> Option<AssertionClaim> {
    let text = claim.subject.as_str();
    if text.contains("||") {
        return alternatives(text);
    }
    if let Some((first, rest)) = text.split_once("&&") {
        // That it is there, said in several ways.
        let subject = presence(first)?;
        let is_all = rest.split("&&").all(|part| presence(part) == Some(subject));
        return is_all.then(|| with(subject, FILLED, "", Exists));
    }
    if let Some(subject) = SIZES.iter().find_map(|size| text.strip_suffix(size)).filter(|it| is_plain(it)) {
        return Some(with(subject, FILLED, "", Exists));
    }
    if let Some(subject) = KINDS.iter().find_map(|kind| text.strip_prefix(kind)?.strip_suffix(')')) {
        return Some(with(subject, "type", "", Kind));
    }
    if let Some(subject) = FILLED_BY.iter().find_map(|end| text.strip_suffix(end)) {
        return (!subject.contains("&&")).then(|| with(subject, FILLED, "", Exists));
    }
    let empty = ["isEmpty()", "is_empty()", "empty()", "empty?", "isEmpty"];
    if let Some(rest) = text.strip_prefix('!')
        && let Some(subject) = empty.iter().find_map(|end| rest.strip_suffix(end)?.strip_suffix('.'))
    {
        return Some(with(subject, FILLED, "", Exists));
    }
    for operator in [">=", ">", "!="] {
        if let Some((left, right)) = text.split_once(operator)
            && matches!(right, "0" | "1")
            && let Some(subject) = measured(left)
        {
            return Some(with(subject, FILLED, "", Exists));
        }
    }
    let inside = text.strip_suffix(')')?;
    let method = HOLDS.iter().filter_map(|method| Some(inside.rfind(&format!("{method}("))? + method.len()));
    let at = method.max()?;
    let (head, argument) = (inside.get(..at)?, inside.get(at + 1..)?);
    let subject = HOLDS.iter().find_map(|method| head.strip_suffix(method)).filter(|it| !it.is_empty())?;
    Some(match is_list(subject) {
        true => with(argument, ONE_OF, subject, Partial),
        false => with(subject, "contains", argument, Partial),
    })
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'))
}

/// What a question is about that only asks whether something is there.
fn presence(text: &str) -> Option<&str> {
    let text = text.trim_start_matches('(').trim_end_matches(|c| c == ')' && text.starts_with('('));
    let filled = FILLED_BY.iter().chain(&["!=None", "isnotNone"]).find_map(|end| text.strip_suffix(end));
    let counted = || [">0", ">=1", "!=0", ">=0"].iter().find_map(|end| measured(text.strip_suffix(end)?));
    filled.or_else(counted).or(is_plain(text).then_some(text)).filter(|it| !it.is_empty())
}

/// `a==1||a==2`: one value of several; `a.is_ok()||a.is_err()`: any value.
fn alternatives(text: &str) -> Option<AssertionClaim> {
    let parts: Vec<&str> = text.split("||").collect();
    if let [first, second] = parts[..] {
        let is_all = |one: &str, other: &str| {
            COMPLEMENTS.iter().find_map(|(yes, no)| {
                let subject = one.strip_suffix(yes)?;
                (other.strip_suffix(no) == Some(subject)).then(|| subject.to_owned())
            })
        };
        if let Some(subject) = is_all(first, second).or_else(|| is_all(second, first)) {
            return Some(with(&subject, "anything", "", Nothing));
        }
    }
    let sides = |part: &&str| {
        let (left, right) = part.split_once("===").or_else(|| part.split_once("=="))?;
        Some((left.to_owned(), right.to_owned()))
    };
    let Some((subject, _)) = parts.iter().find_map(sides) else {
        // What a call says need not hold where the other part does.
        let asked = parts.iter().find(|it| it.contains('(') && !it.starts_with('!'))?;
        return Some(with(asked, ONE_OF, "", Exists));
    };
    // A further alternative that is about something else lets the assertion hold without the first.
    let values: Vec<String> = parts
        .iter()
        .map(|part| {
            sides(part).filter(|(left, _)| *left == subject).map_or((*part).to_owned(), |(_, right)| right)
        })
        .collect();
    Some(with(&subject, ONE_OF, &values.join(","), Partial))
}

/// `x in (1, 2)`, `expect([1, 2]).toContain(x)`: about `x`.
fn contained(claim: &AssertionClaim) -> Option<AssertionClaim> {
    let is_partial = claim.strength == Some(Partial) && !claim.expected.is_empty();
    let is_one = is_partial && is_list(&claim.subject) && !is_list(&claim.expected);
    let is_value = !claim.expected.starts_with(['"', '\'', ':'])
        && !claim.expected.starts_with(|c: char| c.is_ascii_digit());
    (is_one && is_value).then(|| with(&claim.expected, ONE_OF, &claim.subject, Partial))
}

/// `expect(rows.length).toBeGreaterThan(0)`: there are some.
fn filled(claim: &AssertionClaim, name: &str) -> Option<AssertionClaim> {
    let is_least = claim.expected == "0"
        && (name.ends_with("greaterthan")
            || matches!(name, ">" | "!=" | "isnot" | "greater" | "gt" | "begreaterthan"))
        || claim.expected == "1" && (name.contains("greaterthanorequal") || matches!(name, ">=" | "ge"));
    let subject = measured(&claim.subject).filter(|_| is_least)?;
    let keys = ["Object.keys(", "Object.values(", "Object.entries("];
    let subject = keys.iter().find_map(|of| subject.strip_prefix(of)?.strip_suffix(')')).unwrap_or(subject);
    Some(with(subject, FILLED, "", Exists))
}

/// Whether a text is a list written out.
fn is_list(text: &str) -> bool {
    let lists = [('[', ']'), ('(', ')'), ('{', '}')];
    let is_bracketed = lists.iter().any(|(open, close)| text.starts_with(*open) && text.ends_with(*close));
    let is_made = [
        "List.of(",
        "listOf(",
        "Set.of(",
        "setOf(",
        "Arrays.asList(",
        "newSet(",
        "vec![",
        "[]int{",
        "[]string{",
        "new[]{",
    ];
    is_bracketed && text.contains(',') || is_made.iter().any(|head| text.starts_with(head))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::assertions::chains::claim;
    use Strength::Exact;

    #[test]
    fn claims_are_about_what_their_conditions_are_about() {
        let rows = [
            ("assertTrue(rows.size() > 0)", "rows", Exists),
            ("rows.isNotEmpty() shouldBe true", "rows", Exists),
            ("assertTrue(!rows.isEmpty())", "rows", Exists),
            ("assertTrue(rows.contains(3))", "rows", Partial),
            ("Assert.True(code == 200 || code == 404)", "code", Partial),
            ("EXPECT_TRUE(code == 1 || code == 2)", "code", Partial),
            ("assertTrue(List.of(200, 404).contains(code))", "code", Partial),
            ("assert code == 1 or code == 2", "code", Partial),
            ("assert {:error, {:limit, \"day\"}} = run(1)", "run(1)", Exact),
            ("assert {:error, _} = run(1)", "run(1)", Partial),
            ("assert {_, _} = run(1)", "run(1)", Exists),
            ("verify(store).save(order)", "verify:store.save", Exact),
            ("verify(store, times(1)).save(any())", "verify:store.save", Kind),
            ("verify(store, atLeast(0)).save(order)", "verify:store.save", Nothing),
        ];
        for (text, subject, strength) in rows {
            let found = claim(text);
            assert_eq!(
                (found.subject.as_str(), found.strength),
                (subject, Some(strength)),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn a_size_is_the_size_of_something() {
        assert_eq!(measured("cart.rows.length"), Some("cart.rows"));
        assert_eq!(measured("len(rows)"), Some("rows"));
        assert_eq!(measured("rows"), None);
    }
}
