//! Slow erosion: losses that were each too small to stop for are counted together when a turn ends.
//!
//! Invariant: only what still stands counts. Each file is judged from the loop's start to now, so that what was put
//! back, or was right in the end, adds nothing.

use std::collections::{BTreeMap, BTreeSet};

use crate::agents::laziness_detector;
use crate::detectors::{Pattern, catalogue};
use crate::lifecycle::call::decision;
use crate::lifecycle::call::decision::CallDecision;
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::elsewhere;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::state::loop_state::LoopState;
use crate::state::records::DetectedPattern;

/// So many small losses of one kind in a file are a large one.
const IN_A_FILE: usize = 3;
/// So many in all files, which are more.
const IN_ALL: usize = 5;
/// How many of them are told one by one.
const TOLD: usize = 3;

/// A small loss that an agent was advised about, and that still stands.
#[derive(Debug, Clone)]
pub struct SmallLoss {
    /// What was found.
    pub pattern: Pattern,
    /// Its type.
    pub kind: RegressionType,
    /// The file.
    pub path: String,
    /// What happened.
    pub what: String,
    /// What was lost, by name.
    pub lost: Vec<String>,
}

/// What the turn has lost in sum and no call showed: small losses that add up to a large one and are not told as such
/// yet, and tests whose excuse is gone; with their files from the loop's start to now.
pub fn look(context: &HookContext) -> (Vec<Finding>, Vec<Change>) {
    let Some(state) = context.state() else { return Default::default() };
    let (mut found, mut changes) = added_up(context, &state);
    let (unexcused, their_changes) = unexcused(context, &state);
    found.extend(unexcused);
    changes.extend(their_changes);
    (found, changes)
}

fn added_up(context: &HookContext, state: &LoopState) -> (Vec<Finding>, Vec<Change>) {
    let told = told(context, state);
    let may_add_up = |kind: RegressionType| told.iter().filter(|loss| loss.kind == kind).count() >= IN_A_FILE;
    if !RegressionType::ALL.into_iter().any(may_add_up) {
        return Default::default();
    }
    let (standing, changes) = standing(context, told);
    let found: Vec<Finding> =
        RegressionType::ALL.into_iter().flat_map(|kind| sums(state, kind, &standing)).collect();
    let is_found = |change: &Change| found.iter().any(|finding| finding.path == change.path);
    let changes = changes.into_iter().filter(is_found).collect();
    (found, changes)
}

/// Tests that were let go for what else was gone then, such as the code they were about, and should not have been: that
/// is back. Their files from the loop's start to now come with them.
fn unexcused(context: &HookContext, state: &LoopState) -> (Vec<Finding>, Vec<Change>) {
    let mode = context.config.detection.mode;
    let stops = |severity| decision::act_on(severity, mode) == CallDecision::Stop;
    let deletions: Vec<&str> = catalogue()
        .iter()
        .filter(|pattern| pattern.regression_type == Some(RegressionType::TestDeletion))
        .map(|pattern| pattern.id)
        .collect();
    let was_excused = |hit: &&DetectedPattern| {
        !hit.false_positive
            && !hit.was_stopped()
            && !stops(hit.severity)
            && deletions.contains(&hit.pattern_id.as_str())
    };
    let excused = state.detected_patterns.iter().filter(was_excused);
    let paths: BTreeSet<&str> = excused.filter_map(|hit| hit.path.as_deref()).collect();
    let Some(began) = context.watch().and_then(|watch| watch.base_commit).filter(|_| !paths.is_empty())
    else {
        return Default::default();
    };
    let (mut all, mut changes) = (Vec::new(), Vec::new());
    for path in paths {
        let (change, found) = net_of(context, &began, path);
        let kind = RegressionType::TestDeletion;
        let is_new = |finding: &Finding| {
            finding.regression_type == Some(kind)
                && stops(finding.severity)
                && !is_told(state, kind, &finding.path)
        };
        if let Some(finding) = found.into_iter().find(is_new) {
            all.push(finding);
            changes.push(change);
        }
    }
    (all, changes)
}

/// Every small loss of the loop that still stands.
pub fn all(context: &HookContext, state: &LoopState) -> Vec<SmallLoss> {
    standing(context, told(context, state)).0
}

