//! Patterns of text that accept more: everything, or what stands around what was meant.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::model::finding::Severity;

/// What accepts every text, without anchors, groups and flags.
const ALL: &[&str] = &[
    ".*",
    ".+",
    ".*?",
    ".+?",
    "[\\s\\S]*",
    "[\\s\\S]+",
    "\\S+",
    "\\S*",
    "[^]*",
    ".{1,}",
    ".{0,}",
    "[\\w\\W]*",
    "[\\w\\W]+",
    "",
];
/// Signs that patterns have and other texts hardly.
const SIGNS: &[char] = &['^', '$', '[', ']', '\\', '+', '*', '{', '?', '|'];

/// The first pattern that accepts more than it did.
pub(super) fn pattern_widened(revision: &Revision) -> Option<LostCheck> {
    line_pairs(revision.hunks()).find_map(|(gone, come)| widened(gone, come))
}

fn widened(gone: &CodeLine, come: &CodeLine) -> Option<LostCheck> {
    let (before, after) = (literals(gone.text), literals(come.text));
    if before.len() != after.len() {
        return None;
    }
    let mut differing = before.iter().zip(&after).filter(|(a, b)| a != b);
    let ((old, new), None) = (differing.next()?, differing.next()) else { return None };
    let is_pattern = old.chars().filter(|c| SIGNS.contains(c)).count() >= 2;
    // All but the pattern is as it was.
    let rest = |text: &str, pattern: &str| without_flags(&text.replacen(pattern, "", 1));
    if !is_pattern || rest(gone.text, old) != rest(come.text, new) {
        return None;
    }
    let severity = accepts_more(old, new, gone.text)?;
    let what = format!("the pattern `{}` would become `{}`, which accepts more", short(old), short(new));
    Some(LostCheck::new(gone.number, gone.text, what, severity))
}

/// A line without the flags of the pattern that was taken out of it: `//i;`.
fn without_flags(text: &str) -> String {
    let Some((head, rest)) = text.split_once("//") else { return text.to_owned() };
    format!("{head}{}", rest.trim_start_matches(['i', 'm', 's', 'u', 'x', 'g', 'y', 'd', 'v']))
}

/// How much more a pattern accepts than another; `None` where not. `line` is that of the one before, with its message.
pub(super) fn accepts_more(old: &str, new: &str, line: &str) -> Option<Severity> {
    if ALL.contains(&core(new).as_str()) && !ALL.contains(&core(old).as_str()) {
        Some(Severity::High)
    } else if anchors(new) == 0 && anchors(old) == 2 && new.len() < old.len() && core(new) != core(old) {
        // Less is asked for, and that anywhere in the text.
        Some(Severity::High)
    } else if anchors(new) < anchors(old) && core(new) == core(old) {
        Some(Severity::Medium)
    } else {
        loosened(old, new).or_else(|| takes_nought(old, new, line))
    }
}

/// A number that had to begin with a digit above nought: `[1-9][0-9]*` that became `[0-9]+`.
fn takes_nought(old: &str, new: &str, line: &str) -> Option<Severity> {
    let digits = ["[0-9]", "\\d"];
    let is_above = |text: &str| text.contains("[1-9]");
    let is_number = digits.iter().any(|it| new.contains(it));
    let lower = line.to_lowercase();
    let is_said = ["positive", "zero", "at least 1", "at least one"].iter().any(|it| lower.contains(it));
    (is_above(old) && !is_above(new) && is_number && anchors(new) >= anchors(old)).then_some(if is_said {
        Severity::High
    } else {
        Severity::Medium
    })
}

/// How much less a pattern asks for: a count that became any, a choice or a class that became everything.
fn loosened(old: &str, new: &str) -> Option<Severity> {
    const WILD: &[&str] = &[".*", ".+", "\\S+", "\\S*", "\\w*", "\\d*", "[^"];
    let count = |text: &str, all: &[&str]| all.iter().map(|it| text.matches(it).count()).sum::<usize>();
    let counted = |text: &str| {
        text.split('{').skip(1).filter(|it| it.starts_with(|c: char| c.is_ascii_digit())).count()
    };
    let exact = |text: &str| counted(text) + count(text, &["[", "|", "\\d", "\\b", "(?!", "(?="]);
    let is_looser = exact(new) < exact(old) && anchors(new) <= anchors(old) && new.len() <= old.len() + 2;
    let is_wilder = count(new, WILD) > count(old, WILD);
    let is_uncounted = counted(new) < counted(old) && count(new, &["+", "*"]) > count(old, &["+", "*"]);
    match (is_looser, is_wilder, is_uncounted) {
        (true, true, true) => Some(Severity::High),
        (true, _, true) if exact(new) + 2 <= exact(old) => Some(Severity::High),
        (true, true, _) | (true, _, true) => Some(Severity::Medium),
        _ => None,
    }
}

/// What stands between the quotes and slashes of a line.
fn literals(line: &str) -> Vec<&str> {
    let (mut all, mut open, mut escaped) = (Vec::new(), None::<(char, usize)>, false);
    let mut last = ' ';
    for (at, c) in line.char_indices() {
        match open {
            Some(_) if escaped => escaped = false,
            Some(_) if c == '\\' => escaped = true,
            Some((sign, from)) if c == sign => {
                all.extend(line.get(from..at));
                open = None;
            }
            Some(_) => {}
            // A slash after a value divides.
            None if matches!(c, '"' | '\'' | '`')
                || (c == '/'
                    && (!last.is_alphanumeric() && last != ')'
                        || is_sigil(line, at)
                        || is_given(line, at))) =>
            {
                open = Some((c, at + 1));
            }
            None => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    all
}

/// `~r/`: Elixir's sign of a pattern.
fn is_sigil(line: &str, at: usize) -> bool {
    line.get(..at).is_some_and(|head| head.ends_with("~r"))
}

/// Whether `return` stands in front of a place: what is given there is a pattern, and nothing that is divided.
fn is_given(line: &str, at: usize) -> bool {
    line.get(..at).is_some_and(|head| head.trim_end().ends_with("return"))
}

/// A pattern without delimiters, anchors and the group around all of it.
fn core(pattern: &str) -> String {
    let mut text = pattern;
    for end in ["^", "\\A", "("] {
        text = text.strip_prefix(end).unwrap_or(text);
    }
    for end in ["$", "\\z", "\\Z", ")"] {
        text = text.strip_suffix(end).unwrap_or(text);
    }
    text.to_owned()
}

fn anchors(pattern: &str) -> usize {
    let start = ["^", "\\A"].iter().any(|it| pattern.starts_with(it));
    let end = ["$", "\\z", "\\Z"].iter().any(|it| pattern.ends_with(it));
    usize::from(start) + usize::from(end)
}
