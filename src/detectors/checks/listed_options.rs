//! Options that stand in a list: they are read together, and those of a hook are compared with what the same hook had.

use crate::detectors::checks::setting_keys::{place, value};
use crate::languages::SettingEntry;

/// What a program is given, before and after.
pub(super) struct GivenOptions {
    pub(super) program: String,
    pub(super) was: String,
    pub(super) is: String,
    /// Whether they are given to a hook that was there before.
    pub(super) is_of_hook: bool,
}

impl GivenOptions {
    /// Of a setting after a change. A hook is known by its id: its place in the file may be another.
    pub(super) fn of(new: &SettingEntry, before: &[SettingEntry], after: &[SettingEntry]) -> Self {
        let id = value(after, &format!("{}.id", place(new))).map(|it| it.value.clone());
        let old_key = match &id {
            None => Some(new.key.clone()),
            Some(id) => {
                let same = before.iter().find(|it| it.name() == "id" && it.value == *id);
                let own = new.key.strip_prefix(place(new)).unwrap_or(&new.key);
                same.map(|it| format!("{}{own}", place(it)))
            }
        };
        GivenOptions {
            is_of_hook: id.is_some() && old_key.is_some(),
            program: id.unwrap_or_else(|| "pytest".to_owned()),
            was: old_key.map(|key| joined(before, &key)).unwrap_or_default(),
            is: joined(after, &new.key),
        }
    }
}

/// All values under a key.
fn joined(all: &[SettingEntry], key: &str) -> String {
    let own = all.iter().filter(|it| it.key == key).map(|it| it.value.as_str());
    own.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::settings;

    #[test]
    fn a_hook_is_compared_with_itself() {
        let hook = |id: &str, args: &str| {
            format!("  - repo: x/{id}\n    hooks:\n      - id: {id}\n        args: [{args}]\n")
        };
        let read = |text: &str| settings(".pre-commit-config.yaml", text).unwrap_or_default();
        let before = read(&format!(
            "repos:\n{}{}",
            hook("flake8", "--select, E"),
            hook("gitleaks", "--baseline, known.json")
        ));
        let after = read(&format!("repos:\n{}", hook("gitleaks", "--baseline, known.json")));
        let new = after.iter().find(|it| it.name() == "args").unwrap();
        let given = GivenOptions::of(new, &before, &after);
        assert_eq!((given.program.as_str(), given.was.as_str()), ("gitleaks", "--baseline known.json"));
        assert_eq!(given.was, given.is);
    }
}
