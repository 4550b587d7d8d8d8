//! The claims of tests that are gone, as they are looked for in new lines.

use crate::detectors::testing::joined_rows::without_messages;
use crate::detectors::testing::row_pieces::values;
use crate::detectors::testing::said_within::{FAILURES, is_refusal};
use crate::detectors::testing::written_calls::WrittenCalls;
use crate::languages::code::identifiers;
use crate::languages::{Assertion, Test};

/// Parts of the names of what asserts, in lower case without `_`.
const ASSERTING: &[&str] =
    &["assert", "expect", "should", "tobe", "toequal", "equal", "check", "require", "throw", "raise"];

/// How an error is asked what it says.
const OF_ERRORS: &[&str] = &["what", "getMessage", "message", "toString"];

/// A claim of a lost test.
pub(super) struct LostClaim<'t> {
    pub(super) claim: &'t Assertion,
    /// How it is written, with what it is about.
    pub(super) text: String,
    /// The functions that it calls.
    pub(super) calls: Vec<String>,
    /// Its values.
    pub(super) wanted: Vec<String>,
    /// Whether what it is about stands beside it.
    pub(super) is_beside: bool,
}

impl<'t> LostClaim<'t> {
    /// A claim of a test of a text.
    pub(super) fn of(source: &str, test: &Test, claim: &'t Assertion) -> Self {
        let own = without_messages(&written(source, claim));
        // What is to be refused may be called beside the claim that it is.
        let is_beside = is_refusal(claim) && values(&own).is_empty();
        let text = if is_beside { without_titles(test.text_in(Some(source))) } else { own };
        let mut wanted = values(&text);
        if wanted.len() > 1 {
            // `isLeft shouldBe true`
            wanted.retain(|it| it != "true");
        }
        LostClaim { claim, calls: calls(&text, test), text, wanted, is_beside }
    }
}

/// Whether an assertion only fails the test: `FAIL() << "accepted"`.
pub(super) fn only_fails(assertion: &Assertion) -> bool {
    fails(&assertion.text)
}

fn fails(text: &str) -> bool {
    let lower = text.trim_start().to_lowercase().replace('_', "");
    FAILURES.iter().any(|call| lower.starts_with(call))
}

/// A text without the lines that only fail the test, with what they say.
pub(super) fn without_failures(text: &str) -> String {
    text.lines().filter(|line| !fails(line)).collect::<Vec<_>>().join("\n")
}

/// Whether a word is one of those that assert.
pub(super) fn asserts(word: &str) -> bool {
    let lower = word.replace('_', "").to_lowercase();
    ASSERTING.iter().any(|it| lower.contains(it))
}

/// Whether a word says that an error is to come.
pub(super) fn awaits_error(word: &str) -> bool {
    let lower = word.to_lowercase();
    ["throw", "raise"].iter().any(|it| lower.contains(it))
}

/// A claim as it is written: of the lines that it stands in its own part.
fn written(source: &str, claim: &Assertion) -> String {
    let from = usize::try_from(claim.line).unwrap_or(1).saturating_sub(1);
    let lines = source.lines().skip(from).take(12).collect::<Vec<_>>().join("\n");
    let starts = lines.char_indices().filter(|(_, c)| !c.is_whitespace()).map(|(at, _)| at);
    let own = starts.take(400).find_map(|start| {
        let mut left = claim.text.chars();
        let mut expected = left.next();
        for (at, c) in lines.get(start..)?.char_indices().filter(|(_, c)| !c.is_whitespace()) {
            match expected {
                Some(it) if it == c => expected = left.next(),
                Some(_) => return None,
                None => return lines.get(start..start + at),
            }
        }
        expected.is_none().then(|| lines.get(start..)).flatten()
    });
    own.or_else(|| lines.lines().next()).unwrap_or_default().trim().to_owned()
}

/// Heads of parts of tests, which are followed by a title.
const TITLED: &[&str] = &[
    "SECTION", "describe", "it", "test", "context", "Run", "subTest", "should", "scenario", "given", "when",
    "then",
];

/// A test's text without its head and the titles of its parts.
pub(super) fn without_titles(text: &str) -> String {
    let line = |line: &str| {
        let is_head = identifiers(line).take(3).any(|word| TITLED.contains(&word));
        let quote = line.find(['"', '\'', '`']).filter(|_| is_head);
        let Some((start, mark)) = quote.and_then(|at| Some((at, line.get(at..)?.chars().next()?))) else {
            return line.to_owned();
        };
        let rest = line.get(start + 1..).unwrap_or_default();
        let end = rest.find(mark).map_or(rest.len(), |at| at + 1);
        format!("{}{}", line.get(..start).unwrap_or_default(), rest.get(end..).unwrap_or_default())
    };
    // In its first line a test has its own title and its tags.
    text.lines().skip(1).map(line).collect::<Vec<_>>().join("\n")
}

/// The functions that a statement calls, without those that assert.
fn calls(text: &str, test: &Test) -> Vec<String> {
    let all = WrittenCalls::of(text, &test.title).names;
    let is_named = |it: &String| it.len() > 2 && !test.title.contains(it.as_str());
    all.into_iter().filter(|it| !asserts(it) && !OF_ERRORS.contains(&it.as_str()) && is_named(it)).collect()
}
