//! What the newest run of tests in an iteration says of single tests, as the agent's shell printed it.

use crate::languages::data_of_tests;
use crate::lifecycle::context::hook_context::HookContext;
use crate::metrics::TestOutcome;
use crate::model::finding::Finding;
use crate::state::test_runs::TestRun;

/// The newest run of this iteration.
pub(crate) fn newest(context: &HookContext) -> Option<TestRun> {
    let bound = context.bound.as_ref()?;
    TestRun::read(&context.layout, &bound.id).filter(|run| run.iteration == context.iteration())
}

impl TestRun {
    /// The failing test of the run that one of these names is.
    pub(crate) fn failure_of(&self, names: &[String]) -> Option<&str> {
        let tests = self.reading.tests.as_ref()?;
        tests.named(TestOutcome::Failed).find(|failed| names.iter().any(|name| is_same_test(failed, name)))
    }

    /// Whether a finding is about tests by name of which none failed in the run: nothing is fitted to a failure there.
    /// A run that does not name all that failed says nothing of the others, and what rests on data may be any test.
    pub(crate) fn has_no_failure_of(&self, finding: &Finding) -> bool {
        let Some(tests) = self.reading.tests.as_ref() else { return false };
        let named = u64::try_from(tests.named(TestOutcome::Failed).count());
        let is_all_named = named.is_ok_and(|named| named >= tests.failed);
        let is_of_tests = !data_of_tests(&finding.path) && !finding.lost.is_empty();
        is_of_tests && is_all_named && self.failure_of(&finding.lost).is_none()
    }
}

/// Whether a runner's name of a test and ours are of one test: its own name is the last part of both.
pub(crate) fn is_same_test(failed: &str, name: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    // `test_a[1-2]`, `adds()`.
    let own = failed.split(['[', '(']).next().unwrap_or(failed);
    let title = letters(name.rsplit(" > ").next().unwrap_or(name));
    title.len() > 2 && (letters(own).ends_with(&title) || letters(failed).ends_with(&title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runners_name_is_the_tests() {
        for (failed, name) in [
            ("tests/test_cart.py::test_total[tea-3]", "test_total"),
            ("cart > adds two", "cart > adds two"),
            ("cart adds two", "cart > adds two"),
            ("shop::tests::adds", "tests > adds"),
            ("CartTest.adds()", "CartTest > adds"),
            ("TestCart/empty", "TestCart > empty"),
        ] {
            assert!(is_same_test(failed, name), "{failed} {name}");
        }
        assert!(!is_same_test("tests/test_cart.py::test_total", "test_tax"));
    }
}
