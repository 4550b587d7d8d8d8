//! The names of what is in an archive: tar, plain or by gzip, and zip. Bounded by count and bytes; what is not read has no
//! names here.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path};

use flate2::read::MultiGzDecoder;

/// The most names of one archive.
const MOST_NAMES: usize = 4_000;
/// So many bytes of it are unpacked to come from one name to the next.
const MOST_BYTES: u64 = 32 << 20;
/// A block of tar.
const BLOCK: usize = 512;

/// The names of the files in an archive, relative and without a way out of its folder.
pub(crate) fn names(path: &Path) -> Vec<String> {
    let Ok(mut file) = File::open(path) else { return Vec::new() };
    if !file.metadata().is_ok_and(|found| found.is_file()) {
        return Vec::new();
    }
    let mut start = [0; 4];
    if file.read_exact(&mut start).is_err() || file.rewind().is_err() {
        return Vec::new();
    }
    let found = match start {
        [b'P', b'K', ..] => of_zip(&mut file).unwrap_or_default(),
        [0x1f, 0x8b, ..] => of_tar(&mut MultiGzDecoder::new(file).take(MOST_BYTES)),
        _ => of_tar(&mut file.take(MOST_BYTES)),
    };
    let is_inside = |name: &String| {
        let mut parts = Path::new(name).components();
        parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
    };
    found.into_iter().filter(is_inside).take(MOST_NAMES).collect()
}

/// The names of a tar, as far as its headers fit.
fn of_tar(from: &mut impl Read) -> Vec<String> {
    let mut names = Vec::new();
    let mut header = [0; BLOCK];
    let mut long: Option<String> = None;
    while names.len() < MOST_NAMES && from.read_exact(&mut header).is_ok() {
        let Some((name, size, kind)) = entry(&header) else { break };
        let padded = size.div_ceil(BLOCK as u64) * BLOCK as u64;
        if kind == b'L' {
            let mut text = Vec::new();
            let read = from.take(padded).read_to_end(&mut text);
            long = read.ok().map(|_| until_zero(&text));
            continue;
        }
        let name = long.take().unwrap_or(name);
        if matches!(kind, 0 | b'0' | b'7') {
            names.push(name);
        }
        if std::io::copy(&mut from.take(padded), &mut std::io::sink()).is_err() {
            break;
        }
    }
    names
}

fn until_zero(bytes: &[u8]) -> String {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned()
}

/// The name, the size and the kind of an entry; nothing for what is no header.
fn entry(header: &[u8; BLOCK]) -> Option<(String, u64, u8)> {
    let name = until_zero(header.get(..100)?);
    let size = until_zero(header.get(124..136)?);
    let size = u64::from_str_radix(size.trim_matches([' ', '\0']), 8).ok()?;
    let kind = *header.get(156)?;
    let prefix = header.get(257..262).filter(|magic| *magic == b"ustar").and_then(|_| header.get(345..500));
    let prefix = prefix.map(until_zero).filter(|prefix| !prefix.is_empty());
    (!name.is_empty()).then(|| (prefix.map_or(name.clone(), |prefix| format!("{prefix}/{name}")), size, kind))
}

/// The names of a zip, out of the directory at its end.
fn of_zip(file: &mut File) -> Option<Vec<String>> {
    const END: usize = 22;
    const ENTRY: usize = 46;
    let length = file.metadata().ok()?.len();
    let tail = length.min(66_000);
    file.seek(SeekFrom::Start(length - tail)).ok()?;
    let mut bytes = Vec::new();
    file.take(tail).read_to_end(&mut bytes).ok()?;
    let at = bytes.windows(4).rposition(|window| window == b"PK\x05\x06")?;
    let end = bytes.get(at..at + END)?;
    let number = |from: &[u8], at: usize, bytes: usize| -> Option<u64> {
        let digits = from.get(at..at + bytes)?;
        Some(digits.iter().rev().fold(0, |number, digit| number << 8 | u64::from(*digit)))
    };
    let (size, start) = (number(end, 12, 4)?, number(end, 16, 4)?);
    file.seek(SeekFrom::Start(start)).ok()?;
    let mut directory = Vec::new();
    file.take(size.min(MOST_BYTES)).read_to_end(&mut directory).ok()?;
    let mut names = Vec::new();
    let mut rest = directory.as_slice();
    while let Some(header) = rest.get(..ENTRY).filter(|header| header.starts_with(b"PK\x01\x02")) {
        let lengths = [28, 30, 32].map(|at| number(header, at, 2).unwrap_or_default() as usize);
        let [name, extra, comment] = lengths;
        names.push(String::from_utf8_lossy(rest.get(ENTRY..ENTRY + name)?).into_owned());
        rest = rest.get(ENTRY + name + extra + comment..)?;
        if names.len() >= MOST_NAMES {
            break;
        }
    }
    names.retain(|name| !name.ends_with('/'));
    Some(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_names_of_an_archive_are_read() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("in/deep")).unwrap();
        for name in ["in/a.txt", "in/deep/b.txt"] {
            std::fs::write(folder.path().join(name), "x").unwrap();
        }
        for (options, name) in [("-cf", "plain.tar"), ("-czf", "packed.tgz")] {
            let made = Command::new("tar").current_dir(folder.path()).args([options, name, "in"]).status();
            assert!(made.unwrap().success());
            let mut found = names(&folder.path().join(name));
            found.sort();
            assert_eq!(found, ["in/a.txt", "in/deep/b.txt"], "{name}");
        }
    }

    #[test]
    fn what_is_no_archive_has_no_names() {
        let folder = tempfile::tempdir().unwrap();
        for (name, bytes) in
            [("empty", &b""[..]), ("text", b"just a line of text\n"), ("zip", b"PK\x03\x04 cut off")]
        {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).unwrap();
            assert!(names(&path).is_empty(), "{name}");
        }
        assert!(names(Path::new("/nowhere/at/all")).is_empty());
    }

    #[test]
    fn a_zip_names_its_files() {
        let mut bytes = Vec::new();
        let start = bytes.len() as u32;
        for name in ["a.txt", "sub/", "sub/b.txt", "../out"] {
            bytes.extend(b"PK\x01\x02");
            bytes.extend([0; 24]);
            bytes.extend((name.len() as u16).to_le_bytes());
            bytes.extend([0; 16]);
            bytes.extend(name.as_bytes());
        }
        let size = bytes.len() as u32;
        bytes.extend(b"PK\x05\x06");
        bytes.extend([0; 8]);
        bytes.extend(size.to_le_bytes());
        bytes.extend(start.to_le_bytes());
        bytes.extend([0; 2]);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.zip");
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(names(&path), ["a.txt", "sub/b.txt"]);
    }
}
