//! Tests that are gone: deleted, commented out, or left where no runner finds them.
//!
//! A test whose body turns up under another name, in a table or in another file is not gone.

use crate::detectors::engine::hunks::hunks;
use crate::detectors::testing::other_forms::is_asked_anew;
use crate::detectors::testing::overwritten_tests::overwritten;
use crate::detectors::testing::said_within::is_refusal;
use crate::detectors::testing::shell_tests;
use crate::detectors::testing::test_inputs::is_product_change;
use crate::detectors::testing::tested_functions::lines_of;
use crate::detectors::testing::word_edit::line_at;
use crate::detectors::{Case, Detector, Pattern, PatternProof, TestComparison, names, of_all};
use crate::languages::code::identifiers;
use crate::languages::{Fate, Language, Test, bare_lines, is_test_name, is_test_path, scan, subject};
use crate::model::finding::{Change, Finding, RegressionType, Severity};

/// The id of the pattern; a test that stands twice is not lost with one of its texts.
pub const DELETED_TESTS: &str = "LP-001";

/// Tests or a test file deleted, or kept where nothing collects them.
pub(crate) static DELETED: Detector = Detector {
    pattern: Pattern {
        id: DELETED_TESTS,
        name: "Complete Test File Deletion",
        aliases: &[SOME_DELETED, "LP-T001", "Test File Deletion"],
        regression_type: Some(RegressionType::TestDeletion),
        severity: Severity::Critical,
        what: "A test file, or single tests of one, would no longer run because they are gone, renamed or in dead code.",
        why: "A failing test that is deleted hides the fault that it found.",
        instead: "Each lost test can be kept, or added at its new place first: then this edit passes. Where its code goes as well, that goes first.",
        proof: PatternProof::Changes,
    },
    detect: deleted,
};

/// Tests turned into comments.
pub(crate) static COMMENTED_OUT: Detector = Detector {
    pattern: Pattern {
        id: "LP-004",
        name: "Test Commenting Out",
        aliases: &["Commented-out tests"],
        regression_type: Some(RegressionType::TestDeletion),
        severity: Severity::Critical,
        what: "Tests would stand in comments.",
        why: "A test in a comment looks kept and runs never.",
        instead: "Each of these tests can stay as code while the code under test is mended: then this edit passes.",
        proof: PatternProof::Changes,
    },
    detect: commented_out,
};

/// The pattern's name where the file keeps some of its tests.
const SOME_DELETED: &str = "Test Deletion";

fn deleted(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons().iter().filter(|it| !becomes_template(case, it.change)) {
        let is_gone = |fate: &Fate| matches!(fate, Fate::Lost | Fate::Dead(_) | Fate::Uncollected(_));
        if let Some(mut finding) = loss(&DELETED, case, comparison, is_gone) {
            if !comparison.after.tests.is_empty() {
                finding.pattern_name = SOME_DELETED;
            }
            findings.push(finding);
        } else if let Some((before, after)) = comparison.counts.filter(|(before, after)| after < before) {
            let what = format!(
                "{} would be gone; the file is too large to name them",
                of_all(before - after, before)
            );
            let mut finding = DELETED.finding(&comparison.change.path, what);
            if after > 0 {
                finding.pattern_name = SOME_DELETED;
            }
            findings.push(Finding { confidence: 0.7, ..finding });
        }
    }
    for comparison in case.comparisons() {
        let lost = overwritten(comparison);
        let Some(first) = lost.first() else { continue };
        let part = of_all(lost.len(), comparison.before.count().max(lost.len()));
        let what = format!("{part} would not run, as a later one has the same name");
        let mut finding = DELETED.finding(&comparison.change.path, what);
        finding.pattern_name = SOME_DELETED;
        (finding.line, finding.severity) = (Some(first.line), Severity::High);
        finding.lost = names(&lost);
        findings.push(finding);
    }
    for change in case.evidence.changes {
        let Some(losses) = shell_tests::losses(change).filter(|it| !it.gone.is_empty()) else { continue };
        if change.after.is_none() {
            continue;
        }
        let part = of_all(losses.gone.len(), losses.count);
        let mut finding = DELETED.finding(&change.path, format!("{part} would be gone"));
        finding.pattern_name = SOME_DELETED;
        finding.line = losses.gone.first().map(|test| test.line);
        finding.lost = losses.gone.into_iter().map(|test| test.name).collect();
        findings.push(finding);
    }
    for change in case.evidence.changes.iter().filter(|change| is_unread(case, change)) {
        findings.extend(unread_file(case, change));
    }
}

