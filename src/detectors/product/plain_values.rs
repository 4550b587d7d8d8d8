//! Values that are made with less to do: an object without a place of its own on the heap, a key that is the text itself
//! where a digest of the text stood.

use crate::detectors::engine::hunks::CodeLine;
use crate::languages::assigned;
use crate::languages::code::{bare, identifiers};
use crate::model::words::{is_name_part, words};

/// Words of names of what something is found again by.
const KEYS: &[&str] = &["key", "keys", "slot", "bucket", "memo", "cachekey", "etag"];
/// Words of lines that have something to hide or to prove.
const SECRETS: &[&str] = &[
    "secret",
    "password",
    "passwd",
    "token",
    "sign",
    "signature",
    "hmac",
    "api",
    "private",
    "auth",
    "credential",
    "session",
    "salt",
    "pin",
    "encrypt",
    "user",
    "email",
];

/// Whether a type is made of the same values without a call: `Gust{direction, knots}` for `new Gust()`, `Gust gust;`.
pub(super) fn is_made_otherwise(name: &str, come: &[&CodeLine]) -> bool {
    name.starts_with(char::is_uppercase)
        && name.chars().any(char::is_lowercase)
        && come.iter().any(|line| makes_plainly(line.text, name))
}

fn makes_plainly(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let (head, rest) =
            (line.get(..at).unwrap_or_default(), line.get(at + name.len()..).unwrap_or_default());
        let rest = rest.trim_start();
        // `Gust gust;`, `Gust gust{3};`
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        let is_declared = end > 0 && rest.get(end..).is_some_and(|it| it.starts_with([';', '{']));
        !head.ends_with(is_name_part) && (rest.starts_with('{') || is_declared)
    })
}

/// Whether a key is the text now of which it was a digest.
pub(super) fn is_plain_key(gone: &[&CodeLine], come: &[&CodeLine]) -> bool {
    let named = |line: &'_ CodeLine| -> Option<(String, String)> {
        let (left, value) = assigned(line.text)?;
        let name = identifiers(left.split(": ").next().unwrap_or(left)).last()?.to_owned();
        Some((name, bare(value).trim_end_matches(';').to_owned()))
    };
    let ([old], [new]) = (gone, come) else { return false };
    let (Some((was, made)), Some((is, text))) = (named(old), named(new)) else { return false };
    let of = |name: &str, all: &[&str]| words(name).iter().any(|word| all.contains(&word.as_str()));
    let is_digest =
        ["md5", "sha", "hash", "digest", "crc", "xxh"].iter().any(|it| made.to_lowercase().contains(it));
    let is_secret = identifiers(old.text).any(|word| of(word, SECRETS));
    was == is && of(&was, KEYS) && is_digest && !is_secret && text.len() > 2 && made.contains(&text)
}
