//! What a function gives back by its name: a home, a folder, what files it lists, a path made of its arguments.

use crate::shell::wrappers::interpreter_code::tokens::SourceToken;
use crate::shell::wrappers::interpreter_code::values::methods::{parent, printed, separator};
use crate::shell::wrappers::interpreter_code::values::{
    KnownValues, Literals, each, is_home_key, joined, one, one_text, parts, patterns,
};
use crate::shell::wrappers::interpreter_code::vocabulary::{
    FIRST, GLOBS, HERE, HOMES, JOINS, LISTINGS, PARENTS, RUNS, SAME, TEMPORARY, TREES,
};

/// What a call of a function gives back.
pub(super) fn of_function(
    name: &str,
    arguments: &[&SourceToken],
    known: &KnownValues,
    depth: u32,
) -> Literals {
    if let Some(value) = by_name_alone(name, arguments, known, depth) {
        return value;
    }
    let ends = |list: &[&str]| is_one_of(name, list);
    let values = parts(arguments, known, depth)?;
    if ends(GLOBS) {
        return Some(patterns(values.into_iter().take(1).collect()));
    }
    if ends(TREES) {
        return Some(values.into_iter().take(1).map(|(text, _)| (format!("{text}/**/*"), true)).collect());
    }
    if ends(PARENTS) {
        return Some(values.iter().map(|(path, _)| (parent(path), false)).collect());
    }
    if name.ends_with(".sep.join") {
        return Some(vec![one_text(&values, "/")]);
    }
    // `parts.join('/')` is a list's, and nobody knows its elements.
    if name.ends_with(".join") && separator(arguments, &values).is_some() {
        return None;
    }
    if ends(JOINS) {
        return joined(each(arguments, known, depth).into_iter().map(Some).collect(), "/");
    }
    if ends(&["URL"]) {
        return of_address(&values);
    }
    if ends(FIRST) {
        return Some(values.into_iter().take(1).collect());
    }
    ends(SAME).then_some(values)
}

/// What is behind an address stands first: `new URL('x', base)`.
fn of_address(values: &[(String, bool)]) -> Literals {
    let plain = |(text, glob): &(String, bool)| (text.replacen("file://", "", 1), *glob);
    joined(values.iter().rev().map(|value| Some(vec![plain(value)])).collect(), "/")
}

/// Whether a function is one of a list, by its own name or by the end of its path.
fn is_one_of(name: &str, list: &[&str]) -> bool {
    list.iter().any(|one| name == *one || name.strip_suffix(one).is_some_and(|rest| rest.ends_with('.')))
}

/// Functions of which the value is known whatever they get, or that read their arguments in their own way.
fn by_name_alone(
    name: &str,
    arguments: &[&SourceToken],
    known: &KnownValues,
    depth: u32,
) -> Option<Literals> {
    let ends = |list: &[&str]| is_one_of(name, list);
    if ends(HOMES) {
        return Some(one("~"));
    }
    if ends(HERE) {
        return Some(one("."));
    }
    if ends(TEMPORARY) {
        return Some(one("/tmp/mktemp.fresh"));
    }
    if ends(RUNS) {
        return Some(parts(arguments, known, depth).and_then(|words| printed(&words)));
    }
    if ends(&["getenv", "os.environ.get", "ENV.fetch", "env.get"]) {
        let value = |key: &&SourceToken| match is_home_key(key) {
            true => one("~"),
            false => parts(arguments.get(2..)?, known, depth),
        };
        return Some(arguments.first().and_then(value));
    }
    ends(LISTINGS).then(|| Some(vec![("*".to_owned(), true)]))
}
