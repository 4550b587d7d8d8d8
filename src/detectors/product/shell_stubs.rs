//! Options and functions of shell scripts that are there and do nothing, as a comment beside them says.

use crate::detectors::engine::hunks::hunks;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::shell_refusals::is_script;
use crate::languages::code::admissions;
use crate::languages::is_test_path;
use crate::model::finding::{Change, Severity};

/// What does nothing in a shell.
const NOTHINGS: &[&str] = &["", ":", "true", "return 0", "return"];

/// The first new arm or function of a script that does nothing, though it is meant to.
pub(super) fn idle_arm(change: &Change) -> Option<LostCheck> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_script(&change.path, old) || is_test_path(&change.path) || admissions(new) <= admissions(old) {
        return None;
    }
    hunks("# ", old, new)?.iter().flat_map(|hunk| &hunk.come).find_map(|line| {
        let (code, remark) = line.text.split_once('#').unwrap_or((line.text, ""));
        let arm = code.split_once(')').filter(|(head, _)| !head.contains(['(', '$', '`']));
        let body = match arm {
            Some((_, rest)) => rest.trim().strip_suffix(";;")?,
            None => code.split_once("() {")?.1.trim().strip_suffix('}')?,
        };
        let does = |it: &str| {
            !it.is_empty() && !it.starts_with("echo ") && !it.starts_with("printf ") && it != "exit 0"
        };
        let is_idle = body.split(';').map(str::trim).all(|it| NOTHINGS.contains(&it) || !does(it));
        // The comment may stand above.
        let is_said_above = || {
            let at = usize::try_from(line.number).unwrap_or_default();
            let above = new.lines().nth(at.saturating_sub(2)).unwrap_or_default().trim();
            above.starts_with('#') && admissions(above) > 0 && !old.contains(above)
        };
        (is_idle && (admissions(remark) > 0 || is_said_above())).then(|| {
            let what = format!("`{}` would be taken and do nothing", short(code));
            LostCheck::new(line.number, code.trim(), what, Severity::High)
        })
    })
}
