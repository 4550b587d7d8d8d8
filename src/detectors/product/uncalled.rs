//! Functions that stay in a file and that nothing of it calls any more, after an edit that only takes their last call away.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::does_less::is_neutral;
use crate::detectors::product::functions::{called_in, is_part_of_more};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{BodyKind, Function, identifiers, is_log, plain};
use crate::model::finding::Severity;

/// A name shorter than this stands for many things.
const TELLING: usize = 5;
/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 12;

/// The first function whose last call goes with nothing in its place.
pub(super) fn uncalled(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let gone: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.gone).collect();
    let come: Vec<&CodeLine> = revision.hunks().iter().flat_map(|it| &it.come).collect();
    let size = |lines: &[&CodeLine]| lines.iter().map(|it| identifiers(it.text).count()).sum::<usize>();
    let is_small = gone.len() + come.len() <= REWRITE && size(&come) < size(&gone);
    if !is_small || revision.after.broken || !revision.added.is_empty() || !revision.lost.is_empty() {
        return None;
    }
    let names_new = come.iter().any(|line| {
        let code = plain(revision.words, line.text);
        let is_known = |name: &&str| is_neutral(name) || identifiers(revision.old).any(|word| word == *name);
        !is_log(line.text) && !called_in(&code).iter().all(is_known)
    });
    if names_new {
        return None;
    }
    let (line, function) = revision.working().find_map(|(_, _, before, after)| {
        let name = after.name;
        let calls = |line: &&&CodeLine| called_in(&plain(revision.words, line.text)).contains(&name);
        let line = gone.iter().find(calls)?;
        let is_own = before.span.contains(&line.at);
        let fits =
            name.len() >= TELLING && after.body_kind == BodyKind::Work && before.name == name && !is_own;
        (fits && !is_named(revision, after)).then_some((**line, name))
    })?;
    let owner = revision.old_function_at(line.at).map(|it| it.name).filter(|it| !it.is_empty())?;
    if has_tests_of(case, owner) || has_tests_of(case, function) || is_part_of_more(case, revision) {
        return None;
    }
    let what = format!("`{owner}` would not call `{function}` any more, and nothing else of the file does");
    Some(LostCheck::of_line(&line, owner, what, Severity::High))
}

/// Whether the text names a function outside of it.
fn is_named(revision: &Revision, function: &Function) -> bool {
    let (head, rest) = (revision.new.get(..function.span.start), revision.new.get(function.span.end..));
    let names = |text: Option<&str>| {
        let lines = text.unwrap_or_default().lines().map(|line| plain(revision.words, line));
        lines.into_iter().any(|line| identifiers(&line).any(|word| word == function.name))
    };
    names(head) || names(rest)
}
