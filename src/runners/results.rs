//! The results that runners print or write, together with coverage and what checkers complain about.

use std::io::BufRead;

use crate::metrics::{self, ReportReading, ResultReaders};
use crate::runners::in_turn;

/// Reads what a command printed: whatever runners, coverage tools and checkers wrote one after the other.
pub fn printed(bytes: &mut dyn BufRead) -> ReportReading {
    metrics::printed(bytes, readers)
}

/// Reads a report file of any known format. A file of none is an empty reading that says so.
pub fn report(bytes: &mut dyn BufRead) -> ReportReading {
    metrics::report(bytes, readers)
}

/// A reader of each runner's results, by the runner's name.
fn readers() -> ResultReaders {
    in_turn(|runner| runner.results).map(|(runner, new)| (runner.name, new())).collect()
}
