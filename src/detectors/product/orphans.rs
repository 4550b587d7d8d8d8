//! What an edit calls no more, and that other files of the project only declare: nobody asks for it now.

use std::collections::BTreeSet;

use crate::detectors::engine::hunks::hunks;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::functions::called_in;
use crate::languages::Language;
use crate::languages::code::{identifiers, is_log, plain, refuses};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// A name shorter than this stands for many things.
const TELLING: usize = 6;
/// So many are enough to know a loss by.
const MOST: usize = 6;
/// Words in front of a name that is asked for.
const ASKING: &[&str] =
    &["new", "return", "await", "throw", "raise", "yield", "in", "and", "or", "not", "if", "go", "defer"];

/// The names that the lines called which are gone, where the file has them nowhere any more and calls nothing new for them.
pub fn lost_calls(change: &Change) -> Vec<String> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let table = language.refusing();
    let places = hunks(table.comment, old, new).unwrap_or_default();
    let come = places.iter().flat_map(|hunk| &hunk.come).map(|line| plain(table, line.text));
    let is_known = |name: &str| is_neutral(name) || identifiers(old).any(|word| word == name);
    if come.filter(|line| !is_log(line)).any(|line| !called_in(&line).iter().all(|name| is_known(name))) {
        return Vec::new();
    }
    let gone = places
        .iter()
        .flat_map(|hunk| &hunk.gone)
        .filter(|line| !refuses(table, line.text) && !is_log(line.text));
    let code: Vec<String> = gone.map(|line| plain(table, line.text)).collect();
    let called: BTreeSet<&str> = code.iter().flat_map(|line| called_in(line)).collect();
    let is_lost = |name: &&str| {
        name.len() >= TELLING && !is_neutral(name) && !identifiers(new).any(|word| word == *name)
    };
    called.into_iter().filter(is_lost).take(MOST).map(str::to_owned).collect()
}

/// Whether a text only declares a name; `None` where it has it not.
pub fn only_declares(text: &str, name: &str) -> Option<bool> {
    let with = text.lines().map(str::trim).filter(|line| {
        let is_beside =
            ["import ", "use ", "from ", "using ", "//", "#", "*"].iter().any(|head| line.starts_with(head));
        line.contains(name) && !is_beside && identifiers(line).any(|word| word == name)
    });
    let mut with = with.peekable();
    with.peek()?;
    Some(!with.any(|line| asks_for(line, name)))
}

fn asks_for(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let head = line.get(..at).unwrap_or_default();
        let rest = line.get(at + name.len()..).unwrap_or_default();
        if head.ends_with(is_name_part) || rest.starts_with(is_name_part) {
            return false;
        }
        let is_after_sign =
            head.trim_end().ends_with(['.', '>', ':', '(', ',', '=', '!', '&', '|', '?', '[', '{']);
        let word = head.split_whitespace().next_back().unwrap_or_default();
        // A type behind the parentheses makes it a declaration.
        let is_statement =
            head.is_empty() && rest.starts_with('(') && line.trim_end_matches(';').ends_with(')');
        is_after_sign || ASKING.contains(&word) || is_statement
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_declared_or_asked_for() {
        for (line, expected) in [
            ("    def tell_guest(self, guest):", Some(true)),
            ("public record SlotHeld(Guid Id);", Some(true)),
            ("func (d *Desk) tell_guest(g Guest) error {", Some(true)),
            ("  tell_guest(name: string): Promise<void>;", Some(true)),
            ("desk.tell_guest(guest)", Some(false)),
            ("tell_guest(guest)", Some(false)),
            ("return tell_guest(guest)", Some(false)),
            ("from desk import tell_guest", None),
        ] {
            let name = if line.contains("SlotHeld") { "SlotHeld" } else { "tell_guest" };
            assert_eq!(only_declares(line, name), expected, "{line}");
        }
    }

    #[test]
    fn a_call_is_lost_where_nothing_new_is_called() {
        let change = |after: &str| Change {
            path: "src/desk.py".to_owned(),
            before: Some(
                "def book(slot, desk):\n    slot.take()\n    desk.tell_guest(slot)\n    return slot\n"
                    .to_owned(),
            ),
            after: Some(format!("def book(slot, desk):\n    slot.take()\n{after}    return slot\n")),
        };
        assert_eq!(lost_calls(&change("")), ["tell_guest"]);
        assert_eq!(lost_calls(&change("    log.info(slot)\n")), ["tell_guest"]);
        assert!(lost_calls(&change("    desk.write_guest(slot)\n")).is_empty());
    }
}
