//! Which loop a command means.

use anyhow::{Result, bail};

use super::args::OneLoop;
use crate::cli::seen::works::meant;
use crate::state::layout::Layout;
use crate::state::registry::{Kind, Registry, RegistryEntry};

/// The named loop, by its id or by the name that status shows of a session's own guard; or the only one that fits.
pub(super) fn resolve(
    layout: &Layout,
    which: &OneLoop,
    fits: impl Fn(&RegistryEntry) -> bool,
) -> Result<String> {
    if let Some(id) = which.named() {
        crate::state::loop_id::check(id)?;
        // What is asked about a loop that is not there would leave a folder of its name.
        return Ok(meant(layout, Some(id))?.loop_id);
    }
    let registry = Registry::read(layout)?;
    let mut ids: Vec<&String> = registry
        .loops
        .iter()
        .filter(|(_, entry)| entry.kind == Kind::Explicit && fits(entry))
        .map(|(id, _)| id)
        .collect();
    match (ids.pop(), ids.is_empty()) {
        (Some(id), true) => Ok(id.clone()),
        (None, _) => bail!("no loop fits; `steadfast status --all` lists them"),
        (Some(id), false) => bail!(
            "several loops fit: {id}, {}; name one",
            ids.iter().map(|s| s.as_str()).collect::<Vec<_>>().join(", ")
        ),
    }
}
