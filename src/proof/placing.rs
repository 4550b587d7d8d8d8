//! Files that are put into a copy: never through a link, which would write into the project itself.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{fs, io};

/// Whether a folder on the way to a file of the copy is a link out of the copy.
pub fn is_linked(root: &Path, name: &Path) -> bool {
    name.ancestors().skip(1).any(|folder| root.join(folder).is_symlink() && !folder.as_os_str().is_empty())
}

/// Writes a file in the place of whatever is there, with its folders.
pub fn replace(path: &Path, bytes: &[u8], mode: u32) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    remove(path)?;
    fs::write(path, bytes)?;
    fs::set_permissions(path, fs::Permissions::from_mode(mode))
}

/// Removes whatever is at a path; nothing there is fine.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}
