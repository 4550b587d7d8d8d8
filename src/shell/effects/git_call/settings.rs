//! Settings and variables that a call of git is given for itself.

use crate::shell::effects::git_call::VALUED;
use crate::shell::model::Command;

/// How many settings by variable are read.
const MOST_SETTINGS: usize = 32;

/// The settings that a call of git is given for itself: by `-c`, and by variables.
pub(crate) fn given_settings(command: &Command) -> Vec<(String, String)> {
    let pair = |setting: &str| {
        let (name, value) = setting.split_once('=').unwrap_or((setting, "true"));
        (name.to_ascii_lowercase(), value.to_owned())
    };
    let variable = |name: &str| {
        let found = command.assignments.iter().rev().find(|(known, _)| known == name);
        found.and_then(|(_, value)| value.as_deref())
    };
    // What the variable holds may be set anywhere.
    let from_variable = |setting: &str| {
        let (name, value) = pair(setting);
        (name, variable(&value).unwrap_or("/").to_owned())
    };
    let mut settings: Vec<(String, String)> = (0..MOST_SETTINGS)
        .map_while(|n| {
            let name = variable(&format!("GIT_CONFIG_KEY_{n}"))?.to_ascii_lowercase();
            Some((name, variable(&format!("GIT_CONFIG_VALUE_{n}")).unwrap_or_default().to_owned()))
        })
        .collect();
    // `'name=value' 'name'='value'`, as git hands it to its own children.
    let parameters = variable("GIT_CONFIG_PARAMETERS").unwrap_or_default().replace("'='", "=");
    settings.extend(parameters.split('\'').map(str::trim).filter(|text| !text.is_empty()).map(pair));
    let mut words = command.words.iter().skip(1);
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-c" => settings.extend(words.next().map(|setting| pair(&setting.text))),
            "--config-env" => settings.extend(words.next().map(|setting| from_variable(&setting.text))),
            glued if glued.starts_with("--config-env=") => {
                settings.extend(glued.split_once('=').map(|(_, setting)| from_variable(setting)));
            }
            glued if glued.starts_with("-c") && glued.contains('=') => {
                settings.extend(glued.get(2..).map(pair));
            }
            option if VALUED.contains(&option) || option == "-C" => {
                words.next();
            }
            option if option.starts_with('-') => {}
            _ => break,
        }
    }
    settings
}

/// A variable, and whether a value of it means that the hooks stay out.
type Switch = (&'static str, fn(Option<&str>) -> bool);

pub(crate) static HOOKS_OFF: &[Switch] = &[
    ("HUSKY", |value| value == Some("0")),
    ("HUSKY_SKIP_HOOKS", is_set),
    ("SKIP", is_set),
    ("PRE_COMMIT_ALLOW_NO_CONFIG", is_set),
    ("LEFTHOOK", |value| matches!(value, Some("0" | "false"))),
    ("LEFTHOOK_EXCLUDE", is_set),
    ("OVERCOMMIT_DISABLE", is_set),
    ("SKIP_HOOKS", is_set),
    ("SKIP_SIMPLE_GIT_HOOKS", is_set),
];

fn is_set(value: Option<&str>) -> bool {
    value.is_none_or(|value| !matches!(value, "" | "0" | "false"))
}

/// The variables that switch hooks off.
pub(crate) fn hook_variables() -> impl Iterator<Item = &'static str> {
    HOOKS_OFF.iter().map(|(name, _)| *name)
}

/// Whether a place for hooks is one where none are.
pub(crate) fn is_no_hooks_folder(path: &str) -> bool {
    path.is_empty()
        || path.starts_with("/dev/")
        || path.starts_with("/tmp")
        || path.starts_with("/nonexistent")
}
