//! Content-addressed blobs: `objects/ab/cdef…` holds the raw bytes whose SHA-256 is `abcdef…`.
//!
//! Invariant: a blob is written whole under its name or not at all, never changed, and checked whenever it is read.
//! Raw bytes, not compressed ones: `cp` is enough to recover a file by hand.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest as _, Sha256};

use crate::checkpoint::Error;
pub use crate::checkpoint::digest::Digest;
pub(crate) use crate::checkpoint::digest::{from_hex, to_hex};
use crate::state::atomic::Durability;
use crate::state::folders;
use crate::state::own_file;

/// Up to here a file is read into memory at once, in bytes; a larger one is streamed.
const IN_MEMORY: u64 = 1 << 20;
/// A blob is younger than this for whoever needs it, and [`gc`](crate::checkpoint::gc) leaves it alone for longer.
const RENEWED_AFTER: Duration = Duration::from_secs(10 * 60);
const BUFFER: usize = 128 << 10;

/// The blobs of one project.
#[derive(Debug, Clone)]
pub struct Objects {
    root: PathBuf,
}

impl Objects {
    /// The blobs under `root`. Touches no disk.
    pub fn at(root: PathBuf) -> Self {
        Objects { root }
    }

    /// Where the blob is, if it is there.
    pub fn path(&self, digest: &Digest) -> PathBuf {
        let name = digest.to_string();
        let (directory, rest) = name.split_at(2);
        self.root.join(directory).join(rest)
    }

