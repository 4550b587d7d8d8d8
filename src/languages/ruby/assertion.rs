//! What asserts in Ruby: minitest's and test-unit's methods, rspec's expectations.

use crate::languages::testing::skip_condition::{constant, holds};

/// Whether a word asserts. `is_dotted` tells a method of something from one of the test's own.
pub(super) fn is_word(word: &str, is_dotted: bool) -> bool {
    if is_dotted {
        return ["must_", "wont_"].iter().any(|it| word.starts_with(it))
            || matches!(word, "should" | "should_not" | "to_not");
    }
    let starts = |list: &[&str]| {
        list.iter().any(|it| word == *it || word.strip_prefix(it).is_some_and(|rest| rest.starts_with('_')))
    };
    starts(&["assert", "refute", "expect", "is_expected", "flunk", "verify", "should"])
}

/// Whether the assertion compares constants that agree.
pub(super) fn is_trivial(code: &str) -> bool {
    let code = code.trim();
    if let Some((subject, matcher)) = code.strip_prefix("expect(").and_then(|rest| rest.split_once(").to ")) {
        let value = matcher.split_once(['(', ' ']).map(|(_, value)| value.trim_end_matches(')').trim());
        let name = matcher.split(['(', ' ']).next().unwrap_or_default();
        return match (name, value) {
            ("eq" | "eql" | "be" | "equal", Some(value)) => is_literal(subject) && value == subject,
            ("be_truthy", _) => constant(subject) == Some(true),
            ("be_falsey" | "be_falsy" | "be_nil", _) => matches!(subject, "false" | "nil"),
            _ => false,
        };
    }
    if let Some((subject, value)) = code.split_once(".must_equal ").or_else(|| code.split_once(".should == "))
    {
        return is_literal(subject.trim()) && value.trim() == subject.trim();
    }
    let name_end = code.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(code.len());
    let (name, rest) = code.split_at(name_end);
    let rest = rest.trim();
    let inside = rest.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(rest).trim();
    let mut values = inside.split(',').map(str::trim);
    let first = values.next().unwrap_or_default();
    match name {
        "assert" | "assert_true" => holds(first),
        "refute" | "assert_false" => constant(first) == Some(false) || first == "nil",
        "assert_equal" | "assert_same" => is_literal(first) && values.next() == Some(first),
        "assert_nil" => first == "nil",
        _ => false,
    }
}

fn is_literal(text: &str) -> bool {
    text.parse::<f64>().is_ok()
        || matches!(text, "true" | "false" | "nil")
        || (text.len() > 1
            && text.starts_with(['"', '\''])
            && text.ends_with(['"', '\''])
            && !text.contains('#'))
        || (text.starts_with(':') && text.chars().skip(1).all(|c| c.is_alphanumeric() || c == '_'))
}
