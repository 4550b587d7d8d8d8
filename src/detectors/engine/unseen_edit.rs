//! An edit whose file can't be read, or in which nothing fits it: judged by what it would do to a file of that kind.
//!
//! It says what the command is for; a file that can be read and that it changes is judged itself.

use crate::detectors::{Evidence, judge};
use crate::languages::specimens;
use crate::model::finding::{Change, Finding, Severity};
use crate::shell::ComputedEdit;

/// The most texts that an edit is tried on.
const MOST_SPECIMENS: usize = 24;

/// What the edit would do to the file, if it does harm: at most one finding, without names.
pub fn judge_unseen(path: &str, edit: &ComputedEdit) -> Option<Finding> {
    let mut texts = specimens(path, None);
    for aim in edit.samples() {
        texts.extend(specimens(path, Some(&aim)));
    }
    texts.truncate(MOST_SPECIMENS);
    let worst = |edit: &ComputedEdit| {
        texts.iter().filter_map(|text| tried(path, edit, text)).max_by_key(|finding| finding.severity)
    };
    // An `assert` that was meant for `Assert` is meant all the same.
    worst(edit).or_else(|| worst(&edit.ignoring_case()))
}

fn tried(path: &str, edit: &ComputedEdit, before: &str) -> Option<Finding> {
    let after = edit.apply(before).filter(|after| after != before)?;
    let change = [Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after) }];
    let mut finding = judge(&Evidence { changes: &change, elsewhere: &[] }).into_iter().next()?;
    if finding.severity < Severity::Medium {
        return None;
    }
    finding.severity = finding.severity.min(Severity::High);
    finding.line = None;
    finding.lost.clear();
    finding.confidence = 0.6;
    finding.what = "an edit like this weakens such a file wherever it fits, though this one can't be read or nothing in it fits".to_owned();
    Some(finding)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::model::event::ShellDialect;
    use crate::shell;

    fn verdict(command: &str) -> String {
        let effects = shell::effects(command, ShellDialect::Posix, Path::new("/p"), Path::new("/h")).effects;
        let found = effects.iter().filter_map(|effect| {
            let name = effect.targets.first()?.text.clone();
            judge_unseen(&name, effect.edit.as_ref()?)
        });
        found.map(|it| format!("{} {}", it.pattern_id, it.severity.name())).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn edits_that_weaken_files_of_a_kind_are_found() {
        let mut faults = Vec::new();
        for (command, expected) in [
            ("sed -i 's/it(/it.skip(/' a.test.js", "LP-003 high"),
            ("sed -i 's/describe(/describe.skip(/' a.spec.ts", "LP-002 high"),
            ("sed -i '/expect(/d' a.test.ts", "LP-013 high"),
            ("sed -i '' 's/func test/func xtest/' Tests/CartTests.swift", "LP-001 high"),
            ("sed -i 's/t.Errorf/t.Logf/' a_test.go", "LP-013 high"),
            ("sed -i 's/@Test/@Ignore @Test/' src/test/java/CartTest.java", "LP-003 high"),
            ("sed -i 's/@Test/@Ignore @Test/' src/test/kotlin/CartTest.kt", "LP-003 high"),
            ("sed -i 's/\\[Fact\\]/[Fact(Skip=\"x\")]/' Shop.Tests/CartTests.cs", "LP-003 high"),
            ("perl -0pi -e 's/Assert.*\\n//g' Shop.Tests/CartTests.cs", "LP-013 high"),
            ("sed -i 's/TEST(\\(.*\\), /TEST(\\1, DISABLED_/' a_test.cc", "LP-003 high"),
            ("sed -i 's/function test/function disabled_test/' tests/ClientTest.php", "LP-001 high"),
            ("sed -i '1i import pytest; pytestmark = pytest.mark.skip' tests/test_a.py", "LP-002 high"),
            ("sed -i 's/^  test /  @tag :skip\\n  test /' test/a_test.exs", "LP-003 high"),
            ("sed -i 's/^\\( *\\)it /\\1xit /' spec/a_spec.rb", "LP-003 high"),
            ("sed -i 's/npm test/echo ok/' .github/workflows/ci.yml", "LP-R002 high"),
            ("sed -i '/run: npm test/d' .github/workflows/ci.yml", "LP-R002 high"),
            ("yq -i '.jobs.test.continue-on-error = true' .github/workflows/ci.yml", "LP-R002 high"),
            ("sed -i 's/fail_under = 90/fail_under = 10/' pyproject.toml", "LP-R003 high"),
            ("sed -i 's/\"strict\": true/\"strict\": false/' tsconfig.json", "LP-R004 high"),
            ("npm pkg set scripts.test='echo ok'", "LP-R001 high"),
            ("npm pkg set scripts.lint=true", "LP-R001 high"),
            ("npm pkg delete scripts.test", "LP-R001 high"),
            ("sed -i '1a exit 0' .husky/pre-commit", "LP-R006 high"),
            ("sed -i 's/npm test/true/' .husky/pre-push", "LP-R006 high"),
            ("sed -i '/pytest/d' Makefile", "LP-R001 high"),
            ("perl -0pi -e 's/assert.*\\n//g' Shop.Tests/CartTests.cs", "LP-013 high"),
            ("npm pkg delete scripts.prepare", "LP-R006 high"),
        ] {
            let found = verdict(command);
            if found != expected {
                faults.push(format!("{command}: {found}"));
            }
        }
        assert!(faults.is_empty(), "{faults:#?}");
    }

    #[test]
    fn edits_that_only_change_are_not() {
        for command in [
            "sed -i 's/it.skip(/it(/' a.test.js",
            "sed -i 's/xit(/it(/' a.test.js",
            "sed -i 's/oldName/newName/g' a.test.js",
            "sed -i \"s#from '../a'#from '../b'#\" a.test.ts",
            "sed -i 's/var /let /' a.test.js",
            "sed -i 's/assertEquals(3/assertEquals(4/' src/Cart.java",
            "sed -i 's/it(/it.skip(/' src/iterate.js",
            "sed -i 's/node-version: 18/node-version: 20/' .github/workflows/ci.yml",
            "sed -i 's/checkout@v3/checkout@v4/' .github/workflows/ci.yml",
            "sed -i 's/fail_under = 80/fail_under = 90/' pyproject.toml",
            "npm pkg set version=1.2.3",
            "npm pkg set scripts.build='tsc -b'",
            "npm pkg set scripts.test='vitest run'",
            "npm pkg set scripts.lint='eslint . --max-warnings 0'",
            "yq -i '.services.db.image = \"x\"' docker-compose.yml",
            "sed -i 's/rev: v1/rev: v2/' .pre-commit-config.yaml",
        ] {
            assert_eq!(verdict(command), "", "{command}");
        }
    }
}
