//! Options and functions of shell scripts that are there and do nothing, as a comment beside them says, and functions that
//! say what is written in them where they worked it out.

use crate::detectors::engine::hunks::hunks;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::shell_refusals::is_script;
use crate::detectors::product::shell_work::script;
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

/// The first function of a script that worked its answer out, and has a table of written inputs and answers now.
pub(super) fn answered_by_table(change: &Change) -> Option<LostCheck> {
    let (old, new) = script(change)?;
    let was = functions(old);
    functions(new).into_iter().find_map(|(line, name, body)| {
        let (_, _, before) = was.iter().find(|(_, other, _)| *other == name)?;
        let works = |body: &[&str]| body.iter().any(|it| it.contains("$(") || it.contains('|'));
        let arms: Vec<&str> = body.iter().filter_map(|it| written_arm(it)).collect();
        let is_new = |input: &&&str| !before.iter().any(|it| it.contains(**input));
        let is_told_apart = arms.iter().filter(is_new).count() > 1;
        (works(before) && !works(&body) && is_told_apart).then(|| {
            let what = format!("`{name}` would give written answers for written inputs");
            LostCheck::new(line, name, what, Severity::High)
        })
    })
}

/// The input of an arm that answers by what is written there: `2024-02-29) echo leap ;;`. A word alone is an option or a kind.
fn written_arm(line: &str) -> Option<&str> {
    let (input, rest) = line.trim().split_once(')')?;
    let answer = rest.trim().strip_prefix("echo ").or_else(|| rest.trim().strip_prefix("printf "))?;
    let input = input.trim_matches(['(', '"', '\'', ' ']);
    let has_digits = input.chars().filter(char::is_ascii_digit).count() > 1;
    let is_written = |text: &str| !text.contains(['$', '`', '*', '?', '[']);
    (has_digits && is_written(input) && is_written(answer)).then_some(input)
}

/// The functions of a script: the line of each, its name, and the lines of its body.
fn functions(text: &str) -> Vec<(u32, &str, Vec<&str>)> {
    let heads = (1u32..).zip(text.lines()).filter_map(|(at, line)| {
        let (name, _) = line.trim_start_matches("function ").split_once("() {")?;
        Some((at, name))
    });
    let body = |at: u32| {
        let skipped = usize::try_from(at).unwrap_or_default();
        text.lines().skip(skipped).take_while(|it| !it.starts_with('}')).collect()
    };
    heads.map(|(at, name)| (at, name, body(at))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_function_of_written_answers_is_told() {
        let script = |body: &str| Some(format!("#!/bin/sh\nshelf() {{\n  {body}\n}}\n"));
        let told = |before: &str, after: &str| {
            let change =
                Change { path: "bin/shelf.sh".to_owned(), before: script(before), after: script(after) };
            answered_by_table(&change).is_some()
        };
        let works = "local width\n  width=$(wc -c <\"$1\")\n  echo $((width / 80))";
        let table = |arms: &str| format!("case $1 in\n{arms}\n  esac");
        let written = table("    A-1702) echo 12 ;;\n    B-0044) echo 7 ;;\n    *) echo 0 ;;");
        assert!(told(works, &written));
        let kinds = table("    map*) echo 90 ;;\n    book*) echo 30 ;;\n    *) return 1 ;;");
        assert!(!told(works, &kinds), "kinds are no inputs");
        assert!(!told(&written, &written.replace("echo 7", "echo 8")), "it was a table");
        assert!(!told(works, &format!("{works}\n  {written}")), "it works still");
    }
}
