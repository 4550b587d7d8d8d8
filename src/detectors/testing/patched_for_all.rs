//! Functions of the project that the shared setup of tests answers for: a fixture of `conftest.py`, a helper that runs before
//! every test. Which tests ask them, the project's other files say.

use crate::detectors::testing::answered_parts::{is_outside, part_by_path};
use crate::detectors::testing::mocked_subject::MOCKED;
use crate::detectors::testing::test_lines::{bound, new_lines};
use crate::detectors::testing::told_methods::stubbed;
use crate::languages::{is_test_path, test_names};
use crate::model::finding::{Change, Finding, Severity};
use crate::model::words::has_word;

/// Words of lines that claim something.
const CLAIMS: &[&str] = &["assert", "Assert", "expect", "should", "EXPECT", "REQUIRE", "must_"];

/// The names that a file of setup puts something in the place of now, with their lines.
pub(crate) fn patched(change: &Change) -> Vec<(String, u32)> {
    let (old, Some(new)) = (change.before.as_deref().unwrap_or_default(), change.after.as_deref()) else {
        return Vec::new();
    };
    let may_patch = ["setattr(", "patch", "allow", "spyOn(", "stub"].iter().any(|word| new.contains(word));
    let is_setup = || test_names(&change.path, new).is_some_and(|names| names.is_empty());
    if !may_patch || !is_test_path(&change.path) || !is_setup() {
        return Vec::new();
    }
    let all = new_lines(old, new).into_iter().filter_map(|(at, line)| {
        let (_, name) = stubbed(line).or_else(|| part_by_path(line))?;
        Some((name, at))
    });
    let is_meant = |name: &str| name.len() > 3 && !is_outside(name) && !old.contains(name);
    all.filter(|(name, _)| is_meant(name)).map(|(name, at)| (name.to_owned(), at)).collect()
}

/// Whether a test's text claims something about what a function gives.
pub(crate) fn asks(text: &str, name: &str) -> bool {
    let call = format!("{name}(");
    let is_claim = |line: &str| CLAIMS.iter().any(|word| line.contains(word));
    let is_asked = |line: &str| {
        is_claim(line)
            || bound(line)
                .is_some_and(|(to, _)| text.lines().any(|other| is_claim(other) && has_word(other, to)))
    };
    text.lines().filter(|line| line.contains(&call) && has_word(line, name)).any(is_asked)
}

/// What is said of a function that a test asks and that the setup answers for.
pub(crate) fn answered(change: &Change, (name, line): (&str, u32), test: &str) -> Finding {
    let what = format!("`{name}`, which `{test}` asks, would be answered by the setup of the tests");
    Finding {
        line: Some(line),
        severity: Severity::High,
        confidence: 0.8,
        ..MOCKED.finding(&change.path, what)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_setup_patches_is_told_with_the_tests_that_ask_it() {
        let change = |path: &str, after: &str| Change {
            path: path.to_owned(),
            before: Some("import pytest\n".to_owned()),
            after: Some(format!("import pytest\n{after}")),
        };
        let fixture = "@pytest.fixture(autouse=True)\ndef fees(monkeypatch):\n    monkeypatch.setattr(pricing, \"shipping_fee\", lambda order: 490)\n";
        let names = |change: &Change| patched(change).into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names(&change("tests/conftest.py", fixture)), ["shipping_fee"]);
        let outside = fixture.replace("shipping_fee", "send_mail");
        assert!(names(&change("tests/conftest.py", &outside)).is_empty(), "what reaches the world outside");
        let own = format!("{fixture}\ndef test_a():\n    assert 1 == one()\n");
        assert!(names(&change("tests/test_a.py", &own)).is_empty(), "a test's own file is read elsewhere");
        assert!(asks("def test_a(order):\n    assert shipping_fee(order) == 490\n", "shipping_fee"));
        assert!(asks(
            "def test_a(order):\n    fee = shipping_fee(order)\n    assert fee == 490\n",
            "shipping_fee"
        ));
        assert!(!asks("def test_a(order):\n    assert total(order) == 490\n", "shipping_fee"));
    }
}
