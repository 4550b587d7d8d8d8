//! Names of files below a folder, and regular expressions for names as the patterns that a shell has for the same names.

use crate::shell::model::Word;

/// The most names that one expression may stand for.
const MOST_NAMES: usize = 32;

/// The files of these names anywhere below a root, or all of the root where no name is chosen.
pub(crate) fn below(root: Word, names: &[String]) -> Vec<Word> {
    if names.is_empty() {
        return vec![root];
    }
    let folder = root.text.trim_end_matches('/');
    let named = |name: &String| Word {
        text: format!("{folder}/**/{name}"),
        glob: true,
        below: false,
        ..root.clone()
    };
    names.iter().map(named).collect()
}

/// The pattern of a shell for an expression that a whole path must fit, where that has one.
pub(crate) fn of_whole_regex(expression: &str) -> Option<String> {
    let inside = expression.strip_prefix('^').unwrap_or(expression);
    translated(inside.strip_suffix('$').unwrap_or(inside))
}

/// The patterns of a shell for an expression that a part of a name must fit: `^(a|b)$`, `\.js$`, `test`.
pub(crate) fn of_regex(expression: &str) -> Option<Vec<String>> {
    let (before, inside, after) = match expression.split_once('(') {
        Some((before, rest)) => {
            let (inside, after) = rest.rsplit_once(')')?;
            (before, inside.strip_prefix("?:").unwrap_or(inside), after)
        }
        None => ("", expression, ""),
    };
    let several = |text: &str| text.contains(['(', ')']);
    if several(inside)
        || several(after)
        || before.ends_with('\\')
        || before.contains('|')
        || after.contains('|')
    {
        return None;
    }
    let branches: Vec<&str> = inside.split('|').collect();
    (branches.len() <= MOST_NAMES).then_some(())?;
    branches.iter().map(|branch| of_a_branch(&format!("{before}{branch}{after}"))).collect()
}

/// One branch, with a `*` at each end that is not held.
fn of_a_branch(branch: &str) -> Option<String> {
    let (start, rest) = branch.strip_prefix('^').map_or(("*", branch), |rest| ("", rest));
    let is_held = rest.ends_with('$') && !rest.ends_with("\\$");
    let (rest, end) = if is_held { (rest.get(..rest.len() - 1)?, "") } else { (rest, "*") };
    Some(format!("{start}{}{end}", translated(rest)?).replace("**", "*"))
}

/// The letters of an expression. A dot among letters is meant as a dot by whoever writes a name.
fn translated(expression: &str) -> Option<String> {
    let mut pattern = String::new();
    let mut letters = expression.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '.' if letters.next_if_eq(&'*').is_some() => pattern.push('*'),
            '.' if letters.next_if_eq(&'+').is_some() => pattern.push_str("?*"),
            '\\' => {
                pattern.push(letters.next().filter(|it| !it.is_alphanumeric() && !"(|)*?[".contains(*it))?)
            }
            '*' | '+' | '?' | '{' | '}' | '[' | ']' | '(' | ')' | '|' | '^' | '$' => return None,
            other => pattern.push(other),
        }
    }
    Some(pattern)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_for_names_become_patterns() {
        for (expression, expected) in [
            ("^(__pycache__|.mypy_cache)$", Some(&["__pycache__", ".mypy_cache"][..])),
            (r"\.(js|ts)$", Some(&["*.js", "*.ts"])),
            ("^a$|^b$", Some(&["a", "b"])),
            ("test", Some(&["*test*"])),
            ("^tmp.*", Some(&["tmp*"])),
            (r"\d+", None),
            ("[ab]", None),
            ("a(b(c))", None),
        ] {
            let expected = expected.map(|names| names.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
            assert_eq!(of_regex(expression), expected, "{expression}");
        }
        assert_eq!(of_whole_regex(r"\./a/.*\.js").as_deref(), Some("./a/*.js"));
    }
}
