//! What a module offers to others by name, and what another file takes of it. For JavaScript, TypeScript and Python, whose
//! imports name the file that they mean.

use std::collections::BTreeSet;

/// Endings of files that import each other, and where such importers are.
const FAMILIES: &[(&[&str], &[&str])] = &[
    (
        &["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"],
        &["*.js", "*.jsx", "*.ts", "*.tsx", "*.mjs", "*.cjs", "*.mts", "*.cts", "*.vue", "*.svelte"],
    ),
    (&["py"], &["*.py"]),
];
/// Words in front of a name that a module of JavaScript offers.
const KINDS: &[&str] =
    &["function*", "function", "class", "const", "let", "var", "interface", "type", "enum", "namespace"];
/// Words that may stand in front of those.
const BEFORE_KINDS: &[&str] = &["async ", "declare ", "abstract "];
/// Folders that are no part of a Python module's name.
const ROOTS: &[&str] = &["src", "lib", "python"];
/// The name of what is offered without one.
const DEFAULT: &str = "default";
/// The name of all that another module offers.
const ALL: &str = "*";

/// The patterns of the files that can import the file at `path`; `None` where that can't be said.
pub fn importers_of(path: &str) -> Option<&'static [&'static str]> {
    let (_, ending) = path.rsplit_once('.')?;
    FAMILIES.iter().find(|(endings, _)| endings.contains(&ending)).map(|(_, patterns)| *patterns)
}

/// The words of which every import of the file at `path` has one: its name, and that of the folder for which it stands.
pub fn names_of(path: &str) -> Vec<&str> {
    let own = path.rsplit_once('.').map_or(path, |(own, _)| own);
    let mut names: Vec<&str> = [stem(path), own].iter().filter_map(|path| path.rsplit('/').next()).collect();
    names.dedup();
    names
}

/// The path without its ending, and without the name of a file that stands for its folder. Two files of one stem are the
/// same to who imports them.
pub fn stem(path: &str) -> &str {
    let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
    let of_folder = ["/index", "/__init__"].iter().find_map(|name| stem.strip_suffix(name));
    of_folder.unwrap_or(stem)
}

/// The names that a module offers.
pub fn offered(path: &str, text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    if path.ends_with(".py") {
        for line in text.lines() {
            offered_by_python(path, line, &mut names);
        }
    } else {
        offered_by_javascript(text, &mut names);
    }
    names
}

fn offered_by_python(path: &str, line: &str, names: &mut BTreeSet<String>) {
    let defined = ["def ", "async def ", "class "].iter().find_map(|word| line.strip_prefix(word));
    let assigned = || {
        let name = word(line);
        let rest = line.get(name.len()..).unwrap_or_default().trim_start();
        (rest.starts_with('=') && !rest.starts_with("==") || rest.starts_with(':') && rest.contains('='))
            .then_some(line)
    };
    if let Some(name) =
        defined.or_else(assigned).map(word).filter(|name| !name.is_empty() && !name.starts_with('_'))
    {
        names.insert(name.to_owned());
    }
    if path.ends_with("__init__.py")
        && let Some((_, list)) = line.strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
    {
        names.extend(listed(list.trim_matches(['(', ')', ' ']), " as "));
    }
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

/// Which of `names` the file at `path` takes of the module at `module`; all of them where it takes the module as a whole.
pub fn taken(path: &str, text: &str, module: &str, names: &BTreeSet<String>) -> BTreeSet<String> {
    let imports =
        if module.ends_with(".py") { python(path, text, module) } else { javascript(path, text, module) };
    let is_taken = |name: &&String| imports.iter().any(|import| import.takes(text, name));
    names.iter().filter(is_taken).cloned().collect()
}

/// Whether the file at `path` imports the module at `module` at all.
pub fn is_importer(path: &str, text: &str, module: &str) -> bool {
    let imports =
        if module.ends_with(".py") { python(path, text, module) } else { javascript(path, text, module) };
    !imports.is_empty()
}

/// An import of the module.
#[derive(Debug)]
struct Import<'t> {
    /// The words that say what is taken.
    list: &'t str,
    /// Whether they are names of the module, and not a name for the whole of it.
    by_name: bool,
}

impl Import<'_> {
    fn takes(&self, text: &str, name: &str) -> bool {
        match (self.by_name, name) {
            (_, ALL) => true,
            (by_name, DEFAULT) => !by_name || has_word(self.list, DEFAULT),
            (true, name) => has_word(self.list, name) || self.list.contains('*'),
            (false, name) => has_word(text, name) && text.contains(&format!(".{name}")),
        }
    }
}

fn javascript<'t>(path: &str, text: &'t str, module: &str) -> Vec<Import<'t>> {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut imports = Vec::new();
    for quote in ['\'', '"', '`'] {
        for (number, part) in text.split(quote).enumerate() {
            if number % 2 == 0 || part.is_empty() || part.contains('\n') || !means(folder, part, module) {
                continue;
            }
            // The part is a slice of the text.
            let at = part.as_ptr() as usize - text.as_ptr() as usize;
            let before = text.get(..at).unwrap_or_default();
            let start =
                ["import", "export", "const ", "let ", "var "].iter().filter_map(|it| before.rfind(it)).max();
            let list = before.get(start.unwrap_or_default()..).unwrap_or_default();
            imports.push(Import { list, by_name: list.contains('{') });
        }
    }
    imports
}

