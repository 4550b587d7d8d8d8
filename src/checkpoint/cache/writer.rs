//! How the cache is written, and what tells that it is whole.

use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use crate::checkpoint::cache::{Folder, Header, MAGIC};
use crate::checkpoint::node::Node;
use crate::state::atomic::{self, Durability};

pub(super) fn write_at(path: &Path, folders: &[Folder], header: &Header) -> io::Result<()> {
    let header = serde_json::to_vec(header)?;
    let records: usize = folders.iter().map(|folder| folder.records.len()).sum();
    let mut bytes = Vec::with_capacity(header.len() + records * 100 + folders.len() * 40);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&u32::try_from(header.len()).map_err(io::Error::other)?.to_le_bytes());
    bytes.extend_from_slice(&header);
    for folder in folders {
        write_folder(&mut bytes, folder)?;
    }
    bytes.extend_from_slice(&checksum(&bytes).to_le_bytes());
    atomic::write(path, &bytes, Durability::Process)
}

fn write_folder(bytes: &mut Vec<u8>, folder: &Folder) -> io::Result<()> {
    put_short(bytes, folder.path.as_os_str().as_bytes())?;
    let at = bytes.len();
    bytes.extend_from_slice(&[0; 4]);
    for record in &folder.records {
        let (kind, size, mode) = match record.node {
            Node::File { size, mode, .. } if record.git.is_some() => (3, size, mode),
            Node::File { size, mode, .. } => (0, size, mode),
            Node::Directory { mode } => (1, 0, mode),
            Node::Symlink { .. } => (2, 0, 0),
            Node::Other => (4, 0, 0),
            Node::Absent => continue,
        };
        bytes.push(kind | u8::from(record.at_rest) << 4);
        bytes.extend_from_slice(&mode.to_le_bytes());
        bytes.extend_from_slice(&size.to_le_bytes());
        bytes.extend_from_slice(&record.stamp.mtime_ns.to_le_bytes());
        bytes.extend_from_slice(&record.stamp.ctime_ns.to_le_bytes());
        bytes.extend_from_slice(&record.stamp.inode.to_le_bytes());
        put_short(bytes, record.name.as_bytes())?;
        match (&record.node, &record.git) {
            (Node::File { .. }, Some(git)) => bytes.extend_from_slice(git),
            (Node::File { sha256, .. }, None) => bytes.extend_from_slice(sha256.bytes()),
            (Node::Symlink { target }, _) => put_short(bytes, target.as_os_str().as_bytes())?,
            _ => {}
        }
    }
    let length = u32::try_from(bytes.len() - at - 4).map_err(io::Error::other)?;
    if let Some(place) = bytes.get_mut(at..at + 4) {
        place.copy_from_slice(&length.to_le_bytes());
    }
    Ok(())
}

fn put_short(bytes: &mut Vec<u8>, text: &[u8]) -> io::Result<()> {
    bytes.extend_from_slice(&u16::try_from(text.len()).map_err(io::Error::other)?.to_le_bytes());
    bytes.extend_from_slice(text);
    Ok(())
}

/// Finds what a power cut left half-written; eight bytes at a time, because there are millions.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let chunks = bytes.chunks_exact(8);
    let rest = chunks.remainder().iter().fold(1_u64, |sum, byte| sum << 8 | u64::from(*byte));
    let words = chunks.map(|chunk| chunk.try_into().map_or(0, u64::from_le_bytes));
    words.chain([rest, bytes.len() as u64]).fold(0x9e37_79b9_7f4a_7c15, |sum, word| {
        (sum ^ word).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29)
    })
}
