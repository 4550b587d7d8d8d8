//! Work that stays in the text and is done no more: behind a new flag that is off, or an entry that answers by itself.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::line_conditions::condition;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::off_flags::is_turned_on;
use crate::detectors::product::quiet_removal::ROUTES;
use crate::languages::code::{bare, identifiers};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// What an entry that answers by itself is made of.
const ANSWERING: &[&str] = &[
    "req",
    "request",
    "_req",
    "res",
    "response",
    "reply",
    "ctx",
    "context",
    "c",
    "next",
    "status",
    "json",
    "send",
    "end",
    "sendStatus",
    "Results",
    "Ok",
    "NoContent",
    "NotFound",
    "text",
    "String",
    "body",
    "null",
    "true",
    "false",
    "async",
    "http",
    "w",
    "r",
    "return",
    "_",
    "render",
    "JSON",
    "code",
    "type",
    "nil",
    "None",
    "func",
];

/// The first piece of work that is done no more.
pub(super) fn idle_work(revision: &Revision) -> Option<LostCheck> {
    switched_off(revision).or_else(|| decided(revision)).or_else(|| answered_alone(revision))
}

/// `const known = false; if (known) …` in the place of `if (await store.has(id)) …`.
fn decided(revision: &Revision) -> Option<LostCheck> {
    const FIXED: &[&str] = &["false", "False", "true", "True", "null", "nil", "None", "0"];
    let value_of = |hunk: &TextHunk, name: &str| {
        let parts = |line: &CodeLine| {
            let (left, right) = line.text.split_once(":=").or_else(|| line.text.split_once('='))?;
            let is_it = identifiers(left.split(':').next()?).last() == Some(name);
            is_it.then(|| bare(right).trim_end_matches(';').to_owned())
        };
        hunk.come.iter().find_map(parts)
    };
    revision.hunks().iter().find_map(|hunk| {
        hunk.come.iter().find_map(|come| {
            let after = condition(come.text)?;
            let name = after.text.trim_start_matches('!').trim_start_matches("not");
            let is_name = name.len() > 1 && name.chars().all(|c| is_name_part(c) || c == '$');
            let value = value_of(hunk, name).filter(|_| is_name)?;
            let asked =
                |gone: &&CodeLine| condition(gone.text).is_some_and(|it| it.text.contains(['(', '.', '[']));
            let gone = hunk.gone.iter().find(asked)?;
            FIXED.contains(&value.as_str()).then(|| {
                let what = format!(
                    "`{}` would be decided by a constant where something was asked",
                    short(come.text)
                );
                LostCheck::new(gone.number, gone.text, what, Severity::High)
            })
        })
    })
}

/// `if NOTIFY:` around lines that were there, with `NOTIFY = False` beside it.
fn switched_off(revision: &Revision) -> Option<LostCheck> {
    let come = || revision.hunks().iter().flat_map(|it| &it.come);
    let is_off = |line: &CodeLine, name: &str| {
        let text = bare(line.text);
        let mut values = ["=false", "=False", ":=false", "=0"].iter();
        values.any(|value| text.trim_end_matches(';').ends_with(&format!("{name}{value}")))
            || identifiers(line.text).any(|it| it == name)
                && ["=false", "=False"].iter().any(|value| text.trim_end_matches(';').ends_with(value))
    };
    let mut heads = revision.hunks().iter().flat_map(|hunk| hunk.come.iter().map(move |line| (hunk, line)));
    let (_, line) = heads.find(|(hunk, line)| {
        // What comes with the flag is no work that was done before.
        let stood = hunk.next(&hunk.come, line).is_some_and(|it| !hunk.come.contains(&it));
        let is_new = |name: &&str| !revision.old.contains(name) && !is_turned_on(revision.new, name);
        let name = flag(line.text).filter(|name| stood && is_new(name));
        name.is_some_and(|name| {
            let is_set = |it: &CodeLine| it.at != line.at && is_off(it, name);
            come().any(|it| is_set(it) && is_fixed(revision, it, line, name))
        })
    })?;
    let what =
        format!("`{}` would never hold: what stands behind it would not be done any more", short(line.text));
    Some(LostCheck::new(line.number, line.text, what, Severity::High))
}

/// Whether nobody sets a flag that a line declares: it is a constant, or a name of the function that asks for it. A field
/// and a parameter with a default are options of whoever calls.
fn is_fixed(revision: &Revision, line: &CodeLine, head: &CodeLine, name: &str) -> bool {
    const FIXED: &[&str] = &["const", "static", "final", "readonly", "define"];
    let is_constant =
        name.chars().all(|c| !c.is_lowercase()) || identifiers(line.text).any(|word| FIXED.contains(&word));
    let above = revision.new.get(..line.at).unwrap_or_default();
    let outermost = above.is_empty() || above.ends_with('\n');
    let function = |at: usize| revision.after.functions.iter().rposition(|it| it.body.contains(&at));
    let is_local = function(line.at).is_some() && function(line.at) == function(head.at);
    let is_member = ["self.", "this.", "this->", "cls."].iter().any(|it| head.text.contains(it));
    is_constant || is_local || outermost && !is_member
}

/// The one name that a line asks for.
fn flag(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("if ").or_else(|| line.strip_prefix("if("))?;
    let condition = rest.split(['{', ':']).next()?.trim_end_matches([' ', ')']).trim_start_matches('(');
    let condition = condition.strip_suffix(" do").or(condition.strip_suffix(" then")).unwrap_or(condition);
    let name = condition.rsplit(['.', '$', '@']).next()?;
    (name.len() > 2 && name.chars().all(is_name_part)).then_some(name)
}

/// `app.get('/reports', (req, res) => res.json([]))` in the place of an entry with a handler.
fn answered_alone(revision: &Revision) -> Option<LostCheck> {
    let pairs = revision.hunks().iter().filter_map(|it| Some((it.gone.first()?, it.come.first()?)));
    let mut pairs = pairs.filter(|(gone, come)| {
        let path = |line: &CodeLine| line.text.split(['"', '\'']).nth(1).map(str::to_owned);
        let is_entry = ROUTES.iter().any(|head| gone.text.starts_with(head) && come.text.starts_with(head));
        let answer = come.text.split_once("=>").map(|(_, rest)| rest);
        let is_alone = answer.is_some_and(|rest| {
            let rest: Vec<&str> = rest.split(['"', '\'']).step_by(2).collect();
            let is_known =
                |word: &str| ANSWERING.contains(&word) || word.starts_with(|c: char| c.is_ascii_digit());
            rest.iter().flat_map(|part| identifiers(part)).all(is_known)
        });
        is_entry && path(gone) == path(come) && is_alone && !gone.text.contains("=>")
    });
    let (gone, come) = pairs.next()?;
    let what = format!("`{}` would answer without its handler", short(come.text));
    Some(LostCheck::new(gone.number, gone.text, what, Severity::High))
}
