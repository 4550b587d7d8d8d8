//! Lines that stand in a text more than once: what goes in one place is done still, where the other place is reached from there.

use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::languages::code::{Function, bare, identifiers};

/// Whether the text has the lines still: one of two went.
pub(super) fn is_repeated(revision: &Revision, gone: &[CodeLine]) -> bool {
    gone.iter().any(|it| it.text.len() > 12 && stands_near(revision, it))
}

/// Whether a line stands where the function has it done still: in itself, in what it calls, or in what calls it.
fn stands_near(revision: &Revision, line: &CodeLine) -> bool {
    let wanted = bare(line.text);
    if !bare(revision.new).contains(&wanted) {
        return false;
    }
    let own = revision.owner_at(line.at).and_then(|it| revision.successor(it));
    let Some(own) = own.and_then(|it| revision.after.functions.get(it)) else { return true };
    let text = |function: &Function| revision.new.get(function.span.clone()).unwrap_or_default();
    let asks = |function: &Function, name: &str| identifiers(text(function)).any(|word| word == name);
    let mut others = revision.after.functions.iter().filter(|it| bare(text(it)).contains(&wanted)).peekable();
    others.peek().is_none()
        || others.any(|it| it.span == own.span || asks(own, it.name) || asks(it, own.name))
}
