//! Quotes, escapes, braces, splitting: from what is written to the words that a program gets.
//!
//! Each character remembers how it was written, because that alone decides whether the shell still acts on it.

pub(crate) mod braces;

use std::path::Path;

use crate::shell::model::{UNKNOWN, UNSEEN, Word};
use crate::shell::parse::marks::{WordChar, WordChars};
use crate::shell::parse::unquote::braces::braces;

/// The most words that braces or several values may make of one.
const MOST_FIELDS: usize = 256;

/// A bare word: backslashes escape, a backslash before a line break is nothing.
pub(crate) fn bare(text: &str) -> WordChars {
    let mut marks = WordChars::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some('\n') => {}
                Some(escaped) => marks.push(WordChar::Quoted(escaped)),
                None => marks.push(WordChar::Quoted('\\')),
            },
            other => marks.push(WordChar::private(other).unwrap_or(WordChar::Plain(other))),
        }
    }
    marks
}

/// The inside of double quotes: a backslash escapes only what would act there.
pub(crate) fn double_quoted(text: &str) -> WordChars {
    let mut marks = WordChars::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let next = characters.peek().copied();
        match (character, next) {
            ('\\', Some('\n')) => {
                characters.next();
            }
            ('\\', Some(escaped @ ('$' | '`' | '"' | '\\'))) => {
                characters.next();
                marks.push(WordChar::Quoted(escaped));
            }
            (other, _) => marks.push(WordChar::private(other).unwrap_or(WordChar::Quoted(other))),
        }
    }
    marks
}

/// What a substitution is reckoned to print.
pub(crate) fn printed(text: &str) -> WordChars {
    text.chars().map(|letter| WordChar::private(letter).unwrap_or(WordChar::Printed(letter))).collect()
}

/// Text that is only itself.
pub(crate) fn quoted(text: &str) -> WordChars {
    text.chars().map(|letter| WordChar::private(letter).unwrap_or(WordChar::Quoted(letter))).collect()
}

/// The inside of `$'…'`.
pub(crate) fn ansi_c(text: &str) -> WordChars {
    let mut marks = WordChars::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\\' {
            marks.push(WordChar::Quoted(character));
            continue;
        }
        let Some(escape) = characters.next() else { break };
        let decoded = match escape {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            'a' => Some('\u{7}'),
            'b' => Some('\u{8}'),
            'f' => Some('\u{c}'),
            'v' => Some('\u{b}'),
            'e' | 'E' => Some('\u{1b}'),
            'x' => number(16, 2, None, &mut characters),
            'u' => number(16, 4, None, &mut characters),
            'U' => number(16, 8, None, &mut characters),
            digit @ '0'..='7' => number(8, 3, Some(digit), &mut characters),
            other => Some(other),
        };
        marks.push(decoded.map_or(WordChar::Unknown, WordChar::Quoted));
    }
    marks
}

fn number(
    radix: u32,
    most: usize,
    first: Option<char>,
    rest: &mut std::iter::Peekable<std::str::Chars<'_>>,
) -> Option<char> {
    let mut digits: String = first.into_iter().collect();
    while digits.len() < most {
        match rest.peek() {
            Some(digit) if digit.is_digit(radix) => digits.push(*digit),
            _ => break,
        }
        rest.next();
    }
    let number = u32::from_str_radix(&digits, radix).ok()?;
    // Three octal digits are one byte: `\562` is `\162`.
    char::from_u32(if radix == 8 { number & 0xff } else { number })
}

/// The value of a variable as an expansion gives it: in quotes it is one piece, bare it is split at blanks.
/// `separators` are what `IFS` adds to blanks.
pub(crate) fn expansion(value: &[WordChar], in_quotes: bool, separators: &str) -> WordChars {
    let splits = |character: char| matches!(character, ' ' | '\t' | '\n') || separators.contains(character);
    value
        .iter()
        .map(|mark| match *mark {
            WordChar::Plain(character) | WordChar::Quoted(character) if in_quotes => {
                WordChar::Quoted(character)
            }
            WordChar::Tilde if in_quotes => WordChar::Quoted('~'),
            WordChar::Printed(_) if in_quotes => *mark,
            WordChar::Plain(character) | WordChar::Quoted(character) | WordChar::Printed(character)
                if splits(character) =>
            {
                WordChar::Split
            }
            WordChar::Quoted(character @ ('*' | '?' | '['))
            | WordChar::Printed(character @ ('*' | '?' | '[')) => WordChar::Plain(character),
            // Neither braces nor tildes of a value are expanded.
            WordChar::Plain('~') | WordChar::Quoted('~') => WordChar::Tilde,
            WordChar::Plain(character @ ('{' | '}' | ',')) => WordChar::Quoted(character),
            other => other,
        })
        .collect()
}

