//! What is known of the imports of a language, and what the ways of importing have in common. Values and functions only:
//! whoever asks finds a language's imports in its descriptor.

use std::collections::BTreeSet;

/// The name of what is offered without one.
pub(crate) const DEFAULT: &str = "default";
/// The name of all that another module offers.
pub const ALL: &str = "*";

/// How the files of a language import each other.
pub(crate) struct Modules {
    /// Extensions of files of which one takes another's place under the same name.
    pub(crate) endings: &'static [&'static str],
    /// Extensions of further files that can import them.
    pub(crate) importers: &'static [&'static str],
    /// Names of files that stand for their folder.
    pub(crate) for_folder: &'static [&'static str],
    /// Whether a folder is imported as a whole: each of its files stands for it.
    pub(crate) by_folder: bool,
    /// The file that says under which name a project's folders are imported, and the word before that name.
    pub(crate) manifest: Option<(&'static str, &'static str)>,
    /// The name by which importers know the module at a path, where it is not the path's own last word.
    pub(crate) spelled: Option<fn(&str) -> String>,
    /// The names that the module at a path offers. Empty where only whole modules are known.
    pub(crate) offered: fn(&str, &str) -> BTreeSet<String>,
    /// The imports of a module in a file's text.
    pub(crate) imports: for<'t> fn(&ImportQuestion, &'t str) -> Vec<Import<'t>>,
    /// Whether an importing text names something of the module, where its imports don't say what they take.
    pub(crate) names: Option<fn(&ImportQuestion, &str, &str) -> bool>,
    /// The modules below the file at a path that its text before declared and its text after does not, each with its path
    /// and whether the text after still names it. For languages whose modules are there by a declaration.
    pub(crate) undeclared: Option<UndeclaredFinder>,
}

/// The modules that a file declared: given its path, its text before and its text after.
pub(crate) type UndeclaredFinder = fn(&str, &str, &str) -> Vec<Undeclared>;

/// A module whose declaration is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undeclared {
    /// Its name.
    pub name: String,
    /// The path at which its file may be.
    pub path: String,
    /// Whether the file that declared it still names it.
    pub is_named: bool,
}

impl Modules {
    /// Files that are imported one by one, and of which only the whole is known.
    pub(crate) const fn of_files(
        endings: &'static [&'static str],
        importers: &'static [&'static str],
        imports: for<'t> fn(&ImportQuestion, &'t str) -> Vec<Import<'t>>,
    ) -> Modules {
        Modules {
            endings,
            importers,
            for_folder: &[],
            by_folder: false,
            manifest: None,
            spelled: None,
            offered: nothing,
            imports,
            names: None,
            undeclared: None,
        }
    }

    /// The path without its ending, and without the name of a file that stands for its folder. Two files of one stem are
    /// the same to who imports them.
    pub(crate) fn stem<'p>(&self, path: &'p str) -> &'p str {
        if self.by_folder {
            return folder(path);
        }
        let stem = without_ending(path);
        let of_folder = self.for_folder.iter().find_map(|name| stem.strip_suffix(name)?.strip_suffix('/'));
        of_folder.unwrap_or(stem)
    }
}

/// Which file may import which module.
#[derive(Debug, Clone, Copy)]
pub struct ImportQuestion<'a> {
    /// The file's path.
    pub path: &'a str,
    /// The module's path.
    pub module: &'a str,
    /// The name under which the project's folders are imported; empty where it has none.
    pub project: &'a str,
}

impl ImportQuestion<'_> {
    /// The folder of the importing file.
    pub(crate) fn folder(&self) -> &str {
        folder(self.path)
    }
}

/// Offers nothing that is known by name.
fn nothing(_: &str, _: &str) -> BTreeSet<String> {
    BTreeSet::new()
}

/// An import of the whole module.
pub(crate) fn whole<'t>(is_imported: bool) -> Vec<Import<'t>> {
    if is_imported { vec![Import { list: "", by_name: true }] } else { Vec::new() }
}

/// An import of the module.
#[derive(Debug)]
pub(crate) struct Import<'t> {
    /// The words that say what is taken.
    pub(crate) list: &'t str,
    /// Whether they are names of the module, and not a name for the whole of it.
    pub(crate) by_name: bool,
}

impl Import<'_> {
    /// Whether it takes a name of the module.
    pub(crate) fn takes(&self, text: &str, name: &str) -> bool {
        match (self.by_name, name) {
            (_, ALL) => true,
            (by_name, DEFAULT) => !by_name || has_word(self.list, DEFAULT),
            (true, name) => takes_name(self.list, name) || self.list.contains('*'),
            (false, name) => has_word(text, name) && text.contains(&format!(".{name}")),
        }
    }
}

