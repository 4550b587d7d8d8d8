//! Tests in which something was to be refused, and in which nothing is any more, or the same succeeds.

use crate::detectors::TestComparison;
use crate::detectors::testing::other_forms::refuses_otherwise;
use crate::detectors::testing::said_within::{asks_what_was_caught, is_refusal};
use crate::detectors::testing::test_inputs::{ChangedTestInput, is_refusing};
use crate::detectors::testing::test_lines::defined_name;
use crate::languages::code::{bare, identifiers};
use crate::languages::{Assertion, LocalNames, Test};
use crate::model::finding::Severity;
use crate::model::words::has_word;

/// A test in which something was to be refused, and in which nothing is any more.
pub(super) fn accepted(comparison: &TestComparison) -> Option<ChangedTestInput> {
    comparison.kept().filter(|(before, _)| !before.suite).find_map(|(before, after)| {
        if let Some(old) = turned(before, after) {
            let what =
                format!("`{}` would succeed, while nothing that the test is about has changed", old.text);
            return Some(ChangedTestInput {
                what,
                line: old.line,
                severity: Severity::High,
                lost: vec![before.name.clone()],
            });
        }
        let count = |test: &Test| test.assertions.iter().filter(|it| is_refusal(it)).count();
        let is_turned =
            || count(before) > 0 && count(after) == 0 && after.assertions.iter().any(|it| !it.trivial);
        let differs = before.assertions.iter().zip(&after.assertions).any(|(a, b)| a.text != b.text);
        let is_lost = differs && is_turned() && (is_refusing(before) || before.assertions.len() <= 2);
        let text = || after.text_in(comparison.change.after.as_deref());
        let is_kept = || {
            is_in_text(before, text())
                || refuses_in_new_function(comparison, after)
                || says_in_helper(comparison, before, after)
                || refuses_otherwise(before, after, text())
                || asks_what_was_caught(&after.assertions, text())
                || takes_same_errors(before, before.text_in(comparison.change.before.as_deref()), text())
        };
        (is_lost && !is_kept()).then(|| ChangedTestInput {
            what: format!(
                "`{}` would see no refusal any more, while nothing that it tests has changed",
                before.title
            ),
            line: before.assertions.first().map_or(before.line, |it| it.line),
            severity: Severity::High,
            lost: vec![before.name.clone()],
        })
    })
}

/// Whether a function of the same file that asserts, and that the test did not call before, expects each refusal that the
/// test expected.
fn says_in_helper(comparison: &TestComparison, before: &Test, after: &Test) -> bool {
    let text = comparison.change.after.as_deref().unwrap_or_default();
    let is_new = |name: &str| after.body.count(name) > before.body.count(name);
    let helpers = comparison.after.strays.iter().filter(|it| it.assertions > 0 && is_new(&it.name));
    let refusals = || before.assertions.iter().filter(|it| is_refusal(it));
    let says = |said: &str, it: &Assertion| said.contains(&it.text) || said.contains(&it.claim.expected);
    let mut said = helpers.filter_map(|it| text.get(it.span.clone())).map(bare);
    said.any(|said| refusals().all(|it| !it.claim.expected.is_empty() && says(&said, it)))
}

/// Whether each error that a test asked about is still taken out of its result, which fails where there is none, and is of
/// the same kind: `let Refused::Late(by) = err else { panic!() }`.
fn takes_same_errors(before: &Test, old: &str, new: &str) -> bool {
    const TAKING: &[&str] = &["unwrap_err(", "expect_err("];
    let count = |text: &str| TAKING.iter().map(|call| text.matches(call).count()).sum::<usize>();
    let names = LocalNames::of(old);
    let is_taken = |text: &str| count(text) > 0 || identifiers(text).any(|it| count(&names.resolved(it)) > 0);
    let has_kinds = |text: &str| {
        let mut kinds = identifiers(text).filter(|it| it.starts_with(char::is_uppercase));
        kinds.all(|kind| has_word(new, kind))
    };
    let mut refusals = before.assertions.iter().filter(|it| is_refusal(it));
    count(new) >= count(old) && refusals.all(|it| is_taken(&it.text) && has_kinds(&it.text))
}

