//! Where the lines of code of two texts differ: what is gone in each place, and what comes there.
//!
//! Comments, blank lines and lines without a letter or a digit count for nothing, and a line that stands in another place
//! now has moved and is neither gone nor new.

use std::collections::HashMap;

use crate::detectors::engine::code_lines::{end_of_line, last_line, lines};
use crate::detectors::engine::shortened_lines::is_shortened;
use crate::detectors::engine::telling_lines::{names_strictness, takes_item};
use crate::languages::Language;
use crate::languages::code::{Refusing, falls_back, identifiers, is_log, passes_on, plain, refuses};
use crate::languages::differing::{DifferingMiddle, common_last_lines};
use crate::model::words::is_name_part;

pub(crate) use crate::detectors::engine::code_lines::CodeLine;

/// More lines than these on a side are a rewrite, which is no edit to compare line by line.
const LARGEST: usize = 300;
/// A line shorter than this stands in many places, and has moved to none.
const TELLING: usize = 9;

/// A place in which two texts differ.
#[derive(Debug, Clone, Default)]
pub(crate) struct TextHunk<'a> {
    /// The lines before.
    pub(crate) gone: Vec<CodeLine<'a>>,
    /// The lines after.
    pub(crate) come: Vec<CodeLine<'a>>,
    /// The line of code above, which is the same in both.
    pub(crate) above: Option<CodeLine<'a>>,
    /// The line of code below, which is the same in both.
    pub(crate) below: Option<CodeLine<'a>>,
}

impl<'a> TextHunk<'a> {
    /// The line of code below one of a side.
    pub(crate) fn next(&self, side: &[CodeLine<'a>], line: &CodeLine) -> Option<CodeLine<'a>> {
        side.iter().find(|it| it.at > line.at).copied().or(self.below)
    }
}

/// Where two texts differ; `None` where too much does. `comment` begins a comment to the end of a line.
///
/// Only what stands between the lines that both texts begin and end with is read.
pub(crate) fn hunks<'a>(comment: &str, old: &'a str, new: &'a str) -> Option<Vec<TextHunk<'a>>> {
    let start = DifferingMiddle::of(old, new).start;
    let (head, from) = same_head(comment, (old, new), start);
    let (old_rest, new_rest) = (old.get(from.0..)?, new.get(from.1..)?);
    let tail = common_last_lines(old_rest, new_rest);
    let between = |text: &'a str, rest: &'a str, at: usize| -> Option<Vec<CodeLine<'a>>> {
        Some(lines(comment, text, at..at + rest.len() - tail).collect())
    };
    let (gone, come) = (between(old, old_rest, from.0)?, between(new, new_rest, from.1)?);
    let same = |(a, b): &(&CodeLine, &CodeLine)| a.text == b.text;
    let back = gone.iter().rev().zip(come.iter().rev()).take_while(same).count();
    let last = match back {
        0 => lines(comment, old, old.len() - tail..old.len()).next(),
        _ => gone.get(gone.len() - back).copied(),
    };
    let (gone, come) = (gone.get(..gone.len() - back)?, come.get(..come.len() - back)?);
    if gone.len() > LARGEST || come.len() > LARGEST {
        return None;
    }
    let mut all = split(gone, come, head, last);
    drop_moved(&mut all);
    all.iter_mut().for_each(drop_shortened);
    all.retain(|it| !says_the_same(it));
    Some(all)
}

/// Whether a place is empty, or says the same in more lines or fewer: a statement in one line that stood in several.
fn says_the_same(hunk: &TextHunk) -> bool {
    // Blanks count only where they part two words.
    let letters = |lines: &[CodeLine]| {
        let is_of_a_word = |letter: Option<char>| letter.is_some_and(is_name_part);
        let mut all = String::new();
        for word in lines.iter().flat_map(|line| line.text.split_whitespace()) {
            if is_of_a_word(all.chars().next_back()) && is_of_a_word(word.chars().next()) {
                all.push(' ');
            }
            all.push_str(word);
        }
        all
    };
    let is_empty = hunk.gone.is_empty() && hunk.come.is_empty();
    is_empty || (hunk.gone.len() != hunk.come.len() && letters(&hunk.gone) == letters(&hunk.come))
}

/// The last of the lines of code that both texts begin with, and where each goes on after them. What stands before
/// `start` is the same to the letter.
fn same_head<'a>(
    comment: &str,
    (old, new): (&'a str, &'a str),
    start: usize,
) -> (Option<CodeLine<'a>>, (usize, usize)) {
    let (mut head, mut ends) = (None, (start, start));
    let pairs = lines(comment, old, start..old.len()).zip(lines(comment, new, start..new.len()));
    for (a, b) in pairs.take_while(|(a, b)| a.text == b.text) {
        head = Some(a);
        ends = (end_of_line(old, a.at), end_of_line(new, b.at));
    }
    (head.or_else(|| last_line(comment, old, start)), ends)
}

