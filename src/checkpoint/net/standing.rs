//! The state directory that a long work has begun in, so that nothing is written into another one.
//!
//! A person may take it away while the tree is read in the background; it is not made anew for what is read then.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::checkpoint::Error;
use crate::checkpoint::store::Store;

/// A directory as it was when the work began.
pub(super) struct DirectoryIdentity {
    path: PathBuf,
    place: (u64, u64),
}

impl DirectoryIdentity {
    /// The state directory of `store`, which has to be there.
    pub(super) fn of(store: &Store) -> Result<DirectoryIdentity, Error> {
        let path = store.layout().root().to_owned();
        let place = place(&path).map_err(Error::io("read", &path))?;
        Ok(DirectoryIdentity { path, place })
    }

    /// Fails where it is gone, or is another one by now.
    pub(super) fn check(&self) -> Result<(), Error> {
        match place(&self.path) {
            Ok(now) if now == self.place => Ok(()),
            Ok(_) => Err(Error::io("write in", &self.path)(io::ErrorKind::NotFound.into())),
            Err(error) => Err(Error::io("write in", &self.path)(error)),
        }
    }
}

fn place(path: &Path) -> io::Result<(u64, u64)> {
    let directory = fs::metadata(path)?;
    Ok((directory.dev(), directory.ino()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_that_was_taken_away_is_not_the_one_in_its_place() {
        let project = tempfile::tempdir().unwrap();
        let store = Store::of_project(project.path());
        assert!(DirectoryIdentity::of(&store).is_err(), "nothing is there yet");
        let root = store.layout().root();
        fs::create_dir_all(root).unwrap();
        let standing = DirectoryIdentity::of(&store).unwrap();
        fs::write(root.join("file"), "").unwrap();
        assert!(standing.check().is_ok(), "other files in it change nothing");
        fs::rename(root, project.path().join("away")).unwrap();
        assert!(standing.check().is_err(), "gone");
        fs::create_dir_all(root).unwrap();
        assert!(standing.check().is_err(), "another one");
        fs::remove_dir(root).unwrap();
        fs::rename(project.path().join("away"), root).unwrap();
        assert!(standing.check().is_ok(), "back");
    }
}
