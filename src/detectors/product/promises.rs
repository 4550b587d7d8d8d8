//! What the titles of tests still promise of work that an edit takes away: `notifies the guest` of `desk.notify_guest(…)`.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::{CodeLine, TextHunk, hunks};
use crate::detectors::product::lost_steps::other_word;
use crate::detectors::product::templates::template_words;
use crate::detectors::testing::word_edit::{is_name, words};
use crate::languages::Language;
use crate::languages::code::{identifiers, is_log, plain};
use crate::model::finding::Change;

/// How lines begin, or what they have, that give a test its name.
const TITLES: &[&str] = &[
    "it(",
    "test(",
    "describe(",
    "def test",
    "fun ",
    "func Test",
    "func test",
    "TEST(",
    "TEST_F(",
    "TEST_CASE(",
    "void ",
    "DisplayName",
    "test \"",
    "it \"",
    "it '",
    "fn ",
    "function test",
    "@test \"",
    "Task ",
    "specify",
    "in {",
    "should(",
    "context \"",
    "describe \"",
];
/// Words that stand in titles and names whatever they are about, and words of any code.
const COMMON: &[&str] = &[
    "test", "tests", "value", "values", "item", "items", "name", "names", "data", "file", "files", "line",
    "lines", "list", "time", "date", "user", "users", "find", "load", "make", "with", "from", "when", "each",
    "then", "that", "this", "have", "does", "return", "returns", "call", "calls", "order", "orders",
    "record", "entry", "entries", "string", "number", "result", "results", "update", "create", "build",
    "open", "read", "text", "size", "count", "length", "self", "none", "null", "true", "false", "async",
    "await", "function", "void", "class", "public", "private", "error", "errors", "parse", "format", "send",
    "write", "case", "cases", "after", "before", "into", "over", "empty", "only", "without", "same",
];
/// Words in front of a function that is defined.
const DEFINING: &[&str] = &["def ", "fn ", "func ", "fun ", "function ", "public "];
/// Words of names that are about trying again.
pub(super) const AGAIN: &[&str] =
    &["retry", "retries", "retrying", "retried", "attempt", "attempts", "tries", "backoff", "reattempt"];
/// A word shorter than this stands for many things.
const TELLING: usize = 4;

/// The words of the names that the lines have which are gone, and no line that has come.
pub fn lost_words(change: &Change) -> BTreeSet<String> {
    let shown = template_words(change);
    if !shown.is_empty() {
        return shown.into_iter().flat_map(parts).filter(|it| is_telling(it)).collect();
    }
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return BTreeSet::new();
    };
    let table = language.refusing();
    let places = hunks(table.comment, old, new).unwrap_or_default();
    let called = |text: &str| -> BTreeSet<String> {
        let code = plain(table, text);
        let all = words(&code);
        let calls = all.windows(2).filter_map(|two| match two {
            [(_, name), (_, "(" | "{" | "!")] if is_name(name) => Some((*name).to_owned()),
            // An element of a page.
            [(_, "<"), (_, name)] if name.starts_with(char::is_uppercase) => Some((*name).to_owned()),
            _ => None,
        });
        calls.collect()
    };
    let side = |lines: &mut dyn Iterator<Item = &str>| -> BTreeSet<String> {
        lines.filter(|line| !is_log(line)).flat_map(&called).collect()
    };
    let is_again = |line: &CodeLine| parts(line.text).iter().any(|it| AGAIN.contains(&it.as_str()));
    let is_tried_once = places.iter().any(|hunk| hunk.gone.iter().any(is_again))
        && !places.iter().any(|hunk| hunk.come.iter().any(is_again));
    let gone = side(&mut places.iter().flat_map(|hunk| &hunk.gone).map(|line| line.text));
    let come = side(&mut places.iter().flat_map(|hunk| &hunk.come).map(|line| line.text));
    let lost = gone.difference(&come);
    lost.flat_map(|name| {
        parts(name)
            .into_iter()
            .filter(|it| is_telling(it.as_str()))
            .chain(other_word(name).map(str::to_owned))
    })
    .chain(options_lost(&places, new))
    .chain(is_tried_once.then(|| "retry".to_owned()))
    .collect()
}

/// The words of options that go from the heads of functions.
fn options_lost(places: &[TextHunk], new: &str) -> BTreeSet<String> {
    let is_option = |name: &&str| name.len() > TELLING && !identifiers(new).any(|word| word == *name);
    let is_head =
        |line: &&CodeLine| line.text.contains('=') && DEFINING.iter().any(|it| line.text.contains(it));
    let heads = places.iter().flat_map(|hunk| &hunk.gone).filter(is_head);
    let names = heads.flat_map(|line| identifiers(line.text)).filter(is_option);
    names.flat_map(parts).filter(|it| is_telling(it)).collect()
}

pub(super) fn is_telling(word: &str) -> bool {
    word.len() >= TELLING && !COMMON.contains(&word)
}

/// The first title of a test that says one of the words.
pub fn promised(test: &str, lost: &BTreeSet<String>) -> Option<String> {
    test.lines().map(str::trim).find_map(|line| {
        let is_title = TITLES.iter().any(|head| line.contains(head)) && !line.ends_with(';');
        let says = |word: &String| lost.iter().any(|own| is_akin(own, word));
        (is_title && parts(line).iter().any(says)).then(|| line.chars().take(60).collect())
    })
}

/// Whether two words are forms of one: `notify` and `notifies`.
pub(super) fn is_akin(own: &str, word: &str) -> bool {
    let common = own.bytes().zip(word.bytes()).take_while(|(a, b)| a == b).count();
    common >= TELLING && common + 2 >= own.len() && common + 4 >= word.len()
}

/// The words of names and texts, in lower case: `tells_guest`, `TellsGuest`, `tells the guest`.
pub(super) fn parts(text: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut was_lower = false;
    for c in text.chars() {
        if !c.is_alphanumeric() || was_lower && c.is_uppercase() {
            all.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = all.last_mut()
        {
            last.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    all.retain(|it| !it.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_promises_what_is_gone() {
        let change = Change {
            path: "src/desk.py".to_owned(),
            before: Some(
                "def book(slot, desk):\n    desk.notify_guest(slot)\n    return sorted(slot.rows)\n"
                    .to_owned(),
            ),
            after: Some("def book(slot, desk):\n    return slot.rows\n".to_owned()),
        };
        let lost = lost_words(&change);
        assert_eq!(
            lost.iter().map(String::as_str).collect::<Vec<_>>(),
            ["guest", "notify", "order", "sorted"]
        );
        assert!(promised("def test_booking_notifies_guests(desk):\n", &lost).is_some());
        assert!(promised("it('keeps the order of rows', () => {\n", &lost).is_some());
        assert!(promised("def test_booking(desk):\n    desk.notify_guest(x)\n", &lost).is_none());
    }
}
