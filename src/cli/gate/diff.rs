//! What a rejection would take back, as a diff.

use std::path::Path;
use std::process::Command;

use anstream::println;
use anyhow::{Context, Result};

use super::open::Open;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::cli::undo::{path_text, shown};
use crate::lifecycle::gate::decision::{self, Asked};
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;

/// What a rejection would take back, as a diff from the checkpoint to what is there.
pub(super) fn diff(project: &Project, layout: &Layout, one: &Open) -> Result<()> {
    let state = LoopState::read(layout, &one.loop_id)?;
    let store = Store::of_project(project.root());
    let first = decision::first_iteration(&state, &one.gate);
    let manifest = decision::last_good(&store, &one.loop_id, first).map_err(anyhow::Error::msg)?;
    let asked = Asked { project, layout, loop_id: &one.loop_id, gate_id: &one.gate.gate_id };
    let paths = decision::would_take_back(asked, &state, &one.gate).map_err(anyhow::Error::msg)?;
    let whole = manifest.whole(&store)?;
    let scratch = tempfile::tempdir()?;
    let (old, new) = (scratch.path().join("before"), scratch.path().join("now"));
    std::fs::create_dir_all(&old)?;
    std::fs::create_dir_all(&new)?;
    for path in &paths {
        if let Some(Node::File { sha256, .. }) = whole.entry(path).map(|entry| &entry.node) {
            put(&old.join(path), &store.objects().read(sha256)?)?;
        }
        if let Ok(bytes) = std::fs::read(store.path(path)) {
            put(&new.join(path), &bytes)?;
        }
        println!("{}", shown(&path_text(path)));
    }
    // It answers 1 when there are differences, which is the point.
    Command::new("git")
        .args(["--no-pager", "diff", "--no-index", "--no-ext-diff", "before", "now"])
        .current_dir(scratch.path())
        .status()
        .context("git diff")?;
    Ok(())
}

fn put(path: &Path, bytes: &[u8]) -> Result<()> {
    if let Some(directory) = path.parent() {
        std::fs::create_dir_all(directory)?;
    }
    Ok(std::fs::write(path, bytes)?)
}
