//! How many lines a change adds and removes.

use std::time::Duration;

use similar::{Algorithm, ChangeTag, TextDiff};

/// Larger texts have no lines, in bytes.
const LARGEST: usize = 16 << 20;
/// After this a difference is no longer the smallest.
const PATIENCE: Duration = Duration::from_secs(1);
/// How much of a text is looked at to tell whether it is one, in bytes.
const LOOKED_AT: usize = 8 << 10;

/// The lines that are new and those that are gone; `None` for what is no text or too large.
pub fn count(before: &[u8], after: &[u8]) -> Option<(u64, u64)> {
    let is_text =
        |bytes: &[u8]| bytes.len() <= LARGEST && !bytes.iter().take(LOOKED_AT).any(|byte| *byte == 0);
    if !is_text(before) || !is_text(after) {
        return None;
    }
    if before.is_empty() || after.is_empty() {
        return Some((lines(after), lines(before)));
    }
    let mut counted = (0, 0);
    let difference =
        TextDiff::configure().algorithm(Algorithm::Myers).timeout(PATIENCE).diff_lines(before, after);
    for change in difference.iter_all_changes() {
        match change.tag() {
            ChangeTag::Insert => counted.0 += 1,
            ChangeTag::Delete => counted.1 += 1,
            ChangeTag::Equal => {}
        }
    }
    Some(counted)
}

/// The lines of a text, one without its end included.
fn lines(text: &[u8]) -> u64 {
    let ends = text.iter().filter(|byte| **byte == b'\n').count() as u64;
    ends + u64::from(text.last().is_some_and(|byte| *byte != b'\n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_new_changed_and_gone_texts() {
        let rows = [
            ("", "a\nb\nc\n", Some((3, 0))),
            ("", "a\nb", Some((2, 0))),
            ("a\nb\n", "", Some((0, 2))),
            ("a\nb\n", "a\nc\n", Some((1, 1))),
            ("a\n", "a\n", Some((0, 0))),
            ("a\0", "a\n", None),
        ];
        for (before, after, expected) in rows {
            assert_eq!(count(before.as_bytes(), after.as_bytes()), expected, "{before:?} {after:?}");
        }
    }
}
