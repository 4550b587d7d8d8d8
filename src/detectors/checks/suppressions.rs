//! Marks that silence a checker: linters, type checkers, coverage.
//!
//! Only marks that are new count. One with a rule's name is a thing to record; one for everything is worth a word.

use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Pattern, Proof};
use crate::languages::code::{Code, Remark, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Linters and type checkers silenced.
pub(crate) static SILENCED: Detector = Detector {
    pattern: Pattern {
        id: "LP-C001",
        name: "Linter Disabling",
        aliases: &["LP-C002", "any Injection", "Type Check Suppression"],
        regression_type: Some(RegressionType::ErrorSuppression),
        severity: Severity::High,
        what: "A new comment or attribute keeps a linter or a type checker from reporting.",
        why: "What the checker would have said is still true.",
        instead: "Code that the checker accepts passes; a mark that names one rule and a reason is only recorded.",
        proof: Proof::Changes,
    },
    detect: silenced,
};

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
        proof: Proof::Changes,
    },
    detect: uncounted,
};

/// How wide a mark is.
#[derive(Clone, Copy, PartialEq)]
enum Width {
    /// The whole file.
    File,
    /// Everything of one place.
    Place,
    /// One rule of one place.
    Rule,
}

/// What marks begin with: the text, whether it is about the whole file, and what introduces a rule.
const MARKS: &[(&str, bool, &str)] = &[
    ("eslint-disable-next-line", false, " "),
    ("eslint-disable-line", false, " "),
    ("eslint-disable", true, " "),
    ("@ts-nocheck", true, ""),
    ("@ts-ignore", false, ""),
    ("@ts-expect-error", false, " "),
    ("biome-ignore-all", true, ""),
    ("biome-ignore", false, " "),
    ("tslint:disable", true, ":"),
    ("type: ignore", false, "["),
    ("mypy: ignore-errors", true, ""),
    ("mypy: disable-error-code", true, "="),
    ("pyright: ignore", false, "["),
    ("pyright: basic", true, ""),
    ("flake8: noqa", true, ":"),
    ("ruff: noqa", true, ":"),
    ("noqa", false, ":"),
    ("pylint: skip-file", true, ""),
    ("pylint: disable=all", true, ""),
    ("pylint: disable", false, "="),
    ("nolint", false, ":"),
    ("lint:ignore", false, " "),
    ("lint:file-ignore", true, ""),
    ("oxlint-disable", true, " "),
    ("prettier-ignore", false, " "),
    ("NOLINTNEXTLINE", false, "("),
    ("NOLINTBEGIN", false, "("),
    ("NOLINT", false, "("),
    ("cppcheck-suppress-file", true, " "),
    ("cppcheck-suppress", false, " "),
    ("clang-format off", false, ""),
    ("rubocop:disable all", true, ""),
    ("rubocop:disable", false, " "),
    ("rubocop:todo", false, " "),
    ("standard:disable all", true, ""),
    ("standard:disable", false, " "),
    ("steep:ignore", false, " "),
    ("phpcs:ignoreFile", true, " "),
    ("phpcs:ignore", false, " "),
    ("phpcs:disable", true, " "),
    ("@phpstan-ignore-file", true, ""),
    ("@phpstan-ignore-next-line", false, ""),
    ("@phpstan-ignore-line", false, ""),
    ("@phpstan-ignore", false, " "),
    ("@psalm-suppress all", true, ""),
    ("@psalm-suppress", false, " "),
    ("@codingStandardsIgnoreFile", true, ""),
    ("@codingStandardsIgnoreStart", false, ""),
    ("@codingStandardsIgnoreLine", false, ""),
    ("swiftlint:disable all", true, ""),
    ("swiftlint:disable:next", false, " "),
    ("swiftlint:disable:this", false, " "),
    ("swiftlint:disable:previous", false, " "),
    ("swiftlint:disable", false, " "),
    ("ktlint-disable", false, " "),
    ("noinspection", false, " "),
    ("credo:disable-for-this-file", true, " "),
    ("credo:disable-for-next-line", false, " "),
    ("credo:disable-for-previous-line", false, " "),
    ("credo:disable-for-lines", false, " "),
    ("sobelow_skip", false, " "),
    ("ReSharper disable All", true, ""),
    ("ReSharper disable once", false, " "),
    ("ReSharper disable", false, " "),
    ("CHECKSTYLE:OFF", false, " "),
    ("CHECKSTYLE.OFF", false, " "),
    ("NOPMD", false, " "),
    ("NOSONAR", false, " "),
    ("spotless:off", false, ""),
    ("@formatter:off", false, ""),
];
/// Marks in the code itself, without white space: how they begin, whether they are about the whole file, what names
/// every rule, and what every mark must hold.
const ATTRIBUTES: &[(&str, bool, &[&str], &str)] = &[
    ("@SuppressWarnings", false, &["\"all\""], "("),
    ("@SuppressLint", false, &["\"all\""], "("),
    ("@file:Suppress", true, &[], "("),
    ("@Suppress", false, &["\"all\"", "\"warnings\""], "("),
    ("[SuppressMessage", false, &["\"*\""], "("),
    ("[assembly:SuppressMessage", true, &[], "("),
    ("[module:SuppressMessage", true, &[], "("),
    ("#pragmawarningdisable", false, &[], ""),
    ("#pragmawarning(disable", false, &[], ""),
    ("#pragmawarning(push,0", true, &[], ""),
    ("#pragmaGCCdiagnosticignored", false, &["-Wall", "-Weverything"], ""),
    ("#pragmaclangdiagnosticignored", false, &["-Wall", "-Weverything"], ""),
    ("#pragmaGCCsystem_header", true, &[], ""),
    ("#pragmaclangsystem_header", true, &[], ""),
    ("#nullabledisable", true, &[], ""),
    ("@dialyzer", false, &["nowarn_function", "no_return"], ""),
    ("@compile:nowarn", true, &[], ""),
    ("@compile{:no_warn", true, &[], ""),
];
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
    "coveralls-ignore-",
    "@coverageignore",
];

