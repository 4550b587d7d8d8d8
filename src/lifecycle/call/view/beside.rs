//! What a command changes without losing bytes.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::lifecycle::context::hook_context::HookContext;
use crate::shell::{Effect, EffectKind};

/// The most files that a command makes and that are noted as absent before.
const MOST_BESIDE: usize = 2_000;

/// What a command changes without losing bytes: files that it makes, which go again with an undo, and files whose
/// permissions it sets.
pub(crate) fn beside(context: &HookContext, effects: &[Effect], kept: &[PathBuf]) -> Vec<PathBuf> {
    use EffectKind::{ChangeMode, Copy, EditInPlace, Move, Overwrite, Truncate};
    let mut beside = Vec::new();
    for effect in effects {
        let named =
            || effect.targets.iter().filter(|target| !target.glob).filter_map(|target| target.path.clone());
        let paths: Vec<PathBuf> = match effect.kind {
            ChangeMode => named().filter(|path| path.is_file()).collect(),
            Overwrite | Truncate | EditInPlace => named().filter(|path| !path.exists()).collect(),
            Copy | Move => made_by_transfer(&named().collect::<Vec<_>>()),
            _ => Vec::new(),
        };
        beside.extend(paths);
    }
    let mut known: HashSet<&Path> = kept.iter().map(PathBuf::as_path).collect();
    // Where a call names more, a person is asked about it.
    let inside = beside.iter().filter(|path| path.starts_with(context.project.root())).take(MOST_BESIDE);
    inside.filter(|path| known.insert(path)).cloned().collect()
}

/// The places that a copy or a move fills and where nothing is yet.
fn made_by_transfer(paths: &[PathBuf]) -> Vec<PathBuf> {
    let Some((destination, sources)) = paths.split_last() else { return Vec::new() };
    let places = match destination.is_dir() {
        true => sources.iter().filter_map(|source| Some(destination.join(source.file_name()?))).collect(),
        false => vec![destination.clone()],
    };
    places.into_iter().filter(|place| !place.exists()).collect()
}
