//! Whether a change takes lines out of validation code: a risk class, not a finding.
//!
//! A line belongs to validation when one of its identifiers begins with a word of validation (`validateEmail`,
//! `sanitize_html`, `requireNonNull`) and is called, or when it is a guard that throws. Text in strings and comments
//! does not count, nor does a line that only moved.

use std::collections::HashMap;

use crate::languages::differing::DifferingMiddle;

/// First words of identifiers that check or clean input.
const WORDS: &[&str] = &[
    "validate",
    "validator",
    "validation",
    "sanitize",
    "sanitise",
    "sanitizer",
    "escape",
    "authorize",
    "authorise",
    "authenticate",
    "verify",
    "ensure",
    "require",
];
/// Whole identifiers that begin like validation and are none.
const NOT_VALIDATION: &[&str] =
    &["require", "requires", "required", "requireActual", "verify", "escape", "ensure_ascii"];

/// Whether lines of validation code in `before` are neither in `after` nor replaced by as many.
pub fn lines_lost(before: &str, after: &str) -> bool {
    let DifferingMiddle { before, after, .. } = DifferingMiddle::of(before, after);
    let mut kept: HashMap<&str, i64> = HashMap::new();
    for line in after.lines() {
        *kept.entry(line.trim()).or_default() += 1;
    }
    let mut removed = 0i64;
    for line in before.lines() {
        let line = line.trim();
        match kept.get_mut(line).filter(|count| **count > 0) {
            Some(count) => *count -= 1,
            None => removed += i64::from(is_validation(line)),
        }
    }
    let added: i64 =
        kept.iter().filter(|(line, count)| **count > 0 && is_validation(line)).map(|(_, count)| *count).sum();
    removed > added
}

/// Whether lines of validation code differ, be it in their words alone: a guard of several lines counts whole.
pub fn lines_touched(before: &str, after: &str) -> bool {
    let middle = DifferingMiddle::of(before, after);
    let old = validating(with_neighbours(before, middle.before, middle.start));
    let new = validating(with_neighbours(after, middle.after, middle.start));
    old.iter().any(|(line, count)| new.get(line) != Some(count))
        || new.iter().any(|(line, count)| old.get(line) != Some(count))
}

/// A part of a text, with the last line before it and the first after it that hold something.
fn with_neighbours<'t>(text: &'t str, part: &str, start: usize) -> &'t str {
    let (above, rest) = text.split_at(start);
    let from = above.trim_end().rfind('\n').map_or(0, |at| at + 1);
    let below = rest.get(part.len()..).unwrap_or_default();
    let blank = below.len() - below.trim_start().len();
    let next = below.get(blank..).unwrap_or_default();
    let to = text.len() - next.len() + next.find('\n').unwrap_or(next.len());
    text.get(from..to).unwrap_or(text)
}

/// The lines of validation code, and how often each is there.
fn validating(text: &str) -> HashMap<&str, usize> {
    let mut counts = HashMap::new();
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    while let Some(line) = lines.next() {
        let opens = ["if ", "if(", "unless ", "guard "].iter().any(|word| line.starts_with(word));
        let refusal = lines.peek().filter(|next| opens && refuses(next));
        if refusal.is_some() || is_validation(line) {
            *counts.entry(line).or_default() += 1;
            refusal.into_iter().for_each(|next| *counts.entry(next).or_default() += 1);
        }
    }
    counts
}

/// Whether a line leaves with an error.
fn refuses(line: &str) -> bool {
    ["throw ", "raise ", "return Err(", "bail!(", "panic(", "abort("]
        .iter()
        .any(|word| line.starts_with(word))
}

fn is_validation(line: &str) -> bool {
    let code = without_strings(line);
    let code = code.trim();
    if code.is_empty()
        || ["//", "#", "*", "/*", "import ", "from ", "use "].iter().any(|c| code.starts_with(c))
    {
        return false;
    }
    is_guard(code) || calls_validator(code)
}

