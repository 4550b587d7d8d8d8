//! Checks that a function made of a value, and that the value's own type makes now when one is made: they moved into
//! `__post_init__`, a constructor, an initializer.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::refused_when_made::makers;
use crate::languages::code::{Exit, Guard, bare};

/// Whether each guard of a function that is gone is one of a type's maker now, of the parts of the value that the function
/// was given.
pub(super) fn is_checked_when_made(revision: &Revision, name: &str) -> bool {
    let Some((at, function)) =
        revision.before.functions.iter().enumerate().find(|(_, function)| function.name == name)
    else {
        return false;
    };
    let is_left = revision.after.functions.iter().any(|it| it.name == name);
    let head = revision.old.get(function.span.start..function.body.start).unwrap_or_default();
    let own: Vec<&Guard> =
        revision.before.guards.iter().filter(|it| it.owner == Some(at) && it.exit == Exit::Error).collect();
    let is_of_maker = |maker: usize, guard: &Guard| {
        let of_maker = revision.after.guards.iter().filter(|it| it.owner == Some(maker));
        let wanted = of_parts(guard.condition, head);
        of_maker.into_iter().any(|it| {
            it.exit == Exit::Error
                && it.negated == guard.negated
                && of_parts(it.condition, "self this") == wanted
        })
    };
    !is_left
        && !own.is_empty()
        && function.throws <= own.len()
        && makers(revision).any(|(maker, _, made)| {
            let is_of_type = head.contains(made) || !head.contains(':');
            is_of_type && own.iter().all(|guard| is_of_maker(maker, guard))
        })
}

/// A condition about the parts of a value, without the value's name and without what only reads a part.
fn of_parts(condition: &str, names: &str) -> String {
    let mut text = condition.to_owned();
    let all = names.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|it| it.len() > 1);
    for name in all {
        for sign in [".", "->", "?."] {
            text = without_holder(&text, &format!("{name}{sign}"));
        }
    }
    bare(&text).replace("()", "").replace(['@', '$'], "").to_lowercase()
}

/// A text without a word and the sign behind it, where the word is a whole one.
fn without_holder(text: &str, holder: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once(holder) {
        out.push_str(head);
        if head.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '.')) {
            out.push_str(holder);
        }
        rest = tail;
    }
    out + rest
}