/// Whether what a file in `folder` imports under this name is the module.
fn means(folder: &str, name: &str, module: &str) -> bool {
    let module = stem(module);
    if name.starts_with('.') {
        let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        for part in name.split('/') {
            match part {
                "." | "" => {}
                ".." => _ = parts.pop(),
                part => parts.push(part),
            }
        }
        let full = parts.join("/");
        return full == module
            || importers_of(&full).is_some() && stem(&full) == module
            || stem(&format!("{full}.js")) == module;
    }
    // A name that a setting maps to a folder: `@/lib/total`.
    let tail =
        name.split_once('/').map(|(_, tail)| if importers_of(tail).is_some() { stem(tail) } else { tail });
    tail.is_some_and(|tail| !tail.is_empty() && (module == tail || module.ends_with(&format!("/{tail}"))))
}

fn python<'t>(path: &str, text: &'t str, module: &str) -> Vec<Import<'t>> {
    let parts = |path: &str| -> Vec<String> {
        path.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect()
    };
    let module = parts(stem(module));
    let folder = parts(path.rsplit_once('/').map_or("", |(folder, _)| folder));
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
            } else if let Some(last) = module.last().filter(|last| has_word(list, last))
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

/// The lines of a text, each with where it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split('\n').scan(0, |at, line| {
        let begins = *at;
        *at += line.len() + 1;
        Some((begins, line))
    })
}

fn braces(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('{')?;
    rest.split_once('}').map(|(list, _)| list)
}

fn parentheses(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('(')?;
    rest.split_once(')').map(|(list, _)| list)
}

/// The names of a list, each by its last name.
fn listed(list: &str, renamed: &str) -> Vec<String> {
    let last = |item: &str| item.rsplit(renamed).next().map(|name| word(name.trim()).to_owned());
    list.split(',').filter_map(last).filter(|name| !name.is_empty()).collect()
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The word that a text begins with.
fn word(text: &str) -> &str {
    text.split(|c| !is_part(c)).next().unwrap_or_default()
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c| !is_part(c)).any(|part| part == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn a_module_offers_its_names() {
        let script = "export function a(x) {}\nexport async function b() {}\nexport const C = 1;\nexport { d, e as f } from './g.js';\n\
                      export default class H {}\nexports.i = 1;\nfunction own() {}\n";
        assert_eq!(offered("src/x.js", script), set(&["a", "b", "C", "d", "f", "default", "i"]));
        assert_eq!(offered("x.js", "module.exports = {\n  a,\n  b: c,\n};\n"), set(&["a", "b"]));
        let python = "import os\nX = 1\n_y = 2\nz: int = 3\nif X == 1:\n    w = 2\ndef f():\n    pass\nclass G:\n    pass\n";
        assert_eq!(offered("x.py", python), set(&["X", "z", "f", "G"]));
        assert_eq!(offered("pkg/__init__.py", "from .a import b, c as d\n"), set(&["b", "d"]));
    }

    #[test]
    fn an_importer_takes_what_it_names() {
        let rows = [
            ("src/main.js", "import {total,other} from './total.js';\n", "src/total.js", &["total"][..]),
            ("src/main.ts", "import { total } from \"./total\";\n", "src/total.ts", &["total"]),
            ("src/main.ts", "import { total } from \"./total.js\";\n", "src/total.ts", &["total"]),
            ("src/a/main.ts", "import {\n  total,\n} from '../total';\n", "src/total/index.ts", &["total"]),
            ("src/main.js", "import * as t from './total.js';\nt.total();\n", "src/total.js", &["total"]),
            ("src/main.js", "const { total } = require('./total');\n", "src/total.js", &["total"]),
            ("app/main.ts", "import { total } from '@/total';\n", "src/total.ts", &["total"]),
            ("src/main.js", "import { other } from './total.js';\nconst total = 1;\n", "src/total.js", &[]),
            ("src/main.js", "import { total } from './other/total.js';\n", "src/total.js", &[]),
            ("m.py", "from total import total\n", "total.py", &["total"]),
            ("m.py", "from pkg.total import (\n    total,\n)\n", "pkg/total.py", &["total"]),
            ("pkg/m.py", "from . import total\ntotal.total()\n", "pkg/total.py", &["total"]),
            ("m.py", "import pkg.total\npkg.total.total()\n", "src/pkg/total.py", &["total"]),
            ("m.py", "import json\njson.total()\n", "pkg/json.py", &[]),
        ];
        for (path, text, module, expected) in rows {
            assert_eq!(taken(path, text, module, &set(&["total"])), set(expected), "{path}: {text}");
        }
    }
}