    /// Keeps the content of the regular file at `path` and answers its digest and its size in bytes. A link is not
    /// followed: it is an error, like a file that is none by the time it is opened.
    pub fn keep_file(&self, path: &Path, durability: Durability) -> Result<(Digest, u64), Error> {
        let (mut file, size) = open_regular(path).map_err(Error::io("read", path))?;
        if size <= IN_MEMORY {
            let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0) + 1);
            file.read_to_end(&mut bytes).map_err(Error::io("read", path))?;
            return self.keep(&bytes, durability);
        }
        if let Some(mut blob) = self.clone_of(&file)? {
            let (digest, size) =
                hash(blob.as_file_mut(), &mut io::sink()).map_err(Error::io("read", path))?;
            return self.place(blob, &digest, size, durability);
        }
        // Read twice rather than write once more: usually a large file is here already.
        let (digest, size) = hash(&mut file, &mut io::sink()).map_err(Error::io("read", path))?;
        if let Ok(known) = fs::metadata(self.path(&digest))
            && known.len() == size
        {
            self.renew(&digest, &known);
            return Ok((digest, size));
        }
        let (mut file, _) = open_regular(path).map_err(Error::io("read", path))?;
        let mut blob = self.new_blob(&self.root)?;
        let (digest, size) = hash(&mut file, &mut blob).map_err(Error::io("copy", path))?;
        self.place(blob, &digest, size, durability)
    }

    /// A copy that shares the file's blocks, so that nothing is written; `None` where the file system has none such.
    fn clone_of(&self, file: &File) -> Result<Option<tempfile::NamedTempFile>, Error> {
        let blob = self.new_blob(&self.root)?;
        #[cfg(target_os = "linux")]
        if rustix::fs::ioctl_ficlone(blob.as_file(), file).is_ok() {
            return Ok(Some(blob));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = file;
        Ok(None)
    }

    /// Gives a blob that was written its name, unless it is here already.
    fn place(
        &self,
        blob: tempfile::NamedTempFile,
        digest: &Digest,
        size: u64,
        durability: Durability,
    ) -> Result<(Digest, u64), Error> {
        let path = self.path(digest);
        if let Some(known) = fs::metadata(&path).ok().filter(|known| known.len() == size) {
            self.renew(digest, &known);
            return Ok((*digest, size));
        }
        let directory = path.parent().unwrap_or(&self.root);
        folders::make(directory).map_err(Error::io("create", directory))?;
        self.finish(blob, digest, durability)?;
        Ok((*digest, size))
    }

    /// Keeps `bytes` and answers their digest and size. A blob that is here but damaged is replaced.
    pub fn keep(&self, bytes: &[u8], durability: Durability) -> Result<(Digest, u64), Error> {
        let digest = Digest::of(bytes);
        let path = self.path(&digest);
        let known = fs::metadata(&path).ok().filter(|known| {
            known.len() == bytes.len() as u64 && fs::read(&path).is_ok_and(|known| known == bytes)
        });
        if let Some(known) = known {
            self.renew(&digest, &known);
        } else {
            let directory = path.parent().unwrap_or(&self.root);
            let mut blob = self.new_blob(directory)?;
            blob.write_all(bytes).map_err(Error::io("write", &path))?;
            self.finish(blob, &digest, durability)?;
        }
        Ok((digest, bytes.len() as u64))
    }

    /// A blob that is needed again looks new to whoever collects old ones.
    fn renew(&self, digest: &Digest, known: &fs::Metadata) {
        let is_old = |time: SystemTime| time.elapsed().is_ok_and(|age| age > RENEWED_AFTER);
        if known.modified().is_ok_and(is_old) {
            let _ = File::open(self.path(digest)).and_then(|blob| blob.set_modified(SystemTime::now()));
        }
    }

    /// Copies a blob to `writer`. When it is missing or damaged the error names it, and what was written by then is
    /// to be thrown away.
    pub fn copy_to(&self, digest: &Digest, writer: &mut dyn Write) -> Result<u64, Error> {
        let path = self.path(digest);
        let mut file = own_file::open(&path).map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => Error::MissingObject(*digest),
            _ => Error::Io { doing: "read", path: path.clone(), source },
        })?;
        let (found, size) = hash(&mut file, writer).map_err(Error::io("copy", &path))?;
        if found != *digest {
            return Err(Error::DamagedObject(*digest));
        }
        Ok(size)
    }

    /// A blob's bytes, whole and checked.
    pub fn read(&self, digest: &Digest) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        self.copy_to(digest, &mut bytes)?;
        Ok(bytes)
    }

    /// Whether a blob is there and undamaged.
    pub fn verify(&self, digest: &Digest) -> Result<(), Error> {
        self.copy_to(digest, &mut io::sink()).map(|_| ())
    }

    /// Readable by the owner alone, whatever the file allowed: it may hold a secret.
    fn new_blob(&self, directory: &Path) -> Result<tempfile::NamedTempFile, Error> {
        folders::make(directory).map_err(Error::io("create", directory))?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".tmp-").permissions(Permissions::from_mode(0o400));
        builder.tempfile_in(directory).map_err(Error::io("write in", directory))
    }

    fn finish(
        &self,
        blob: tempfile::NamedTempFile,
        digest: &Digest,
        durability: Durability,
    ) -> Result<(), Error> {
        let path = self.path(digest);
        let directory = path.parent().unwrap_or(&self.root);
        if durability == Durability::Power {
            blob.as_file().sync_data().map_err(Error::io("write", &path))?;
        }
        blob.persist(&path).map_err(|error| error.error).map_err(Error::io("write", &path))?;
        if durability == Durability::Power {
            let synced = File::open(directory).and_then(|directory| directory.sync_all());
            synced.map_err(Error::io("write", directory))?;
        }
        Ok(())
    }
}

/// The digest and size of the regular file at `path`, read but not kept.
pub fn digest_of_file(path: &Path) -> io::Result<(Digest, u64)> {
    let (mut file, _) = open_regular(path)?;
    hash(&mut file, &mut io::sink())
}

/// Opens without following a link and without waiting for the other end of a pipe, in case the file was exchanged
/// since it was looked at.
fn open_regular(path: &Path) -> io::Result<(File, u64)> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_file() { Ok((file, metadata.len())) } else { Err(io::Error::other("not a regular file")) }
}

