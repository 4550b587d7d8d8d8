//! What the names of a source stand for: modules however they are asked for, other names that an import or an assignment
//! gives to functions, and attributes whose name is a text.

use std::collections::HashMap;

use crate::shell::model::ScriptLanguage;
use crate::shell::wrappers::interpreter_code::functions::find;
use crate::shell::wrappers::interpreter_code::tokens::{SourceToken, tokens};
use crate::shell::wrappers::interpreter_code::values::{KnownValues, literals};

use ScriptLanguage::{JavaScript, Python};

/// The most tokens of an attribute's name.
const LONGEST_NAME: usize = 16;

/// Other names by their own.
type Aliases = HashMap<String, String>;

/// The tokens of a source, each function by the name that it has in its module.
pub(crate) fn named_tokens(language: ScriptLanguage, source: &str) -> Vec<SourceToken> {
    let tokens = tokens(language, source);
    if !matches!(language, Python | JavaScript) {
        return tokens;
    }
    let tokens = with_attributes(with_modules(tokens));
    let aliases = aliases(language, &tokens);
    if aliases.is_empty() {
        return tokens;
    }
    with_attributes(tokens.into_iter().map(|token| renamed(token, &aliases)).collect())
}

/// A module's name without how it is asked for: `node:fs/promises` is `fs.promises`.
fn module_name(text: &str) -> String {
    let name = text.strip_prefix("node:").unwrap_or(text);
    match name {
        "fs-extra" | "graceful-fs" | "original-fs" => "fs".to_owned(),
        name => name.replace('/', "."),
    }
}

fn is_name(token: Option<&SourceToken>, name: &str) -> bool {
    matches!(token, Some(SourceToken::Name(own)) if own == name)
}

/// `require('fs')`, `__import__('os')`, `import('fs')`: the module's name.
fn with_modules(tokens: Vec<SourceToken>) -> Vec<SourceToken> {
    let mut named: Vec<SourceToken> = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        match (token, tokens.get(index + 1..index + 4)) {
            (
                SourceToken::Name(name),
                Some([SourceToken::Sign('('), SourceToken::Text(Some(text)), SourceToken::Sign(')')]),
            ) if asks_for_a_module(name) => {
                named.push(SourceToken::Name(module_name(text)));
                index += 4;
            }
            _ => {
                named.push(token.clone());
                index += 1;
            }
        }
        // `(await import('fs'))` is the module too.
        if let [.., SourceToken::Sign('('), SourceToken::Name(word), SourceToken::Name(_)] = named.as_slice()
            && word == "await"
            && tokens.get(index) == Some(&SourceToken::Sign(')'))
        {
            let module = named.pop();
            named.truncate(named.len() - 2);
            named.extend(module);
            index += 1;
        }
    }
    named
}

fn asks_for_a_module(name: &str) -> bool {
    matches!(name, "require" | "__import__" | "import" | "importlib.import_module" | "import_module")
}

/// `os` and `.remove` as one name, and attributes whose name is a text: `getattr(os, 'rem' + 'ove')`, `fs['rm']`.
fn with_attributes(tokens: Vec<SourceToken>) -> Vec<SourceToken> {
    let mut named: Vec<SourceToken> = Vec::with_capacity(tokens.len());
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        let found = match token {
            SourceToken::Name(name) if name == "getattr" => got(&tokens, index),
            SourceToken::Sign('[') => picked(&named, &tokens, index),
            _ => None,
        };
        match (found, token, named.last_mut()) {
            (Some((name, end)), ..) => {
                if matches!(token, SourceToken::Sign('['))
                    && matches!(named.last(), Some(SourceToken::Name(_)))
                {
                    named.pop();
                }
                named.push(SourceToken::Name(name));
                index = end;
            }
            (None, SourceToken::Name(name), Some(SourceToken::Name(before))) if name.starts_with("().") => {
                before.push_str(name.get(2..).unwrap_or_default());
                index += 1;
            }
            _ => {
                named.push(token.clone());
                index += 1;
            }
        }
    }
    named
}

