//! The cache's bytes, read from the front; what is damaged ends the reading.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use super::ChildRecord;
use crate::checkpoint::node::{Node, Stamp};
use crate::checkpoint::objects::Digest;

pub(super) struct CacheReader<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> CacheReader<'a> {
    pub(super) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let taken = self.bytes.get(self.at..self.at.checked_add(length)?)?;
        self.at += length;
        Some(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn short(&mut self) -> Option<&'a OsStr> {
        let length = usize::from(self.u16()?);
        self.take(length).map(OsStr::from_bytes)
    }

    pub(super) fn record(&mut self) -> Option<ChildRecord> {
        let [kind] = self.array()?;
        let mode = self.u32()?;
        let size = self.u64()?;
        let mtime_ns = self.u64()?.cast_signed();
        let ctime_ns = self.u64()?.cast_signed();
        let stamp = Stamp { mtime_ns, ctime_ns, inode: self.u64()? };
        let name = self.short()?.to_owned();
        let mut git = None;
        let node = match kind & 15 {
            0 => Node::File { sha256: Digest::from_bytes(self.array()?), size, mode },
            1 => Node::Directory { mode },
            2 => Node::Symlink { target: PathBuf::from(self.short()?) },
            3 => {
                git = Some(self.array()?);
                Node::File { sha256: Digest::unread(), size, mode }
            }
            4 => Node::Other,
            _ => return None,
        };
        Some(ChildRecord { name, node, stamp, at_rest: kind & 16 != 0, git })
    }
}
