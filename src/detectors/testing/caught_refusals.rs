//! Refusals that a test looked at in a callback, and catches now to look at what came: an error that did not come is none of
//! the kind that is asked for.

use crate::detectors::TestComparison;
use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::languages::Assertion;
use crate::languages::code::bare;
use crate::model::words::has_word;

/// Words of a call that is given what looks at a refusal, in lower case.
const REFUSED: &[&str] = &["rejects", "throws", "tothrow", "raises"];
/// How a claim asks for the kind of an error.
const KINDS: &[&str] = &["toBeInstanceOf(", "instanceOf(", "instanceof ", "isinstance(", ".a("];

/// Whether a claim about a caught error is as exact as a callback that looked at it: it asks for the error's kind, what
/// caught it gives back anything that was thrown, and each text of the callback is asked for still.
pub(super) fn is_caught_now(comparison: &TestComparison, old: &Assertion, new: &Assertion) -> bool {
    let after = comparison.change.after.as_deref().unwrap_or_default();
    let lower = old.text.to_lowercase();
    let looks = REFUSED.iter().any(|it| lower.contains(it))
        && (old.text.contains("=>") || old.text.contains("function"))
        && old.text.contains("instanceof");
    let kind = |text: &str| {
        let rest = text.split("instanceof ").nth(1)?;
        rest.split(|c: char| !c.is_alphanumeric()).find(|it| !it.is_empty()).map(str::to_owned)
    };
    let asks = KINDS.iter().any(|it| new.text.contains(it))
        && kind(&old.text).is_none_or(|kind| has_word(&new.text, &kind));
    let is_caught = |line: &str| {
        let Some((name, call)) = line.split_once('=') else { return false };
        let name = name.split_whitespace().next_back().unwrap_or_default();
        // `.catch((reason) => reason)` gives back what was thrown.
        let given =
            bare(call).split(".catch(").nth(1).map(|it| it.trim_end_matches([';', ')']).replace('(', ""));
        let is_given_back =
            given.and_then(|it| it.split_once("=>").map(|(one, back)| one.trim_end_matches(')') == back));
        is_given_back == Some(true) && has_word(&new.text, name)
    };
    let is_said = |text: &str| after.matches(text).count() > 0;
    looks && asks && after.lines().any(is_caught) && quoted(&old.text, QUOTES).all(is_said)
}
