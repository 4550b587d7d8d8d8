//! Answers by name that no test of a file asks for any more, once a row or a claim is given something else: `("7d, 3d",
//! Error::Duplicate('d'))` that became `("7d, 3y", Error::BadRule("3y"))`.

use std::collections::BTreeSet;

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::test_lines::is_beside;
use crate::detectors::testing::word_edit::{is_data, is_name, words};
use crate::model::finding::Severity;
use crate::model::words::has_word;

/// More lines than these are other cases, as there may be.
const FEW: usize = 3;

/// The first place in which an answer gave way to another that the tests had as well, and what is given is another too.
pub(super) fn forgotten(comparison: &TestComparison, all: &[TextHunk]) -> Option<ChangedTestInput> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    if all.iter().map(|it| it.gone.len().max(it.come.len())).sum::<usize>() > FEW {
        return None;
    }
    let mut pairs = line_pairs(all).filter(|(was, _)| !is_beside(was.text));
    let (line, was, is) = pairs.find_map(|(was, is)| {
        let (lost, gained) = (answers(was), answers(is));
        let name = lost.iter().find(|name| !has_word(new, name))?;
        let other = gained.iter().find(|name| !lost.contains(*name) && has_word(old, name))?;
        let is_one = lost.difference(&gained).count() == 1 && gained.difference(&lost).count() == 1;
        (is_one && gives_another(was, is)).then_some((was, *name, *other))
    })?;
    let tests = comparison.before.tests.iter().filter(|test| !test.suite && test.span.contains(&line.at));
    Some(ChangedTestInput {
        what: format!("no test would expect `{was}` any more, with `{is}` for another input in its place"),
        line: line.number,
        severity: Severity::High,
        lost: tests.map(|test| test.name.clone()).collect(),
    })
}

/// The names of a line that begin with a capital letter and stand behind another name: `Duplicate` of `Error::Duplicate`.
fn answers<'t>(line: &CodeLine<'t>) -> BTreeSet<&'t str> {
    let all = words(line.text);
    let inner = all.iter().enumerate().filter(|(at, (_, word))| {
        let sign = at.checked_sub(1).and_then(|at| all.get(at)).map_or("", |it| it.1);
        is_name(word) && word.starts_with(char::is_uppercase) && word.len() > 3 && matches!(sign, "." | ":")
    });
    inner.map(|(_, (_, word))| *word).collect()
}

/// Whether the first value of a line is another one, and the lines begin alike.
fn gives_another(was: &CodeLine, is: &CodeLine) -> bool {
    let values = |line: &CodeLine| -> Vec<String> {
        let all = words(line.text).into_iter().map(|(_, word)| word);
        all.filter(|word| is_data(word)).map(str::to_owned).collect()
    };
    let (old, new) = (values(was), values(is));
    let start = |line: &CodeLine| words(line.text).first().map(|it| it.1.to_owned());
    let first = old.iter().zip(&new).find(|(a, b)| a != b).map(|it| it.0);
    start(was) == start(is) && first.is_some() && first == old.first()
}
