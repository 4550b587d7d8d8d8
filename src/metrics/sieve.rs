//! Documents of any size for parsers that keep what they read: a sieve lets go of bytes on the way.
//!
//! Invariant: no more is held than one buffer and what the sieve itself holds.

use std::io::{BufRead, Read};

/// Decides byte by byte what goes on.
pub(super) trait Sieve {
    /// Takes a byte; what goes on is put into `ready`.
    fn take(&mut self, byte: u8, ready: &mut Vec<u8>);
}

/// What a sieve lets through of a document.
pub(super) struct SiftedBytes<'a, S> {
    from: &'a mut dyn BufRead,
    sieve: S,
    ready: Vec<u8>,
    given: usize,
}

impl<'a, S: Sieve> SiftedBytes<'a, S> {
    /// The document behind the sieve.
    pub(super) fn of(from: &'a mut dyn BufRead, sieve: S) -> Self {
        SiftedBytes { from, sieve, ready: Vec::new(), given: 0 }
    }
}

impl<S: Sieve> Read for SiftedBytes<'_, S> {
    fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
        while self.given == self.ready.len() {
            self.ready.clear();
            self.given = 0;
            let buffer = self.from.fill_buf()?;
            if buffer.is_empty() {
                return Ok(0);
            }
            buffer.iter().for_each(|byte| self.sieve.take(*byte, &mut self.ready));
            let taken = buffer.len();
            self.from.consume(taken);
        }
        let ready = self.ready.get(self.given..).unwrap_or_default();
        let count = ready.len().min(into.len());
        into.iter_mut().zip(ready).for_each(|(to, from)| *to = *from);
        self.given += count;
        Ok(count)
    }
}