fn commented_out(case: &Case, findings: &mut Vec<Finding>) {
    for comparison in case.comparisons() {
        findings.extend(loss(&COMMENTED_OUT, case, comparison, |fate| *fate == Fate::CommentedOut));
    }
}

/// The finding for those tests of a file whose fate is meant.
fn loss(
    detector: &Detector,
    case: &Case,
    comparison: &TestComparison,
    is_meant: impl Fn(&Fate) -> bool,
) -> Option<Finding> {
    let pairs = comparison.before.tests.iter().zip(&comparison.fates);
    let mut lost: Vec<(&Test, &Fate)> = pairs.filter(|(_, fate)| is_meant(fate)).collect();
    let subjects_gone = !lost.is_empty() && are_about_gone(case, comparison.change, &lost);
    if !subjects_gone && !is_root_of_kept_package(case, comparison.change) {
        // What is about something that is gone is no part of the loss.
        let path = &comparison.change.path;
        lost.retain(|(test, _)| test.suite || !case.gone().has_subject_of(path, test));
    }
    lost.retain(|(test, _)| !has_empty_body(comparison.change, test));
    lost.retain(|(test, fate)| **fate != Fate::Lost || !is_refused_anew(comparison, test));
    let first = lost.first()?;
    let tests: Vec<&Test> = lost.iter().map(|(test, _)| *test).collect();
    let said_nothing = |test: &&Test| {
        !test.assertions.is_empty() && test.assertions.iter().all(|assertion| assertion.trivial)
    };
    // The example that a new project comes with.
    let is_blank = |test: &&Test| test.assertions.is_empty() && test.body.len() < 2 && !test.suite;
    if tests.iter().all(|test| said_nothing(test) || is_blank(test)) && is_replaced(comparison, &lost) {
        return None;
    }
    let lost_names = names(&tests);
    let part = of_all(lost_names.len(), comparison.before.count().max(lost_names.len()));
    let mut finding = detector.finding(&comparison.change.path, format!("{part} {}", ending(&lost)));
    finding.line = Some(first.0.line);
    let was_skipped = tests.iter().all(|test| test.skipped.as_ref().is_some_and(|skip| skip.when.stops()));
    if subjects_gone {
        finding.severity = Severity::Low;
    } else if was_skipped {
        finding.severity = Severity::Medium;
    } else if is_replaced(comparison, &lost) {
        let follows = follows_its_subject(case, comparison.change, &tests);
        finding.severity = if follows { Severity::Medium } else { Severity::High };
        finding.confidence = 0.6;
        finding.what = format!("{part} would be replaced by others that test something else");
    }
    finding.lost = lost_names;
    Some(finding)
}

/// Whether a test that something is refused stands in another form in its place, in a test that runs.
fn is_refused_anew(comparison: &TestComparison, test: &Test) -> bool {
    let awaits_panic = test.inverted.is_some();
    let is_new = |new: &Test| {
        let was_there = comparison.before.tests.iter().any(|old| old.name == new.name);
        !was_there && !new.suite && new.skipped.is_none() && new.assertions.iter().any(|it| !it.trivial)
    };
    let text = comparison.change.before.as_deref().unwrap_or_default();
    let title = || line_at(text, test.title_span.start).0;
    (awaits_panic || test.assertions.iter().any(|it| is_refusal(it) || it.text.contains(".left.")))
        && comparison.after.tests.iter().any(is_new)
        && is_asked_anew(comparison.change, &lines_of(text, test), title(), awaits_panic)
}

