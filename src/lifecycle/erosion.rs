//! Slow erosion: losses that were each too small to stop for are counted together when a turn ends.
//!
//! Invariant: only what still stands counts. Each file is judged from the loop's start to now, so that what was put
//! back, or was right in the end, adds nothing.

use std::collections::BTreeMap;

use serde_json::Value;

use super::call::read_text;
use super::decision::{self, Act};
use super::regressions::{FILES, elsewhere};
use super::scene::Scene;
use super::tree;
use crate::agents::laziness_detector;
use crate::detectors::{Pattern, catalogue};
use crate::finding::{Change, Finding, RegressionType, Severity};
use crate::state::loop_state::LoopState;
use crate::state::records::DetectedPattern;
use crate::state::watch::Watch;

/// So many small losses of one kind in a file are a large one.
const IN_A_FILE: usize = 3;
/// So many in all files.
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

/// The small losses that add up to a large one and are not told as such yet, and their files from the loop's start to
/// now.
pub fn look(scene: &Scene) -> (Vec<Finding>, Vec<Change>) {
    let Some(state) = scene.state() else { return Default::default() };
    let told = told(scene, &state);
    let may_add_up =
        |kind: RegressionType| told.iter().filter(|loss| loss.kind == kind).count() >= IN_A_FILE.min(IN_ALL);
    if !RegressionType::ALL.into_iter().any(may_add_up) {
        return Default::default();
    }
    let standing = standing(scene, told);
    let found: Vec<Finding> =
        RegressionType::ALL.into_iter().flat_map(|kind| sums(&state, kind, &standing)).collect();
    let began = began(scene).unwrap_or_default();
    let changes = found.iter().map(|finding| since(scene, &began, &finding.path)).collect();
    (found, changes)
}

/// The commit at the loop's start.
fn began(scene: &Scene) -> Option<String> {
    Watch::read(&scene.layout, &scene.bound.as_ref()?.id)?.base_commit
}

/// A file at the loop's start and now.
fn since(scene: &Scene, began: &str, path: &str) -> Change {
    Change {
        path: path.to_owned(),
        before: tree::text_at(&scene.project, began, path),
        after: read_text(&scene.project.root().join(path)),
    }
}

/// Every small loss of the loop that still stands.
pub fn all(scene: &Scene, state: &LoopState) -> Vec<SmallLoss> {
    standing(scene, told(scene, state))
}

/// What the agent was advised about, each once.
fn told(scene: &Scene, state: &LoopState) -> Vec<SmallLoss> {
    let known = catalogue();
    let mode = scene.config.detection.mode;
    let mut told: Vec<SmallLoss> = Vec::new();
    for hit in &state.detected_patterns {
        let was_stopped = matches!(text(hit, "verdict"), Some("deny" | "ask"));
        if hit.false_positive || was_stopped || decision::act_on(hit.severity, mode) != Act::Advise {
            continue;
        }
        let Some(pattern) = known.iter().find(|pattern| pattern.id == hit.pattern_id) else { continue };
        let Some(kind) = pattern.regression_type else { continue };
        let lost = hit.extra.get("lost").and_then(Value::as_array).into_iter().flatten();
        let loss = SmallLoss {
            pattern: *pattern,
            kind,
            path: text(hit, "path").unwrap_or_default().to_owned(),
            what: text(hit, "what").unwrap_or_default().to_owned(),
            lost: lost.filter_map(Value::as_str).map(str::to_owned).collect(),
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

fn text<'h>(hit: &'h DetectedPattern, field: &str) -> Option<&'h str> {
    hit.extra.get(field)?.as_str()
}

fn standing(scene: &Scene, mut told: Vec<SmallLoss>) -> Vec<SmallLoss> {
    if told.is_empty() {
        return told;
    }
    let Some(began) = began(scene) else { return Vec::new() };
    let mut net: BTreeMap<String, Vec<Finding>> = BTreeMap::new();
    for loss in &told {
        if !net.contains_key(&loss.path) {
            net.insert(loss.path.clone(), net_of(scene, &began, &loss.path));
        }
    }
    told.retain(|loss| {
        net.get(&loss.path).is_some_and(|found| {
            found.iter().any(|it| it.regression_type == Some(loss.kind) && it.severity > Severity::Low)
        })
    });
    told
}

/// What a file lacks against the loop's start.
fn net_of(scene: &Scene, began: &str, path: &str) -> Vec<Finding> {
    let change = [since(scene, began, path)];
    laziness_detector::check(&change, || elsewhere(scene, &change), &scene.config)
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
    Finding {
        pattern_id: first.pattern.id,
        pattern_name: first.pattern.name,
        regression_type: Some(first.kind),
        severity: Severity::High,
        path: path.to_owned(),
        line: None,
        lost,
        what,
        mend: first.pattern.instead.to_owned(),
        confidence: 0.8,
    }
}

/// Whether a regression says so already, open or decided by a person.
fn is_told(state: &LoopState, kind: RegressionType, path: &str) -> bool {
    state.regression_events.iter().any(|event| {
        let files = event.details.get(FILES).and_then(Value::as_array).into_iter().flatten();
        event.regression_type == kind
            && (event.is_open() || event.human_decision.is_some())
            && files.filter_map(Value::as_str).any(|file| file == path)
    })
}
