//! Names that a file defines or brings in, other than as a function, and types that are named no more.

use crate::detectors::engine::revision::Revision;
use crate::languages::Language;
use crate::languages::code::Function;
use crate::model::words::is_name_part;

/// Whether the name is brought in now, or defined once more in another way than it was: as a class, a type or a value.
pub(super) fn is_defined_anew(revision: &Revision, function: &Function) -> bool {
    let own = revision.old.get(function.span.clone()).unwrap_or_default();
    let head =
        revision.old.get(..function.span.start).and_then(|text| text.rsplit('\n').next()).unwrap_or_default();
    let name = function.name;
    let others = definitions(revision.old, name)
        .saturating_sub(definitions(own, name))
        .saturating_sub(definitions(head, name));
    // In Rust a module may have the function's name, and both be used before.
    let is_rust = Language::of_path(&revision.change.path) == Some(Language::Rust);
    let was_imported = is_rust && is_imported(revision.old, name);
    is_imported(revision.new, name) && !was_imported || definitions(revision.new, name) > others
}

/// The places of a name in a text, each with the text before and after it.
fn places<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let all = text.match_indices(name).map(move |(at, _)| (&text[..at], &text[at + name.len()..]));
    all.filter(move |(head, rest)| !head.ends_with(is_part) && !rest.starts_with(is_part))
}

/// Whether an import has the name.
fn is_imported(text: &str, name: &str) -> bool {
    places(text, name).any(|(head, rest)| {
        let line = head.rsplit('\n').next().unwrap_or_default().trim_start();
        let is_import = line.starts_with("import ") || line.starts_with("from ") || line.starts_with("use ");
        // A part of a path, or a name that is left out, is not brought in.
        let is_path = line.matches(['"', '\'']).count() % 2 == 1 || rest.starts_with("::");
        is_import && !is_path && !line.contains("except")
    })
}

/// Words in front of a name that is no function's.
const DEFINING: &[&str] = &[
    "class",
    "struct",
    "enum",
    "type",
    "trait",
    "interface",
    "const",
    "let",
    "var",
    "static",
    "import",
    "as",
    "use",
    "mod",
];

/// How often a text defines a name as something else than a function.
fn definitions(text: &str, name: &str) -> usize {
    let defines = |head: &str| {
        let (line, head) = (head.rsplit('\n').next().unwrap_or_default(), head.trim_end_matches([' ', '\t']));
        let word = head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next();
        // A variable inside of a function is none of this.
        let is_local = word == Some("let") && line.starts_with([' ', '\t']);
        word.is_some_and(|word| DEFINING.contains(&word)) && line.ends_with([' ', '\t']) && !is_local
    };
    places(text, name).filter(|(head, _)| defines(head)).count()
}

/// Whether a text has a mark that is no part of a longer name.
pub(super) fn says(text: &str, mark: &str) -> bool {
    text.match_indices(mark)
        .any(|(at, _)| !mark.starts_with(is_name_part) || !text[..at].ends_with(is_name_part))
}

/// What a function is called that makes a value of its type: others call the type.
const CONSTRUCTORS: &[&str] = &["init", "__init__", "__construct", "constructor", "initialize", "new"];

/// Words in front of the name of a type that has functions.
const TYPE_WORDS: &[&str] = &["class", "struct", "enum", "actor", "extension", "module", "trait", "impl"];

/// Whether a constructor's type is not named any more: nothing is left that could be made by it.
pub(super) fn goes_with_its_type(revision: &Revision, function: &Function) -> bool {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let above = revision.old.get(..function.span.start).unwrap_or_default();
    let own = depth(above.rsplit('\n').next().unwrap_or_default().trim_end_matches(char::is_alphabetic));
    let holder = above.lines().rev().filter(|line| !line.trim().is_empty() && depth(line) < own);
    let name = holder.take(1).find_map(|line| {
        // `impl<T> Lazy<T> {`: what stands behind the parameters.
        let implemented = line.trim_start().strip_prefix("impl<").and_then(|rest| rest.split_once("> "));
        let head = implemented.map_or(line, |(_, rest)| rest);
        let mut words = head.split(|c: char| !is_name_part(c));
        let is_type = implemented.is_some() || words.any(|word| TYPE_WORDS.contains(&word));
        words.find(|word| is_type && !word.is_empty())
    });
    CONSTRUCTORS.contains(&function.name) && name.is_some_and(|name| !says(revision.new, name))
}

/// Whether a method of Ruby stands below a bare `private`, with no other such word and no head of a type between them.
pub(super) fn is_below_private(text: &str, at: usize) -> bool {
    let above = text.get(..at).unwrap_or_default();
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = above.rsplit('\n').next().map_or(0, str::len);
    let mut marks = above.lines().rev().filter(|line| !line.trim().is_empty() && depth(line) <= own);
    let is_mark = |line: &&str| {
        let word = line.split_whitespace().next().unwrap_or_default();
        matches!(word, "class" | "module")
            || matches!(word, "private" | "protected" | "public") && line.trim() == word
    };
    marks.find(is_mark).is_some_and(|line| line.trim() == "private")
}
