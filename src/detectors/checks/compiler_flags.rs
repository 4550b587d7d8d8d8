//! Flags of the compiler that Cargo's configuration gives to every build: lints that are capped or allowed as a whole.

use crate::detectors::checks::setting_keys::SettingFinding;
use crate::languages::{SettingEntry, settings};
use crate::model::finding::{Change, Severity};

/// Flags after which no lint says anything, written together.
const SILENCING: &[&str] = &[
    "--cap-lints allow",
    "--cap-lints=allow",
    "--cap-lints warn",
    "--cap-lints=warn",
    "-A warnings",
    "-Awarnings",
    "-A clippy::all",
    "-Aclippy::all",
];

/// Flags that would keep all lints silent.
pub(super) fn silenced(change: &Change) -> Option<SettingFinding> {
    let is_cargos = [".cargo/config.toml", ".cargo/config"].iter().any(|name| change.path.ends_with(name));
    let after = change.after.as_deref().filter(|_| is_cargos)?;
    let (was, is) = (flags(change.before.as_deref().unwrap_or_default()), flags(after));
    let count = |all: &[(String, u32)], flag: &str| all.iter().filter(|(it, _)| it.contains(flag)).count();
    let flag = SILENCING.iter().find(|flag| count(&is, flag) > count(&was, flag))?;
    let line = is.iter().find(|(it, _)| it.contains(flag)).map_or(0, |(_, line)| *line);
    Some((format!("`{flag}` would keep the compiler's lints silent"), line, Severity::High))
}

/// The flags of each setting that has some, in a row.
fn flags(text: &str) -> Vec<(String, u32)> {
    let entries = settings("config.toml", text).unwrap_or_default();
    let mut rows: Vec<(&str, String, u32)> = Vec::new();
    for SettingEntry { key, value, line } in
        entries.iter().filter(|it| it.key.to_lowercase().contains("flags"))
    {
        let list = key.split('[').next().unwrap_or(key);
        match rows.last_mut().filter(|(known, ..)| *known == list) {
            Some((_, row, _)) => *row = format!("{row} {value}"),
            None => rows.push((list, value.clone(), *line)),
        }
    }
    rows.into_iter().map(|(_, row, line)| (row, line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_flags_that_silence_all_lints_count() {
        let rows = [
            ("[build]\nrustflags = ['--cap-lints', 'allow']\n", true),
            ("[build]\nrustflags = [\"-A\", \"warnings\"]\n", true),
            ("[target.x86_64-unknown-linux-gnu]\nrustflags = \"-Awarnings\"\n", true),
            ("[env]\nRUSTFLAGS = \"--cap-lints=warn\"\n", true),
            ("[build]\nrustflags = [\"-C\", \"target-cpu=native\"]\n", false),
            ("[build]\nrustflags = [\"-D\", \"warnings\"]\n", false),
            ("[alias]\nt = \"test\"\n", false),
        ];
        for (text, expected) in rows {
            let change =
                Change { path: ".cargo/config.toml".to_owned(), before: None, after: Some(text.to_owned()) };
            assert_eq!(silenced(&change).is_some(), expected, "{text}");
            let same = Change { before: Some(text.to_owned()), ..change };
            assert_eq!(silenced(&same), None, "{text}");
        }
    }
}