/// Whether nothing stands in a test's braces: it says that it is there, and no more.
fn has_empty_body(change: &Change, test: &Test) -> bool {
    let says_nothing = !test.suite && test.assertions.is_empty() && test.body.is_empty();
    let braced = || test.text_in(change.before.as_deref()).split_once('{')?.1.rsplit_once('}');
    says_nothing && braced().is_some_and(|(inside, _)| inside.trim().is_empty())
}

fn ending(lost: &[(&Test, &Fate)]) -> String {
    match lost.first() {
        Some((_, Fate::Dead(why))) => format!("would {why}"),
        Some((test, Fate::Uncollected(name))) if test.title == *name => {
            format!("would no longer be collected: `{name}` stays as a plain function")
        }
        Some((test, Fate::Uncollected(name))) => {
            format!("would no longer be collected: `{}` becomes `{name}`", test.title)
        }
        Some((_, Fate::CommentedOut)) => "would be commented out".to_owned(),
        _ => "would be gone".to_owned(),
    }
}

/// Whether as many tests with as many assertions stand in the place of the lost ones.
fn is_replaced(comparison: &TestComparison, lost: &[(&Test, &Fate)]) -> bool {
    let assertions =
        |tests: &[Test]| tests.iter().flat_map(|test| &test.assertions).filter(|it| !it.trivial).count();
    let runs = comparison.after.tests.iter().filter(|test| !test.suite && test.skipped.is_none()).count();
    lost.iter().all(|(_, fate)| **fate == Fate::Lost)
        && runs >= comparison.before.count()
        && assertions(&comparison.after.tests) >= assertions(&comparison.before.tests)
}

/// Whether code that lost tests name has changed as well: others in their place follow it.
fn follows_its_subject(case: &Case, change: &Change, tests: &[&Test]) -> bool {
    let mut others = case.all_changes().filter(|other| other.path != change.path && is_product_change(other));
    others.any(|other| {
        let (old, new) = (other.before.as_deref(), other.after.as_deref());
        let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
        // Of a rewrite all lines differ.
        let places = hunks("//", old, new);
        let lines: Vec<&str> = match &places {
            Some(all) => all.iter().flat_map(|it| it.gone.iter().chain(&it.come)).map(|it| it.text).collect(),
            None => old.lines().chain(new.lines()).collect(),
        };
        let words: Vec<&str> =
            lines.into_iter().flat_map(identifiers).filter(|word| word.len() > 3).collect();
        let names = |test: &&Test| words.iter().any(|word| test.body.mentions(word));
        subject(&other.path) == subject(&change.path) || tests.iter().all(names)
    })
}

/// Whether the code that lost tests are about is gone as well: the file of a file, the functions of single tests.
fn are_about_gone(case: &Case, change: &Change, lost: &[(&Test, &Fate)]) -> bool {
    let has_all = lost
        .iter()
        .filter(|(test, _)| !test.suite)
        .all(|(test, fate)| **fate == Fate::Lost && case.gone().has_subject_of(&change.path, test));
    let has_cases = lost.iter().any(|(test, _)| !test.suite);
    !is_root_of_kept_package(case, change) && (subject_is_gone(case, change) || (has_cases && has_all))
}

/// Whether the file that is gone is where a Rust package begins, and the package stays: nothing of it runs any more.
fn is_root_of_kept_package(case: &Case, change: &Change) -> bool {
    const ROOTS: &[&str] = &["src/lib.rs", "src/main.rs"];
    let is_root = |path: &str| ROOTS.iter().any(|root| path == *root || path.ends_with(&format!("/{root}")));
    let package = |path: &str| path.rsplit_once("src/").map_or("", |(folder, _)| folder).to_owned();
    if change.after.is_some() || !is_root(&change.path) {
        return false;
    }
    let own = package(&change.path);
    let manifest = format!("{own}Cargo.toml");
    !case.all_changes().any(|other| {
        let is_new = || other.before.is_none() && other.after.is_some();
        let is_given_up = || other.after.is_none() || other.before != other.after;
        is_root(&other.path) && package(&other.path) == own && is_new()
            || other.path == manifest && is_given_up()
    })
}

