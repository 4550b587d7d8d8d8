//! Marks that take code out of the count of covered lines.

use crate::detectors::checks::suppressions::is_over_old_code;
use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Code, Comment, bare};
use crate::languages::differing::DifferingMiddle;
use crate::languages::file_name;
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

/// The marks in those lines of a text that differ.
fn marks<'c, 's>(
    code: &'c Code<'s>,
    text: &str,
    part: &str,
    middle: DifferingMiddle,
) -> Vec<&'c Comment<'s>> {
    let first = middle.first_line(text);
    let last = first.saturating_add(u32::try_from(part.lines().count()).unwrap_or(u32::MAX));
    let all = code.comments.iter().chain(&code.marks);
    let ends =
        |it: &Comment| it.line.saturating_add(u32::try_from(it.text.matches('\n').count()).unwrap_or(0));
    let differing = all.filter(|it| it.line <= last && (it.line >= first || ends(it) >= first));
    let is_mark = |it: &&Comment| {
        let text = bare(it.text).to_lowercase();
        UNCOVERED.iter().any(|mark| text.contains(mark))
    };
    differing.filter(is_mark).collect()
}

/// Whether a mark takes out the whole file.
fn is_of_file(mark: &str) -> bool {
    bare(mark).to_lowercase().contains("ignorefile")
}

/// Whether a mark takes a whole file or a whole type out, and code that decides something with it. What starts a program, or
/// was written by another one, is no such code.
fn is_over_decisions(revision: &Revision, line: u32, mark: &str) -> bool {
    const STARTING: &[&str] =
        &["main", "program", "index", "cli", "startup", "generated", "bootstrap", "app"];
    const TYPES: &[&str] = &["class ", "struct ", "object ", "record "];
    let stem = file_name(&revision.change.path).split('.').next().unwrap_or_default().to_lowercase();
    let at = usize::try_from(line).unwrap_or(0).saturating_sub(1);
    let mut below = revision.new.lines().skip(at).take(2);
    let is_whole = is_of_file(mark) || below.any(|it| TYPES.iter().any(|word| it.contains(word)));
    let decides = || revision.before.conditions.iter().any(|it| it.owner.is_some());
    is_whole && !STARTING.iter().any(|word| stem == *word || stem.contains("generated")) && decides()
}

fn uncounted(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let middle = revision.middle();
        let known = marks(&revision.before, revision.old, middle.before, middle);
        let marks = marks(&revision.after, revision.new, middle.after, middle);
        let remark = marks.iter().find(|it| known.iter().all(|old| old.line != it.line));
        let is_more = marks.len() > known.len();
        let Some(remark) = remark.filter(|it| is_more && is_over_old_code(revision, it)) else { continue };
        let line = remark.text.lines().next().unwrap_or_default();
        let mut finding =
            UNCOUNTED.finding(&revision.change.path, format!("`{line}` would take code out of the coverage"));
        finding.line = Some(remark.line);
        if is_never_run(revision.new, remark.line) {
            continue;
        }
        // A whole function at once is more than a branch that can't be reached.
        let at = remark.line;
        let is_above = || revision.after.functions.iter().any(|it| it.line >= at && it.line <= at + 1);
        let covers = is_over_decisions(revision, at, line) || !is_of_file(line) && is_above();
        finding.severity = if covers { Severity::High } else { Severity::Medium };
        findings.push(finding);
    }
}
