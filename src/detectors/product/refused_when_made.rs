//! Guards of a value that can't be otherwise: what makes the value refuses the same, and nothing changes it later.

use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::made_fields::{asked, is_fixed, is_given};
use crate::languages::code::{Exit, Function, Guard, bare, identifiers, refuses};
use crate::model::words::is_name_part;

/// Functions that make a value of their type, beside one that has its name.
const MAKERS: &[&str] = &[
    "__init__",
    "__post_init__",
    "__construct",
    "constructor",
    "initialize",
    "init",
    "new",
    "try_new",
    "of",
    "parse",
    "create",
    "build",
    "from",
    "try_from",
    "tryFrom",
    "from_str",
    "apply",
];
/// Words that declare a type.
const DECLARING: &[&str] = &["class", "struct", "record", "impl", "extension", "object", "type"];

/// Whether all that a place refused is refused when its values are made.
pub(super) fn is_refused_when_made(revision: &Revision, hunk: &TextHunk) -> bool {
    let is_of =
        |guard: &&Guard| guard.exit == Exit::Error && hunk.gone.iter().any(|line| line.number == guard.line);
    let guards: Vec<&Guard> = revision.before.guards.iter().filter(is_of).collect();
    let refusals = hunk.gone.iter().filter(|it| refuses(revision.words, it.text)).count();
    !guards.is_empty()
        && refusals <= guards.len()
        && guards.iter().all(|it| is_known(revision, it) || is_present(revision, it))
}

/// The functions after that make a value, with the type of each.
pub(super) fn makers<'r>(revision: &'r Revision) -> impl Iterator<Item = (usize, &'r Function<'r>, &'r str)> {
    revision.after.functions.iter().enumerate().filter_map(|(at, function)| {
        let own = type_at(revision.new, function.span.start);
        let name = function.name.rsplit(['.', ':']).next().unwrap_or(function.name);
        if let Some(own) = own.filter(|own| MAKERS.contains(&name) || name == *own) {
            return Some((at, function, own));
        }
        // Go's functions stand in no type.
        let made = ["New", "Parse", "Make"].iter().find_map(|head| name.strip_prefix(head));
        let is_go = revision.change.path.ends_with(".go");
        made.filter(|it| is_go && !it.is_empty()).map(|made| (at, function, made))
    })
}

/// Whether a guard asks of a value's content what its type's maker asked of what it was given.
fn is_known(revision: &Revision, guard: &Guard) -> bool {
    let Some(owner) = guard.owner.and_then(|it| revision.before.functions.get(it)) else { return false };
    let head = revision.old.get(owner.span.start..owner.body.start).unwrap_or_default();
    let condition = bare(guard.condition);
    makers(revision).any(|(at, maker, made)| {
        let mut own = revision
            .after
            .guards
            .iter()
            .filter(|it| it.owner == Some(at) && it.exit == Exit::Error && it.negated == guard.negated);
        maker.name != owner.name
            && is_closed(revision.new, made)
            && own.any(|other| {
                let other = bare(other.condition);
                of_type(head, made).any(|name| is_same(&condition, name, &other))
            })
    })
}

/// Whether a condition about a value's content is another about a plain value.
fn is_same(condition: &str, name: &str, other: &str) -> bool {
    contents(condition, name)
        .iter()
        .any(|content| identifiers(other).any(|own| condition.replace(content, own) == other))
}

/// The ways in which a condition reads a value's content: `to.0`, `to.value`, `to.value()`.
fn contents(condition: &str, name: &str) -> Vec<String> {
    let mut all = Vec::new();
    for sign in [".", "->"] {
        let head = format!("{name}{sign}");
        let Some((before, rest)) = condition.split_once(&head) else { continue };
        let end = rest.find(|c| !is_name_part(c)).unwrap_or(rest.len());
        if end == 0 || before.ends_with(is_name_part) {
            continue;
        }
        let member = format!("{head}{}", rest.get(..end).unwrap_or_default());
        if rest.get(end..).is_some_and(|it| it.starts_with("()")) {
            all.push(format!("{member}()"));
        }
        all.push(member);
    }
    all
}

/// The names of parameters of a type.
fn of_type<'h>(head: &'h str, made: &'h str) -> impl Iterator<Item = &'h str> {
    let parts = head.split([',', '(', ')', '{']);
    let own = parts.filter(move |part| identifiers(part).any(|word| word == made));
    own.flat_map(identifiers)
        .filter(move |word| *word != made && !matches!(*word, "mut" | "ref" | "final" | "const"))
}

/// Whether nobody but its maker can make a value of a type: Rust's content of the type is not public.
fn is_closed(text: &str, made: &str) -> bool {
    let declares =
        |line: &&str| line.contains(&format!("struct {made}")) && !line.trim_start().starts_with("//");
    text.lines().find(declares).is_none_or(|line| !line.contains("(pub ") && !line.contains("{ pub "))
}

/// Whether a guard asks whether a field of its own type is there, and the type's maker refuses that it is not.
fn is_present(revision: &Revision, guard: &Guard) -> bool {
    let Some(owner) = guard.owner.and_then(|it| revision.before.functions.get(it)) else { return false };
    let Some((field, is_blank)) = asked(guard) else { return false };
    let own = type_at(revision.old, owner.span.start);
    own.is_some()
        && is_fixed(revision.new, field)
        && makers(revision).any(|(at, maker, made)| {
            let body = revision.new.get(maker.body.clone()).unwrap_or_default();
            let of_maker =
                revision.after.guards.iter().filter(|it| it.owner == Some(at) && it.exit == Exit::Error);
            let refused: Vec<(&str, bool)> = of_maker.filter_map(asked).collect();
            Some(made) == own && maker.name != owner.name && is_given(body, field, is_blank, &refused)
        })
}

/// The type that a place of a text stands in.
fn type_at(text: &str, at: usize) -> Option<&str> {
    text.get(..at)?.lines().rev().find_map(|line| {
        let code = line.trim_start();
        if code.starts_with(['/', '*', '#']) {
            return None;
        }
        let words: Vec<&str> = identifiers(line).collect();
        let place = words.iter().take(5).position(|word| DECLARING.contains(word))?;
        let of = words.iter().position(|word| *word == "for").filter(|_| words.get(place) == Some(&"impl"));
        words.get(of.unwrap_or(place) + 1).copied().filter(|it| it.starts_with(char::is_uppercase))
    })
}