fn silenced(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions() {
        let mut worst: Option<(Width, &Remark)> = None;
        for remark in revision.after.comments.iter().chain(&revision.after.marks) {
            let Some(width) = width(remark.text) else { continue };
            let text = bare(remark.text);
            let of = |code: &Code| {
                code.comments.iter().chain(&code.marks).filter(|it| bare(it.text) == text).count()
            };
            // What the file says again and again it says once more, and a test may provoke what is warned of.
            let off = remark.text.split("//").next().unwrap_or_default().trim();
            let is_restored = || {
                let on = off.replace("warning disable", "warning restore");
                off != on && revision.new.contains(&on)
            };
            let is_habit = of(&revision.before) >= 3
                || revision.is_test && (text.contains("@ts-expect-error") || is_restored());
            let is_new = of(&revision.after) > of(&revision.before) && !is_habit;
            let width = if revision.old.is_empty() { Width::Rule } else { width };
            if is_new && worst.is_none_or(|(known, _)| rank(width) < rank(known)) {
                worst = Some((width, remark));
            }
        }
        let Some((width, remark)) = worst else {
            findings.extend(untyped(revision));
            continue;
        };
        let line = remark.text.lines().next().unwrap_or_default();
        let what = match width {
            Width::File => format!("`{line}` would silence the checker for the whole file"),
            Width::Place => format!("`{line}` would silence every rule of the checker"),
            Width::Rule => format!("`{line}` would silence a rule"),
        };
        let mut finding = SILENCED.finding(&revision.change.path, what);
        finding.line = Some(remark.line);
        finding.severity = match width {
            Width::File if !revision.old.is_empty() && !revision.is_test => Severity::High,
            Width::File => Severity::Medium,
            // Over code that was there it is worth a word; in new code it is a choice.
            _ if is_over_old_code(revision, remark) => Severity::Medium,
            _ => Severity::Low,
        };
        findings.push(finding);
    }
}

fn rank(width: Width) -> u8 {
    match width {
        Width::File => 0,
        Width::Place => 1,
        Width::Rule => 2,
    }
}

fn width(text: &str) -> Option<Width> {
    if text.starts_with("#[") || text.starts_with("#![") {
        return attribute(text);
    }
    if text.starts_with(['@', '['])
        || (text.starts_with('#') && text.trim_start_matches(['#', ' ']).starts_with(['p', 'n']))
    {
        let known = annotation(text);
        if known.is_some() {
            return known;
        }
    }
    let body =
        text.trim_start_matches(['/', '*', '#', '!', ' ', '\t']).trim_end_matches(['*', '/', ' ', '\t']);
    let (mark, is_file, introduces) = MARKS.iter().find(|(mark, ..)| {
        body.strip_prefix(mark)
            .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '-'))
    })?;
    let rest = body.get(mark.len()..).unwrap_or_default();
    let names_rule = !introduces.is_empty() && rest.starts_with(introduces) && rest.trim().len() > 1;
    Some(match (names_rule, is_file) {
        (true, _) => Width::Rule,
        (false, true) => Width::File,
        (false, false) => Width::Place,
    })
}

