//! Assignments that say the same in a short form and in a long one: `x ??= y` and `x = x ?? y`.

use crate::languages::code::bare;

/// Signs of an assignment that works on the old value; the longest of those that begin alike comes first.
const SHORT: &[&str] = &[
    "??=", "||=", "&&=", "**=", "//=", ">>=", "<<=", "+=", "-=", "*=", "/=", "%=", "|=", "&=", "^=", ".=",
    "<>=",
];

/// Whether one of two lines is the short form of the other.
pub(super) fn is_shortened(one: &str, other: &str) -> bool {
    let is_long = |long: &str, short: &str| expanded(short).is_some_and(|it| it == bare(long));
    is_long(one, other) || is_long(other, one)
}

/// The long form of a short assignment, without white space.
fn expanded(line: &str) -> Option<String> {
    let code = bare(line);
    let end = code.trim_end_matches(';');
    let step = [("++", '+'), ("--", '-')].iter().find_map(|(mark, sign)| {
        let name = end.strip_suffix(mark).or_else(|| end.strip_prefix(mark))?;
        is_place(name).then(|| format!("{name}={name}{sign}1{}", code.get(end.len()..).unwrap_or_default()))
    });
    step.or_else(|| {
        let (at, sign) = SHORT
            .iter()
            .filter_map(|sign| Some((code.find(sign)?, *sign)))
            .min_by_key(|(at, sign)| (*at, usize::MAX - sign.len()))?;
        let (name, value) = (code.get(..at)?, code.get(at + sign.len()..)?);
        let operator = sign.strip_suffix('=')?;
        is_place(name).then(|| format!("{name}={name}{operator}{value}"))
    })
}

/// Whether a text is a name, or a member of something.
fn is_place(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '@' | '$'))
        && text.chars().all(|c| c.is_alphanumeric() || "_.$@[]->:'\"".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_assignment_is_its_long_form_and_no_other() {
        for (long, short) in [
            ("cache.at = cache.at ?? load(key);", "cache.at ??= load(key);"),
            ("total = total + 5", "total += 5"),
            ("@list = @list || []", "@list ||= []"),
            ("count = count + 1;", "count++;"),
            ("$text = $text . $more;", "$text .= $more;"),
        ] {
            assert!(is_shortened(long, short) && is_shortened(short, long), "{long}");
        }
        for (long, short) in [
            ("total = total + 5", "total -= 5"),
            ("total = other + 5", "total += 5"),
            ("a = a || b", "a = b"),
            ("if (a >= b) {", "if (a > b) {"),
        ] {
            assert!(!is_shortened(long, short), "{long}");
        }
    }
}
