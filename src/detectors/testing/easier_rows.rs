//! Rows of tables of tests that ask less than they did: what was to be refused passes, a row says what another says, an
//! answer is another row's.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::testing::statuses::named_status;
use crate::detectors::testing::word_edit::{is_data, words};
use crate::languages::code::bare;

/// What a row expects where nothing is wrong.
const FINE: &[&str] = &["nil", "null", "None", "nullptr", "NULL", "undefined", "ok"];
/// How rows begin.
const ROWS: &[&str] = &[
    "yield ",
    "'",
    "\"",
    "[",
    "(",
    "{",
    "- ",
    "#[case",
    "@case",
    "[InlineData",
    "[TestCase",
    "[DataRow",
    "| ",
];

/// The first row that would ask less, and how.
pub(super) fn eased<'a>(old: &str, new: &str, all: &'a [TextHunk<'a>]) -> Option<(&'a CodeLine<'a>, String)> {
    let has_flags = names_failure(old);
    let pairs = line_pairs(all);
    pairs.filter(|(was, is)| is_row(was.text) && is_row(is.text)).find_map(|(was, is)| {
        let how = if is_accepted(was.text, is.text)
            || is_answered_well(was.text, is.text)
            || has_flags && is_flag_down(was.text, is.text)
        {
            "would be refused no more".to_owned()
        } else if let Some(twin) = twin(old, new, was.text, is.text) {
            format!("would be the row `{twin}` again")
        } else if let Some(answer) = answer_of_another(old, new, was.text, is.text) {
            format!("would have {answer} as its answer, which another row has")
        } else {
            return None;
        };
        Some((was, format!("`{}` {how}, while nothing that the tests are about has changed", was.text)))
    })
}

/// Whether a text has a field or a column that says whether a row is to fail: `wantErr bool`.
fn names_failure(text: &str) -> bool {
    const FAILING: &[&str] = &[
        "wanterr",
        "want_err",
        "iserr",
        "is_err",
        "shouldfail",
        "should_fail",
        "expecterr",
        "expect_err",
        "fails",
    ];
    let lower = text.to_lowercase();
    FAILING.iter().any(|word| lower.contains(word))
}

/// Whether a row that was to fail is another one, which is not: its last yes is a no, and what it gives differs too.
fn is_flag_down(was: &str, is: &str) -> bool {
    let flags = |line: &str| -> Vec<bool> {
        let all = words(line).into_iter().map(|(_, word)| word);
        all.filter_map(|word| word.to_lowercase().parse().ok()).collect()
    };
    let without = |line: &str| line.to_lowercase().replace("true", "").replace("false", "");
    let (before, after) = (flags(was), flags(is));
    before.last() == Some(&true)
        && before.len() == after.len()
        && after.last() == Some(&false)
        && without(was) != without(is)
}

fn is_row(line: &str) -> bool {
    ROWS.iter().any(|head| line.starts_with(head))
        && line.ends_with([',', ']', ')', '}', ';', '|'])
        && words(line).iter().any(|(_, word)| is_data(word))
}

/// Whether an error that a row expects became none.
fn is_accepted(was: &str, is: &str) -> bool {
    let names = |line| -> Vec<String> {
        words(line).into_iter().map(|(_, word)| word.to_owned()).filter(|word| word.len() > 1).collect()
    };
    let is_error = |word: &String| {
        let bare = word.trim_matches(['"', '\'']);
        bare.starts_with("Err")
            || bare.ends_with("Error")
            || bare.ends_with("Exception")
            || bare.starts_with("err_")
    };
    let fine = |line| words(line).iter().filter(|(_, word)| FINE.contains(word)).count();
    let (old, new) = (names(was), names(is));
    old.iter().any(|word| is_error(word) && !new.contains(word))
        && !new.iter().any(is_error)
        && fine(is) > fine(was)
}

/// Whether a row of the same name that was to be answered with a status of failure is answered well.
fn is_answered_well(was: &str, is: &str) -> bool {
    let status = |row: &str| -> Option<u16> {
        let last = row.trim_end_matches([',', ']', ')', '}', ';', ' ']).rsplit(',').next()?.trim();
        let number = last.parse().ok().filter(|it| (100..600).contains(it));
        number.or_else(|| named_status(last).filter(|_| !last.contains(['"', '\''])))
    };
    let name = |row: &str| row.split(['"', '\'']).nth(1).map(str::to_owned);
    let is_named = name(was).is_some_and(|it| it.len() > 2) && name(was) == name(is);
    is_named && status(was).is_some_and(|it| it >= 400) && status(is).is_some_and(|it| it < 300)
}

/// What a row says behind its name.
fn content(row: &str) -> Option<String> {
    let (name, rest) = row.split_once(',').or_else(|| row.split_once("=>"))?;
    let is_named = name.contains(['"', '\'']);
    let said = bare(rest);
    (is_named && said.len() > 4).then(|| said.trim_end_matches([',', ';']).to_owned())
}

/// Another row that says the same behind its name, where none did before.
fn twin<'n>(old: &str, new: &'n str, was: &str, is: &str) -> Option<&'n str> {
    let (before, after) = (content(was)?, content(is)?);
    if before == after {
        return None;
    }
    let says = |said: String| move |row: &str| content(row).as_deref() == Some(said.as_str());
    other_row(new, is, says(after)).filter(|_| other_row(old, was, says(before)).is_none())
}

/// The first line besides this one that says the like.
fn other_row<'t>(text: &'t str, line: &str, is_alike: impl Fn(&str) -> bool) -> Option<&'t str> {
    text.lines().map(str::trim).find(|other| *other != line && is_alike(other))
}

/// An answer that another row has, in the place of one that no row has any more, while what is given differs too.
fn answer_of_another(old: &str, new: &str, was: &str, is: &str) -> Option<String> {
    let data = |line: &str| -> Vec<String> {
        words(line).into_iter().map(|(_, word)| word.to_owned()).filter(|word| is_data(word)).collect()
    };
    let (before, after) = (data(was), data(is));
    let (answer, now) = (before.last()?, after.last()?);
    let is_text = |word: &str| word.starts_with(['"', '\'']) && word.len() > 4;
    let has_answer = |row: &str| is_row(row) && data(row).last() == Some(now);
    // What stands before the answer is what is given.
    let given = |row: &str, answer: &str| row.rfind(answer).and_then(|at| row.get(..at)).map(str::to_owned);
    let is_meant = answer != now && is_text(answer) && is_text(now) && !new.contains(answer.as_str());
    let is_of_another = || other_row(old, was, has_answer).is_some();
    (is_meant && given(was, answer) != given(is, now) && is_of_another()).then(|| now.clone())
}