/// `getattr(module, 'name')`: the name, and where it ends.
fn got(tokens: &[SourceToken], at: usize) -> Option<(String, usize)> {
    let [SourceToken::Sign('('), SourceToken::Name(module), SourceToken::Sign(',')] =
        tokens.get(at + 1..at + 4)?
    else {
        return None;
    };
    let (name, end) = text_until(tokens, at + 4, ')')?;
    Some((format!("{module}.{name}"), end))
}

/// `module['name'](…)`: the name, and where it ends.
fn picked(before: &[SourceToken], tokens: &[SourceToken], at: usize) -> Option<(String, usize)> {
    let base = match before.last()? {
        SourceToken::Name(name) => name.as_str(),
        SourceToken::Sign(')') => "()",
        _ => return None,
    };
    let (name, end) = text_until(tokens, at + 1, ']')?;
    (tokens.get(end) == Some(&SourceToken::Sign('('))).then(|| (format!("{base}.{name}"), end))
}

/// The one text that stands before a closing bracket, and where that ends.
fn text_until(tokens: &[SourceToken], from: usize, closing: char) -> Option<(String, usize)> {
    let rest = tokens.get(from..)?;
    let length = rest.iter().take(LONGEST_NAME).position(|token| *token == SourceToken::Sign(closing))?;
    let texts = literals(rest.get(..length)?, &KnownValues::new())?;
    match texts.as_slice() {
        [(text, false)] if text.chars().all(|it| it.is_alphanumeric() || it == '_') => {
            Some((text.clone(), from + length + 1))
        }
        _ => None,
    }
}

/// The names that a source gives to modules and functions.
fn aliases(language: ScriptLanguage, tokens: &[SourceToken]) -> Aliases {
    let mut aliases = Aliases::new();
    for index in 0..tokens.len() {
        let found = match (language, tokens.get(index)) {
            (Python, Some(SourceToken::Name(word))) if word == "import" => match index.checked_sub(2) {
                Some(before) if is_name(tokens.get(before), "from") => Vec::new(),
                _ => imported_modules(tokens, index),
            },
            (Python, Some(SourceToken::Name(word))) if word == "from" => imported_names(tokens, index),
            (JavaScript, Some(SourceToken::Name(word))) if word == "import" => imported(tokens, index),
            (JavaScript, Some(SourceToken::Sign('{'))) => taken_apart(tokens, index),
            (_, Some(SourceToken::Name(_))) => assigned(language, tokens, index),
            _ => Vec::new(),
        };
        aliases.extend(found);
    }
    aliases
}

/// `import a.b as c, d as e`.
fn imported_modules(tokens: &[SourceToken], at: usize) -> Vec<(String, String)> {
    let line = tokens.get(at + 1..).unwrap_or_default();
    let line = line.split(|token| matches!(token, SourceToken::Sign('\n' | ';'))).next().unwrap_or_default();
    line.split(|token| *token == SourceToken::Sign(',')).filter_map(|part| own_name(part, "")).collect()
}

/// `from m import x as y, z`.
fn imported_names(tokens: &[SourceToken], at: usize) -> Vec<(String, String)> {
    let Some(SourceToken::Name(module)) = tokens.get(at + 1) else { return Vec::new() };
    if !is_name(tokens.get(at + 2), "import") {
        return Vec::new();
    }
    let rest = tokens.get(at + 3..).unwrap_or_default();
    let (rest, end) = match rest.first() {
        Some(SourceToken::Sign('(')) => (rest.get(1..).unwrap_or_default(), ')'),
        _ => (rest, '\n'),
    };
    let names =
        rest.split(|token| *token == SourceToken::Sign(end) || *token == SourceToken::Sign(';')).next();
    let names = names.unwrap_or_default().split(|token| *token == SourceToken::Sign(','));
    names.filter_map(|part| own_name(part, module)).collect()
}

