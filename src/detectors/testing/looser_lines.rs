//! Lines of tests that say less by one word of them: a call that came so many times and may come as often as it likes, a
//! failure that is only printed, an absence that is asked of something narrower.
//!
//! What stands around that word is the same.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::{line_pairs, places_of};
use crate::detectors::testing::said_elsewhere::fails;
use crate::detectors::testing::word_edit::{Edit, is_sign};
use crate::languages::code::is_log;
use crate::languages::differing::DifferingMiddle;
use crate::languages::is_test_path;
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// How a call is counted, up to its bracket, and how any number of calls is enough.
const COUNTED: &[&str] = &[
    "times(",
    "exactly(",
    "Times.Exactly(",
    "Times.Once",
    "Received(",
    "called(",
    "times:",
    "exactly =",
    "Exactly(",
    "calledOnceWith(",
];
const UNCOUNTED: &[&str] = &[
    "atLeastOnce()",
    "atLeast(1)",
    "atLeast(0)",
    "atLeast = 0",
    "atLeast = 1",
    "Times.AtLeastOnce",
    "Times.AtMost(",
    "ReceivedWithAnyArgs(",
    "atMost(",
    "atMostOnce()",
    "called(greaterThan",
    "at_least(:once)",
    "at_least(1).times",
    "called(any",
    "anyTimes()",
    "Times(AtLeast(1))",
    "Times.AtLeast(0)",
    "Times.AtLeast(1)",
    "zeroOrMoreTimes()",
];
/// What says that something is not there.
const ABSENT: &[&str] = &[
    ".not.toBe",
    ".not.toHave",
    ".not_to",
    ".to_not",
    "toBeNull(",
    "assertNull(",
    "assert_nil",
    "assertIsNone(",
    "assertDatabaseMissing(",
    "findsNothing",
    "is None",
    "refute ",
    ".not.to.exist",
    "toBeUndefined(",
];

/// Matchers that ask for a part, up to what they ask for.
const PARTIAL: &[&str] =
    &["toMatchObject(", "objectContaining(", "arrayContaining(", "a_hash_including(", "hash_including("];
/// What says which error comes up, up to its name, and the names that stand for any.
const RAISED: &[&str] = &[
    "ThrowAsync<",
    "ThrowsAsync<",
    "Throws<",
    "Throw<",
    "ThrowExactlyAsync<",
    "assertThrows(",
    "assertFailsWith<",
    "shouldThrow<",
    "assertRaises(",
    "pytest.raises(",
    "assert_raises(",
    "raise_error(",
    "isInstanceOf(",
    "toThrow(",
    "expectException(",
    "throwsA(isA<",
    "assert_raise ",
];
const ANY: &[&str] = &[
    "Exception",
    "Throwable",
    "Error",
    "StandardError",
    "BaseException",
    "RuntimeException",
    "SystemException",
];

/// The first line of a test that says less, with its number.
pub(super) fn said_less(change: &Change) -> Option<(String, u32)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path) {
        return None;
    }
    let differing = DifferingMiddle::of(old, new).before;
    let has_word = [PARTIAL, RAISED, COUNTED, ABSENT].into_iter().flatten().any(|it| differing.contains(it));
    if !has_word && !differing.lines().any(|it| fails_by_hand(value(it))) {
        return None;
    }
    let all = places_of(change)?;
    let even = line_pairs(&all);
    // Of places with fewer lines the first may still be the same claim.
    let cut = all.iter().filter(|it| it.come.len() < it.gone.len());
    let cut = cut.filter_map(|it| it.gone.first().zip(it.come.first()));
    even.chain(cut).find_map(|(was, is)| {
        let how = less(was, is)?;
        Some((format!("`{}` would become `{}`, which {how}", was.text, is.text), is.number))
    })
}

fn less(was: &CodeLine, is: &CodeLine) -> Option<&'static str> {
    if is_uncounted(was.text, is.text) {
        return Some("holds however often it is called");
    }
    if is_emptied(was.text, is.text) {
        return Some("asks for nothing");
    }
    if is_any_error(was.text, is.text) {
        return Some("takes any error");
    }
    if is_only_printed(was.text, is.text) {
        return Some("fails nothing");
    }
    is_narrower_absence(was.text, is.text).then_some("is not there anyway")
}

/// `verify(bank, times(3)).pay(x)` that became `verify(bank, atLeastOnce()).pay(x)`.
fn is_uncounted(was: &str, is: &str) -> bool {
    if UNCOUNTED.iter().any(|it| was.contains(it)) {
        return false;
    }
    let Some(at) = UNCOUNTED.iter().filter_map(|it| is.find(it)).min() else { return false };
    let start = COUNTED.iter().filter_map(|it| was.find(it)).min().unwrap_or(usize::MAX);
    let head = |text: &'_ str, at: usize| text.get(..at).map(|it| it.trim_end_matches([' ', ',']).to_owned());
    let called = |text: &str| -> Vec<String> {
        let names = text.split(|c: char| !is_name_part(c)).filter(|it| it.len() > 3);
        names.map(str::to_owned).collect()
    };
    // What is called is the same, whatever it is called with.
    let kept = called(was).iter().filter(|it| called(is).contains(it)).count();
    start < usize::MAX && head(was, start) == head(is, at) && kept > 0
}

