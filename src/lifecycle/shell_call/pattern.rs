//! The shell's patterns, expanded on the disk within bounds.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::place::MOST_ENTRIES;

/// What a pattern names on the disk.
pub(super) fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    let mut looked = 0usize;
    for component in pattern.components() {
        let name = component.as_os_str().to_string_lossy();
        let is_pattern = matches!(component, Component::Normal(_)) && name.contains(['*', '?', '[']);
        let mut next = Vec::new();
        for folder in found {
            match is_pattern {
                false => next.push(folder.join(component)),
                true if name == "**" => next.extend(folders_below(folder, &mut looked)),
                true => next.extend(matching(&folder, &name, &mut looked)),
            }
        }
        found = next;
    }
    found.retain(|path| path.symlink_metadata().is_ok());
    found
}

fn matching(folder: &Path, pattern: &str, looked: &mut usize) -> Vec<PathBuf> {
    let hidden = pattern.starts_with('.');
    let mut names: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        *looked += 1;
        if *looked > MOST_ENTRIES {
            break;
        }
        let name = entry.file_name();
        let text = name.to_string_lossy();
        if (hidden || !text.starts_with('.')) && matches_pattern(pattern, &text) {
            names.push(folder.join(&name));
        }
    }
    names.sort();
    names
}

/// A folder and all folders below it, but for what tools make.
fn folders_below(folder: PathBuf, looked: &mut usize) -> Vec<PathBuf> {
    let mut folders = vec![folder];
    let mut index = 0;
    while let Some(folder) = folders.get(index).cloned() {
        index += 1;
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            *looked += 1;
            if *looked > MOST_ENTRIES {
                return folders;
            }
            let name = entry.file_name();
            let skipped = name == ".git" || name == "node_modules";
            if !skipped && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(folder.join(name));
            }
        }
    }
    folders
}

/// `*`, `?` and `[…]` in one name, without backtracking over more than the last star.
pub(super) fn matches_pattern(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
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
            Some('[') => class(&pattern, at, name.get(here).copied()),
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
            assert_eq!(matches_pattern(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn patterns_expand_on_the_disk() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for name in ["a.ts", "b.ts", "src/c.ts", "src/deep/d.ts", ".hidden.ts", "x.rs"] {
            fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
            fs::write(root.join(name), "").unwrap();
        }
        assert_eq!(expand(&root.join("*.ts")), [root.join("a.ts"), root.join("b.ts")]);
        assert_eq!(expand(&root.join("src/**/*.ts")), [root.join("src/c.ts"), root.join("src/deep/d.ts")]);
        assert!(expand(&root.join("*.py")).is_empty());
    }
}
