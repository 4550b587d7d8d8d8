//! How many tests a run executed, by its own summary.
//!
//! Skipped tests do not count. `None` where no summary that is known was printed: nothing is guessed.

use crate::metrics::terminal;
use crate::runners::in_turn;

/// The tests that the output says were run. A run that prints several summaries (one for each package) has the sum of
/// one runner's.
pub fn executed(output: &str) -> Option<u64> {
    let plain = terminal::plain(output.as_bytes());
    in_turn(|runner| runner.executed).find_map(|(_, read)| {
        let counts: Vec<u64> = plain.lines().filter_map(|line| read(line.trim())).collect();
        (!counts.is_empty()).then(|| counts.iter().sum())
    })
}

/// The number before a word: `4` of `4 passed;`.
pub(crate) fn before(text: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;|().".contains(c))
        .filter(|word| !word.is_empty())
        .collect();
    let at = words.iter().position(|it| *it == word)?;
    words.get(at.checked_sub(1)?)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let rows: &[(&str, Option<u64>)] = &[
            (
                "test result: ok. 4 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.1s\n\
                 test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
                Some(8),
            ),
            ("# tests 5\n# suites 0\n# pass 3\n# fail 1\n# skipped 1\n", Some(4)),
            ("ℹ tests 2\nℹ pass 2\nℹ fail 0\n", Some(2)),
            (
                "Test Suites: 1 failed, 1 total\nTests:       1 failed, 2 skipped, 4 passed, 7 total\n",
                Some(5),
            ),
            (" Test Files  1 passed (1)\n      Tests  1 failed | 4 passed | 2 skipped (7)\n", Some(5)),
            ("===== 1 failed, 4 passed, 2 skipped in 0.12s =====", Some(5)),
            ("3 passed in 0.01s", Some(3)),
            ("no tests ran in 0.01s", None),
            ("  4 passing (12ms)\n  1 failing\n", Some(5)),
            ("OK (4 tests, 8 assertions)", Some(4)),
            ("Tests: 5, Assertions: 9, Failures: 1, Skipped: 2.", Some(3)),
            ("5 examples, 1 failure, 2 pending", Some(3)),
            ("Ran 5 tests in 0.001s\n\nOK", Some(5)),
            ("all 7 tests passed", None),
            ("", None),
        ];
        for (output, expected) in rows {
            assert_eq!(executed(output), *expected, "{output}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in ".{0,200}") {
            executed(&text);
        }
    }
}
