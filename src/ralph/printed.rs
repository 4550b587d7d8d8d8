//! What a command printed, made readable and counted.
//!
//! Pure, and total over any bytes: what is no text becomes a replacement character.

use crate::ralph::clause::Silence;

/// Bytes of a command's output as plain text: no escape sequences, no other control characters, and of a line that
/// was drawn over with carriage returns its last state.
pub fn plain(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut line_start = 0;
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => skip_escape(&mut letters),
            '\n' => {
                out.push('\n');
                line_start = out.len();
            }
            '\r' if letters.peek() == Some(&'\n') => {}
            // At the very end the line is still what a person sees.
            '\r' if letters.peek().is_some() => out.truncate(line_start),
            '\u{8}' if out.len() > line_start => {
                out.pop();
            }
            '\t' => out.push('\t'),
            _ if letter.is_control() => {}
            _ => out.push(letter),
        }
    }
    out
}

/// Skips what follows an escape character: a CSI, an OSC and the like, or one letter.
fn skip_escape(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match letters.next() {
        Some('[') => {
            for letter in letters.by_ref() {
                if ('\u{40}'..='\u{7e}').contains(&letter) {
                    return;
                }
            }
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(letter) = letters.next() {
                match letter {
                    '\u{7}' => return,
                    '\u{1b}' => {
                        letters.next_if_eq(&'\\');
                        return;
                    }
                    // A string that never ends must not swallow the rest of the output.
                    '\n' => return,
                    _ => {}
                }
            }
        }
        Some('(' | ')' | '*' | '+' | '#' | ' ') => {
            letters.next();
        }
        _ => {}
    }
}

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

/// Lines that report an error, or a warning too when `silence` forbids warnings. For [`Silence::Output`] every line
/// that is not blank counts.
pub fn breaches(output: &str, silence: Silence) -> usize {
    output.lines().filter(|line| is_breach(line.trim(), silence)).count()
}

fn is_breach(line: &str, silence: Silence) -> bool {
    if line.is_empty() || silence == Silence::Output {
        return !line.is_empty();
    }
    let lower = line.to_lowercase();
    let forbidden = |noun: &str| match counted(&lower, noun) {
        Some(count) => count > 0,
        None => reports(&lower, noun),
    };
    forbidden("error") || silence == Silence::Warnings && forbidden("warning")
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

/// The total coverage that a tool printed, in percent. Of several totals the last one counts; of a table of Go
/// packages without a total, the lowest.
pub fn coverage(output: &str) -> Option<f64> {
    let mut total = None;
    let mut lowest_package: Option<f64> = None;
    for line in output.lines() {
        let line = line.trim().trim_start_matches(['#', 'ℹ', '|']).trim();
        let lower = line.to_lowercase();
        if let Some(percent) = total_of(&lower) {
            total = Some(percent);
        } else if let Some(at) = lower.find("coverage: ")
            && lower.contains("of statements")
            && let Some(percent) = percents(lower.get(at..).unwrap_or_default()).next()
        {
            lowest_package = Some(lowest_package.map_or(percent, |lowest| lowest.min(percent)));
        }
    }
    total.or(lowest_package)
}

/// The total that a line gives, if it is a line of totals.
fn total_of(lower: &str) -> Option<f64> {
    // Istanbul, vitest and node: "all files | 85.7 | 80 | 66 | 85.7 |": statements, or for node lines, come first.
    if let Some(cells) = lower.strip_prefix("all files").map(|rest| rest.trim_start())
        && let Some(cells) = cells.strip_prefix('|')
    {
        return cells.split('|').find_map(number);
    }
    // coverage.py: "total 4 1 75%"; go tool cover: "total: (statements) 80.0%"; llvm-cov: regions, functions, lines.
    if lower.starts_with("total") && !lower.starts_with("totals") {
        let all: Vec<f64> = percents(lower).collect();
        return if all.len() >= 3 { all.get(2).copied() } else { all.last().copied() };
    }
    // Tarpaulin: "80.00% coverage, 4/5 lines covered".
    if lower.contains("% coverage,") && lower.contains("lines covered") {
        return percents(lower).next();
    }
    // A labelled line: "lines : 80.5% ( 10/12 )", "line coverage: 85.3%", "coverage: 80%".
    let (label, rest) = lower.split_once(':')?;
    let of_lines = matches!(
        label.trim(),
        "lines" | "line coverage" | "total coverage" | "coverage" | "overall coverage"
    );
    (of_lines && !rest.contains("of statements")).then(|| percents(rest).next()).flatten()
}

/// Every number that a percent sign follows.
fn percents(line: &str) -> impl Iterator<Item = f64> + '_ {
    line.match_indices('%').filter_map(|(at, _)| {
        let before = line.get(..at)?.trim_end();
        let digits = before.rsplit(|letter: char| !letter.is_ascii_digit() && letter != '.').next()?;
        digits.parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
    })
}

