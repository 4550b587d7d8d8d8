//! The lines of a file, one after the other, none of them beyond all bounds.

use std::io::{self, BufRead, Read};

/// A longer line is no line of a log, in bytes.
const UNREADABLE: u64 = 1 << 20;

/// The lines of a file, one after the other, each bounded.
pub(super) struct BoundedLines<R> {
    reader: R,
    line: Vec<u8>,
}

impl<R: BufRead> BoundedLines<R> {
    pub(super) fn new(reader: R) -> Self {
        BoundedLines { reader, line: Vec::new() }
    }

    /// The next line without its line feed. Of a line beyond all bounds the beginning is given, the rest skipped.
    pub(super) fn next_line(&mut self) -> io::Result<Option<&[u8]>> {
        self.line.clear();
        if self.reader.by_ref().take(UNREADABLE).read_until(b'\n', &mut self.line)? == 0 {
            return Ok(None);
        }
        if self.line.last() == Some(&b'\n') {
            self.line.pop();
        } else if self.line.len() as u64 == UNREADABLE {
            self.reader.skip_until(b'\n')?;
        }
        Ok(Some(&self.line))
    }
}
