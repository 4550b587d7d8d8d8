//! What tests ask for that the change has taken away: names that nothing defines any more, and files that are gone.
//!
//! An old test that asks for such a thing can't be held against the new source: it was renamed, moved or removed.

use std::collections::{BTreeMap, BTreeSet};

use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::languages::{definitions, file_name};
use crate::proof::deciding::Role;
use crate::proof::work::Changed;

/// How a line begins that imports something.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "require", "const ", "let ", "var ", "export ", "mod ", "#include", "\""];
/// Larger tests are not looked through for renames, in words.
const MOST_WORDS: usize = 20_000;

/// What is gone, and what is new.
#[derive(Debug, Clone, Default)]
pub struct Subjects {
    gone: BTreeSet<String>,
    added: BTreeSet<String>,
    gone_files: BTreeSet<String>,
    added_files: BTreeSet<String>,
}

impl Subjects {
    /// Of the changed sources.
    pub fn of(changed: &[Changed], roles: &[Role]) -> Subjects {
        let (mut old, mut new) = (BTreeSet::new(), BTreeSet::new());
        let mut subjects = Subjects::default();
        let sources =
            changed.iter().zip(roles).filter(|(_, role)| matches!(role, Role::Source | Role::OwnTests));
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
        let names = self.renames(&imports, new);
        let mut text = String::with_capacity(imports.len());
        for piece in pieces(&imports) {
            text.push_str(names.get(piece).map_or(piece, String::as_str));
        }
        (text != old).then_some(text)
    }

    fn renames(&self, old: &str, new: &str) -> BTreeMap<String, String> {
        let (old, new): (Vec<&str>, Vec<&str>) = (words(old).collect(), words(new).collect());
        let mut found: BTreeMap<String, String> = BTreeMap::new();
        if old.len() > MOST_WORDS || new.len() > MOST_WORDS {
            return found;
        }
        let mut unsure = BTreeSet::new();
        for op in capture_diff_slices(Algorithm::Patience, &old, &new) {
            let DiffOp::Replace { old_index, old_len, new_index, new_len } = op else { continue };
            if old_len != new_len {
                continue;
            }
            let pairs = old.iter().skip(old_index).take(old_len).zip(new.iter().skip(new_index));
            for (from, to) in pairs {
                let is_renamed = (self.gone.contains(*from) && self.added.contains(*to))
                    || (self.gone_files.contains(*from) && self.added_files.contains(*to));
                if is_renamed
                    && found.insert((*from).to_owned(), (*to).to_owned()).is_some_and(|was| was != *to)
                {
                    unsure.insert((*from).to_owned());
                }
            }
        }
        found.retain(|from, _| !unsure.contains(from));
        found
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
    pieces(text).filter(|piece| {
        piece.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proof::work::Content;

    fn changed(path: &str, old: Option<&str>, new: Option<&str>) -> Changed {
        let content = |text: &str| Content { bytes: text.as_bytes().to_vec(), executable: false };
        Changed { path: path.to_owned(), old: old.map(content), new: new.map(content) }
    }

    #[test]
    fn a_renamed_function_is_asked_for_under_its_new_name_and_nothing_else_changes() {
        let source = changed(
            "calc.py",
            Some("def add(a, b):\n    return a + b\n"),
            Some("def plus(a, b):\n    return a + b\n"),
        );
        let subjects = Subjects::of(&[source], &[Role::Source]);
        let old = "from calc import add\n\ndef test_adds():\n    assert add(1, 2) == 3\n";
        let bent = "from calc import plus\n\ndef test_adds():\n    assert plus(1, 2)\n";
        assert_eq!(subjects.asked_by(old).as_deref(), Some("add"));
        let renamed = subjects.renamed(old, bent).unwrap();
        assert_eq!(renamed, "from calc import plus\n\ndef test_adds():\n    assert plus(1, 2) == 3\n");
    }

    #[test]
    fn a_moved_file_is_imported_from_its_new_place_and_a_mock_is_not() {
        let moved = [
            changed("lib/cart.js", Some("exports.add = 1;\n"), None),
            changed("lib/shop/basket.js", None, Some("exports.add = 1;\n")),
        ];
        let subjects = Subjects::of(&moved, &[Role::Source, Role::Source]);
        let old = "const { add } = require('../lib/cart');\ntest('a', () => {});\n";
        let new = "const { add } = require('../lib/shop/basket');\ntest('a', () => {});\n";
        assert_eq!(subjects.asked_by(old).as_deref(), Some("cart"));
        assert_eq!(subjects.renamed(old, new).as_deref(), Some(new));
        let mock = "const { add } = require('./fake');\ntest('a', () => {});\n";
        assert_eq!(subjects.renamed(old, mock), None);
    }
}
