//! What a method gives back that is called on a path, a list of paths, or what a command prints.

use crate::shell::model::UNKNOWN;
use crate::shell::wrappers::interpreter_code::tokens::SourceToken;
use crate::shell::wrappers::interpreter_code::values::{
    KnownValues, Literals, each, joined, one_text, parts, value,
};
use crate::shell::wrappers::interpreter_code::vocabulary::{BELOW, SAME_METHODS};

pub(super) fn of_method(
    method: &str,
    before: &[&SourceToken],
    arguments: &[&SourceToken],
    known: &KnownValues,
    depth: u32,
) -> Literals {
    // `require('os').homedir()`: of the module, whatever gave it.
    match method {
        "homedir" => return Some(vec![("~".to_owned(), false)]),
        "tmpdir" => return Some(vec![("/tmp/mktemp.fresh".to_owned(), false)]),
        "readdirSync" => return Some(vec![("*".to_owned(), true)]),
        "join" | "resolve" if !arguments.is_empty() && value(before, known, depth + 1).is_none() => {
            // Of a list whose elements nobody knows.
            let is_list = matches!(before, [SourceToken::Sign('['), .., SourceToken::Sign(']')]);
            let values = each(arguments, known, depth);
            if is_list || separator(arguments, &values.concat()).is_some() {
                return None;
            }
            return joined(values.into_iter().map(Some).collect(), "/");
        }
        "execSync" | "execFileSync" | "check_output" => return printed(&parts(arguments, known, depth)?),
        _ => {}
    }
    let base = value(before, known, depth + 1)?;
    if method == "map" {
        return mapped(base, arguments, known, depth);
    }
    of_known(method, &base, arguments, known, depth)
}

/// What such a method gives back of values that are known.
pub(super) fn of_known(
    method: &str,
    base: &[(String, bool)],
    arguments: &[&SourceToken],
    known: &KnownValues,
    depth: u32,
) -> Literals {
    if SAME_METHODS.contains(&method) {
        return Some(base.to_vec());
    }
    let values = if arguments.is_empty() { Some(Vec::new()) } else { parts(arguments, known, depth) };
    // The name of a separator is no value that is known.
    if method == "join"
        && let Some(between) = separator(arguments, values.as_deref().unwrap_or(&[]))
    {
        return Some(vec![one_text(base, &between)]);
    }
    in_folder(method, base, &values?)
}

/// What a `join` puts between the elements of a list. A name of a file or folder is no such text: that is a path's `join`.
pub(super) fn separator(arguments: &[&SourceToken], values: &[(String, bool)]) -> Option<String> {
    match values {
        // `path.sep`, `os.sep`, `File::SEPARATOR`
        _ if matches!(arguments, [SourceToken::Name(name)] if name.to_lowercase().contains("sep")) => {
            Some("/".to_owned())
        }
        [(text, false)] if !text.chars().any(|c| c.is_alphanumeric() || ['.', '~', UNKNOWN].contains(&c)) => {
            Some(text.clone())
        }
        [(text, false)] if text == "." => Some(text.clone()),
        _ => None,
    }
}

/// `names.map(name => 'src/' + name)`.
fn mapped(
    base: Vec<(String, bool)>,
    arguments: &[&SourceToken],
    known: &KnownValues,
    depth: u32,
) -> Literals {
    let (name, body) = match arguments {
        [SourceToken::Name(name), SourceToken::Sign('='), SourceToken::Sign('>'), body @ ..] => (name, body),
        [
            SourceToken::Sign('('),
            SourceToken::Name(name),
            SourceToken::Sign(')'),
            SourceToken::Sign('='),
            SourceToken::Sign('>'),
            body @ ..,
        ] => (name, body),
        _ => return None,
    };
    let mut known = known.clone();
    known.insert(name.clone(), base);
    value(body, &known, depth + 1)
}

/// What `Path('x').glob('y')` and its like stand for.
pub(super) fn in_folder(method: &str, folder: &[(String, bool)], values: &[(String, bool)]) -> Literals {
    if matches!(method, "joinpath" | "join") {
        let parts = values.iter().map(|value| Some(vec![value.clone()]));
        return joined(std::iter::once(Some(folder.to_vec())).chain(parts).collect(), "/");
    }
    let (_, below) = BELOW.iter().find(|(known, _)| *known == method)?;
    let pattern = values.first().map_or("", |(text, _)| text.as_str());
    Some(folder.iter().map(|(folder, _)| (format!("{folder}/{below}{pattern}"), true)).collect())
}

/// The folder that holds a path.
pub(super) fn parent(path: &str) -> String {
    let path = path.trim_end_matches('/');
    match path.rsplit_once('/') {
        None if matches!(path, "." | "") => "..".to_owned(),
        _ if path.ends_with("..") || path == "~" => format!("{path}/.."),
        None => ".".to_owned(),
        Some(("", _)) => "/".to_owned(),
        Some((before, _)) => before.to_owned(),
    }
}

/// The files that a command prints: those that git tracks, below the folders that it is asked for.
pub(super) fn printed(words: &[(String, bool)]) -> Literals {
    let words: Vec<&str> = words.iter().flat_map(|(text, _)| text.split_whitespace()).collect();
    let ["git", "ls-files", rest @ ..] = words.as_slice() else { return None };
    let folders: Vec<&&str> = rest.iter().filter(|word| !word.starts_with('-')).collect();
    let chosen = folders.iter().any(|folder| folder.contains('*'));
    let only = rest.iter().any(|word| matches!(*word, "-o" | "--others" | "-d" | "-m" | "--modified"));
    (!chosen && !only).then_some(())?;
    let below = |folder: &str| (format!("{}/**/*", folder.trim_end_matches('/')), true);
    Some(if folders.is_empty() {
        vec![below(".")]
    } else {
        folders.into_iter().map(|it| below(it)).collect()
    })
}
