//! What `${name…}` makes of a value that is known: a piece of it, other letters, a name looked up.

use std::ops::Range;

use regex::Regex;

/// The longest value of which pieces are taken, in bytes.
const LONGEST_VALUE: usize = 4096;

/// The name in `${…}` and what stands behind it. `None` for a length or an element of an array.
pub(crate) fn parts(raw: &str) -> Option<(&str, &str)> {
    let inside = raw.strip_prefix("${")?.strip_suffix('}')?;
    let end = inside.find(|it: char| !it.is_ascii_alphanumeric() && it != '_').unwrap_or(inside.len());
    let (name, rest) = inside.split_at_checked(end)?;
    (!name.is_empty() && !rest.is_empty()).then_some((name, rest))
}

/// The name in `${!name}`.
pub(crate) fn indirect(raw: &str) -> Option<&str> {
    let name = raw.strip_prefix("${!")?.strip_suffix('}')?;
    let is_name = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    (!name.is_empty() && name.bytes().all(is_name)).then_some(name)
}

/// The list and the range in `${@:2}` and `${list[@]:1:2}`.
pub(crate) fn slice(raw: &str) -> Option<(&str, &str)> {
    let inside = raw.strip_prefix("${")?.strip_suffix('}')?;
    let (list, range) = inside.split_once(':')?;
    let name = list.strip_suffix("[@]").or_else(|| list.strip_suffix("[*]"));
    let name = name.or_else(|| matches!(list, "@" | "*").then_some(list))?;
    (!name.is_empty() && !range.starts_with(['-', '=', '?', '+'])).then_some((name, range))
}

/// `1`, `1:2`, ` -2`: a part of so many.
pub(crate) fn range(range: &str, count: usize) -> Option<Range<usize>> {
    let (from, length) = match range.split_once(':') {
        Some((from, length)) => (from, Some(length.trim().parse::<i64>().ok()?)),
        None => (range, None),
    };
    let count = i64::try_from(count).ok()?;
    let from: i64 = from.trim().trim_matches(['(', ')']).parse().ok()?;
    let from = if from < 0 { (count + from).max(0) } else { from.min(count) };
    let end = match length {
        None => count,
        Some(length) if length < 0 => (count + length).max(from),
        Some(length) => from.saturating_add(length).min(count),
    };
    Some(usize::try_from(from).ok()?..usize::try_from(end).ok()?)
}

/// The value after an operator; `None` where that is not known from the letters alone.
pub(crate) fn applied(value: &str, operator: &str) -> Option<String> {
    (value.len() <= LONGEST_VALUE && !operator.contains(['$', '`'])).then_some(())?;
    if let Some(range) = operator.strip_prefix(':') {
        return piece(value, range);
    }
    match operator {
        "@P" | "@Q" => return Some(value.to_owned()),
        "@U" => return Some(value.to_uppercase()),
        "@L" => return Some(value.to_lowercase()),
        ",," => return Some(value.to_lowercase()),
        "^^" => return Some(value.to_uppercase()),
        "," => return first_letter(value, |it| it.to_lowercase().collect()),
        "^" | "@u" => return first_letter(value, |it| it.to_uppercase().collect()),
        _ => {}
    }
    if let Some(pattern) = operator.strip_prefix("##") {
        return without(value, pattern, true, true);
    }
    if let Some(pattern) = operator.strip_prefix("%%") {
        return without(value, pattern, false, true);
    }
    match operator.split_at_checked(1)? {
        ("#", pattern) => without(value, pattern, true, false),
        ("%", pattern) => without(value, pattern, false, false),
        ("/", rest) => replaced(value, rest),
        _ => None,
    }
}

fn first_letter(value: &str, change: impl Fn(char) -> String) -> Option<String> {
    let mut letters = value.chars();
    let first = letters.next().map(change).unwrap_or_default();
    Some(first + letters.as_str())
}

/// `:1`, `:1:2`, `: -2`.
fn piece(value: &str, of: &str) -> Option<String> {
    let letters: Vec<char> = value.chars().collect();
    Some(letters.get(range(of, letters.len())?)?.iter().collect())
}

/// The value without what a pattern fits at its beginning or end.
fn without(value: &str, pattern: &str, at_start: bool, longest: bool) -> Option<String> {
    let pattern = Regex::new(&format!("^(?s:{})$", expression(pattern)?)).ok()?;
    let mut bounds: Vec<usize> = value.char_indices().map(|(at, _)| at).chain([value.len()]).collect();
    // The longest fit at the start ends last, the longest at the end begins first.
    if at_start == longest {
        bounds.reverse();
    }
    for at in bounds {
        let (before, after) = value.split_at_checked(at)?;
        let (taken, left) = if at_start { (before, after) } else { (after, before) };
        if pattern.is_match(taken) {
            return Some(left.to_owned());
        }
    }
    Some(value.to_owned())
}

/// `/pattern/text` once, `//pattern/text` everywhere.
fn replaced(value: &str, rest: &str) -> Option<String> {
    let (all, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
    let (pattern, text) = rest.split_once('/').unwrap_or((rest, ""));
    (!pattern.is_empty() && !pattern.starts_with(['#', '%']) && !pattern.contains('\\')).then_some(())?;
    let pattern = Regex::new(&format!("(?s:{})", expression(pattern)?)).ok()?;
    let text = regex::NoExpand(text);
    Some(match all {
        true => pattern.replace_all(value, text).into_owned(),
        false => pattern.replace(value, text).into_owned(),
    })
}

/// Whether a pattern of the shell fits the whole of a name.
pub(crate) fn fits(name: &str, pattern: &str) -> bool {
    let whole = || Regex::new(&format!("^(?s:{})$", expression(pattern)?)).ok();
    whole().is_some_and(|whole| whole.is_match(name))
}

/// A pattern of the shell as a regular expression.
fn expression(pattern: &str) -> Option<String> {
    let pattern = pattern.replace(['"', '\''], "");
    let mut expression = String::new();
    for letter in pattern.chars() {
        match letter {
            '*' => expression.push_str(".*"),
            '?' => expression.push('.'),
            '[' | ']' | '\\' | '(' => return None,
            other => expression.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    Some(expression)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_give_what_the_shell_gives() {
        for (value, operator, expected) in [
            ("xrm", ":1", "rm"),
            ("xrmx", ":1:2", "rm"),
            ("xrm", ": -2", "rm"),
            ("RM", ",,", "rm"),
            ("Rm", ",", "rm"),
            ("rm", "@P", "rm"),
            ("a.test.js", "%.js", "a.test"),
            ("a.test.js", "%%.*", "a"),
            ("src/deep/a", "##*/", "a"),
            ("src/deep/a", "#*/", "deep/a"),
            ("rXm", "/X", "rm"),
            ("a-b-c", "//-/_", "a_b_c"),
            ("a", "%x", "a"),
        ] {
            assert_eq!(applied(value, operator).as_deref(), Some(expected), "{value} {operator}");
        }
        assert_eq!(applied("a", ":$n"), None);
        assert_eq!((slice("${@:2}"), slice("${a[@]:1:2}")), (Some(("@", "2")), Some(("a", "1:2"))));
        assert_eq!((slice("${@:-x}"), slice("${a:1}")), (None, None));
        assert_eq!((range("1:2", 5), range(" -2", 5), range("$n", 5)), (Some(1..3), Some(3..5), None));
        assert_eq!((parts("${x:1}"), parts("${#x}")), (Some(("x", ":1")), None));
        assert_eq!(indirect("${!name}"), Some("name"));
    }
}