/// `x as y`, or `x` of a module; nothing for a module by its own name.
fn own_name(part: &[SourceToken], module: &str) -> Option<(String, String)> {
    let part: Vec<&SourceToken> = part.iter().filter(|token| **token != SourceToken::Sign('\n')).collect();
    let full = |name: &str| if module.is_empty() { name.to_owned() } else { format!("{module}.{name}") };
    match part.as_slice() {
        [SourceToken::Name(name), SourceToken::Name(word), SourceToken::Name(own)] if word == "as" => {
            Some((own.clone(), full(name)))
        }
        [SourceToken::Name(name)] if !module.is_empty() => Some((name.clone(), full(name))),
        _ => None,
    }
}

/// `import fs, { rm as remove } from 'fs'`, `import * as fs from 'fs'`.
fn imported(tokens: &[SourceToken], at: usize) -> Vec<(String, String)> {
    let rest = tokens.get(at + 1..).unwrap_or_default();
    let Some(from) = rest.iter().position(|token| is_name(Some(token), "from")) else { return Vec::new() };
    let (Some(SourceToken::Text(Some(text))), Some(names)) = (rest.get(from + 1), rest.get(..from)) else {
        return Vec::new();
    };
    let module = module_name(text);
    match names {
        [SourceToken::Sign('*'), SourceToken::Name(word), SourceToken::Name(own)] if word == "as" => {
            vec![(own.clone(), module)]
        }
        [SourceToken::Name(own), rest @ ..] => {
            let others = rest.get(2..).unwrap_or_default();
            std::iter::once((own.clone(), module.clone())).chain(in_braces(others, &module)).collect()
        }
        [SourceToken::Sign('{'), rest @ ..] => in_braces(rest, &module),
        _ => Vec::new(),
    }
}

/// `a, b as c, d: e }`: names of a module.
fn in_braces(tokens: &[SourceToken], module: &str) -> Vec<(String, String)> {
    let inside = tokens.split(|token| *token == SourceToken::Sign('}')).next().unwrap_or_default();
    let named = |part: &[SourceToken]| match part {
        [SourceToken::Name(name)] => Some((name.clone(), format!("{module}.{name}"))),
        [SourceToken::Name(name), SourceToken::Sign(':'), SourceToken::Name(own)] => {
            Some((own.clone(), format!("{module}.{name}")))
        }
        [SourceToken::Name(name), SourceToken::Name(word), SourceToken::Name(own)] if word == "as" => {
            Some((own.clone(), format!("{module}.{name}")))
        }
        _ => None,
    };
    inside
        .split(|token| *token == SourceToken::Sign(','))
        .map(|part| {
            part.iter().filter(|token| **token != SourceToken::Sign('\n')).cloned().collect::<Vec<_>>()
        })
        .filter_map(|part| named(&part))
        .collect()
}

/// `const { rm, exec: run } = fs`: names of a module.
fn taken_apart(tokens: &[SourceToken], at: usize) -> Vec<(String, String)> {
    let rest = tokens.get(at + 1..).unwrap_or_default();
    let Some(close) = rest.iter().position(|token| *token == SourceToken::Sign('}')) else {
        return Vec::new();
    };
    let value = rest.get(close + 1..).unwrap_or_default();
    match value {
        [SourceToken::Sign('='), SourceToken::Name(word), SourceToken::Name(module), ..]
            if word == "await" =>
        {
            in_braces(rest, module)
        }
        [SourceToken::Sign('='), SourceToken::Name(module), ..] => in_braces(rest, module),
        _ => Vec::new(),
    }
}

