//! Texts as words of a shell.

/// A text as one word of a shell, whatever is in it.
pub fn in_quotes(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// The same, plain where it needs no quotes.
pub fn word(text: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(plain) { text.to_owned() } else { in_quotes(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_word_of_a_shell_whatever_is_in_it() {
        for (text, expected) in [
            ("/opt/bin/steadfast-hook", "/opt/bin/steadfast-hook"),
            ("/a b/steadfast-hook", "'/a b/steadfast-hook'"),
            ("/it's/$x", r"'/it'\''s/$x'"),
            ("", "''"),
        ] {
            assert_eq!(word(text), expected);
        }
        assert_eq!(in_quotes("a"), "'a'");
    }
}
