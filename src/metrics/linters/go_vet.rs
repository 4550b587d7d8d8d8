//! `go vet`: below `# package` the rows `./shop.go:16:20: message`.

use crate::metrics::Problems;
use crate::metrics::linters::Checker;

#[derive(Default)]
pub(crate) struct GoVet {
    in_package: bool,
    errors: u64,
}

impl Checker for GoVet {
    fn line(&mut self, line: &str) {
        if let Some(package) = line.strip_prefix("# ") {
            self.in_package = !package.contains(' ') || package.ends_with(']');
        } else if self.in_package {
            let place = line.strip_prefix("vet: ").unwrap_or(line).split(": ").next().unwrap_or_default();
            let placed = place.split_once(".go:").is_some_and(|(_, rest)| {
                rest.split(':').all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
            });
            self.errors += u64::from(placed && !place.contains(' '));
        }
    }

    fn end(self: Box<Self>) -> Option<Problems> {
        (self.errors > 0).then_some(Problems { errors: self.errors, warnings: 0 })
    }
}
