//! The registry's loops and sessions as the witness outside of the project has them, and what is lost against it.

use std::collections::BTreeMap;
use std::io;

use serde::{Deserialize, Serialize};

use super::entry::RegistryEntry;
use crate::state::witness::{self, Witness};

/// What the witness has of a registry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct WitnessedRegistry {
    /// Which folder it was, so that a new project in the same place is not taken for it.
    identity: String,
    loops: BTreeMap<String, RegistryEntry>,
    sessions: BTreeMap<String, String>,
}

/// Writes down what the registry is about to say.
pub(super) fn follow(
    witness: &Witness,
    loops: &BTreeMap<String, RegistryEntry>,
    sessions: &BTreeMap<String, String>,
) -> io::Result<()> {
    let old: Option<WitnessedRegistry> = witness::read(&witness.registry());
    for (id, known) in old.iter().flat_map(|old| &old.loops) {
        match loops.get(id) {
            None => witness.forget(id),
            Some(now) if now.started_at != known.started_at => witness.forget_in_force(id),
            Some(_) => {}
        }
    }
    let kept =
        WitnessedRegistry { identity: witness.identity(), loops: loops.clone(), sessions: sessions.clone() };
    if old.as_ref() == Some(&kept) {
        return Ok(());
    }
    witness::write(&witness.registry(), &kept)
}

/// What the witness knows and the registry does not say; that is put right in `loops` and `sessions`. `session` is the
/// one that asks: in a folder that was made anew only a session that goes on is known.
pub(super) fn restore(
    witness: &Witness,
    session: Option<&str>,
    loops: &mut BTreeMap<String, RegistryEntry>,
    sessions: &mut BTreeMap<String, String>,
) -> Vec<String> {
    let Some(kept) = witness::read::<WitnessedRegistry>(&witness.registry()) else { return Vec::new() };
    let goes_on = || session.is_some_and(|session| kept.sessions.contains_key(session));
    if kept.identity != witness.identity() && !goes_on() {
        return Vec::new();
    }
    let mut lost = Vec::new();
    for (id, known) in &kept.loops {
        match loops.get(id).map(|entry| less(entry, known)) {
            None => lost.push(format!("{id} is not in it")),
            Some(Some(what)) => lost.push(format!("of {id} it says {what}")),
            Some(None) => continue,
        }
        loops.insert(id.clone(), known.clone());
    }
    for (session, id) in kept.sessions.iter().filter(|(_, id)| kept.loops.contains_key(*id)) {
        if sessions.get(session) != Some(id) {
            lost.push(format!("session {session} does not work for {id} there"));
            sessions.insert(session.clone(), id.clone());
        }
    }
    lost
}

/// What of a loop is less than was known of it.
fn less(entry: &RegistryEntry, known: &RegistryEntry) -> Option<String> {
    if entry.status.is_over() && !known.status.is_over() {
        return Some("that it is over".to_owned());
    }
    if entry.open_regressions < known.open_regressions {
        return Some(format!(
            "{} open regressions, and there are {}",
            entry.open_regressions, known.open_regressions
        ));
    }
    if known.gate_open && !entry.gate_open {
        return Some("that no person is asked".to_owned());
    }
    if entry.iteration < known.iteration {
        return Some(format!("iteration {}, and it is in {}", entry.iteration, known.iteration));
    }
    (known.held && !entry.held).then(|| "that nothing is held back".to_owned())
}
