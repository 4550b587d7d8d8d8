//! A bound on what all that is kept may take: where it is passed, the oldest calls' checkpoints go first.
//!
//! Invariant: trees of loops, tagged checkpoints, and what was kept within the last hour stay, however much they take.
//! The caller tells the person what went.

use std::fs;
use std::path::PathBuf;
use std::time::SystemTime;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::gc;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::objects_lock;
use crate::checkpoint::store::Store;

/// In so many lots all go, each before it is looked again how much is left.
const LOTS: usize = 16;

/// What was given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GivenUp {
    /// How many checkpoints of calls.
    pub checkpoints: usize,
    /// How much all took before, in bytes.
    pub before: u64,
    /// How much they take now.
    pub left: u64,
}

/// Gives up the oldest calls' checkpoints until no more than `most` bytes are taken; `None` where no more were.
pub fn hold(store: &Store, most: u64) -> Result<Option<GivenUp>, Error> {
    let before = gc::size(store)?.bytes;
    if before <= most {
        return Ok(None);
    }
    let mut given = GivenUp { checkpoints: 0, before, left: before };
    let oldest = oldest_calls(store)?;
    for lot in oldest.chunks((oldest.len() / LOTS).max(1)) {
        if given.left <= most {
            break;
        }
        {
            // Nothing may begin to build on what is being removed.
            let _alone = objects_lock::alone(store)?;
            for path in lot {
                fs::remove_file(path).map_err(Error::io("remove", path))?;
            }
        }
        given.checkpoints += lot.len();
        gc::collect(store, gc::GRACE, false, &Meter::default())?;
        given.left = gc::size(store)?.bytes;
    }
    Ok(Some(given))
}

/// The checkpoints of calls that may go, oldest first.
fn oldest_calls(store: &Store) -> Result<Vec<PathBuf>, Error> {
    let mut calls: Vec<(SystemTime, PathBuf)> = Vec::new();
    for path in catalogue::files(store, None)? {
        // What can't be read is for `checkpoint verify` to tell.
        let Ok(manifest) = Manifest::read(&path) else { continue };
        let changed = fs::metadata(&path).and_then(|metadata| metadata.modified());
        let Ok(changed) = changed else { continue };
        let is_old = changed.elapsed().is_ok_and(|age| age >= gc::GRACE);
        if is_old && !manifest.tree && manifest.tags.is_empty() {
            calls.push((changed, path));
        }
    }
    calls.sort();
    Ok(calls.into_iter().map(|(_, path)| path).collect())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::checkpoint::tests::Project;

    /// Makes what was kept just now so many hours old.
    fn age(project: &Project, hours: u64) {
        let hour = Duration::from_secs(3600);
        let then = SystemTime::now() - hour * u32::try_from(hours).unwrap();
        let mut folders = vec![project.at(".aiwg")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().flatten() {
                let is_new = || entry.metadata().unwrap().modified().unwrap().elapsed().unwrap() < hour;
                match entry.path().is_dir() {
                    true => folders.push(entry.path()),
                    false if is_new() => fs::File::open(entry.path()).unwrap().set_modified(then).unwrap(),
                    false => {}
                }
            }
        }
    }

    #[test]
    fn the_oldest_calls_go_first_and_what_is_young_stays() {
        let project = Project::new();
        let store = Store::of_project(&project.at(""));
        let keep = |n: u8| {
            project.write("data.bin", vec![n; 100_000]);
            project.keep(&format!("c{n}"), &["data.bin"]);
        };
        // The newest was named first, so that no other order is taken for that of age.
        for (n, hours) in [(1, 10), (2, 30), (3, 20)] {
            keep(n);
            age(&project, hours);
        }
        let full = gc::size(&store).unwrap().bytes;
        assert_eq!(hold(&store, full).unwrap(), None, "within the bound");
        let given = hold(&store, full - 50_000).unwrap().unwrap();
        assert_eq!((given.checkpoints, given.before), (1, full));
        let is_there = |id: &str| catalogue::find(&store, id).is_ok();
        assert_eq!(["c1", "c2", "c3"].map(is_there), [true, false, true]);
        assert!(given.left < full - 90_000, "its bytes went, too: {given:?}");
        keep(9);
        let given = hold(&store, 0).unwrap().unwrap();
        assert_eq!((given.checkpoints, is_there("c9")), (2, true), "what is young stays");
        assert!(given.left > 100_000);
    }
}
