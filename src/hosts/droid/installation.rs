//! Where Droid's hooks are registered, and how.

use serde_json::{Value, json};

use crate::hosts::Registration;
use crate::hosts::installation::{Form, Installation, Place, Scope, group};

/// The data.
pub(super) static INSTALLATION: Installation = Installation {
    programs: &["droid"],
    folders: &[".factory"],
    places: &[
        Place { scope: Scope::Local, variable: None, folder: ".factory", file: "settings.local.json" },
        Place { scope: Scope::Project, variable: None, folder: ".factory", file: "settings.json" },
        Place { scope: Scope::User, variable: None, folder: ".factory", file: "settings.json" },
    ],
    form: Form::Json { entry, number: None },
    trust: "Droid reads hooks when it starts: look at them with `/hooks` in the next session.",
    also_runs: &[],
};

fn entry(registration: &Registration, command: &str) -> Value {
    group(registration, command, json!(registration.timeout_seconds))
}
