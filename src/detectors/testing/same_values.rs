//! Whether two values say the same, or the same more exactly, and which words of a text have another name in another.

/// Signs at the end of a number that say of which type it is.
const TYPES: &[&str] =
    &["f32", "f64", "u8", "u32", "u64", "usize", "i32", "i64", "m", "M", "f", "F", "d", "L", "l", "u", "n"];

/// Whether two values are the same in another form: a number with other digits, a text with other marks, cases or blanks, or
/// with a word that is spelled right.
pub(super) fn is_same(was: &str, is: &str) -> bool {
    // A list with more items has all that it had.
    if was.contains(',') && is.strip_prefix(was).is_some_and(|rest| rest.starts_with(',')) {
        return true;
    }
    if let (Some(old), Some(new)) = (number(was), number(is)) {
        return (old - new).abs() < f64::EPSILON || is_more_exact(was, is);
    }
    let bare = |text: &str| -> String {
        let inner = text.trim_matches(['"', '\'', '`']);
        inner.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
    };
    let (old, new) = (bare(was), bare(is));
    old == new || is_spelled_anew(&old, &new)
}

/// A number without what only says how it is written.
fn number(word: &str) -> Option<f64> {
    if word.starts_with(['"', '\'', '`']) {
        return None;
    }
    let bare = word.replace(['_', '\''], "");
    let short = TYPES.iter().find_map(|end| bare.strip_suffix(end)).unwrap_or(&bare);
    short.parse().ok().or_else(|| {
        let digits = bare.strip_prefix("0x")?;
        u32::from_str_radix(digits, 16).ok().map(f64::from)
    })
}

/// Whether a number has more digits and is the other where it is rounded: `3.14159` for `3.14`.
fn is_more_exact(was: &str, is: &str) -> bool {
    let decimals = |text: &str| text.split_once('.').map_or(0, |(_, rest)| rest.len());
    let (old, new) = (was.replace('_', ""), is.replace('_', ""));
    let (least, most) = (decimals(&old), decimals(&new));
    let rounded = || new.parse::<f64>().is_ok_and(|it| format!("{it:.least$}") == old);
    least > 0 && most > least && (new.starts_with(&old) || rounded())
}

/// Whether two texts of some length differ in a letter or two that were written for others, or were missing in a pair: a
/// slip of the pen.
fn is_spelled_anew(old: &str, new: &str) -> bool {
    const LONG: usize = 6;
    let (a, b): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    let head = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let least = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(least).take_while(|(a, b)| a == b).count();
    let (was, is) = (a.get(head..a.len() - tail), b.get(head..b.len() - tail));
    let (was, is) = (was.unwrap_or_default(), is.unwrap_or_default());
    let is_plain = |part: &[char]| part.iter().all(char::is_ascii_alphabetic);
    let is_pair = || match (was, is) {
        ([], [one]) | ([one], []) => head.checked_sub(1).and_then(|at| a.get(at)) == Some(one),
        _ => was.len() == is.len() && was.len() <= 2,
    };
    a.len() >= LONG
        && b.len() >= LONG
        && head > 0
        && head + tail > 3
        && is_plain(was)
        && is_plain(is)
        && is_pair()
}

/// The words in which two values differ that are the same otherwise; `None` where more than words is other.
pub(super) fn parts_renamed<'t>(was: &'t str, is: &'t str) -> Option<Vec<(&'t str, &'t str)>> {
    let (old, new) = (parts(was), parts(is));
    let is_word = |text: &str| text.starts_with(|c: char| c.is_alphanumeric());
    let differing: Vec<_> = old.iter().zip(&new).filter(|(a, b)| a != b).map(|(a, b)| (*a, *b)).collect();
    // A letter beyond ASCII that goes makes the text another.
    let is_name = |(a, b): &(&str, &str)| is_word(a) && is_word(b) && a.is_ascii() == b.is_ascii();
    (old.len() == new.len() && differing.iter().all(is_name)).then_some(differing)
}

/// Words, and the signs between them.
fn parts(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = first.is_alphanumeric();
        let end = rest.find(|c: char| c.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let (part, behind) = rest.split_at(end);
        all.push(part);
        rest = behind;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_forms_of_a_value_are_the_same() {
        for (was, is, expected) in [
            ("1000", "1_000", true),
            ("1000", "1e3", true),
            ("255", "0xff", true),
            ("3.14", "3.14159", true),
            ("0.67", "0.6667", true),
            ("1126.83", "1120.00", false),
            ("3", "6", false),
            ("\"recieved mail\"", "\"received mail\"", true),
            ("\"Not Found\"", "'Not found'", true),
            ("\"Smith, John\"", "\"Smith John\"", false),
            ("\"it occured twice\"", "\"it occurred twice\"", true),
            ("\"active\"", "\"inactive\"", false),
            ("\"1 order\"", "\"1 orders\"", false),
            ("\"open\"", "\"paid\"", false),
            ("\"Søren\"", "\"Soren\"", false),
        ] {
            assert_eq!(is_same(was, is), expected, "{was} -> {is}");
        }
    }

    #[test]
    fn words_under_another_name_are_told() {
        assert_eq!(parts_renamed("\"hi ana\"", "\"hi li\""), Some(vec![("ana", "li")]));
        assert_eq!(parts_renamed("7", "9"), Some(vec![("7", "9")]));
        assert_eq!(parts_renamed("\"a, b\"", "\"a b\""), None);
    }
}
