//! Refusals that stand more than once and are kept once: under a joined condition, in a handler of several errors, below
//! the place, or in what is called now.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::asked_schemas::is_in_schema;
use crate::detectors::product::carried_refusals::{is_given_to_another, is_put_together};
use crate::detectors::product::functions::other_code;
use crate::detectors::product::guards_in_front::is_said_in_filter;
use crate::detectors::product::guards_of_called::is_guard_of_called;
use crate::detectors::product::initializers::is_asked_by_initializer;
use crate::detectors::product::moved_checks::{
    is_in_new_handler, is_moved_out, is_said_elsewhere, numbers, without_receivers,
};
use crate::languages::code::{Exit, Guard, HandlerEffect, bare, identifiers, plain, refuses};
use crate::languages::file_name;
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// How far below its condition a refusal stands, in lines.
const WITHIN: u32 = 4;

/// Functions that make a value, by their names.
const CONSTRUCTORS: &[&str] = &["__init__", "__post_init__", "constructor", "initialize", "init"];

/// Whether something refuses still what a line refused.
pub(super) fn is_kept(case: &Case, revision: &Revision, hunk: &TextHunk, refusal: CodeLine) -> bool {
    hunk.below.is_some_and(|line| line.text == refusal.text)
        || is_text_kept(revision, refusal)
        || is_given_to_another(revision, hunk, refusal)
        || is_joined(revision, refusal)
        || is_handled(revision, refusal)
        || is_in_schema(case, revision, hunk)
        || is_in_new_handler(revision, refusal)
        || is_said_in_filter(case, revision, hunk, refusal)
        || identifiers(refusal.text).any(|name| is_moved_out(case, revision, name))
        || is_said_elsewhere(case, revision, hunk, refusal)
        || is_in_called(case, revision, hunk, refusal)
}

/// Whether the text that a refusal gave stands in the file as often as before, as in a table that is new.
fn is_text_kept(revision: &Revision, refusal: CodeLine) -> bool {
    let (_, given) = refusal.text.split_once("return ").unwrap_or_default();
    let text = given.trim_end_matches(';').trim();
    let is_text = text.len() > 4 && text.starts_with(['"', '\'']) && text.ends_with(['"', '\'']);
    is_text && revision.new.matches(text).count() >= revision.old.matches(text).count()
}

/// Whether a refusal of the same function has the condition among its own: `a` of before in `a || b` of now.
fn is_joined(revision: &Revision, refusal: CodeLine) -> bool {
    let owner = revision.owner_at(refusal.at);
    let mut above = revision.before.guards.iter().filter(|it| {
        let is_near = it.line <= refusal.number && refusal.number - it.line <= WITHIN;
        it.owner == owner && it.exit == Exit::Error && is_near
    });
    above.next_back().is_some_and(|guard| {
        is_joined_guard(revision, guard)
            || is_checked_when_made(revision, guard)
            || is_asked_by_initializer(revision, guard)
            || is_guard_of_called(revision, guard)
    })
}

/// Whether the values that a guard asked about are refused in the same words when they are made: by a constructor's guard
/// of what the value calls itself there.
pub(super) fn is_checked_when_made(revision: &Revision, guard: &Guard) -> bool {
    let is_own = |condition: &str| ["self.", "this.", "$this->"].iter().any(|it| condition.contains(it));
    let wanted = without_receivers(&bare(guard.condition));
    if wanted.len() <= 6 || is_own(guard.condition) {
        return false;
    }
    let refusal = |text: &str, guard: &Guard| {
        let from = usize::try_from(guard.line).unwrap_or_default().saturating_sub(1);
        text.lines()
            .skip(from)
            .take(3)
            .find(|line| refuses(revision.words, line))
            .map(|line| without_receivers(line.trim()))
    };
    let Some(said) = refusal(revision.old, guard) else { return false };
    let is_maker = |at: usize| {
        let function = revision.after.functions.get(at);
        function.is_some_and(|it| {
            it.name.rsplit(['.', ':']).next().is_some_and(|name| CONSTRUCTORS.contains(&name))
        })
    };
    revision.after.guards.iter().any(|it| {
        it.exit == Exit::Error
            && it.owner.is_some_and(is_maker)
            && is_own(it.condition)
            && without_receivers(&bare(it.condition)) == wanted
            && refusal(revision.new, it).as_ref() == Some(&said)
    })
}

/// Whether a guard's condition is one of several of a guard that its function has now.
pub(super) fn is_joined_guard(revision: &Revision, old: &Guard) -> bool {
    let Some(new) = old.owner.and_then(|it| revision.successor(it)) else { return false };
    let parts = parts(old);
    let others = revision.after.guards.iter().filter(|it| {
        it.owner == Some(new)
            && it.exit == Exit::Error
            && it.negated == old.negated
            && bare(it.condition) != bare(old.condition)
    });
    others.map(self::parts).any(|other| parts.iter().all(|part| other.contains(part)))
}

/// What each lets a guard refuse by itself, without white space.
fn parts(guard: &Guard) -> Vec<String> {
    let joints: &[&str] = if guard.negated { &["&&", " and ", ","] } else { &["||", " or "] };
    let mut condition = guard.condition.replace(['\n', '\t'], " ");
    for joint in joints {
        condition = condition.replace(joint, "\u{0}");
    }
    // What is not in parentheses as a whole keeps those that it has.
    let inner = |text: &str| {
        let mut text = bare(text);
        while let Some(rest) = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'))
            && !rest.contains(['(', ')'])
        {
            text = rest.to_owned();
        }
        text
    };
    let whole = condition.trim();
    let whole = whole.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(whole);
    whole.split('\u{0}').map(inner).filter(|it| !it.is_empty()).collect()
}

