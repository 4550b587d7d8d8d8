//! Texts in brackets and between commas, in languages that are not read further.

/// What stands in the first brackets of a text, and what comes behind them. Brackets in texts are none.
pub(super) fn in_brackets(text: &str, open: char, close: char) -> Option<(&str, &str)> {
    let start = text.find(open)?;
    let (mut depth, mut quote) = (0usize, None);
    for (at, it) in text.get(start..)?.char_indices() {
        match (quote, it) {
            (Some(sign), _) => quote = (sign != it && it != '\n').then_some(sign),
            (None, '"' | '\'' | '`') => quote = Some(it),
            (None, _) if it == open => depth += 1,
            (None, _) if it == close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    let end = start + at;
                    return Some((text.get(start + 1..end)?, text.get(end + close.len_utf8()..)?));
                }
            }
            _ => {}
        }
    }
    None
}

/// The parts between commas that stand in no brackets and no texts.
pub(super) fn parted(text: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth, mut quote) = (Vec::new(), 0, 0usize, None);
    for (at, it) in text.char_indices() {
        match (quote, it) {
            (Some(sign), _) => quote = (sign != it).then_some(sign),
            (None, '"' | '\'' | '`') => quote = Some(it),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                parts.extend(text.get(from..at));
                from = at + 1;
            }
            _ => {}
        }
    }
    parts.extend(text.get(from..));
    parts
}
