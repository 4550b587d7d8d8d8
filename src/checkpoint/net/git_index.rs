//! Whether two indexes of git say the same: git writes one anew when nothing but a file's time has changed.

use std::path::Path;

use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::store::Store;
use crate::project::index;
use crate::state::own_file;

/// The longest that is compared, in bytes.
const LONGEST: u64 = 64 << 20;

/// Whether the file `name`, which was `before` and is `now`, is an index that says the same as then.
pub(crate) fn same(store: &Store, name: &Path, before: &Node, now: &Node) -> bool {
    let (Node::File { sha256, mode, .. }, Node::File { mode: mode_now, .. }) = (before, now) else {
        return false;
    };
    if !is_index(name) || mode != mode_now {
        return false;
    }
    let then = store.objects().read(sha256).ok().and_then(|bytes| meaning(&bytes));
    let now = own_file::read_within(&store.path(name), LONGEST).ok().and_then(|bytes| meaning(&bytes));
    then.is_some() && then == now
}

/// Whether a name is that of an index in a repository's own folder.
pub(crate) fn is_index(name: &Path) -> bool {
    let is_in_git = name.components().any(|part| part.as_os_str() == ".git");
    is_in_git && name.file_name().is_some_and(|own| own == "index")
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
