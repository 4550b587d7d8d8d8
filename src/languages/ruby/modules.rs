//! How files of Ruby require each other: by a path from their own folder, or below `lib`.

use std::collections::BTreeSet;

use crate::languages::modules::imports::{
    ALL, Import, ImportQuestion, Modules, code_lines, last_word, quoted, resolved, uses, whole, word,
};

pub(crate) const MODULES: Modules =
    Modules { offered, names: Some(names), ..Modules::of_files(&["rb"], &["rake", "ru"], imports) };

/// Statements that give a module methods of its own of which no line says so.
const OPEN: &[&str] = &[
    "class << self",
    "module_function",
    "extend ",
    "define_method",
    "define_singleton_method",
    "delegate ",
    "def_delegator",
];

/// Constants, modules and classes, methods of a module itself, and methods that everybody has.
fn offered(_: &str, text: &str) -> BTreeSet<String> {
    let offered = |line: &str| -> Option<String> {
        let inner = line.trim_start();
        let defined = ["module ", "class ", "def self."].iter().find_map(|kind| inner.strip_prefix(kind));
        let name = defined.or_else(|| line.strip_prefix("def ")).map(word).unwrap_or_else(|| {
            let name = word(inner);
            let is_assigned = inner.get(name.len()..).is_some_and(|rest| {
                let rest = rest.trim_start();
                rest.starts_with('=') && !rest.starts_with("==")
            });
            if is_assigned && name.starts_with(char::is_uppercase) { name } else { "" }
        });
        (!name.is_empty() && name != "self").then(|| name.to_owned())
    };
    let is_open = |line: &str| OPEN.iter().any(|word| line.trim_start().starts_with(word));
    let open = code_lines(text).any(is_open).then(|| ALL.to_owned());
    code_lines(text).filter_map(offered).chain(open).collect()
}

/// Whether a file names something of what it requires: of the module that the required file is named after, or as it is.
fn names(asking: &ImportQuestion, text: &str, name: &str) -> bool {
    let file = MODULES.stem(asking.module).rsplit('/').next().unwrap_or_default().replace('_', "");
    let is_owner = |owner: &str| last_word(owner).eq_ignore_ascii_case(&file);
    let declares = |before: &str, behind: &str| {
        let word = last_word(before.trim_end());
        ["def", "class", "module"].contains(&word) || behind.trim_start().starts_with("= ")
    };
    let all = || code_lines(text).flat_map(|line| uses(line, name));
    let is_own = || all().any(|(before, behind)| declares(before, behind));
    all().any(|(before, _)| match before.strip_suffix("::").or_else(|| before.strip_suffix('.')) {
        Some(owner) => is_owner(owner),
        None => !before.ends_with([':', '@', '\'']) && !is_own(),
    })
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let required = |line: &str| -> Option<bool> {
        let rest = line.trim_start().strip_prefix("require")?;
        let (_, name) = *quoted(rest, &['\'', '"']).first()?;
        let name = name.strip_suffix(".rb").unwrap_or(name);
        let stem = MODULES.stem(asking.module);
        Some(match rest.starts_with("_relative") {
            true => resolved(asking.folder(), name) == stem,
            // A name without a folder may be a library's.
            false => stem.rsplit_once("lib/").is_some_and(|(_, below)| below == name && below.contains('/')),
        })
    };
    whole(text.lines().any(|line| required(line) == Some(true)))
}
