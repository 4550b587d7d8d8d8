//! What a call left: looked at after it, so that a later restore can tell the call's work from newer work.
//!
//! Invariant: a manifest is settled once; a crash before that leaves it as it was kept, which a restore can still use.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
pub use crate::checkpoint::catalogue::EndedCall;
use crate::checkpoint::manifest::{self, After, Manifest};
use crate::checkpoint::node::{Entry, Node, Skipped, Stamp, covers};
use crate::checkpoint::objects::digest_of_file;
use crate::checkpoint::objects_lock;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::{WalkBounds, WalkedFile, WalkedTree, walk};
use crate::checkpoint::way;
use crate::state::atomic::Durability;

/// Records what `call` left, in its checkpoint. Answers that checkpoint, or `None` when nothing was kept for the call,
/// which costs two looks at the disk.
pub fn settle(
    store: &Store,
    call: EndedCall<'_>,
    bounds: &WalkBounds<'_>,
    now: Timestamp,
) -> Result<Option<Manifest>, Error> {
    let Some(path) = catalogue::of_call(store, call)? else { return Ok(None) };
    let mut manifest = Manifest::read(&path)?;
    if manifest.after.is_none() {
        let changed = changes(store, &manifest, bounds);
        manifest.after = Some(After { settled_at: now, changed, ..After::default() });
        manifest.replace(&path, Durability::Process)?;
    }
    Ok(Some(manifest))
}

/// What a call that has ended was found to have changed, beside what was kept for it.
#[derive(Debug)]
pub struct SettledChanges<'a> {
    /// The call.
    pub call: EndedCall<'a>,
    /// Its tool.
    pub tool: &'a str,
    /// What it did, in a line.
    pub summary: &'a str,
    /// What was there before it; the bytes are among the objects.
    pub before: &'a [Entry],
    /// What it changed and was not kept.
    pub unkept: &'a [Skipped],
    /// When it began.
    pub began: Timestamp,
    /// The time.
    pub now: Timestamp,
}

/// Notes in a call's checkpoint which of the files that it left nothing in its text accounts for.
pub fn note_unaccounted(
    store: &Store,
    call: EndedCall<'_>,
    unaccounted: impl FnOnce(&[Entry]) -> BTreeSet<PathBuf>,
) -> Result<(), Error> {
    let Some(path) = catalogue::of_call(store, call)? else { return Ok(()) };
    let mut manifest = Manifest::read(&path)?;
    let Some(after) = manifest.after.as_mut() else { return Ok(()) };
    after.unaccounted = unaccounted(&after.changed);
    match after.unaccounted.is_empty() {
        true => Ok(()),
        false => manifest.replace(&path, Durability::Process),
    }
}

/// Adds what was found to the call's checkpoint, which is made when nothing had been kept for it.
pub fn add(store: &Store, found: &SettledChanges<'_>) -> Result<(), Error> {
    let call = found.call;
    let existing = catalogue::of_call(store, call)?.filter(|_| call.tool_call_id.is_some());
    let mut manifest = match &existing {
        Some(path) => Manifest::read(path)?,
        None => unkept(found),
    };
    let left = manifest.after.iter().flat_map(|after| &after.changed);
    let known: BTreeSet<PathBuf> =
        manifest.entries.iter().chain(left).map(|entry| entry.path.clone()).collect();
    let is_new = |skipped: &&Skipped| !known.contains(&skipped.path) && !manifest.skipped.contains(skipped);
    let unkept: Vec<Skipped> = found.unkept.iter().filter(is_new).cloned().collect();
    manifest.skipped.extend(unkept);
    let after = manifest.after.get_or_insert_with(|| After { settled_at: found.now, ..After::default() });
    for entry in found.before.iter().filter(|entry| !known.contains(&entry.path)) {
        let now = way::look(&store.path(&entry.path)).unwrap_or(Node::Other);
        after.changed.push(Entry::new(entry.path.clone(), now));
        manifest.entries.push(entry.clone());
    }
    let _writing = objects_lock::writing(store)?;
    match existing {
        Some(path) => manifest.replace(&path, Durability::Process),
        None => manifest.create(&store.layout().checkpoints(call.loop_id), Durability::Process).map(|_| ()),
    }
}

