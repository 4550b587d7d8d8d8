//! An error's text without what changes from run to run.
//!
//! Two runs that fail for the same reason have equal signatures: paths, numbers, hex, durations and times are gone.

/// The longest signature, in letters.
const LONGEST: usize = 300;

/// The signature of a message.
pub fn normalise(message: &str) -> String {
    let mut out = String::new();
    for word in message.split_whitespace().take(200) {
        let word = normal_word(word);
        // A run of values is one value: lists change their length.
        if word == "N" && (out == "N" || out.ends_with(" N")) || word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&word);
    }
    out.chars().take(LONGEST).collect()
}

fn normal_word(word: &str) -> String {
    let inner = word.trim_matches(|letter: char| "()[]{}<>,;:'\"`.!".contains(letter));
    if is_path(inner) {
        return word.replacen(inner, "PATH", 1);
    }
    if is_hex(inner) {
        return word.replacen(inner, "N", 1);
    }
    let mut out = String::new();
    let mut letters = word.chars().peekable();
    let mut last = ' ';
    while let Some(letter) = letters.next() {
        // Digits behind a letter are part of a name: E0308, utf8, test2.
        if !letter.is_ascii_digit() || last.is_alphabetic() || last == '_' {
            out.push(letter);
            last = if letter.is_ascii_digit() { last } else { letter };
            continue;
        }
        while letters.next_if(|next| next.is_ascii_digit() || matches!(next, '.' | ':' | '-' | '_')).is_some()
        {
        }
        // The units of a duration or size, and the T and Z of a time.
        while letters.next_if(|next| next.is_alphanumeric() || *next == '+' || *next == ':').is_some() {}
        if out.ends_with(['-', '+']) {
            out.pop();
        }
        out.push('N');
        last = ' ';
    }
    out
}

/// `/a/b`, `src/a.rs:3:4`, `C:\a`, `a.test.ts:3`, `file:///x`.
fn is_path(word: &str) -> bool {
    let bytes = word.as_bytes();
    let drive = matches!(bytes, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let url = word.contains("://");
    let separated =
        word.contains('/') && word.len() > 2 && !word.starts_with("//") && !word.contains(['=', '(']);
    let position = word.split_once(':').is_some_and(|(file, rest)| {
        file.rsplit_once('.').is_some_and(|(_, ending)| {
            (1..=4).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphabetic())
        }) && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
            && !rest.is_empty()
    });
    drive || url || separated || position
}

/// `0x7f54…`, a hash, a UUID.
fn is_hex(word: &str) -> bool {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let mixed = digits.bytes().any(|byte| byte.is_ascii_digit());
    hex && mixed && (word.starts_with("0x") || digits.len() >= 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_failures_are_equal() {
        let cases: &[(&str, &str)] = &[
            ("expected 5, got -1", "expected N, got N"),
            ("error[E0308]: mismatched types", "error[E0308]: mismatched types"),
            ("at /home/a/src/x.rs:3:4: boom", "at PATH: boom"),
            ("in src/a.test.ts:12 and a.py:3", "in PATH and PATH"),
            ("<Cart object at 0x7f549d3fe590>", "<Cart object at N>"),
            ("commit 1f3a9bc2 is bad", "commit N is bad"),
            ("took 12ms of 1.5s", "took N of N"),
            ("at 2025-01-15T10:00:00Z: late", "at N late"),
            ("id 550e8400-e29b-41d4-a716-446655440000.", "id N."),
            ("[1, 2, 3] differs", "[N, N, N] differs"),
            ("1 2 3", "N"),
            ("utf8 and test_2", "utf8 and test_2"),
            ("C:\\x\\y.cs(3) fails", "PATH) fails"),
            ("added the face", "added the face"),
            ("", ""),
        ];
        for (message, expected) in cases {
            assert_eq!(normalise(message), *expected, "{message}");
        }
    }

    #[test]
    fn different_failures_differ() {
        for (one, other) in
            [("KeyError: 'cart'", "KeyError: 'user'"), ("TS2322: a", "TS2551: a"), ("test_2", "test_3")]
        {
            assert_ne!(normalise(one), normalise(other));
        }
    }
}
