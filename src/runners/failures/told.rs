//! How many faults an output says there are, in a summary of its own: `Found 9 errors`, `✖ 9 problems (9 errors, 0 warnings)`.

/// What is counted.
const FAULTS: &[&str] = &[
    "error",
    "problem",
    "issue",
    "violation",
    "offense",
    "offence",
    "failure",
    "finding",
    "diagnostic",
    "warning",
    "mistake",
    "fault",
];
/// What may stand between the number and that.
const KINDS: &[&str] =
    &["previous", "new", "type", "lint", "compile", "compilation", "fatal", "more", "style"];

/// The count of the last line that has one.
pub(crate) fn told(lines: &[&str]) -> Option<usize> {
    lines.iter().rev().find_map(|line| of_line(line)).filter(|count| *count > 0)
}

fn of_line(line: &str) -> Option<usize> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.iter().enumerate().find_map(|(at, word)| {
        let count = word.trim_start_matches(|letter: char| !letter.is_ascii_digit()).parse().ok()?;
        let own = word.trim_start_matches(['(', '[', '✖', '*']);
        let mut next = words.iter().skip(at + 1).map(|word| noun(word));
        let counted = next.find(|word| !KINDS.contains(&word.as_str()))?;
        let counted = counted.strip_suffix('s').unwrap_or(&counted);
        (own.starts_with(|letter: char| letter.is_ascii_digit()) && FAULTS.contains(&counted))
            .then_some(count)
    })
}

/// `errors` of `errors,`, `error` of `Error(s)`.
fn noun(word: &str) -> String {
    let lower = word.to_lowercase().replace("(s)", "");
    lower.trim_matches(|letter: char| !letter.is_alphanumeric()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn counts_are_those_of_summaries() {
        let rows: &[(&str, Option<usize>)] = &[
            ("Found 9 errors in 1 file (checked 1 source file)", Some(9)),
            ("✖ 8 problems (7 errors, 1 warning)", Some(8)),
            ("error: could not compile `x` (lib) due to 7 previous errors; 2 warnings emitted", Some(7)),
            ("    6 Error(s)", Some(6)),
            ("5 issues:\n* govet: 5", Some(5)),
            ("Found 4 errors.\n[*] 2 fixable with the `--fix` option.", Some(4)),
            ("  3:1  error  'v' is not defined  no-undef", None),
            ("src/a.ts(11,1): error TS2322: Type 'string' is not assignable", None),
            ("x.c:3:5: error: expected ';'", None),
            ("line 3, error in the middle", None),
            ("0 errors", None),
            ("12 files were read", None),
        ];
        for (output, expected) in rows {
            let lines: Vec<&str> = output.lines().collect();
            assert_eq!(told(&lines), *expected, "{output}");
        }
    }
}