/// The places in which two lists of lines differ, by their longest common part.
fn split<'a>(
    gone: &[CodeLine<'a>],
    come: &[CodeLine<'a>],
    first: Option<CodeLine<'a>>,
    last: Option<CodeLine<'a>>,
) -> Vec<TextHunk<'a>> {
    let lengths = common(gone, come);
    let length = |old: usize, new: usize| lengths.get(old * (come.len() + 1) + new).copied().unwrap_or(0);
    let (mut old, mut new) = (0, 0);
    let mut all = Vec::new();
    let mut hunk = TextHunk { above: first, ..TextHunk::default() };
    loop {
        match (gone.get(old), come.get(new)) {
            (Some(a), Some(b)) if a.text == b.text => {
                hunk.below = Some(*a);
                all.push(std::mem::replace(&mut hunk, TextHunk { above: Some(*a), ..TextHunk::default() }));
                (old, new) = (old + 1, new + 1);
            }
            (Some(a), None) => {
                hunk.gone.push(*a);
                old += 1;
            }
            (Some(a), Some(_)) if length(old + 1, new) >= length(old, new + 1) => {
                hunk.gone.push(*a);
                old += 1;
            }
            (_, Some(b)) => {
                hunk.come.push(*b);
                new += 1;
            }
            (None, None) => break,
        }
    }
    hunk.below = last;
    all.push(hunk);
    all
}

/// For each pair of places, how many lines both lists have in common from there on.
fn common(gone: &[CodeLine], come: &[CodeLine]) -> Vec<u16> {
    let width = come.len() + 1;
    let mut lengths = vec![0u16; (gone.len() + 1) * width];
    for (old, a) in gone.iter().enumerate().rev() {
        for (new, b) in come.iter().enumerate().rev() {
            let of = |at: usize| lengths.get(at).copied().unwrap_or(0);
            let value = if a.text == b.text {
                of((old + 1) * width + new + 1) + 1
            } else {
                of((old + 1) * width + new).max(of(old * width + new + 1))
            };
            if let Some(slot) = lengths.get_mut(old * width + new) {
                *slot = value;
            }
        }
    }
    lengths
}

/// Takes out the lines that are gone in one place and come in another.
fn drop_moved(hunks: &mut [TextHunk]) {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let is_telling = |line: &&CodeLine| line.text.len() >= TELLING;
    for line in hunks.iter().flat_map(|it| &it.come).filter(is_telling) {
        *counts.entry(line.text).or_default() += 1;
    }
    let mut moved: HashMap<&str, usize> = HashMap::new();
    let take = |counts: &mut HashMap<_, usize>, line: &CodeLine| {
        let left = counts.get_mut(line.text).filter(|left| **left > 0);
        left.map(|left| *left -= 1).is_some()
    };
    let texts: Vec<&str> = counts.keys().copied().collect();
    for text in texts {
        let gone = hunks.iter().flat_map(|it| &it.gone).filter(|line| line.text == text).count();
        let both = gone.min(counts.get(text).copied().unwrap_or(0));
        moved.extend((both > 0).then_some((text, both)));
    }
    let mut back = moved.clone();
    for hunk in hunks {
        hunk.gone.retain(|line| !take(&mut moved, line));
        hunk.come.retain(|line| !take(&mut back, line));
    }
}

/// Takes out the lines that say the same in a shorter or a longer form of assignment.
fn drop_shortened(hunk: &mut TextHunk) {
    let mut at = 0;
    while let Some(line) = hunk.gone.get(at).copied() {
        match hunk.come.iter().position(|it| is_shortened(line.text, it.text)) {
            Some(place) => {
                hunk.gone.remove(at);
                hunk.come.remove(place);
            }
            None => at += 1,
        }
    }
}