/// The value of an assignment: a tilde at its beginning is the home from then on.
pub(crate) fn assigned(marks: WordChars, home: &Path) -> WordChars {
    match marks.as_slice() {
        [WordChar::Plain('~'), after @ ..]
            if matches!(after.first(), None | Some(WordChar::Plain('/') | WordChar::Quoted('/'))) =>
        {
            let mut value = quoted(&home.to_string_lossy());
            value.extend_from_slice(after);
            value
        }
        _ => marks,
    }
}

/// The words that the shell makes of one written word.
pub(crate) fn words(marks: &[WordChar], home: &Path) -> Vec<Word> {
    let mut fields: Vec<WordChars> = Vec::new();
    if marks.contains(&WordChar::Split) {
        fields.extend(
            marks.split(|mark| *mark == WordChar::Split).filter(|f| !f.is_empty()).map(<[WordChar]>::to_vec),
        );
    } else {
        fields.push(marks.to_vec());
    }
    let mut words = Vec::new();
    for field in &fields {
        for expanded in braces(field) {
            words.push(word(&expanded, home));
            if words.len() >= MOST_FIELDS {
                return words;
            }
        }
    }
    words
}

/// One field as a word: the tilde is replaced, patterns are noted.
pub(crate) fn word(marks: &[WordChar], home: &Path) -> Word {
    let mut word = Word { known: true, ..Word::default() };
    let mut rest = marks;
    if let [WordChar::Plain('~'), after @ ..] = marks
        && matches!(after.first(), None | Some(WordChar::Plain('/') | WordChar::Quoted('/')))
    {
        word.text.push_str(&home.to_string_lossy());
        rest = after;
    }
    for mark in rest {
        match *mark {
            WordChar::Plain(character @ ('*' | '?' | '['))
            | WordChar::Pattern(character @ ('*' | '?' | '[')) => {
                word.glob = true;
                word.text.push(character);
            }
            WordChar::Plain(character) | WordChar::Quoted(character) | WordChar::Pattern(character) => {
                word.text.push(character);
            }
            WordChar::Printed(character) => {
                word.printed = true;
                word.text.push(character);
            }
            WordChar::Tilde => {
                word.tilde |= word.text.is_empty();
                word.text.push('~');
            }
            WordChar::Split => word.text.push(' '),
            WordChar::Some => word.partial = true,
            WordChar::Unknown => {
                word.known = false;
                word.text.push(UNKNOWN);
            }
            WordChar::Unseen => {
                word.known = false;
                word.text.push(UNSEEN);
            }
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(marks: &[WordChar]) -> String {
        let words = words(marks, Path::new("/home/ada"));
        words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn bare_words_lose_their_escapes_and_expand_braces_and_tildes() {
        for (written, expected) in [
            ("\\rm", "rm"),
            ("a\\ b", "a b"),
            ("r\\\nm", "rm"),
            ("{a,b}/x", "a/x|b/x"),
            ("{a,{b,c}}", "a|b|c"),
            ("{1..3}", "1|2|3"),
            ("{a}", "{a}"),
            ("{}", "{}"),
            ("{,x}", "|x"),
            ("~", "/home/ada"),
            ("~/x", "/home/ada/x"),
            ("\\~/x", "~/x"),
            ("x~", "x~"),
        ] {
            assert_eq!(shown(&bare(written)), expected, "{written}");
        }
    }

    #[test]
    fn quoted_texts_keep_what_only_looks_like_syntax() {
        assert_eq!(shown(&double_quoted("a\\\"b\\n {x,y} ~")), "a\"b\\n {x,y} ~");
        assert_eq!(shown(&ansi_c("\\x72\\155\\n\\u00e9")), "rm\né");
    }

    #[test]
    fn a_bare_expansion_is_split_and_a_quoted_one_is_not() {
        let value = quoted("rm -rf *.ts");
        assert_eq!(shown(&expansion(&value, false, "")), "rm|-rf|*.ts");
        assert_eq!(shown(&expansion(&value, true, "")), "rm -rf *.ts");
    }

    #[test]
    fn braces_that_would_make_too_many_words_stay_bounded() {
        let many = "{a,b}".repeat(40);
        assert!(words(&bare(&many), Path::new("/h")).len() <= MOST_FIELDS);
    }
}
