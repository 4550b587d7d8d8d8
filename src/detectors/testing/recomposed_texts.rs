//! Texts that were written out and are put together now: a template of constant parts, filled with values that have come.
//!
//! `"[a]\nx = 5\n"` is what `format!("[a]\nx = {raw}\n")` makes of `"5"`: the value is given as before.

use crate::detectors::testing::word_edit::{each_word, is_data};
use crate::model::words::is_name_part;

/// Verbs of formats behind `%`.
const VERBS: &[char] = &['s', 'd', 'v', 'q', 'f', 'i', 'x', 'u', '@'];

/// Whether a text is what a template among the lines that have come makes of values among them.
pub(super) fn is_recomposed(word: &str, come: &str) -> bool {
    let inner = word.trim_matches(['"', '\'', '`']);
    if inner.len() < 2 {
        return false;
    }
    let data: Vec<&str> = each_word(come).map(|(_, it)| it).filter(|it| is_data(it)).collect();
    let is_known = |gap: &str| {
        gap.is_empty()
            || data.iter().any(|it| it.trim_matches(['"', '\'', '`']) == gap)
            || each_word(come).any(|(_, it)| it == gap)
    };
    let of_texts = data.iter().filter_map(|it| pieces(it.trim_matches(['"', '\'', '`'])));
    let all: Vec<Vec<String>> = of_texts.chain(come.lines().filter_map(joined)).collect();
    all.iter().any(|parts| {
        let says = parts.iter().any(|part| !part.trim().is_empty());
        says && gaps(inner, parts).is_some_and(|gaps| gaps.into_iter().all(is_known))
    })
}

/// What stands in a text between constant parts, where it has all of them in their order.
fn gaps<'t>(text: &'t str, parts: &[String]) -> Option<Vec<&'t str>> {
    let (first, others) = parts.split_first()?;
    let mut rest = text.strip_prefix(first.as_str())?;
    let mut found = Vec::new();
    for (at, part) in others.iter().enumerate() {
        let is_last = at + 1 == others.len();
        let end = match (is_last, part.is_empty()) {
            (true, _) => rest.strip_suffix(part.as_str())?.len(),
            (false, true) => return None,
            (false, false) => rest.find(part.as_str())?,
        };
        found.push(rest.get(..end)?);
        rest = rest.get(end + part.len()..)?;
    }
    Some(found)
}

/// The constant parts of a template; `None` for a text without a place that is filled.
fn pieces(text: &str) -> Option<Vec<String>> {
    let (mut all, mut part, mut rest) = (Vec::new(), String::new(), text);
    while let Some(c) = rest.chars().next() {
        if let Some(twice) = ["{{", "}}"].iter().find(|it| rest.starts_with(**it)) {
            part.push(c);
            rest = rest.get(twice.len()..)?;
        } else if let Some(length) = place(rest) {
            all.push(std::mem::take(&mut part));
            rest = rest.get(length..)?;
        } else {
            part.push(c);
            rest = rest.get(c.len_utf8()..)?;
        }
    }
    let is_template = !all.is_empty();
    all.push(part);
    is_template.then_some(all)
}

/// How long the place is that a text begins with and that is filled: `{name}`, `${name}`, `#{name}`, `\(name)`, `$name`, `%s`.
fn place(text: &str) -> Option<usize> {
    for (open, close) in [("${", '}'), ("#{", '}'), ("\\(", ')'), ("%{", '}'), ("{", '}')] {
        let Some(inside) = text.strip_prefix(open) else { continue };
        let end = inside.find(close)?;
        let name = inside.get(..end)?;
        // Braces of a document hold more than a name.
        let is_name = !name.contains(['"', '\'', ',', '{']) && name.len() < 40;
        return is_name.then_some(open.len() + end + 1);
    }
    if let Some(rest) = text.strip_prefix('$') {
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        return rest.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(end + 1);
    }
    let rest = text.strip_prefix('%')?;
    let flags = rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | '#')))?;
    rest.get(flags..)?.starts_with(VERBS).then_some(flags + 2)
}

/// The constant parts of texts that a line joins by a sign: `"x = " + raw + "\n"`.
fn joined(line: &str) -> Option<Vec<String>> {
    const JOINING: &[&str] = &["+", ".", ">", "&"];
    let all: Vec<&str> = each_word(line).map(|(_, it)| it).collect();
    let is_text = |word: &str| word.starts_with(['"', '\'', '`']);
    let is_joining = |at: Option<usize>| at.and_then(|at| all.get(at)).is_some_and(|it| JOINING.contains(it));
    let first = all.iter().position(|it| is_text(it))?;
    let last = all.iter().rposition(|it| is_text(it))?;
    let mut parts: Vec<String> = Vec::new();
    if is_joining(first.checked_sub(1)) {
        parts.push(String::new());
    }
    let texts = all.get(first..=last)?.iter().filter(|it| is_text(it));
    parts.extend(texts.map(|it| it.trim_matches(['"', '\'', '`']).to_owned()));
    if is_joining(Some(last + 1)) {
        parts.push(String::new());
    }
    (parts.len() > 1 && all.iter().any(|it| JOINING.contains(it))).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_made_of_a_template_and_values_that_have_come() {
        for (word, come, expected) in [
            (r#""[a]\nx = 5\n""#, r#"parse(&format!("[a]\nx = {raw}\n"))  check("5", 5)"#, true),
            (r#""[a]\nx = 5\n""#, r#"parse(&format!("[a]\nx = {raw}\n"))  check("6", 6)"#, false),
            (r#""/users/7/edit""#, "get(`/users/${id}/edit`) open(7)", true),
            (r#""hello Ida!""#, "\"hello \" + name + \"!\"\ngreet(\"Ida\")", true),
            (r#""k=v;""#, r#"fmt.Sprintf("%s=%s;", k, v) with("k", "v")"#, true),
            (r#""{\"kind\": \"csv\"}""#, r#"f"{{\"kind\": \"{kind}\"}}" ask("csv")"#, true),
            (r#""plain""#, r#"say("other")"#, false),
            (r#""tea""#, r#"f"{name}" say("cup")"#, false),
        ] {
            assert_eq!(is_recomposed(word, come), expected, "{word} of {come}");
        }
    }
}
