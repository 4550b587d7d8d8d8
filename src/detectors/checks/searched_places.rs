//! Where a runner looks for tests, when a setting names places anew: whether tests are left outside of them only the
//! project's files can say, so what is found here is a suspicion until [`left_out_files`](super::left_out_files) has asked.

use crate::detectors::checks::both_settings::settings_of;
use crate::detectors::checks::setting_keys::{Found, list_name};
use crate::languages::{Entry, file_name};
use crate::model::finding::Severity;
use crate::runners;

/// How a suspicion says what is searched from now on, and what no more.
pub(super) const SEARCHED: &str = " would look for tests in ";
pub(super) const INSTEAD: &str = " and no more in ";
pub(super) const ELSEWHERE: &str = " and nowhere else";
/// Runners that are about a place of their own from the start.
const OWN_PLACES: &[&str] = &["playwright.config", "cypress.config"];

/// Settings that name places of tests in the files of one runner only.
const OWN_SETTINGS: &[(&str, &str)] =
    &[("vitest.config", "include"), ("bunfig.toml", "root"), ("karma.conf", "files")];

/// The places that a setting names now, where it named others or none before.
pub(super) fn suspected(path: &str, before: &[Entry], after: &[Entry]) -> Option<Found> {
    let name = file_name(path);
    if !runners::is_configuration(name) {
        return None;
    }
    let has_own = OWN_PLACES.iter().any(|it| name.starts_with(it));
    let settings = runners::all().flat_map(|runner| runner.settings.places).copied();
    let own = OWN_SETTINGS.iter().filter(|(file, _)| name.starts_with(file)).map(|(_, setting)| *setting);
    settings.chain(own).find_map(|setting| {
        let own = |all: &[Entry]| -> Vec<(String, u32)> {
            let named =
                all.iter().filter(|it| list_name(it.name()) == setting && is_place(setting, &it.value));
            named.map(|it| (it.value.clone(), it.line)).collect()
        };
        let (was, is) = (own(before), own(after));
        let stays = was.iter().all(|it| is.iter().any(|new| new.0 == it.0));
        let line = is.first()?.1;
        if (!was.is_empty() && stays) || (was.is_empty() && has_own) {
            return None;
        }
        let quoted = |all: &[(String, u32)]| -> String {
            all.iter().map(|(place, _)| format!("`{place}`")).collect::<Vec<_>>().join(", ")
        };
        let end = match was.is_empty() {
            true => ELSEWHERE.to_owned(),
            false => format!("{INSTEAD}{}", quoted(&was)),
        };
        Some((format!("`{setting}`{SEARCHED}{}{end}", quoted(&is)), line, Severity::Low))
    })
}

/// The same of a file that was not there.
pub(super) fn of_new_file(path: &str, text: &str) -> Option<Found> {
    suspected(path, &[], &settings_of(path, text)?)
}

/// What is included is also said of other things than tests.
fn is_place(setting: &str, value: &str) -> bool {
    setting != "include" || ["test.", "spec.", "test/", "tests/", "{test"].iter().any(|it| value.contains(it))
}
