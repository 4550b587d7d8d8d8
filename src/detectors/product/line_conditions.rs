//! The condition of a line of code, in any language, and its operands as written.

use crate::detectors::engine::hunks::CodeLine;
use crate::languages::code::{bare, identifiers};

/// Calls and words in front of a condition that has to hold.
const MUST_HOLD: &[&str] =
    &["guard", "require", "check", "precondition", "ensure!", "assert", "assert!", "Guard", "checkArgument"];
/// Words in front of a condition.
const IFS: &[&str] = &["if", "elif", "elsif", "elseif", "else", "unless", "while", "when"];

/// A condition of a line, without white space.
pub(super) struct LineCondition {
    pub(super) text: String,
    /// Whether the code goes on only where it holds.
    pub(super) must_hold: bool,
}

/// Signs between operands that all have to hold.
pub(super) const AND: &[&str] = &["&&", "\u{1}and\u{1}"];
/// Signs between operands of which one has to.
pub(super) const OR: &[&str] = &["||", "\u{1}or\u{1}"];

/// What one condition has among its operands and the other has not, where that has nothing of its own.
pub(super) fn missing(all: &str, some: &str, signs: &[&str]) -> Option<String> {
    let (all, some) = (operands(all, signs), operands(some, signs));
    let is_part = some.len() < all.len() && some.iter().all(|it| all.contains(it));
    is_part.then(|| all.into_iter().find(|it| !some.contains(it))).flatten()
}

/// The one operand in which two conditions of as many operands differ.
pub(super) fn differing<'o>(before: &'o [String], after: &'o [String]) -> Option<(&'o str, &'o str)> {
    let mut all = before.iter().zip(after).filter(|(was, is)| was != is);
    let (was, is) = all.next().filter(|_| before.len() == after.len() && all.next().is_none())?;
    Some((was, is))
}

/// The operands of a condition at its top.
pub(super) fn operands(text: &str, signs: &[&str]) -> Vec<String> {
    let text = unwrapped(text);
    let (mut depth, mut quote, mut from, mut at) = (0i32, None, 0, 0);
    let mut all = Vec::new();
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            _ => {}
        }
        let sign = signs.iter().find(|sign| {
            depth == 0 && quote.is_none() && text.get(at..).is_some_and(|rest| rest.starts_with(**sign))
        });
        match sign {
            Some(sign) => {
                all.push(unwrapped(text.get(from..at).unwrap_or_default()).to_owned());
                at += sign.len();
                from = at;
            }
            None => at += c.len_utf8(),
        }
    }
    all.push(unwrapped(text.get(from..).unwrap_or_default()).to_owned());
    all
}

/// A text without the parentheses around all of it.
fn unwrapped(text: &str) -> &str {
    let mut text = text.trim_matches('\u{1}');
    while let Some(inner) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')')) {
        let mut depth = 0i32;
        let closes = inner.chars().any(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth < 0
        });
        if closes {
            break;
        }
        text = inner;
    }
    text
}

/// The condition that a line decides by.
pub(super) fn condition(line: &str) -> Option<LineCondition> {
    let line = line.trim_start_matches(['}', ' ']);
    let first =
        line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '!')).next().unwrap_or_default();
    let rest = line.get(first.len()..).unwrap_or_default();
    let must_hold = MUST_HOLD.contains(&first) || first == "unless";
    if must_hold && rest.starts_with('(') {
        return Some(LineCondition { text: spelled(&first_argument(rest)?), must_hold });
    }
    if must_hold || IFS.contains(&first) {
        let rest = rest.trim_start();
        let rest = rest
            .strip_prefix("if ")
            .or_else(|| rest.strip_prefix("if(").map(|_| rest.get(2..).unwrap_or(rest)))
            .unwrap_or(rest);
        let text = match rest.starts_with('(').then(|| group(rest)).flatten() {
            // `if (a) throw` has its condition in parentheses, `if (a) || b {` has not.
            Some(inner) if !continues(rest.get(inner.len() + 2..).unwrap_or_default()) => inner,
            _ => ["else {", "else{", " {", ":", " then", ", do", " do"]
                .iter()
                .find_map(|end| rest.trim_end().strip_suffix(end))
                .unwrap_or(rest),
        };
        return Some(LineCondition { text: spelled(text), must_hold });
    }
    // Swift's `for a in b where c {`.
    if let Some((_, text)) = line.split_once(" where ").filter(|_| first == "for") {
        return Some(LineCondition {
            text: spelled(text.trim_end().trim_end_matches('{')),
            must_hold: false,
        });
    }
    // An arm: `case X(n) if n > 3 => …`, `n > 3 -> …`.
    let arm = || line.split_once(" => ").or_else(|| line.split_once(" -> ")).map(|(head, _)| head);
    if let Some(head) = arm().filter(|it| first == "case" || !it.contains('(') && it.contains(['<', '>'])) {
        let text =
            head.split_once(" if ").or_else(|| head.split_once(" when ")).map_or(head, |(_, text)| text);
        return Some(LineCondition { text: spelled(text), must_hold: false });
    }
    // `raise X if y`
    let modifier = |word: &str| line.rsplit_once(word).map(|(_, condition)| condition.trim_end_matches(';'));
    let found = modifier(" if ").map(|it| (it, false)).or_else(|| modifier(" unless ").map(|it| (it, true)));
    found
        .filter(|(text, _)| !text.contains(" else "))
        .map(|(text, must_hold)| LineCondition { text: spelled(text), must_hold })
}