/// Whether the lines that differ may say no less often, let more through, or give fixed answers. A glance: what it does
/// not suspect is never parsed.
pub(crate) fn suspects(path: &str, old: &str, new: &str) -> bool {
    let Some(table) = Language::of_path(path).map(Language::refusing) else { return false };
    let Some(all) = hunks(table.comment, old, new) else { return false };
    let answers = all.iter().flat_map(|hunk| &hunk.come).any(|line| looks_up(line.text));
    all.iter().any(|hunk| {
        let decides = || hunk.come.iter().any(|line| is_condition(&plain(table, line.text)));
        is_suspect(table, hunk) || gives_values(hunk) && (answers || !hunk.gone.is_empty() || decides())
    })
}

/// Whether more lines than before are values, or choose between some. Where nothing is gone, nothing was replaced by
/// them, so they count only with a new line that decides or gives what it looks up.
fn gives_values(hunk: &TextHunk) -> bool {
    let count = |lines: &[CodeLine], ask: fn(&str) -> bool| lines.iter().filter(|it| ask(it.text)).count();
    let more = |ask: fn(&str) -> bool| count(&hunk.come, ask) > count(&hunk.gone, ask);
    more(chooses) || more(is_value)
}

/// Whether a line may give what it finds in a table.
fn looks_up(line: &str) -> bool {
    line.contains("return") && ["[", ".get(", ".fetch(", ".at("].iter().any(|sign| line.contains(sign))
}

/// Whether a line names whoever is signed in.
fn names_signed_in(line: &str) -> bool {
    ["current_", "current", "Current", ".user", "->user", "Auth::", "Identity", "principal"]
        .iter()
        .any(|it| line.contains(it))
}

/// Whether a line names a file that holds what tests expect.
fn names_expected(line: &str) -> bool {
    line.contains(['"', '\''])
        && ["xpected", "olden", "ixtures/", "estdata", "snap"].iter().any(|it| line.contains(it))
}

fn is_suspect(table: &Refusing, hunk: &TextHunk) -> bool {
    let count =
        |lines: &[CodeLine], ask: &dyn Fn(&str) -> bool| lines.iter().filter(|it| ask(it.text)).count();
    let fewer = |ask: &dyn Fn(&str) -> bool| count(&hunk.gone, ask) > count(&hunk.come, ask);
    let more = |ask: &dyn Fn(&str) -> bool| count(&hunk.come, ask) > count(&hunk.gone, ask);
    let is_mark = |text: &str| text.starts_with(['@', '[']) || text.starts_with("#[");
    let signs =
        |lines: &[CodeLine]| lines.iter().map(|it| it.text.matches(['(', '[', '/']).count()).sum::<usize>();
    let size = |lines: &[CodeLine]| lines.iter().map(|it| identifiers(it.text).count()).sum::<usize>();
    fewer(&|text| refuses(table, text))
        // What takes more away than it brings may do less.
        || !hunk.gone.is_empty() && size(&hunk.come) < size(&hunk.gone)
        || !hunk.gone.is_empty() && (fewer(&|text| !is_log(text)) || hunk.come.iter().any(|line| brings_into_bounds(line.text)))
        || hunk.come.iter().any(|line| line.text.starts_with("{/*") || line.text.starts_with("#if") || line.text == "#[cfg(not(test))]")
        || !hunk.gone.is_empty() && hunk.come.iter().any(|line| ["any", "Any", "verif", "valid", "nonymous", "ermitAll"].iter().any(|it| line.text.contains(it)))
        || hunk.come.iter().any(|line| names_expected(line.text))
        || more(&|text| falls_back(table, text))
        || hunk.gone.iter().chain(&hunk.come).any(|line| names_strictness(line.text))
        || fewer(&is_mark)
        || fewer(&|text| passes_on(table, text))
        || fewer(&names_signed_in)
        || more(&|text| text.contains("xit(0") || text.contains("xit 0"))
        || more(&compares_text)
        || more(&declares_option)
        || more(&keeps_errors)
        || !hunk.gone.is_empty() && hunk.come.iter().any(|line| takes_item(line.text))
        || fewer(&|text| text.contains("return"))
        || fewer(&ends_with_code)
        || hunk.gone.iter().any(|line| is_arm(line.text)) && hunk.come.iter().any(|line| is_arm(line.text))
        || signs(&hunk.gone) > signs(&hunk.come)
        || hunk.gone.len() == hunk.come.len()
            && hunk.gone.iter().any(|line| is_limit(line.text) || line.text.contains(" <- "))
        || !hunk.come.is_empty() && hunk.gone.iter().any(|line| is_condition(&plain(table, line.text)))
}

