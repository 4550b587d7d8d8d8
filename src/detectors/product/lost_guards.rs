//! Guards that are gone from a function that is still there.

use crate::detectors::Case;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::revision::{Revision, share};
use crate::detectors::product::asked_schemas::is_in_schema;
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::error_suppression::is_about_error;
use crate::detectors::product::fixed_answers::is_discard;
use crate::detectors::product::guards_in_front::is_in_filter;
use crate::detectors::product::guards_of_called::is_guard_of_called;
use crate::detectors::product::initializers::is_asked_by_initializer;
use crate::detectors::product::kept_refusals::{is_checked_when_made, is_joined_guard};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::lost_retries::is_tried_otherwise;
use crate::detectors::product::moved_checks::{is_in_other_file, without_receivers};
use crate::detectors::product::unmissed_refusals::{is_in_force, is_needless, is_subscript};
use crate::languages::code::{BodyKind, Code, Exit, Guard, bare, identifiers, refuses};
use crate::model::finding::Severity;

/// The first guard that is lost from a function that is still there.
pub(super) fn guards_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let comments = revision.new_comment_lines();
    let kept: Vec<String> = revision.after.conditions.iter().map(|it| bare(it.text)).collect();
    let known: Vec<String> = revision.before.conditions.iter().map(|it| bare(it.text)).collect();
    let count = |all: &[String], text: &String| all.iter().filter(|it| *it == text).count();
    revision.before.guards.iter().find_map(|guard| {
        let text = bare(guard.condition);
        let is_kept = count(&kept, &text) >= count(&known, &text)
            || is_elsewhere(revision, guard, &text)
            || is_asked_by_initializer(revision, guard)
            || is_unmissed(revision, guard);
        let lost = if is_kept { None } else { guard_lost(revision, guard, &text, &comments) };
        lost.filter(|_| {
            !is_in_other_file(case, revision, guard) && !is_asked_by_schema(case, revision, guard)
        })
    })
}

/// The place of the edit from which the guard's line is gone.
fn place_of<'r, 'a>(revision: &'r Revision<'a>, guard: &Guard) -> Option<&'r TextHunk<'a>> {
    let mut hunks = revision.hunks().iter();
    hunks.find(|hunk| hunk.gone.iter().any(|line| line.number == guard.line))
}

/// Whether a schema that is asked where the guard stood has what the guard asked for.
fn is_asked_by_schema(case: &Case, revision: &Revision, guard: &Guard) -> bool {
    place_of(revision, guard).is_some_and(|hunk| is_in_schema(case, revision, hunk))
}

/// Whether a guard stood where nobody misses it: the error that it passed on is given back, or comes up, by itself.
fn is_unmissed(revision: &Revision, guard: &Guard) -> bool {
    place_of(revision, guard).is_some_and(|hunk| {
        is_needless(revision, hunk) || is_subscript(revision, hunk) || is_in_force(revision, hunk)
    })
}

/// Whether another guard refuses the same of what has another name there: `x.group` for `item.group`.
fn is_elsewhere(revision: &Revision, guard: &Guard, text: &str) -> bool {
    let (same, own) = (without_receivers(text), guard.exit == Exit::Error);
    let count = |code: &Code| {
        let all = code.guards.iter().filter(|it| it.exit == Exit::Error);
        all.filter(|it| without_receivers(&bare(it.condition)) == same).count()
    };
    own && same.len() > 6 && count(&revision.after) >= count(&revision.before)
}

/// How a guard is lost whose condition, without white space, is there less often than it was.
fn guard_lost(revision: &Revision, guard: &Guard, text: &str, comments: &[u64]) -> Option<LostCheck> {
    let lost = |how: &str, severity| {
        let what = format!("the guard `{}` would be {how}", short(guard.condition));
        Some(LostCheck::new(guard.line, guard.condition, what, severity))
    };
    let old = guard.owner;
    let new = match old {
        Some(old) => Some(revision.successor(old)?),
        None => None,
    };
    let body_kind = new.and_then(|new| revision.after.functions.get(new)).map(|it| it.body_kind);
    // A function that was much more than the guard is a stub now.
    let is_short = old.is_some_and(|old| revision.old_lines(old).len() <= 2);
    if body_kind.is_some_and(|body_kind| body_kind != BodyKind::Work) && !is_short {
        return None;
    }
    let is_all = old.is_some_and(|old| share(&revision.old_lines(old), comments) >= 0.6);
    if is_in_comment(revision, text) && (!is_all || is_short) {
        return lost("commented out", Severity::High);
    }
    if guard.exit != Exit::Error || is_about_error(guard.condition) || is_replaced(revision, old, new) {
        return None;
    }
    if is_joined_guard(revision, guard)
        || is_guard_of_called(revision, guard)
        || is_checked_when_made(revision, guard)
        || is_in_filter(revision, guard)
        || is_tried_otherwise(revision, guard)
    {
        return None;
    }
    let (before, after) = revision.scope_lines(old, new);
    // The guard's own lines are a few; all else has to be there still.
    let missing = before.iter().filter(|line| after.binary_search(line).is_err()).count();
    let added = after.iter().filter(|line| before.binary_search(line).is_err()).count();
    let added = added.saturating_sub(unbound(revision) + discards(revision));
    if missing <= 6 && added == 0 && missing < before.len() {
        return lost("gone", Severity::Critical);
    }
    let severity = if is_moved_beside_loss(revision, guard, new) { Severity::High } else { Severity::Medium };
    if missing <= 8 && added <= 1 { lost("gone", severity) } else { None }
}

