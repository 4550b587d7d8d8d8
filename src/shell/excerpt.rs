//! Text that a command takes out of files: `cat a b`, `head -n 9 a`, `tail -n +10 a`, `sed -n 4,9p a`.
//!
//! Invariant: a form that is not known whole is no excerpt, so what is written with it stays unknown.

use std::path::{Path, PathBuf};

use super::{Command, Input, Word, resolve};

/// Files, and which of their lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// In the order in which they are printed, absolute.
    pub files: Vec<PathBuf>,
    lines: Lines,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lines {
    All,
    /// From one line to another, from 1; `None` is the last.
    Between(usize, Option<usize>),
    /// So many at the end.
    Last(usize),
}

impl Excerpt {
    /// What a command prints, where that is an excerpt.
    pub(super) fn of(command: &Command) -> Option<Excerpt> {
        let words = command.words.get(1..).filter(|_| !command.remote)?;
        if !words.iter().all(|word| word.known && !word.glob) {
            return None;
        }
        let texts: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
        let (lines, files) = match (command.program(), texts.as_slice()) {
            ("cat", [_, ..]) if texts.iter().all(|text| !text.starts_with('-')) => (Lines::All, words),
            ("head", _) => {
                counted(&texts, words, |count| Some(Lines::Between(1, Some(count.parse().ok()?))))?
            }
            ("tail", _) => counted(&texts, words, |count| match count.strip_prefix('+') {
                Some(from) => Some(Lines::Between(from.parse().ok()?, None)),
                None => Some(Lines::Last(count.parse().ok()?)),
            })?,
            ("sed" | "gsed", ["-n", range, file]) if !file.starts_with('-') => {
                (between(range.strip_suffix('p')?)?, words.get(2..)?)
            }
            _ => return None,
        };
        let directory = command.directory.as_deref()?;
        (command.input == Input::None).then(|| Excerpt { files: paths(files, directory), lines })
    }

    /// Its text; `None` when a file's is not known.
    pub fn read(&self, mut text_of: impl FnMut(&Path) -> Option<String>) -> Option<String> {
        let texts: Option<Vec<String>> = self.files.iter().map(|file| text_of(file)).collect();
        let text = texts?.concat();
        let all: Vec<&str> = text.split_inclusive('\n').collect();
        let (from, to) = match self.lines {
            Lines::All => return Some(text),
            Lines::Between(from, to) => (from.saturating_sub(1), to.unwrap_or(all.len())),
            Lines::Last(count) => (all.len().saturating_sub(count), all.len()),
        };
        Some(all.get(from.min(all.len())..to.clamp(from.min(all.len()), all.len()))?.concat())
    }
}

/// `-n 9 file`, `-n9 file` and `-9 file`, of one file.
fn counted<'w>(
    texts: &[&str],
    words: &'w [Word],
    lines: impl Fn(&str) -> Option<Lines>,
) -> Option<(Lines, &'w [Word])> {
    let (count, file) = match texts {
        ["-n" | "--lines", count, _] => (*count, 2),
        [option, _] => (option.strip_prefix("-n").or_else(|| option.strip_prefix('-'))?, 1),
        _ => return None,
    };
    Some((lines(count)?, words.get(file..)?))
}

/// `4`, `4,9` and `4,$`.
fn between(range: &str) -> Option<Lines> {
    let (from, to) = range.split_once(',').unwrap_or((range, range));
    let to = if to == "$" { None } else { Some(to.parse().ok()?) };
    Some(Lines::Between(from.parse().ok()?, to))
}

fn paths(words: &[Word], directory: &Path) -> Vec<PathBuf> {
    words.iter().map(|word| resolve(directory, &word.text)).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::event::Dialect;

    #[test]
    fn lines_are_taken_as_the_programs_take_them() {
        let rows = [
            ("cat a > n", Some("1\n2\n3\n4\n")),
            ("cat a b > n", Some("1\n2\n3\n4\nx")),
            ("head -n 2 a > n", Some("1\n2\n")),
            ("head -3 a > n", Some("1\n2\n3\n")),
            ("tail -n 1 a > n", Some("4\n")),
            ("tail -n +3 a > n", Some("3\n4\n")),
            ("tail -n+9 a > n", Some("")),
            ("sed -n '2,3p' a > n", Some("2\n3\n")),
            ("sed -n '2,$p' a > n", Some("2\n3\n4\n")),
            ("sed -n 4p a > n", Some("4\n")),
            ("sed -n 9,4p a > n", Some("")),
            ("sed -n /x/p a > n", None),
            ("head -c 9 a > n", None),
            ("cat -n a > n", None),
            ("cat *.js > n", None),
            ("cat unknown > n", None),
            ("cat a | sort > n", None),
            ("ssh host cat a > n", None),
        ];
        for (command, expected) in rows {
            let reading = crate::shell::effects(command, Dialect::Posix, Path::new("/w"), Path::new("/h"));
            let excerpt = reading.effects.into_iter().find_map(|effect| effect.excerpt);
            let text_of = |path: &Path| match path {
                path if path == Path::new("/w/a") => Some("1\n2\n3\n4\n".to_owned()),
                path if path == Path::new("/w/b") => Some("x".to_owned()),
                _ => None,
            };
            let text = excerpt.and_then(|excerpt| excerpt.read(text_of));
            assert_eq!(text.as_deref(), expected, "{command}");
        }
    }
}