/// Whether the file that a deleted test file is about is gone as well.
fn subject_is_gone(case: &Case, change: &Change) -> bool {
    change.after.is_none() && case.gone().has_file_of(&change.path)
}

/// Whether the file is of no known language, or no test that can be named is in it.
fn is_unread(case: &Case, change: &Change) -> bool {
    let (Some(language), Some(before)) = (Language::of_path(&change.path), change.before.as_deref()) else {
        return true;
    };
    // A file that is neither deleted nor emptied is none of this.
    if change.after.as_deref().is_some_and(|after| !after.trim().is_empty()) {
        return false;
    }
    match case.comparisons().iter().find(|it| it.change.path == change.path) {
        Some(comparison) => comparison.before.tests.is_empty() && comparison.counts.is_none(),
        None => scan(language, before).tests == 0,
    }
}

/// Whether the file stays as it is, under its name with something behind it.
fn is_hidden(case: &Case, change: &Change) -> bool {
    change.after.is_none()
        && case.all_changes().any(|other| {
            other.after == change.before
                && other
                    .path
                    .strip_prefix(&change.path)
                    .is_some_and(|ending| ending.starts_with(['.', '_', '~']))
        })
}

/// Whether a file of what a generator writes gets the ending of its kind of templates: it was no test of the project.
fn becomes_template(case: &Case, change: &Change) -> bool {
    const FOLDERS: &[&str] = &["templates", "template", "skeleton", "scaffold", "scaffolds", "stubs"];
    const ENDINGS: &[&str] = &[
        ".eex",
        ".erb",
        ".tmpl",
        ".tpl",
        ".hbs",
        ".ejs",
        ".j2",
        ".jinja",
        ".tt",
        ".mustache",
        ".liquid",
        ".stub",
    ];
    change.after.is_none()
        && change.path.split('/').any(|folder| FOLDERS.contains(&folder))
        && case.all_changes().any(|other| {
            let ending = other.path.strip_prefix(&change.path);
            other.after.is_some() && ending.is_some_and(|it| ENDINGS.contains(&it))
        })
}

/// A deleted or emptied test file that can't be read: its name says what it held.
fn unread_file(case: &Case, change: &Change) -> Option<Finding> {
    let is_test = is_test_name(&change.path);
    let belongs = Language::of_path(&change.path).is_some() && is_test_path(&change.path);
    let before = change.before.as_deref().filter(|_| is_test || belongs)?;
    let after = change.after.as_deref().unwrap_or_default();
    if before.trim().is_empty() || !after.trim().is_empty() {
        return None;
    }
    let mut lines: Vec<u64> = bare_lines(before).collect();
    lines.sort_unstable();
    let moved = case
        .all_changes()
        .filter(|other| other.path != change.path && is_test_path(&other.path))
        // A test that gets another ending is hidden, not moved.
        .filter(|other| Language::of_path(&other.path) == Language::of_path(&change.path))
        .any(|other| {
            let there = other.after.as_deref().map(bare_lines).into_iter().flatten();
            let found = there.filter(|line| lines.binary_search(line).is_ok()).count();
            found * 10 >= lines.len() * 6
        });
    if moved || becomes_template(case, change) {
        return None;
    }
    let what = if is_test { "the test file would be gone" } else { "a file of the tests would be gone" };
    let what =
        if is_hidden(case, change) { "it would stay under a name that no runner collects" } else { what };
    let mut finding = DELETED.finding(&change.path, what.to_owned());
    // Without a test that can be named it may be a helper that nothing needs any more.
    let is_read = Language::of_path(&change.path).is_some_and(|language| language != Language::Cpp);
    finding.severity = match (is_test, subject_is_gone(case, change)) {
        (true, false) if !is_read => Severity::Critical,
        (true, false) => Severity::High,
        // Nobody empties a file that is needed no more.
        (false, false) if change.after.is_some() || is_hidden(case, change) => Severity::High,
        _ => Severity::Medium,
    };
    Some(finding)
}
