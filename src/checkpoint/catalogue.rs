//! Which checkpoints there are.
//!
//! Invariant: one that cannot be read hides no other.

use std::fs;
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::manifest::{self, Manifest};
use crate::checkpoint::store::{Store, is_absence};

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub struct EndedCall<'a> {
    /// The loop in which it ran.
    pub loop_id: &'a str,
    /// The iteration now. The call may have begun in the one before.
    pub iteration: u32,
    /// The host's id of it; without one the newest call that had none is meant.
    pub tool_call_id: Option<&'a str>,
}

/// The checkpoints of one loop or of all.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// Those that can be read, newest first.
    pub checkpoints: Vec<Manifest>,
    /// Why the others cannot.
    pub unreadable: Vec<Error>,
}

/// All checkpoints of `loop_id`, or of every loop in the project.
pub fn list(store: &Store, loop_id: Option<&str>) -> Result<Catalogue, Error> {
    let mut catalogue = Catalogue::default();
    for path in files(store, loop_id)? {
        match Manifest::read(&path) {
            Ok(manifest) => catalogue.checkpoints.push(manifest),
            Err(error) => catalogue.unreadable.push(error),
        }
    }
    catalogue.checkpoints.sort_by(|a, b| {
        let newest = b.created_at.cmp(&a.created_at);
        newest.then_with(|| b.checkpoint_id.cmp(&a.checkpoint_id))
    });
    Ok(catalogue)
}

/// The newest checkpoint of the tool call `id`, or else the checkpoint of that id or address, in any loop.
pub fn find(store: &Store, id: &str) -> Result<Manifest, Error> {
    // The name says which are worth reading.
    let label = manifest::call_label(id);
    let mut found = Vec::new();
    let mut unreadable = None;
    for path in files(store, None)? {
        let stem = file_name(&path).split('.').next().unwrap_or_default();
        if !id.ends_with(stem) && !stem.contains(&label) {
            continue;
        }
        match Manifest::read(&path) {
            Ok(manifest) if manifest.tool_call_id.as_deref() == Some(id) => found.push((1, manifest)),
            Ok(manifest) if manifest.checkpoint_id == id || manifest.address() == id => {
                found.push((0, manifest))
            }
            Ok(_) => {}
            Err(error) => unreadable = Some(error),
        }
    }
    let newest = found.into_iter().max_by_key(|(of_call, manifest)| (*of_call, manifest.created_at));
    newest
        .map(|(_, manifest)| manifest)
        .ok_or_else(|| unreadable.unwrap_or_else(|| Error::Unknown(id.to_owned())))
}

/// The manifest of a call that has just ended, if there is one. No directory is read for a call with an id: most
/// calls have none, and a directory grows.
pub(crate) fn of_call(store: &Store, call: EndedCall<'_>) -> Result<Option<PathBuf>, Error> {
    let directory = store.layout().checkpoints(call.loop_id);
    let iterations = [Some(call.iteration), call.iteration.checked_sub(1)].into_iter().flatten();
    let Some(id) = call.tool_call_id else {
        let stems: Vec<String> =
            iterations.map(|iteration| manifest::stem(iteration, manifest::ANONYMOUS_CALL)).collect();
        let anonymous = manifests(&directory)?.into_iter().filter(|path| {
            let name = file_name(path);
            stems.iter().any(|stem| name.starts_with(stem.as_str()))
        });
        return Ok(anonymous.max());
    };
    for iteration in iterations {
        let stem = manifest::stem(iteration, &manifest::call_label(id));
        let file = |number: u32| match number {
            1 => manifest::file(&directory, &stem),
            number => manifest::file(&directory, &format!("{stem}-{number}")),
        };
        let there = (1..).map(file).take_while(|path| path.exists());
        if let Some(newest) = there.last() {
            return Ok(Some(newest));
        }
    }
    Ok(None)
}

/// The manifests of a loop, or of all.
pub(crate) fn files(store: &Store, loop_id: Option<&str>) -> Result<Vec<PathBuf>, Error> {
    if let Some(loop_id) = loop_id {
        return manifests(&store.layout().checkpoints(loop_id));
    }
    let mut files = Vec::new();
    for loop_id in loops(store)? {
        files.extend(manifests(&store.layout().checkpoints(&loop_id))?);
    }
    Ok(files)
}

/// The ids of all loops that have left something.
pub fn loops(store: &Store) -> Result<Vec<String>, Error> {
    let mut loops: Vec<String> =
        children(&store.layout().loops())?.iter().map(|path| file_name(path).to_owned()).collect();
    loops.retain(|id| !id.is_empty());
    loops.sort_unstable();
    Ok(loops)
}

fn manifests(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = children(directory)?;
    files.retain(|path| manifest::is_manifest(file_name(path)));
    Ok(files)
}

fn children(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    match fs::read_dir(directory) {
        Ok(entries) => Ok(entries.flatten().map(|entry| entry.path()).collect()),
        Err(error) if is_absence(&error) => Ok(Vec::new()),
        Err(source) => Err(Error::Io { doing: "read", path: directory.to_owned(), source }),
    }
}

fn file_name(path: &Path) -> &str {
    path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
}
