//! The registry of an event's project, compared with what is known of it outside of the project.
//!
//! What the two say differently is critical, and it is put right from the witness.

use crate::state::layout::Layout;
use crate::state::lock::HOOK_WAIT;
use crate::state::registry::{Error, Registry};
use crate::text::witness as text;

/// A registry that holds, and what was wrong with the one on disk.
#[derive(Debug, Default)]
pub(crate) struct Looked {
    /// The registry.
    pub(crate) registry: Registry,
    /// What the person hears at once: something else wrote the registry.
    pub(crate) told: Vec<String>,
    /// What was lost of it and is restored, for the person and the agent.
    pub(crate) critical: Option<Critical>,
    /// What could not be read or written, for the log and the person.
    pub(crate) problems: Vec<String>,
}

/// What was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Critical {
    /// What the person and the agent read.
    pub message: String,
    /// Whether it is put right on the disk too.
    pub restored: bool,
}

/// Reads the registry. Without a fault nothing is locked and nothing written.
pub(crate) fn look(layout: &Layout, session: Option<&str>) -> Looked {
    let (mut registry, damage) = Registry::read_or_rebuild(layout);
    let told =
        damage.iter().filter(|it| matches!(it, Error::Foreign { .. })).map(ToString::to_string).collect();
    let lost = registry.restore(layout, session);
    let mut problems: Vec<String> = damage.iter().map(ToString::to_string).collect();
    if problems.is_empty() && lost.is_empty() {
        return Looked { registry, problems, ..Looked::default() };
    }
    // Under the lock nobody is between the two.
    let mended = Registry::change(layout, HOOK_WAIT, |registry| {
        let lost = registry.restore(layout, session);
        (registry.clone(), lost)
    });
    let (lost, restored) = match mended {
        Ok((mended, lost)) => {
            registry = mended;
            (lost, true)
        }
        Err(error) => {
            problems.push(error.to_string());
            (lost, false)
        }
    };
    problems.dedup();
    let critical = (!lost.is_empty())
        .then(|| Critical { message: text::differs(&layout.registry(), &lost, restored), restored });
    Looked { registry, told, critical, problems }
}
