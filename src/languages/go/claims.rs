//! What a test of Go claims where it fails under a condition: `if got != want { t.Errorf(…) }` claims that both are equal.
//!
//! The condition is read from its text. What isn't understood claims nothing.

use tree_sitter::Node;

use crate::languages::assertions::model::{AssertionClaim, Strength, compared};
use crate::languages::assertions::{refinement, statements};
use crate::languages::tree::text;
use Strength::{Exact, Exists, Partial};

/// Methods of `*testing.T` that fail a test.
pub(super) const FAILS: &[&str] = &["Error", "Errorf", "Fatal", "Fatalf", "Fail", "FailNow"];

/// Calls that say whether two values are the same.
const SAME: &[&str] = &[
    "reflect.DeepEqual(",
    "bytes.Equal(",
    "cmp.Equal(",
    "slices.Equal(",
    "maps.Equal(",
    "errors.Is(",
    "proto.Equal(",
];
/// Calls that say whether a value has a part.
const PART: &[&str] =
    &["strings.Contains(", "strings.HasPrefix(", "strings.HasSuffix(", "bytes.Contains(", "errors.As("];

/// Reads an assertion of a Go test.
pub(super) fn claim(node: Node, source: &str) -> AssertionClaim {
    match failing_branch(node, source) {
        Some(branch) => of_branch(branch, source).unwrap_or_default(),
        None => statements::claim(node, source),
    }
}

/// The branch that does nothing but fail, of which a call is the failure.
pub(super) fn failing_branch<'t>(node: Node<'t>, source: &str) -> Option<Node<'t>> {
    let field = node.child_by_field_name("function")?.child_by_field_name("field")?;
    if !FAILS.contains(&text(field, source)) {
        return None;
    }
    let mut above = node.parent()?;
    for _ in 0..6 {
        if matches!(
            above.kind(),
            "for_statement" | "func_literal" | "expression_case" | "function_declaration"
        ) {
            return None;
        }
        if above.kind() == "if_statement" {
            let own = above.child_by_field_name("consequence")?;
            return own.byte_range().contains(&node.start_byte()).then_some(above);
        }
        above = above.parent()?;
    }
    None
}

/// What a branch fails unless it holds.
fn of_branch(branch: Node, source: &str) -> Option<AssertionClaim> {
    let condition = text(branch.child_by_field_name("condition")?, source).trim();
    let made = branch.child_by_field_name("initializer").map(|it| text(it, source)).unwrap_or_default();
    let (name, value) = made.split_once(":=").map_or(("", ""), |(name, value)| (name.trim(), value.trim()));
    // `if got := f(x); got != want`: about what the name stands for.
    let resolved = |text: &str| {
        let text = text.trim();
        let rest = text
            .strip_prefix(name)
            .filter(|rest| !name.is_empty() && !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'));
        rest.map_or_else(|| text.to_owned(), |rest| format!("{value}{rest}"))
    };
    if let Some(arguments) =
        value.strip_prefix("cmp.Diff(").filter(|_| condition == format!("{name} != \"\""))
    {
        let all = arguments_of(arguments);
        let strength = if all.len() > 2 { Partial } else { Exact };
        return Some(compared(all.get(1)?, "cmp.Diff", all.first()?, strength, false));
    }
    let first = condition.split("||").next().unwrap_or(condition);
    // Of `tt.want == nil && err != nil` the part that is not about what is wanted.
    let mut parts = first.split("&&").map(str::trim);
    let is_wanted = |part: &str| {
        part.trim_start_matches(['!', '(']).rsplit_once('.').map_or(part, |(_, it)| it).starts_with("want")
    };
    // A field of the row says for which rows the rest is asked.
    let asks = |part: &&str| !is_wanted(part) && part.contains('(') && !part.starts_with('(');
    let is_row = |part: &str| part.split("==").next().is_some_and(|it| it.contains('.') && !it.contains('('));
    let asked = parts.clone().find(asks).filter(|_| parts.clone().any(|it| it.contains("==") && is_row(it)));
    let asked = asked.or_else(|| parts.clone().find(|it| !is_wanted(it))).or_else(|| parts.next())?;
    let found = one(asked, &resolved)?;
    Some(refinement_of(found))
}

fn one(condition: &str, resolved: &dyn Fn(&str) -> String) -> Option<AssertionClaim> {
    if let Some((value, is_wanted)) = truth(condition) {
        let (value, is_wanted) = value.strip_prefix('!').map_or((value, is_wanted), |it| (it, !is_wanted));
        let head = if is_wanted { "!" } else { "" };
        return one(&format!("{head}{value}"), resolved);
    }
    if let Some(call) = condition.strip_prefix('!') {
        for (heads, strength) in [(SAME, Exact), (PART, Partial)] {
            let Some(rest) = heads.iter().find_map(|head| call.strip_prefix(head)) else { continue };
            let all = arguments_of(rest);
            let (left, right) = sides(&resolved(all.first()?), &resolved(all.get(1)?));
            let strength = if all.len() > 2 { Partial } else { strength };
            return Some(compared(&left, "equal", &right, strength, false));
        }
        return Some(compared(&resolved(call), "true", "", Strength::Kind, false));
    }
    // `(err != nil) != (want != nil)`: whether there is one.
    if let Some((inner, _)) = condition.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
        let asked = [" != nil", " == nil"].iter().find_map(|end| inner.strip_suffix(end));
        if let Some(value) = asked {
            return Some(compared(&resolved(value), "nil as wanted", "", Exists, true));
        }
    }
    for (sign, matcher) in
        [("!=", "=="), ("==", "!="), (">=", "<"), ("<=", ">"), (" > ", "<="), (" < ", ">=")]
    {
        let Some((left, right)) = condition.split_once(sign) else { continue };
        let (left, right) = sides(&resolved(left), &resolved(right));
        if right == "nil" {
            let is_error = left.to_lowercase().contains("err") || left.contains('(');
            let strength = if sign == "!=" && !is_error { Exact } else { Exists };
            return Some(compared(&left, "nil", "", strength, sign != "!="));
        }
        let strength = match sign {
            "!=" => Exact,
            "==" => Exists,
            _ => Partial,
        };
        return Some(compared(&left, matcher, &right, strength, false));
    }
    if SAME.iter().any(|head| condition.starts_with(head)) {
        return Some(compared(condition, "!=", "", Exists, false));
    }
    // `if store.Has("a")` fails where it is so.
    is_call(condition).then(|| compared(&resolved(condition), "true", "", Strength::Kind, true))
}

