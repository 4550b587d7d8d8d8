//! A file that can't be read, or what stands in its place: it is kept beside its place, never thrown away.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

/// Whether something stands at `path`, even a link to nowhere.
pub(super) fn stands(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Renames what stands in the way of a folder of the guard's: a file or a link to nowhere in the place of `.aiwg`, or of
/// a folder in it. True when something was in the way.
pub(super) fn clear_way(directory: &Path, now: Timestamp) -> io::Result<bool> {
    let parts: Vec<&Path> = directory.ancestors().collect();
    let Some(top) = parts.iter().position(|part| part.ends_with(".aiwg")) else { return Ok(false) };
    for part in parts[..=top].iter().rev() {
        if stands(part) && !part.is_dir() {
            set_aside(part, now)?;
            return Ok(true);
        }
    }
    Ok(false)
}

/// Renames what stands at a path to a name of its own, which is answered; `None` when nothing stands there.
pub(super) fn set_aside(path: &Path, now: Timestamp) -> io::Result<Option<PathBuf>> {
    let stamp = now.strftime("%Y%m%dT%H%M%SZ");
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let names = (1..100).map(|n| {
        if n == 1 { format!("{name}.damaged-{stamp}") } else { format!("{name}.damaged-{stamp}-{n}") }
    });
    let aside = names.map(|name| path.with_file_name(name)).find(|aside| !stands(aside));
    let aside = aside.ok_or_else(|| io::Error::other("no name is free for the damaged file"))?;
    match fs::rename(path, &aside) {
        Ok(()) => Ok(Some(aside)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}
