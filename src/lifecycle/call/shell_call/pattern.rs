//! The shell's patterns for names.

use std::path::{Path, PathBuf};

/// Whether a name is a pattern.
pub(crate) fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?', '['])
}

/// The folder above the first name of a path that is a pattern.
pub(crate) fn above_patterns(path: &Path) -> PathBuf {
    path.components().take_while(|part| !is_pattern(&part.as_os_str().to_string_lossy())).collect()
}

/// `*`, `?` and `[…]` in one name.
#[derive(Debug)]
pub(crate) struct GlobPattern {
    letters: Vec<char>,
}

impl GlobPattern {
    pub(crate) fn new(text: &str) -> GlobPattern {
        GlobPattern { letters: text.chars().collect() }
    }

    /// Whether it means hidden files.
    pub(crate) fn begins_with_dot(&self) -> bool {
        self.letters.first() == Some(&'.')
    }

    /// Whether a name fits, without backtracking over more than the last star.
    pub(crate) fn matches(&self, name: &str) -> bool {
        let pattern = &self.letters;
        let name: Vec<char> = name.chars().collect();
        let (mut at, mut here) = (0, 0);
        let mut star: Option<(usize, usize)> = None;
        while here < name.len() {
            let step = match pattern.get(at) {
                Some('*') => {
                    star = Some((at, here));
                    at += 1;
                    continue;
                }
                Some('?') => Some(1),
                Some('[') => class(pattern, at, name.get(here).copied()),
                Some(letter) if name.get(here) == Some(letter) => Some(1),
                _ => None,
            };
            match (step, star) {
                (Some(length), _) => {
                    at += length;
                    here += 1;
                }
                (None, Some((star_at, from))) => {
                    star = Some((star_at, from + 1));
                    at = star_at + 1;
                    here = from + 1;
                }
                (None, None) => return false,
            }
        }
        pattern.iter().skip(at).all(|letter| *letter == '*')
    }
}

/// The length of a class in the pattern if it holds the letter.
fn class(pattern: &[char], at: usize, letter: Option<char>) -> Option<usize> {
    let letter = letter?;
    let end = pattern.iter().skip(at + 2).position(|sign| *sign == ']')? + at + 2;
    let inside = pattern.get(at + 1..end)?;
    let (negated, inside) = match inside {
        ['!' | '^', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut holds = false;
    let mut index = 0;
    while let Some(first) = inside.get(index) {
        match (inside.get(index + 1), inside.get(index + 2)) {
            (Some('-'), Some(last)) => {
                holds |= (*first..=*last).contains(&letter);
                index += 3;
            }
            _ => {
                holds |= *first == letter;
                index += 1;
            }
        }
    }
    (holds != negated).then_some(end + 1 - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_names() {
        for (pattern, name, expected) in [
            ("*.ts", "a.ts", true),
            ("*.ts", "a.tsx", false),
            ("a?c", "abc", true),
            ("*a*b*", "xxaxxbxx", true),
            ("[a-c]x", "bx", true),
            ("[!a-c]x", "bx", false),
            ("[", "[", false),
            ("*", "", true),
            ("", "", true),
        ] {
            assert_eq!(GlobPattern::new(pattern).matches(name), expected, "{pattern} {name}");
        }
    }
}
