//! `registry.seal`: the digests of the registries that Steadfast wrote last, so that one that something else wrote is known.

use std::io;

use crate::state::atomic::{self, Durability};
use crate::state::audit::hash;
use crate::state::layout::Layout;
use crate::state::own_file;

/// How many digests are kept: the newest, and those that a death or another writer may have left.
const KEPT: usize = 3;

fn sealed(layout: &Layout) -> Vec<String> {
    let bytes = own_file::read(&layout.registry().with_extension("seal")).unwrap_or_default();
    String::from_utf8_lossy(&bytes).split_whitespace().map(str::to_owned).collect()
}

/// Notes the bytes that are about to be written.
pub(super) fn note(layout: &Layout, bytes: &[u8]) -> io::Result<()> {
    let mut digests = vec![hash(bytes)];
    digests.extend(sealed(layout));
    digests.dedup();
    digests.truncate(KEPT);
    let path = layout.registry().with_extension("seal");
    atomic::write(&path, format!("{}\n", digests.join("\n")).as_bytes(), Durability::Process)
}

/// Whether these bytes are a registry that Steadfast wrote, or one that was never sealed.
pub(super) fn knows(layout: &Layout, bytes: &[u8]) -> bool {
    let digests = sealed(layout);
    digests.is_empty() || digests.contains(&hash(bytes))
}

/// Whether something else has written the file, or taken it away. It is read anew: who does not hold the lock may have
/// been overtaken by several writers.
pub(super) fn is_foreign(layout: &Layout) -> bool {
    match own_file::read(&layout.registry()) {
        Ok(bytes) => !knows(layout, &bytes),
        Err(error) => error.kind() == io::ErrorKind::NotFound && !sealed(layout).is_empty(),
    }
}