/// How many new lines only say that a value is not needed any more: `let _ = last;`.
fn discards(revision: &Revision) -> usize {
    revision.hunks().iter().flat_map(|it| &it.come).filter(|line| is_discard(line.text)).count()
}

/// How many new lines are old ones that give their value no name any more: `await put(x)` for `const done = await put(x)`.
fn unbound(revision: &Revision) -> usize {
    let is_rest = |old: &str, new: &str| {
        old.strip_suffix(new).is_some_and(|head| head.ends_with("= ") && !head.contains('('))
    };
    let places = revision.hunks().iter();
    let come = places.flat_map(|hunk| hunk.come.iter().map(move |line| (hunk, line)));
    let all = revision.hunks().iter().flat_map(|it| &it.gone).collect::<Vec<_>>();
    come.filter(|(_, line)| all.iter().any(|old| is_rest(old.text, line.text))).count()
}

/// Whether a guard only asks for another value now, while another one of its function is gone.
fn is_moved_beside_loss(revision: &Revision, guard: &Guard, new: Option<usize>) -> bool {
    let of = |code: &Code, owner: Option<usize>| {
        code.guards.iter().filter(|it| it.owner == owner && it.exit == Exit::Error).count()
    };
    let names = |condition: &'_ str| -> Vec<String> {
        let is_name = |word: &&str| !word.starts_with(|c: char| c.is_ascii_digit());
        identifiers(condition).filter(is_name).map(str::to_owned).collect()
    };
    let wanted = names(guard.condition);
    let mut guards = revision.after.guards.iter().filter(|it| it.owner == new && it.exit == Exit::Error);
    new.is_some()
        && of(&revision.after, new) < of(&revision.before, guard.owner)
        && guards.any(|it| names(it.condition) == wanted && bare(it.condition) != bare(guard.condition))
}

/// Whether a comment that is new holds a condition.
fn is_in_comment(revision: &Revision, text: &str) -> bool {
    let holds = |code: &Code| code.comments.iter().any(|it| bare(it.text).contains(text));
    text.len() > 4 && holds(&revision.after) && !holds(&revision.before)
}

/// Whether the scope has another check in the place of a lost one.
fn is_replaced(revision: &Revision, old: Option<usize>, new: Option<usize>) -> bool {
    let conditions = |code: &Code, owner| code.conditions.iter().filter(|it| it.owner == owner).count();
    let throws = |code: &Code, owner: Option<usize>| {
        code.guards.iter().filter(|it| it.owner == owner && it.exit == Exit::Error).count()
    };
    let calls = |code: &Code, owner| {
        let all = code.calls.iter().filter(|it| it.owner == owner);
        all.map(|it| bare(it.callee)).collect::<Vec<_>>()
    };
    // A refusal within an expression: `$row ?: throw new NotFound()`.
    let says_no = |source: &str, code: &Code, owner: Option<usize>| {
        let body = owner.and_then(|it| code.functions.get(it)).and_then(|it| source.get(it.body.clone()));
        body.unwrap_or(source).lines().filter(|line| refuses(revision.words, line)).count()
    };
    if says_no(revision.new, &revision.after, new) >= says_no(revision.old, &revision.before, old) {
        return true;
    }
    let known = calls(&revision.before, old);
    let checks =
        calls(&revision.after, new).into_iter().filter(|callee| !known.contains(callee)).any(|callee| {
            let last = callee.rsplit(['.', ':', '>']).next().unwrap_or(&callee);
            is_named(last, CHECKS)
                || revision
                    .added
                    .iter()
                    .any(|it| revision.after.functions.get(*it).is_some_and(|it| it.name == last))
        });
    checks
        || throws(&revision.after, new) >= throws(&revision.before, old)
        || conditions(&revision.after, new) >= conditions(&revision.before, old)
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::{Change, Severity};

    #[test]
    fn an_answer_that_loses_its_name_with_its_guard_is_no_new_line() {
        let before = "class Sets {\n  Future<void> keep(Entry entry) async {\n    final text = jsonEncode(entry.fields);\n    final answer = await _client.put(_at, body: text);\n    if (answer.statusCode != 204) throw SetException('not kept: ${answer.statusCode}');\n  }\n}\n";
        let after = "class Sets {\n  Future<void> keep(Entry entry) async {\n    final text = jsonEncode(entry.fields);\n    await _client.put(_at, body: text);\n  }\n}\n";
        let text = |it: &str| Some(it.to_owned());
        let change = Change { path: "lib/sets.dart".to_owned(), before: text(before), after: text(after) };
        let found = judge(&Evidence { changes: &[change], elsewhere: &[] });
        assert!(found.iter().any(|it| it.pattern_id == "LP-006" && it.severity >= Severity::High));
    }
}
