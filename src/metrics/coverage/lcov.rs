//! LCOV tracefiles: of each source file the lines that count (`LF`) and that were hit (`LH`), or every line (`DA`),
//! and the branches (`BRF`, `BRH`).

use std::io::BufRead;

use super::percent;
use crate::metrics::{ReportReading, terminal};

/// Reads a tracefile.
pub(in crate::metrics) fn read(bytes: &mut dyn BufRead) -> ReportReading {
    let (mut all, mut hit) = (0, 0);
    let (mut branches, mut taken) = (0, 0);
    let mut file = LcovFile::default();
    let mut open = false;
    let end = terminal::lines(bytes, |line| {
        if line.starts_with("SF:") {
            open = true;
            file = LcovFile::default();
        } else if line == "end_of_record" {
            let (found, covered) = file.totals();
            all += found;
            hit += covered;
            branches += file.branches.0;
            taken += file.branches.1;
            open = false;
        } else {
            file.line(line);
        }
    });
    let mut unread: Vec<String> = end.err().into_iter().collect();
    if open {
        unread.push("the last record has no end".to_owned());
    }
    if all == 0 {
        unread.push("no lines are counted in it".to_owned());
    }
    ReportReading {
        formats: vec!["lcov".to_owned()],
        coverage: percent(hit, all),
        branches: percent(taken, branches),
        unread,
        ..ReportReading::default()
    }
}

/// The lines of one source file.
#[derive(Default)]
struct LcovFile {
    said: (Option<u64>, Option<u64>),
    seen: (u64, u64),
    branches: (u64, u64),
}

impl LcovFile {
    fn line(&mut self, line: &str) {
        if let Some(count) = line.strip_prefix("LF:") {
            self.said.0 = count.trim().parse().ok();
        } else if let Some(count) = line.strip_prefix("LH:") {
            self.said.1 = count.trim().parse().ok();
        } else if let Some(count) = line.strip_prefix("BRF:") {
            self.branches.0 = count.trim().parse().unwrap_or_default();
        } else if let Some(count) = line.strip_prefix("BRH:") {
            self.branches.1 = count.trim().parse().unwrap_or_default();
        } else if let Some((_, rest)) = line.strip_prefix("DA:").and_then(|rest| rest.split_once(',')) {
            let count = rest.split(',').next().unwrap_or_default().trim();
            self.seen.0 += 1;
            self.seen.1 += u64::from(!count.is_empty() && count != "0" && !count.starts_with('-'));
        }
    }

    fn totals(&self) -> (u64, u64) {
        match self.said {
            (Some(found), Some(hit)) => (found, hit),
            _ => self.seen,
        }
    }
}
