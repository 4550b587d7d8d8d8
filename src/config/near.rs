//! The name that a misspelt one was meant to be.

/// The nearest of `names` to `word`, if one is near enough to be a slip of the hand. Case and `-` or `_` don't count.
pub(super) fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = plain(word);
    let allowed = match word.len() {
        0..=3 => 1,
        4..=7 => 2,
        _ => 3,
    };
    let distances = names.into_iter().map(|name| (distance(&word, &plain(name)), name));
    distances
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// Longer words are cut: no name of ours is as long, and the distance costs the product of the lengths.
fn plain(word: &str) -> Vec<u8> {
    word.bytes()
        .take(64)
        .filter(|byte| !matches!(byte, b'-' | b'_'))
        .map(|byte| byte.to_ascii_lowercase())
        .collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that make `b` of `a`.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before_last: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && b[j - 1] == *x {
                least = least.min(before_last[j - 1] + 1);
            }
            row.push(least);
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
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