/// Whether a line may put a value right.
fn brings_into_bounds(line: &str) -> bool {
    ["clamp", "Clamp", "coerce", "max(", "min(", "Max(", "Min(", "abs"].iter().any(|call| line.contains(call))
}

/// Whether a line may end with a code of failure.
fn ends_with_code(line: &str) -> bool {
    line.contains("xit")
        || line.strip_prefix("return ").is_some_and(|rest| rest.starts_with(|c: char| matches!(c, '1'..='9')))
}

/// Whether a line may keep the errors of several pieces of work in their results.
fn keeps_errors(line: &str) -> bool {
    const WORDS: &[&str] = &[
        "return_exceptions",
        "allSettled",
        "asyncio.wait",
        "joinAll",
        ".join()",
        "supervisorScope",
        "join_all",
        "join!",
        ".Wait()",
        "yield_many",
        "Task.start",
        "settle(",
        "invokeAll",
        "withTaskGroup",
        "WhenAny",
        ".wait",
    ];
    WORDS.iter().any(|word| line.contains(word))
}

/// Whether a line may declare an option of a command line.
fn declares_option(line: &str) -> bool {
    ["\"--", "'--"].iter().any(|head| line.contains(head)) && line.contains('(')
}

/// Whether a line compares with a text or a number.
fn compares_text(line: &str) -> bool {
    const CALLS: &[&str] = &[
        "tarts",
        "tart_with",
        "refix(",
        "ndsWith",
        "ends_with",
        "uffix(",
        "ontains(",
        "nclude",
        "in_array(",
        "strcmp(",
        " in (",
        " in [",
        "sEqual",
    ];
    let is_clause = || line.starts_with("def") && line.contains("do:");
    ["==", ".equals(", ".eql?("].iter().any(|mark| line.contains(mark))
        || line.contains(['"', '\'']) && (is_clause() || CALLS.iter().any(|call| line.contains(call)))
}

/// Whether a line is a value, as the last of a function may be.
fn is_value(line: &str) -> bool {
    line.starts_with(['"', '\'', '['])
        || line.starts_with(|c: char| c.is_ascii_digit())
        || ["Ok(", "Some(", "{:ok", ":"].iter().any(|head| line.starts_with(head))
}

/// Whether a line is an arm of a choice, or a short function.
fn is_arm(line: &str) -> bool {
    line.contains("=>") || line.contains("->")
}

/// Whether a line names a limit.
fn is_limit(line: &str) -> bool {
    let head = line.split('=').next().unwrap_or_default();
    let is_constant = |word: &str| {
        word.len() > 3 && word.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == '_')
    };
    ["min", "max", "limit", "MIN", "MAX", "LIMIT", "Min", "Max"].iter().any(|word| line.contains(word))
        || head.len() < line.len() && identifiers(head).any(is_constant)
}

/// Whether a line may hold a table, or choose between values.
fn chooses(line: &str) -> bool {
    line.contains(['{', '?']) || ["=>", "->", "case ", "when "].iter().any(|mark| line.contains(mark))
}

