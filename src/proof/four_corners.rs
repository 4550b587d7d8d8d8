//! Runs the criterion with old and new tests on old and new source, each in a copy of its own, and judges what comes of it.
//!
//! Runs come one after the other: tests that share a port or a folder must not meet themselves.

use std::path::Path;
use std::time::{Duration, Instant};

use crate::loops::criteria::Criteria;
use crate::metrics::TestOutcome;
use crate::project::Project;
use crate::proof::bite;
use crate::proof::corner::{Corner, discard};
use crate::proof::deciding::{FileRole, ProofSide};
use crate::proof::judgement::{Judgement, Notice};
use crate::proof::judging::{ProofFacts, rows};
use crate::proof::known_tests::KnownTests;
use crate::proof::renamed::renamed;
use crate::proof::stage::ProofStage;
use crate::proof::step::{ProofStep, stop_where_interrupted};
use crate::proof::subject::GoneSubjects;
use crate::proof::verdict::{CornerRuns, Findings};
use crate::proof::work::ProvedWork;

/// What is proved, and how.
pub struct ProofRequest<'a> {
    /// The project.
    pub project: &'a Project,
    /// The work.
    pub work: &'a ProvedWork,
    /// What decides.
    pub criteria: &'a Criteria,
    /// Where its commands run, relative to the project.
    pub folder: &'a Path,
    /// The time for all runs together.
    pub budget: Duration,
    /// How much is run.
    pub extent: ProofExtent,
    /// Told what runs next.
    pub say: &'a dyn Fn(&ProofStep),
}

/// How much is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProofExtent {
    /// The old tests on the new source, and the rest only where they fail; nothing where what decides is as it was.
    Quick,
    /// The same, and the corners of the source alone where what decides is as it was.
    Always,
    /// All four corners.
    Corners,
    /// The same, and small faults in the source.
    Bite,
}

const TOO_SHORT: &str = "the time was used up before the old tests could be run on the new source";

/// Runs the corners and judges them. An error is why they could not be run.
pub fn prove(request: &ProofRequest) -> Result<Judgement, String> {
    let until = Instant::now() + request.budget;
    let stage = ProofStage::set_up(request.project, request.work, request.criteria, request.folder, until)?;
    let mut bench = Bench { request, stage: &stage, until, runs: 0, expected: None, left_out: Vec::new() };
    let mut runs = CornerRuns::default();
    let was_cut_short = bench.corners(&mut runs)?;
    let known = KnownTests::of(&request.work.changed, &stage.roles);
    let subjects = GoneSubjects::of(&request.work.changed, &stage.roles);
    bench.once_more(&mut runs, ProofFacts { known: &known, subjects: &subjects })?;
    let rows = rows(&runs.corners(), ProofFacts { known: &known, subjects: &subjects });
    let bitten = match request.extent {
        ProofExtent::Bite => Some(bite::bite(&stage, &known, &runs, until, request.say)?),
        _ => None,
    };
    let findings = Findings { runs, rows, left_out: bench.left_out, was_cut_short, bite: bitten };
    Ok(findings.judgement(request.work, &stage.roles))
}

/// The runs, one after the other.
struct Bench<'a> {
    request: &'a ProofRequest<'a>,
    stage: &'a ProofStage<'a>,
    until: Instant,
    runs: usize,
    expected: Option<Duration>,
    left_out: Vec<String>,
}