/// `const cp = child_process`, `r = shutil.rmtree`: another name for a module of the language or for a function of it.
fn assigned(language: ScriptLanguage, tokens: &[SourceToken], at: usize) -> Vec<(String, String)> {
    let (Some(SourceToken::Name(own)), Some(SourceToken::Sign('='))) = (tokens.get(at), tokens.get(at + 1))
    else {
        return Vec::new();
    };
    let awaited = usize::from(is_name(tokens.get(at + 2), "await"));
    let Some(SourceToken::Name(name)) = tokens.get(at + 2 + awaited) else { return Vec::new() };
    let ends = matches!(tokens.get(at + 3 + awaited), None | Some(SourceToken::Sign(';' | '\n' | ',' | ')')));
    let known = MODULES.contains(&name.as_str()) || find(language, name).is_some();
    match ends && known && own != name {
        true => vec![(own.clone(), name.clone())],
        false => Vec::new(),
    }
}

/// Modules whose functions change files or run commands, and those that name places.
const MODULES: &[&str] = &[
    "fs",
    "fs.promises",
    "child_process",
    "path",
    "os",
    "glob",
    "shutil",
    "subprocess",
    "pathlib",
    "rimraf",
    "shelljs",
    "execa",
    "pathlib.Path",
];

fn renamed(token: SourceToken, aliases: &Aliases) -> SourceToken {
    let replaced = |name: &str| {
        let (first, rest) = name.split_once('.').map_or((name, None), |(first, rest)| (first, Some(rest)));
        let full = aliases.get(first)?;
        Some(rest.map_or(full.clone(), |rest| format!("{full}.{rest}")))
    };
    match token {
        SourceToken::Name(name) => SourceToken::Name(replaced(&name).unwrap_or(name)),
        SourceToken::Mixed(pieces) => {
            let piece =
                |piece: Vec<SourceToken>| piece.into_iter().map(|token| renamed(token, aliases)).collect();
            SourceToken::Mixed(pieces.into_iter().map(piece).collect())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names of a source that are called.
    fn called(language: ScriptLanguage, source: &str) -> Vec<String> {
        let tokens = named_tokens(language, source);
        let calls = tokens.windows(2).filter_map(|pair| match pair {
            [SourceToken::Name(name), SourceToken::Sign('(')] => Some(name.clone()),
            _ => None,
        });
        calls.collect()
    }

    #[test]
    fn functions_have_the_names_of_their_modules() {
        for (language, source, expected) in [
            (Python, "from shutil import rmtree as r; r('a')", "shutil.rmtree"),
            (Python, "import subprocess as sp\nsp.run('a')", "subprocess.run"),
            (Python, "from os import (\n  remove,\n  path as p)\nremove('a')", "os.remove"),
            (Python, "r = shutil.rmtree\nr('a')", "shutil.rmtree"),
            (Python, "__import__('shutil').rmtree('a')", "shutil.rmtree"),
            (Python, "getattr(shutil, 'rm' + 'tree')('a')", "shutil.rmtree"),
            (JavaScript, "const { rmSync: x } = require('node:fs'); x('a')", "fs.rmSync"),
            (JavaScript, "import { rm } from 'node:fs/promises'; rm('a')", "fs.promises.rm"),
            (JavaScript, "import * as cp from 'child_process'; cp.exec('a')", "child_process.exec"),
            (JavaScript, "import f, { rmSync } from 'fs'; f.rm('a')", "fs.rm"),
            (JavaScript, "require('fs')['rm' + 'Sync']('a')", "fs.rmSync"),
            (JavaScript, "(await import('fs')).rmSync('a')", "fs.rmSync"),
        ] {
            assert_eq!(called(language, source).last().map(String::as_str), Some(expected), "{source}");
        }
    }

    #[test]
    fn other_names_stay() {
        for (language, source, expected) in [
            (Python, "d = {}\nd['x'] = 1\nf(d['x'])", "f"),
            (Python, "x = y\nx.go(1)", "x.go"),
            (JavaScript, "const { a } = props; a(1)", "props.a"),
        ] {
            assert_eq!(called(language, source).last().map(String::as_str), Some(expected), "{source}");
        }
    }
}
