//! The files on which a decision rests, each kept a second time outside of the project.
//!
//! What a loop is held to must not be what a script of the agent's writes: such a file is read from its second copy, and
//! one that says something else is told and put back. A copy that can't be written is none, and the project's own file
//! counts. So it does in a project that an older version has left.
//!
//! Invariant: a copy is written before its file and names what stood there before, so that a death between the two, or a
//! reader, accuses nobody.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;

use jiff::Timestamp;
use rustix::fs::{Access, access};
use rustix::io::Errno;

use super::atomic::{self, Durability};
use super::audit::hash;
use super::damaged::set_aside;
use super::layout::Layout;
use super::lock;
use super::own_file;

/// How many digests a copy names: its own, and those that a death or another writer may have left in the file's place.
const KNOWN: usize = 3;
/// What stands for a file that was not there.
const ABSENT: &str = "";
/// So long after its copy a file may be missing because its writer has died, or is about to write it.
const ON_THE_WAY: Duration = Duration::from_secs(60);
/// How often a difference is looked at, and the pause in between: another process may be writing.
const LOOKS: usize = 3;
const PAUSE: Duration = Duration::from_millis(3);
/// How long a writer waits until another one is done, before it goes on beside it.
const OTHERS_WAIT: Duration = Duration::from_millis(300);
/// The largest file that is kept as it is, in bytes.
const LARGEST_KEPT: u64 = 1 << 20;
/// The longest first line that a copy has, in bytes.
const LONGEST_LINE: u64 = 1024;

/// Files in one folder of the guard's, and their second copies.
#[derive(Debug)]
pub struct DoubledFiles {
    folder: PathBuf,
    /// Where the copies lie; `None` where none can be kept.
    copies: Option<PathBuf>,
}

/// A file's second copy.
#[derive(PartialEq)]
struct KeptCopy {
    known: Vec<String>,
    bytes: Vec<u8>,
}

/// How a file stands to its copy.
enum CopyStanding {
    /// It is the same, or has none.
    Same,
    /// It is older than the copy, by a death or by a writer that is at work.
    Behind(Vec<u8>),
    /// Something else has written or removed it.
    Foreign(Vec<u8>),
}

impl DoubledFiles {
    /// The files of a loop.
    pub fn of_loop(layout: &Layout, loop_id: &str) -> DoubledFiles {
        DoubledFiles { folder: layout.loop_dir(loop_id), copies: usable(layout, Some(loop_id)) }
    }

    /// The files that hold for all loops of a project.
    pub fn of_project(layout: &Layout) -> DoubledFiles {
        DoubledFiles { folder: layout.root().to_owned(), copies: usable(layout, None) }
    }

