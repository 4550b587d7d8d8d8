//! The registry of an event's project, compared with what is known of it outside of the project.
//!
//! What the two say differently is critical, and it is put right from the witness.

use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::registry::{Error, Registry};
use crate::text::witness as text;

/// A registry that holds, and what was wrong with the one on disk.
#[derive(Debug, Default)]
pub(crate) struct RegistryLook {
    /// The registry.
    pub(crate) registry: Registry,
    /// What the person hears at once: something else wrote the registry.
    pub(crate) told: Vec<String>,
    /// What something else has changed in it, for the record of the loops.
    pub(crate) changed: Option<String>,
    /// What was lost of it and is restored, for the person and the agent.
    pub(crate) critical: Option<CriticalLoss>,
    /// What could not be read or written, for the log and the person.
    pub(crate) problems: Vec<String>,
}

/// What was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CriticalLoss {
    /// What the person and the agent read.
    pub message: String,
    /// Whether it is put right on the disk too.
    pub restored: bool,
}

/// Reads the registry. Without a fault nothing is locked and nothing written.
pub(crate) fn look(layout: &Layout, session: Option<&str>) -> RegistryLook {
    let (mut registry, mut damage) = Registry::read_or_rebuild(layout);
    let mut lost = registry.restore(layout, session);
    if damage.is_none() && lost.is_empty() {
        return RegistryLook { registry, ..RegistryLook::default() };
    }
    // Under the lock nobody is between two readings.
    let mended = Registry::mend(layout, HOOK_WAIT, |registry| {
        let lost = registry.restore(layout, session);
        (registry.clone(), lost)
    });
    let restored = mended.is_ok();
    let mut problems = Vec::new();
    match mended {
        Ok(((mended, still_lost), certain)) => (registry, lost, damage) = (mended, still_lost, certain),
        Err(error) => problems.push(error.to_string()),
    }
    let foreign = damage.as_ref().filter(|it| matches!(it, Error::Foreign { .. }));
    let told = foreign.map(ToString::to_string).into_iter().collect();
    let changed = (foreign.is_some() || !lost.is_empty()).then(|| text::changed(&lost));
    problems.extend(damage.as_ref().map(ToString::to_string));
    problems.dedup();
    let critical = (!lost.is_empty())
        .then(|| CriticalLoss { message: text::differs(&layout.registry(), &lost, restored), restored });
    RegistryLook { registry, told, changed, critical, problems }
}

/// What is wrong with the registry as it stands there. Nothing is put right.
pub fn fault(layout: &Layout) -> Option<String> {
    let (mut registry, damage) = Registry::read_or_rebuild(layout);
    let lost = registry.restore(layout, None);
    let damage = damage.map(|damage| damage.to_string());
    if lost.is_empty() { damage } else { Some(text::registry_changed(&lost)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_between_the_first_writings_accuses_nobody() {
        for _ in 0..100 {
            let dir = tempfile::tempdir().unwrap();
            let layout = Layout::of_project(dir.path());
            std::thread::scope(|scope| {
                for session in ["a", "b"] {
                    let layout = &layout;
                    scope.spawn(move || {
                        Registry::change(layout, HOOK_WAIT, |registry| registry.bind(session, "a-loop"))
                            .unwrap();
                    });
                    scope.spawn(move || {
                        for _ in 0..20 {
                            let looked = look(layout, Some("s"));
                            assert_eq!((looked.told, looked.problems), (Vec::<String>::new(), Vec::new()));
                        }
                    });
                }
            });
        }
    }
}
