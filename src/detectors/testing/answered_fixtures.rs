//! Fixtures for all tests of a file or folder that make the project's own code say yes or no by themselves.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::testing::test_lines::new_lines;
use crate::languages::file_name;
use crate::model::finding::{Change, Severity};

/// A fixture for every test that makes a function of the project say yes or no by itself.
pub(super) fn answered_for_all(change: &Change) -> Option<(String, u32, Severity)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if file_name(&change.path) != "conftest.py" && !file_name(&change.path).starts_with("test_") {
        return None;
    }
    let come = new_lines(old, new);
    let is_for_all = come.iter().any(|(_, line)| line.contains("autouse=True"));
    if !is_for_all {
        return None;
    }
    let is_own = |package: &str| {
        new.lines().any(|line| {
            line.starts_with(&format!("from {package}."))
                || line.starts_with(&format!("from {package} "))
                || line.starts_with(&format!("import {package}"))
        })
    };
    come.iter().find_map(|(at, line)| {
        let replaces = line.contains("setattr(") || line.contains("patch(");
        let target = quoted(line, PLAIN_QUOTES).next().filter(|_| replaces)?;
        let package = target.split('.').next()?;
        let name = target.rsplit('.').next()?;
        let answers = [": True", ": False", "return_value=True", "return_value=False"]
            .iter()
            .any(|it| line.contains(it));
        (answers && target.contains('.') && is_own(package)).then(|| (name.to_owned(), *at, Severity::High))
    })
}
