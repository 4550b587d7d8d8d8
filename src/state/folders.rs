//! Making the guard's own folders: below a project, and never the project itself.
//!
//! Invariant: a project that is removed or moved away while a hook or its detached helper works stays away. The folder
//! that holds `.aiwg` is never made here, whatever the moment: each folder is made by itself, from there on downwards.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// The folder in which the guard keeps all that it has of a project.
const OUTERMOST: &str = ".aiwg";
/// The folder in which it works, seen from the project.
const ROOT: &str = ".aiwg/ralph";

/// Whether this process works in a state directory that was there, and makes no other one.
static STAYS: AtomicBool = AtomicBool::new(false);

/// From here on this process makes no state directory anew: long work in the background ends where it is taken away.
pub fn stay() {
    STAYS.store(true, Ordering::Relaxed);
}

/// Makes a folder and those on the way to it, as far as they are the guard's own. A project that is not there is an
/// error of the kind [`io::ErrorKind::NotFound`].
pub fn make(directory: &Path) -> io::Result<()> {
    make_below(directory, STAYS.load(Ordering::Relaxed))
}

fn make_below(directory: &Path, stays: bool) -> io::Result<()> {
    let Err(error) = make_one(directory, stays) else { return Ok(()) };
    let above = directory.parent().filter(|above| !above.as_os_str().is_empty());
    match above {
        Some(above) if error.kind() == io::ErrorKind::NotFound && !directory.ends_with(OUTERMOST) => {
            make_below(above, stays)?;
            make_one(directory, stays)
        }
        _ => Err(error),
    }
}

fn make_one(directory: &Path, stays: bool) -> io::Result<()> {
    let is_root = directory.ends_with(OUTERMOST) || directory.ends_with(ROOT);
    if stays && is_root {
        return if directory.is_dir() { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) };
    }
    // Whatever the error is, a folder that is there will do.
    fs::create_dir(directory).or_else(|error| if directory.is_dir() { Ok(()) } else { Err(error) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_project_that_is_gone_is_not_made_anew() {
        let place = tempfile::tempdir().unwrap();
        let project = place.path().join("project");
        let deep = project.join(".aiwg/ralph/loops/one");
        assert_eq!(make(&deep).unwrap_err().kind(), io::ErrorKind::NotFound);
        assert!(!project.exists());
        fs::create_dir(&project).unwrap();
        make(&deep).unwrap();
        make(&deep).unwrap();
        assert!(deep.is_dir());
        fs::remove_dir_all(&project).unwrap();
        for below in [".aiwg", ".aiwg/ralph", ".aiwg/ralph/objects/ab"] {
            assert!(make(&project.join(below)).is_err(), "{below}");
            assert!(!project.exists(), "{below}");
        }
    }

    #[test]
    fn what_stays_makes_no_state_directory() {
        let place = tempfile::tempdir().unwrap();
        let root = place.path().join(ROOT);
        for below in ["", "objects", "objects/ab"] {
            assert!(make_below(&root.join(below), true).is_err(), "{below}");
        }
        assert!(!place.path().join(OUTERMOST).exists());
        fs::create_dir_all(&root).unwrap();
        make_below(&root.join("objects/ab"), true).unwrap();
        assert!(root.join("objects/ab").is_dir());
    }

    #[test]
    fn outside_of_a_project_all_folders_are_made() {
        let place = tempfile::tempdir().unwrap();
        let deep = place.path().join("state/steadfast/projects");
        make(&deep).unwrap();
        assert!(deep.is_dir());
        fs::write(place.path().join("file"), "").unwrap();
        assert!(make(&place.path().join("file/below")).is_err());
    }
}
