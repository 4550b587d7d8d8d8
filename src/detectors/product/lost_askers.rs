//! Look-ups that asked for what belongs to whoever asks, and find everybody's now: `get(pk=pk, owner=request.user)`,
//! `current_user.notes.find(id)`, `where: { id, ownerId: req.user.id }`.
//!
//! Where the owner is compared in another line, or a guard comes for it, the question is still asked.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::mark_words::GUARDS;
use crate::languages::code::{bare, identifiers, plain, refuses};
use crate::model::finding::Severity;
use crate::model::words::{is_name_part, unparted};

/// How code names whoever asks, without blanks.
const ASKERS: &[&str] = &[
    "request.user",
    "req.user",
    "ctx.user",
    "ctx.state.user",
    "locals.user",
    "session.user",
    "session[:user_id]",
    "current_user",
    "currentUser",
    "CurrentUser",
    "->user()",
    "auth()->id()",
    "Auth::id()",
    "Auth::user()",
    "principal.",
    "Principal.",
    "User.Identity",
    "User.FindFirst",
    "g.user",
    "me.id",
    "viewer.id",
];
/// Whom a project may call the one that is signed in: `current_customer`, `currentAccount`.
const CURRENT: &[&str] = &[
    "account",
    "admin",
    "applicant",
    "author",
    "client",
    "company",
    "customer",
    "employee",
    "guest",
    "host",
    "member",
    "merchant",
    "operator",
    "org",
    "organisation",
    "organization",
    "owner",
    "patient",
    "person",
    "seller",
    "student",
    "team",
    "tenant",
    "workspace",
];
/// First words of calls that look something up, in lower case without `_`.
const LOOKUPS: &[&str] = &[
    "getobjector404",
    "getor404",
    "getby",
    "get",
    "find",
    "first",
    "single",
    "filter",
    "where",
    "one",
    "select",
];

/// The first look-up that does not ask whose something is any more.
pub(super) fn asker_lost(revision: &Revision) -> Option<LostCheck> {
    let asked = |text: &str| {
        let named = identifiers(text).filter(|word| is_current(word)).count();
        let text = bare(text);
        named + ASKERS.iter().map(|it| text.matches(it).count()).sum::<usize>()
    };
    let mut gone = revision.hunks().iter().flat_map(|hunk| &hunk.gone);
    let mut come = revision.hunks().iter().flat_map(|hunk| &hunk.come);
    let is_unasked = || {
        let middle = revision.middle();
        asked(middle.after) < asked(middle.before)
    };
    if !gone.any(|line| asked(line.text) > 0) || !is_unasked() || come.any(|line| guards(revision, line)) {
        return None;
    }
    revision.hunks().iter().filter(|hunk| hunk.gone.len() <= 4 && hunk.come.len() <= 4).find_map(|hunk| {
        let is_lost = |line: &&CodeLine| {
            asked(line.text) > 0 && looks_up(revision, line.text) && finds_all(revision, hunk, line)
        };
        let line = hunk.gone.iter().find(is_lost)?;
        let what = format!("`{}` would find what belongs to others", short(line.text));
        let name = revision.old_function_at(line.at).map(|it| it.name).unwrap_or_default();
        Some(LostCheck::of_line(line, name, what, Severity::High))
    })
}

/// Whether a name is that of whoever is signed in, as a project calls them.
fn is_current(word: &str) -> bool {
    let plain = unparted(word);
    plain.strip_prefix("current").is_some_and(|rest| CURRENT.contains(&rest))
}

/// Whether a line in the place of a look-up looks the same up, and is told nothing of whoever asks.
fn finds_all(revision: &Revision, hunk: &TextHunk, line: &CodeLine) -> bool {
    let roots: Vec<&str> = ASKERS
        .iter()
        .filter(|it| bare(line.text).contains(*it))
        .flat_map(|it| identifiers(it).next())
        .chain(identifiers(line.text).filter(|word| is_current(word)))
        .collect();
    // `visible(request)` is told who asks, `request.params` is not.
    let is_whole = |rest: &str| !rest.starts_with(|c: char| is_name_part(c) || matches!(c, '.' | '-'));
    let is_told = |text: &str| roots.iter().any(|root| text.split(root).skip(1).any(is_whole));
    let size = |text: &str| identifiers(&plain(revision.words, text)).count();
    hunk.come.iter().any(|it| {
        head(it.text) == head(line.text)
            && looks_up(revision, it.text)
            && (size(it.text) < size(line.text) || asks_a_type(it.text))
            && !is_told(it.text)
    })
}

/// Whether a line looks among all of a type: `Note.includes(:tags).find(id)`.
fn asks_a_type(text: &str) -> bool {
    let value = text.split_once('=').map_or(text, |(_, value)| value).trim();
    let value = value.trim_start_matches("return ").trim_start_matches("await ");
    value.starts_with(char::is_uppercase) && value.contains('.')
}

/// What a line binds, or its first word.
fn head(text: &str) -> &str {
    let bound = text.split_once('=').map(|(name, _)| name.trim()).filter(|it| !it.contains('('));
    bound.or_else(|| identifiers(text).next()).unwrap_or(text)
}

fn looks_up(revision: &Revision, text: &str) -> bool {
    let code = plain(revision.words, text);
    let is_lookup = |word: &str| {
        let own = unparted(word);
        own == "get" || LOOKUPS.iter().any(|it| it.len() > 3 && own.starts_with(it))
    };
    identifiers(&code).any(is_lookup)
}

/// Whether a line that comes refuses, or has a word of a guard that is no field of what is found.
fn guards(revision: &Revision, line: &CodeLine) -> bool {
    let code = plain(revision.words, line.text).to_lowercase().replace('_', "");
    refuses(revision.words, line.text)
        || GUARDS.iter().chain(&["authorize", "visible", "tenant", "scope"]).any(|it| code.contains(it))
}
