//! Opening and reading the guard's own files.
//!
//! Anybody can put something else in a file's place: a pipe that nobody writes to, a device without an end, a folder,
//! two hundred megabytes. A hook waits for none of them. What is opened is a regular file, and what is read of it is
//! bounded.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

/// The most that is read of a file, in bytes: many times what the largest of them needs.
pub const LARGEST: u64 = 64 << 20;

/// The bytes of a file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    read_within(path, LARGEST)
}

/// The bytes of a file of at most `largest` bytes; a larger one is an error, and nothing of it is read.
pub fn read_within(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    Ok(read_seen(path, largest)?.0)
}

/// As [`read_within`], with what tells the file that was read from another one.
pub(super) fn read_seen(path: &Path, largest: u64) -> io::Result<(Vec<u8>, FileIdentity)> {
    let (file, metadata) = found(OpenOptions::new().read(true), path)?;
    if metadata.len() > largest {
        return Err(io::Error::other(format!("it is larger than {largest} bytes")));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len()).unwrap_or_default());
    // The file may grow while it is read.
    file.take(largest).read_to_end(&mut bytes)?;
    Ok((bytes, FileIdentity::of(&metadata)))
}

/// What tells a file from any other in its place: who replaces it or writes to it changes this.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileIdentity {
    inode: (u64, u64),
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl FileIdentity {
    /// What stands at `path` now; `None` where nothing does.
    pub(super) fn at(path: &Path) -> Option<FileIdentity> {
        fs::metadata(path).ok().filter(Metadata::is_file).map(|metadata| FileIdentity::of(&metadata))
    }

    fn of(metadata: &Metadata) -> FileIdentity {
        FileIdentity {
            inode: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed: (metadata.ctime(), metadata.ctime_nsec()),
        }
    }
}

/// A file's text, as [`read`].
pub fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(io::Error::other)
}

/// Opens a file to read it. Who reads it bounds what is read.
pub fn open(path: &Path) -> io::Result<File> {
    regular(OpenOptions::new().read(true), path)
}

/// Opens a file with `options`, without waiting for the other end of a pipe. What is no regular file is an error.
pub fn regular(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    Ok(found(options, path)?.0)
}

fn found(options: &mut OpenOptions, path: &Path) -> io::Result<(File, Metadata)> {
    let file = options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata)) } else { Err(io::Error::other("it is not a regular file")) }
}

/// Opens a file to read it and to add to its end, and makes it where there is none.
pub fn append(path: &Path) -> io::Result<File> {
    in_its_place(OpenOptions::new().create(true).read(true).append(true), path)
}

/// Opens a lock's or a mark's file for writing, and makes it where there is none.
pub fn writable(path: &Path) -> io::Result<File> {
    in_its_place(OpenOptions::new().create(true).truncate(false).write(true), path)
}

/// What stands in a file's place and is no regular file holds nothing of ours: it is renamed, and makes room.
fn in_its_place(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    regular(options, path).or_else(|error| {
        let in_the_way = fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_file());
        if !in_the_way {
            return Err(error);
        }
        super::damaged::set_aside(path, jiff::Timestamp::now())?;
        regular(options, path)
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType, Mode, mknodat};

    use super::*;

    fn pipe(path: &Path) {
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }

    #[test]
    fn only_a_regular_file_within_the_bound_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "text").unwrap();
        symlink("file", at("link")).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read(&at(name)).unwrap(), b"text", "{name}");
        }
        pipe(&at("pipe"));
        symlink("/dev/zero", at("zero")).unwrap();
        symlink("nowhere", at("dangling")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        fs::write(at("large"), vec![b' '; 20]).unwrap();
        for name in ["pipe", "zero", "dangling", "folder", "none"] {
            assert!(read(&at(name)).is_err(), "{name}");
        }
        assert!(read_within(&at("large"), 19).is_err());
        assert_eq!(read_within(&at("large"), 20).unwrap().len(), 20);
        for name in ["pipe", "zero", "folder"] {
            assert!(regular(OpenOptions::new().append(true), &at(name)).is_err(), "{name}");
        }
    }

    #[test]
    fn a_file_that_is_replaced_or_written_to_looks_otherwise() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("file");
        assert_eq!(FileIdentity::at(&path), None);
        fs::write(&path, "one").unwrap();
        let (_, before) = read_seen(&path, LARGEST).unwrap();
        assert_eq!(FileIdentity::at(&path), Some(before));
        fs::write(dir.path().join("other"), "two").unwrap();
        fs::rename(dir.path().join("other"), &path).unwrap();
        let replaced = FileIdentity::at(&path);
        assert_ne!(replaced, Some(before));
        fs::write(&path, "longer").unwrap();
        assert_ne!(FileIdentity::at(&path), replaced);
        assert_eq!(FileIdentity::at(dir.path()), None);
    }

    #[test]
    fn what_stands_in_the_place_of_a_lock_makes_room() {
        let dir = tempfile::tempdir().unwrap();
        for name in ["pipe.lock", "folder.lock", "link.lock"] {
            let path = dir.path().join(name);
            match name {
                "pipe.lock" => pipe(&path),
                "folder.lock" => fs::create_dir(&path).unwrap(),
                _ => symlink(dir.path().join("nowhere/x"), &path).unwrap(),
            }
            writable(&path).unwrap();
            assert!(fs::symlink_metadata(&path).unwrap().is_file(), "{name}");
        }
    }
}
