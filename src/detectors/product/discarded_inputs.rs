//! New parameters of functions that were there, which their bodies take and give up: `del retries  # wired up later`.
//!
//! Where nobody says that the parameter would do something, it is taken for the sake of an interface.

use crate::detectors::engine::revision::Revision;
use crate::detectors::product::functions::excuse_in;
use crate::detectors::product::parameters::{body_code, description, names, parameters};
use crate::detectors::product::unfinished::is_only_discarded;
use crate::languages::code::{Function, admissions};
use crate::model::finding::Severity;

/// The first function of the kind, with what is said of it.
pub(super) fn discarded<'r, 'a>(revision: &'r Revision<'a>) -> Option<(&'r Function<'a>, String, Severity)> {
    revision.working().find_map(|(_, _, before, after)| {
        let known = parameters(revision, revision.old, before);
        let all = parameters(revision, revision.new, after);
        let mut new = all.iter().filter(|name| name.len() > 2 && !known.contains(name)).peekable();
        new.peek()?;
        let code = body_code(revision, revision.new, after);
        let body = revision.new.get(after.body.clone()).unwrap_or_default();
        let idle = new.find(|name| !names(&code, name) || is_only_discarded(&code, name))?;
        let plain = idle.trim_start_matches('_');
        let is_given_up = names(&code, idle);
        let remarks = || {
            let lines = u32::try_from(body.lines().count()).unwrap_or(0);
            let around = after.line.saturating_sub(6)..=after.line + lines + 6;
            revision.new_comments().filter(move |it| around.contains(&it.line))
        };
        let is_deferred = remarks().any(|it| admissions(it.text) > 0 || excuse_in(&it.text.to_lowercase()));
        let text = description(body).and_then(|it| body.get(it)).unwrap_or_default();
        let is_promised =
            names(text, plain) || remarks().any(|it| names(it.text, plain) && admissions(it.text) == 0);
        let severity = match (is_given_up, is_deferred, is_promised) {
            (_, true, true) | (true, true, _) => Severity::High,
            (_, true, _) | (_, _, true) => Severity::Medium,
            _ => return None,
        };
        Some((after, format!("`{}` would take `{idle}` and do nothing with it", after.name), severity))
    })
}
