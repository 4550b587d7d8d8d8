//! Whether two lines of tests are alike but for their values, and whether those are samples.

use crate::detectors::testing::word_edit::{is_data, is_name, words};

/// Whether plain words took the place of plain words: another sample, but for a claim alone. A value that gets a name is
/// the same value.
pub(super) fn is_sample(old: &str, new: &str, is_lone: bool) -> bool {
    let data =
        |line| words(line).into_iter().map(|(_, word)| word).filter(|word| is_data(word)).collect::<Vec<_>>();
    let names =
        |line| words(line).into_iter().map(|(_, word)| word).filter(|word| is_name(word)).collect::<Vec<_>>();
    let known = names(old);
    let names_more: Vec<&str> = names(new).into_iter().filter(|name| !known.contains(name)).collect();
    let (old, new) = (data(old), data(new));
    let is_plain = |word: &&&str| {
        let bare = word.trim_matches(['"', '\'', '`']);
        bare.len() < word.len() && bare.chars().all(|c| c.is_alphabetic() || c == ' ')
    };
    let differing: Vec<_> = old.iter().zip(&new).filter(|(a, b)| a != b).collect();
    // `MAX + 1` for 101.
    let is_named = !names_more.is_empty()
        && differing.iter().all(|(a, b)| b.len() < 2 && a.starts_with(|c: char| c.is_ascii_digit()));
    let is_less = new.len() < old.len() && new.iter().all(|value| old.contains(value));
    (is_less || is_named && old.len() == new.len()) && !names_more.is_empty()
        || old.len() == new.len()
            && (!is_lone || differing.is_empty())
            && differing.iter().all(|(a, b)| is_plain(a) && is_plain(b))
}

/// Whether two lines have most of their names in common.
pub(super) fn is_alike(old: &str, new: &str) -> bool {
    let names =
        |line| words(line).into_iter().map(|(_, word)| word).filter(|word| is_name(word)).collect::<Vec<_>>();
    let (old, new) = (names(old), names(new));
    let kept = old.iter().filter(|word| new.contains(word)).count();
    kept * 10 >= old.len() * 7 && new.len() <= old.len() * 2 + 1
}
