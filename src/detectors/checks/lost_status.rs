//! A script whose end is told by a variable that a loop sets, and whose loop stands behind a pipe now: it has variables of
//! its own there, and the script ends well.

use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::file_name;
use crate::model::finding::Severity;

/// Shells that run such a loop in a process of its own.
const SHELLS: &[&str] = &["sh", "bash", "dash", "ash"];

/// The variable whose value would be lost, and the line that sets it.
pub(super) fn lost_in_pipe(path: &str, before: &str, after: &str) -> Option<SettingFinding> {
    if !is_script(path, after) {
        return None;
    }
    let name = ended_by(after)?;
    let line = set_behind_pipe(after, name).filter(|_| set_behind_pipe(before, name).is_none())?;
    let what = format!("`exit ${name}` would never see what the loop behind the pipe sets");
    Some((what, line, Severity::High))
}

fn is_script(path: &str, text: &str) -> bool {
    let shell = text
        .lines()
        .next()
        .filter(|line| line.starts_with("#!"))
        .and_then(|line| line.rsplit(['/', ' ']).next());
    [".sh", ".bash"].iter().any(|end| file_name(path).ends_with(end))
        || shell.is_some_and(|it| SHELLS.contains(&it))
}

/// The variable that a script ends with.
pub(crate) fn ended_by(text: &str) -> Option<&str> {
    text.lines().rev().find_map(|line| {
        let value = line.trim().strip_prefix("exit ")?.trim_matches('"');
        let name = value.strip_prefix('$')?.trim_matches(['{', '}']);
        (!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')).then_some(name)
    })
}

/// The first line that sets a variable within a loop behind a pipe.
fn set_behind_pipe(text: &str, name: &str) -> Option<u32> {
    const LOOPS: &[&str] = &["for ", "while ", "until ", "select "];
    let mut open: Vec<bool> = Vec::new();
    for (number, line) in (1u32..).zip(text.lines()) {
        let line = line.trim();
        let is_piped = LOOPS.iter().any(|head| line.contains(&format!("| {head}")));
        if is_piped || LOOPS.iter().any(|head| line.starts_with(head)) {
            open.push(is_piped);
        }
        let value = line.split([';', ' ']).find_map(|part| part.strip_prefix(name)?.strip_prefix('='));
        if open.contains(&true) && value.is_some_and(|it| !matches!(it, "0" | "")) {
            return Some(number);
        }
        if line == "done" || line.starts_with("done ") || line.ends_with("; done") {
            open.pop();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str =
        "#!/bin/sh\nbad=0\nfor it in a b; do\n  check \"$it\" || bad=1\ndone\nexit \"$bad\"\n";

    #[test]
    fn a_loop_behind_a_pipe_tells_nothing_of_its_end() {
        let piped = PLAIN.replace("for it in a b; do", "ls checks | while read -r it; do");
        assert!(lost_in_pipe("ci/all", PLAIN, &piped).is_some());
        assert!(lost_in_pipe("ci/all", &piped, &piped).is_none(), "it was so before");
        let fed = PLAIN.replace("for it in a b; do", "while read -r it; do").replace("done", "done < list");
        assert!(
            lost_in_pipe("ci/all", PLAIN, &fed).is_none(),
            "a loop that reads a file keeps its variables"
        );
        let ended = piped.replace("exit \"$bad\"\n", "");
        assert!(lost_in_pipe("ci/all", PLAIN, &ended).is_none());
    }
}
