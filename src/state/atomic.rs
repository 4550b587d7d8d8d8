//! Writing a file so that a reader sees the old content or the new, and nothing between, whatever dies when.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use super::damaged::set_aside;
use super::own_file;

/// How the name of an unfinished file begins.
const PREFIX: &str = ".tmp-";

/// Whether a write must survive a power cut, or only the death of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Flushed to the disk before it counts: file and directory entry.
    Power,
    /// Left to the operating system: enough against kill -9, and some milliseconds cheaper.
    Process,
}

/// Writes `bytes` to `path` by a temporary file in the same directory and a rename. Missing directories are made.
pub fn write(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let begin = || tempfile::Builder::new().prefix(PREFIX).tempfile_in(directory);
    let mut file = match begin() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            fs::create_dir_all(directory)?;
            begin()?
        }
        begun => begun?,
    };
    file.write_all(bytes)?;
    if durability == Durability::Power {
        file.as_file().sync_data()?;
    }
    if let Err(refused) = file.persist(path) {
        // A folder in the file's place is not replaced by a rename.
        if !path.is_dir() {
            return Err(refused.error);
        }
        set_aside(path, jiff::Timestamp::now())?;
        refused.file.persist(path).map_err(|error| error.error)?;
    }
    if durability == Durability::Power {
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

/// Makes `copy` what `path` is now. `path` has to be a file that is only ever replaced, as [`write`] does: where the
/// file system can, both are one until then, and no byte is written.
pub fn keep_as(path: &Path, copy: &Path) -> io::Result<()> {
    let directory = copy.parent().unwrap_or(Path::new("."));
    let linked = tempfile::Builder::new().prefix(PREFIX).make_in(directory, |name| fs::hard_link(path, name));
    match linked {
        Ok(link) => link.persist(copy).map(drop).map_err(|error| error.error),
        Err(_) => write(copy, &own_file::read(path)?, Durability::Process),
    }
}

/// Removes what killed writers have left in `directory`: unfinished files that nobody has touched for `age`.
pub fn remove_leftovers(directory: &Path, age: Duration) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let unfinished = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
        let modified = || entry.metadata().and_then(|metadata| metadata.modified());
        if unfinished && modified().is_ok_and(|modified| modified.elapsed().is_ok_and(|passed| passed >= age))
        {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_copy_stays_as_it_was() {
        let dir = tempfile::tempdir().unwrap();
        let (path, copy) = (dir.path().join("state.json"), dir.path().join("state.json.bak"));
        assert!(keep_as(&path, &copy).is_err() && !copy.exists());
        for text in ["one", "two", "three"] {
            let before = fs::read(&path).ok();
            write(&path, text.as_bytes(), Durability::Process).unwrap();
            assert_eq!(fs::read(&copy).ok(), before, "before {text}");
            // Twice, as after a process that was killed between the two steps.
            for _ in 0..2 {
                keep_as(&path, &copy).unwrap();
            }
            assert_eq!(fs::read(&copy).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn only_old_unfinished_files_are_removed() {
        let dir = tempfile::tempdir().unwrap();
        let hour = Duration::from_secs(3600);
        for (name, old) in [(".tmp-old", true), (".tmp-new", false), ("state.json", true)] {
            let file = File::create(dir.path().join(name)).unwrap();
            if old {
                file.set_modified(std::time::SystemTime::now() - 2 * hour).unwrap();
            }
        }
        remove_leftovers(dir.path(), hour).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".tmp-new", "state.json"]);
    }
}
