//! Product code that a call, or the session before it, has taken away for good: what tests it goes with it.
//!
//! Invariant: code that has another name, another place or another file now is not gone.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::languages::{Language, ParsedSource, Test, bare_lines, is_test_path, subject};
use crate::model::finding::Change;

/// So many lines above a function may say that it will go.
const ABOVE: usize = 8;
/// So much of some code stands anywhere after: it has moved.
const MOVED: f32 = 0.5;

/// What is gone for good.
#[derive(Debug, Default)]
pub struct LostCode {
    files: Vec<LostFile>,
    functions: Vec<LostFunction>,
}

#[derive(Debug)]
struct LostFile {
    path: String,
    about: String,
    /// Whether its tests, if it had some, stood beside the code that they are about.
    has_both: bool,
}

#[derive(Debug)]
struct LostFunction {
    path: String,
    name: String,
    /// Whether it was marked as one that is to go.
    announced: bool,
}

impl LostCode {
    /// What `changes` together take away. Of what was there before, `start` is asked first: a file as it was when the
    /// session began. `functions` are those of the text of the file at a path.
    pub fn of<'c>(
        changes: &[&'c Change],
        start: impl Fn(&str) -> Option<&'c str>,
        functions: impl Fn(&str, &str) -> Vec<(String, String)>,
    ) -> LostCode {
        let before_of = |change: &&'c Change| start(&change.path).or(change.before.as_deref());
        // How often each line stood there, and how often it stands there now.
        let mut lines: HashMap<u64, (usize, usize)> = HashMap::new();
        let mut subjects = HashSet::new();
        for change in changes {
            before_of(change)
                .into_iter()
                .flat_map(bare_lines)
                .for_each(|it| lines.entry(it).or_default().0 += 1);
            let Some(after) = change.after.as_deref() else { continue };
            bare_lines(after).for_each(|line| lines.entry(line).or_default().1 += 1);
            if is_product(&change.path) {
                subjects.insert(subject(&change.path));
            }
        }
        let is_away = |text: &str| {
            let all: Vec<u64> = bare_lines(text).collect();
            let is_kept = |line: &&u64| lines.get(line).is_some_and(|(before, after)| after >= before);
            let kept = all.iter().filter(is_kept).count();
            // Of code that says next to nothing nobody knows whether it has moved.
            (kept as f32) < all.len() as f32 * MOVED
        };
        // Where every line is kept nothing is away, and the code need not be read.
        let is_less = |text: &&str| {
            bare_lines(text).any(|line| lines.get(&line).is_some_and(|(before, after)| after < before))
        };
        let mut gone = LostCode::default();
        for change in changes.iter().filter(|change| is_product(&change.path)) {
            let Some(before) = before_of(change).filter(is_less) else { continue };
            let about = subject(&change.path);
            let all = functions(&change.path, before);
            if change.after.is_none() && !subjects.contains(&about) && is_away(before) {
                let has_both = Language::of_path(&change.path) == Some(Language::Rust) && !all.is_empty();
                gone.files.push(LostFile { path: change.path.clone(), about, has_both });
            }
            let lost = all.into_iter().filter(|(_, body)| is_away(body));
            let function = |(name, body): (String, String)| LostFunction {
                path: change.path.clone(),
                name,
                announced: is_announced(before, &body),
            };
            gone.functions.extend(lost.map(function));
        }
        gone.keep_out_named(changes, functions);
        gone
    }

    /// A function that has its name anywhere after is not gone.
    fn keep_out_named(
        &mut self,
        changes: &[&Change],
        functions: impl Fn(&str, &str) -> Vec<(String, String)>,
    ) {
        let mut names: HashSet<String> = HashSet::new();
        for change in changes.iter().filter(|change| is_product(&change.path)) {
            let Some(after) = change.after.as_deref() else { continue };
            if self.functions.iter().any(|function| after.contains(&function.name)) {
                names.extend(functions(&change.path, after).into_iter().map(|(name, _)| name));
            }
        }
        self.functions.retain(|function| !names.contains(&function.name));
    }

