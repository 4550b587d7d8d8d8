//! Numbers and names as the lines of summaries hold them.

use crate::metrics::Tests;

/// The number before a word: 3 of `3 passed` in `1 failed | 3 passed (4)`.
pub(crate) fn before(line: &str, word: &str) -> Option<u64> {
    let mut last = None;
    for piece in line.split([' ', ',', '|', ';', '(', ')', '\t']).filter(|piece| !piece.is_empty()) {
        if piece == word {
            return last;
        }
        last = piece.parse().ok();
    }
    None
}

/// The number behind a label: 4 of `Tests: 4, Assertions: 2`.
pub(crate) fn behind(line: &str, label: &str) -> Option<u64> {
    let at = line.find(label)?;
    let rest = line.get(at + label.len()..)?.trim_start();
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..digits)?.parse().ok()
}

/// A name without the time that stands behind it: `adds (2 ms)`, `adds 1ms`.
pub(crate) fn untimed(name: &str) -> &str {
    let name = name.trim();
    let is_time = |text: &str| {
        let digits = text.trim_end_matches("ms").trim_end_matches('s').trim_end_matches(" m").trim_end();
        digits.len() < text.len()
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    if let Some((head, time)) = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("))
        && is_time(time)
    {
        return head.trim_end();
    }
    match name.rsplit_once(' ') {
        Some((head, time)) if is_time(time) => head.trim_end(),
        _ => name,
    }
}

/// Adds a summary's numbers; a missing one is 0.
pub(crate) fn add(
    sum: &mut Option<(u64, u64, u64)>,
    passed: Option<u64>,
    failed: Option<u64>,
    skipped: Option<u64>,
) {
    let sum = sum.get_or_insert_default();
    sum.0 += passed.unwrap_or(0);
    sum.1 += failed.unwrap_or(0);
    sum.2 += skipped.unwrap_or(0);
}

/// Tests by name and what the summaries say; `None` when there is neither.
pub(crate) fn together(mut tests: Tests, sum: Option<(u64, u64, u64)>) -> Option<Tests> {
    if let Some(sum) = sum {
        tests.at_least(sum);
    }
    (sum.is_some() || tests.total() > 0).then_some(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names() {
        assert_eq!(before("Tests  1 failed | 30 passed (31)", "passed"), Some(30));
        assert_eq!(before("2 failed, 3 passed in 0.02s", "skipped"), None);
        assert_eq!(behind("Tests: 4, Assertions: 2", "Assertions:"), Some(2));
        let names = [
            ("adds (2 ms)", "adds"),
            ("adds 1ms", "adds"),
            ("n 1", "n 1"),
            ("x (y)", "x (y)"),
            ("a (0.5s)", "a"),
            ("waits 2 s", "waits 2 s"),
        ];
        for (line, name) in names {
            assert_eq!(untimed(line), name, "{line}");
        }
    }
}
