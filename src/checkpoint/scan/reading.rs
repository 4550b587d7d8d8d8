//! What of a tree is read, and what reading it gives.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::checkpoint::cache::ChildRecord;
use crate::checkpoint::node::{Node, Skipped};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::scan::{ScanInProgress, ScanOptions, is_late};
use crate::checkpoint::spread::spread;

/// So many files, and bytes, are read rather than looked up in git's index.
const FEW: usize = 64;
const FEW_BYTES: u64 = 4 << 20;
/// So many bytes are read whatever time it takes, where each file counts for some more, and there are no others.
const LITTLE: u64 = 16 << 20;
/// Of more than that so many are: the rest goes by the clock.
const AT_LEAST: u64 = 2 << 20;
const COST_OF_FILE: u64 = 8 << 10;
/// So many bytes are read and kept in a millisecond, by a modest machine: one that would not be done in time is not begun.
const A_MILLISECOND: u64 = 200 << 10;

/// A file's digest and size, or why it is not kept.
type FileReading = Result<(Digest, u64), String>;

impl ScanInProgress<'_> {
    /// Reads what may have changed.
    pub(super) fn read(&mut self) {
        let mut unread = std::mem::take(&mut self.unread);
        self.scan.has_read = !unread.is_empty();
        self.leave_to_git(&mut unread);
        if self.manner.deep {
            // Where time ends, the largest are left.
            unread.sort_unstable_by_key(|(_, _, size)| *size);
        }
        let unread = with_patience(unread);
        let ScanInProgress { manner, scan, .. } = self;
        manner.meter.expect(unread.len());
        let bytes = AtomicU64::new(0);
        let read = spread(&unread, 2, &|(folder, child, size, in_any_case)| {
            let folder = scan.folders.get(*folder);
            let name = folder.and_then(|folder| Some(folder.path.join(&folder.records.get(*child)?.name)))?;
            let end = Instant::now() + Duration::from_millis(size / A_MILLISECOND);
            let is_over = manner.read_until.is_some_and(|until| end >= until);
            let answer = match is_over && !in_any_case {
                true => Err("out of time: it was not kept".to_owned()),
                false => read_one(manner, &name, *size, &bytes),
            };
            manner.meter.tick();
            Some((name, answer))
        });
        for ((folder, child, ..), read) in unread.into_iter().zip(read) {
            self.take_up((folder, child), read);
        }
        self.remove_gone();
    }

    /// Notes what reading a file gave.
    fn take_up(&mut self, (folder, child): (usize, usize), read: Option<(PathBuf, FileReading)>) {
        let record = self.scan.folders.get_mut(folder).and_then(|folder| folder.records.get_mut(child));
        match (record, read) {
            (Some(ChildRecord { node: Node::File { sha256, size, .. }, .. }), Some((_, Ok(read)))) => {
                (*sha256, *size) = read;
            }
            (Some(record), Some((_, Err(_)))) if self.manner.deep => record.node = Node::Other,
            (_, Some((name, Err(reason)))) => {
                self.scan.is_whole &= !is_late(self.manner.bounds);
                self.gone.push((folder, child));
                self.scan.skipped.push(Skipped { path: name, reason });
            }
            _ => {}
        }
    }

    /// Takes out the records of what is not kept.
    fn remove_gone(&mut self) {
        let mut gone = std::mem::take(&mut self.gone);
        gone.sort_unstable_by(|a, b| b.cmp(a));
        for (folder, child) in gone {
            if let Some(folder) = self.scan.folders.get_mut(folder) {
                folder.records.remove(child);
            }
        }
    }

    /// Takes out those whose content git has: their names for it are enough. Of a few files that costs more than to
    /// read them.
    fn leave_to_git(&mut self, unread: &mut Vec<(usize, usize, u64)>) {
        let bytes: u64 = unread.iter().map(|(_, _, size)| size).sum();
        if !self.manner.deep || (unread.len() <= FEW && bytes <= FEW_BYTES) {
            return;
        }
        let ScanInProgress { manner, scan, repositories, .. } = self;
        unread.retain(|(folder, child, _)| {
            let repository = repositories.get(*folder).and_then(Option::as_deref);
            let named = scan.folders.get_mut(*folder).and_then(|folder| {
                let path = manner.store.path(&folder.path);
                let record = folder.records.get_mut(*child)?;
                record.git = Some(repository?.git_name(&path.join(&record.name), record)?);
                Some(())
            });
            named.is_none()
        });
    }
}

/// Files to be read, each with whether that is so little in all that no clock ends it: what is kept of an ordinary
/// project must not depend on how busy the machine is.
fn with_patience(unread: Vec<(usize, usize, u64)>) -> Vec<(usize, usize, u64, bool)> {
    let cost_of = |size: u64| size + COST_OF_FILE;
    let whole: u64 = unread.iter().map(|(_, _, size)| cost_of(*size)).sum();
    let most = if whole <= LITTLE { LITTLE } else { AT_LEAST };
    let mut cost = 0;
    let little = |(folder, child, size): (usize, usize, u64)| {
        cost += cost_of(size);
        (folder, child, size, cost <= most)
    };
    unread.into_iter().map(little).collect()
}

fn read_one(manner: &ScanOptions<'_>, name: &Path, size: u64, bytes: &AtomicU64) -> FileReading {
    let bounds = manner.bounds;
    if is_late(bounds) {
        return Err("out of time: it was not kept".to_owned());
    }
    if bytes.fetch_add(size, Ordering::Relaxed).saturating_add(size) > bounds.total_bytes {
        return Err(format!("more than {} bytes with the files before it", bounds.total_bytes));
    }
    (manner.read)(&manner.store.path(name)).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_read_in_any_case_and_of_much_only_a_part() {
        let read = |sizes: &[u64]| -> usize {
            let unread = sizes.iter().map(|size| (0, 0, *size)).collect();
            with_patience(unread).iter().filter(|(.., in_any_case)| *in_any_case).count()
        };
        assert_eq!(read(&[]), 0);
        assert_eq!(read(&[1 << 20; 15]), 15, "little");
        assert_eq!(read(&[1 << 20; 1000]), 1, "a gigabyte");
        assert_eq!(read(&[64 << 20]), 0, "one large file");
        assert_eq!(read(&[0; 1000]), 1000, "many small ones");
    }
}
