//! Coverage as tools print it: a table with a line of totals, or a labelled percentage.

/// The total coverage that a tool printed, in percent. Of several totals the last one counts; of a table of Go
/// packages without a total, the lowest.
pub fn coverage(output: &str) -> Option<f64> {
    let mut total = PrintedTotal::default();
    output.lines().for_each(|line| total.line(line));
    total.end()
}

/// The total, line by line.
#[derive(Debug, Default)]
pub(in crate::metrics) struct PrintedTotal {
    total: Option<f64>,
    lowest_package: Option<f64>,
    branches: Option<f64>,
}

impl PrintedTotal {
    pub(in crate::metrics) fn line(&mut self, line: &str) {
        // Every form has a percent sign or is a table's line of totals.
        let line = line.trim().trim_start_matches(['#', 'ℹ', '|']).trim();
        if !line.contains(['%', '|']) {
            return;
        }
        let lower = line.to_lowercase();
        self.branches = branches_of(&lower).or(self.branches);
        if let Some(percent) = total_of(&lower) {
            self.total = Some(percent);
        } else if let Some(at) = lower.find("coverage: ")
            && lower.contains("of statements")
            && let Some(percent) = percents(lower.get(at..).unwrap_or_default()).next()
        {
            self.lowest_package = Some(self.lowest_package.map_or(percent, |lowest| lowest.min(percent)));
        }
    }

    /// The coverage of branches, where the tool prints it.
    pub(in crate::metrics) fn branches(&self) -> Option<f64> {
        self.branches
    }

    pub(in crate::metrics) fn end(self) -> Option<f64> {
        self.total.or(self.lowest_package)
    }
}

/// The total of branches that a line gives: the second cell of istanbul's and node's tables, or a labelled line.
fn branches_of(lower: &str) -> Option<f64> {
    if let Some(rest) = lower.strip_prefix("all files") {
        return rest.split('|').filter_map(number).nth(1);
    }
    let (label, rest) = lower.split_once(':')?;
    // Of none a summary says `100% ( 0/0 )`.
    let is_total = matches!(label.trim(), "branches" | "branch coverage") && !rest.contains("0/0");
    is_total.then(|| percents(rest).next()).flatten()
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