/// `@SuppressWarnings("unchecked")`, `[SuppressMessage(...)]`, `#pragma warning disable`.
fn annotation(text: &str) -> Option<Width> {
    let text = bare(text);
    let (mark, is_file, all, holds) = ATTRIBUTES.iter().find(|(mark, ..)| text.starts_with(mark))?;
    let rest = text.get(mark.len()..).unwrap_or_default();
    if !rest.contains(holds) {
        return None;
    }
    Some(match (*is_file, all.iter().any(|it| rest.contains(it))) {
        (true, _) => Width::File,
        (false, true) => Width::Place,
        (false, false) if rest.is_empty() => Width::File,
        (false, false) => Width::Rule,
    })
}

/// `#![allow(warnings)]`, `#[allow(clippy::all)]`, `#[allow(dead_code)]`.
fn attribute(text: &str) -> Option<Width> {
    let text = bare(text);
    let inside = text.split_once("allow(")?.1;
    let head = text.split("allow(").next().unwrap_or_default();
    if !matches!(head, "#[" | "#![") {
        return None;
    }
    let is_all = inside
        .split([',', ')'])
        .any(|rule| matches!(rule, "warnings" | "clippy::all" | "unused" | "clippy::pedantic"));
    Some(match (head, is_all) {
        ("#![", true) => Width::File,
        (_, true) => Width::Place,
        _ => Width::Rule,
    })
}

/// Whether the next line of code after a mark was there before, so that only the mark is new.
fn is_over_old_code(revision: &Revision, remark: &Remark) -> bool {
    let at = usize::try_from(remark.line).unwrap_or(usize::MAX);
    let code = |line: &&str| line.trim().len() > 3;
    let same = revision.new.lines().nth(at.saturating_sub(1)).filter(|line| {
        !line.trim_start().starts_with(['/', '#', '*', '{']) && !line.trim_start().starts_with(remark.text)
    });
    let next = same.or_else(|| revision.new.lines().skip(at).find(code));
    let Some(line) = next else { return false };
    let line = bare(line.split(remark.text).next().unwrap_or(line));
    // As often as before: a line that is new again has its twin elsewhere.
    let count = |text: &str| text.lines().filter(|other| bare(other).starts_with(&line)).count();
    (line.len() > 3 || (same.is_some() && !line.is_empty()))
        && count(revision.old) > 0
        && count(revision.new) <= count(revision.old)
}

/// A type that is replaced by `any`.
fn untyped(revision: &Revision) -> Option<Finding> {
    if !revision.change.path.ends_with("ts")
        && !revision.change.path.ends_with("tsx")
        && !revision.change.path.ends_with("cts")
    {
        return None;
    }
    let (old, new): (Vec<_>, Vec<_>) = (revision.old.lines().collect(), revision.new.lines().collect());
    if old.len() != new.len() {
        return None;
    }
    let mut changed = old.iter().zip(&new).enumerate().filter(|(_, (a, b))| a != b);
    let (at, (before, after)) = changed.next()?;
    let anys = |line: &str| {
        let words: Vec<&str> =
            line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        (words.iter().filter(|word| **word == "any").count(), words.len())
    };
    let ((had, words_before), (has, words_after)) = (anys(before), anys(after));
    let is_narrow = changed.next().is_none()
        && has > had
        && words_after <= words_before
        && !after.trim_start().starts_with(['/', '*']);
    is_narrow.then(|| {
        let mut finding = SILENCED.finding(&revision.change.path, "a type would become `any`".to_owned());
        finding.line = u32::try_from(at + 1).ok();
        finding.severity = Severity::Medium;
        finding
    })
}

fn uncounted(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions().iter().filter(|revision| !revision.is_test) {
        let is_mark = |it: &&Remark| {
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
        // A whole function at once is more than a branch that can't be reached.
        let at = remark.line;
        let covers = revision.after.functions.iter().any(|it| it.line >= at && it.line <= at + 1);
        finding.severity = if covers { Severity::High } else { Severity::Medium };
        findings.push(finding);
    }
}