/// A value that is compared with `true` or `false`, and whether the test fails unless it is true: `got != true` is `!got`.
fn truth(condition: &str) -> Option<(&str, bool)> {
    let (sign, (left, right)) =
        ["!=", "=="].iter().find_map(|sign| Some((*sign, condition.split_once(sign)?)))?;
    let (left, right) = (left.trim(), right.trim());
    let (value, constant) = if matches!(left, "true" | "false") { (right, left) } else { (left, right) };
    let is_wanted = match constant {
        "true" => sign == "!=",
        "false" => sign == "==",
        _ => return None,
    };
    Some((value, is_wanted))
}

/// Whether a condition is a name or a call, and no comparison.
fn is_call(condition: &str) -> bool {
    let mut depth = 0i32;
    let is_plain = condition.chars().all(|c| {
        depth += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        depth > 0 || c.is_alphanumeric() || matches!(c, '_' | '.' | ')' | ']' | '}')
    });
    is_plain && condition.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// The value that is asserted about, and what it is compared with.
fn sides(left: &str, right: &str) -> (String, String) {
    let is_wanted = |text: &str| {
        let last = text.rsplit('.').next().unwrap_or(text).to_lowercase();
        last.starts_with("want")
            || last.starts_with("exp")
            || text.starts_with(['"', '`', '\''])
            || text.starts_with(|c: char| c.is_ascii_digit())
    };
    let (left, right) = (left.trim().to_owned(), right.trim().to_owned());
    if is_wanted(&left) && !is_wanted(&right) { (right, left) } else { (left, right) }
}

/// `len(rows) == 0` fails where there are none.
fn refinement_of(found: AssertionClaim) -> AssertionClaim {
    if found.matcher == "!="
        && found.expected == "0"
        && let Some(subject) = refinement::measured(&found.subject)
    {
        return compared(subject, refinement::FILLED, "", Exists, false);
    }
    found
}

/// The arguments of a call, from behind its opening parenthesis.
fn arguments_of(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut all) = (0i32, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => {
                all.extend(text.get(from..at).map(str::trim).filter(|it| !it.is_empty()));
                return all;
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                all.extend(text.get(from..at).map(str::trim));
                from = at + 1;
            }
            _ => {}
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::outline_of;

    #[test]
    fn branches_that_fail_claim_the_opposite() {
        let of = |line: &str| {
            let source = format!(
                "package a\nfunc TestA(t *testing.T) {{\n\t{line} {{\n\t\tt.Errorf(\"no\")\n\t}}\n}}\n"
            );
            outline_of("a_test.go", &source).tests[0].assertions[0].claim.clone()
        };
        for (line, subject, strength) in [
            ("if got := f(1); got != 2", "f(1)", Exact),
            ("if want != got", "got", Exact),
            ("if !reflect.DeepEqual(got, want)", "got", Exact),
            ("if diff := cmp.Diff(want, got); diff != \"\"", "got", Exact),
            (
                "if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Row{}, \"At\")); diff != \"\"",
                "got",
                Partial,
            ),
            ("if !strings.Contains(got, \"a\")", "got", Partial),
            ("if err := open(); err != nil", "open()", Exists),
            ("if err == nil", "err", Exists),
            ("if len(rows) == 0", "rows", Exists),
            ("if got < 3", "got", Partial),
            ("if !errors.Is(err, ErrFull)", "err", Exact),
            ("if got := f(1); got != true", "f(1)", Strength::Kind),
            ("if f(1) == false", "f(1)", Strength::Kind),
            ("if got := f(1); got == true", "f(1)", Strength::Kind),
            ("if f(1)", "f(1)", Strength::Kind),
        ] {
            let claim = of(line);
            assert_eq!(
                (claim.subject.as_str(), claim.strength),
                (subject, Some(strength)),
                "{line}: {claim:?}"
            );
        }
    }
}
