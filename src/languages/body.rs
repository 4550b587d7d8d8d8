//! What a piece of code says, without how it is laid out: its identifiers and its literals as multisets.
//!
//! Comments, white space, punctuation and the vocabulary of test frameworks leave no trace, so that reformatting a
//! test or moving it to another framework keeps its body.

mod vocabulary;

use crate::languages::body::vocabulary::VOCABULARY;

/// The content of a piece of code. Both lists are sorted hashes, repeated as often as the code repeats them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    words: Vec<u32>,
    literals: Vec<u32>,
}

impl Body {
    /// Adds an identifier.
    pub fn word(&mut self, text: &str) {
        if VOCABULARY.binary_search(&text).is_err() {
            self.words.push(hash(text.as_bytes()));
        }
    }

    /// Adds a number, a constant or the inside of a string. A template of a message (`got %d`) says nothing.
    pub fn literal(&mut self, text: &str) {
        let is_template =
            |(at, _): (usize, &str)| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
        if !text.match_indices('%').any(is_template) {
            let text = text.trim();
            // `2u` and `2L` are 2.
            let is_number = text.starts_with(|c: char| c.is_ascii_digit()) && !text.starts_with("0x");
            let suffixes = ['u', 'U', 'l', 'L', 'f', 'F'];
            let bare = if is_number { text.trim_end_matches(suffixes) } else { text };
            self.literals.push(hash(bare.as_bytes()));
        }
    }

    /// Must be called once after the last addition: everything else relies on the order.
    pub fn seal(&mut self) {
        self.words.sort_unstable();
        self.literals.sort_unstable();
    }

    /// Adds all of `other`. Sealed again afterwards.
    pub fn absorb(&mut self, other: &Body) {
        self.words.extend_from_slice(&other.words);
        self.literals.extend_from_slice(&other.literals);
        self.seal();
    }

    /// How many tokens it has.
    pub fn len(&self) -> usize {
        self.words.len() + self.literals.len()
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the identifier occurs.
    pub fn mentions(&self, word: &str) -> bool {
        self.words.binary_search(&hash(word.as_bytes())).is_ok()
    }

    /// How often the identifier occurs.
    pub fn count(&self, word: &str) -> usize {
        let wanted = hash(word.as_bytes());
        self.words.partition_point(|item| *item <= wanted) - self.words.partition_point(|item| *item < wanted)
    }

    /// Share of tokens in common, from 0 to 1 (the Jaccard index of the multisets). Two empty bodies are unlike:
    /// nothing shows that one is the other.
    pub fn similarity(&self, other: &Body) -> f32 {
        let common = common(&self.words, &other.words) + common(&self.literals, &other.literals);
        let all = self.len() + other.len() - common;
        if all == 0 { 0.0 } else { common as f32 / all as f32 }
    }

    /// What `self` has more of than `other`.
    pub fn minus(&self, other: &Body) -> Body {
        Body { words: minus(&self.words, &other.words), literals: minus(&self.literals, &other.literals) }
    }

    /// Share of the distinct identifiers that `pool` has as well; 1 when there are none.
    pub fn words_within(&self, pool: &Body) -> f32 {
        within(&self.words, &pool.words)
    }

    /// Share of the distinct literals that `pool` has as well; 1 when there are none.
    pub fn literals_within(&self, pool: &Body) -> f32 {
        within(&self.literals, &pool.literals)
    }

    /// Whether each literal stands in another body too, however often.
    pub fn names_only_literals_of(&self, other: &Body) -> bool {
        self.literals.iter().all(|it| other.literals.binary_search(it).is_ok())
    }

    /// Whether a literal stands in both.
    pub fn shares_a_literal(&self, other: &Body) -> bool {
        self.literals.iter().any(|it| other.literals.binary_search(it).is_ok())
    }

    /// Whether there is a literal at all.
    pub fn has_literals(&self) -> bool {
        !self.literals.is_empty()
    }
}

/// 32-bit FNV-1a: short inputs, no adversary who gains by a collision that a plain copy would not give him.
fn hash(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

fn common(left: &[u32], right: &[u32]) -> usize {
    left.len() - minus(left, right).len()
}

fn minus(left: &[u32], right: &[u32]) -> Vec<u32> {
    let mut rest = right.iter().peekable();
    let mut kept = Vec::new();
    for item in left {
        while rest.next_if(|other| *other < item).is_some() {}
        if rest.next_if(|other| *other == item).is_none() {
            kept.push(*item);
        }
    }
    kept
}

fn within(items: &[u32], pool: &[u32]) -> f32 {
    let mut distinct = items.to_vec();
    distinct.dedup();
    if distinct.is_empty() {
        return 1.0;
    }
    let found = distinct.iter().filter(|item| pool.binary_search(item).is_ok()).count();
    found as f32 / distinct.len() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(words: &[&str], literals: &[&str]) -> Body {
        let mut body = Body::default();
        words.iter().for_each(|word| body.word(word));
        literals.iter().for_each(|literal| body.literal(literal));
        body.seal();
        body
    }

    #[test]
    fn the_vocabulary_is_sorted_for_its_search() {
        let mut sorted = VOCABULARY.to_vec();
        sorted.sort_unstable();
        assert_eq!(sorted, VOCABULARY);
    }

    #[test]
    fn framework_words_leave_no_trace() {
        let jest = body(&["expect", "add", "toBe"], &["1", "2"]);
        let node = body(&["assert", "add", "strictEqual"], &["1", "2"]);
        assert_eq!(jest, node);
        assert_eq!(jest.similarity(&node), 1.0);
    }

    #[test]
    fn repeated_tokens_count_as_often_as_they_occur() {
        let one = body(&["add"], &["1", "1", "2"]);
        let other = body(&["add"], &["1", "3"]);
        assert_eq!(one.similarity(&other), 2.0 / 5.0);
        assert_eq!(one.minus(&other), body(&[], &["1", "2"]));
    }

    #[test]
    fn two_empty_bodies_are_not_alike() {
        assert_eq!(Body::default().similarity(&Body::default()), 0.0);
    }
}
