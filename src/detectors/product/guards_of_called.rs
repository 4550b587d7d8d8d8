//! Guards that a called function of the file has as well: it refuses the same of the same value, and its error comes up.

use crate::detectors::engine::revision::Revision;
use crate::languages::Language;
use crate::languages::code::{Call, Code, Exit, Guard, bare, identifiers, refuses};

/// How far below its head a guard refuses, in lines.
const WITHIN: usize = 3;

/// Whether a function that is called where a guard stood has the same guard: it was not called there before, or it refuses
/// in the same words what it is given below the place.
pub(super) fn is_guard_of_called(revision: &Revision, guard: &Guard) -> bool {
    let Some(new) = guard.owner.and_then(|it| revision.successor(it)) else { return false };
    let condition = bare(guard.condition);
    revision.after.guards.iter().any(|other| {
        let function = other.owner.filter(|at| *at != new).and_then(|at| revision.after.functions.get(at));
        let is_same = other.exit == Exit::Error && bare(other.condition) == condition;
        function.filter(|_| is_same).is_some_and(|it| {
            let now = calls(&revision.after, Some(new), it.name).count();
            now > calls(&revision.before, guard.owner, it.name).count()
                || is_refused_below(revision, guard, other, it.name)
        })
    })
}

fn calls<'c, 'a>(
    code: &'c Code<'a>,
    owner: Option<usize>,
    name: &'c str,
) -> impl Iterator<Item = &'c Call<'a>> {
    let last = |callee: &'c str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default();
    code.calls.iter().filter(move |it| it.owner == owner && last(it.callee) == name)
}

/// Whether a function that was called below a guard refuses by its own guard in the same words, and its error comes up.
fn is_refused_below(revision: &Revision, guard: &Guard, other: &Guard, name: &str) -> bool {
    let Some(new) = guard.owner.and_then(|it| revision.successor(it)) else { return false };
    let was_below = calls(&revision.before, guard.owner, name).any(|it| it.line > guard.line);
    let given: Vec<&str> =
        identifiers(guard.condition).filter(|it| it.starts_with(char::is_lowercase)).collect();
    let is_given = |call: &&Call| given.iter().all(|name| identifiers(call.arguments).any(|it| it == *name));
    let call = calls(&revision.after, Some(new), name).find(is_given);
    was_below
        && says(revision, revision.old, guard)
            .is_some_and(|it| says(revision, revision.new, other) == Some(it))
        && call.is_some_and(|call| comes_up(revision, call, new))
}

/// The names of errors by which a guard refuses: `ErrQuantity`, `QuantityError`.
fn says<'t>(revision: &Revision, text: &'t str, guard: &Guard) -> Option<Vec<&'t str>> {
    let from = usize::try_from(guard.line).unwrap_or_default().saturating_sub(1);
    let line = text.lines().skip(from).take(WITHIN).find(|line| refuses(revision.words, line))?;
    let is_error = |word: &&str| {
        word.starts_with(char::is_uppercase)
            && ["Err", "Exception", "Invalid", "Failure"].iter().any(|it| word.contains(it))
    };
    let names: Vec<&str> = identifiers(line).filter(is_error).collect();
    (!names.is_empty()).then_some(names)
}

/// Whether the error of a call comes up from the function that makes it.
fn comes_up(revision: &Revision, call: &Call, owner: usize) -> bool {
    let from = usize::try_from(call.line).unwrap_or_default().saturating_sub(1);
    let near: Vec<&str> = revision.new.lines().skip(from).take(WITHIN).map(str::trim).collect();
    let line = near.first().copied().unwrap_or_default();
    match Language::of_path(&revision.change.path) {
        Some(Language::Go) => {
            line.starts_with("return ")
                || line.contains("err")
                    && near.iter().any(|it| it.starts_with("return ") && it.contains("err"))
        }
        Some(Language::Rust) => line.contains('?') || !line.ends_with(';'),
        Some(Language::Elixir | Language::Cpp) => false,
        _ => !revision
            .after
            .handlers
            .iter()
            .any(|it| it.owner == Some(owner) && it.watched.contains(call.callee)),
    }
}
