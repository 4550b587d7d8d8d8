//! Where two texts are the same, from their beginnings and from their ends: most changes are a few lines of a long file,
//! and what reads line by line reads those alone.

/// How many bytes are compared at once.
const STRETCH: usize = 256;

/// Two texts without the whole lines that they begin and end with alike; one line more may be left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DifferingMiddle<'t> {
    /// What is left of the text before.
    pub before: &'t str,
    /// What is left of the text after.
    pub after: &'t str,
    /// Where both begin in their texts, in bytes.
    pub start: usize,
}

impl<'t> DifferingMiddle<'t> {
    /// What is left of two texts.
    pub fn of(before: &'t str, after: &'t str) -> Self {
        let (old, new) = (before.as_bytes(), after.as_bytes());
        let same = common_start(old, new);
        let start = memchr::memrchr(b'\n', old.get(..same).unwrap_or_default()).map_or(0, |at| at + 1);
        let rest = |text: &'t str| text.get(start..).unwrap_or_default();
        let (before, after) = (rest(before), rest(after));
        let tail = common_last_lines(before, after);
        let cut = |text: &'t str| text.get(..text.len() - tail).unwrap_or(text);
        DifferingMiddle { before: cut(before), after: cut(after), start }
    }

    /// The number of the first line of both, from 1, in `text`, which is one of the two whole texts.
    pub fn first_line(&self, text: &str) -> u32 {
        let before =
            memchr::memchr_iter(b'\n', text.as_bytes().get(..self.start).unwrap_or_default()).count();
        u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)
    }
}

/// How many bytes two texts end with alike from the end of a line on, that end included.
pub fn common_last_lines(before: &str, after: &str) -> usize {
    let (old, new) = (before.as_bytes(), after.as_bytes());
    let tail = common_end(old, new);
    let same = old.get(old.len() - tail..).unwrap_or_default();
    memchr::memchr(b'\n', same).map_or(0, |at| tail - at)
}

/// How many bytes two texts begin with alike.
pub fn common_start(a: &[u8], b: &[u8]) -> usize {
    let stretches = a.chunks_exact(STRETCH).zip(b.chunks_exact(STRETCH));
    let same = stretches.take_while(|(a, b)| a == b).count() * STRETCH;
    let rest = a.get(same..).unwrap_or_default().iter().zip(b.get(same..).unwrap_or_default());
    same + rest.take_while(|(a, b)| a == b).count()
}

/// How many bytes two texts end with alike.
pub fn common_end(a: &[u8], b: &[u8]) -> usize {
    let stretches = a.rchunks_exact(STRETCH).zip(b.rchunks_exact(STRETCH));
    let same = stretches.take_while(|(a, b)| a == b).count() * STRETCH;
    let rest = |text: &'_ [u8]| text.len() - same;
    let (a, b) = (a.get(..rest(a)).unwrap_or_default(), b.get(..rest(b)).unwrap_or_default());
    same + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_texts_share_is_left_out_line_by_line() {
        for (before, after, expected, line) in [
            ("a\nb\nc", "a\nx\nc", ("b", "x"), 2),
            ("a\nc", "a\nx\nc", ("c", "x\nc"), 2),
            ("a\nb\nc\n", "a\nc\n", ("b\nc", "c"), 2),
            ("same\n", "same\n", ("", ""), 2),
            ("ab", "ac", ("ab", "ac"), 1),
            ("", "x\n", ("", "x\n"), 1),
            ("é\nb\n", "è\nb\n", ("é", "è"), 1),
        ] {
            let middle = DifferingMiddle::of(before, after);
            assert_eq!((middle.before, middle.after), expected, "{before:?} {after:?}");
            assert_eq!(middle.first_line(before), line, "{before:?}");
        }
    }

    #[test]
    fn long_texts_are_compared_to_the_byte() {
        for length in [0, 1, STRETCH - 1, STRETCH, STRETCH + 1, 3 * STRETCH + 7] {
            let same = vec![b'x'; length];
            let with = |byte: u8| [same.as_slice(), &[byte], same.as_slice(), b"end"].concat();
            let (one, other) = (with(b'1'), with(b'2'));
            assert_eq!(common_start(&one, &other), length);
            assert_eq!(common_end(&one, &other), length + 3);
            assert_eq!(common_start(&one, &same), length);
            assert_eq!(common_end(&same, &same), length);
        }
    }
}
