//! Tests that call the double themselves: what the code was to be seen doing is done by the test, and the code is asked
//! nothing any more. `$this->worker->run(1)` became `$this->transport->bury($message)`, beside the claim that `bury` comes once,
//! and `assert fine(3) == 60` asks the stand-in that was told to answer 60.

use crate::detectors::TestComparison;
use crate::detectors::testing::own_answers::{called_in, is_framework};
use crate::detectors::testing::stand_in_values::is_double;
use crate::detectors::testing::test_lines::{bound, words_of};
use crate::languages::Test;
use crate::model::words::{has_word, is_name_part};

/// How a claim about a call of a double is written.
const CLAIMS: &[&str] = &[
    "expects(",
    "verify(",
    "verify {",
    "Verify(",
    "toHaveBeenCalled",
    "toHaveBeenLastCalled",
    "toBeCalled",
    "assert_called",
    "assert_awaited",
    "assert_has_calls",
    "have_received",
    "to receive(",
    "shouldReceive(",
    "shouldHaveReceived(",
    "Received(",
    "EXPECT_CALL(",
    "calledWith",
    "calledOnce",
];
/// Words of lines that set a double up or claim something: they call nothing by themselves.
const BESIDE: &[&str] = &[
    "expect",
    "assert",
    "when(",
    "given(",
    "every",
    "Setup(",
    "returns",
    "Returns",
    "mock",
    "allow(",
    "->method(",
    "stub",
    "=",
];

/// What the tests asked before, and the line in which they call a double in its place.
pub(super) fn called_by_tests(comparison: &TestComparison) -> Option<(String, u32)> {
    rewritten(comparison).find_map(|RewrittenTest { was, is, after }| {
        let come = is.lines().filter(|line| !was.contains(line.trim()));
        let (own, receiver, line) = come.filter_map(called).find_map(|(receiver, method, line)| {
            let claims = |text: &str| {
                let is_claim = CLAIMS.iter().any(|it| text.contains(it));
                is_claim && has_word(text, receiver) && has_word(text, method)
            };
            let is_claimed = is.lines().any(|it| it.trim() != line && claims(it));
            let was_called =
                was.lines().filter_map(called).any(|(of, name, _)| (of, name) == (receiver, method));
            (is_claimed && !was_called).then_some((method, receiver, line))
        })?;
        let is_left = |of: &str, name: &str| is.lines().filter_map(asked).any(|it| it == (of, name));
        let gone = was.lines().filter(|line| !is.contains(line.trim()));
        let (_, lost) = gone
            .filter_map(asked)
            .find(|(of, name)| *of != receiver && *name != own && !is_left(of, name))?;
        let at = number_of(comparison.change.after.as_deref()?, after, line)?;
        Some((lost.to_owned(), at))
    })
}

/// What a claim asked before, and the line of a double that was told its answer and is asked in its place.
pub(super) fn told_and_asked(comparison: &TestComparison) -> Option<(String, u32)> {
    rewritten(comparison).find_map(|RewrittenTest { was, is, after }| {
        let come = || is.lines().filter(|line| !was.contains(line.trim()));
        let (double, line) = come().find_map(|line| Some((told_double(line)?, line)))?;
        let call = format!("{double}(");
        come().find(|it| *it != line && is_claim(it) && has_word(it, double) && it.contains(&call))?;
        let calls = |text: &str, name: &str| has_word(text, name) && text.contains(&format!("{name}("));
        let gone = was.lines().filter(|it| is_claim(it) && !is.contains(it.trim()));
        let mut asked = gone.flat_map(called_in).filter(|name| !is_framework(name));
        let lost = asked.find(|name| !is.lines().any(|it| calls(it, name)))?;
        Some((lost, number_of(comparison.change.after.as_deref()?, after, line)?))
    })
}

/// A test that keeps its name and says something else.
struct RewrittenTest<'c> {
    was: &'c str,
    is: &'c str,
    after: &'c Test,
}

fn rewritten<'c>(comparison: &'c TestComparison) -> impl Iterator<Item = RewrittenTest<'c>> {
    let (old, new) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let namesakes = comparison.kept().filter(|(before, after)| !before.suite && before.name == after.name);
    let texts = namesakes.map(move |(before, after)| RewrittenTest {
        was: before.text_in(old),
        is: after.text_in(new),
        after,
    });
    texts.filter(|it| it.was != it.is)
}

/// The name of a double that a line makes and tells what to answer.
fn told_double(line: &str) -> Option<&str> {
    const TELLING: &[&str] = &["return_value=", "side_effect=", "mockReturn", "mockResolved", ".returns("];
    let is_told = TELLING.iter().any(|it| line.contains(it));
    // `with patch("shop.fine", return_value=60) as fine:`
    let by_with = || {
        let (head, name) = line.trim_end().strip_suffix(':')?.rsplit_once(" as ")?;
        (head.trim_start().starts_with("with ") && head.contains("patch")).then_some(name.trim())
    };
    let name = by_with().or_else(|| bound(line).filter(|(_, value)| is_double(value)).map(|(name, _)| name));
    name.filter(|it| is_told && it.len() > 1 && it.chars().all(is_name_part))
}

fn is_claim(line: &str) -> bool {
    let lower = line.to_lowercase();
    ["assert", "expect", "should", "require."].iter().any(|it| lower.contains(it))
}

/// The last name of the object and the method of a statement that only calls: `await bank.pay(3);`.
fn called(line: &str) -> Option<(&str, &str, &str)> {
    let (receiver, method) = asked(line)?;
    let bare = line.trim();
    let is_beside = BESIDE.iter().any(|word| bare.split('(').next().unwrap_or(bare).contains(word))
        || CLAIMS.iter().any(|word| bare.contains(word));
    (!is_beside).then_some((receiver, method, bare))
}

/// The same of a line that may give a name to what comes of it.
fn asked(line: &str) -> Option<(&str, &str)> {
    let bare = line.trim();
    let value = bare.split_once(" = ").map_or(bare, |(_, value)| value);
    let value = value.trim_start_matches("await ").trim_start_matches("yield ").trim_start_matches("try ");
    let head = value.split('(').next().filter(|head| head.len() < value.len())?;
    let is_path =
        head.chars().all(|c| is_name_part(c) || matches!(c, '.' | '-' | '>' | '$' | '@' | '?' | '!' | ':'));
    let mut names: Vec<&str> = words_of(head).collect();
    let method = names.pop()?;
    // Moq's double is called as what it stands for: `bank.Object.Pay(3)`.
    let receiver = names.into_iter().rev().find(|name| !matches!(*name, "Object" | "object"))?;
    (is_path && method.len() > 1).then_some((receiver, method))
}

/// The line of a test's text in the whole text.
fn number_of(text: &str, test: &Test, line: &str) -> Option<u32> {
    let own = test.text_in(Some(text));
    let at = test.span.start + own.find(line)?;
    u32::try_from(text.get(..at)?.matches('\n').count() + 1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_is_read_by_what_it_calls() {
        for (line, expected) in [
            ("        $this->transport->bury($message, 'down');", Some(("transport", "bury"))),
            ("  await bank.pay(3);", Some(("bank", "pay"))),
            ("  bank.Object.Pay(3);", Some(("bank", "Pay"))),
            ("  expect(bank.pay).toHaveBeenCalled();", None),
            ("  const paid = bank.pay(3);", None),
            ("  verify(bank).pay(3);", None),
        ] {
            assert_eq!(called(line).map(|it| (it.0, it.1)), expected, "{line}");
        }
    }
}
