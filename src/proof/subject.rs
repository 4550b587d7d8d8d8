//! What tests ask for that the change has taken away: names that nothing defines any more, and files that are gone.
//!
//! An old test that asks for such a thing can't be held against the new source: it was renamed, moved or removed.

use std::collections::{BTreeMap, BTreeSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::languages::{definitions, file_name};
use crate::proof::deciding::FileRole;
use crate::proof::work::ChangedFile;

/// How a line begins that imports something.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "require", "const ", "let ", "var ", "export ", "mod ", "#include", "\""];
/// Larger tests are not looked through for renames, in words.
const MOST_WORDS: usize = 20_000;

/// What is gone, and what is new.
#[derive(Debug, Clone, Default)]
pub struct GoneSubjects {
    gone: BTreeSet<String>,
    added: BTreeSet<String>,
    gone_files: BTreeSet<String>,
    added_files: BTreeSet<String>,
}

impl GoneSubjects {
    /// Of the changed sources.
    pub fn of(changed: &[ChangedFile], roles: &[FileRole]) -> GoneSubjects {
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        let mut subjects = GoneSubjects::default();
        let sources = changed
            .iter()
            .zip(roles)
            .filter(|(_, role)| matches!(role, FileRole::Source | FileRole::OwnTests));
        for (one, _) in sources {
            one.old_text().into_iter().for_each(|text| old.extend(definitions(&one.path, text)));
            one.new_text().into_iter().for_each(|text| new.extend(definitions(&one.path, text)));
            let stem = stem(&one.path);
            if one.new.is_none() {
                subjects.gone_files.insert(stem.clone());
            }
            if one.old.is_none() {
                subjects.added_files.insert(stem);
            }
        }
        subjects.gone = old.difference(&new).cloned().collect();
        subjects.added = new.difference(&old).cloned().collect();
        subjects
    }

    /// What of it a test asks for that is gone.
    pub fn asked_by(&self, test: &str) -> Option<String> {
        let words: BTreeSet<&str> = words(test).collect();
        let name = self.gone.iter().find(|name| words.contains(name.as_str())).cloned();
        let file = || {
            let lines = test.lines().map(str::trim);
            let lines = lines.filter(|line| {
                IMPORTS.iter().any(|word| line.starts_with(word)) || line.contains("require(")
            });
            let imported: BTreeSet<&str> = lines.flat_map(self::words).collect();
            self.gone_files.iter().find(|stem| imported.contains(stem.as_str())).cloned()
        };
        name.or_else(file)
    }

    /// The old tests as they ask for what was renamed or moved, where the new tests show it: names one for one, and
    /// imports of a file that is gone. `None` where nothing of that kind is in them.
    pub fn renamed(&self, old: &str, new: &str) -> Option<String> {
        let imports = self.with_imports(old, new);
        let renames = self.renames(&imports, new);
        let mut text = String::with_capacity(imports.len());
        let mut word = 0;
        for piece in pieces(&imports) {
            let renamed = is_word(piece).then(|| renames.of(word, piece)).flatten();
            text.push_str(renamed.unwrap_or(piece));
            word += usize::from(is_word(piece));
        }
        (text != old).then_some(text)
    }

    /// Which words of the old text are others in the new one because what they name is.
    fn renames(&self, old: &str, new: &str) -> Renames {
        let (old, new): (Vec<&str>, Vec<&str>) = (words(old).collect(), words(new).collect());
        let mut renames = Renames::default();
        if old.len() > MOST_WORDS || new.len() > MOST_WORDS {
            return renames;
        }
        let mut unsure = BTreeSet::new();
        for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
            match op {
                DiffOp::Equal { .. } => renames.same.extend(op.old_range()),
                DiffOp::Replace { old_len, new_len, .. } if old_len == new_len => {
                    let was = old.get(op.old_range()).unwrap_or_default();
                    let is = new.get(op.new_range()).unwrap_or_default();
                    for (from, to) in was.iter().zip(is).filter(|(from, to)| self.is_renamed(from, to)) {
                        let known = renames.names.insert((*from).to_owned(), (*to).to_owned());
                        unsure.extend(known.filter(|known| known != to).map(|_| (*from).to_owned()));
                    }
                }
                _ => {}
            }
        }
        renames.names.retain(|from, _| !unsure.contains(from));
        renames
    }

    fn is_renamed(&self, from: &str, to: &str) -> bool {
        (self.gone.contains(from) && self.added.contains(to))
            || (self.gone_files.contains(from) && self.added_files.contains(to))
    }

    /// Imports of files that are gone, as the new text has them, where those name files that are new.
    fn with_imports(&self, old: &str, new: &str) -> String {
        let (before, after): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
        let mut lines: Vec<&str> = Vec::new();
        for op in capture_diff_slices(Algorithm::Patience, &before, &after) {
            let (was, is) = (
                before.get(op.old_range()).unwrap_or_default(),
                after.get(op.new_range()).unwrap_or_default(),
            );
            let are_imports = |lines: &[&str]| {
                !lines.is_empty()
                    && lines.iter().all(|line| IMPORTS.iter().any(|word| line.trim_start().starts_with(word)))
            };
            let names = |lines: &[&str], files: &BTreeSet<String>| {
                lines.iter().flat_map(|line| words(line)).any(|word| files.contains(word))
            };
            let is_moved = are_imports(was)
                && are_imports(is)
                && names(was, &self.gone_files)
                && names(is, &self.added_files);
            lines.extend(if is_moved { is } else { was });
        }
        lines.join("\n") + if old.ends_with('\n') { "\n" } else { "" }
    }
}

