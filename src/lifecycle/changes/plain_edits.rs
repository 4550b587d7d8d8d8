//! Edits of test files of which no warning has to be given: tests that follow their source, what only comes on top, imports
//! from another place, and tests that run again.

use crate::detectors::is_product_change;
use crate::languages;
use crate::model::counted::beyond;
use crate::model::finding::Change;

/// How a line begins that only brings names in.
const IMPORTS: &[&str] =
    &["import ", "from ", "use ", "using ", "#include", "require ", "require_relative ", "} from "];
/// Words of a line that keeps tests from running: skipped, or passed over for others.
const MARKS: &[&str] = &[
    "skip",
    "Skip",
    "SKIP",
    ".only",
    "xit(",
    "fit(",
    "xtest(",
    "xdescribe(",
    "fdescribe(",
    "fcontext ",
    "xcontext ",
    "ignore",
    "Ignore",
    "Disabled",
    "xfail",
    "pending",
    "focus",
];

/// Whether the changes of a call say of a test file that it goes with its source, or only gets longer.
pub(crate) fn is_plain(changes: &[Change], path: &str) -> bool {
    let Some(change) = changes.iter().find(|change| change.path == path) else { return false };
    let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
        return false;
    };
    let mut new = after.lines();
    let only_grows = before.lines().all(|line| new.by_ref().any(|it| it == line));
    only_grows
        || only_runs_more(path, before, after)
        || changes.iter().any(|other| other.path != path && other.after.is_some() && is_product_change(other))
}

/// Whether the lines that differ only bring names in or keep tests from running, and all tests that ran do so still.
fn only_runs_more(path: &str, before: &str, after: &str) -> bool {
    let gone = beyond(before.lines(), after.lines(), |line| *line);
    let new = beyond(after.lines(), before.lines(), |line| *line);
    let is_import = |line: &&str| {
        let line = line.trim_start();
        IMPORTS.iter().any(|start| line.starts_with(start))
            || (line.contains("require(") && line.contains('='))
    };
    let is_mark = |line: &&str| MARKS.iter().any(|word| line.contains(word));
    let imports = gone.iter().all(is_import) && new.iter().all(is_import);
    let marks = || {
        let bare: Vec<&str> = new.iter().filter(|line| !is_import(line)).copied().collect();
        let without: Vec<&str> = gone.iter().filter(|line| !is_import(line)).copied().collect();
        without.iter().all(is_mark)
            && bare.iter().all(|line| !is_mark(line) && without.iter().any(|it| unmarks(it, line)))
    };
    if !imports && !marks() {
        return false;
    }
    let (ran, runs) = (languages::running_tests(path, before), languages::running_tests(path, after));
    ran.zip(runs).is_some_and(|(ran, runs)| ran.iter().all(|name| runs.contains(name)))
}

/// Whether a line is another one without the mark: `it.only('a', …)` and `it('a', …)`.
fn unmarks(marked: &str, bare: &str) -> bool {
    let marked = marked.trim();
    let bare = bare.trim();
    [".only", ".skip", ".todo", "x", "f"].iter().any(|mark| marked.replacen(mark, "", 1) == bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PYTHON: &str = "from src.app import run\nimport pytest\n\n\n@pytest.mark.skip(reason='x')\ndef test_a():\n    assert run() == 1\n\n\ndef test_b():\n    assert run() == 1\n";
    const SCRIPT: &str = "const app = require('../src/app');\nit.only('runs', () => { expect(app()).toBe(1) });\nit('ends', () => { expect(app()).toBe(2) });\n";

    #[test]
    fn tests_that_run_again_and_imports_from_elsewhere_need_no_warning() {
        for (path, before, from, to, expected) in [
            ("tests/test_a.py", PYTHON, "@pytest.mark.skip(reason='x')\n", "", true),
            ("tests/test_a.py", PYTHON, "from src.app import", "from src.orders import", true),
            ("tests/test_a.py", PYTHON, "    assert run() == 1\n\n", "    assert run() == 2\n\n", false),
            ("tests/test_a.py", PYTHON, "def test_b", "def other_b", false),
            ("tests/test_a.py", PYTHON, "def test_b", "@pytest.mark.skip\ndef test_b", true),
            ("a.test.js", SCRIPT, "it.only(", "it(", true),
            ("a.test.js", SCRIPT, "'../src/app'", "'../src/shop'", true),
            ("a.test.js", SCRIPT, "toBe(2)", "toBe(3)", false),
            ("a.test.js", SCRIPT, "it('ends'", "it.skip('ends'", false),
            ("a.test.js", SCRIPT, "it.only('runs'", "it('runs on'", false),
        ] {
            let after = before.replacen(from, to, 1);
            let change =
                Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after) };
            assert_eq!(is_plain(&[change], path), expected, "{from} -> {to}");
        }
    }
}