/// What the agent was advised about, each once.
fn told(context: &HookContext, state: &LoopState) -> Vec<SmallLoss> {
    let known = catalogue();
    let mode = context.config.detection.mode;
    let mut told: Vec<SmallLoss> = Vec::new();
    for hit in &state.detected_patterns {
        if hit.false_positive
            || hit.was_stopped()
            || decision::act_on(hit.severity, mode) != CallDecision::Advise
        {
            continue;
        }
        let Some(pattern) = known.iter().find(|pattern| pattern.id == hit.pattern_id) else { continue };
        let Some(kind) = pattern.regression_type else { continue };
        let loss = SmallLoss {
            pattern: *pattern,
            kind,
            path: hit.path.clone().unwrap_or_default(),
            what: hit.what.clone().unwrap_or_default(),
            lost: hit.lost.clone().unwrap_or_default(),
        };
        let is_known = |other: &SmallLoss| {
            (other.kind, &other.path, &other.what, &other.lost)
                == (loss.kind, &loss.path, &loss.what, &loss.lost)
        };
        if !told.iter().any(is_known) {
            told.push(loss);
        }
    }
    told
}

/// Those of the losses that still stand, and their files from the loop's start to now.
fn standing(context: &HookContext, mut told: Vec<SmallLoss>) -> (Vec<SmallLoss>, Vec<Change>) {
    if told.is_empty() {
        return Default::default();
    }
    let Some(began) = context.watch().and_then(|watch| watch.base_commit) else { return Default::default() };
    let mut net: BTreeMap<String, (Change, Vec<Finding>)> = BTreeMap::new();
    for loss in &told {
        net.entry(loss.path.clone()).or_insert_with_key(|path| net_of(context, &began, path));
    }
    told.retain(|loss| {
        net.get(&loss.path).is_some_and(|(_, found)| {
            found.iter().any(|it| it.regression_type == Some(loss.kind) && it.severity > Severity::Low)
        })
    });
    (told, net.into_values().map(|(change, _)| change).collect())
}

/// A file at the loop's start and now, and what it lacks.
fn net_of(context: &HookContext, began: &str, path: &str) -> (Change, Vec<Finding>) {
    let change = [Change {
        path: path.to_owned(),
        before: tree::text_at(&context.project, began, path),
        after: read_text(&context.project.root().join(path)),
    }];
    let found = laziness_detector::check(&change, || elsewhere(context), &context.config);
    let [change] = change;
    (change, found)
}

/// One finding for each file, where the losses of a kind are enough.
fn sums(state: &LoopState, kind: RegressionType, standing: &[SmallLoss]) -> Vec<Finding> {
    let mut by_file: BTreeMap<&str, Vec<&SmallLoss>> = BTreeMap::new();
    for loss in standing.iter().filter(|loss| loss.kind == kind) {
        by_file.entry(&loss.path).or_default().push(loss);
    }
    let count = by_file.values().map(Vec::len).sum::<usize>();
    let of_file = |(path, losses): (&str, Vec<&SmallLoss>)| {
        let is_enough = losses.len() >= IN_A_FILE || count >= IN_ALL;
        let first = losses.first().filter(|_| is_enough && !is_told(state, kind, path))?;
        Some(sum(first, path, &losses))
    };
    by_file.into_iter().filter_map(of_file).collect()
}

fn sum(first: &SmallLoss, path: &str, losses: &[&SmallLoss]) -> Finding {
    let mut whats: Vec<&str> = losses.iter().map(|loss| loss.what.as_str()).take(TOLD).collect();
    let more = format!("{} more", losses.len().saturating_sub(TOLD));
    if losses.len() > TOLD {
        whats.push(&more);
    }
    let mut lost: Vec<String> = losses.iter().flat_map(|loss| loss.lost.clone()).collect();
    lost.sort();
    lost.dedup();
    let what = match losses.len() {
        1 => format!("a small loss adds up with those of other files: {}", whats.join("; ")),
        several => format!("{several} small losses add up: {}", whats.join("; ")),
    };
    Finding { severity: Severity::High, lost, confidence: 0.8, ..first.pattern.finding(path, what) }
}

/// Whether a regression says so already, open or decided by a person.
fn is_told(state: &LoopState, kind: RegressionType, path: &str) -> bool {
    state.regression_events.iter().any(|event| {
        event.regression_type == kind && event.still_tells() && event.named_files().any(|file| file == path)
    })
}
