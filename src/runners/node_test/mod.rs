//! `node --test`.

mod failures;
mod results;

use crate::runners::failure::{last, quoted};
use crate::runners::model::{Ecosystem, OutputReader, Runner};
use crate::runners::options::{Weakens, any, weakening};

/// The runner.
pub(crate) static RUNNER: Runner = Runner {
    name: "node --test",
    ecosystem: Ecosystem::Node,
    results: Some(OutputReader { turn: 80, read: || Box::new(results::NodeTest::default()) }),
    executed: Some(OutputReader { turn: 20, read: executed }),
    failures: Some(OutputReader { turn: 50, read: failures::read }),
    weakenings: &[
        weakening(Weakens::LeavesTestsOut, "--test-skip-pattern", &[], any),
        weakening(Weakens::LeavesTestsOut, "--test-only", &[], any),
    ],
    alone: Some(|test| Some(format!("node --test --test-name-pattern={}", quoted(last(test))))),
    ..Runner::NOTHING
};

/// `# pass 4` and `ℹ fail 1`
fn executed(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("# ").or_else(|| line.strip_prefix("ℹ "))?;
    let (what, count) = rest.split_once(' ')?;
    let count = count.trim().parse().ok()?;
    matches!(what, "pass" | "fail").then_some(count)
}
