//! The verdict in words, from the runs and from what was noticed of each test.

use crate::metrics::TestOutcome;
use crate::proof::corner::Corner;
use crate::proof::deciding::FileRole;
use crate::proof::judgement::{Decider, Judgement, Notice, NoticedTest, ProofVerdict, Sum};
use crate::proof::judging::Corners;
use crate::proof::planted::Bite;
use crate::proof::text_diff::diff;
use crate::proof::work::{ChangedFile, ProvedWork};

/// The runs.
#[derive(Debug, Default)]
pub(crate) struct CornerRuns {
    pub(crate) new_new: Corner,
    /// `None` where nothing that decides has changed.
    pub(crate) old_new: Option<Corner>,
    pub(crate) old_old: Option<Corner>,
    pub(crate) new_old: Option<Corner>,
    pub(crate) again: Option<Corner>,
    pub(crate) renamed: Option<Corner>,
    /// Whether nothing was run, since nothing that decides has changed.
    pub(crate) is_skipped: bool,
}

/// What came of the runs.
pub(crate) struct Findings {
    pub(crate) runs: CornerRuns,
    pub(crate) rows: Vec<NoticedTest>,
    pub(crate) left_out: Vec<String>,
    pub(crate) was_cut_short: bool,
    pub(crate) bite: Option<Bite>,
}

impl CornerRuns {
    pub(crate) fn corners(&self) -> Corners<'_> {
        Corners {
            new_new: &self.new_new,
            old_new: self.old_new.as_ref().unwrap_or(&self.new_new),
            again: self.again.as_ref(),
            old_old: self.old_old.as_ref(),
            new_old: self.new_old.as_ref(),
            renamed: self.renamed.as_ref(),
        }
    }

    fn sums(&self) -> Vec<Sum> {
        if self.is_skipped {
            return Vec::new();
        }
        let all = [
            ("new", "new", Some(&self.new_new)),
            ("old", "new", self.old_new.as_ref()),
            ("old", "old", self.old_old.as_ref()),
            ("new", "old", self.new_old.as_ref()),
            ("old, under new names", "new", self.renamed.as_ref()),
        ];
        all.into_iter().filter_map(|(tests, source, corner)| Some(sum(tests, source, corner?))).collect()
    }
}

fn sum(tests: &'static str, source: &'static str, corner: &Corner) -> Sum {
    let count = |outcome| corner.ended(outcome).count();
    Sum {
        tests,
        source,
        passed: corner.passed,
        reason: corner.reason.clone(),
        passing: count(TestOutcome::Passed),
        failing: count(TestOutcome::Failed),
        skipped: count(TestOutcome::Skipped),
        millis: corner.millis,
        tail: corner.tail.clone(),
    }
}

impl Findings {
    pub(crate) fn judgement(self, work: &ProvedWork, roles: &[FileRole]) -> Judgement {
        let (verdict, reasons) = self.verdict();
        let help = if verdict == ProofVerdict::Undecided { self.help() } else { Vec::new() };
        let deciding = work.changed.iter().zip(roles);
        let deciding = deciding.filter_map(|(changed, role)| decider(changed, role)).collect();
        let corners = self.runs.sums();
        let by_name = !self.runs.new_new.tests.is_empty() || !self.runs.corners().old_new.tests.is_empty();
        let (tests, was_cut_short, bite) = (self.rows, self.was_cut_short, self.bite);
        Judgement { verdict, reasons, help, corners, tests, deciding, by_name, was_cut_short, bite }
    }