/// What is called otherwise in a new text.
#[derive(Default)]
struct Renames {
    names: BTreeMap<String, String>,
    /// The words, by their number, that the new text has as they are: a field may be called like what was renamed.
    same: BTreeSet<usize>,
}

impl Renames {
    fn of(&self, at: usize, word: &str) -> Option<&str> {
        let renamed = self.names.get(word).filter(|_| !self.same.contains(&at));
        renamed.map(String::as_str)
    }
}

/// A file's name without its extension, as imports have it.
fn stem(path: &str) -> String {
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or(name);
    let folder = path.rsplit('/').nth(1).unwrap_or(stem);
    if matches!(stem, "index" | "__init__" | "mod") { folder.to_owned() } else { stem.to_owned() }
}

/// A text in pieces that are names and pieces that are not.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let inside = is_part(first);
        let end = rest.find(|letter: char| is_part(letter) != inside).unwrap_or(rest.len());
        let (piece, left) = rest.split_at(end);
        rest = left;
        Some(piece)
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    pieces(text).filter(|piece| is_word(piece))
}

fn is_word(piece: &str) -> bool {
    piece.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::work::Content;

    fn changed(path: &str, old: Option<&str>, new: Option<&str>) -> ChangedFile {
        let content = |text: &str| Content { bytes: text.as_bytes().to_vec(), executable: false };
        ChangedFile { path: path.to_owned(), old: old.map(content), new: new.map(content) }
    }

    #[test]
    fn a_renamed_function_is_asked_for_under_its_new_name_and_nothing_else_changes() {
        let source = changed(
            "calc.py",
            Some("def add(a, b):\n    return a + b\n"),
            Some("def plus(a, b):\n    return a + b\n"),
        );
        let subjects = GoneSubjects::of(&[source], &[FileRole::Source]);
        // A field that is called like it stays what it is.
        let old = "from calc import add\n\ndef test_adds():\n    assert add(1, 2) == row.add == 3\n";
        let bent = "from calc import plus\n\ndef test_adds():\n    assert plus(1, 2) == row.add\n";
        assert_eq!(subjects.asked_by(old).as_deref(), Some("add"));
        let renamed = subjects.renamed(old, bent).unwrap();
        assert_eq!(
            renamed,
            "from calc import plus\n\ndef test_adds():\n    assert plus(1, 2) == row.add == 3\n"
        );
    }

    #[test]
    fn a_moved_file_is_imported_from_its_new_place_and_a_mock_is_not() {
        let moved = [
            changed("lib/cart.js", Some("exports.add = 1;\n"), None),
            changed("lib/shop/basket.js", None, Some("exports.add = 1;\n")),
        ];
        let subjects = GoneSubjects::of(&moved, &[FileRole::Source, FileRole::Source]);
        let old = "const { add } = require('../lib/cart');\ntest('a', () => {});\n";
        let new = "const { add } = require('../lib/shop/basket');\ntest('a', () => {});\n";
        assert_eq!(subjects.asked_by(old).as_deref(), Some("cart"));
        assert_eq!(subjects.renamed(old, new).as_deref(), Some(new));
        let mock = "const { add } = require('./fake');\ntest('a', () => {});\n";
        assert_eq!(subjects.renamed(old, mock), None);
    }
}