fn unkept(found: &SettledChanges<'_>) -> Manifest {
    let label = match found.call.tool_call_id {
        Some(id) => manifest::call_label(id),
        None => format!("{}{:016}", manifest::ANONYMOUS_CALL, found.now.as_microsecond()),
    };
    Manifest {
        iteration: found.call.iteration,
        tool_call_id: found.call.tool_call_id.map(str::to_owned),
        tool: Some(found.tool.to_owned()),
        summary: found.summary.to_owned(),
        ..Manifest::new(found.call.loop_id, label, found.began)
    }
}

/// How the kept paths, and what is below them, are now, where that is not as it was kept.
pub(crate) fn changes(store: &Store, manifest: &Manifest, bounds: &WalkBounds<'_>) -> Vec<Entry> {
    let kept = manifest.kept();
    // What a link has come in the way of is not looked at through the link.
    let roots = manifest.roots().into_iter().filter(|root| store.obstacle(root).is_none());
    let roots: Vec<PathBuf> = roots.map(Path::to_owned).collect();
    let tree = walk(store, &roots, bounds, &mut |found| {
        let known = kept.get(found.name).copied();
        known
            .filter(|known| is_untouched(known, found))
            .map_or_else(|| read_file(found), |known| Ok(known.clone()))
    });
    let WalkedTree { entries, skipped } = tree;
    let unread: BTreeSet<&Path> = skipped.iter().map(|skipped| skipped.path.as_path()).collect();
    let not_kept: BTreeSet<&Path> = manifest.skipped.iter().map(|skipped| skipped.path.as_path()).collect();
    let names: BTreeSet<&Path> = kept
        .keys()
        .copied()
        .chain(entries.keys().map(PathBuf::as_path))
        .chain(unread.iter().copied())
        .collect();
    let known = names.into_iter().filter(|name| kept.contains_key(name) || !covers(&not_kept, name));
    let changed = known.filter_map(|name| {
        let before = kept.get(name).map_or(&Node::Absent, |entry| &entry.node);
        let now = match entries.get(name) {
            Some(entry) => entry.node.clone(),
            None if covers(&unread, name) => Node::Other,
            None => Node::Absent,
        };
        (!before.same(&now)).then(|| Entry::new(name.to_owned(), now))
    });
    changed.collect()
}

/// A regular file's entry from its content, which is not kept.
pub(crate) fn read_file(found: &WalkedFile<'_>) -> Result<Entry, Error> {
    let (sha256, size) = digest_of_file(found.path).map_err(Error::io("read", found.path))?;
    Ok(Entry::new(found.name.to_owned(), Node::File { sha256, size, mode: Node::mode(found.metadata) }))
}

fn is_untouched(known: &Entry, found: &WalkedFile<'_>) -> bool {
    let mode = match known.node {
        Node::File { mode, .. } => mode,
        _ => return false,
    };
    known.stamp == Some(Stamp::of(found.metadata)) && mode == Node::mode(found.metadata)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::objects::Digest;
    use std::fs;

    #[test]
    fn only_an_equal_stamp_proves_that_a_file_is_untouched() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        fs::write(&path, "x").unwrap();
        let metadata = fs::symlink_metadata(&path).unwrap();
        let found = WalkedFile { name: Path::new("file"), path: &path, metadata: &metadata };
        let stamp = Stamp::of(&metadata);
        let mode = Node::mode(&metadata);
        let cases = [
            ("equal", Some(stamp), mode, true),
            ("never at rest", None, mode, false),
            ("another mode", Some(stamp), mode ^ 0o100, false),
            ("changed, time set back", Some(Stamp { ctime_ns: stamp.ctime_ns - 1, ..stamp }), mode, false),
            ("another time", Some(Stamp { mtime_ns: stamp.mtime_ns - 1, ..stamp }), mode, false),
            ("another file", Some(Stamp { inode: stamp.inode + 1, ..stamp }), mode, false),
        ];
        for (name, stamp, mode, expected) in cases {
            let node = Node::File { sha256: Digest::of(b"x"), size: 1, mode };
            let known = Entry { stamp, ..Entry::new("file".into(), node) };
            assert_eq!(is_untouched(&known, &found), expected, "{name}");
        }
    }
}