/// The lines of a text that are no comments, without what a comment at their end says.
pub(crate) fn code_lines(text: &str) -> impl Iterator<Item = &str> {
    let is_comment =
        |line: &&str| ["//", "/*", "*", "#"].iter().any(|mark| line.trim_start().starts_with(mark));
    text.lines().filter(move |line| !is_comment(line)).map(|line| line.split(" //").next().unwrap_or(line))
}

/// Where a word stands in a line of code, outside of its strings: what is before it, and what is behind it.
pub(crate) fn uses<'t>(line: &'t str, word: &'t str) -> impl Iterator<Item = (&'t str, &'t str)> {
    line.match_indices(word).filter_map(move |(at, _)| {
        let (before, behind) = (line.get(..at)?, line.get(at + word.len()..)?);
        let is_whole = !before.ends_with(is_part) && !behind.starts_with(is_part);
        (is_whole && before.matches('"').count() % 2 == 0).then_some((before, behind))
    })
}

/// The word that a text ends with.
pub(crate) fn last_word(text: &str) -> &str {
    text.rsplit(|c| !is_part(c)).next().unwrap_or_default()
}

/// Whether a line imports the class whose file has this stem, or something of the class.
pub(crate) fn imports_class(line: &str, stem: &str) -> bool {
    let Some(rest) = line.trim_start().strip_prefix("import ") else { return false };
    let rest = rest.trim_start().strip_prefix("static ").unwrap_or(rest);
    let name = rest.trim_start().split([';', ' ']).next().unwrap_or_default().replace('.', "/");
    let (owner, _) = name.rsplit_once('/').unwrap_or_default();
    [name.as_str(), owner].iter().any(|name| name.contains('/') && ends_with(stem, name))
}

/// A path without its ending.
pub(crate) fn without_ending(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(stem, _)| stem)
}

/// The folder of a path.
pub(crate) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// A path that is written as seen from a folder.
pub(crate) fn resolved(folder: &str, name: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in name.split('/') {
        match part {
            "." | "" => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a path ends with these parts.
pub(crate) fn ends_with(path: &str, tail: &str) -> bool {
    !tail.is_empty() && (path == tail || path.strip_suffix(tail).is_some_and(|rest| rest.ends_with('/')))
}

/// The texts in quotes, each with where it begins.
pub(crate) fn quoted<'t>(text: &'t str, quotes: &[char]) -> Vec<(usize, &'t str)> {
    let mut found = Vec::new();
    for quote in quotes {
        let mut at = 0;
        for (number, part) in text.split(*quote).enumerate() {
            if number % 2 == 1 && !part.is_empty() && !part.contains('\n') {
                found.push((at, part));
            }
            at += part.len() + quote.len_utf8();
        }
    }
    found
}

/// The lines of a text, each with where it begins.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').scan(0, |at, line| {
        let begins = *at;
        *at += line.len() + 1;
        Some((begins, line))
    })
}

pub(crate) fn braces(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('{')?;
    rest.split_once('}').map(|(list, _)| list)
}

pub(crate) fn parentheses(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('(')?;
    rest.split_once(')').map(|(list, _)| list)
}

/// The names of a list, each by its last name.
pub(crate) fn listed(list: &str, renamed: &str) -> Vec<String> {
    let last = |item: &str| item.rsplit(renamed).next().map(|name| word(name.trim()).to_owned());
    list.split(',').filter_map(last).filter(|name| !name.is_empty()).collect()
}

pub(crate) fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The word that a text begins with.
pub(crate) fn word(text: &str) -> &str {
    text.split(|c| !is_part(c)).next().unwrap_or_default()
}

/// Whether a list takes a name, under whichever name it is known from there on: `find` of `find as search`, and of
/// `{ find: search }`.
pub(crate) fn takes_name(list: &str, name: &str) -> bool {
    let items = list.split([',', '{', '}', '(', ')']);
    items.map(|item| item.split(" as ").next().unwrap_or(item)).any(|item| {
        let own =
            item.split_once(':').filter(|(_, rest)| !rest.starts_with(':')).map_or(item, |(own, _)| own);
        has_word(own, name)
    })
}

pub(crate) fn has_word(text: &str, word: &str) -> bool {
    text.split(|c| !is_part(c)).any(|part| part == word)
}
