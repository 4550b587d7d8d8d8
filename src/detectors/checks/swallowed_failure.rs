//! What stands around a command and turns its failure into a success.

use crate::detectors::checks::idle_commands::says_nothing;
use crate::languages::code::bare;

/// What comes after a command and turns its failure into a success, without white space.
pub(super) const SWALLOWING: &[&str] =
    &["||true", "||exit0", "||echo", "||:", ";true", ";exit0", "||return0", "||printf", "&&true||"];
/// What an alternative says that fails all the same, without white space.
const FAILING: &[&str] = &[
    "exit1", "exit2", "exit$", "exit\"$", "return1", "false", "die", "fail", "abort", "kill", "test", "throw",
];

/// Whether the failure of the same command would be swallowed by what follows `||`; both texts without white space.
pub(super) fn is_swallowed(old: &str, new: &str) -> bool {
    let swallows = |text: &str| text.split("||").skip(1).filter(|rest| !fails(rest)).count();
    let is_left_alone = new.strip_prefix(old) == Some("&");
    is_left_alone || new.starts_with(old) && swallows(new) > swallows(old)
}

/// Whether what stands behind `||` fails as well, without white space.
fn fails(rest: &str) -> bool {
    let own = rest.split("||").next().unwrap_or(rest);
    FAILING.iter().any(|word| own.contains(word))
}

/// How a command that stays word for word is put where its failure does not count: `! a`, `if a; then ...`, `a & wait`,
/// `exit 0; a`, `a; echo done`.
pub(super) fn put_where_it_cannot_fail(before: &str, after: &str) -> Option<&'static str> {
    let (before, after) = (before.trim().trim_start_matches(['@', '-']), after.trim());
    let at = after.find(before).filter(|_| before.len() > 3)?;
    let (ahead, behind) = (after.get(..at)?.trim(), after.get(at + before.len()..)?.trim());
    let (ahead, behind) = (ahead.trim_start_matches(['@', '-']), behind.trim_start_matches(')').trim());
    let opened = ahead.trim_end_matches('(').trim();
    let last = opened.rsplit([';', '&', '|', '\n']).next().unwrap_or_default().trim();
    let fails_later = behind.contains("exit $") || fails(&bare(behind));
    if last.ends_with('#') || last.contains(" #") {
        return Some("#");
    }
    match last.split_whitespace().last() {
        Some("!") => return Some("!"),
        Some("if" | "elif" | "while" | "until") if !fails_later => return Some("if"),
        _ => {}
    }
    let is_left = |part: &str| matches!(part.trim(), "exit" | "exit 0" | "return" | "return 0");
    let is_conditional = ["then", "case ", "do "].iter().any(|word| opened.contains(word));
    if !is_conditional && opened.split([';', '\n']).any(is_left) {
        return Some("exit");
    }
    if behind.starts_with('&') && !behind.starts_with("&&") {
        let waits_for_it = ["wait $", "wait %", "wait \"$", "fg"].iter().any(|it| behind.contains(it));
        return (!waits_for_it).then_some("&");
    }
    let rest = behind.strip_prefix(';').filter(|rest| !fails_later && !rest.contains("$?"))?;
    let mut parts = rest.split(';').map(str::trim).filter(|part| !part.is_empty()).peekable();
    (parts.peek().is_some() && parts.all(says_nothing)).then_some(";")
}