/// Whether a line of code decides by a condition.
fn is_condition(code: &str) -> bool {
    let first = code.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty()).unwrap_or_default();
    matches!(
        first,
        "if" | "elif" | "elsif" | "else" | "unless" | "guard" | "when" | "while" | "case" | "require"
    ) || ["&&", "||", " and ", " or ", " if ", " unless ", ".."].iter().any(|mark| code.contains(mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(old: &str, new: &str) -> Vec<(Vec<String>, Vec<String>)> {
        let texts = |lines: &[CodeLine]| lines.iter().map(|it| it.text.to_owned()).collect::<Vec<_>>();
        let all = hunks("//", old, new).unwrap();
        all.iter().map(|it| (texts(&it.gone), texts(&it.come))).collect()
    }

    #[test]
    fn each_place_has_what_is_gone_and_what_comes() {
        let old = "a(1);\nb(2);\n// note\nc(3);\nd(4);\n";
        let new = "a(1);\nb(5);\n\nc(3);\n  d(4);\ne(6);\n";
        let owned = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        assert_eq!(told(old, new), [(owned(&["b(2);"]), owned(&["b(5);"])), (vec![], owned(&["e(6);"]))]);
        assert_eq!(told(old, old), []);
    }

    #[test]
    fn a_line_that_moved_is_neither_gone_nor_new() {
        let old = "check(value);\na(1);\nb(2);\nc(3);\n";
        let new = "a(1);\nb(2);\ncheck(value);\nc(3);\n";
        assert_eq!(told(old, new), []);
    }

    #[test]
    fn a_place_knows_what_stands_around_it() {
        let all = hunks("//", "if (x) {\n  stop();\n}\nrun();\n", "if (x) {\n  go();\n}\nrun();\n").unwrap();
        let [hunk] = &all[..] else { panic!("{all:?}") };
        assert_eq!(hunk.above.map(|it| it.text), Some("if (x) {"));
        assert_eq!(hunk.below.map(|it| it.text), Some("run();"));
        assert_eq!(hunk.gone[0].number, 2);
    }

    #[test]
    fn values_are_suspect_in_the_place_of_work_and_where_they_are_asked_first() {
        let old = "const NAMES = [\n  'ada',\n];\nfunction tax(land) {\n  const rate = find(land);\n  return rate * 2;\n}\n";
        let table = "const KNOWN = {\n  'DE': 19,\n  'FR': 20,\n};\nfunction tax(land) {\n  if (land in KNOWN) return KNOWN[land];";
        for (gone, come, expected) in [
            ("  'ada',", "  'ada',\n  'bob',", false),
            ("function tax(land) {", "function none(land) {\n  log(land);\n}\nfunction tax(land) {", false),
            ("function tax(land) {", table, true),
            ("  const rate = find(land);", "  const rate = land ? 19 : 20;", true),
        ] {
            let new = old.replacen(gone, come, 1);
            assert_ne!(new, old);
            assert_eq!(suspects("src/tax.js", old, &new), expected, "{new}");
        }
    }

    #[test]
    fn what_stands_in_other_lines_alone_differs_nowhere() {
        assert_eq!(told("a(1);\nx = b\n  ? c\n  : d;\ne(2);\n", "a(1);\nx = b ? c : d;\ne(2);\n"), []);
    }

    #[test]
    fn a_rewrite_is_compared_by_nobody() {
        let old: String = (0..400).map(|at| format!("a({at});\n")).collect();
        assert!(hunks("//", &old, &old.replace('a', "b")).is_none());
    }

    /// The same from all lines of both texts.
    fn of_whole<'a>(old: &'a str, new: &'a str) -> Vec<TextHunk<'a>> {
        let all = |text: &'a str| lines("//", text, 0..text.len()).collect::<Vec<_>>();
        let (old, new) = (all(old), all(new));
        let same = |(a, b): &(&CodeLine, &CodeLine)| a.text == b.text;
        let head = old.iter().zip(&new).take_while(same).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(same).count();
        let (gone, come) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
        let first = head.checked_sub(1).map(|at| old[at]);
        let mut hunks = split(gone, come, first, old.get(old.len() - tail).copied());
        drop_moved(&mut hunks);
        hunks.retain(|it| !says_the_same(it));
        hunks
    }

    const LINES: &[&str] = &[
        "a();\n",
        "  a();\n",
        "b();\n",
        "\tb();\r\n",
        "// c\n",
        "}\n",
        "\n",
        "long_enough(1);\n",
        "é(2);\n",
        "x",
    ];

    fn text() -> impl proptest::strategy::Strategy<Value = String> {
        use proptest::prelude::*;
        proptest::collection::vec(proptest::sample::select(LINES), 0..12).prop_map(|lines| lines.concat())
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig { cases: 2_000, failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_is_left_out_changes_nothing(old in text(), new in text()) {
            let found = hunks("//", &old, &new).unwrap();
            proptest::prop_assert_eq!(format!("{found:#?}"), format!("{:#?}", of_whole(&old, &new)));
        }
    }
}
