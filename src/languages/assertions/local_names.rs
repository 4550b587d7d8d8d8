//! Names that a test gives to what it has computed: `total = sum(rows)`, `let total = sum(rows);`.
//!
//! An assertion about such a name is an assertion about what it stands for. A name that is given twice stands for nothing.

use std::collections::HashMap;

/// Longer texts are no test of a few lines.
const LONGEST: usize = 20_000;
/// How often a name stands for another.
const DEEPEST: usize = 3;

/// What the names in a piece of code stand for, without white space.
#[derive(Debug, Default)]
pub struct LocalNames(HashMap<String, Option<String>>);

impl LocalNames {
    /// Reads the text of a test.
    pub fn of(text: &str) -> Self {
        let mut names: HashMap<String, Option<String>> = HashMap::new();
        for line in text.lines().filter(|_| text.len() <= LONGEST) {
            if let Some((name, value)) = assignment(line).filter(|(name, _)| *name != "_") {
                names.entry(name.to_owned()).and_modify(|known| *known = None).or_insert(Some(value));
            }
        }
        LocalNames(names)
    }

    /// A subject with the name that it begins with replaced by what that stands for.
    pub fn resolved(&self, subject: &str) -> String {
        self.steps(subject).pop().unwrap_or_default()
    }

    /// A subject, and what it is with one name after the other replaced by what that stands for.
    pub fn steps(&self, subject: &str) -> Vec<String> {
        let mut current = subject.to_owned();
        let mut all = vec![current.clone()];
        for _ in 0..DEEPEST {
            let end =
                current.find(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').unwrap_or(current.len());
            let (name, rest) = current.split_at(end);
            match self.0.get(name) {
                Some(Some(value)) if !value.starts_with(name) && !rest.starts_with('(') => {
                    current = format!("{value}{rest}");
                    all.push(current.clone());
                }
                _ => break,
            }
        }
        all
    }
}

/// What stands before the first `=` of a line that gives a value to something, and behind it.
pub(crate) fn assigned(line: &str) -> Option<(&str, &str)> {
    line.char_indices().find_map(|(at, c)| {
        let (left, right) = (line.get(..at)?, line.get(at + 1..)?);
        let is_plain = c == '='
            && !right.starts_with(['=', '>', '~'])
            && !left.ends_with(['=', '!', '<', '>', '+', '-', '*', '/', '|', '&', '?']);
        is_plain.then_some((left, right))
    })
}

/// A value without the call that only asks that it is there, and hands it on.
fn unwrapped(value: &str) -> &str {
    const ASKING: &[&str] = &[
        "#require(",
        "XCTUnwrap(",
        "requireNotNull(",
        "checkNotNull(",
        "assertNotNull(",
        "Objects.requireNonNull(",
    ];
    let inside = ASKING.iter().find_map(|call| value.strip_prefix(call)?.strip_suffix(')'));
    inside.filter(|it| it.matches('(').count() == it.matches(')').count()).unwrap_or(value)
}

/// The name and the value of a line that gives a name.
fn assignment(line: &str) -> Option<(&str, String)> {
    let (left, value) = assigned(line.trim().trim_end_matches(';'))?;
    let (left, value) = (left.trim_end().trim_end_matches(':'), value.trim());
    // `x: int = 3`, `let x: u8 = 3`.
    let left = left.split(':').next().unwrap_or(left).trim();
    // `got, err := f()` gives the first of both.
    let is_several =
        left.contains(',') && left.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ',' | ' '));
    let left =
        if is_several { left.split(',').map(str::trim).find(|it| *it != "_").unwrap_or(left) } else { left };
    let name = left.rsplit(char::is_whitespace).next()?;
    let is_name = !name.is_empty()
        && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
        && !name.starts_with(|c: char| c.is_ascii_digit());
    let is_declared = left.split_whitespace().count() <= 4
        && left.chars().all(|c| {
            c.is_alphanumeric()
                || c.is_whitespace()
                || matches!(c, '_' | '$' | '<' | '>' | '*' | '&' | '?' | '[' | ']')
        });
    let value = ["await ", "try await ", "try ", "try! "]
        .iter()
        .find_map(|head| value.strip_prefix(head))
        .unwrap_or(value);
    let value = unwrapped(value);
    let is_whole = !value.is_empty()
        && value.matches('(').count() == value.matches(')').count()
        && !value.ends_with(['{', '(', '[', ',', '\\']);
    (is_name && is_declared && is_whole)
        .then(|| (name, value.chars().filter(|c| !c.is_whitespace()).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_values() {
        let names =
            LocalNames::of("a = f(1)\nlet b = a.next();\nvar c := g(2)\nx = 1\nx = 2\nassert a == 3\n");
        assert_eq!(names.resolved("a"), "f(1)");
        assert_eq!(names.resolved("b.size"), "f(1).next().size");
        assert_eq!(names.resolved("c"), "g(2)");
        assert_eq!(names.resolved("x"), "x");
        assert_eq!(names.resolved("a(3)"), "a(3)");
        assert_eq!(LocalNames::of("final var total = await cart.total();").resolved("total"), "cart.total()");
    }
}
