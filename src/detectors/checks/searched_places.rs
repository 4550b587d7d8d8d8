//! Where a runner looks for tests, when a setting names places anew: whether tests are left outside of them only the
//! project's files can say, so what is found here is a suspicion until [`left_out_files`](super::left_out_files) has asked.

use crate::detectors::checks::setting_keys::{SettingRemark, list_of};
use crate::languages::{SettingEntry, file_name};
use crate::model::finding::{LeftOut, Severity};
use crate::runners;

/// Runners that are about a place of their own from the start.
const OWN_PLACES: &[&str] = &["playwright.config", "cypress.config"];

/// Settings that name places of tests in the files of one runner only.
const OWN_SETTINGS: &[(&str, &str)] = &[
    ("vitest.config", "include"),
    ("vitest.config", "projects"),
    ("jest.config", "projects"),
    ("bunfig.toml", "root"),
    ("karma.conf", "files"),
];

/// The places that a setting names now, where it named others or none before.
pub(super) fn suspected(
    path: &str,
    before: &[SettingEntry],
    after: &[SettingEntry],
) -> Option<SettingRemark> {
    let name = file_name(path);
    if !runners::is_configuration(name) {
        return None;
    }
    let has_own = OWN_PLACES.iter().any(|it| name.starts_with(it));
    let settings = runners::all().flat_map(|runner| runner.settings.places).copied();
    let own = OWN_SETTINGS.iter().filter(|(file, _)| name.starts_with(file)).map(|(_, setting)| *setting);
    settings.chain(own).find_map(|setting| {
        let is_named = |it: &&SettingEntry| list_of(it.name()) == setting && is_place(setting, &it.value);
        let places = |all: &[SettingEntry]| -> Vec<String> {
            all.iter().filter(is_named).map(|it| it.value.clone()).collect()
        };
        let (was, is) = (places(before), places(after));
        let line = after.iter().find(is_named)?.line;
        let stays = was.iter().all(|it| is.contains(it));
        if (!was.is_empty() && stays) || (was.is_empty() && has_own) {
            return None;
        }
        let quoted = |all: &[String]| all.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
        let end = match was.is_empty() {
            true => "nowhere else".to_owned(),
            false => format!("no more in {}", quoted(&was)),
        };
        let what = format!("`{setting}` would look for tests in {} and {end}", quoted(&is));
        let left_out = Some(LeftOut::Outside { now: is, before: was });
        Some(SettingRemark { found: (what, line, Severity::Low), left_out })
    })
}

/// What is included is also said of other things than tests.
fn is_place(setting: &str, value: &str) -> bool {
    setting != "include" || ["test.", "spec.", "test/", "tests/", "{test"].iter().any(|it| value.contains(it))
}
