//! Marks that take code out of the count of covered lines.

use crate::detectors::checks::suppressions::is_over_old_code;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Code, Comment, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Code taken out of the coverage.
pub(crate) static UNCOUNTED: Detector = Detector {
    pattern: Pattern {
        id: "LP-T004",
        name: "Coverage Exclusion",
        aliases: &["Coverage Pragma"],
        regression_type: Some(RegressionType::CoverageRegression),
        severity: Severity::High,
        what: "A new mark takes code out of the count of covered lines.",
        why: "The number rises while what is tested stays the same.",
        instead: "A test that runs the code raises the number as well, and means it.",
        proof: PatternProof::Changes,
    },
    detect: uncounted,
};

/// What takes code out of the coverage, without white space.
const UNCOVERED: &[&str] = &[
    "istanbulignore",
    "c8ignore",
    "v8ignore",
    "pragma:nocover",
    "pragmanocover",
    "node:coverage",
    "cfg(not(tarpaulin_include))",
    "coverage(off)",
    "no_coverage",
    "cfg(not(coverage))",
    "cfg_attr(coverage_nightly",
    "coverage:ignore",
    "codecoverageignore",
    ":nocov:",
    "lcov_excl_",
    "gcovr_excl_",
    "gcov_excl_",
    "excludefromcodecoverage",
    "jacocogenerated",
    "excludefromjacocogeneratedreport",
    "@generated",
    "lombok.generated",
    "coveralls-ignore-",
    "@coverageignore",
];

/// What the line of a mark says that no test can run, or that is no code to be run.
const NEVER_RUN: &[&str] = &[
    "__name__==",
    "TYPE_CHECKING",
    "NotImplementedError",
    "abstractmethod",
    "__repr__",
    "assert_never",
    "unreachable",
    "sys.platform",
    "os.name",
    "sys.version_info",
    "ImportError",
    "process.platform",
    "@overload",
];

/// Whether a mark stands on, or right above, what no test runs.
fn is_never_run(text: &str, line: u32) -> bool {
    let at = usize::try_from(line).unwrap_or(0).saturating_sub(1);
    text.lines().skip(at).take(2).any(|line| {
        let line = bare(line);
        NEVER_RUN.iter().any(|word| line.contains(word))
    })
}

fn uncounted(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let is_mark = |it: &&Comment| {
            let text = bare(it.text).to_lowercase();
            UNCOVERED.iter().any(|mark| text.contains(mark))
        };
        let of = |code: &Code| code.comments.iter().chain(&code.marks).filter(is_mark).count();
        let (before, after) = (of(&revision.before), of(&revision.after));
        let known: Vec<u32> = revision
            .before
            .comments
            .iter()
            .chain(&revision.before.marks)
            .filter(is_mark)
            .map(|it| it.line)
            .collect();
        let remark = revision
            .after
            .comments
            .iter()
            .chain(&revision.after.marks)
            .filter(is_mark)
            .find(|it| !known.contains(&it.line));
        let Some(remark) = remark.filter(|it| after > before && is_over_old_code(revision, it)) else {
            continue;
        };
        let line = remark.text.lines().next().unwrap_or_default();
        let mut finding =
            UNCOUNTED.finding(&revision.change.path, format!("`{line}` would take code out of the coverage"));
        finding.line = Some(remark.line);
        if is_never_run(revision.new, remark.line) {
            continue;
        }
        // A whole function at once is more than a branch that can't be reached.
        let at = remark.line;
        let covers = revision.after.functions.iter().any(|it| it.line >= at && it.line <= at + 1);
        finding.severity = if covers { Severity::High } else { Severity::Medium };
        findings.push(finding);
    }
}