/// The files of a coverage table below 100%, the least covered first.
pub fn least_covered(output: &str) -> Vec<(&str, f64)> {
    let mut files: Vec<(&str, f64)> =
        output.lines().filter_map(covered_file).filter(|(_, percent)| *percent < 100.0).collect();
    files.sort_by(|one, other| one.1.total_cmp(&other.1));
    files
}

/// A table's line for one file: "a.js | 80 | 50 | 66 |" or "shop.py 4 1 75%".
fn covered_file(line: &str) -> Option<(&str, f64)> {
    let line = line.trim().trim_start_matches(['#', 'ℹ']).trim();
    let mut cells = line.split('|').map(str::trim);
    let name = cells.next()?;
    if let Some(first) = cells.next() {
        return name.contains('.').then_some(()).and(number(first)).map(|percent| (name, percent));
    }
    let mut words = line.split_whitespace();
    let name = words.next().filter(|name| name.contains('.'))?;
    let percent = words.filter_map(|word| word.strip_suffix('%')).find_map(number)?;
    Some((name, percent))
}

fn number(cell: &str) -> Option<f64> {
    cell.trim().parse().ok().filter(|percent| (0.0..=100.0).contains(percent))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text() {
        let cases: &[(&[u8], &str)] = &[
            (b"\x1b[31mred\x1b[39m", "red"),
            (b"\x1b]8;;http://x\x07link\x1b]8;;\x1b\\!", "link!"),
            (b"10%\r50%\r100%\ndone\r\n", "100%\ndone\n"),
            (b"abc\x08d\x00\x07", "abd"),
            (b"\xff\xfe ok", "\u{fffd}\u{fffd} ok"),
            (b"\x1b]never ends\nnext", "next"),
            (b"\x1b", ""),
            ("é\u{1b}(B✔".as_bytes(), "é✔"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(plain(bytes), *expected, "{bytes:?}");
        }
    }

    #[test]
    fn tails() {
        assert_eq!(tail("abc", 5), "abc");
        assert_eq!(tail("one\ntwo\nthree", 9), "three");
        assert_eq!(tail("ééé", 3), "é");
    }

    #[test]
    fn breaches_of_silence() {
        use Silence::{Errors, Output, Warnings};
        let cases: &[(&str, Silence, usize)] = &[
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

    #[test]
    fn files_of_coverage() {
        let tables: &[(&str, &[(&str, f64)])] = &[
            (
                "Name  Stmts  Miss  Cover\na.py  4  1  75%\nb.py  4  3  25%\nc.py 1 0 100%\nTOTAL 9 4 60%",
                &[("b.py", 25.0), ("a.py", 75.0)],
            ),
            ("File | % Stmts |\nAll files | 50 | 1 |\n a.js | 40 | 9 | 3", &[("a.js", 40.0)]),
            ("nothing", &[]),
        ];
        for (output, expected) in tables {
            assert_eq!(least_covered(output), *expected, "{output}");
        }
    }

    #[test]
    fn totals_of_coverage() {
        let cases: &[(&str, Option<f64>)] = &[
            (
                "Name      Stmts   Miss  Cover\nshop.py       4      1    75%\n-----\nTOTAL         4      1    75%\n3 passed",
                Some(75.0),
            ),
            ("TOTAL    40   10   12   3   72.5%", Some(72.5)),
            (
                "File      | % Stmts | % Branch | % Funcs | % Lines |\nAll files |   85.71 |       50 |     100 |   85.71 |\n a.js |   10 | 5 | 5 | 5 |",
                Some(85.71),
            ),
            (
                "=== Coverage summary ===\nStatements   : 80% ( 8/10 )\nBranches     : 50% ( 1/2 )\nFunctions    : 100% ( 2/2 )\nLines        : 81.5% ( 8/10 )",
                Some(81.5),
            ),
            (
                "ok  \texample.com/a\t0.1s\tcoverage: 90.0% of statements\nok  \texample.com/b\t0.1s\tcoverage: 40.0% of statements",
                Some(40.0),
            ),
            ("coverage: 40.0% of statements\ntotal:\t(statements)\t66.7%", Some(66.7)),
            ("TOTAL   10   2   80.00%   5   1   81.00%   40   6   85.00%   0   0   -", Some(85.0)),
            ("80.00% coverage, 4/5 lines covered, +0.00% change", Some(80.0)),
            ("# all files | 91.30 | 80.00 | 66.67 |", Some(91.3)),
            ("ℹ all files | 91.30 | 80.00 | 66.67 |", Some(91.3)),
            ("Line Coverage: 85.3% (10 / 12)", Some(85.3)),
            (" Lines:   85.00% (17/20)", Some(85.0)),
            ("Tests: 5 passed, 100% of them", None),
            ("coverage is 80%", None),
            ("", None),
        ];
        for (output, expected) in cases {
            assert_eq!(coverage(output), *expected, "{output}");
        }
    }
}
