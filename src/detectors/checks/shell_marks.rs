//! Marks of ShellCheck in scripts, which no grammar reads: `# shellcheck disable=all`.

use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// So many rules at once are more than an exception.
const SEVERAL: usize = 3;

/// A new mark that silences every rule, or several of them for the whole script, with its line.
pub(super) fn silenced(change: &Change) -> Option<(String, u32, Severity)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_script(&change.path, new) || !new.contains("shellcheck") {
        return None;
    }
    let known: Vec<&str> = old.lines().map(str::trim).collect();
    let is_head =
        |at: usize| new.lines().take(at).all(|line| line.trim().is_empty() || line.starts_with('#'));
    new.lines().map(str::trim).enumerate().filter(|(_, line)| !known.contains(line)).find_map(|(at, line)| {
        let rest = line.strip_prefix('#')?.trim_start().strip_prefix("shellcheck ")?.trim_start();
        let list = rest.strip_prefix("disable=")?.split(' ').next()?;
        let number = u32::try_from(at + 1).unwrap_or(0);
        if list == "all" {
            return Some((
                format!("`{line}` would silence every rule of the checker"),
                number,
                Severity::High,
            ));
        }
        let is_many = list.split(',').count() >= SEVERAL && is_head(at) && !rest.contains("disable=SC1");
        is_many
            .then(|| (format!("`{line}` would silence rules for the whole file"), number, Severity::Medium))
    })
}

fn is_script(path: &str, text: &str) -> bool {
    let shell =
        text.lines().next().is_some_and(|line| line.starts_with("#!") && line.trim_end().ends_with("sh"));
    shell || [".sh", ".bash", ".bats", ".ksh"].iter().any(|end| file_name(path).ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_for_every_rule_are_told() {
        let of = |mark: &str| {
            let head = "#!/usr/bin/env bash\n";
            let change = Change {
                path: "bin/pack".to_owned(),
                before: Some(format!("{head}set -e\ntar -cf a.tar $1\n")),
                after: Some(format!("{head}{mark}set -e\ntar -cf a.tar $1\n")),
            };
            silenced(&change).map(|(_, _, severity)| severity)
        };
        assert_eq!(of("# shellcheck disable=all\n"), Some(Severity::High));
        assert_eq!(of("# shellcheck disable=SC2086,SC2046,SC2206\n"), Some(Severity::Medium));
        assert_eq!(of("# shellcheck disable=SC2086\n"), None);
        assert_eq!(of("# shellcheck shell=bash\n"), None);
        assert_eq!(of("# shellcheck enable=all\n"), None);
    }
}
