//! Where Droid's hooks are registered, and how.

use serde_json::{Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{Form, Installation, Scope, SettingsFile, group};

/// The data.
pub(super) static INSTALLATION: Installation = Installation {
    programs: &["droid"],
    folders: &[".factory"],
    places: &[
        SettingsFile { scope: Scope::Local, variable: None, folder: ".factory", file: "settings.local.json" },
        SettingsFile { scope: Scope::Project, variable: None, folder: ".factory", file: "settings.json" },
        SettingsFile { scope: Scope::User, variable: None, folder: ".factory", file: "settings.json" },
    ],
    form: Form::Json { entry, number: None },
    trust: "Droid reads hooks when it starts: look at them with `/hooks` in the next session.",
    also_runs: &[],
};

fn entry(registration: &Registration, command: &str) -> Value {
    group(registration, command, json!(registration.timeout_seconds))
}