/// Whether the text of a test still has all that it expected where something was refused: in the rows of a table.
fn is_in_text(before: &Test, text: &str) -> bool {
    let text = bare(text);
    let mut refusals = before.assertions.iter().filter(|it| is_refusal(it));
    let is_value = |it: &Assertion| it.claim.subject != "raise" && it.claim.expected.len() > 3;
    refusals.all(|it| is_value(it) && text.contains(&it.claim.expected))
}

/// An assertion that said that something ends badly, and says that the same ends well.
fn turned<'t>(before: &'t Test, after: &Test) -> Option<&'t Assertion> {
    const TURNS: &[(&str, &[&str])] = &[
        (".left", &[".isRight", ".right."]),
        (".isLeft", &[".isRight", ".right."]),
        ("err(", &[".is_ok()", ".unwrap()"]),
        (",Err(", &[",Ok("]),
        ("==Err(", &["==Ok("]),
        ("Left(", &["Right("]),
        ("{:error", &["{:ok"]),
        (".isFailure", &[".isSuccess", ".getOrThrow"]),
        ("assertThrows", &["assertDoesNotThrow"]),
        ("XCTAssertThrowsError", &["XCTAssertNoThrow"]),
        ("Assert.Throws", &["Assert.DoesNotThrow", "Record.Exception"]),
        ("toThrow", &["not.toThrow"]),
        ("rejects", &["resolves"]),
        ("assertFails", &["assertDoesNotThrow", "isSuccess", "getOrThrow"]),
        ("shouldThrow", &["shouldNotThrow"]),
        ("Should().Throw", &["Should().NotThrow"]),
        ("throwsA(", &["returnsNormally"]),
        ("raise_error", &["not_to raise_error", "to_not raise_error"]),
        ("_THROWS", &["_NOTHROW", "_NO_THROW"]),
    ];
    let (old, new) = (&before.assertions, &after.assertions);
    let is_turned = |(was, is): &(&Assertion, &Assertion)| {
        let root = was.text.split(['.', ',']).next().unwrap_or_default();
        let is_same = !root.is_empty() && is.text.contains(root.rsplit('(').next().unwrap_or(root));
        let turns = |(bad, well): &(&str, &[&str])| {
            was.text.contains(bad)
                && !well.iter().any(|it| was.text.contains(it))
                && well.iter().any(|it| is.text.contains(it))
        };
        was.text != is.text && is_same && TURNS.iter().any(turns)
    };
    old.iter().zip(new).filter(|_| old.len() == new.len()).find(is_turned).map(|(was, _)| was)
}

/// Whether a test calls a function that is new in its file and in which something is to be refused.
fn refuses_in_new_function(comparison: &TestComparison, test: &Test) -> bool {
    const WITHIN: usize = 6;
    // In lower case.
    const REFUSED: &[&str] =
        &["throw", "raise", "rejects", "is_err", "iserr", "wanterr", "erroris", "fails", "panic"];
    let (Some(old), Some(new)) = (comparison.change.before.as_deref(), comparison.change.after.as_deref())
    else {
        return false;
    };
    let body = new.get(test.span.clone()).unwrap_or_default();
    let is_called = |name: &str| {
        let call = format!("{name}(");
        body.contains(&call) && !old.contains(&call) && name.len() > 2
    };
    let defines = |line: &str| {
        ["func ", "def ", "fn ", "fun ", "function ", "const ", "void ", "static "]
            .iter()
            .any(|head| line.contains(head))
    };
    new.lines().enumerate().any(|(at, line)| {
        defines(line)
            && is_called(defined_name(line))
            && new.lines().skip(at).take(WITHIN).any(|it| {
                let lower = it.to_lowercase();
                REFUSED.iter().any(|word| lower.contains(word))
            })
    })
}
