//! What a proof comes to, as values.

use serde::Serialize;

use crate::metrics::TestOutcome;
use crate::proof::planted::Bite;

/// What a proof comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Verdict")]
pub enum ProofVerdict {
    /// The work passes the tests as they were, and as they are.
    Proven,
    /// It passes only because of what was done to the tests, or it breaks what worked.
    Refuted,
    /// That can't be said.
    Undecided,
}

/// What is noticed of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Kind")]
pub enum Notice {
    /// It failed before, its old form still fails, and only as it was changed it passes.
    PassesOnlyChanged,
    /// Its old form fails now; as it was changed it passes on the old source as well, so it no longer tells them apart.
    Looser,
    /// Its old form fails now, and it no longer runs.
    NoLongerRuns,
    /// It passed before, and fails now in both its forms.
    FailsNow,
    /// The command passes only with what decides it as it is now, and no test says why.
    CommandOnlyChanged,
    /// Its old form fails now, and the new one fails on the old source: it asks for something else.
    AsksForElse,
    /// Its old form asks for something that is gone.
    SubjectGone,
    /// Its old form can't be loaded with the new source.
    DoesNotLoad,
    /// It fails on the unchanged corners as well: broken before, or in need of what a copy does not have.
    NeedsMore,
    /// It passes in one run and fails in the next.
    Flaky,
    /// It does not run any more, and would pass.
    Gone,
    /// It is gone with what it tested.
    GoneWithSubject,
    /// Changed, it passes on the old source, on which its old form fails; the new source passes both.
    PassesOnOld,
    /// It passes under the new names of what it tests.
    SameUnderNewNames,
}

impl Notice {
    /// Whether it refutes the work.
    pub fn refutes(self) -> bool {
        matches!(
            self,
            Notice::PassesOnlyChanged
                | Notice::Looser
                | Notice::NoLongerRuns
                | Notice::FailsNow
                | Notice::CommandOnlyChanged
        )
    }

    /// Whether it leaves the work undecided.
    pub fn leaves_open(self) -> bool {
        matches!(
            self,
            Notice::AsksForElse
                | Notice::SubjectGone
                | Notice::DoesNotLoad
                | Notice::NeedsMore
                | Notice::Flaky
        )
    }

    /// What it says, for people.
    pub fn words(self) -> &'static str {
        match self {
            Notice::PassesOnlyChanged => {
                "passes only as it was changed; as it was, it fails before and after"
            }
            Notice::Looser => "as it was, it fails now; as it was changed, it passes with the old source too",
            Notice::NoLongerRuns => "as it was, it fails now; and it does not run any more",
            Notice::FailsNow => "passed before and fails now",
            Notice::CommandOnlyChanged => "the command passes only with the changed tests and settings",
            Notice::AsksForElse => "asks for something else than before",
            Notice::SubjectGone => "asked for something that is gone",
            Notice::DoesNotLoad => "as it was, it can't be run with the new source",
            Notice::NeedsMore => {
                "fails in the unchanged corners too: it needs what a copy does not have, or was broken before"
            }
            Notice::Flaky => "passes in one run and fails in the next",
            Notice::Gone => "does not run any more, though what it tests is there and passes it",
            Notice::GoneWithSubject => "is gone with what it tested",
            Notice::PassesOnOld => "as it was changed, it passes with the old, failing source too",
            Notice::SameUnderNewNames => "is the same test under new names, and passes as it was",
        }
    }
}

/// What is noticed of one test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[schemars(rename = "Row")]
pub struct NoticedTest {
    /// The test, as its runner calls it.
    pub test: String,
    /// What is noticed.
    pub kind: Notice,
    /// How it ended with the old tests on the old source; nothing where it did not run.
    pub old_tests_old_source: Ending,
    /// With the old tests on the new source.
    pub old_tests_new_source: Ending,
    /// With the new tests on the old source.
    pub new_tests_old_source: Ending,
    /// With the new tests on the new source.
    pub new_tests_new_source: Ending,
    /// What it said when it failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// The file that holds it, where that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its line as it is, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// How it was changed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// How a test ended in one corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was skipped.
    Skipped,
    /// It did not run in this corner.
    Missing,
    /// The corner was not run.
    #[default]
    NotRun,
}

impl Ending {
    /// Of what a corner says of a test.
    pub fn of(outcome: Option<TestOutcome>) -> Ending {
        match outcome {
            Some(TestOutcome::Passed) => Ending::Passed,
            Some(TestOutcome::Failed) => Ending::Failed,
            Some(TestOutcome::Skipped) => Ending::Skipped,
            None => Ending::Missing,
        }
    }
}

/// A corner, summed up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Sum {
    /// Which tests.
    pub tests: &'static str,
    /// Which source.
    pub source: &'static str,
    /// Whether the command passed.
    pub passed: bool,
    /// Why it did not.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// Tests by how they ended.
    pub passing: usize,
    /// Failing tests.
    pub failing: usize,
    /// Skipped tests.
    pub skipped: usize,
    /// How long it took, in milliseconds.
    pub millis: u64,
    /// The end of what it printed, where it failed.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tail: String,
}

/// A file that decides and changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Decider {
    /// Its path.
    pub path: String,
    /// Why it decides.
    pub why: String,
    /// How it changed, where a test of it is not shown by itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub diff: String,
}

/// All that a proof says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Judgement {
    /// What it comes to.
    pub verdict: ProofVerdict,
    /// Why, as sentences.
    pub reasons: Vec<String>,
    /// What would help to decide it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub help: Vec<String>,
    /// The corners that were run.
    pub corners: Vec<Sum>,
    /// What is noticed, the worst first.
    pub tests: Vec<NoticedTest>,
    /// The changed files that decide.
    pub deciding: Vec<Decider>,
    /// Whether tests were told apart by name, or the command's exit code alone was seen.
    pub by_name: bool,
    /// Whether time ran out before all corners were run.
    pub was_cut_short: bool,
    /// What became of small faults in the source, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bite: Option<Bite>,
}
