//! Whether a criterion that passes would have passed as everything that decides it was at the loop's start.
//!
//! It is run when such a thing has changed, in copies and within twice the criterion's own time. What can't be told in that
//! time is said and holds nothing up.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::store::Store;
use crate::config::ProveMode;
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::loops::criteria;
use crate::loops::project_facts;
use crate::loops::verification::VerificationResult;
use crate::project::Project;
use crate::proof::four_corners::{ProofExtent, ProofRequest, prove};
use crate::proof::judgement::{Judgement, Notice, NoticedTest, ProofVerdict};
use crate::proof::kept;
use crate::proof::words::in_words;
use crate::proof::work::ProvedWork;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::{HumanDecision, RegressionEvent};

/// The figure under which a proof stands in a regression's record.
pub const PROOF: &str = "proof";
/// What a proof gets of a criterion that takes next to no time: making the copies takes some.
const LEAST: Duration = Duration::from_secs(10);

/// What a proof at completion says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CompletionProof {
    /// The tests that pass only as they were changed.
    pub unproven: Vec<String>,
    /// The comparison, for a person.
    pub table: String,
    /// What is told beside, such as that time ran out.
    pub remark: Option<String>,
}

/// Proves a criterion that has just passed. `None` where nothing is to be proved, or the loop's start is not known.
pub fn at_completion(
    project: &Project,
    layout: &Layout,
    state: &LoopState,
    setting: ProveMode,
    times: (&VerificationResult, Duration),
) -> Option<CompletionProof> {
    let (verification, left) = times;
    // What stands against a completion already is asked about by itself, and settled by other means than a proof.
    let is_open = state.open_regressions().any(|event| !is_of_proof(event));
    if setting == ProveMode::Off || !verification.passed || is_open {
        return None;
    }
    let contract = LoopContract::read(layout, &state.loop_id)?;
    if !contract.broken(project, state).is_empty() {
        return None;
    }
    let work = since_start(project, layout, state)?;
    if work.changed.is_empty() {
        return Some(CompletionProof::default());
    }
    let folder = project.root().join(&contract.folder);
    let criteria = criteria::parse(&contract.criteria, &project_facts::read(&folder)).ok()?;
    let budget = (Duration::from_millis(verification.duration_ms) * 2).max(LEAST).min(left);
    let request = ProofRequest {
        project,
        work: &work,
        criteria: &criteria,
        folder: Path::new(&contract.folder),
        budget,
        extent: if setting == ProveMode::Always { ProofExtent::Always } else { ProofExtent::Quick },
        say: &|_| {},
    };
    Some(match prove(&request) {
        Ok(judgement) => said_of(&judgement, layout, state),
        Err(why) => CompletionProof {
            remark: Some(format!("The work could not be proved: {why}.")),
            ..CompletionProof::default()
        },
    })
}

/// What a judgement says, which is kept for the report; nothing where what decides is as it was.
fn said_of(judgement: &Judgement, layout: &Layout, state: &LoopState) -> CompletionProof {
    if judgement.corners.is_empty() {
        return CompletionProof::default();
    }
    // Without it the report lacks a chapter, and nothing else does.
    kept::keep(layout, &state.loop_id, judgement, Timestamp::now()).ok();
    of(judgement, &AcceptedChanges::of(state))
}

/// The work of the loop; `None` where its start was not kept.
fn since_start(project: &Project, layout: &Layout, state: &LoopState) -> Option<ProvedWork> {
    let name = Path::new(state.baseline_snapshot.as_deref()?).file_name()?.to_owned();
    let manifest = Manifest::read(&layout.checkpoints(&state.loop_id).join(name)).ok()?;
    ProvedWork::since_checkpoint(&Store::of_project(project.root()), manifest, "the loop's start").ok()
}

/// What a person has accepted: tests that pass only as they were changed, and files in which a loss was.
struct AcceptedChanges {
    tests: BTreeSet<String>,
    files: BTreeSet<String>,
}

impl AcceptedChanges {
    fn of(state: &LoopState) -> AcceptedChanges {
        let mut accepted = AcceptedChanges { tests: BTreeSet::new(), files: BTreeSet::new() };
        let events = state.regression_events.iter();
        for event in events.filter(|event| event.human_decision == Some(HumanDecision::Approve)) {
            if is_of_proof(event) {
                accepted.tests.extend(event.lost());
            } else {
                let lost = event.lost();
                accepted
                    .files
                    .extend(lost.iter().filter_map(|lost| Some(lost.split_once(": ")?.0.to_owned())));
            }
        }
        accepted
    }

    fn has(&self, row: &NoticedTest) -> bool {
        self.tests.contains(&row.test) || row.file.as_ref().is_some_and(|file| self.files.contains(file))
    }
}

/// Whether an event tells of a proof.
pub fn is_of_proof(event: &RegressionEvent) -> bool {
    event.details.get("figure").and_then(serde_json::Value::as_str) == Some(PROOF)
}

fn of(judgement: &Judgement, accepted: &AcceptedChanges) -> CompletionProof {
    let asks = |row: &&NoticedTest| row.kind.refutes() || row.kind == Notice::AsksForElse;
    let rows: Vec<&NoticedTest> =
        judgement.tests.iter().filter(asks).filter(|row| !accepted.has(row)).collect();
    let unproven: Vec<String> = rows.iter().map(|row| row.test.clone()).collect();
    let table = if rows.is_empty() { String::new() } else { in_words(judgement, &rows) };
    let is_open = judgement.verdict == ProofVerdict::Undecided && unproven.is_empty();
    let undecided =
        is_open.then(|| format!("The work could not be proved: {}.", judgement.reasons.join("; ")));
    let cut = judgement
        .was_cut_short
        .then(|| "The proof was cut short: `steadfast prove --loop ID` runs all of it.".to_owned());
    CompletionProof { unproven, table, remark: undecided.or(cut) }
}
