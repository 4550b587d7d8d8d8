//! `tr`: each letter of a text for another one, or for none.

use crate::shell::model::Word;

/// The most letters of a set.
const MOST_LETTERS: usize = 512;

/// The text that `tr` makes of another. `None` for classes and for options that squeeze or complement.
pub(super) fn translated(text: &str, operands: &[Word]) -> Option<String> {
    let sets: Vec<&str> = operands.iter().map(|word| word.text.as_str()).collect();
    match sets.as_slice() {
        ["-d", set] => {
            let gone = letters(set)?;
            Some(text.chars().filter(|letter| !gone.contains(letter)).collect())
        }
        [from, to] if !from.starts_with('-') => {
            let (from, to) = (letters(from)?, letters(to)?);
            let last = *to.last()?;
            // The last place of a letter counts, and the last letter of a short set stands for the rest.
            let other = |letter: char| {
                let at = from.iter().rposition(|known| *known == letter);
                at.map_or(letter, |at| to.get(at).copied().unwrap_or(last))
            };
            Some(text.chars().map(other).collect())
        }
        _ => None,
    }
}

/// The letters of a set, ranges written out.
fn letters(set: &str) -> Option<Vec<char>> {
    (!set.contains("[:") && !set.contains("[=")).then_some(())?;
    let written: Vec<char> = set.replace("\\n", "\n").replace("\\t", "\t").chars().collect();
    let mut letters = Vec::new();
    let mut index = 0;
    while let Some(first) = written.get(index) {
        match (written.get(index + 1), written.get(index + 2)) {
            (Some('-'), Some(last)) if first <= last => {
                letters.extend(*first..=*last);
                index += 3;
            }
            _ => {
                letters.push(*first);
                index += 1;
            }
        }
        (letters.len() <= MOST_LETTERS).then_some(())?;
    }
    Some(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_stand_for_others() {
        for (text, sets, expected) in [
            ("ez -es", &["a-zA-Z", "n-za-mN-ZA-M"][..], Some("rm -rf")),
            ("a_b", &["_", " "], Some("a b")),
            ("a:b", &[":", "\\n"], Some("a\nb")),
            ("rXm", &["-d", "X"], Some("rm")),
            ("abc", &["a-c", "x"], Some("xxx")),
            ("a", &["[:lower:]", "[:upper:]"], None),
            ("a", &["-s", "a"], None),
        ] {
            let words: Vec<Word> = sets.iter().map(|set| Word::literal(*set)).collect();
            assert_eq!(translated(text, &words).as_deref(), expected, "{text} {sets:?}");
        }
    }
}
