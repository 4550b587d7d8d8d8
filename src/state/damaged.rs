//! A file that can't be read: it is kept beside its place, never thrown away.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

/// Renames a damaged file to a name of its own, which is answered; `None` when there is no file.
pub(super) fn set_aside(path: &Path, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let stamp = now.strftime("%Y%m%dT%H%M%SZ");
    let names = (1..100)
        .map(|n| if n == 1 { format!("json.damaged-{stamp}") } else { format!("json.damaged-{stamp}-{n}") });
    let aside = names.map(|name| path.with_extension(name)).find(|aside| !aside.exists());
    let aside = aside.ok_or_else(|| io::Error::other("no name is free for the damaged file"))?;
    match fs::rename(path, &aside) {
        Ok(()) => Ok(Some(aside)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
