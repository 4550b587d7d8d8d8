//! What a module of Python offers, and how another file imports it.

use std::collections::BTreeSet;

use crate::languages::modules::imports::{
    Import, ImportQuestion, Modules, lines, listed, parentheses, takes_name, word,
};

pub(crate) const MODULES: Modules =
    Modules { for_folder: &["__init__"], offered, ..Modules::of_files(&["py"], &[], imports) };

/// Folders that are no part of a Python module's name.
const ROOTS: &[&str] = &["src", "lib", "python"];

/// Words of statements whose names are the module's, like those at its margin.
const BRANCHES: &[&str] = &["if ", "elif ", "else:", "try:", "except", "finally:", "with "];

/// The names that a module defines or has imported itself, which it passes on.
fn offered(_: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut in_branch = false;
    for (at, line) in lines(text) {
        let inner = line.trim_start();
        if inner.len() == line.len() && !inner.is_empty() {
            in_branch = BRANCHES.iter().any(|word| inner.starts_with(word));
        } else if !in_branch {
            continue;
        }
        if let Some((_, list)) = inner.strip_prefix("from ").and_then(|rest| rest.split_once(" import ")) {
            let whole = text.get(at..).and_then(parentheses).filter(|_| list.trim_start().starts_with('('));
            names.extend(listed(whole.unwrap_or(list), " as "));
        } else {
            names.extend(defined(inner));
        }
    }
    names.remove("");
    names
}

/// The public name that a line defines.
fn defined(line: &str) -> Option<String> {
    let defined = ["def ", "async def ", "class "].iter().find_map(|word| line.strip_prefix(word));
    let assigned = || {
        let name = word(line);
        let rest = line.get(name.len()..).unwrap_or_default().trim_start();
        (rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(':') && rest.contains('='))
            .then_some(line)
    };
    let name = defined.or_else(assigned).map(word)?;
    (!name.is_empty() && !name.starts_with('_')).then(|| name.to_owned())
}

fn imports<'t>(asking: &ImportQuestion, text: &'t str) -> Vec<Import<'t>> {
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    let module = parts(MODULES.stem(asking.module));
    let folder = parts(asking.folder());
    let is_module = |names: &[String], is_relative: bool| {
        let beside = [folder.as_slice(), names].concat();
        let below_root = module.first().is_some_and(|first| ROOTS.contains(&first.as_str()));
        !names.is_empty()
            && (beside == module
                || is_relative && module.ends_with(names)
                || !is_relative && (names == module || below_root && module.get(1..) == Some(names)))
    };
    let mut imports = Vec::new();
    for (at, line) in lines(text) {
        let dotted = |name: &str| -> Vec<String> {
            name.split('.').filter(|it| !it.is_empty()).map(|it| it.trim().to_owned()).collect()
        };
        if let Some((from, list)) =
            line.trim_start().strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
        {
            let list = if list.trim_start().starts_with('(') {
                text.get(at..).and_then(parentheses).unwrap_or(list)
            } else {
                list
            };
            let (names, is_relative) = (dotted(from), from.starts_with('.'));
            if is_module(&names, is_relative) {
                imports.push(Import { list, by_name: true });
            } else if let Some(last) = module.last().filter(|last| takes_name(list, last))
                && is_module(&[names, vec![last.clone()]].concat(), is_relative)
            {
                imports.push(Import { list, by_name: false });
            }
        } else if let Some(list) = line.trim_start().strip_prefix("import ") {
            let mut all = list.split(',').filter_map(|it| it.split_whitespace().next());
            if all.any(|name| is_module(&dotted(name), false)) {
                imports.push(Import { list, by_name: false });
            }
        }
    }
    imports
}