/// A line that failed the test, and that prints the same now.
fn is_only_printed(was: &str, is: &str) -> bool {
    let (old, new) = (value(was), value(is));
    let given =
        |text: &str| text.split_once('(').map(|(_, rest)| rest.trim_end_matches([';', ',']).to_owned());
    const PRINTING: &[&str] = &["t.Log", "eprint", "print", "console.", "fmt.Print", "log.", "std::cerr <<"];
    let is_log = is_log(new) || PRINTING.iter().any(|it| new.starts_with(it));
    let is_same = || match (given(old), given(new)) {
        // With other words it still prints the same values.
        (Some(was), Some(is)) => was == is || values_of(&was).is_some_and(|it| Some(it) == values_of(&is)),
        _ => false,
    };
    fails_by_hand(old) && !fails_by_hand(new) && is_log && is_same()
}

/// What stands behind the text of a message, where something does: `got, want` of `"got %d, want %d", got, want)`.
fn values_of(given: &str) -> Option<String> {
    let rest = given.strip_prefix('"')?.split_once('"')?.1.trim_start_matches(',').trim();
    (rest.len() > 1).then(|| rest.to_owned())
}

/// Whether a line makes its test fail, as each language does it.
fn fails_by_hand(line: &str) -> bool {
    const FAILING: &[&str] = &[
        "panic!(",
        "unreachable!(",
        "t.Error(",
        "t.Errorf(",
        "t.Fatal(",
        "t.Fatalf(",
        "pytest.fail(",
        "$this->fail(",
        "self::fail(",
        "TEST_FAIL_MESSAGE(",
        "FAIL() <<",
    ];
    fails(line) || FAILING.iter().any(|it| line.starts_with(it))
}

/// What a line does, without the head of an arm.
fn value(line: &str) -> &str {
    line.split_once("=> ").map_or(line, |it| it.1).trim()
}

/// `toMatchObject({ state: 'paid' })` that became `toMatchObject({})`.
fn is_emptied(was: &str, is: &str) -> bool {
    let inside = |text: &'_ str, call: &str| -> Option<(String, String)> {
        let (head, rest) = text.split_once(call)?;
        let end = rest.rfind([']', '}'])?;
        Some((head.to_owned(), rest.get(..end)?.trim_matches([' ', '{', '[']).to_owned()))
    };
    PARTIAL.iter().any(|call| {
        let (Some((head, given)), Some((new_head, left))) = (inside(was, call), inside(is, call)) else {
            return false;
        };
        head == new_head && !given.is_empty() && left.is_empty()
    })
}

/// `ThrowsAsync<BadOrder>` that became `ThrowsAsync<Exception>`: any error is as good.
fn is_any_error(was: &str, is: &str) -> bool {
    let error = |text: &'_ str| -> Option<(String, String)> {
        let at = RAISED.iter().filter_map(|it| text.find(it).map(|at| at + it.len())).min()?;
        let (head, rest) = text.split_at(at);
        let name = rest.split(|c: char| !(is_name_part(c) || c == '.' || c == ':')).next()?;
        Some((head.to_owned(), name.rsplit(['.', ':']).next().unwrap_or(name).to_owned()))
    };
    let (Some((head, name)), Some((new_head, new_name))) = (error(was), error(is)) else { return false };
    head == new_head && !ANY.contains(&name.as_str()) && ANY.contains(&new_name.as_str())
}

/// An absence that is asked of something with one argument more: `queryByRole('row')` with a name.
fn is_narrower_absence(was: &str, is: &str) -> bool {
    if !ABSENT.iter().any(|it| was.contains(it) && is.contains(it)) {
        return false;
    }
    let (old, new) = (format!("{was}\n"), format!("{is}\n"));
    let Some(edit) = Edit::of(&old, &new) else { return false };
    let is_more =
        edit.gone.is_empty() && edit.come.first() == Some(&",") && !edit.come.iter().all(|it| is_sign(it));
    // A message behind the claim is no argument of what is asked.
    let is_in_subject =
        old.get(edit.end..).is_some_and(|rest| rest.starts_with("))") || rest.starts_with(") is"));
    is_more && is_in_subject
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_says_less_by_one_word_is_told() {
        for (was, is, expected) in [
            ("verify(bank, times(3)).pay(x);", "verify(bank, atLeastOnce()).pay(x);", true),
            ("verify(bank, times(1)).pay(x);", "verify(bank).pay(x);", false),
            ("bank.Received(1).Pay(\"A-1\", 3);", "bank.ReceivedWithAnyArgs().Pay(default!, default);", true),
            ("verify(bank, atLeastOnce()).pay(x);", "verify(bank, times(1)).pay(x);", false),
            ("other => panic!(\"got {other:?}\"),", "other => eprintln!(\"got {other:?}\"),", true),
            ("t.Fatalf(\"got %v\", got)", "t.Errorf(\"got %v\", got)", false),
            ("t.Errorf(\"size %d, want %d\", n, want)", "t.Logf(\"size %d (was %d)\", n, want)", true),
            ("t.Errorf(\"size %d\", n)", "t.Logf(\"name %s\", name)", false),
            ("expect(a).toMatchObject({ state: 'paid' });", "expect(a).toMatchObject({});", true),
            (
                "await act.Should().ThrowAsync<BadOrder>()",
                "await act.Should().ThrowAsync<Exception>();",
                true,
            ),
            ("assertThrows(BadOrder.class, () -> a());", "assertThrows(LateOrder.class, () -> a());", false),
            (
                "expect(page.queryByRole('row')).not.toBeVisible();",
                "expect(page.queryByRole('row', { name: 'Bo' })).not.toBeVisible();",
                true,
            ),
            ("expect(page.find('row')).toBe(a);", "expect(page.find('row', 3)).toBe(a);", false),
        ] {
            let line = |text| CodeLine { text, at: 0, number: 1 };
            assert_eq!(less(&line(was), &line(is)).is_some(), expected, "{was} -> {is}");
        }
    }
}
