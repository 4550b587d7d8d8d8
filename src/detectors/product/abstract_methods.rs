//! Methods that only say what has to be done now, while a type of the session's other files does it as they did.

use crate::detectors::Case;
use crate::detectors::engine::revision::{Revision, share, sorted_lines};
use crate::detectors::product::functions::other_code;
use crate::languages::code::BodyKind;

/// Marks of a method that others have to write.
const MARKS: &[&str] = &["abstractmethod", "abstract ", "virtual ", "= 0;"];
/// What the body of one says, in lower case.
const SAYING: &[&str] = &[
    "notimplemented",
    "not implemented",
    "must override",
    "must be overrid",
    "subclass",
    "abstract",
    "#error",
];
/// So much of the old body stands in the other file.
const MOVED: f32 = 0.5;

/// Whether the body of a function by this name is left to other types, of which one of the session has it now.
pub(super) fn is_left_to_others(case: &Case, revision: &Revision, name: &str) -> bool {
    let mut pairs = revision.pairs.iter().filter_map(|(old, new)| {
        Some((*old, revision.before.functions.get(*old)?, revision.after.functions.get(*new)?))
    });
    let Some((old, before, after)) = pairs.find(|(_, before, _)| before.name == name) else { return false };
    let body = revision.new.get(after.body.clone()).unwrap_or_default().to_lowercase();
    let above = revision.new.get(..after.span.start).unwrap_or_default();
    let mut near = above
        .lines()
        .rev()
        .take(2)
        .chain(revision.new.get(after.span.clone()).unwrap_or_default().lines().take(1));
    let is_marked = near.any(|line| MARKS.iter().any(|mark| line.contains(mark)));
    let says_so = after.body_kind == BodyKind::Unimplemented || SAYING.iter().any(|word| body.contains(word));
    if !is_marked && !says_so || before.name.is_empty() {
        return false;
    }
    let lines = revision.old_lines(old);
    other_code(case, revision).any(|other| {
        let text = other.after.as_deref().unwrap_or_default();
        let had = other.before.as_deref().unwrap_or_default();
        let is_defined = |text: &str| {
            text.lines()
                .any(|line| line.contains(&format!("{name}(")) || line.trim() == format!("def {name}"))
        };
        is_defined(text) && !is_defined(had) && share(&lines, &sorted_lines(text)) >= MOVED
    })
}
