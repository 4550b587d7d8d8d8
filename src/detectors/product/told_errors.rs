//! Errors that are values and were given on, and that are only told of now: `if err != nil { return err }` that became
//! `if err != nil { log.Debug(err) }`, with the branch falling through or going on with the next of several.

use crate::detectors::Case;
use crate::detectors::engine::hunks::TextHunk;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::called_in;
use crate::detectors::product::lasting_effects::is_lasting;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::detectors::product::softened_handlers::is_telling;
use crate::languages::code::{Exit, identifiers};
use crate::model::finding::Severity;

/// Words of errors that are given on, in lower case.
const ERRORS: &[&str] = &["err", "error", "fail", "errorf", "internal", "abort", "fatal"];
/// Words for calls that only tell whoever looks for it.
const QUIET: &[&str] = &["debug", "trace", "Debug", "Trace", "Debugf", "DebugContext", "Debugw"];
/// Words of calls that keep something, in lower case.
const KEEPING: &[&str] =
    &["add", "put", "create", "append", "update", "upsert", "apply", "exec", "pay", "write"];

/// The first branch of an error that gave up, and goes on now.
pub(super) fn only_told(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if !revision.change.path.ends_with(".go") {
        return None;
    }
    revision.hunks().iter().find_map(|hunk| {
        let above = hunk.above?;
        let call = asked_error(above.text)?;
        // A refusal that goes for a line that only tells is judged as that, but where the next of several comes.
        let is_refusal = hunk.gone.len() == 1
            && revision.before.guards.iter().any(|it| it.line == above.number && it.exit == Exit::Error);
        if !gave_up(hunk) || !goes_on(hunk) || is_refusal && !hunk.come.iter().any(|it| is_next(it.text)) {
            return None;
        }
        let name = revision.before.functions.get(revision.owner_at(above.at)?)?.name;
        let is_quiet = hunk
            .come
            .iter()
            .all(|it| identifiers(it.text).any(|word| QUIET.contains(&word)) || is_next(it.text));
        let keeps =
            called_in(call).iter().any(|it| is_lasting(it) || KEEPING.contains(&it.to_lowercase().as_str()));
        let what =
            format!("the error of `{}` would only be told of where it was given on", short(call.trim()));
        let severity = if keeps || is_quiet { Severity::High } else { Severity::Medium };
        (!has_tests_of(case, name)).then(|| LostCheck::new(above.number, name, what, severity))
    })
}

/// What gives the error that a line asks for: `if err := store.Add(x); err != nil {`.
fn asked_error(line: &str) -> Option<&str> {
    let inside = line.strip_prefix("if ")?.trim_end().strip_suffix('{')?.trim();
    let (made, condition) = inside.rsplit_once(';').unwrap_or(("", inside));
    let call = made.split_once('=').map_or("the call above", |(_, call)| call);
    let bare: String = condition.chars().filter(|c| !c.is_whitespace()).collect();
    matches!(bare.as_str(), "err!=nil" | "nil!=err").then_some(call)
}

/// Whether the lines that go end the function with its error, or answer with one and end it.
fn gave_up(hunk: &TextHunk) -> bool {
    let says = |text: &str| {
        identifiers(text).any(|word| {
            let lower = word.to_lowercase();
            ERRORS.iter().any(|it| lower == *it || lower.ends_with("error") || lower.starts_with("err"))
        })
    };
    let leaves = hunk.gone.iter().any(|it| identifiers(it.text).next() == Some("return"));
    leaves && hunk.gone.iter().any(|it| says(it.text))
}

/// Whether all that comes tells of the error, or goes on with the next.
fn goes_on(hunk: &TextHunk) -> bool {
    !hunk.come.is_empty() && hunk.come.iter().all(|it| is_telling(it.text) || is_next(it.text))
}

fn is_next(line: &str) -> bool {
    line.trim_end_matches(';') == "continue"
}
