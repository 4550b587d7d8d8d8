//! Assertions that only ask whether something is there, of which kind it is, or near to what, where they asked what it is:
//! `r.left.value shouldBe Full` that became `r.isLeft`, `rows == [...]` that became `!rows.isEmpty`, `Approx(9).margin(5)`.

use crate::languages::code::bare;
use crate::languages::{Assertion, Strength, Test};
use crate::model::words::is_name_part;

/// What asks whether something is there or how it ended, without white space, in lower case and without `_`.
const PRESENT: &[&str] = &[
    ".isleft",
    ".isright",
    ".iserr()",
    ".isok()",
    ".issome()",
    ".isdefined",
    ".isfailure",
    ".issuccess",
    ".isempty",
    ".nonempty",
    ".isnotempty",
    ".ispresent",
    ".hasvalue",
    ".iserror",
    ".isnotnull",
    ".tobedefined",
    "notnil(",
    "notnull(",
    "shouldbeleft()",
    "shouldberight()",
    ".any()",
    "count>0",
    "length>0",
    "size()>0",
    "tobetruthy",
    "notempty(",
    "notbenull",
    "notbe(null)",
    "notbe(nil)",
];
/// How the value is taken out of what may be one of two.
const TAKING: &[&str] = &[
    ".left.value",
    ".right.value",
    ".left.get",
    ".value",
    ".unwrap_err()",
    ".unwrap()",
    ".expect_err(",
    ".failed.get",
    ".get()",
    ".get",
    ".error",
    ".swap",
];
/// From so large a share on a margin is more than rounding.
const SHARE: f64 = 0.05;

/// The first of a test's assertions that only asks for presence, or has a margin, and what it was before.
pub(super) fn merely_there<'t>(before: &'t Test, after: &'t Test) -> Option<(&'t Assertion, &'t Assertion)> {
    let (old, new) = (&before.assertions, &after.assertions);
    if old.len() != new.len() {
        return None;
    }
    old.iter().zip(new).find(|(old, new)| {
        old.text != new.text
            && !new.trivial
            && !new.swallowed
            && ((is_presence(old, new) || is_mere_truth(old, new)) && !new_says(after, old)
                || gains_margin(&old.text, &new.text) && !new_says(after, old)
                || gains_last_margin(old, new))
    })
}

/// Whether another assertion of the test has all that was expected.
fn new_says(after: &Test, old: &Assertion) -> bool {
    let wanted = old.claim.expected.as_str();
    wanted.len() > 1
        && after
            .assertions
            .iter()
            .any(|it| it.claim.expected == wanted && it.claim.subject == old.claim.subject)
}

fn is_presence(old: &Assertion, new: &Assertion) -> bool {
    let asks = |text: &str| {
        let lower = bare(text).to_lowercase().replace('_', "");
        PRESENT.iter().any(|word| lower.contains(word))
    };
    let is_exact =
        old.claim.strength == Some(Strength::Exact) && !old.claim.negated && old.claim.expected.len() > 2;
    if !is_exact || asks(&old.text) || !asks(&new.text) {
        return false;
    }
    let subject = old.claim.subject.as_str();
    let taken = TAKING.iter().find_map(|end| subject.strip_suffix(end)).unwrap_or(subject);
    let is_same = taken.len() > 1 && bare(&new.text).contains(taken);
    let (was, is) = (root(subject), root(&new.claim.subject));
    let is_list = old.claim.expected.starts_with(['[', '{'])
        || old.claim.expected.contains("Of(")
        || old.claim.expected.contains("(\"");
    is_same || is_list && was.len() > 1 && was == is
}

/// Whether a condition about a part of something became that the whole is there: `result.error instanceof Timeout`, and
/// `result`.
fn is_mere_truth(old: &Assertion, new: &Assertion) -> bool {
    const CONDITIONS: &[&str] =
        &["instanceof", "isinstance(", "==", ".is_a?(", "typeof", ".includes(", "matches("];
    let (was, is) = (old.claim.subject.as_str(), new.claim.subject.as_str());
    let is_plain = is.len() > 1 && is.chars().all(|c| is_name_part(c) || matches!(c, '$' | '@'));
    let asks = |it: &Assertion| it.claim.strength <= Some(Strength::Kind) && !it.claim.negated;
    let held = was.trim_start_matches("isinstance(").strip_prefix(is);
    is_plain
        && asks(old)
        && asks(new)
        && new.claim.expected.is_empty()
        && CONDITIONS.iter().any(|word| was.contains(word))
        && held.is_some_and(|rest| !rest.starts_with(is_name_part))
}

/// The name that a subject begins with.
fn root(subject: &str) -> &str {
    let start = subject.trim_start_matches(['!', '(', '&', '*', '$']);
    let end = start.find(|c: char| !is_name_part(c)).unwrap_or(start.len());
    start.get(..end).unwrap_or_default()
}

/// Whether a comparison with a number has a margin now that takes in much more.
fn gains_margin(old: &str, new: &str) -> bool {
    let (old, new) = (bare(old), bare(new));
    let margins = [(".margin(", false), (".epsilon(", true), (",abs=", false), (",rel=", true)];
    margins.iter().any(|(word, is_share)| {
        if old.contains(word) {
            return false;
        }
        let Some((head, rest)) = new.split_once(word) else { return false };
        let end =
            rest.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | 'e' | '-'))).unwrap_or(rest.len());
        let Ok(margin) = rest.get(..end).unwrap_or_default().parse::<f64>() else { return false };
        let digits = head.rsplit("pprox(").next().unwrap_or_default().trim_end_matches(')');
        let is_same = old.contains(digits);
        let value = digits.parse::<f64>().map_or(1.0, f64::abs);
        is_same && if *is_share { margin >= SHARE } else { margin >= value * SHARE }
    })
}

/// Whether an equation of two numbers has a margin behind them now that takes in much more: `assertEquals(750, sum, 500)`.
fn gains_last_margin(old: &Assertion, new: &Assertion) -> bool {
    const EQUATIONS: &[&str] = &["assertEquals(", "AreEqual(", "XCTAssertEqual(", "assertAlmostEqual("];
    const NAMES: &[&str] = &["accuracy:", "delta=", "delta:", "within(", "Within("];
    let margin = || {
        let rest = new.text.strip_prefix(old.text.strip_suffix(')')?)?.strip_prefix(',')?;
        let named = NAMES.iter().find_map(|name| rest.strip_prefix(name)).unwrap_or(rest);
        named.trim_end_matches([')', 'f', 'd', 'm', 'F', 'D', 'M']).parse::<f64>().ok()
    };
    let value = |text: &str| text.trim_end_matches(['f', 'd', 'm', 'L']).replace('_', "").parse::<f64>().ok();
    let number = || value(&old.claim.expected).or_else(|| value(&old.claim.subject));
    EQUATIONS.iter().any(|head| old.text.contains(head))
        && margin().zip(number()).is_some_and(|(margin, number)| margin >= number.abs().max(1.0) * SHARE)
}
