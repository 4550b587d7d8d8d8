//! Whether the registry is one that Steadfast wrote.

use std::io;

use crate::state::layout::Layout;
use crate::state::own_file;
use crate::state::seal::Seal;

/// Whether these bytes are a registry that Steadfast wrote, or one that was never sealed.
pub(super) fn knows(layout: &Layout, bytes: &[u8]) -> bool {
    Seal::read(&layout.registry()).is_none_or(|seal| seal.names(bytes))
}

/// Whether something else has written the file, or taken it away. It is read anew: who does not hold the lock may have
/// been overtaken by several writers.
pub(super) fn is_foreign(layout: &Layout) -> bool {
    match own_file::read(&layout.registry()) {
        Ok(bytes) => !knows(layout, &bytes),
        Err(error) => error.kind() == io::ErrorKind::NotFound && Seal::read(&layout.registry()).is_some(),
    }
}
