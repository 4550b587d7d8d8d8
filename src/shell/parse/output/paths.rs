//! What a test by the whole path leaves of the files that `find` names: a folder below a root, or names anywhere below it.

use crate::shell::model::Word;
use crate::shell::parse::output::names;

/// What a pattern of paths stands for below one root.
#[derive(Debug, PartialEq)]
pub(crate) struct PathsBelow {
    /// The folder below which it looks.
    pub(crate) folder: String,
    /// The name, or a pattern with `/`, that it asks for anywhere below that; nothing where all of it is meant.
    pub(crate) name: Option<String>,
    /// Whether that is all that it asks for.
    pub(crate) exact: bool,
}

/// The pattern of the only test by path that every file must fit, and the tests without it. What `-o`, a bracket or `!`
/// makes of such a test is not followed.
pub(crate) fn apart(tests: &[Word]) -> (Option<String>, Vec<Word>) {
    let is_test = |word: &Word| matches!(word.text.as_str(), "-path" | "-wholename" | "-regex");
    let until =
        tests.iter().position(|word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-okdir"));
    let own = tests.get(..until.unwrap_or(tests.len())).unwrap_or_default();
    let joins = |word: &Word| matches!(word.text.as_str(), "-o" | "-or" | "," | "(" | "-regextype");
    let all = || (None, tests.to_vec());
    let Some(at) = own.iter().position(is_test).filter(|_| !own.iter().any(joins)) else { return all() };
    let is_denied = at.checked_sub(1).and_then(|before| own.get(before));
    let is_denied = is_denied.is_some_and(|word| matches!(word.text.as_str(), "!" | "-not"));
    let (Some(test), Some(value)) = (own.get(at), own.get(at + 1).filter(|word| word.known)) else {
        return all();
    };
    let pattern = match test.text.as_str() {
        "-regex" => names::of_whole_regex(&value.text),
        _ => Some(value.text.clone()),
    };
    match pattern.filter(|_| !is_denied) {
        Some(pattern) => {
            let rest = tests.iter().enumerate().filter(|(index, _)| *index != at && *index != at + 1);
            (Some(pattern), rest.map(|(_, word)| word.clone()).collect())
        }
        None => all(),
    }
}

/// What a pattern of paths stands for below a root; nothing where it can't be said. Its `*` goes through folders.
pub(crate) fn below(root: &str, pattern: &str) -> Option<PathsBelow> {
    let own = root.trim_end_matches('/');
    let found = |folder: String, name: Option<String>, exact| Some(PathsBelow { folder, name, exact });
    let Some(rest) = pattern.strip_prefix(own).and_then(|rest| rest.strip_prefix('/')) else {
        let name = anywhere(pattern)?;
        return found(own.to_owned(), Some(name), true);
    };
    let parts: Vec<&str> = rest.split('/').collect();
    let literal = parts.iter().take_while(|part| !is_pattern(part)).count();
    let folder = parts.iter().take(literal).fold(own.to_owned(), |folder, part| folder + "/" + part);
    match parts.get(literal..).unwrap_or_default() {
        [] | ["*"] => found(folder, None, true),
        [name] if name.starts_with('*') => found(folder, Some((*name).to_owned()), true),
        ["*", rest @ ..] if anywhere(&format!("*/{}", rest.join("/"))).is_some() => {
            let name = anywhere(&format!("*/{}", rest.join("/")));
            found(folder, name, true)
        }
        _ if literal > 0 => found(folder, None, false),
        _ => None,
    }
}

/// The name that `*/name`, `*/name/*` and `*name` ask for.
fn anywhere(pattern: &str) -> Option<String> {
    let parts: Vec<&str> = pattern.split('/').collect();
    match parts.as_slice() {
        [name] if name.starts_with('*') && *name != "*" => Some((*name).to_owned()),
        ["*", name] => Some((*name).to_owned()),
        ["*", name, "*"] if !is_pattern(name) => Some(format!("{name}/**/*")),
        _ => None,
    }
}

fn is_pattern(part: &str) -> bool {
    part.contains(['*', '?', '[', '\\'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_of_paths_stand_for_folders_and_names() {
        for (root, pattern, expected) in [
            (".", "./.aiwg/*", Some(("./.aiwg", None, true))),
            (".", "./src/*.js", Some(("./src", Some("*.js"), true))),
            (".", "./src/a*/b", Some(("./src", None, false))),
            (".", "*/__pycache__/*", Some((".", Some("__pycache__/**/*"), true))),
            (".", "./*/dist/*", Some((".", Some("dist/**/*"), true))),
            (".", "*.pyc", Some((".", Some("*.pyc"), true))),
            ("src", "src/*", Some(("src", None, true))),
            ("src", "./lib/*", None),
            (".", "./a?/b", None),
        ] {
            let found = below(root, pattern);
            let found = found.as_ref().map(|it| (it.folder.as_str(), it.name.as_deref(), it.exact));
            assert_eq!(found, expected, "{root} {pattern}");
        }
    }

    #[test]
    fn one_test_by_path_is_taken_apart() {
        for (tests, expected) in [
            ("-path ./a/* -delete", Some("./a/*")),
            (r"-regex ./a/.*\.js -delete", Some("./a/*.js")),
            ("! -path ./a/* -delete", None),
            ("-path ./a/* -o -name b", None),
            ("-name b -exec x -path ./a/* ;", None),
        ] {
            let words: Vec<Word> = tests.split(' ').map(Word::literal).collect();
            assert_eq!(apart(&words).0.as_deref(), expected, "{tests}");
        }
    }
}
