//! What a file of tests calls of the project, and which text of the project defines it.

use std::collections::BTreeSet;

use crate::detectors::testing::test_lines::{declared, defines, is_import, words_of};
use crate::detectors::testing::word_edit::{each_word, is_name};
use crate::languages::assigned;
use crate::model::words::is_name_part;

/// So many names are looked for.
const MOST: usize = 14;
/// Shorter names stand in every project.
const SHORTEST: usize = 3;
/// Names of what tests are written with, in lower case.
#[rustfmt::skip] // Words in lines, not in a column.
const FRAME: &[&str] = &[
    "assert", "expect", "test", "describe", "should", "require", "import", "from", "pytest", "unittest", "self", "this",
    "parametrize", "mark", "fixture", "assertequals", "assertequal", "assertthat", "assertsame", "xctassertequal",
    "equal", "equals", "tobe", "toequal", "true", "false", "null", "none", "string", "list", "array", "return", "print",
    "len", "range", "vec", "some", "class", "func", "void", "public", "private", "static", "final", "const", "let", "var",
    "testing", "junit", "xunit", "fact", "theory", "inlinedata", "test_case", "errorf", "fatalf", "fatal", "error", "json",
    "path", "loads", "dumps", "read_text", "screen", "datetime", "decimal", "math", "setup", "teardown", "beforeeach",
    "aftereach", "object", "vitest", "jest", "react", "render", "java", "kotlin", "util", "std",
];
/// Names that stand in every project, and are no subject but where they are imported.
#[rustfmt::skip] // Words in lines, not in a column.
const COMMON: &[&str] = &[
    "check", "run", "open", "read", "write", "load", "date", "time", "new", "get", "set", "map", "filter", "sort", "push",
    "add", "name", "value", "size", "length", "format",
];

/// The names that a file of tests calls, and the addresses that it asks: what is imported and what says most comes first.
pub(crate) fn subject_names(path: &str, text: &str) -> Vec<String> {
    let is_own = |name: &str| text.lines().any(|line| defines(line, name) || declared(line) == Some(name));
    let imported: BTreeSet<&str> = text.lines().filter(|line| is_import(line)).flat_map(words_of).collect();
    let fits = |name: &str| {
        (imported.contains(name) || !COMMON.contains(&name.to_lowercase().as_str()))
            && name.len() >= SHORTEST
            && !FRAME.contains(&name.to_lowercase().as_str())
            && !name.to_lowercase().starts_with("test")
            && !name.to_lowercase().starts_with("assert")
    };
    let stem = crate::languages::subject(path);
    let mut all: Vec<(u8, &str)> = called(text)
        .into_iter()
        .filter(|name| fits(name))
        .map(|name| {
            let is_named = name.to_lowercase() == stem.replace('_', "");
            let says = name.starts_with(char::is_uppercase) || name.contains('_') || name.len() > 6;
            let rank = u8::from(!is_named) * 4 + u8::from(!imported.contains(name)) * 2 + u8::from(!says);
            (rank, name)
        })
        .collect();
    all.sort();
    let names = all.into_iter().map(|(_, name)| name).filter(|name| !is_own(name)).take(MOST);
    names.map(str::to_owned).chain(addresses(text)).collect()
}

/// The names in front of a bracket or a point.
fn called(text: &str) -> BTreeSet<&str> {
    each_word(text)
        .filter(|(_, word)| is_name(word))
        .filter(|(at, word)| {
            let rest = text.get(at + word.len()..).unwrap_or_default();
            let is_part = text
                .get(..*at)
                .is_some_and(|head| head.ends_with('.') && !head.ends_with(").") && word.len() < 4);
            !is_part && rest.starts_with(['(', '.', ':', '{', '!', '?', '<', '-', ' '])
        })
        .map(|(_, word)| word)
        .collect()
}

/// The addresses on a server that tests ask: `/search` of `client.get("/search?q=lamp")`.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    let all: BTreeSet<&str> = text
        .split(['"', '\'', '`'])
        .filter(|part| part.starts_with('/') && part.len() > 3 && !part.contains([' ', '\n', '<']))
        .filter_map(|part| part.split(['?', '{', '$', '#']).next())
        .filter(|part| part.len() > 3 && part.chars().all(|c| is_name_part(c) || matches!(c, '/' | '-')))
        .collect();
    all.into_iter().take(3).map(str::to_owned)
}

/// Which of these names a text of the project defines, or serves as an address.
pub(crate) fn defined<'n>(text: &str, names: &'n [String]) -> Option<&'n String> {
    names.iter().find(|name| match name.starts_with('/') {
        true => text.contains(name.as_str()),
        false => {
            text.lines().filter(|line| line.contains(name.as_str())).any(|line| is_definition(line, name))
        }
    })
}

fn is_definition(line: &str, name: &str) -> bool {
    let bare = line.trim_start();
    let bare = bare.strip_prefix("export ").unwrap_or(bare);
    let bare = bare.strip_prefix("default ").unwrap_or(bare);
    let is_named = || {
        ["const ", "let ", "var ", "val "].iter().any(|head| bare.starts_with(head))
            && assigned(bare).is_some_and(|(left, _)| words_of(left).any(|word| word == name))
    };
    let of_self = bare.strip_prefix("def self.").map(|rest| format!("def {rest}"));
    defines(bare, name)
        || declared(bare) == Some(name)
        || is_named()
        || of_self.is_some_and(|line| defines(&line, name))
        || ["exports.", "module.exports"].iter().any(|head| bare.starts_with(head)) && bare.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tests_call_is_found_where_it_is_defined() {
        let python = "from shop.tax import rate\n\n\ndef test_rate():\n    assert rate(100) == 19\n";
        let names = subject_names("tests/test_tax.py", python);
        assert!(names.contains(&"rate".to_owned()), "{names:?}");
        assert_eq!(defined("def rate(net):\n    return net\n", &names).map(String::as_str), Some("rate"));
        assert_eq!(defined("def rates(net):\n    return net\n", &names), None);
        let php = "<?php\nuse Shop\\Fee;\nfinal class FeeTest extends TestCase { public function testFee() { $this->assertSame(3, Fee::of(1)); } }\n";
        let names = subject_names("tests/FeeTest.php", php);
        assert_eq!(names.first().map(String::as_str), Some("Fee"));
        assert!(defined("final class Fee\n{\n", &names).is_some());
        let asked = "def test_a(client):\n    assert client.get(\"/search?q=a\").json() == []\n";
        let names = subject_names("tests/test_api.py", asked);
        assert!(defined("@router.get(\"/search\")\n", &names).is_some(), "{names:?}");
    }
}