/// Whether a handler that passes errors on takes those of this one as well: `catch (A e)` in `catch (A | B e)`.
fn is_handled(revision: &Revision, refusal: CodeLine) -> bool {
    let owner = revision.owner_at(refusal.at);
    let mut above =
        revision.before.handlers.iter().filter(|it| {
            it.owner == owner && it.line <= refusal.number && refusal.number - it.line <= WITHIN
        });
    let (Some(old), Some(new)) = (above.next_back(), owner.and_then(|it| revision.successor(it))) else {
        return false;
    };
    let kinds = |caught: &str| -> Vec<String> {
        let words = identifiers(caught).filter(|word| word.starts_with(char::is_uppercase));
        words.map(str::to_owned).collect()
    };
    let wanted = kinds(old.caught);
    !wanted.is_empty()
        && revision.after.handlers.iter().any(|it| {
            let has = kinds(it.caught);
            it.owner == Some(new)
                && it.effect == HandlerEffect::Raised
                && has.len() > wanted.len()
                && wanted.iter().all(|kind| has.contains(kind))
        })
}

/// Whether a function that the new lines call refuses in the same words, or is one of another file of the session that
/// refuses more than before.
fn is_in_called(case: &Case, revision: &Revision, hunk: &TextHunk, refusal: CodeLine) -> bool {
    let own = revision.owner_at(refusal.at);
    // What is called further down in the same function refuses as well.
    let is_own = |line: &CodeLine| own.is_some() && revision.owner_at(line.at) == own;
    let beside =
        revision.hunks().iter().filter(|it| it.gone.first().or(it.above.as_ref()).is_some_and(is_own));
    let come: Vec<&CodeLine> = hunk.come.iter().chain(beside.flat_map(|it| &it.come)).collect();
    let code: Vec<String> = come.iter().map(|line| plain(revision.words, line.text)).collect();
    let is_called = |name: &str| {
        name.len() > 2 && code.iter().any(|line| calls(line, name) && !line.contains(&format!("def {name}")))
    };
    let owner = revision.owner_at(refusal.at).and_then(|it| revision.successor(it));
    let mut functions = revision.after.functions.iter().enumerate();
    let is_here = functions.any(|(at, function)| {
        let body = revision.new.get(function.body.clone()).unwrap_or_default();
        Some(at) != owner
            && is_called(function.name)
            && (body.lines().any(|line| line.trim() == refusal.text)
                || function.throws > 0
                    && message(refusal.text)
                        .is_some_and(|said| body.contains(said) || is_put_together(said, body, &come))
                || names_error_of(body, refusal.text))
    });
    is_here
        || other_code(case, revision).any(|other| {
            let count = |text: Option<&str>| {
                text.unwrap_or_default().lines().filter(|line| refuses(revision.words, line)).count()
            };
            count(other.after.as_deref()) > count(other.before.as_deref())
                && (defined(other.after.as_deref().unwrap_or_default()).any(&is_called)
                    || is_of_made_value(other, hunk, &code, refusal))
        })
}

/// Whether a body gives the very error that a refusal gave: `SeatError::Nothing`, `Reason.EMPTY`.
fn names_error_of(body: &str, refusal: &str) -> bool {
    let squeezed = bare(refusal);
    let paths = squeezed.split(|c: char| !(is_name_part(c) || matches!(c, ':' | '.')));
    let is_path = |it: &&str| {
        let ends = it.split("::").flat_map(|it| it.split('.')).collect::<Vec<_>>();
        ends.len() > 1 && ends.iter().all(|it| it.starts_with(char::is_uppercase))
    };
    let mut own = paths.filter(is_path).peekable();
    let text = bare(body);
    own.peek().is_some() && own.all(|it| text.contains(it))
}

/// Whether the new lines make a value of the type that another file is named for, which refuses in the same words and with
/// the same numbers: `Amount.of(given)`.
fn is_of_made_value(other: &Change, hunk: &TextHunk, code: &[String], refusal: CodeLine) -> bool {
    let after = other.after.as_deref().unwrap_or_default();
    let name = file_name(&other.path).split('.').next().unwrap_or_default();
    let is_made = |maker: &str| {
        let makers = [format!("{name}.{maker}"), format!("{name}::{maker}")];
        makers.iter().any(|it| code.iter().any(|line| calls(line, it)))
    };
    let gone: String = hunk.gone.iter().map(|line| format!("{}\n", line.text)).collect();
    name.starts_with(char::is_uppercase)
        && defined(after).any(is_made)
        && message(refusal.text).is_some_and(|said| after.contains(said))
        && numbers(&gone).all(|number| numbers(after).any(|it| it == number))
}

/// What a refusal says, long enough to be told from other texts.
fn message(refusal: &str) -> Option<&str> {
    refusal.split('"').nth(1).or_else(|| refusal.split('\'').nth(1)).filter(|said| said.len() > 7)
}

/// The names that stand before a parenthesis in lines that begin a function.
fn defined(text: &str) -> impl Iterator<Item = &str> {
    let heads = [
        "def ",
        "fn ",
        "func ",
        "fun ",
        "function ",
        "public ",
        "static ",
        "private ",
        "defp ",
        "void ",
        "internal ",
    ];
    let lines = text.lines().filter(move |line| heads.iter().any(|head| line.contains(head)));
    lines.filter_map(|line| identifiers(line.split_once('(')?.0).last())
}

fn calls(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let rest = line.get(at + name.len()..).unwrap_or_default();
        let head = line.get(..at).unwrap_or_default();
        rest.trim_start_matches(['!', '?']).starts_with('(') && !head.ends_with(is_name_part)
    })
}
