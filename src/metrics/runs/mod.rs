//! What test runners print, one file for each format.
//!
//! A reader takes a line only when it has its own format's form, so that all of them can look at every line of an
//! output that several runners wrote.

use super::Tests;

mod cargo_test;
mod dotnet;
mod go_test;
mod jest;
mod mocha;
mod nextest;
mod node_test;
mod phpunit;
mod pytest;
mod rspec;
mod surefire;
mod tap;
mod vitest;

/// One format, line by line.
pub(super) trait Run {
    /// Takes a line of plain text.
    fn line(&mut self, line: &str);
    /// What was found; `None` when the output is not of this format.
    fn end(self: Box<Self>) -> Option<Tests>;
}

/// A reader of each format, by name.
pub(super) fn all() -> Vec<(&'static str, Box<dyn Run>)> {
    vec![
        ("cargo test", Box::new(cargo_test::CargoTest::default())),
        ("nextest", Box::new(nextest::Nextest::default())),
        ("pytest", Box::new(pytest::Pytest::default())),
        ("go test", Box::new(go_test::GoTest::default())),
        ("vitest", Box::new(vitest::Vitest::default())),
        ("jest", Box::new(jest::Jest::default())),
        ("mocha", Box::new(mocha::Mocha::default())),
        ("node --test", Box::new(node_test::NodeTest::default())),
        ("rspec", Box::new(rspec::Rspec::default())),
        ("phpunit", Box::new(phpunit::Phpunit::default())),
        ("dotnet test", Box::new(dotnet::Dotnet::default())),
        ("surefire", Box::new(surefire::Surefire::default())),
        ("tap", Box::new(tap::Tap::default())),
    ]
}

/// The number before a word: 3 of `3 passed` in `1 failed | 3 passed (4)`.
fn before(line: &str, word: &str) -> Option<u64> {
    let mut last = None;
    for piece in line.split([' ', ',', '|', ';', '(', ')', '\t']).filter(|piece| !piece.is_empty()) {
        if piece == word {
            return last;
        }
        last = piece.parse().ok();
    }
    None
}

/// The number behind a label: 4 of `Tests: 4, Assertions: 2`.
fn behind(line: &str, label: &str) -> Option<u64> {
    let at = line.find(label)?;
    let rest = line.get(at + label.len()..)?.trim_start();
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
    rest.get(..digits)?.parse().ok()
}

/// A name without the time that stands behind it: `adds (2 ms)`, `adds 1ms`.
fn untimed(name: &str) -> &str {
    let name = name.trim();
    let is_time = |text: &str| {
        let digits = text.trim_end_matches("ms").trim_end_matches('s').trim_end_matches(" m").trim_end();
        digits.len() < text.len()
            && !digits.is_empty()
            && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    };
    if let Some((head, time)) = name.strip_suffix(')').and_then(|name| name.rsplit_once(" ("))
        && is_time(time)
    {
        return head.trim_end();
    }
    match name.rsplit_once(' ') {
        Some((head, time)) if is_time(time) => head.trim_end(),
        _ => name,
    }
}

/// Adds a summary's numbers; a missing one is 0.
fn add(sum: &mut Option<(u64, u64, u64)>, passed: Option<u64>, failed: Option<u64>, skipped: Option<u64>) {
    let sum = sum.get_or_insert_default();
    sum.0 += passed.unwrap_or(0);
    sum.1 += failed.unwrap_or(0);
    sum.2 += skipped.unwrap_or(0);
}

/// Tests by name and what the summaries say; `None` when there is neither.
fn together(mut tests: Tests, sum: Option<(u64, u64, u64)>) -> Option<Tests> {
    if let Some(sum) = sum {
        tests.at_least(sum);
    }
    (sum.is_some() || tests.total() > 0).then_some(tests)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names() {
        assert_eq!(before("Tests  1 failed | 30 passed (31)", "passed"), Some(30));
        assert_eq!(before("2 failed, 3 passed in 0.02s", "skipped"), None);
        assert_eq!(behind("Tests: 4, Assertions: 2", "Assertions:"), Some(2));
        let names = [
            ("adds (2 ms)", "adds"),
            ("adds 1ms", "adds"),
            ("n 1", "n 1"),
            ("x (y)", "x (y)"),
            ("a (0.5s)", "a"),
            ("waits 2 s", "waits 2 s"),
        ];
        for (line, name) in names {
            assert_eq!(untimed(line), name, "{line}");
        }
    }
}
