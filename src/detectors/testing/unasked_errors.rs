//! Refusals that no longer ask for anything of the error: without the block that looked at it, or the text that it had.

use crate::detectors::testing::said_within::is_refusal;
use crate::languages::Assertion;
use crate::model::words::is_name_part;

/// The refusal among new ones that is an old one without what it asked of the error: its block, or the last of its arguments.
pub(super) fn unasked<'t>(old: &Assertion, new: &[&'t Assertion]) -> Option<&'t Assertion> {
    const HEADS: &[&str] = &["raise_error(", "assert.throws(", "assert.rejects("];
    const CLAIMS: &[&str] = &["assert", "expect", "should", "==", "require"];
    let is_block = |rest: &str| {
        let lower = rest.to_lowercase();
        rest.starts_with('{') && CLAIMS.iter().any(|word| lower.contains(word))
    };
    let is_argument = |rest: &str| {
        // A plain text may only say what failed.
        let is_said = old.text.starts_with("assert")
            && rest.starts_with([',', ' '])
            && rest[1..].starts_with(['"', '\'']);
        rest.starts_with(',')
            && rest.len() > 3
            && !is_said
            && HEADS.iter().any(|head| old.text.contains(head))
    };
    let is_less = |it: &&&Assertion| {
        let (whole, open) = (it.text.as_str(), it.text.trim_end_matches(')'));
        let rest = |head: &str| old.text.strip_prefix(head).map(str::to_owned);
        rest(whole).is_some_and(|rest| is_block(&rest)) || rest(open).is_some_and(|rest| is_argument(&rest))
    };
    let is_wider = |it: &&&Assertion| takes_any_kind(&old.text, &it.text);
    if is_refusal(old) {
        new.iter().find(is_less).or_else(|| new.iter().find(is_wider)).copied()
    } else {
        None
    }
}

/// Whether a refusal of one kind may be any error now: `ThrowAsync<ImportAborted>` that became `ThrowAsync<Exception>`.
fn takes_any_kind(old: &str, new: &str) -> bool {
    const BROAD: &[&str] =
        &["Exception", "Throwable", "RuntimeException", "StandardError", "Error", "BaseException"];
    let kind = |text: &str, at: usize| -> Option<String> {
        let rest = text.get(at..)?;
        let end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        rest.get(..end).filter(|it| it.starts_with(char::is_uppercase)).map(str::to_owned)
    };
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b).count();
    let start = new.get(..same).and_then(|head| head.rfind(['<', '('])).map(|at| at + 1);
    let kinds = start.and_then(|at| Some((kind(old, at)?, kind(new, at)?)));
    let throws = |at: usize| {
        let lower = old.get(..at).unwrap_or_default().to_lowercase();
        ["throw", "raise", "fails", "rejects"].iter().any(|word| lower.contains(word))
    };
    start.is_some_and(throws)
        && kinds.is_some_and(|(was, is)| !BROAD.contains(&was.as_str()) && BROAD.contains(&is.as_str()))
}
