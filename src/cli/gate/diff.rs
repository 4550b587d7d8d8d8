//! What a rejection would take back, as a diff.

use std::io::Write;
use std::path::Path;

use anstream::println;
use anyhow::Result;

use super::open::OpenGate;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::cli::checkpoint::patch::{Patch, PathSide};
use crate::cli::undo::{path_text, shown};
use crate::cli::{pages, reader_gone_is_fine};
use crate::lifecycle::gate::decision::{self, GateAddress};
use crate::model::finding::counted;
use crate::project::Project;
use crate::state::layout::Layout;
use crate::state::loop_state::{Kind, LoopState};

/// So many lines of a diff are shown unasked.
const BRIEF: usize = 60;

/// What a rejection would take back, from what was there before to what is there now.
pub(super) fn diff(project: &Project, layout: &Layout, one: &OpenGate) -> Result<()> {
    let whole = whole(project, layout, one)?;
    reader_gone_is_fine(pages::paged(|out| Ok(out.write_all(&whole).map(|()| 0)))?).map(drop)
}

/// The beginning of the same, before a person is asked. What can't be shown is no reason not to ask.
pub(super) fn brief(project: &Project, layout: &Layout, one: &OpenGate) {
    let whole = match whole(project, layout, one) {
        Ok(whole) => String::from_utf8_lossy(&whole).into_owned(),
        Err(error) => return println!("The difference can't be shown: {error:#}\n"),
    };
    let lines: Vec<&str> = whole.lines().collect();
    lines.iter().take(BRIEF).for_each(|line| println!("{line}"));
    match lines.len().saturating_sub(BRIEF) {
        0 if lines.is_empty() => println!("No file differs from what was there before."),
        0 => {}
        more => println!("… {}: d shows all", counted(more, "more line")),
    }
    println!();
}

fn whole(project: &Project, layout: &Layout, one: &OpenGate) -> Result<Vec<u8>> {
    let state = LoopState::read(layout, &one.loop_id)?;
    let store = Store::of_project(project.root());
    let asked = GateAddress { project, layout, loop_id: &one.loop_id, gate_id: &one.gate.gate_id };
    let paths = decision::would_take_back(asked, &state, &one.gate).map_err(anyhow::Error::msg)?;
    let before = DiffBase::of(&state, &store, one)?;
    let coloured = anstream::AutoStream::choice(&std::io::stdout()) != anstream::ColorChoice::Never;
    let mut out = Vec::new();
    for path in &paths {
        let before = before.side(&store, path);
        let mode = if let PathSide::File(_, mode) = &before { *mode } else { 0o644 };
        let after =
            std::fs::read(store.path(path)).map_or(PathSide::Absent, |bytes| PathSide::File(bytes, mode));
        let patch = Patch { path: path_text(path), before, after };
        if patch.before != patch.after {
            patch.write(&mut out, coloured)?;
        } else {
            writeln!(out, "{} is as it was before.", shown(&path_text(path)))?;
        }
    }
    Ok(out)
}

/// What was there before: the whole tree, of a loop; of a session what was kept of each file when a call first touched it,
/// the earliest first.
struct DiffBase {
    kept: Vec<Manifest>,
    is_whole: bool,
}

impl DiffBase {
    fn of(state: &LoopState, store: &Store, one: &OpenGate) -> Result<DiffBase> {
        if state.kind == Kind::Implicit {
            let mut kept = catalogue::list(store, Some(&one.loop_id))?.checkpoints;
            kept.reverse();
            return Ok(DiffBase { kept, is_whole: false });
        }
        let first = decision::first_iteration(state, &one.gate);
        let tree = decision::last_good(store, &one.loop_id, first).map_err(anyhow::Error::msg)?;
        Ok(DiffBase { kept: vec![tree.whole(store)?], is_whole: true })
    }

    fn side(&self, store: &Store, path: &Path) -> PathSide {
        let entry = self.kept.iter().find_map(|manifest| manifest.entry(path));
        match entry.map(|entry| &entry.node) {
            Some(Node::File { sha256, mode, .. }) => match store.objects().read(sha256) {
                Ok(bytes) => PathSide::File(bytes, *mode),
                Err(error) => PathSide::Unread(error.to_string()),
            },
            None if !self.is_whole => PathSide::Unread("what was there before is not kept".to_owned()),
            _ => PathSide::Absent,
        }
    }
}
