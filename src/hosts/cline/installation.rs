//! Where Cline's hooks are registered, and how: an executable file for each event, called as the event is.

use crate::hosts::cline::registration::REGISTRATIONS;
use crate::hosts::installation::{
    HostInstallation, InstallationScope, OwnFile, SettingsFormat, SettingsPlace, line_of,
};

/// The data.
pub(super) static INSTALLATION: HostInstallation = HostInstallation {
    programs: &["cline"],
    folders: &[".cline", ".clinerules"],
    places: &[
        SettingsPlace { scope: InstallationScope::Project, variable: None, folder: ".cline/hooks", file: "" },
        SettingsPlace { scope: InstallationScope::User, variable: None, folder: ".cline/hooks", file: "" },
    ],
    form: SettingsFormat::Files { files },
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
