//! How many tests of the high-water mark the session had added itself, and has taken away again.
//!
//! A runner's count knows no owner. Where the runner names what it lists, what is gone is compared by name: a test that
//! the session remembers as its own, or a row that the loop's start did not have, of a test that is still there.

use std::collections::BTreeSet;

use crate::lifecycle::changes::additions;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::iteration::metrics::GatheredMetrics;
use crate::lifecycle::regression::fallen::{LISTED, last_part};
use crate::state::test_record::TestRecord;

/// How many they are. The disk is asked only where there are fewer tests than the mark says.
pub(super) fn taken_away(context: &HookContext, gathered: &GatheredMetrics, record: &TestRecord) -> u64 {
    let is_below = |mark: &f64| gathered.tests.is_some_and(|(now, _)| (now as f64) < *mark);
    if !gathered.are_listed || !record.high_water.get(LISTED).is_some_and(is_below) {
        return 0;
    }
    let own = additions::taken_away(context);
    match &gathered.listed {
        Some(listed) if !record.added_at_mark.is_empty() => {
            gone(&record.added_at_mark, listed, &own).len() as u64
        }
        _ => own.len() as u64,
    }
}

/// The tests that a list had and the newer one has not, of those that the session may take away.
fn gone<'m>(at_mark: &'m [String], listed: &[String], own: &BTreeSet<String>) -> Vec<&'m String> {
    let now: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
    let still: BTreeSet<&str> = listed.iter().map(|name| last_part(name)).collect();
    let is_row = |name: &str| name.ends_with(']') && still.contains(last_part(name));
    let is_own = |name: &str| own.iter().any(|test| is_same(name, test));
    at_mark.iter().filter(|name| !now.contains(name.as_str()) && (is_row(name) || is_own(name))).collect()
}

/// Whether a runner's name and the name in a source are of one test: runners write the groups around it differently.
fn is_same(listed: &str, named: &str) -> bool {
    let flat = |name: &str| name.replace(" > ", " ").replace(" › ", " ");
    let (whole, own) = (flat(listed), flat(named));
    let ends = |before: &str| before.ends_with(|sign: char| !sign.is_alphanumeric() && sign != '_');
    last_part(listed) == last_part(named) || whole.strip_suffix(&own).is_some_and(ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_session_added_is_known_by_each_runners_name() {
        let own = |name: &str| BTreeSet::from([name.to_owned()]);
        // as listed at the mark, the session's own, as listed now -> how many may be gone
        let rows: &[(&[&str], &str, &[&str], usize)] = &[
            (&["x.TestProbe"], "TestProbe", &["x.TestAdds"], 1),
            (&["example.com/shop.TestProbe"], "TestProbe", &[], 1),
            (&["tests::probe"], "tests::probe", &["tests::adds"], 1),
            (&["src/lib.rs > tests::probe"], "probe", &[], 1),
            (&["t.py::test_probe[1]", "t.py::test_probe[2]"], "test_probe", &["t.py::test_adds"], 2),
            (&["t.py::test_adds[5]"], "test_other", &["t.py::test_adds[1]"], 1),
            (&["sum.test.ts > sum > probes"], "sum probes", &[], 1),
            (&["sum.test.ts > sum > probes"], "sum > probes", &[], 1),
            (&["x.TestTheirs"], "TestProbe", &["x.TestAdds"], 0),
            (&["x.TestProbe"], "TestProbe", &["x.TestProbe"], 0),
            (&["a.test.js > never adds"], "adds twice", &[], 0),
        ];
        for (at_mark, name, listed, expected) in rows {
            let texts = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
            assert_eq!(gone(&texts(at_mark), &texts(listed), &own(name)).len(), *expected, "{at_mark:?}");
        }
    }
}
