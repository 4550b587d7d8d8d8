//! Stand-ins for the code that the tests are about.

use crate::detectors::engine::code_lines::{QUOTES, quoted};
use crate::detectors::testing::answered_fixtures::answered_for_all;
use crate::detectors::testing::asked_of_told::asked_of_told;
use crate::detectors::testing::called_doubles::{called_by_tests, told_and_asked};
use crate::detectors::testing::explained_values::is_taken_away;
use crate::detectors::testing::own_answers::answered_by_own;
use crate::detectors::testing::own_namesakes::namesake;
use crate::detectors::testing::own_subjects::defined_in_tests;
use crate::detectors::testing::served_answers;
use crate::detectors::testing::stand_in_values::own_function;
use crate::detectors::testing::test_lines::{bound, defines, is_import};
use crate::detectors::testing::worked_again::worked_again;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::{is_test_path, subject};
use crate::model::finding::{Finding, RegressionType, Severity};

/// The code under test replaced by a stand-in.
pub(crate) static MOCKED: Detector = Detector {
    pattern: Pattern {
        id: "LP-014",
        name: "Mock Over-Usage",
        aliases: &["LP-T005", "Mocked Subject"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::High,
        what: "A module that the tests use is replaced by a stand-in while the tests stay the same.",
        why: "The tests then test the stand-in.",
        instead: "A stand-in for what the code under test calls, in tests made for it, passes.",
        proof: PatternProof::Changes,
    },
    detect: mocked,
};

/// Calls that replace a module or a name by a stand-in.
const MOCKS: &[&str] =
    &["jest.mock", "vi.mock", "jest.doMock", "vi.doMock", "mock.patch", "patch", "unittest.mock.patch"];

fn mocked(case: &Case, findings: &mut Vec<Finding>) {
    modules(case, findings);
    for comparison in case.comparisons().iter().filter(|it| it.change.path.ends_with(".rs")) {
        findings.extend(defined_in_tests(comparison).map(|(name, line)| {
            let what =
                format!("`{name}`, which the tests are about, would be answered by the tests themselves");
            Finding {
                line: Some(line),
                severity: Severity::High,
                ..MOCKED.finding(&comparison.change.path, what)
            }
        }));
    }
    for change in case.evidence.changes.iter().filter(|change| is_test_path(&change.path)) {
        let is_told = findings.iter().any(|it| it.path == change.path);
        let of_file = || case.comparisons().iter().filter(|it| it.change.path == change.path);
        let surely = |(name, line)| (name, line, Severity::High);
        let again = || {
            let by_tests =
                || of_file().find_map(|it| called_by_tests(it).or_else(|| told_and_asked(it))).map(surely);
            let found = of_file().find_map(worked_again).or_else(|| answered_for_all(change));
            let found = found.or_else(|| of_file().find_map(namesake));
            found.or_else(by_tests).filter(|(name, ..)| !is_taken_away(case, change, name))
        };
        let own = || answered_by_own(case, change);
        let asked = || of_file().find_map(asked_of_told).map(surely);
        let served = || asked().or_else(|| served_answers::served(case, change)).or_else(again).or_else(own);
        // A function that the tests made themselves is nothing that they are about.
        let is_own = |name: &str| {
            let old = change.before.as_deref().unwrap_or_default();
            old.lines().any(|line| {
                defines(line, name)
                    || own_function(line).is_some() && bound(line).is_some_and(|it| it.0 == name)
            })
        };
        // What a double may be asked for, it is not answered.
        let is_listed = |name: &str, line: u32| {
            let at = usize::try_from(line).unwrap_or_default().saturating_sub(1);
            let text = change.after.as_deref().and_then(|text| text.lines().nth(at)).unwrap_or_default();
            text.contains("spec") && quoted(text, QUOTES).any(|word| word == name)
        };
        let is_meant = |(name, line, _): &(String, u32, Severity)| !is_own(name) && !is_listed(name, *line);
        let found = if is_told { None } else { served().filter(is_meant) };
        findings.extend(found.map(|(name, line, severity)| {
            let what =
                format!("`{name}`, which the tests are about, would be answered by the tests themselves");
            let mut found = MOCKED.finding(&change.path, what);
            found.line = Some(line);
            found.severity = severity;
            found.confidence = 0.8;
            found
        }));
    }
}

fn modules(case: &Case, findings: &mut Vec<Finding>) {
    // Without such a word there is no such call, and the code need not be read.
    let may_mock = |text: &str| ["mock", "Mock", "patch"].iter().any(|word| text.contains(word));
    if !case.evidence.changes.iter().filter_map(|it| it.after.as_deref()).any(may_mock) {
        return;
    }
    let tests = case.revisions().iter().filter(|revision| revision.is_test && !revision.old.is_empty());
    for revision in tests.filter(|revision| may_mock(revision.new)) {
        let is_mock = |callee: &str| MOCKS.contains(&callee);
        let count =
            |calls: &[crate::languages::code::Call]| calls.iter().filter(|it| is_mock(it.callee)).count();
        if count(&revision.after.calls) != count(&revision.before.calls) + 1 {
            continue;
        }
        let known: Vec<&str> =
            revision.before.calls.iter().filter(|it| is_mock(it.callee)).map(|it| it.arguments).collect();
        let mock =
            revision.after.calls.iter().find(|it| is_mock(it.callee) && !known.contains(&it.arguments));
        let Some(mock) = mock else { continue };
        let target = mock.arguments.split(['"', '\'', '`']).nth(1).unwrap_or_default();
        let is_used = if target.starts_with('.') {
            let imported = [format!("\"{target}\""), format!("'{target}'")];
            imported.iter().any(|it| revision.old.contains(it))
                || subject(target) == subject(&revision.change.path)
        } else {
            let name = target.rsplit('.').next().unwrap_or_default();
            // A package that tests name is more than one module of it.
            let module = target.rsplit('.').nth(1).unwrap_or_default();
            name.len() > 1
                && target.contains('.')
                && (revision.before.words.mentions(name) || revision.before.words.mentions(module))
        };
        let old_lines = revision.old.lines().filter(|line| !line.trim().is_empty() && !is_import(line));
        let mut new_lines = revision.new.lines();
        let only_added = old_lines.into_iter().all(|line| new_lines.any(|new| new == line));
        let grew = revision.new.lines().count().saturating_sub(revision.old.lines().count());
        let is_sure = is_subject(revision, target);
        // A stand-in for all that the tests are about may be as long as it likes.
        if is_used && only_added && (grew <= 8 || is_sure) {
            let mut found = MOCKED.finding(
                &revision.change.path,
                format!("`{target}` would be replaced by a stand-in in tests that use it"),
            );
            found.line = Some(mock.line);
            found.severity = if is_sure { Severity::High } else { Severity::Medium };
            found.confidence = if is_sure { 0.85 } else { 0.6 };
            findings.push(found);
        }
    }
}

/// Whether the target is what the tests are about: their file is named after it, it is the only module of the
/// project that they import, or they call it themselves.
fn is_subject(revision: &crate::detectors::engine::revision::Revision, target: &str) -> bool {
    if target.starts_with('.') {
        let is_import = |line: &&str| ["import ", "from ", "require("].iter().any(|it| line.contains(it));
        let near = revision
            .old
            .lines()
            .filter(is_import)
            .filter_map(|line| quoted(line, QUOTES).find(|name| name.starts_with('.')));
        let mut others =
            near.filter(|name| *name != target && !name.contains("help") && !name.contains("util"));
        return subject(target) == subject(&revision.change.path)
            || others.next().is_none()
            || is_asked_itself(revision.old, target);
    }
    let name = target.rsplit('.').next().unwrap_or_default();
    revision.before.calls.iter().any(|call| call.callee == name || call.callee == target)
}

/// Whether an assertion calls what the tests import from a module: `expect(isOpen(door))`.
fn is_asked_itself(text: &str, target: &str) -> bool {
    let brings =
        |line: &&str| line.contains(target) && (line.contains("import ") || line.contains("require("));
    let names =
        text.lines().filter(brings).filter_map(|line| Some(line.split_once('{')?.1.split_once('}')?.0));
    names.flat_map(|list| list.split([',', ':'])).map(str::trim).filter(|name| name.len() > 1).any(|name| {
        let call = format!("expect({name}(");
        text.contains(&call)
            || text.contains(&format!("assert({name}("))
            || text.contains(&format!("qual({name}("))
    })
}