    /// What a file says.
    pub fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        match self.copy(name) {
            Some(copy) => Ok(copy.bytes),
            None => own_file::read(&self.folder.join(name)),
        }
    }

    /// Writes a file, its copy first.
    pub fn write(&self, name: &str, bytes: &[u8], durability: Durability) -> io::Result<()> {
        let path = self.folder.join(name);
        let _others_wait = self.hold();
        if let Some(copy) = self.copies.as_ref().map(|copies| copies.join(name)) {
            let before = || vec![own_file::read(&path).map_or(ABSENT.to_owned(), |bytes| hash(&bytes))];
            let mut known = vec![hash(bytes)];
            known.extend(known_of(&copy).unwrap_or_else(before));
            known.dedup();
            known.truncate(KNOWN);
            if write_copy(&copy, &known, bytes).is_err() {
                // An old word is worse than none.
                fs::remove_file(&copy).ok();
            }
        }
        atomic::write(&path, bytes, durability)
    }

    /// Holds other writers of these files off: of two at once one would not name what the other leaves. A writer that
    /// hangs is not waited for.
    fn hold(&self) -> Option<fs::File> {
        let folder = fs::File::open(self.copies.as_ref()?).ok()?;
        let is_held = lock::within(OTHERS_WAIT, || folder.try_lock()).unwrap_or(false);
        is_held.then_some(folder)
    }

    /// Keeps a file a second time that was written already and stays as it is, where it is not too large to be compared
    /// with at each event.
    pub fn keep(&self, name: &str) {
        let read = || own_file::read_within(&self.folder.join(name), LARGEST_KEPT);
        if let (Some(copies), Ok(bytes)) = (&self.copies, read()) {
            // What can't be kept twice counts as it is.
            write_copy(&copies.join(name), &[hash(&bytes)], &bytes).ok();
        }
    }

    /// Removes a file, its copy first.
    pub fn remove(&self, name: &str) {
        for folder in self.copies.iter().chain([&self.folder]) {
            fs::remove_file(folder.join(name)).ok();
        }
    }

    /// The names of the files in a folder of these, as they are read here.
    pub fn names_in(&self, folder: &str) -> Vec<String> {
        let copies = self.copies.as_ref().map(|copies| copies.join(folder)).filter(|copies| copies.is_dir());
        let listed = names(&copies.unwrap_or_else(|| self.folder.join(folder)));
        listed.into_iter().map(|name| format!("{folder}/{name}")).collect()
    }

    /// The files that something else has written or removed.
    pub fn differing(&self) -> Vec<String> {
        let names = self.kept().into_iter();
        names.filter(|name| matches!(self.standing(name), CopyStanding::Foreign(_))).collect()
    }

    /// Makes the files what their copies say. Answers those that something else had changed, and whether all of it could
    /// be written.
    pub fn put_back(&self) -> (Vec<String>, bool) {
        let (mut changed, mut written) = (Vec::new(), true);
        for name in self.kept() {
            let path = self.folder.join(&name);
            let bytes = match self.standing(&name) {
                CopyStanding::Same => continue,
                CopyStanding::Behind(bytes) => bytes,
                CopyStanding::Foreign(bytes) => {
                    written &= set_aside(&path, Timestamp::now()).is_ok();
                    changed.push(name);
                    bytes
                }
            };
            written &= atomic::write(&path, &bytes, Durability::Process).is_ok();
        }
        (changed, written)
    }

    /// Whether a file has a second copy.
    pub fn has(&self, name: &str) -> bool {
        self.copies.as_ref().is_some_and(|copies| copies.join(name).is_file())
    }

    /// The files that have a copy.
    fn kept(&self) -> Vec<String> {
        let Some(copies) = &self.copies else { return Vec::new() };
        let mut kept = names(copies);
        let folders: Vec<String> = kept.extract_if(.., |name| copies.join(name).is_dir()).collect();
        kept.extend(folders.iter().flat_map(|folder| self.names_in(folder)));
        kept.sort();
        kept
    }

    fn standing(&self, name: &str) -> CopyStanding {
        let path = self.folder.join(name);
        let look = || (self.copy(name), own_file::read(&path).ok());
        let mut last = look();
        for _ in 0..LOOKS {
            let (Some(copy), file) = &last else { return CopyStanding::Same };
            if file.as_ref() == Some(&copy.bytes) {
                return CopyStanding::Same;
            }
            let stood = file.as_ref().map_or(ABSENT.to_owned(), |bytes| hash(bytes));
            if copy.known.contains(&stood) && (file.is_some() || self.is_young(name)) {
                return CopyStanding::Behind(copy.bytes.clone());
            }
            sleep(PAUSE);
            let now = look();
            if now == last {
                break;
            }
            last = now;
        }
        last.0.map_or(CopyStanding::Same, |copy| CopyStanding::Foreign(copy.bytes))
    }

    fn is_young(&self, name: &str) -> bool {
        let written =
            self.copies.as_ref().and_then(|copies| fs::metadata(copies.join(name)).ok()?.modified().ok());
        written.is_some_and(|at| at.elapsed().is_ok_and(|passed| passed < ON_THE_WAY))
    }

    fn copy(&self, name: &str) -> Option<KeptCopy> {
        let mut bytes = own_file::read(&self.copies.as_ref()?.join(name)).ok()?;
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let known = serde_json::from_slice(bytes.get(..end)?).ok()?;
        bytes.drain(..=end);
        Some(KeptCopy { known, bytes })
    }
}