impl Bench<'_> {
    /// Runs the corners; answers whether time ran out before all of them.
    fn corners(&mut self, runs: &mut CornerRuns) -> Result<bool, String> {
        let roles = &self.stage.roles;
        let has_tests = roles.iter().any(|role| *role != FileRole::Source);
        let has_source = roles.iter().any(|role| !matches!(role, FileRole::Decides(_)));
        let is_quick = matches!(self.request.extent, ProofExtent::Quick | ProofExtent::Always);
        if self.request.extent == ProofExtent::Quick && !has_tests {
            // The criterion has just passed, and nothing else could be said of it.
            runs.is_skipped = true;
            return Ok(false);
        }
        if !is_quick || !has_tests {
            runs.new_new = self.corner(ProofSide::New, ProofSide::New)?.ok_or(TOO_SHORT)?;
        }
        if has_tests {
            runs.old_new = Some(self.corner(ProofSide::Old, ProofSide::New)?.ok_or(TOO_SHORT)?);
        }
        let old_passes = runs.old_new.as_ref().is_none_or(|corner| corner.passed);
        if is_quick && has_tests {
            if old_passes {
                // The criterion has just passed as everything is.
                runs.new_new = Corner { passed: true, ..Corner::default() };
                return Ok(false);
            }
            runs.new_new = self.corner(ProofSide::New, ProofSide::New)?.ok_or("it was cut short: the old tests fail on the new source, and no time was left to run the new ones beside them")?;
        }
        if is_quick && old_passes {
            return Ok(false);
        }
        runs.old_old = match has_source {
            false => runs.old_new.clone(),
            true => self.corner(ProofSide::Old, ProofSide::Old)?,
        };
        runs.new_old = match (has_source, has_tests) {
            (false, _) => Some(runs.new_new.clone()),
            (true, false) => runs.old_old.clone(),
            (true, true) => self.corner(ProofSide::New, ProofSide::Old)?,
        };
        Ok(runs.old_old.is_none() || runs.new_old.is_none())
    }

    /// What fails with the old tests is run again, and again under the new names of what it asks for.
    fn once_more(&mut self, runs: &mut CornerRuns, facts: ProofFacts) -> Result<(), String> {
        if runs.corners().old_new.passed {
            return Ok(());
        }
        let found = rows(&runs.corners(), facts);
        let asks_for_gone =
            found.iter().any(|row| matches!(row.kind, Notice::SubjectGone | Notice::DoesNotLoad));
        let texts = if asks_for_gone { renamed(self.stage, facts.subjects) } else { Vec::new() };
        let stage = self.stage;
        if !texts.is_empty() {
            runs.renamed = self.run("old tests under new names, new source", &|copy| {
                stage.apply(copy, ProofSide::Old, ProofSide::New)?;
                texts.iter().try_for_each(|(changed, text)| stage.place(copy, changed, text.as_deref()))
            })?;
        }
        let fails = runs.corners().old_new.ended(TestOutcome::Failed).next().is_some();
        if fails && found.iter().any(|row| row.kind.refutes() || row.kind.leaves_open()) {
            let tests = if runs.old_new.is_some() { ProofSide::Old } else { ProofSide::New };
            runs.again =
                self.run("the failing tests once more", &|copy| stage.apply(copy, tests, ProofSide::New))?;
        }
        Ok(())
    }

    fn corner(&mut self, tests: ProofSide, source: ProofSide) -> Result<Option<Corner>, String> {
        let word = |side: ProofSide| if side == ProofSide::Old { "old" } else { "new" };
        let stage = self.stage;
        let what = format!("{} tests, {} source", word(tests), word(source));
        self.run(&what, &|copy| stage.apply(copy, tests, source))
    }

    /// Runs the criterion in a copy that `change` changes; `None` where the time does not suffice.
    fn run(
        &mut self,
        what: &str,
        change: &dyn Fn(&Path) -> Result<(), String>,
    ) -> Result<Option<Corner>, String> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() || self.expected.is_some_and(|expected| left < expected) {
            return Ok(None);
        }
        self.runs += 1;
        let run = (self.runs, self.runs.max(4));
        (self.request.say)(&ProofStep { what: what.to_owned(), run, expected: self.expected });
        let folder = self.stage.scratch.root().join(self.runs.to_string());
        let copy = self.stage.copy_in(&folder);
        self.left_out = self.stage.copy(&copy)?;
        change(&copy)?;
        stop_where_interrupted()?;
        let left = self.until.saturating_duration_since(Instant::now());
        let corner = self.stage.run_in(&copy, folder.join("beside"), left)?;
        discard(&folder);
        stop_where_interrupted()?;
        if self.expected.is_none() {
            self.expected = Some(Duration::from_millis(corner.millis));
        }
        Ok(Some(corner))
    }
}
