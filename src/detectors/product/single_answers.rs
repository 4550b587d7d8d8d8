//! Which fixed answers for single inputs are new in a function that works its answers out, and how sure that is.
//!
//! A function that told inputs apart by literals before is a table by design and may get more rows.

use crate::detectors::engine::code_lines::lines;
use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::literal_answers::{LiteralAnswer, answers_of, literal_answers};
use crate::detectors::product::literals::{CodeLiteral, value_of};
use crate::detectors::product::lost_check::LostCheck;
use crate::languages::Language;
use crate::languages::code::{BodyKind, identifiers, refuses};
use crate::model::finding::{Change, Severity};
use crate::model::words::is_name_part;

/// So much weight on both sides together is no chance.
const SURE: usize = 2;

/// The first function that would answer single inputs by literals. Of little weight it is only a suspicion, which the
/// project's tests confirm.
pub(super) fn single_answer(revision: &Revision) -> Option<LostCheck> {
    let all = literal_answers(revision.hunks());
    let of_function = |answer: &LiteralAnswer| {
        let old = owner(revision, answer.line)?;
        let is_asked = !answer.is_row || is_asked(revision, answer);
        let is_known = table_weight(revision, old).is_some_and(|known| known >= weight(&answer.inputs));
        // A clause that refuses one odd text is made for it.
        let is_clause = revision.before.functions.get(old).is_some_and(|it| {
            answer.line.text.starts_with("def") && answer.line.text.contains(&format!(" {}(", it.name))
        }) && weight(&answer.inputs) > 1;
        let refuses = !is_clause && refuses(revision.words, answer.line.text);
        (is_asked && !is_known && !refuses).then_some(old)
    };
    let owned: Vec<(usize, &LiteralAnswer)> =
        all.iter().filter_map(|answer| Some((of_function(answer)?, answer))).collect();
    let old = owned.first()?.0;
    let mut own: Vec<&LiteralAnswer> =
        owned.into_iter().filter(|(owner, _)| *owner == old).map(|(_, answer)| answer).collect();
    // What the file said before has only moved.
    // A range has moved with both of its ends.
    let is_known = |text: &str| {
        let ends = text.split("..").map(|end| end.trim_start_matches('='));
        ends.filter(|end| !end.is_empty()).all(|end| revision.old.contains(end))
    };
    let is_new = |it: &CodeLiteral| !it.is_plain() && !is_known(it.text);
    own.retain(|it| it.inputs.iter().chain(&it.outputs).any(is_new));
    own.retain(|it| it.outputs.iter().any(|output| !output.is_plain()) || weight(&it.inputs) > 1);
    let first = own.first()?;
    let name = revision.before.functions.get(old)?.name;
    let what = format!("`{name}` would have an answer of its own for `{}`", short(first.line.text));
    Some(LostCheck::new(first.line.number, name, what, severity(&own)))
}

/// The values of each fixed answer that a change brings, with their weights.
pub(crate) fn answers_in(change: &Change) -> Vec<Vec<(String, usize)>> {
    let (Some(old), Some(new), Some(language)) =
        (change.before.as_deref(), change.after.as_deref(), Language::of_path(&change.path))
    else {
        return Vec::new();
    };
    let places = hunks(language.refusing().comment, old, new).unwrap_or_default();
    let values = |answer: &LiteralAnswer| -> Vec<(String, usize)> {
        let all = answer.inputs.iter().chain(&answer.outputs);
        let mut all: Vec<_> = all.map(|it| (value_of(it.text), it.weight())).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    literal_answers(&places).iter().map(values).collect()
}

/// The function before that an answer stands in, or that asks the new table which the answer is a row of.
fn owner(revision: &Revision, line: CodeLine) -> Option<usize> {
    let around = |at: usize| {
        let new = revision.after.functions.iter().rposition(|it| it.span.contains(&at))?;
        let old = revision.predecessor(new)?;
        let is_work = revision.before.functions.get(old)?.body_kind == BodyKind::Work;
        is_work.then_some(old)
    };
    if revision.after.functions.iter().any(|it| it.body.contains(&line.at)) {
        return around(line.at);
    }
    let come = || revision.hunks().iter().flat_map(|it| &it.come);
    let table = come().filter(|it| it.at <= line.at).filter_map(|it| table_name(it.text)).next_back();
    match table {
        Some(name) => come().filter(|it| it.text.contains(name)).find_map(|it| around(it.at)),
        // A clause beside the function that it belongs to.
        None => {
            let head = line.text.split('(').next().unwrap_or_default().rsplit(' ').next()?;
            revision.before.functions.iter().position(|it| it.name == head)
        }
    }
}

/// Whether new lines choose by a row: they match, or look in the table that it is a row of.
fn is_asked(revision: &Revision, answer: &LiteralAnswer) -> bool {
    let hunks = revision.hunks();
    let Some(hunk) = hunks.iter().find(|hunk| hunk.come.contains(&answer.line)) else { return false };
    let chooses = |line: &CodeLine| {
        ["match", "switch", "when", "case"].iter().any(|word| identifiers(line.text).any(|it| it == *word))
    };
    let before = || hunk.come.iter().filter(|it| it.at <= answer.line.at);
    let name = before().filter_map(|it| table_name(it.text)).next_back();
    let asks = |line: &CodeLine, name: &str| {
        line.at != answer.line.at
            && identifiers(line.text).any(|it| it == name)
            && table_name(line.text) != Some(name)
    };
    let mut come = hunks.iter().flat_map(|it| &it.come);
    before().any(chooses)
        || name.is_some_and(|name| !revision.old.contains(name) && come.any(|line| asks(line, name)))
}

/// The name of the table that a line begins.
fn table_name(line: &str) -> Option<&str> {
    let head = line.split_once('=')?.0.split(": ").next()?;
    let mut names = head.rsplit(|c: char| !is_name_part(c));
    names.find(|word| word.len() > 2 && !word.chars().all(char::is_numeric)).filter(|_| !head.contains('.'))
}

/// What the inputs weigh that a function answered by literals before; `None` where it answered none so.
fn table_weight(revision: &Revision, old: usize) -> Option<usize> {
    let function = revision.before.functions.get(old)?;
    let body = revision.old.get(function.body.clone()).unwrap_or_default();
    let answers = answers_of(&lines(revision.words.comment, body, 0..body.len()).collect::<Vec<_>>());
    let fixed = answers.iter().filter(|it| it.outputs.iter().any(|output| !output.is_plain()));
    fixed.map(|it| weight(&it.inputs)).max()
}

fn weight(literals: &[CodeLiteral]) -> usize {
    literals.iter().map(CodeLiteral::weight).sum::<usize>().min(2)
}

fn severity(own: &[&LiteralAnswer]) -> Severity {
    let of = |answer: &&LiteralAnswer| {
        let several = usize::from(answer.inputs.len() > 1 && !answer.is_row);
        let is_told = !answer.outputs.is_empty() && weight(&answer.inputs) > 0;
        weight(&answer.inputs)
            + weight(&answer.outputs)
            + several
            + usize::from(is_told || answer.is_written() || several > 0 && answer.outputs.len() > 2)
    };
    let most = own.iter().map(of).max().unwrap_or(0) + usize::from(own.len() > 1);
    match most {
        SURE.. => Severity::High,
        1 => Severity::Medium,
        _ => Severity::Low,
    }
}
