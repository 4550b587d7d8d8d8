//! An error's text without what changes from run to run.
//!
//! Two runs that fail for the same reason have equal signatures: numbers, hex, durations and times are gone, and of a
//! path its last two parts are left, those of temporary folders apart. What tells two errors apart stays: names,
//! files, codes.

use std::hash::{DefaultHasher, Hash, Hasher};

/// The longest signature, in letters; of a longer one the rest is a hash.
const LONGEST: usize = 300;
/// How many letters of a hash.
const HASH: usize = 16;
/// How many words are looked at.
const WORDS: usize = 400;
/// How many parts of a path are kept.
const PARTS: usize = 2;
/// Words before a number that is a code, and so tells two errors apart.
static CODES: &[&str] = &["status", "code", "errno", "signal", "http"];
/// Folders whose contents have names of their own in each run.
static TEMPORARY: &[&str] = &["tmp", "temp", "T"];

/// The signature of a message.
pub fn normalise(message: &str) -> String {
    let mut out = String::new();
    let mut before = String::new();
    for word in message.split_whitespace().take(WORDS) {
        let normal = if is_code(&before, word) { word.to_owned() } else { normal_word(word) };
        before = word.to_ascii_lowercase();
        // A run of values is one value: lists change their length.
        if normal == "N" && (out == "N" || out.ends_with(" N")) || normal.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&normal);
    }
    bounded(out)
}

/// What a path is known by: its last parts, without what is made anew for each run.
pub fn file(path: &str) -> String {
    let path = path.replace('\\', "/");
    let absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
    let parts: Vec<&str> = path.split('/').filter(|part| !matches!(*part, "" | "." | "..")).collect();
    let (parts, last) = match parts.split_last() {
        Some((last, folders)) => (folders, *last),
        None => return String::new(),
    };
    let below = absolute
        .then(|| parts.iter().rposition(|part| TEMPORARY.contains(part)))
        .flatten()
        .map_or(0, |temporary| temporary + 2);
    let folder = parts.get(below..).unwrap_or_default();
    let is_below_temporary = below > parts.len();
    let last = if is_random(last) || is_below_temporary && last.bytes().any(|b| b.is_ascii_digit()) {
        ""
    } else {
        last
    };
    let folder = folder.get(folder.len().saturating_sub(PARTS - 1)..).unwrap_or_default();
    let kept: Vec<&str> = folder.iter().copied().filter(|part| !is_random(part)).chain([last]).collect();
    digits(kept.join("/").trim_matches('/'))
}

/// A long text keeps its difference from another that begins alike.
fn bounded(text: String) -> String {
    if text.chars().count() <= LONGEST {
        return text;
    }
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let kept: String = text.chars().take(LONGEST - HASH - 1).collect();
    format!("{kept}#{:016x}", hasher.finish())
}

/// `404` behind `status`.
fn is_code(before: &str, word: &str) -> bool {
    let digits = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    let before = before.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    (1..=3).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (CODES.contains(&before) || before.starts_with("http/"))
}

fn normal_word(word: &str) -> String {
    let inner = word.trim_matches(|letter: char| "()[]{}<>,;:'\"`.!".contains(letter));
    if inner.contains("://") {
        return word.replacen(inner, &url(inner), 1);
    }
    if is_path(inner) {
        let name = file(without_position(inner));
        return word.replacen(inner, if name.is_empty() { "PATH" } else { &name }, 1);
    }
    if is_random(inner) {
        return word.replacen(inner, "N", 1);
    }
    digits(word)
}

/// A URL by its host, without the port, and its path's last parts.
fn url(url: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let rest = rest.split(['?', '#']).next().unwrap_or(rest);
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    if scheme == "file" {
        return file(without_position(&format!("/{path}")));
    }
    let host = host.rsplit('@').next().unwrap_or(host).split(':').next().unwrap_or(host);
    digits(&format!("{host}/{}", file(without_position(path)))).trim_end_matches('/').to_owned()
}

/// A path without `:3:4` or `(3,4)` behind it.
fn without_position(path: &str) -> &str {
    let path = path.split_once('(').map_or(path, |(path, _)| path);
    let end = path.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ':');
    let behind = path.strip_prefix(end).unwrap_or_default();
    if behind.starts_with(':') { end } else { path }
}

/// A text with every number in it as one letter. Digits behind a letter are part of a name: E0308, utf8, test2.
fn digits(word: &str) -> String {
    let mut out = String::new();
    let mut letters = word.chars().peekable();
    let mut last = ' ';
    while let Some(letter) = letters.next() {
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

/// `/a/b`, `src/a.rs:3:4`, `C:\a`, `a.test.ts:3`.
fn is_path(word: &str) -> bool {
    let bytes = word.as_bytes();
    let drive = matches!(bytes, [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic());
    let separated =
        word.contains('/') && word.len() > 2 && !word.starts_with("//") && !word.contains(['=', '(']);
    let position = word.split_once(':').is_some_and(|(file, rest)| {
        file.rsplit_once('.').is_some_and(|(_, ending)| {
            (1..=4).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphabetic())
        }) && rest.bytes().all(|byte| byte.is_ascii_digit() || byte == b':')
            && !rest.is_empty()
    });
    drive || separated || position
}

/// `0x7f54…`, a hash, a UUID, a number, the name of a temporary file.
fn is_random(word: &str) -> bool {
    let name = word.split_once('.').map_or(word, |(name, _)| name);
    let digits = name.strip_prefix("0x").unwrap_or(name);
    let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
    let mixed = digits.bytes().any(|byte| byte.is_ascii_digit());
    let temporary = name.starts_with("tmp") && name.len() >= 9 || word.starts_with("tmp.");
    hex && mixed && (name.starts_with("0x") || digits.len() >= 7) || temporary
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_failures_are_equal() {
        let cases: &[(&str, &str)] = &[
            ("expected 5, got -1", "expected N, got N"),
            ("error[E0308]: mismatched types", "error[E0308]: mismatched types"),
            ("at /home/a/src/x.rs:3:4: boom", "at src/x.rs: boom"),
            ("in src/a.test.ts:12 and a.py:3", "in src/a.test.ts and a.py"),
            ("<Cart object at 0x7f549d3fe590>", "<Cart object at N>"),
            ("commit 1f3a9bc2 is bad", "commit N is bad"),
            ("took 12ms of 1.5s", "took N of N"),
            ("at 2025-01-15T10:00:00Z: late", "at N late"),
            ("id 550e8400-e29b-41d4-a716-446655440000.", "id N."),
            ("[1, 2, 3] differs", "[N, N, N] differs"),
            ("1 2 3", "N"),
            ("no /tmp/tmpab3k2lq9/out.json", "no out.json"),
            ("no /tmp/tmpab3k2lq9", "no PATH"),
            ("no /var/folders/a1/x/T/cart-8fj3Ks/a/b.json", "no a/b.json"),
            ("no /tmp/cart.log", "no cart.log"),
            ("GET https://a.example.com:8443/carts/7?x=1", "GET a.example.com/carts/N"),
            ("file:///home/a/src/x.mjs:3:4", "src/x.mjs"),
            ("status code 404", "status code 404"),
            ("HTTP/1.1 502", "HTTP/N 502"),
            ("and/or", "and/or"),
            ("utf8 and test_2", "utf8 and test_2"),
            ("C:\\x\\y.cs(3) fails", "x/y.cs) fails"),
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
