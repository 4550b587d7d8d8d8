//! Checks that a type makes of itself in its initializer.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::moved_checks::without_receivers;
use crate::languages::code::{Exit, Guard, bare, identifiers};

/// Whether the type of what a function is given refuses the same in its initializer, which stays: Kotlin's `init { … }`.
pub(super) fn is_asked_by_initializer(revision: &Revision, guard: &Guard) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = revision.new.lines().collect();
    let above = |at: usize| {
        let depth = indent(lines.get(at)?);
        (0..at)
            .rev()
            .find(|it| lines.get(*it).is_some_and(|line| !line.trim().is_empty() && indent(line) < depth))
    };
    let own = guard.owner.and_then(|it| revision.before.functions.get(it));
    let head = own.and_then(|it| revision.old.get(it.span.start..it.body.start)).unwrap_or_default();
    let is_given = |line: &str| {
        identifiers(line)
            .any(|word| word.starts_with(char::is_uppercase) && head.contains(&format!(": {word}")))
    };
    let same = without_receivers(&bare(guard.condition));
    let mut others = revision.after.guards.iter().filter(|it| {
        it.exit == Exit::Error
            && it.negated == guard.negated
            && without_receivers(&bare(it.condition)) == same
    });
    same.len() > 6
        && others.any(|it| {
            let at = usize::try_from(it.line).unwrap_or_default().saturating_sub(1);
            let init = above(at).filter(|it| lines.get(*it).is_some_and(|line| line.trim() == "init {"));
            let class = init.and_then(above).and_then(|it| lines.get(it));
            class.is_some_and(|line| {
                line.contains("class ") && is_given(line.split('(').next().unwrap_or(line))
            })
        })
}
