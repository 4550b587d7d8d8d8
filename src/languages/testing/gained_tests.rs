//! The tests that other files have gained, where a lost test may have gone.

use std::collections::HashMap;

use crate::languages::reading::outline_of;
use crate::languages::registry::{Language, file_name};
use crate::languages::testing::collection::{is_entered, is_run_as};
use crate::languages::testing::outline::{Outline, Test};
use crate::languages::testing::similarity::{
    MOST, MOST_PAIRS, NEARLY_ALL, SAME, claims_as_much, is_skipped, is_table, likeness,
};

/// Tests that are new in other files, each of which can be the new place of one lost test, or of several when it is
/// a table.
#[derive(Debug, Default)]
pub struct GainedTests {
    tests: Vec<Offer>,
    compared: usize,
}

#[derive(Debug)]
struct Offer {
    path: String,
    test: Test,
    /// Whether a test file names the file, so that its tests run wherever they are.
    named: bool,
    taken: bool,
}

impl Offer {
    fn is_for(&self, path: &str) -> bool {
        self.path != path
            && if self.named { is_entered(path, &self.path) } else { is_run_as(path, &self.path) }
    }

    /// Whether its place and its claims are those of what `lost`, of the file at `path`, may have become.
    fn carries(&self, path: &str, lost: &Test) -> bool {
        let is_same_language = Language::of_path(path) == Language::of_path(&self.path);
        self.is_for(path) && claims_as_much(lost, &self.test, is_same_language)
    }
}

impl GainedTests {
    /// Adds what is new in a file: the tests of `after` that `before` has not by name. `named` says that a test file
    /// uses the file.
    pub fn add(&mut self, path: &str, named: bool, before: &Outline, after: &Outline) {
        let known: HashMap<&str, &Test> =
            before.tests.iter().map(|test| (test.name.as_str(), test)).collect();
        let is_known = |test: &Test| {
            known.get(test.name.as_str()).is_some_and(|old| old.body.similarity(&test.body) >= SAME)
        };
        let new = after.tests.iter().filter(|test| !is_known(test) && !is_skipped(test));
        self.tests.extend(new.map(|test| Offer {
            path: path.to_owned(),
            test: test.clone(),
            named,
            taken: false,
        }));
    }

    /// Takes the test that `lost`, of the file at `path`, has become in another file; answers whether there is one.
    pub fn claim(&mut self, path: &str, lost: &Test) -> bool {
        // Under its own name a test is found without comparing it with all others: whole folders move at once.
        let is_same = |it: &Offer| {
            it.test.title == lost.title
                && it.test.body.similarity(&lost.body) >= SAME
                && it.carries(path, lost)
        };
        let named = self.tests.iter_mut().filter(|it| !it.taken && is_same(it));
        if let Some(offer) = named.min_by_key(|it| file_name(&it.path) != file_name(path)) {
            offer.taken = true;
            return true;
        }
        self.compared += self.tests.len();
        if self.compared > MOST_PAIRS {
            return false;
        }
        let free = self.tests.iter_mut().filter(|offer| !offer.taken);
        let scored = free.filter_map(|offer| Some((likeness(lost, &offer.test)?, offer)));
        let scored = scored.filter(|(_, offer)| offer.carries(path, lost));
        if let Some((_, offer)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) {
            offer.taken = true;
            return true;
        }
        self.tests.iter().filter(|offer| offer.is_for(path)).any(|Offer { test: host, .. }| {
            is_table(host)
                && lost.body.has_literals()
                && lost.body.literals_within(&host.body) >= NEARLY_ALL
                && lost.body.words_within(&host.body) >= MOST
        })
    }
}

/// Whether the test `name` of a file, given as its path and its text before it lost the test, goes on in another place that
/// holds `now.1`: where runners find it, with as much that it claims. Where the text before is not known, its place decides.
pub fn carries_on(before: (&str, Option<&str>), now: (&str, &str), name: &str) -> bool {
    if before.0 != now.0 && !is_run_as(before.0, now.0) {
        return false;
    }
    let is_same_language = Language::of_path(before.0) == Language::of_path(now.0);
    let named = |path: &str, text: &str| -> Vec<Test> {
        outline_of(path, text).tests.into_iter().filter(|test| test.name == name).collect()
    };
    let old = before.1.map(|text| named(before.0, text)).unwrap_or_default();
    let new = named(now.0, now.1);
    old.iter().all(|old| new.iter().any(|new| claims_as_much(old, new, is_same_language)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_more_tests_than_are_compared_with_each_other_may_move() {
        let source: String = (0..600)
            .map(|at| format!("def test_sum_{at}():\n    assert add({at}, 1) == {}\n\n\n", at + 1))
            .collect();
        let (before, after) = ("core/tests/test_sums.py", "tests/core/test_sums.py");
        let outline = outline_of(before, &source);
        let mut gained = GainedTests::default();
        gained.add(after, false, &Outline::default(), &outline);
        assert!(outline.tests.len() * outline.tests.len() > MOST_PAIRS);
        let lost = outline.tests.iter().filter(|test| !gained.claim(before, test)).count();
        assert_eq!(lost, 0);
        assert!(!gained.claim(before, &outline.tests[0]), "each is taken once");
    }
}
