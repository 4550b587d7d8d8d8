//! Where Cline's hooks are registered, and how: an executable file for each event, called as the event is.

use crate::hosts::cline::registration::REGISTRATIONS;
use crate::hosts::installation::{Form, Installation, OwnFile, Scope, SettingsFile, line_of};

/// The data.
pub(super) static INSTALLATION: Installation = Installation {
    programs: &["cline"],
    folders: &[".cline", ".clinerules"],
    places: &[
        SettingsFile { scope: Scope::Project, variable: None, folder: ".cline/hooks", file: "" },
        SettingsFile { scope: Scope::User, variable: None, folder: ".cline/hooks", file: "" },
    ],
    form: Form::Files { files },
    trust: "These files are for Cline's command line. Its extension for editors reads them from .clinerules/hooks, by the \
            same names without `.sh`, once hooks are switched on in its settings.",
    also_runs: &[],
};

fn files(binary: &str) -> Vec<OwnFile> {
    let file = |(event, line): (&str, String)| OwnFile {
        name: format!("{event}.sh"),
        text: format!("#!/bin/sh\n# Written by `steadfast install --host cline`.\n{line}\n"),
        executable: true,
    };
    REGISTRATIONS.iter().map(|one| file((one.event, line_of("cline", one, binary)))).collect()
}
