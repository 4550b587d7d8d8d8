//! Switches that go while what they switched on stays for everybody: the session has taken the switch's name out of the
//! configuration, or out of the tests, as well.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::places_of;
use crate::languages::code::identifiers;
use crate::model::finding::Change;
use crate::model::words::has_word;

/// A name shorter than this stands for many things.
const TELLING: usize = 5;
/// What begins a choice, or stands in one.
const CHOOSING: &[&str] = &["if", "unless", "when", "elif", "elsif", "guard"];
const SIGNS: &[&str] = &["?", "&&", "||"];

/// Whether a change only takes a switch away, with one of its sides kept as it was.
pub(super) fn is_rolled_out(case: &Case, change: &Change) -> bool {
    let Some((new, places)) = change.after.as_deref().zip(places_of(change)) else { return false };
    let gone: Vec<&CodeLine> = places.iter().flat_map(|it| &it.gone).collect();
    let come: Vec<&CodeLine> = places.iter().flat_map(|it| &it.come).collect();
    let words = |all: &[&CodeLine]| -> BTreeSet<String> {
        all.iter().flat_map(|it| identifiers(it.text)).map(str::to_owned).collect()
    };
    let chooses = |line: &CodeLine| {
        identifiers(line.text).any(|it| CHOOSING.contains(&it))
            || SIGNS.iter().any(|it| line.text.contains(it))
    };
    let choices = gone.iter().filter(|it| chooses(it));
    // What is kept stood there before, and nothing else comes: a side that stays as it is only moves to the left.
    let is_kept = choices.clone().any(|it| !gone.iter().any(|other| other.number == it.number + 1));
    if come.is_empty() && !is_kept || !words(&come).is_subset(&words(&gone)) {
        return false;
    }
    let mut names =
        choices.flat_map(|it| identifiers(it.text)).filter(|it| it.len() >= TELLING && !has_word(new, it));
    names.any(|name| is_taken_out(case, change, name))
}

/// Whether another file of the session, which stays, has a name no more.
fn is_taken_out(case: &Case, change: &Change, name: &str) -> bool {
    let mut others = case.all_changes().filter(|it| it.path != change.path);
    others.any(|it| match (it.before.as_deref(), it.after.as_deref()) {
        (Some(before), Some(after)) => has_word(before, name) && !has_word(after, name),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::detectors::Evidence;

    fn change(path: &str, before: &str, after: &str) -> Change {
        let text = |it: &str| Some(it.to_owned());
        Change { path: path.to_owned(), before: text(before), after: text(after) }
    }

    #[test]
    fn a_switch_goes_with_its_configuration() {
        let before = "def total(cart):\n    if flags.on(\"round_up\"):\n        return up(cart.sum)\n    return cart.sum\n";
        let kept = change("till.py", before, "def total(cart):\n    return up(cart.sum)\n");
        let new = change("till.py", before, "def total(cart):\n    return 0.9 * cart.sum\n");
        let config = change("flags.toml", "round_up = 100\nfees = 2\n", "fees = 2\n");
        let other = change("flags.toml", "round_up = 100\nfees = 2\n", "round_up = 100\n");
        for (product, beside, expected) in
            [(&kept, &config, true), (&kept, &other, false), (&new, &other, false)]
        {
            let (changes, elsewhere) = ([product.clone()], [beside.clone()]);
            let case = Case::new(Evidence { changes: &changes, elsewhere: &elsewhere });
            assert_eq!(is_rolled_out(&case, product), expected);
        }
    }
}
