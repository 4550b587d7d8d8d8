//! Writing a file so that a reader sees the old content or the new, and nothing between, whatever dies when.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, test_kill_process};

use super::damaged::set_aside;
use super::folders;
use super::own_file;

/// How the name of an unfinished file begins.
const PREFIX: &str = ".tmp-";
/// No write takes this long: a process that can't be seen from here may be at work in another container.
const SETTLED: Duration = Duration::from_secs(2);
/// Whoever wrote to a file so long ago has left it.
const LONG: Duration = Duration::from_secs(60);

/// Whether a write must survive a power cut, or only the death of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Durability {
    /// Flushed to the disk before it counts: file and directory entry.
    Power,
    /// Left to the operating system: enough against kill -9, and some milliseconds cheaper.
    Process,
}

/// Writes `bytes` to `path` by a temporary file in the same directory and a rename. Missing directories of the guard's own are made.
pub fn write(path: &Path, bytes: &[u8], durability: Durability) -> io::Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    let prefix = own_prefix();
    let begin = || tempfile::Builder::new().prefix(&prefix).tempfile_in(directory);
    let mut file = match begin() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            folders::make(directory)?;
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
    let linked =
        tempfile::Builder::new().prefix(&own_prefix()).make_in(directory, |name| fs::hard_link(path, name));
    match linked {
        Ok(link) => link.persist(copy).map(drop).map_err(|error| error.error),
        Err(_) => write(copy, &own_file::read(path)?, Durability::Process),
    }
}

/// Removes what killed writers have left in `directory`: unfinished files of processes that are gone, and those that
/// nobody has touched for long.
pub fn remove_leftovers(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = entry.file_name();
        let Some(rest) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)) else { continue };
        let age = if is_gone(rest) { SETTLED } else { LONG };
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        if modified.is_ok_and(|modified| modified.elapsed().is_ok_and(|passed| passed >= age)) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

/// The same in a folder and all that are in it. What can't be tidied now is tidied later.
pub fn remove_leftovers_below(directory: &Path) {
    remove_leftovers(directory).ok();
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove_leftovers_below(&entry.path());
        }
    }
}

/// How the names of this process's unfinished files begin.
fn own_prefix() -> String {
    format!("{PREFIX}{}-", std::process::id())
}

/// Whether the process that a name speaks of is not there.
fn is_gone(rest: &str) -> bool {
    let process = rest.split_once('-').and_then(|(process, _)| process.parse().ok()).and_then(Pid::from_raw);
    process.is_some_and(|process| test_kill_process(process) == Err(Errno::SRCH))
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
        let mut child = std::process::Command::new("true").spawn().unwrap();
        child.wait().unwrap();
        let (gone, own) = (format!(".tmp-{}-a", child.id()), format!(".tmp-{}-a", std::process::id()));
        let just_gone = format!(".tmp-{}-b", child.id());
        let minute = Duration::from_secs(60);
        for (name, age) in [
            (".tmp-old", 100 * minute),
            (".tmp-new", minute / 2),
            ("state.json", 100 * minute),
            (gone.as_str(), minute),
            (just_gone.as_str(), Duration::ZERO),
            (own.as_str(), minute / 2),
        ] {
            let file = File::create(dir.path().join(name)).unwrap();
            file.set_modified(std::time::SystemTime::now() - age).unwrap();
        }
        remove_leftovers(dir.path()).unwrap();
        let mut left: Vec<_> =
            fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        let mut expected = [&own, &just_gone, ".tmp-new", "state.json"].map(std::ffi::OsString::from);
        expected.sort();
        assert_eq!(left, expected);
    }
}
