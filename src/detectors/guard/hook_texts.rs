//! A host's file that is no JSON: tables that call our hook among others, or a program that is wholly ours.
//!
//! Such a table, and such a program, stays as it is; what else is in the file is its owner's.

use crate::detectors::guard::host_settings::HOOK;
use crate::detectors::guard::weakening::GuardWeakening;
use crate::model::finding::{Change, Severity};

/// What a change takes from the guard.
pub(crate) fn weakened(path: &str, change: &Change) -> Option<GuardWeakening> {
    let before = change.before.as_deref().filter(|text| text.contains(HOOK))?;
    let after = change.after.as_deref().unwrap_or_default();
    let is_lost = match path.ends_with(".toml") {
        true => {
            let kept = tables(after);
            let ours = |table: &&Vec<&str>| table.iter().any(|line| line.contains(HOOK));
            tables(before).iter().filter(ours).any(|table| !kept.contains(table))
        }
        false => before != after,
    };
    is_lost.then(|| {
        GuardWeakening::new(
            Severity::Critical,
            format!("what runs {HOOK} would be removed or called otherwise"),
        )
    })
}

/// The lines of each table, without empty ones and notes.
fn tables(text: &str) -> Vec<Vec<&str>> {
    let mut tables = vec![Vec::new()];
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if line.starts_with('[') {
            tables.push(Vec::new());
        }
        if let Some(table) = tables.last_mut() {
            table.push(line);
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_weakened(path: &str, before: &str, after: &str) -> bool {
        let change =
            Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after.to_owned()) };
        weakened(path, &change).is_some()
    }

    #[test]
    fn a_table_of_ours_stays_and_others_may_change() {
        let old = "model = \"a\"\n\n[[hooks]]\nevent = \"PreToolUse\"\ncommand = \"exec /b/steadfast-hook pre-tool-use\"\ntimeout = 60\n\n[loop]\nsteps = 5\n";
        for (from, to, found) in [
            ("steps = 5", "steps = 50", false),
            ("model = \"a\"", "model = \"b\"\n# a note", false),
            ("[loop]", "[[hooks]]\nevent = \"Stop\"\ncommand = \"beep\"\n\n[loop]", false),
            ("timeout = 60", "timeout = 1", true),
            ("\"PreToolUse\"", "\"PreToolUse\"\nmatcher = \"none\"", true),
            ("command = ", "# command = ", true),
            ("/b/steadfast-hook", "/bin/true", true),
        ] {
            assert_eq!(is_weakened("/h/.kimi/config.toml", old, &old.replace(from, to)), found, "{to}");
        }
    }

    #[test]
    fn a_program_that_calls_us_stays_as_it_is() {
        let old = "#!/bin/sh\nexec /b/steadfast-hook stop --host cline\n";
        assert!(is_weakened(".cline/hooks/Stop.sh", old, "#!/bin/sh\nexit 0\n"));
        assert!(is_weakened(".cline/hooks/Stop.sh", old, &old.replace("exec", "exit 0\nexec")));
        assert!(!is_weakened(".cline/hooks/Stop.sh", "#!/bin/sh\nbeep\n", "#!/bin/sh\nexit 0\n"));
    }
}
