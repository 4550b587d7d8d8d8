//! What a call left: looked at after it, so that a later restore can tell the call's work from newer work.
//!
//! Invariant: a manifest is settled once; a crash before that leaves it as it was kept, which a restore can still use.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::{After, Manifest};
use crate::checkpoint::node::{Entry, Node, Stamp};
use crate::checkpoint::objects::digest_of_file;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::{Bounds, Found, Tree, walk};
use crate::state::atomic::Durability;

/// A call that has ended.
#[derive(Debug, Clone, Copy)]
pub struct Call<'a> {
    /// The loop in which it ran.
    pub loop_id: &'a str,
    /// The iteration now. The call may have begun in the one before.
    pub iteration: u32,
    /// The host's id of it; without one the newest call that had none is meant.
    pub tool_call_id: Option<&'a str>,
}

/// Records what `call` left, in its checkpoint. Answers that checkpoint, or `None` when nothing was kept for the call,
/// which costs two looks at the disk.
pub fn settle(
    store: &Store,
    call: Call<'_>,
    bounds: &Bounds<'_>,
    now: Timestamp,
) -> Result<Option<Manifest>, Error> {
    let Some(path) = catalogue::of_call(store, call)? else { return Ok(None) };
    let mut manifest = Manifest::read(&path)?;
    if manifest.after.is_none() {
        let changed = changes(store, &manifest, bounds);
        manifest.after = Some(After { settled_at: now, changed });
        manifest.replace(&path, Durability::Process)?;
    }
    Ok(Some(manifest))
}

/// How the kept paths, and what is below them, are now, where that is not as it was kept.
pub(crate) fn changes(store: &Store, manifest: &Manifest, bounds: &Bounds<'_>) -> Vec<Entry> {
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
    let Tree { entries, skipped } = tree;
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

/// Whether `name` or a folder above it is in `set`.
pub(crate) fn covers(set: &BTreeSet<&Path>, name: &Path) -> bool {
    name.ancestors().any(|above| set.contains(above))
}

/// A regular file's entry from its content, which is not kept.
pub(crate) fn read_file(found: &Found<'_>) -> Result<Entry, Error> {
    let (sha256, size) = digest_of_file(found.path).map_err(Error::io("read", found.path))?;
    Ok(Entry::new(found.name.to_owned(), Node::File { sha256, size, mode: Node::mode(found.metadata) }))
}

fn is_untouched(known: &Entry, found: &Found<'_>) -> bool {
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
        let found = Found { name: Path::new("file"), path: &path, metadata: &metadata };
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
