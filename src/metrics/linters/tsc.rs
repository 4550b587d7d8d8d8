//! tsc: `a.ts(7,14): error TS2322: …`, or with `--pretty` `a.ts:7:14 - error TS2322: …` and `Found 2 errors`.

use crate::metrics::Problems;
use crate::metrics::linters::{Checker, counted};

#[derive(Default)]
pub(crate) struct Tsc {
    seen: u64,
    said: Option<u64>,
}

impl Checker for Tsc {
    fn line(&mut self, line: &str) {
        // The counting line is mypy's too, which says how many files it checked.
        if line.starts_with("Found ") && line.contains(" error") && !line.contains("(checked ") {
            let of_tsc = self.seen > 0 || line.ends_with("Watching for file changes.");
            self.said = counted(line, "error").filter(|_| of_tsc).or(self.said);
            return;
        }
        let Some((before, after)) = line.split_once("error TS") else { return };
        let is_code = after.split(':').next().is_some_and(|code| {
            !code.is_empty() && code.len() < 7 && code.bytes().all(|byte| byte.is_ascii_digit())
        });
        let place = before.trim_end();
        let has_place =
            place.is_empty() || place.ends_with("):") || place.ends_with(" -") || place.ends_with(':');
        self.seen += u64::from(is_code && has_place && !line.starts_with(' '));
    }

    fn end(self: Box<Self>) -> Option<Problems> {
        let errors = self.seen.max(self.said.unwrap_or(0));
        (self.seen > 0 || self.said.is_some()).then_some(Problems { errors, warnings: 0 })
    }
}
