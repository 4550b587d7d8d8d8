//! The known name that a misspelt one was probably meant to be.

use strsim::osa_distance;

/// The longest word that is compared, characters: no name is as long, and a distance costs the product of the lengths.
const LONGEST: usize = 64;

/// The nearest of `known` to `word`, the first of equally near ones, if at most `allowed(word)` letters are changed,
/// added, removed or swapped with their neighbour. Case counts nothing, nor do `-` and `_`.
pub(crate) fn nearest<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
    allowed: fn(&str) -> usize,
) -> Option<&'a str> {
    if word.chars().count() > LONGEST {
        return None;
    }
    let (folded, allowed) = (fold(word), allowed(word));
    let distances = known.into_iter().map(|name| (osa_distance(&folded, &fold(name)), name));
    distances
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The slips of a key of the configuration. They are few and unlike each other, so a hint may be generous.
pub(crate) fn few_slips(word: &str) -> usize {
    match fold(word).len() {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    }
}

/// The slips of a word of a definition, which has many alike: a third of its letters.
pub(crate) fn third(word: &str) -> usize {
    word.chars().count().max(3) / 3
}

fn fold(word: &str) -> String {
    word.chars().filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definitions::names::{Action, Agent};
    use crate::definitions::vocabulary::VARIABLES;

    #[test]
    fn a_slip_is_understood_and_another_word_is_not() {
        let names = ["mode", "patterns_enabled", "max_retries", "keep"];
        for (word, meant) in [
            ("moed", Some("mode")),
            ("patternsEnabled", Some("patterns_enabled")),
            ("pattern_enabled", Some("patterns_enabled")),
            ("max-retry", Some("max_retries")),
            ("keeps", Some("keep")),
            ("x", None),
            ("verbosity", None),
            ("", None),
        ] {
            assert_eq!(nearest(word, names, few_slips), meant, "{word}");
        }
        assert_eq!(nearest(&"mode".repeat(100_000), names, few_slips), None);
    }

    #[test]
    fn a_near_name_is_found_and_a_far_one_is_not() {
        let nearest = |word: &str, known: &[&'static str]| nearest(word, known.iter().copied(), third);
        let actions: Vec<&str> = Action::ALL.iter().map(|action| action.name()).collect();
        let agents: Vec<&str> = Agent::ALL.iter().map(|agent| agent.name()).collect();
        let rows = [
            (nearest("log_lop_start", &actions), Some("log_loop_start")),
            (nearest("log_loop_strat", &actions), Some("log_loop_start")),
            (nearest("LOG_ERROR", &actions), Some("log_error")),
            (nearest("lazyness_detector", &agents), Some("laziness-detector")),
            (nearest("deploy", &actions), None),
            (nearest("", &actions), None),
            (nearest(&"log_error".repeat(100), &actions), None),
            (nearest("itration", VARIABLES), Some("iteration")),
        ];
        for (found, expected) in rows {
            assert_eq!(found, expected);
        }
    }
}
