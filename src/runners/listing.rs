//! The tests that a runner lists without running them.

use std::io::BufRead;

use crate::metrics::terminal;
use crate::runners::model::{ListForm, ListSoFar, Runner, TestLister};
use crate::runners::{all, in_turn, results};

pub use crate::runners::model::TestListing;

/// Reads a list. `None` when nothing in it has the list's form and it does not say that there are none.
pub fn read(list: &TestLister, bytes: &mut dyn BufRead) -> Option<TestListing> {
    let read = match list.form {
        ListForm::DryRun => {
            let tests = results::printed(bytes).tests?;
            return Some(TestListing { count: tests.total(), names: tests.by_name.into_keys().collect() });
        }
        ListForm::Tests(read) | ListForm::Files(read) => read,
    };
    let mut so_far = ListSoFar::default();
    let end = terminal::lines(bytes, |line| read(line, &mut so_far));
    let is_list = so_far.listing.count > 0 || so_far.said_none;
    (end.is_ok() && !so_far.is_broken && is_list).then_some(so_far.listing)
}

/// The forms that a list may have of which nobody says whose it is, the strictest first.
pub fn known_by_form() -> Vec<TestLister> {
    let mut lists: Vec<TestLister> = all().filter_map(|runner| runner.list).collect();
    lists.retain(|list| list.known_by_form.is_some());
    lists.sort_by_key(|list| list.known_by_form);
    lists
}

/// What lists the tests that a command of these words runs, and whose list it is.
pub fn of_command(words: &[&str]) -> Option<(&'static Runner, String)> {
    in_turn(|runner| runner.list.and_then(|list| list.of)).find_map(|(runner, of)| Some((runner, of(words)?)))
}

/// Whether a command of these words starts a program, wherever the program stands.
pub(crate) fn starts(words: &[&str], program: &str) -> bool {
    words.iter().any(|word| *word == program || word.rsplit('/').next() == Some(program))
}
