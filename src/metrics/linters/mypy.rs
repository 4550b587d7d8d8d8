//! mypy: `Found 1 error in 1 file (checked 2 source files)`, `Success: no issues found in 2 source files`.

use crate::metrics::Problems;
use crate::metrics::linters::{Checker, counted};

#[derive(Default)]
pub(crate) struct Mypy {
    seen: u64,
    said: Option<u64>,
}

impl Checker for Mypy {
    fn line(&mut self, line: &str) {
        if line.starts_with("Success: no issues found in ") {
            self.said = Some(self.said.unwrap_or(0));
        } else if line.starts_with("Found ")
            && (line.contains("(checked ") || line.contains("(errors prevented"))
        {
            self.said = counted(line, "error");
        } else if let Some((place, rest)) = line.split_once(": error: ")
            && rest.ends_with(']')
            && place.contains(".py")
        {
            self.seen += 1;
        }
    }

    fn end(self: Box<Self>) -> Option<Problems> {
        let errors = self.said.unwrap_or(self.seen);
        (self.seen > 0 || self.said.is_some()).then_some(Problems { errors, warnings: 0 })
    }
}