/// A condition without white space, but for the words between operands.
pub(super) fn spelled(text: &str) -> String {
    let text = comparisons(text).unwrap_or_else(|| text.to_owned());
    let text = text.replace(" and ", "\u{1}and\u{1}").replace(" or ", "\u{1}or\u{1}");
    // Without the blank a range has no beginning: `x in 1..9`.
    let mut parts = text.split(" in ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_range = part.trim_start().starts_with(|c: char| c.is_ascii_digit()) && part.contains("..");
        out.push_str(if is_range { "\u{1}in\u{1}" } else { " in " });
        out.push_str(part);
    }
    bare(&out)
}

/// `x is < 1 or > max` as comparisons: `x < 1 or x > max`.
fn comparisons(text: &str) -> Option<String> {
    let (name, pattern) = text.split_once(" is ")?;
    let (head, name) = name.rsplit_once([' ', '(']).map_or(("", name), |(head, name)| (head, name));
    if !pattern.starts_with(['<', '>']) {
        return None;
    }
    let mut out = String::from(head);
    let mut sign = " ";
    for word in pattern.split(' ') {
        match word {
            "or" | "and" => sign = if word == "or" { " || " } else { " && " },
            _ if word.starts_with(['<', '>']) => {
                let between = if out.is_empty() { "" } else { sign };
                out.extend([between, name, " ", word]);
                sign = " ";
            }
            _ => out.extend([" ", word]),
        }
    }
    Some(out)
}

fn continues(rest: &str) -> bool {
    let rest = rest.trim_start();
    ["&&", "||", "and ", "or ", ".", "==", "!=", "<", ">", "in "].iter().any(|sign| rest.starts_with(sign))
}

/// What stands in the first parentheses of a text that begins with one.
pub(super) fn group(text: &str) -> Option<&str> {
    let mut depth = 0i32;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(*c == '(') - i32::from(*c == ')');
        depth == 0
    });
    text.get(1..end?.0)
}

/// The first argument of a call whose parentheses a text begins with; all of it where they end in another line.
fn first_argument(text: &str) -> Option<String> {
    let inner = group(text).unwrap_or_else(|| text.get(1..).unwrap_or_default());
    let mut depth = 0i32;
    let end = inner.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth == 0 && *c == ','
    });
    Some(inner.get(..end.map_or(inner.len(), |(at, _)| at))?.to_owned())
}

/// A condition with the values of the names that only one side of an edit has, as its lines give them: a bound that moves
/// while it gets a name is read as it is.
pub(super) fn resolved(condition: &str, lines: &[CodeLine], other: &str) -> String {
    let known = |name: &str| identifiers(other).any(|word| word == name);
    let names: Vec<&str> = identifiers(condition).filter(|name| name.len() > 2 && !known(name)).collect();
    let value = |name: &str| {
        lines.iter().find_map(|line| {
            let (left, right) = line.text.split_once('=')?;
            let right = bare(right).trim_end_matches([';', ',']).to_owned();
            let is_number = right.bytes().any(|byte| byte.is_ascii_digit()) && right.len() < 40;
            (identifiers(left.split(':').next()?).last() == Some(name) && is_number).then_some(right)
        })
    };
    let mut text = condition.to_owned();
    for name in names {
        let Some(value) = value(name) else { continue };
        // With what it is a member of.
        for holder in ["Self.", "self.", "Self::", "self::$", "self::", "this.", "@", "cls.", "$", ""] {
            let written = format!("{holder}{name}");
            if text.contains(&written) {
                text = text.replace(&written, &value);
                break;
            }
        }
    }
    text
}

/// The sides of a comparison and its sign, where there is one and no other.
pub(super) fn comparison(text: &str) -> Option<(&str, &'static str, &str)> {
    const SIGNS: &[&str] = &["===", "!==", "==", "!=", "<=", ">=", "<", ">"];
    let (mut depth, mut at, mut found) = (0i32, 0, None);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        let rest = text.get(at..)?;
        // Arrows and shifts compare nothing.
        let other = ["->", "=>", "<<", ">>"].iter().find(|sign| rest.starts_with(**sign));
        let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign) && depth == 0 && other.is_none());
        if let Some(sign) = sign
            && found.replace((at, *sign)).is_some()
        {
            return None;
        }
        at += sign.or(other).map_or(c.len_utf8(), |sign| sign.len());
    }
    let (at, sign) = found?;
    let (left, right) = (text.get(..at)?, text.get(at + sign.len()..)?);
    (!left.is_empty() && !right.is_empty()).then_some((left, sign, right))
}
