//! Conditions of refusals with fewer bounds than before, and operands that may be exceptions which somebody asked for.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::line_conditions::{LineCondition, OR, comparison, operands};
use crate::languages::code::{bare, identifiers};

/// Whether a new operand may be an exception that somebody asked for: it is denied (`!admin`), or names something that the
/// file did not have, as a parameter or a field that is new.
pub(super) fn is_exception(revision: &Revision, operand: &str) -> bool {
    let is_new = |name: &str| {
        let is_called = operand.contains(&format!("{name}("));
        let is_constant = !name.contains(|c: char| c.is_lowercase());
        name.len() > 1 && !is_called && !is_constant && !identifiers(revision.old).any(|it| it == name)
    };
    let is_denied = operand.starts_with('!') || operand.starts_with("not");
    is_denied || identifiers(operand).any(is_new)
}

/// `a < 1 || a > most || b` that became `a < 0`: the bound that is gone, where all that is asked now was asked about before.
pub(super) fn bound_lost(
    revision: &Revision,
    before: &LineCondition,
    after: &LineCondition,
) -> Option<String> {
    let signs = if before.must_hold { &["&&", "\u{1}and\u{1}", ","] } else { OR };
    let (old, new) = (operands(&before.text, signs), operands(&after.text, signs));
    let names = |text: &str| -> Vec<String> {
        identifiers(text).filter(|it| !matches!(*it, "0" | "1")).map(str::to_owned).collect()
    };
    let (known, now) = (names(&before.text), names(&after.text));
    let is_compared = |it: &String| comparison(it).is_some();
    let is_less =
        new.len() < old.len() && new.iter().all(is_compared) && now.iter().all(|it| known.contains(it));
    let is_gone = |it: &&String| {
        let own = names(it);
        is_compared(it) && !new.contains(it) && own.iter().any(|name| !now.contains(name))
    };
    let lost = old.iter().filter(|_| is_less).find(is_gone)?;
    (!bare(revision.new).contains(lost.as_str())).then(|| lost.clone())
}