    /// Whether the file that the tests at `path` are about is gone.
    pub fn has_file_of(&self, path: &str) -> bool {
        let about = subject(path);
        self.files.iter().any(|file| file.about == about && (file.path != path || file.has_both))
    }

    /// Whether a function that the test at `path` calls is gone.
    pub fn has_subject_of(&self, path: &str, test: &Test) -> bool {
        self.of_tests_at(path).any(|function| test.body.mentions(&function.name))
    }

    /// Whether a function that an assertion at `path` names is gone.
    pub fn is_named_by(&self, path: &str, assertion: &str) -> bool {
        let mut words = assertion.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| self.of_tests_at(path).any(|function| function.name == word))
    }

    /// Functions that tests at `path` can mean: of the same file, of the file that they are about, marked as such that
    /// will go, or with a name that is hardly another's.
    fn of_tests_at<'g>(&'g self, path: &str) -> impl Iterator<Item = &'g LostFunction> {
        let about = subject(path);
        self.functions.iter().filter(move |function| {
            function.path == path
                || subject(&function.path) == about
                || function.announced
                || is_telling(&function.name)
        })
    }
}

/// Whether what stands above a function says that it will go, up to a blank line.
fn is_announced(text: &str, body: &str) -> bool {
    let Some(above) = text.find(body).and_then(|at| text.get(..at)) else { return false };
    let own = above.lines().rev().take(ABOVE).take_while(|line| !line.trim().is_empty());
    own.into_iter().any(|line| line.to_lowercase().contains("deprecated"))
}

/// Whether a name is of several words.
fn is_telling(name: &str) -> bool {
    let inner = name.trim_matches('_');
    let capital = inner.chars().skip(1).any(char::is_uppercase) && inner.chars().any(char::is_lowercase);
    inner.len() >= 6 && (inner.contains('_') || capital)
}

/// Rust keeps tests in the files of the code; elsewhere a test's file holds none of it.
fn is_product(path: &str) -> bool {
    !is_test_path(path)
}

/// Words before the name of a type.
const TYPES: &[&str] =
    &["class", "struct", "enum", "interface", "trait", "protocol", "record", "object", "actor", "type"];
/// Words that may stand in front of those.
const BEFORE_TYPES: &[&str] = &[
    "pub",
    "pub(crate)",
    "pub(super)",
    "export",
    "default",
    "public",
    "internal",
    "private",
    "abstract",
    "final",
    "sealed",
    "open",
    "data",
    "static",
    "readonly",
    "partial",
    "declare",
    "protected",
    "fileprivate",
    "inline",
];
/// So many lines of a type say whether it has moved.
const TELLING_LINES: usize = 40;

/// The types that a text defines, each with its first lines.
fn types(text: &str) -> Vec<(String, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut all = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut words = line.split_whitespace().skip_while(|word| BEFORE_TYPES.contains(word));
        let name = words.next().filter(|word| TYPES.contains(word)).and_then(|_| words.next());
        let name = name.and_then(|it| it.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        let Some(name) = name.filter(|it| it.starts_with(char::is_uppercase)) else { continue };
        let rest = lines.iter().skip(at + 1).take(TELLING_LINES);
        let inside = rest.take_while(|it| it.trim().is_empty() || indent(it) > indent(line));
        let body = std::iter::once(line).chain(inside).copied().collect::<Vec<_>>().join("\n");
        all.push((name.to_owned(), body));
    }
    all
}

/// The functions and types of the file at `path` with their bodies, those of its tests left out.
pub(crate) fn functions(path: &str, text: &str, reading: &ParsedSource) -> Vec<(String, String)> {
    let Some(code) = reading.code() else { return Vec::new() };
    let is_rust = Language::of_path(path) == Some(Language::Rust);
    let end = if is_rust { text.find("#[cfg(test)]") } else { None };
    let all = code.functions.iter().filter(|it| end.is_none_or(|end| it.span.start < end));
    let body = |range: Range<usize>| text.get(range).unwrap_or_default().to_owned();
    let types = types(text.get(..end.unwrap_or(text.len())).unwrap_or_default());
    let functions =
        all.filter(|it| !it.name.is_empty()).map(|it| (it.name.to_owned(), body(it.body.clone())));
    functions.chain(types).collect()
}
