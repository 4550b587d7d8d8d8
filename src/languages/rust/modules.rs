//! How files of Rust name a module of their own crate: where it is declared, and by its path.

use std::collections::BTreeSet;

use crate::languages::modules::imports::{
    ALL, Import, ImportQuestion, Modules, Undeclared, code_lines, folder, has_word, last_word, lines,
    takes_name, whole, word,
};
use crate::model::words::is_name_part;

pub(crate) const MODULES: Modules = Modules {
    for_folder: &["mod"],
    offered,
    names: Some(names),
    undeclared: Some(undeclared),
    ..Modules::of_files(&["rs"], &[], imports)
};

/// Words before a name that a module offers.
const KINDS: &[&str] =
    &["const ", "static mut ", "static ", "struct ", "enum ", "trait ", "type ", "union ", "mod ", "macro "];

/// The public names of a module, those that it passes on with them.
fn offered(_: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (at, line) in lines(text) {
        let Some(rest) = line.strip_prefix("pub") else { continue };
        let rest =
            rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(rest, |(_, rest)| rest);
        let Some(rest) = rest.strip_prefix(' ') else { continue };
        if rest.starts_with("use ") {
            let paths = text.get(at..).and_then(|text| text.split(';').next()).unwrap_or(line);
            names.extend(passed_on(paths));
            continue;
        }
        // Other words may stand before `fn`.
        let is_head = |(head, _): &(&str, &str)| head.chars().all(|c| c.is_alphabetic() || " \"".contains(c));
        let function = rest.split_once("fn ").filter(is_head).map(|(_, name)| name);
        let name = function.or_else(|| KINDS.iter().find_map(|kind| rest.strip_prefix(kind)));
        names.extend(name.map(|name| word(name).to_owned()));
    }
    names.remove("");
    names
}

/// The names of the paths of a `use`, each by its last word.
fn passed_on(paths: &str) -> Vec<String> {
    if paths.contains('*') {
        return vec![ALL.to_owned()];
    }
    let parts = paths.split([',', '{', '}', '\n']).map(str::trim);
    let last = |path: &str| path.rsplit([' ', ':']).next().map(word).unwrap_or_default().to_owned();
    parts.filter(|path| !path.ends_with(':')).map(last).collect()
}

/// Whether an importing file names something of a module: by its path, or in a list of what it uses.
fn names(asking: &ImportQuestion, text: &str, name: &str) -> bool {
    let module = MODULES.stem(asking.module);
    let prefix = format!("{}::", module.rsplit('/').next().unwrap_or(module));
    let parent = module.rsplit('/').nth(1).unwrap_or_default();
    let is_own = |owner: &str| ["crate", "self", "super", parent].contains(&owner);
    let code: String = code_lines(text).flat_map(|line| [line, "\n"]).collect();
    code.match_indices(&prefix).any(|(at, _)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let behind = code.get(at + prefix.len()..).unwrap_or_default();
        let before = code.get(..at).unwrap_or_default();
        // Of another crate's module of the same name nothing is known.
        let owner = before.strip_suffix("::").map(last_word);
        if before.ends_with(is_part) || owner.is_some_and(|owner| !is_own(owner)) {
            return false;
        }
        match behind.chars().next() {
            Some('{') => behind
                .split(';')
                .next()
                .is_some_and(|list| takes_name(list, name) || list.contains('*') && has_word(&code, name)),
            Some('*') => has_word(&code, name),
            _ => word(behind) == name,
        }
    })
}

/// The modules of files of their own that a text declares: `pub mod rates;`.
fn declared(text: &str) -> BTreeSet<&str> {
    let names = code_lines(text).filter_map(|line| {
        let (before, name) = line.trim().strip_suffix(';')?.rsplit_once("mod ")?;
        (before.is_empty() || before.starts_with("pub")).then(|| name.trim())
    });
    names.filter(|name| word(name) == *name).collect()
}

fn undeclared(path: &str, before: &str, after: &str) -> Vec<Undeclared> {
    let stem = MODULES.stem(path);
    let is_root = ["lib.rs", "main.rs"].contains(&path.rsplit('/').next().unwrap_or(path));
    let place = if is_root { folder(path) } else { stem };
    let now = declared(after);
    let gone = declared(before).into_iter().filter(|name| !now.contains(name));
    let is_there = |name: &&str| !has_path(after, &format!("mod {name}")) && !is_brought_in(after, name);
    let modules = gone.filter(is_there).map(|name| Undeclared {
        name: name.to_owned(),
        path: format!("{place}/{name}.rs"),
        is_named: code_lines(after).any(|line| names_below(line, name)),
    });
    modules.collect()
}

/// Whether a line names something of a module that stands right below its own file or below the crate.
fn names_below(line: &str, name: &str) -> bool {
    line.match_indices(&format!("{name}::")).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        match before.strip_suffix("::") {
            Some(owner) => ["self", "crate"].contains(&last_word(owner)),
            None => !before.ends_with(is_name_part),
        }
    })
}

/// Whether a `use` gives a name to something else: `use crate::io::rates;`, `use other as rates;`.
fn is_brought_in(text: &str, name: &str) -> bool {
    let lines = code_lines(text).map(str::trim_start);
    let mut uses = lines.filter(|line| line.starts_with("use ") || line.starts_with("pub"));
    uses.any(|line| {
        line.contains("use ")
            && line.match_indices(name).any(|(at, _)| {
                let before = line.get(..at).unwrap_or_default();
                let behind = line.get(at + name.len()..).unwrap_or_default();
                before.ends_with([':', ' ', '{', ',']) && behind.starts_with([';', ',', '}'])
            })
    })
}

/// The folder of a file's crate, and the module's path in it.
fn in_crate(stem: &str) -> Option<(&str, &str)> {
    stem.strip_prefix("src/").map(|path| ("", path)).or_else(|| stem.rsplit_once("/src/"))
}

/// Whether a path stands in a text, and not as a part of another.
fn has_path(text: &str, path: &str) -> bool {
    text.match_indices(path).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + path.len()..).and_then(|after| after.chars().next());
        !before.is_some_and(|c| is_name_part(c) || c == ':') && !after.is_some_and(is_name_part)
    })
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let stem = MODULES.stem(asking.module);
    let Some((parent, name)) = stem.rsplit_once('/') else { return Vec::new() };
    if ["lib", "main"].contains(&name) {
        return Vec::new();
    }
    let is_parent = MODULES.stem(asking.path) == parent
        || asking.folder() == parent
            && ["/lib.rs", "/main.rs"].iter().any(|root| asking.path.ends_with(root));
    let declares = |line: &str| {
        let words = line.trim().strip_suffix(';').unwrap_or_default();
        words
            .rsplit_once("mod ")
            .is_some_and(|(before, of)| of == name && (before.is_empty() || before.starts_with("pub")))
    };
    if is_parent && text.lines().any(declares) {
        return whole(true);
    }
    let Some((krate, path)) = in_crate(stem) else { return Vec::new() };
    let is_own = in_crate(MODULES.stem(asking.path)).is_some_and(|(own, _)| own == krate);
    let by_path = is_own && has_path(text, &format!("crate::{}", path.replace('/', "::")));
    let beside = folder(MODULES.stem(asking.path)) == parent && has_path(text, &format!("super::{name}"));
    whole(by_path || beside)
}
