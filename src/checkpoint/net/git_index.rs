//! Whether two indexes of git say the same: git writes one anew when nothing but a file's time has changed.

use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::store::Store;
use crate::project::index;
use crate::state::own_file;

/// The longest that is compared, in bytes.
const LONGEST: u64 = 64 << 20;

/// Whether the file `name`, which was `before` and is `now`, is an index that says the same as then. Git writes one anew
/// with permissions of its own.
pub(crate) fn same(store: &Store, name: &Path, before: &Node, now: &Node) -> bool {
    both(store, name, before, now).is_some_and(|(then, now)| says_the_same(store, name, &then, &now))
}

/// Whether it says the same as then, with the same permissions, and no file has another size in it. Git takes a file of another size for changed
/// without a look at what is in it: with line ends of its own, the same content is longer in a working tree.
pub(crate) fn same_with_sizes(store: &Store, name: &Path, before: &Node, now: &Node) -> bool {
    let (Node::File { mode, .. }, Node::File { mode: mode_now, .. }) = (before, now) else { return false };
    mode == mode_now
        && both(store, name, before, now).is_some_and(|(then, now)| {
            says_the_same(store, name, &then, &now)
                && sizes(&then).is_none_or(|then| agree(&then, sizes(&now)))
        })
}

/// The bytes of an index, then and now.
fn both(store: &Store, name: &Path, before: &Node, now: &Node) -> Option<(Vec<u8>, Vec<u8>)> {
    let (Node::File { sha256, .. }, Node::File { .. }) = (before, now) else { return None };
    if !is_index(name) {
        return None;
    }
    let now = own_file::read_within(&store.path(name), LONGEST).ok()?;
    Some((store.objects().read(sha256).ok()?, now))
}

fn says_the_same(store: &Store, name: &Path, then: &[u8], now: &[u8]) -> bool {
    let path = store.path(name);
    match (meaning(then), meaning(now)) {
        (Some(then), Some(now)) => then == now,
        _ => told(store, &path, then).is_some_and(|then| index::told(&path, &path) == Some(then)),
    }
}

/// The sizes of an index's files, in its order.
fn sizes(index: &[u8]) -> Option<Vec<u32>> {
    let mut sizes = Vec::new();
    index::entries(index, &mut |entry| sizes.push(entry.size))?;
    Some(sizes)
}

/// Whether sizes are the same, but for those that git has yet to look up: they are 0.
fn agree(then: &[u32], now: Option<Vec<u32>>) -> bool {
    now.is_some_and(|now| then.iter().zip(&now).all(|(then, now)| then == now || *then == 0 || *now == 0))
}

/// What git says of the bytes of an index, where it takes others to know what they say: one that is split, or of a
/// repository with longer names.
fn told(store: &Store, path: &Path, bytes: &[u8]) -> Option<Vec<u8>> {
    let mut file = tempfile::NamedTempFile::new_in(store.layout().root()).ok()?;
    file.write_all(bytes).ok()?;
    index::told(path, file.path())
}

/// Whether a name is that of a part which split indexes have in common. Nobody knows which of them need it, and git
/// itself removes what none does.
pub(crate) fn is_common_part(name: &Path) -> bool {
    name.file_name().is_some_and(|own| own.as_bytes().starts_with(b"sharedindex.")) && is_gits(name)
}

/// Whether a name is that of an index in a repository's own folder. Of what is outside of the project that is all there is.
pub(crate) fn is_index(name: &Path) -> bool {
    name.file_name().is_some_and(|own| own == "index") && is_gits(name)
}

fn is_gits(name: &Path) -> bool {
    name.is_absolute() || name.components().any(|part| part.as_os_str() == ".git")
}

/// What an index says of names and contents, whatever a stat said.
fn meaning(index: &[u8]) -> Option<Digest> {
    let mut said = Vec::with_capacity(index.len());
    index::entries(index, &mut |entry| {
        said.extend_from_slice(entry.name);
        said.push(0);
        said.extend_from_slice(&entry.id);
        said.extend_from_slice(&entry.mode.to_be_bytes());
        said.extend_from_slice(&entry.flags.to_be_bytes());
        said.extend_from_slice(&entry.more_flags.to_be_bytes());
    })?;
    Some(Digest::of(&said))
}
