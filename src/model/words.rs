//! The words that a name is made of: `parseHTTPHeader`, `parse_http_header` and `parse http header` have the same.

/// The words of a name in small letters: they part at each character that is no letter or digit, and where a capital
/// begins a word.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut last = ' ';
    let mut letters = name.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_alphanumeric() {
            let mut ends_capitals =
                || last.is_uppercase() && letters.peek().is_some_and(|next| next.is_lowercase());
            let is_capital = letter.is_uppercase() && last.is_alphanumeric();
            let begins = !last.is_alphanumeric() || (is_capital && (!last.is_uppercase() || ends_capitals()));
            match words.last_mut() {
                Some(word) if !begins => word.extend(letter.to_lowercase()),
                _ => words.push(letter.to_lowercase().collect()),
            }
        }
        last = letter;
    }
    words
}

/// A name in small letters without `_`: `sort_by` and `sortBy` are one, however their words part.
pub fn unparted(name: &str) -> String {
    name.chars().filter(|letter| *letter != '_').flat_map(char::to_lowercase).collect()
}

/// Whether a character may stand within a name, in nearly every language.
pub fn is_name_part(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether a text has a word whole.
pub fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let before = text.get(..at).and_then(|it| it.chars().next_back());
        let after = text.get(at + word.len()..).and_then(|it| it.chars().next());
        !before.is_some_and(is_name_part) && !after.is_some_and(is_name_part)
    })
}

/// Whether a text is letters, digits and `_` of ASCII alone, as are the names of variables in shells and makefiles, and of
/// classes in most traces.
pub fn is_plain_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Whether a word sets a variable: `CI=1`.
pub fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| is_plain_name(name))
}

/// The first names of many, `most` of them, and how many more there are.
pub fn first_of<N: AsRef<str>>(names: &[N], most: usize) -> String {
    let shown: Vec<&str> = names.iter().take(most).map(AsRef::as_ref).collect();
    match names.len().saturating_sub(most) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_same_words_in_each_way_of_writing() {
        for (name, expected) in [
            ("parseHTTPHeader", "parse http header"),
            ("ParseHttpHeader", "parse http header"),
            ("parse_http_header", "parse http header"),
            ("parse-http header", "parse http header"),
            ("ENABLE_SEARCH", "enable search"),
            ("enableV2Api", "enable v2 api"),
            ("größeÄndern", "größe ändern"),
            ("  ", ""),
        ] {
            assert_eq!(words(name).join(" "), expected, "{name}");
        }
    }
}
