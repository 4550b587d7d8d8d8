//! Calls that checked or cleaned a value and are gone, with nothing else changed.

use crate::detectors::Case;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{CHECKS, is_named, short};
use crate::detectors::product::checks_when_made::is_checked_when_made;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::moved_checks::is_moved_out;
use crate::languages::code::{BodyKind, Code, bare, identifiers, plain, refuses};
use crate::model::finding::Severity;

/// First words of calls that make a value harmless.
const CLEANERS: &[&str] = &[
    "sanitize",
    "sanitise",
    "escape",
    "purify",
    "validate",
    "strip_tags",
    "htmlspecialchars",
    "mask",
    "redact",
    "anonymize",
    "anonymise",
    "pseudonymize",
    "obfuscate",
    "encrypt",
    "scrub",
    "censor",
    "quote",
];

/// Rust's macros that leave with an error where a condition does not hold.
const CHECKING_MACROS: &[&str] = &["ensure", "ensure_eq", "require"];

/// Those of them that mean nothing else: to ensure something may be to make it.
const STRICT: &[&str] = &[
    "validate",
    "sanitize",
    "sanitise",
    "verify",
    "require",
    "authorize",
    "authenticate",
    "precondition",
    "throwif",
    "checknotnull",
    "checkargument",
    "checkstate",
];

/// What only checks are called on.
const HOLDERS: &[&str] =
    &["ValidationUtils", "Guard", "Against", "Preconditions", "Validate", "Ensure", "Requires"];

/// A call that checked and did nothing else.
pub(super) fn call_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let last = |callee: &str| callee.rsplit(['.', ':', '>']).next().unwrap_or_default().to_owned();
    revision.before.calls.iter().filter(|call| call.alone).find_map(|call| {
        let name = last(call.callee);
        let ends = |extensions: &[&str]| extensions.iter().any(|it| revision.change.path.ends_with(it));
        let is_guard = ends(&[".rs"]) && CHECKING_MACROS.contains(&name.as_str())
            || ends(&[".kt", ".kts"]) && matches!(name.as_str(), "require" | "check")
            || ends(&[".rb"]) && name.starts_with("assert_valid");
        if !is_guard && !checks(call.callee, &name) {
            return None;
        }
        let (old, new) = (call.owner?, revision.successor(call.owner?)?);
        // Fewer of them in the whole file, and nothing in its place here.
        let count = |code: &Code| code.calls.iter().filter(|it| last(it.callee) == name).count();
        let written = bare(call.arguments);
        let is_here = revision
            .after
            .calls
            .iter()
            .any(|it| it.owner == Some(new) && last(it.callee) == name && bare(it.arguments) == written);
        let (before, after) = (revision.old_lines(old), revision.new_lines(new));
        let added = after.iter().filter(|line| before.binary_search(line).is_err()).count();
        let missing = before.iter().filter(|line| after.binary_search(line).is_err()).count();
        let works = revision.after.functions.get(new)?.body_kind == BodyKind::Work;
        let is_lost = !is_here && count(&revision.after) < count(&revision.before);
        let is_moved = || is_moved_out(case, revision, &name) || is_checked_when_made(revision, &name);
        (is_lost && added == 0 && missing <= 2 && works && !is_moved()).then(|| {
            let what = format!("the call of `{}` would be gone", short(call.callee));
            // A call is all that is gone, and a name that means nothing but a check.
            let is_sure = missing <= 1 && (is_named(&name, STRICT) || is_called_no_more(revision, &name));
            let severity = if is_guard || is_sure { Severity::Critical } else { Severity::Medium };
            LostCheck::new(call.line, call.callee, what, severity)
        })
    })
}

/// Whether a function of the file that refuses stays there, and nothing of the file names it any more.
pub(super) fn is_called_no_more(revision: &Revision, name: &str) -> bool {
    let Some(own) = revision.after.functions.iter().find(|it| it.name == name) else { return false };
    let refuses_in = |text: &str| text.lines().any(|line| refuses(revision.words, line.trim()));
    let says_no = revision.new.get(own.body.clone()).is_some_and(refuses_in);
    let names = |part: Option<&str>| {
        let lines = part.unwrap_or_default().lines().map(|line| plain(revision.words, line));
        lines.into_iter().any(|line| identifiers(&line).any(|word| word == name))
    };
    name.len() > 3
        && says_no
        && !names(revision.new.get(..own.span.start))
        && !names(revision.new.get(own.span.end..))
        && !revision.new.get(own.span.clone()).unwrap_or_default().contains("export ")
}

/// A value that was cleaned on its way and goes through as it came, with nothing else changed.
pub(super) fn unwrapped(revision: &Revision) -> Option<LostCheck> {
    revision.before.calls.iter().filter(|call| !call.alone).find_map(|call| {
        let name = call.callee.rsplit(['.', ':', '>']).next().unwrap_or_default();
        let (old, new) = (call.owner?, revision.successor(call.owner?)?);
        if !is_named(name, CLEANERS) {
            return None;
        }
        let body = |source: &str, code: &Code, at: usize| {
            Some(bare(source.get(code.functions.get(at)?.body.clone())?))
        };
        let (before, after) =
            (body(revision.old, &revision.before, old)?, body(revision.new, &revision.after, new)?);
        let argument = bare(call.arguments);
        let argument =
            argument.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(&argument);
        let whole = format!("{}({argument})", bare(call.callee));
        (!argument.is_empty() && before.contains(&whole) && before.replacen(&whole, argument, 1) == after)
            .then(|| {
                let what =
                    format!("`{}` would no longer go through `{}`", short(argument), short(call.callee));
                LostCheck::new(call.line, call.callee, what, Severity::Critical)
            })
    })
}

/// Whether a call with this last name checks something.
fn checks(callee: &str, name: &str) -> bool {
    let holder = callee.strip_suffix(name).unwrap_or_default().trim_end_matches(['.', ':', '-', '>']);
    let holder = holder.rsplit(['.', ':', '>', '\\']).next().unwrap_or_default();
    let is_import = matches!(name, "require" | "require_relative" | "require_once" | "ensure")
        || name.starts_with("assert")
        || name.starts_with("Assert")
        || (callee.contains('!') && !callee.ends_with('!'));
    !is_import && (is_named(name, CHECKS) || HOLDERS.contains(&holder))
}
