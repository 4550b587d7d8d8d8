//! Claims about something that stand behind the question whether it is there: `if (old) { expect(old.text).toBe("3") }` fails
//! nothing where it is not.

use crate::detectors::TestComparison;
use crate::detectors::testing::kept_tests::{AssertionLoss, in_before};
use crate::detectors::testing::same_subjects::LocalSubjects;
use crate::languages::Assertion;
use crate::model::finding::Severity;
use crate::model::words::{has_word, is_name_part};

/// How far above a claim its condition may stand, lines.
const NEAR: usize = 3;

/// How a claim that always counted would count only where what it is about is there.
pub(super) fn where_there(
    comparison: &TestComparison,
    names: &LocalSubjects,
    old: &Assertion,
    all: &[&Assertion],
) -> Option<AssertionLoss> {
    if old.conditional || old.trivial || old.claim.subject.is_empty() {
        return None;
    }
    let plain = |text: &str| text.replace(['?', '!'], "");
    let subject = plain(&names.claimed(&old.claim).0);
    let is_same = |new: &&&Assertion| {
        new.conditional
            && new.claim.matcher == old.claim.matcher
            && new.claim.expected == old.claim.expected
            && plain(&names.claims(&new.claim).0) == subject
    };
    let new = all.iter().find(is_same)?;
    let end = new.claim.subject.find(|c: char| !is_name_part(c)).unwrap_or(new.claim.subject.len());
    let root = new.claim.subject.get(..end).filter(|it| it.len() > 1)?;
    let text = comparison.change.after.as_deref()?;
    let at = usize::try_from(new.line).ok()?.checked_sub(1)?;
    let above = text.lines().take(at).skip(at.saturating_sub(NEAR)).map(str::trim_start);
    let asks = |line: &str| line.starts_with("if") && has_word(line, root) && !line.contains('=');
    let mut conditions = above.filter(|line| asks(line));
    // What is asked for besides fails where it is not there, and so does a branch for that.
    let holds = |it: &&Assertion| it.line == new.line && it.text == new.text;
    let test = comparison.after.tests.iter().find(|test| test.assertions.iter().any(|it| holds(&it)))?;
    let is_required = test.assertions.iter().any(|it| !it.conditional && has_word(&it.text, root));
    let body = test.text_in(Some(text));
    let has_other_branch = body.contains("else") || body.contains("throw ");
    (conditions.next().is_some() && !is_required && !has_other_branch).then(|| {
        let was = in_before(comparison, old);
        (Severity::High, old.line, format!("`{was}` would be asked only where `{root}` is there"))
    })
}