fn hash(from: &mut File, to: &mut dyn Write) -> io::Result<(Digest, u64)> {
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; BUFFER];
    let mut size = 0;
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => return Ok((Digest::from_bytes(hasher.finalize().into()), size)),
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let chunk = buffer.get(..read).unwrap_or_default();
        hasher.update(chunk);
        to.write_all(chunk)?;
        size += read as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn objects() -> (tempfile::TempDir, Objects) {
        let directory = tempfile::tempdir().unwrap();
        let objects = Objects::at(directory.path().join("objects"));
        (directory, objects)
    }

    fn blobs(objects: &Objects) -> usize {
        let directories = fs::read_dir(&objects.root).unwrap().map(|entry| entry.unwrap().path());
        directories.map(|path| fs::read_dir(path).unwrap().count()).sum()
    }

    #[test]
    fn keeps_the_raw_bytes_under_their_hash_once() {
        let (_directory, objects) = objects();
        let (digest, size) = objects.keep(b"abc", Durability::Process).unwrap();
        assert_eq!(
            (digest.to_string().as_str(), size),
            ("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", 3)
        );
        let path = objects.root.join("ba/7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(fs::read(&path).unwrap(), b"abc");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o400);
        objects.keep(b"abc", Durability::Power).unwrap();
        assert_eq!(blobs(&objects), 1);
    }

    #[test]
    fn keeps_files_of_any_size_alike() {
        let (directory, objects) = objects();
        for size in [0, 1, IN_MEMORY - 1, IN_MEMORY, IN_MEMORY + 1, IN_MEMORY * 3 + 7] {
            let bytes: Vec<u8> = (0..size).map(|n| (n % 251) as u8).collect();
            let path = directory.path().join("file");
            fs::write(&path, &bytes).unwrap();
            for round in 0..2 {
                let kept = objects.keep_file(&path, Durability::Process).unwrap();
                assert_eq!(kept, (Digest::of(&bytes), size), "{size} bytes, round {round}");
                assert_eq!(objects.read(&kept.0).unwrap(), bytes, "{size} bytes, round {round}");
            }
        }
    }

    #[test]
    fn names_a_blob_that_is_damaged_or_missing_and_heals_it() {
        let (_directory, objects) = objects();
        let (digest, _) = objects.keep(b"the content", Durability::Process).unwrap();
        let path = objects.path(&digest);
        for damage in [&b""[..], b"the", b"the c0ntent"] {
            fs::remove_file(&path).unwrap();
            fs::write(&path, damage).unwrap();
            let error = objects.read(&digest).unwrap_err();
            assert!(matches!(error, Error::DamagedObject(named) if named == digest), "{damage:?}: {error}");
            assert!(error.to_string().contains(&digest.to_string()), "{damage:?}: {error}");
            objects.keep(b"the content", Durability::Process).unwrap();
            assert!(objects.verify(&digest).is_ok(), "{damage:?}");
        }
        fs::remove_file(&path).unwrap();
        assert!(matches!(objects.verify(&digest), Err(Error::MissingObject(named)) if named == digest));
    }

    #[test]
    fn follows_no_link_and_waits_for_no_pipe() {
        let (directory, objects) = objects();
        let target = directory.path().join("target");
        fs::write(&target, "x").unwrap();
        let link = directory.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let pipe = directory.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [&link, &pipe, &directory.path().to_owned()] {
            assert!(objects.keep_file(path, Durability::Process).is_err(), "{}", path.display());
        }
    }

    #[test]
    fn reads_only_whole_digests() {
        let good = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(good.parse::<Digest>().unwrap().to_string(), good);
        for bad in ["", "ba", "../../etc/passwd", &good[1..], &good.replace('b', "g"), &format!("{good}00")] {
            assert!(bad.parse::<Digest>().is_err(), "{bad}");
        }
    }
}
