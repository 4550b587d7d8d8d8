//! What a test asked of the project, and asks of a stand-in now that it makes itself: `assert tariff.fee(w) == 3` with a
//! `tariff` of a class without a name, a lambda called as the function was, a double that is told the answer before.

use std::ops::Range;

use crate::detectors::testing::replaced_subjects::ChangedTestLines;
use crate::detectors::testing::stand_in_values::own_function;
use crate::detectors::testing::test_lines::bound;
use crate::model::words::{has_word, is_name_part};

/// What stands between an object and what it is asked.
const SIGNS: &[&str] = &[".", "->", "?.", "!.", "::"];
/// So long is what two lines have in common that ask the same.
const SAME: usize = 8;

/// The function that a test of the project asks of its own stand-in now, and the line. `is_stub` says whether a line tells
/// a stand-in what to answer.
pub(super) fn asked_of_own(asked: &ChangedTestLines, is_stub: fn(&str) -> bool) -> Option<(String, u32)> {
    asked.roots.iter().find_map(|(lines, _)| {
        own_objects(asked, lines)
            .into_iter()
            .find_map(|(at, own)| asked_in_test(asked, lines, (at, own), is_stub))
    })
}

/// The stand-ins that a test makes now, by the names that it gives them.
fn own_objects<'t>(asked: &ChangedTestLines<'t>, lines: &Range<u32>) -> Vec<(u32, &'t str)> {
    let all = asked.come.iter().filter(|(at, line)| lines.contains(at) && !line.contains('\n'));
    let made = all.filter_map(|(at, line)| {
        let (name, value) = bound(line).or_else(|| mock_function(line))?;
        let is_own = value.is_empty() || own_function(line).is_some() || asked.is_stand_in(*at, value);
        (is_own && name.len() > 1).then_some((*at, name))
    });
    made.collect()
}

/// `MockFunction<int(int)> find;` of C++, with no value.
fn mock_function(line: &str) -> Option<(&str, &str)> {
    let head =
        line.trim().strip_suffix(';').filter(|it| it.contains("MockFunction<") && !it.contains('='))?;
    let name = head.rsplit(|c: char| !is_name_part(c)).next()?;
    head.contains('>').then_some((name, ""))
}

fn asked_in_test(
    asked: &ChangedTestLines,
    lines: &Range<u32>,
    (made, own): (u32, &str),
    is_stub: fn(&str) -> bool,
) -> Option<(String, u32)> {
    let below =
        asked.come.iter().filter(|(at, line)| *at > made && lines.contains(at) && !line.contains('\n'));
    let asks = below.filter(|(_, line)| has_word(line, own) && !(is_stub(line) || is_told(line)));
    asks.into_iter().find_map(|(at, line)| {
        asked.gone.iter().filter(|(_, was)| !has_word(was, own) || own_is_part(was, own)).find_map(
            |(_, was)| {
                let (holder, name) = same_method(was, line, own).or_else(|| same_question(was, line, own))?;
                let between = asked.come.iter().filter(|(number, _)| (made..*at).contains(number));
                // A stand-in that goes on to the code asks the code.
                let is_way = between.into_iter().any(|(_, text)| has_word(text, holder));
                (!is_way && holder != own && !asked.was_double(holder)).then(|| (name.to_owned(), *at))
            },
        )
    })
}

/// Whether a name stands in a line only as what something else is asked: `Lookup.suggest(…)`.
fn own_is_part(line: &str, own: &str) -> bool {
    line.match_indices(own)
        .all(|(at, _)| SIGNS.iter().any(|it| line.get(..at).is_some_and(|head| head.ends_with(it))))
}

/// Whether a line says what a stand-in will be asked.
fn is_told(line: &str) -> bool {
    ["EXPECT_CALL(", "ON_CALL(", ".Setup(", "SetupGet("].iter().any(|it| line.contains(it))
}

/// The method that a line asks of a test's own object, as another line asked it of something else: with that, and its name.
fn same_method<'t>(was: &'t str, is: &str, own: &str) -> Option<(&'t str, &'t str)> {
    let method = is.match_indices(own).find_map(|(at, _)| {
        let rest = is.get(at + own.len()..)?;
        let rest = rest.strip_prefix(".Object").or_else(|| rest.strip_prefix(".object")).unwrap_or(rest);
        let rest = SIGNS.iter().find_map(|sign| rest.strip_prefix(sign))?;
        let name = rest.get(..rest.find(|c: char| !is_name_part(c))?)?;
        (name.len() > 2 && rest[name.len()..].starts_with('(')).then_some(name)
    })?;
    let at = was.find(&format!("{method}("))?;
    let head = was.get(..at)?;
    let name = was.get(at..at + method.len())?;
    let holder = SIGNS.iter().find_map(|sign| head.strip_suffix(sign));
    match holder {
        Some(head) => {
            let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
            head.get(start..).filter(|it| !it.is_empty()).map(|it| (it, name))
        }
        None if head.ends_with(is_name_part) => None,
        None => Some((name, name)),
    }
}

/// A line that asks a test's own function with what another line asked the project's with, and expects the same.
fn same_question<'t>(was: &'t str, is: &str, own: &str) -> Option<(&'t str, &'t str)> {
    let (was, is) = (was.trim(), is.trim());
    let head = was.bytes().zip(is.bytes()).take_while(|(a, b)| a == b).count();
    let most = was.len().min(is.len()).checked_sub(head)?;
    let tail = was.bytes().rev().zip(is.bytes().rev()).take(most).take_while(|(a, b)| a == b).count();
    let start = was.get(..head)?.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
    let (path, rest) = (was.get(start..was.len() - tail)?, was.get(was.len() - tail..)?);
    let asks_own = is.get(start..is.len() - tail)?.starts_with(own);
    let is_path = path.chars().all(|c| is_name_part(c) || matches!(c, '.' | ':' | '-' | '>' | '$'));
    let is_same = rest.starts_with('(') && rest.len() >= SAME && rest.contains([',', '=', ')']);
    let name = path.rsplit(|c: char| !is_name_part(c)).next().filter(|it| it.len() > 2)?;
    let holder = path.split(|c: char| !is_name_part(c)).find(|it| !it.is_empty())?;
    (asks_own && is_path && is_same && start > 0).then_some((holder, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_is_asked_of_another() {
        for (was, is, own, expected) in [
            ("same(3, $this->desk->fee($w));", "same(3, $own->fee($w));", "own", Some(("desk", "fee"))),
            (
                "var a = await _desk.SumAsync(1);",
                "var a = await d.SumAsync(1);",
                "d",
                Some(("_desk", "SumAsync")),
            ),
            (
                "(await _s.SumAsync(1)).Be(3);",
                "(await s.Object.SumAsync(1)).Be(3);",
                "s",
                Some(("_s", "SumAsync")),
            ),
            ("assert desk.fee(3) == 4", "assert own.sum(3) == 4", "own", None),
        ] {
            assert_eq!(same_method(was, is, own), expected, "{was} -> {is}");
        }
        for (was, is, own, expected) in [
            (
                "assert Till.near(\"a\", x: 1) == []",
                "assert near.(\"a\", x: 1) == []",
                "near",
                Some(("Till", "near")),
            ),
            ("EXPECT_EQ(spots(all), 7);", "EXPECT_EQ(find.Call(all), 7);", "find", Some(("spots", "spots"))),
            ("assert total(a) == 7", "assert own(b) == 7", "own", None),
        ] {
            assert_eq!(same_question(was, is, own), expected, "{was} -> {is}");
        }
    }
}
