//! Checks that have moved as a whole: into a schema of the same bounds, into a handler of several errors, or out of a
//! function into another file of the session, as a record's constructor.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::other_code;
use crate::detectors::product::line_conditions::condition;
use crate::detectors::testing::word_edit::words;
use crate::languages::code::{Exit, Guard, HandlerEffect, bare, identifiers, plain, refuses};
use crate::model::finding::Change;
use crate::model::words::is_name_part;

/// Calls by which a schema refuses by itself.
const THROWING: &[&str] = &[".parse(", ".parseAsync(", ".model_validate(", ".validateSync(", ".assert("];
/// Calls by which a schema says what is wrong.
const ASKING: &[&str] = &[".safeParse(", ".safeParseAsync(", ".validate("];
/// Lines of a handler that belong to it.
const WITHIN: usize = 6;

/// Whether a schema that is new in the file, or in another one of the session, is asked where checks stood, and has their
/// fields and bounds.
pub(super) fn is_in_schema(case: &Case, revision: &Revision, hunk: &TextHunk) -> bool {
    let schemas = schemas_asked(revision, hunk);
    if schemas.is_empty() {
        return false;
    }
    // What comes is given apart from the new text: of the file itself it is only its new lines.
    let holds = |old: &str, new: &str, come: &str| {
        let is_made = |schema: &str| [" =", "("].iter().any(|it| new.contains(&format!("{schema}{it}")));
        let is_new = |schema: &&str| is_made(schema) && !identifiers(old).any(|word| word == *schema);
        schemas.iter().any(is_new) && has_checks(revision, hunk, come)
    };
    let here: String =
        revision.hunks().iter().flat_map(|it| &it.come).map(|line| format!("{}\n", line.text)).collect();
    holds(revision.old, revision.new, &here)
        || other_code(case, revision).any(|other| {
            let (before, after) = (other.before.as_deref(), other.after.as_deref().unwrap_or_default());
            holds(before.unwrap_or_default(), after, after)
        })
}

/// The names of what the new lines of a place ask as schemas that refuse.
fn schemas_asked<'a>(revision: &Revision, hunk: &TextHunk<'a>) -> Vec<&'a str> {
    let asked = |calls: &[&str]| -> Vec<&'a str> {
        let heads = hunk.come.iter().flat_map(|line| calls.iter().filter_map(|it| line.text.split_once(it)));
        let names = heads.map(|(head, _)| head.rsplit(|c| !is_name_part(c)).next().unwrap_or_default());
        names.filter(|name| !name.is_empty()).collect()
    };
    let mut come = revision.hunks().iter().flat_map(|it| &it.come);
    let (mut schemas, asking) = (asked(THROWING), asked(ASKING));
    if !asking.is_empty() && come.any(|line| refuses(revision.words, line.text)) {
        schemas.extend(asking);
    }
    schemas.extend(hunk.come.iter().flat_map(|line| types_taken(line.text)));
    schemas
}

/// The types that a function's head in Python or TypeScript declares for what the function takes: a framework, or whoever
/// makes a value of the type, refuses what the type refuses.
fn types_taken(line: &str) -> impl Iterator<Item = &str> {
    let is_head = ["def ", "function ", "async "].iter().any(|word| line.starts_with(word));
    let given = line.split_once('(').filter(|_| is_head).map_or("", |(_, rest)| rest);
    let types = given.split(',').filter_map(|it| it.split_once(':')).map(|(_, rest)| rest.trim_start());
    let names = types.map(|rest| rest.split(|c| !is_name_part(c)).next().unwrap_or_default());
    names.filter(|name| name.len() > 2 && name.starts_with(char::is_uppercase))
}

/// Whether a text has the fields and the bounds of all checks that are gone from a place.
fn has_checks(revision: &Revision, hunk: &TextHunk, come: &str) -> bool {
    let words = revision.words;
    let is_check = |line: &&str| !refuses(words, line);
    let checks: Vec<&str> = hunk.gone.iter().map(|line| line.text).filter(is_check).collect();
    let there: BTreeSet<&str> = identifiers(come).collect();
    let are_there = |line: &&str| {
        let plain = plain(words, line);
        // What stands for a missing value is no bound: `body.get("age", 0)`.
        let bounds = line.replace(", 0)", ")");
        numbers(&bounds).all(|number| numbers(come).any(|it| it == number))
            && fields(&plain).chain(keys(line)).all(|field| there.contains(field))
    };
    !checks.is_empty() && checks.iter().all(are_there)
}

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

/// The keys that a line takes values by: `body.get("age")`, `body['age']`.
fn keys(line: &str) -> impl Iterator<Item = &str> {
    let taken = [".get(", "["].into_iter().flat_map(|sign| line.split(sign).skip(1));
    let quoted = taken.filter_map(|rest| rest.strip_prefix(['"', '\'']));
    quoted.filter_map(|rest| rest.split(['"', '\'']).next())
}

/// The members that a line reads of values: `qty` of `item.qty`.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    let mut parts = line.split('.').peekable();
    let mut all = Vec::new();
    while let Some(head) = parts.next() {
        let receiver = head.rsplit(|c: char| !is_name_part(c)).next().unwrap_or_default();
        let Some(rest) = parts.peek() else { break };
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        let is_call = rest.get(end..).is_some_and(|it| it.starts_with('('));
        if receiver.starts_with(|c: char| c.is_lowercase()) && !is_call {
            all.extend(rest.get(..end).filter(|it| it.len() > 1 && *it != "length"));
        }
    }
    all.into_iter()
}

/// The numbers of a text, as written.
pub(super) fn numbers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c| !(is_name_part(c) || c == '.'))
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.len() < 30)
}
