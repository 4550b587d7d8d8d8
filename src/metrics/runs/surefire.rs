//! Maven's surefire and failsafe: `Tests run: 3, Failures: 1, Errors: 0, Skipped: 0`, for each class and in all.

use super::{Run, Tests, behind};
use crate::metrics::Outcome;

#[derive(Default)]
pub(super) struct Surefire {
    classes: (u64, u64, u64),
    totals: Option<(u64, u64, u64)>,
    tests: Tests,
}

impl Run for Surefire {
    fn line(&mut self, line: &str) {
        let text =
            line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map_or(line, |(_, text)| text);
        if let Some(at) = text.find("Tests run: ").filter(|at| *at == 0) {
            let counts = text.get(at..).unwrap_or_default();
            let number = |label| behind(counts, label).unwrap_or(0);
            let (failed, skipped) = (number("Failures:") + number("Errors:"), number("Skipped:"));
            let passed = number("Tests run:").saturating_sub(failed + skipped);
            // Of a class the time and the name follow; of a module nothing.
            let of_class =
                counts.contains("Time elapsed") || counts.contains(" - in ") || counts.contains("-- in ");
            let sum = if of_class { &mut self.classes } else { self.totals.get_or_insert_default() };
            sum.0 += passed;
            sum.1 += failed;
            sum.2 += skipped;
        } else if let Some((name, rest)) = text.split_once(' ')
            && (rest.contains("<<< FAILURE!") || rest.contains("<<< ERROR!"))
            && name.contains('.')
        {
            // Older versions write `fails(shop.BTest)`.
            let older = name.strip_suffix(')').and_then(|name| name.split_once('('));
            let name = older.map_or(name.to_owned(), |(test, class)| format!("{class}.{test}"));
            self.tests.name(&name, Outcome::Failed);
        }
    }

    fn end(self: Box<Self>) -> Option<Tests> {
        let (passed, failed, skipped) = self.totals.unwrap_or(self.classes);
        let tests = Tests { passed, failed, skipped, by_name: self.tests.by_name, ..Tests::default() };
        (self.totals.is_some() || tests.total() > 0).then_some(tests)
    }
}
