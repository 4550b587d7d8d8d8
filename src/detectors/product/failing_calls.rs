//! Calls that a test lets fail, to see that the error comes up: what a handler around them, or a lost one, takes away.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::functions::called_in;
use crate::languages::Language;
use crate::languages::code::{identifiers, is_log, plain};
use crate::model::finding::Change;
use crate::model::words::has_word;

/// How a test lets a call fail, in lower case and without `_`.
const FAILING: &[&str] = &[
    "sideeffect",
    "andraise",
    "thenthrow",
    "dothrow",
    "mockrejected",
    "rejectswith",
    "willthrow",
    "throws{",
    "andthrow",
    ".throws(",
    "returnserror",
    "returns(err",
    "return(err",
    "returnonce(err",
    "rejects(",
    "{:error,",
    "err(",
    "throwsasync",
    "setupthrows",
    "raises(",
    "mockimplementation(()=>{throw",
];
/// How a test says that an error comes up, in lower case and without `_`.
const RAISING: &[&str] = &[
    "pytest.raises",
    "assertraises",
    "raiseerror",
    "rejects.",
    "tothrow",
    "assertthrows",
    "assertfailswith",
    "unwraperr",
    "iserr(",
    "xctassertthrowserror",
    "expectexception",
    "throwsa(",
    "throwsexception",
    "shouldthrow",
    "assertthatthrownby",
    "intercept[",
    "assertraise",
    "throwasync",
    "wanterr",
    "requireerror",
    "asserterror",
    "expectthrow",
    "requirethrows",
    "throwserror",
];
/// So many lines of a test belong together.
const NEAR: usize = 8;
/// So many lines around a change are what it is about.
const AROUND: usize = 4;
/// A name shorter than this stands for many things.
const TELLING: usize = 5;

/// The names that are called in the lines around a change of a handler.
pub fn called_near(change: &Change) -> BTreeSet<String> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return BTreeSet::new();
    };
    let table = language.refusing();
    let lines: Vec<&str> = new.lines().collect();
    let mut all = BTreeSet::new();
    for hunk in hunks(table.comment, old, new).unwrap_or_default() {
        let Some(at) = hunk.come.first().and_then(|it| usize::try_from(it.number).ok()) else { continue };
        let near = lines.iter().take(at + AROUND).skip(at.saturating_sub(AROUND + 1));
        for line in near.filter(|line| !is_log(line.trim())) {
            let code = plain(table, line);
            let names = called_in(&code).into_iter().filter(|it| it.len() >= TELLING && !is_neutral(it));
            all.extend(names.map(str::to_owned));
        }
    }
    all
}

/// The line in which a test lets one of the names fail, and claims right there that the error comes up.
pub fn failing_in(test: &str, names: &BTreeSet<String>) -> Option<String> {
    let lines: Vec<&str> = test.lines().collect();
    let squeezed = |line: &str| -> String {
        line.chars().filter(|c| !c.is_whitespace() && *c != '_').flat_map(char::to_lowercase).collect()
    };
    let says = |line: &&str, all: &[&str]| {
        let own = squeezed(line);
        all.iter().any(|it| own.contains(it))
    };
    lines.iter().enumerate().find_map(|(at, line)| {
        let fails = names.iter().any(|name| has_word(line, name)) && says(line, FAILING);
        let near = lines.get(at..lines.len().min(at + NEAR)).unwrap_or_default();
        (fails && near.iter().any(|it| says(it, RAISING)) && identifiers(line).count() > 1)
            .then(|| line.trim().chars().take(60).collect())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_a_test_lets_fail_is_known() {
        let names: BTreeSet<String> = [String::from("capture")].into();
        let failing = "    gateway.capture.side_effect = Declined()\n    with pytest.raises(Declined):\n        charge(bill)\n";
        assert!(failing_in(failing, &names).is_some());
        let working = "    gateway.capture.return_value = 'r1'\n    assert charge(bill) == 'r1'\n";
        assert!(failing_in(working, &names).is_none());
        let heard = "    gateway.capture.side_effect = Declined()\n    assert charge(bill) is None\n";
        assert!(failing_in(heard, &names).is_none());
        let ruby = "allow(Gate).to receive(:capture).and_raise(Gate::Down)\nexpect { bill.pay }.to raise_error(Gate::Down)\n";
        assert!(failing_in(ruby, &names).is_some());
    }

    #[test]
    fn what_a_change_of_a_handler_is_about_is_called_near() {
        let change = Change {
            path: "src/pay.py".to_owned(),
            before: Some(
                "def pay(gate):\n    try:\n        gate.capture(1)\n    except Down:\n        raise\n"
                    .to_owned(),
            ),
            after: Some(
                "def pay(gate):\n    try:\n        gate.capture(1)\n    except Down:\n        return None\n"
                    .to_owned(),
            ),
        };
        assert_eq!(called_near(&change).iter().map(String::as_str).collect::<Vec<_>>(), ["capture"]);
    }
}