/// `if (!x) throw …`, `if not x: raise …`, `raise … unless x`, on one line.
fn is_guard(code: &str) -> bool {
    let words: Vec<&str> = identifiers(code).map(|(word, _)| word).collect();
    let conditional =
        words.first().is_some_and(|w| matches!(*w, "if" | "unless" | "guard")) || words.contains(&"unless");
    conditional && words.iter().any(|w| matches!(*w, "throw" | "raise" | "abort" | "panic"))
}

fn calls_validator(code: &str) -> bool {
    identifiers(code).any(|(word, rest)| {
        let called = rest.starts_with('(') || rest.starts_with("!(");
        called
            && !NOT_VALIDATION.contains(&word)
            && WORDS.contains(&first_word(word).to_ascii_lowercase().as_str())
    })
}

/// Each identifier with what follows it.
fn identifiers(code: &str) -> impl Iterator<Item = (&str, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut rest = code;
    std::iter::from_fn(move || {
        let start = rest.find(is_part)?;
        let tail = &rest[start..];
        let end = tail.find(|c: char| !is_part(c)).unwrap_or(tail.len());
        let (word, after) = tail.split_at(end);
        rest = after;
        Some((word, after))
    })
}

/// `validateEmail` -> `validate`, `sanitize_html` -> `sanitize`.
fn first_word(identifier: &str) -> &str {
    let identifier = identifier.trim_start_matches(['_', '$']);
    let end = identifier
        .char_indices()
        .skip(1)
        .find(|(_, c)| c.is_uppercase() || *c == '_')
        .map_or(identifier.len(), |(at, _)| at);
    &identifier[..end]
}

fn without_strings(line: &str) -> String {
    let mut code = String::with_capacity(line.len());
    let mut quote = None;
    let mut escaped = false;
    for c in line.chars() {
        match quote {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '"' | '\'' | '`') => quote = Some(c),
            None => code.push(c),
        }
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validation_code_that_is_touched_is_seen() {
        let guard = "if (!user) {\n  throw new Error('no user');\n}\nrun(user);";
        for (before, after, touched) in [
            (guard, guard.replace("!user", "!user && strict"), true),
            (guard, guard.replace("no user", "nobody"), true),
            (guard, guard.replace("run(user)", "run(user, 2)"), false),
            ("validate(form);\nsave(form);", "validate(form, strict);\nsave(form);".to_owned(), true),
            (
                "if x < 0 {\n    return Err(Negative);\n}\n",
                "if x < -1 {\n    return Err(Negative);\n}\n".to_owned(),
                true,
            ),
            ("if x:\n    y()\n", "if z:\n    y()\n".to_owned(), false),
            (guard, format!("  {}", guard.replace('\n', "\n  ")), false),
        ] {
            assert_eq!(lines_touched(before, &after), touched, "{before} -> {after}");
        }
    }

    #[test]
    fn only_validation_code_that_goes_is_a_risk() {
        let rows = [
            ("validateEmail(input);\nsave(input);", "save(input);", true),
            ("  if (!token) throw new Error('no token');\nrun();", "run();", true),
            ("if not name: raise ValueError(name)\nx = 1", "x = 1", true),
            ("html = sanitize_html(html)\n", "", true),
            ("raise ArgumentError unless id\n", "\n", true),
            // moved, replaced by as many, or reindented
            ("validateEmail(a);\nb();", "b();\n    validateEmail(a);", false),
            ("validateEmail(a);", "validateEmail(a, strict);", false),
            // text about validation, imports, look-alikes
            ("// validateEmail(a)\nb();", "b();", false),
            ("log(\"validateEmail(a)\");", "", false),
            ("import { validateEmail } from './v';", "", false),
            ("const x = require('x');", "", false),
            ("const validated = 1;", "", false),
            ("a();", "b();", false),
            ("", "", false),
        ];
        for (before, after, expected) in rows {
            assert_eq!(lines_lost(before, after), expected, "{before:?} -> {after:?}");
        }
    }
}