    fn verdict(&self) -> (ProofVerdict, Vec<String>) {
        let of = |wanted: fn(Notice) -> bool| {
            let kinds: std::collections::BTreeSet<Notice> =
                self.rows.iter().map(|row| row.kind).filter(|kind| wanted(*kind)).collect();
            kinds.into_iter().map(|kind| self.sentence(kind)).collect::<Vec<String>>()
        };
        let refuting = of(Notice::refutes);
        if !refuting.is_empty() {
            return (ProofVerdict::Refuted, refuting);
        }
        let open = of(Notice::leaves_open);
        let mut undecided = self.not_run();
        undecided.extend(open);
        undecided.extend(self.bite.as_ref().and_then(Bite::lost));
        if !undecided.is_empty() {
            return (ProofVerdict::Undecided, undecided);
        }
        let has = |kind: Notice| self.rows.iter().any(|row| row.kind == kind);
        let mut said = match (self.runs.old_new.is_some(), has(Notice::SameUnderNewNames)) {
            (false, _) => "nothing that decides the tests has changed, and they pass".to_owned(),
            (true, false) => "the work passes the tests as they were, and as they are".to_owned(),
            (true, true) => {
                "the work passes the tests as they were, under the new names of what they test".to_owned()
            }
        };
        if has(Notice::GoneWithSubject) {
            said.push_str(", but for those that went with what they tested");
        }
        (ProofVerdict::Proven, vec![said])
    }

    fn sentence(&self, kind: Notice) -> String {
        let tests: Vec<&str> =
            self.rows.iter().filter(|row| row.kind == kind).map(|row| row.test.as_str()).collect();
        match tests[..] {
            [one] => format!("{one} {}", kind.words()),
            _ => format!("{} tests, each of which {}", tests.len(), kind.words()),
        }
    }

    /// What failed without a test that says why.
    fn not_run(&self) -> Vec<String> {
        let corners = self.runs.corners();
        let mut said = Vec::new();
        for (corner, what) in [(corners.new_new, "as they are"), (corners.old_new, "as they were")] {
            let is_explained = corner.ended(TestOutcome::Failed).next().is_some()
                || self.rows.iter().any(|row| {
                    row.kind.leaves_open()
                        || matches!(row.kind, Notice::SameUnderNewNames | Notice::GoneWithSubject)
                });
            if !corner.passed && (!is_explained || corner.timed_out || corner.not_found) {
                said.push(format!(
                    "with the tests {what} the command does not pass in a copy: {}",
                    corner.reason
                ));
            }
        }
        said.dedup();
        said
    }

    fn help(&self) -> Vec<String> {
        let has = |kind: Notice| self.rows.iter().any(|row| row.kind == kind);
        let corners = self.runs.corners();
        let mut help = Vec::new();
        if has(Notice::AsksForElse) || has(Notice::SubjectGone) {
            help.push("a person compares the tests before and after: whether they were meant to ask for something else no run can say".to_owned());
        }
        if has(Notice::DoesNotLoad) {
            help.push("keep what the old tests import until they have passed, or change the tests in a commit of their own first".to_owned());
        }
        if self.bite.as_ref().and_then(Bite::lost).is_some() {
            help.push(
                "look at the faults that only the old tests caught: the tests should notice them again"
                    .to_owned(),
            );
        }
        if has(Notice::NeedsMore) || (!corners.new_new.passed && !corners.new_new.timed_out) {
            help.push("run the command in the project itself: what passes there needs something that a copy has not (a port, an absolute path, a database, a built file)".to_owned());
        }
        if has(Notice::Flaky) {
            help.push(
                "mend the tests that pass only sometimes, or prove the others with a narrower --until"
                    .to_owned(),
            );
        }
        if [corners.new_new, corners.old_new].iter().any(|corner| corner.timed_out) {
            help.push("give more time with --budget, or a narrower command with --until".to_owned());
        }
        if [corners.new_new, corners.old_new].iter().any(|corner| corner.not_found) {
            help.push("install the programs of the command, also those of before the change".to_owned());
        }
        if !self.left_out.is_empty() {
            help.push(format!(
                "the copies were made without {}, which is too large",
                self.left_out.join(", ")
            ));
        }
        help
    }
}

fn decider(changed: &ChangedFile, role: &FileRole) -> Option<Decider> {
    let why = role.why()?;
    let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
    let diff = diff(&text(changed.old_text()), &text(changed.new_text()));
    Some(Decider { path: changed.path.clone(), why, diff })
}
