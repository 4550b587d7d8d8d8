//! How files of Go import a package, which is a folder, what each of its files gives to it, and how others name that.

use std::collections::BTreeSet;

use crate::languages::modules::imports::{
    Import, ImportQuestion, Modules, code_lines, ends_with, last_word, quoted, uses, whole, word,
};

pub(crate) const MODULES: Modules = Modules {
    by_folder: true,
    manifest: Some(("go.mod", "module")),
    offered,
    names: Some(names),
    ..Modules::of_files(&["go"], &[], imports)
};

/// Words before a name that the package has.
const KINDS: &[&str] = &["func ", "type ", "const ", "var "];

/// What a file gives to its package, private names too: the other files of the package see them.
fn offered(_: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut in_block = false;
    for line in text.lines() {
        let name = match KINDS.iter().find_map(|kind| line.strip_prefix(kind)) {
            Some(rest) if rest.starts_with('(') => {
                // A method has its receiver there.
                in_block = !line.starts_with("func ");
                ""
            }
            Some(rest) => word(rest),
            None if line.starts_with(')') => {
                in_block = false;
                ""
            }
            // Deeper lines are a value's.
            None if in_block => line.strip_prefix('\t').map(word).unwrap_or_default(),
            None => "",
        };
        if !["", "_", "main", "init"].contains(&name) {
            names.insert(name.to_owned());
        }
    }
    names
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    whole(is_beside(asking) || alias(asking, text).is_some())
}

/// Whether a file is one of the package's own.
fn is_beside(asking: &ImportQuestion) -> bool {
    asking.path != asking.module && asking.folder() == MODULES.stem(asking.module)
}

/// The name under which a file imports the package.
fn alias<'t>(asking: &ImportQuestion, text: &'t str) -> Option<&'t str> {
    let stem = MODULES.stem(asking.module);
    let full = format!("{}/{stem}", asking.project);
    // Without the project's name only a path of several folders is sure to be its own.
    let means = |name: &str| match asking.project {
        "" => stem.contains('/') && ends_with(name, stem),
        _ => name == full,
    };
    let in_import = |before: &str| {
        let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
        !line.starts_with("//")
            && (line.starts_with("import")
                || before
                    .rfind("import (")
                    .is_some_and(|from| !before.get(from..).unwrap_or_default().contains(')')))
    };
    let of_import = |(at, name): &(usize, &'t str)| {
        let before = text.get(..*at)?;
        if stem.is_empty() || !means(name) || !in_import(before) {
            return None;
        }
        let own = last_word(before.trim_end_matches('"').trim_end());
        Some(if ["", "import"].contains(&own) { name.rsplit('/').next()? } else { own })
    };
    quoted(text, &['"']).iter().find_map(of_import)
}

/// Whether a file names something of the package: with the package's name, or among its own files as it is.
fn names(asking: &ImportQuestion, text: &str, name: &str) -> bool {
    let Some(alias) = alias(asking, text) else {
        return is_beside(asking)
            && !declares(text, name)
            && code_lines(text).any(|line| is_used(line, name));
    };
    let is_of_package = |before: &str| before.strip_suffix('.').is_some_and(|it| last_word(it) == alias);
    let is_exported = name.starts_with(char::is_uppercase);
    is_exported && code_lines(text).any(|line| uses(line, name).any(|(before, _)| is_of_package(before)))
}

/// Whether a line uses a name of the package: no field, no key.
fn is_used(line: &str, name: &str) -> bool {
    uses(line, name).any(|(before, behind)| !before.ends_with('.') && !behind.starts_with(':'))
}

/// Whether a file has something of its own under a name: a variable, a parameter, a field.
fn declares(text: &str, name: &str) -> bool {
    code_lines(text).any(|line| {
        uses(line, name).any(|(before, behind)| {
            let is_kind = KINDS.iter().any(|kind| before.trim_start().ends_with(kind));
            let is_assigned = behind.contains(":=") && !before.contains(":=");
            // A name with a type behind it.
            let is_typed = behind
                .strip_prefix(' ')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '*' || c == '['));
            is_kind || is_assigned || is_typed && !before.trim_start().starts_with("return")
        })
    })
}
