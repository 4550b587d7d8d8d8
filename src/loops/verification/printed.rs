//! What a command printed, made readable and counted.
//!
//! Pure, and total over any bytes: what is no text becomes a replacement character.

use crate::loops::criteria::clause::ForbiddenOutput;
pub use crate::metrics::coverage::printed::{coverage, least_covered};
pub use crate::metrics::terminal::plain;

/// The end of a text, at most `bytes` long, from the start of a line where there is one near.
pub fn tail(text: &str, bytes: usize) -> &str {
    if text.len() <= bytes {
        return text;
    }
    let mut from = text.len() - bytes;
    while !text.is_char_boundary(from) {
        from += 1;
    }
    let cut = text.get(from..).unwrap_or_default();
    match cut.find('\n') {
        Some(newline) if newline < cut.len() / 2 => cut.get(newline + 1..).unwrap_or_default(),
        _ => cut,
    }
}

/// Lines that report an error, or a warning too when `silence` forbids warnings. For [`ForbiddenOutput::Output`] every line
/// that is not blank counts.
pub fn breaches(output: &str, silence: ForbiddenOutput) -> usize {
    output.lines().filter(|line| is_breach(line.trim(), silence)).count()
}

fn is_breach(line: &str, silence: ForbiddenOutput) -> bool {
    if line.is_empty() || silence == ForbiddenOutput::Output {
        return !line.is_empty();
    }
    let lower = line.to_lowercase();
    let forbidden = |noun: &str| match counted(&lower, noun) {
        Some(count) => count > 0,
        None => reports(&lower, noun),
    };
    forbidden("error") || silence == ForbiddenOutput::Warnings && forbidden("warning")
}

/// The number before a noun: 3 of "Found 3 errors", 0 of "no errors".
fn counted(lower: &str, noun: &str) -> Option<u64> {
    let mut words = lower.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let mut before = "";
    let mut most = None;
    for word in words.by_ref() {
        if word.strip_suffix('s').unwrap_or(word) == noun {
            let count = if matches!(before, "no" | "zero") { Some(0) } else { before.parse().ok() };
            most = most.max(count);
        }
        before = word;
    }
    most
}

/// Whether the line has the form of a report: `error: …`, `error[E0308]`, `a.ts(1,7): error TS2322: …`,
/// `1:5  error  message`, `TypeError: …`.
fn reports(lower: &str, noun: &str) -> bool {
    let mut from = 0;
    while let Some(found) = lower.get(from..).and_then(|rest| rest.find(noun)) {
        let at = from + found;
        let after = lower.get(at + noun.len()..).unwrap_or_default();
        let before = lower.get(..at).unwrap_or_default();
        let starts =
            before.is_empty() || before.ends_with([' ', '\t', '[', '(', '*']) || before.ends_with(": ");
        let is_report =
            after.starts_with([':', '[', ']']) || after.starts_with(" ts") || after.starts_with("  ");
        let is_class = !before.is_empty()
            && before.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && after.starts_with(": ");
        if starts && is_report || is_class {
            return true;
        }
        from = at + noun.len();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails() {
        assert_eq!(tail("abc", 5), "abc");
        assert_eq!(tail("one\ntwo\nthree", 9), "three");
        assert_eq!(tail("ééé", 3), "é");
    }

    #[test]
    fn breaches_of_silence() {
        use ForbiddenOutput::{Errors, Output, Warnings};
        let cases: &[(&str, ForbiddenOutput, usize)] = &[
            ("", Errors, 0),
            ("\n \n", Output, 0),
            ("a.go\n", Output, 1),
            ("Found 0 errors. Watching.", Errors, 0),
            ("✖ 2 problems (1 error, 1 warning)", Errors, 1),
            ("✖ 1 problem (0 errors, 1 warning)", Errors, 0),
            ("✖ 1 problem (0 errors, 1 warning)", Warnings, 1),
            ("no errors or warnings", Warnings, 0),
            ("a.ts(1,7): error TS2322: Type 'string'", Errors, 1),
            (
                "error[E0308]: mismatched types\nerror: could not compile `x` due to 1 previous error",
                Errors,
                2,
            ),
            ("  1:5   error    'a' is assigned  no-unused-vars", Errors, 1),
            ("TypeError: boom", Errors, 1),
            ("    Checking error-stack v0.1\n    Finished `dev` profile", Errors, 0),
            ("test error_is_shown ... ok", Errors, 0),
            ("warning: unused import: `std::error`", Errors, 0),
            ("warning: unused import", Warnings, 1),
            ("Success: no issues found in 3 source files", Warnings, 0),
        ];
        for (output, silence, expected) in cases {
            assert_eq!(breaches(output, *silence), *expected, "{output}");
        }
    }
}
