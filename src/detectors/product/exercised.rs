//! Functions that the tests of a project call: what they do is asked for there, and work that goes from them is missed.

use std::collections::BTreeSet;

use crate::detectors::engine::line_pairs::places_of;
use crate::languages::code::identifiers;
use crate::languages::{Language, code};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// What is said of work that goes while nothing takes its place.
const LESS: &[&str] = &[
    "would do less: ",
    "would not be done any more",
    "would not count any more",
    "would make no difference any more",
    "would not be reckoned in any more",
    "nothing would go through ",
    "and pay no heed to it",
];
/// A name shorter than this stands for many things.
const TELLING: usize = 3;
/// So many steps are followed from a function to who calls it.
const STEPS: usize = 3;
/// Names that every file may have, which say nothing of what a test is about.
const COMMON: &[&str] = &["main", "run", "new", "init", "test", "constructor", "setup", "toString", "equals"];

/// How lines begin that only bring a function in.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "using ", "#include", "alias ", "require", "package ", "//", "#", "*"];

/// Whether a finding is about work that goes, and not about a change of form.
pub fn is_of_lost_work(what: &str) -> bool {
    LESS.iter().any(|it| what.contains(it))
}

/// Whether lines that worked something out went for what has come: a special case that is only added leaves them.
pub fn replaces_work(change: &Change) -> bool {
    let all = places_of(change).unwrap_or_default();
    all.iter().flat_map(|hunk| &hunk.gone).any(|line| line.text.contains(['(', '+', '*', '/', '-', '<', '>']))
}

/// A function of a change, and the others of its file that come to it when they are called.
pub fn ways_to(change: &Change, name: &str) -> Vec<String> {
    let (Some(text), Some(language)) = (change.after.as_deref(), Language::of_path(&change.path)) else {
        return Vec::new();
    };
    let Some(read) = code(language, text) else { return Vec::new() };
    let mut known = BTreeSet::from([name]);
    for _ in 0..STEPS {
        let calling = read.functions.iter().filter(|it| {
            let body = text.get(it.body.clone()).unwrap_or_default();
            known.iter().any(|name| calls(body, name).is_some())
        });
        let more: Vec<&str> = calling.map(|it| it.name).filter(|it| !known.contains(it)).collect();
        if more.is_empty() {
            break;
        }
        known.extend(more);
    }
    let is_telling = |it: &&str| it.len() >= TELLING && !COMMON.contains(it);
    known.into_iter().filter(is_telling).map(str::to_owned).collect()
}

/// The first line of a test that calls one of the functions, where the test is about their file. A script is called by
/// its own name.
pub fn exercised(test: &str, names: &[String], stem: &str) -> Option<String> {
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>().to_lowercase();
    let stem = plain(stem);
    let is_about = identifiers(test).any(|word| plain(word).contains(&stem));
    if stem.len() < TELLING || !is_about {
        return None;
    }
    test.lines()
        .map(str::trim)
        .filter(|line| !IMPORTS.iter().any(|head| line.starts_with(head)))
        .find(|line| names.iter().any(|name| calls(line, name).is_some()))
        .map(|line| line.chars().take(60).collect())
}

/// Where a text calls a function, gives it by its name or shows it as an element.
fn calls(text: &str, name: &str) -> Option<usize> {
    let name = name.rsplit(['.', ':']).next().unwrap_or(name);
    text.match_indices(name).map(|(at, _)| at).find(|at| {
        let head = text.get(..*at).unwrap_or_default();
        let rest = text.get(at + name.len()..).unwrap_or_default();
        let is_whole = !head.ends_with(is_name_part) && !rest.starts_with(is_name_part);
        let is_defined =
            ["def ", "fn ", "fun ", "func ", "function ", "defp "].iter().any(|it| head.ends_with(it));
        let rest = rest.trim_start_matches(['?', '!']);
        // An element of a page, a function by its name, a script by its path.
        let is_called = rest.starts_with(['(', '/'])
            || head.ends_with(['.', '<', '&', '>', '/'])
            || rest.starts_with(" \"");
        is_whole && is_called && !is_defined
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_calls_a_function_or_who_comes_to_it() {
        let change = Change {
            path: "src/toll.py".to_owned(),
            before: None,
            after: Some(
                "def _share(cars):\n    return len(cars)\n\n\ndef toll(cars):\n    return _share(cars) * 3\n"
                    .to_owned(),
            ),
        };
        let names = ways_to(&change, "_share");
        assert_eq!(names, ["_share", "toll"]);
        let found = exercised(
            "from src.toll import toll\n\ndef test_one():\n    assert toll([1]) == 3\n",
            &names,
            "toll",
        );
        assert_eq!(found.as_deref(), Some("assert toll([1]) == 3"));
        assert_eq!(
            exercised("from src.other import toll_of\nassert toll_of(1) == 3\n", &names, "toll"),
            None
        );
        assert_eq!(exercised("def toll(cars):\n    return 3\n", &names, "toll"), None);
    }

    #[test]
    fn only_lost_work_is_asked_about() {
        assert!(is_of_lost_work("`price` would do less: nothing of it would call `round` any more"));
        assert!(!is_of_lost_work("`slot.save` would not be called any more"));
    }
}
