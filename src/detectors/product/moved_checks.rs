//! Checks that have moved as a whole: into a handler of several errors, or out of a function into another file of the
//! session, as a record's constructor.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::other_code;
use crate::detectors::product::line_conditions::condition;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{Exit, Guard, HandlerEffect, bare, identifiers, refuses};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// Lines of a handler that belong to it.
const WITHIN: usize = 6;

/// Whether a handler that is new in the function passes on what the refusal said, in all its words: two of the same
/// status became one.
pub(super) fn is_in_new_handler(revision: &Revision, refusal: CodeLine) -> bool {
    let owner = revision.owner_at(refusal.at).and_then(|it| revision.successor(it));
    let handlers = revision.after.handlers.iter().filter(|it| {
        it.owner == owner
            && it.effect == HandlerEffect::Raised
            && !revision.before.handlers.iter().any(|old| old.caught == it.caught)
    });
    handlers.into_iter().any(|handler| {
        let from = usize::try_from(handler.line).unwrap_or_default();
        let text: String = revision.new.lines().skip(from).take(WITHIN).collect::<Vec<_>>().join("\n");
        let there: BTreeSet<&str> = text.split(|c: char| !is_name_part(c)).collect();
        let mut wanted =
            refusal.text.split(|c: char| !is_name_part(c)).filter(|word| word.len() > 1).peekable();
        wanted.peek().is_some() && wanted.all(|word| there.contains(word))
    })
}

/// Whether each refusal of a function stands in another file of the session now, with the numbers that it compares.
pub(super) fn is_moved_out(case: &Case, revision: &Revision, name: &str) -> bool {
    let Some(function) = revision.before.functions.iter().find(|it| it.name == name) else { return false };
    let body = revision.old.get(function.body.clone()).unwrap_or_default();
    let refusals: Vec<&str> =
        body.lines().map(str::trim).filter(|line| refuses(revision.words, line)).collect();
    let count = |text: &Option<String>, wanted: &str| {
        text.as_deref().unwrap_or_default().lines().filter(|line| said(line) == said(wanted)).count()
    };
    !refusals.is_empty()
        && other_code(case, revision).any(|other| {
            let after = other.after.as_deref().unwrap_or_default();
            refusals.iter().all(|line| count(&other.after, line) > count(&other.before, line))
                && numbers(body).all(|number| numbers(after).any(|it| it == number))
        })
}

/// Whether another file of the session says now what a refusal said, and compares with the numbers of the place, which
/// asks for that: `raise Refused, problem if problem`.
pub(super) fn is_said_elsewhere(
    case: &Case,
    revision: &Revision,
    hunk: &TextHunk,
    refusal: CodeLine,
) -> bool {
    let is_text = |word: &&str| word.starts_with(['"', '\'']) && word.len() > 9 && word.contains(' ');
    let texts: Vec<&str> = words(refusal.text).into_iter().map(|(_, word)| word).filter(is_text).collect();
    let gone: String = hunk.gone.iter().map(|line| format!("{}\n", line.text)).collect();
    let says_no = hunk.come.iter().any(|line| refuses(revision.words, line.text));
    let is_there = |text: &Change| {
        let (before, after) =
            (text.before.as_deref().unwrap_or_default(), text.after.as_deref().unwrap_or_default());
        texts.iter().all(|it| after.matches(it).count() > before.matches(it).count())
            && numbers(&gone).all(|number| numbers(after).any(|it| it == number))
    };
    says_no && !texts.is_empty() && other_code(case, revision).any(is_there)
}

/// Whether another file of the session declares now what a line declared, by the same name and value.
pub(super) fn is_declared_elsewhere(case: &Case, revision: &Revision, line: &str) -> bool {
    let wanted = bare(line);
    let count = |text: &Option<String>| {
        text.as_deref().unwrap_or_default().lines().filter(|it| bare(it) == wanted).count()
    };
    other_code(case, revision).any(|other| count(&other.after) > count(&other.before))
}

/// Whether another file of the session refuses now what a guard refused: by the same condition of what has another name
/// there, as a value does that checks itself when it is made, or in the same words.
pub(super) fn is_in_other_file(case: &Case, revision: &Revision, guard: &Guard) -> bool {
    let wanted = without_receivers(&bare(guard.condition));
    let wanted = without_calls(&wanted);
    let is_telling = guard.exit == Exit::Error && wanted.len() > 6;
    let asks = |line: &str| {
        condition(line.trim()).is_some_and(|it| without_calls(&without_receivers(&it.text)) == wanted)
    };
    let asked = |text: &str| {
        let lines: Vec<&str> = text.lines().collect();
        let refuses_at = |at: usize| lines.iter().skip(at).take(3).any(|line| refuses(revision.words, line));
        lines.iter().enumerate().filter(|(at, line)| asks(line) && refuses_at(*at)).count()
    };
    let block = block_of(revision, guard);
    let texts: Vec<&str> = words(&block).into_iter().map(|(_, word)| word).filter(is_message).collect();
    other_code(case, revision).any(|other| {
        let (before, after) =
            (other.before.as_deref().unwrap_or_default(), other.after.as_deref().unwrap_or_default());
        is_telling && asked(after) > asked(before)
            || texts.iter().any(|it| after.matches(it).count() > before.matches(it).count())
    })
}

/// The lines of a guard before, its head and what stands further in below it.
fn block_of(revision: &Revision, guard: &Guard) -> String {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let from = usize::try_from(guard.line).unwrap_or_default().saturating_sub(1);
    let mut lines = revision.old.lines().skip(from);
    let Some(head) = lines.next() else { return String::new() };
    let within = lines.take(WITHIN).take_while(|line| line.trim().is_empty() || depth(line) > depth(head));
    std::iter::once(head).chain(within).collect::<Vec<_>>().join("\n")
}

/// Whether a word of code is a text that is long enough to be told by.
fn is_message(word: &&str) -> bool {
    word.starts_with(['"', '\'']) && word.len() > 16
}

/// A condition without the signs of its calls, and without parentheses around it.
fn without_calls(condition: &str) -> String {
    condition.replace("()", "").trim_matches(['(', ')']).to_owned()
}

/// A text without the names that a member is read from, where they are no member themselves.
pub(super) fn without_receivers(text: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    for c in text.chars() {
        if is_part(c) {
            word.push(c);
            continue;
        }
        let is_receiver = c == '.' && !word.is_empty() && !out.ends_with('.');
        if is_receiver {
            word.clear();
        } else {
            out.push_str(&std::mem::take(&mut word));
            out.push(c);
        }
    }
    out + &word
}

/// What a refusal says, without the names that its values have there.
pub(super) fn said(line: &str) -> String {
    let mut kept = line.trim().to_owned();
    for receiver in identifiers(line).filter(|word| line.contains(&format!("{word}."))) {
        kept = kept.replace(&format!("{receiver}."), "");
    }
    kept.replace("()", "")
}

/// The numbers of a text, as written.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !(is_name_part(c) || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 30)
}
