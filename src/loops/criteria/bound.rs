//! A coverage's bound: the number, and whether the number itself is enough.

use serde::{Deserialize, Serialize};

use crate::loops::criteria::words::CriterionWord;

/// Whether a bound holds for its own number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BoundSense {
    /// It doesn't: "above 80%".
    Above,
    /// It does: "at least 80%".
    AtLeast,
}

/// The number and whether it is itself enough: "> 80%" is not met by 80, "80%" and "at least 80%" are.
pub(super) fn bound(tail: &[CriterionWord]) -> Option<(f64, BoundSense)> {
    let mut numbers = tail.iter().enumerate().filter_map(|(at, word)| Some((at, percent(&word.plain)?)));
    let (at, (value, marked)) = numbers.next()?;
    let followed = tail.get(at + 1).is_some_and(|word| word.is_any(&["%", "percent"]));
    let compared = tail
        .iter()
        .any(|word| word.plain.starts_with(['>', '≥']) || word.is_any(&["above", "over", "least"]));
    if numbers.next().is_some() || !(marked || followed || compared) || !(0.0..=100.0).contains(&value) {
        return None;
    }
    let strict = tail.iter().any(|word| {
        word.is_any(&["above", "over", "exceeds", "exceed", "than", ">"])
            || word.plain.starts_with('>') && !word.plain.starts_with(">=")
    });
    let equal = tail.iter().any(|word| word.is_any(&["equal", ">=", "≥"]));
    Some((value, if strict && !equal { BoundSense::Above } else { BoundSense::AtLeast }))
}

/// A number with what may be written around it (`>=80.5%`), and whether it had a percent sign.
pub(super) fn percent(word: &str) -> Option<(f64, bool)> {
    let number = word.trim_start_matches(['>', '=', '≥', '~']);
    let bare = number.strip_suffix('%').unwrap_or(number).trim_end_matches('+');
    let is_number = !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !is_number {
        return None;
    }
    Some((bare.parse().ok()?, number.contains('%')))
}
