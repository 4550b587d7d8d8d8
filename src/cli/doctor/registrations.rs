//! What the client's settings register, in every scope around a folder, and what keeps it from being called.

use super::diagnosis::{DoctorFinding, Fix, Outcome};
use crate::cli::guard::{not_read, option, shown};
use crate::hosts::claude_code::settings_files::{Registered, SettingsScope};
use crate::lifecycle::session::calling::{CallingSettings, FoundSettings};
use crate::lifecycle::session::health;

const CHECK: &str = "registration";

/// What helps where hooks stand in another folder's settings.
const ELSEWHERE: &str = "start the session in the folder above that `.claude`, or `steadfast install` here, or `steadfast \
                         install --scope user` for every folder";

/// The findings about registrations.
pub(super) fn findings(calling: &CallingSettings) -> Vec<DoctorFinding> {
    let mut findings = Vec::new();
    let unreadable = calling.unreadable().map(|(file, why)| {
        let says =
            format!("{} is not JSON that the client can use ({why}): all of it may be left out", shown(file));
        DoctorFinding::new(CHECK, Outcome::Fault, says)
            .mend("mend the file; `claude doctor` and the error's line help")
    });
    findings.extend(unreadable);
    findings.extend(calling.in_force().map(|seen| of_file(calling, seen)));
    findings.extend(plugin(calling));
    let is_called = calling.in_force().next().is_some() || calling.plugin.is_some();
    let elsewhere = calling.elsewhere().map(|seen| {
        let outcome = if is_called { Outcome::Note } else { Outcome::Fault };
        let finding = DoctorFinding::new(CHECK, outcome, not_read(calling, seen));
        if is_called { finding } else { finding.mend(ELSEWHERE) }
    });
    findings.extend(elsewhere);
    if findings.is_empty() {
        let says = format!("no settings that a session in {} reads call Steadfast", shown(&calling.start));
        let mend = "`steadfast install` for this folder, `steadfast install --scope user` for every folder";
        findings.push(DoctorFinding::new(CHECK, Outcome::Fault, says).mend(mend));
    }
    findings.extend(twice(calling));
    findings
}

/// One settings file that a session here reads.
fn of_file(calling: &CallingSettings, seen: &FoundSettings) -> DoctorFinding {
    let (file, scope) = (shown(&seen.file.path), seen.file.scope);
    if let Some((by, key)) = calling.switched_off(scope) {
        let says = format!("`{key}` in {} keeps the client from calling the hooks of {file}", shown(by));
        return DoctorFinding::new(CHECK, Outcome::Fault, says)
            .mend(format!("take `{key}` out of {}", shown(by)));
    }
    let registered: Vec<&Registered> = seen.registered.iter().collect();
    let programs = calling.programs();
    let broken = programs.iter().find_map(|program| health::broken(program));
    // What one file leaves out another one may register.
    let all: Vec<&Registered> = calling.in_force().flat_map(|seen| &seen.registered).collect();
    let Some(says) = broken.or_else(|| health::left_out(&all).into_iter().next()) else {
        let says = format!("{} events call the hook, by {file} ({})", events(&registered), scope.name());
        return DoctorFinding::ok(CHECK, says);
    };
    let finding =
        DoctorFinding::new(CHECK, Outcome::Fault, says).mend(format!("`steadfast install{}`", option(scope)));
    if matches!(scope, SettingsScope::Managed)
        || !seen.file.path.starts_with(&calling.start) && scope != SettingsScope::User
    {
        return finding;
    }
    finding.fix(Fix::Register { scope: scope.name(), fail_closed: seen.is_fail_closed() })
}

fn events(registered: &[&Registered]) -> usize {
    let mut events: Vec<&str> = registered.iter().map(|one| one.event.as_str()).collect();
    events.sort_unstable();
    events.dedup();
    events.len()
}

fn plugin(calling: &CallingSettings) -> Option<DoctorFinding> {
    let folder = calling.plugin.as_deref()?;
    if calling.in_force().next().is_some() {
        let says = "the plugin is enabled too; its hooks step aside for those of the settings";
        return Some(DoctorFinding::new(CHECK, Outcome::Note, says));
    }
    if let Some((file, key)) = calling.switched_off(SettingsScope::User) {
        let says = format!("`{key}` in {} keeps the client from calling the plugin's hooks", shown(file));
        return Some(
            DoctorFinding::new(CHECK, Outcome::Fault, says)
                .mend(format!("take `{key}` out of {}", shown(file))),
        );
    }
    Some(match crate::cli::guard::plugin_executable(folder) {
        Some(found) => DoctorFinding::ok(CHECK, format!("the plugin's hooks call {}", shown(&found))),
        None => {
            DoctorFinding::new(CHECK, Outcome::Fault, "the plugin is enabled, and finds no steadfast-hook")
                .mend("./install.sh in a clone of Steadfast puts it into ~/.local/bin")
        }
    })
}

/// Two settings that call two programs: the client runs both, and an iteration would count twice.
fn twice(calling: &CallingSettings) -> Option<DoctorFinding> {
    let mut programs: Vec<&str> =
        calling.in_force().flat_map(|seen| &seen.registered).map(|one| one.program.as_str()).collect();
    programs.sort_unstable();
    programs.dedup();
    // The shared script steps aside for a hook that is called by its own path.
    programs.retain(|program| !program.contains("CLAUDE_PROJECT_DIR"));
    if programs.len() < 2 {
        return None;
    }
    let says = format!("each event calls {} programs: {}", programs.len(), programs.join(", "));
    let mend = "`steadfast uninstall --scope …` takes one of them out, or `steadfast install` in both scopes makes them one";
    Some(DoctorFinding::new(CHECK, Outcome::Warning, says).mend(mend))
}
