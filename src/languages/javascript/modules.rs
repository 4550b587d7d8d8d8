//! What a module of JavaScript or TypeScript offers, and how another file imports it.

use std::collections::BTreeSet;

use crate::languages::modules::imports::{
    ALL, DEFAULT, Import, ImportQuestion, Modules, braces, lines, listed, quoted, resolved, word,
};

const ENDINGS: &[&str] = &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"];

pub(crate) const MODULES: Modules =
    Modules { for_folder: &["index"], offered, ..Modules::of_files(ENDINGS, &["vue", "svelte"], imports) };

/// Words in front of a name that a module of JavaScript offers.
const KINDS: &[&str] =
    &["function*", "function", "class", "const", "let", "var", "interface", "type", "enum", "namespace"];
/// Words that may stand in front of those.
const BEFORE_KINDS: &[&str] = &["async ", "declare ", "abstract "];

fn offered(_: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    offered_by_javascript(text, &mut names);
    names
}

fn offered_by_javascript(text: &str, names: &mut BTreeSet<String>) {
    for (at, line) in lines(text) {
        let line = line.trim_start();
        if let Some(rest) = line.strip_prefix("export ") {
            let from_here = text.get(at..).unwrap_or_default();
            names.extend(exported(rest.trim_start(), from_here));
        } else if let Some(rest) =
            line.strip_prefix("module.exports").or_else(|| line.strip_prefix("exports"))
        {
            if let Some(name) = rest.strip_prefix('.') {
                names.insert(word(name).to_owned());
            } else if let Some(value) = rest.trim_start().strip_prefix('=') {
                let all =
                    value.trim_start().starts_with('{').then(|| text.get(at..).and_then(braces)).flatten();
                match all {
                    Some(list) => names.extend(list.split(',').map(|it| word(it.trim()).to_owned())),
                    None => _ = names.insert(DEFAULT.to_owned()),
                }
            }
        }
    }
    names.remove("");
}

/// The names of one `export`, whose text goes on in `from_here`.
fn exported(rest: &str, from_here: &str) -> Vec<String> {
    if rest.starts_with('{') || rest.starts_with("type {") {
        return braces(from_here).map(|list| listed(list, " as ")).unwrap_or_default();
    }
    if rest.starts_with('*') {
        return vec![ALL.to_owned()];
    }
    if rest.starts_with("default ") {
        return vec![DEFAULT.to_owned()];
    }
    let rest = BEFORE_KINDS.iter().fold(rest, |rest, before| rest.strip_prefix(before).unwrap_or(rest));
    let name = KINDS.iter().find_map(|kind| rest.strip_prefix(kind)?.strip_prefix(' '));
    name.map(|name| word(name.trim_start()).to_owned()).into_iter().collect()
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let mut imports = Vec::new();
    for (at, part) in quoted(text, &['\'', '"', '`']) {
        if !means(asking.folder(), part, asking.module) {
            continue;
        }
        let before = text.get(..at).unwrap_or_default();
        let start =
            ["import", "export", "const ", "let ", "var "].iter().filter_map(|it| before.rfind(it)).max();
        let list = before.get(start.unwrap_or_default()..).unwrap_or_default();
        imports.push(Import { list, by_name: list.contains('{') });
    }
    imports
}

/// Whether what a file in `folder` imports under this name is the module.
fn means(folder: &str, name: &str, module: &str) -> bool {
    let module = MODULES.stem(module);
    if name.starts_with('.') {
        let full = resolved(folder, name);
        return full == module
            || is_script(&full) && MODULES.stem(&full) == module
            || MODULES.stem(&format!("{full}.js")) == module;
    }
    // A name that a setting maps to a folder: `@/lib/total`.
    let tail = name.split_once('/').map(|(_, tail)| if is_script(tail) { MODULES.stem(tail) } else { tail });
    tail.is_some_and(|tail| !tail.is_empty() && (module == tail || module.ends_with(&format!("/{tail}"))))
}

fn is_script(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}