/// Where copies lie. One that can't be written would be an old word, so there it is none.
fn usable(layout: &Layout, loop_id: Option<&str>) -> Option<PathBuf> {
    let witness = layout.witness()?;
    let is_closed = matches!(access(witness.folder(), Access::WRITE_OK), Err(Errno::ACCESS | Errno::ROFS));
    (!is_closed).then(|| witness.copies(loop_id))
}

/// Writes a copy: the digests that it names in a line, and the file's bytes.
fn write_copy(path: &Path, known: &[String], bytes: &[u8]) -> io::Result<()> {
    let line = serde_json::to_vec(known)?;
    atomic::write(path, &[&line, &b"\n"[..], bytes].concat(), Durability::Process)
}

/// The digests that a copy names.
fn known_of(copy: &Path) -> Option<Vec<String>> {
    let mut line = String::new();
    BufReader::new(own_file::open(copy).ok()?.take(LONGEST_LINE)).read_line(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

/// The names in a folder, without unfinished files.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    names.filter(|name| !name.starts_with('.')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places() -> (tempfile::TempDir, DoubledFiles) {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(&dir.path().join("p")).witnessed_below(&dir.path().join("outside"));
        fs::create_dir_all(layout.loop_dir("l")).unwrap();
        let twice = DoubledFiles::of_loop(&layout, "l");
        (dir, twice)
    }

    #[test]
    fn what_something_else_writes_or_removes_is_put_back_and_named() {
        let (_dir, twice) = places();
        for name in ["terms.json", "questions/a.json"] {
            for text in ["one", "two", "three"] {
                twice.write(name, text.as_bytes(), Durability::Process).unwrap();
            }
        }
        assert_eq!(twice.put_back(), (Vec::new(), true));
        fs::write(twice.folder.join("terms.json"), "forged").unwrap();
        fs::remove_file(twice.folder.join("questions/a.json")).unwrap();
        assert_eq!(twice.read("terms.json").unwrap(), b"three");
        assert_eq!(twice.names_in("questions"), ["questions/a.json"]);
        let both = ["questions/a.json", "terms.json"];
        assert_eq!(twice.differing(), both);
        assert_eq!(twice.put_back(), (both.map(str::to_owned).to_vec(), true));
        assert_eq!(fs::read(twice.folder.join("terms.json")).unwrap(), b"three");
        assert_eq!(twice.put_back(), (Vec::new(), true));
        twice.remove("terms.json");
        assert!(twice.read("terms.json").is_err() && !twice.has("terms.json"));
    }

    #[test]
    fn a_death_between_the_two_accuses_nobody() {
        let (_dir, twice) = places();
        // The first writing, and one over what an older version has left.
        for before in [None, Some("old")] {
            let path = twice.folder.join("watch.json");
            twice.write("watch.json", b"new", Durability::Process).unwrap();
            match before {
                None => fs::remove_file(&path).unwrap(),
                Some(_) => fs::write(&path, "new").unwrap(),
            }
            assert_eq!(twice.put_back(), (Vec::new(), true), "{before:?}");
            assert_eq!(fs::read(&path).unwrap(), b"new");
        }
        twice.write("watch.json", b"newer", Durability::Process).unwrap();
        fs::write(twice.folder.join("watch.json"), "new").unwrap();
        assert_eq!(twice.put_back(), (Vec::new(), true));
        assert_eq!(fs::read(twice.folder.join("watch.json")).unwrap(), b"newer");
    }

    #[test]
    fn without_a_copy_the_file_counts() {
        let (_dir, twice) = places();
        fs::write(twice.folder.join("terms.json"), "of an older version").unwrap();
        assert_eq!(twice.read("terms.json").unwrap(), b"of an older version");
        assert_eq!(twice.put_back(), (Vec::new(), true));
    }
}
