//! The name that a misspelt one was meant to be.

use strsim::osa_distance;

/// The nearest of `names` to `word`, if one is near enough to be a slip of the hand. Case and `-` or `_` don't count.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    let allowed = match word.len() {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let distances = names.into_iter().map(|name| (osa_distance(&word, &plain(name)), name));
    distances
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Longer words are cut: no name of ours is as long, and the distance costs the product of the lengths.
fn plain(word: &str) -> String {
    word.chars().take(64).filter(|c| !matches!(c, '-' | '_')).map(|c| c.to_ascii_lowercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(nearest(word, names), meant, "{word}");
        }
        assert_eq!(nearest(&"mode".repeat(100_000), names), None);
    }
}
