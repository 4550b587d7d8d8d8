//! Checkpoints of the whole tree around an explicit loop's iterations.
//!
//! Invariant: a hook never fails because the tree could not be kept; it says so and goes on.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::checkpoint::keep::{KeepRequest, keep};
use crate::checkpoint::manifest::Trigger;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::retention::{self, RetentionPolicy};
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::{self, KeptTree, TreeKeepRequest, TreeOccasion};
use crate::checkpoint::walk::WalkBounds;
use crate::config::Checkpoints;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::Finding;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::loop_state::LoopState;
use crate::state::registry::Kind;

/// What the events with a short deadline can spare.
const SHORT: Duration = Duration::from_secs(3);
/// What is left of that for the first iteration, which may begin in the event that has just kept the start.
const REST: Duration = Duration::from_secs(1);
/// What a stop can spare after the verification.
const LONG: Duration = Duration::from_secs(10);
/// Gaps that are named to a person; the rest is counted.
const NAMED: usize = 3;

/// Keeps the tree at the start of a loop, which takes as long as it takes when a person waits for it at a terminal.
/// Answers what was kept, or why nothing was.
pub fn baseline(
    project: &Project,
    state: &LoopState,
    in_hook: bool,
    now: Timestamp,
) -> Result<KeptTree, String> {
    let arguments = ["ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
    let tracked = project.git().ask(&arguments).unwrap_or_default();
    let names = tracked.split(|byte| *byte == 0).filter(|name| !name.is_empty());
    let also: Vec<PathBuf> = names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect();
    let store = Store::of_project(project.root());
    let taking = TreeKeepRequest {
        store: &store,
        loop_id: &state.loop_id,
        iteration: 0,
        moment: TreeOccasion::Baseline,
        summary: "the start of the loop",
        metrics: metrics(json!(state.baseline_metrics)),
        also: &also,
        bounds: if in_hook { tree::hook_bounds(SHORT) } else { tree::patient_bounds() },
        // Flushing a first tree takes longer than a hook may.
        durability: if in_hook { Durability::Process } else { Durability::Power },
        now,
        meter: &Meter::default(),
    };
    tree::take(&taking).map_err(|error| format!("the start of the loop could not be kept: {error}"))
}

/// Looks at the whole tree once, for all that the end of an iteration has to know of it. Sessions without a loop of a
/// person's keep no trees: git is asked there.
pub fn look(context: &mut HookContext) {
    context.seen = None;
    context.since_start = None;
    context.stirred.set(false);
    let Some(state) = context.state().filter(|state| state.kind == Kind::Explicit) else { return };
    let seen = tree::see(&context.store, true, &[], &tree::hook_bounds(LONG), &Meter::default());
    // What can't be looked at is told when the tree shall be kept.
    let Ok(seen) = seen else { return };
    let baseline = state.baseline_snapshot.as_deref().unwrap_or_default();
    let baseline = baseline.rsplit('/').next().and_then(|name| name.split('.').next()).unwrap_or_default();
    context.since_start = seen.since_start(&state.loop_id, baseline).map(files);
    context.seen = Some(seen);
}

/// Files and what is gone, by names that are text.
fn files(nodes: Vec<(PathBuf, Node)>) -> Vec<(String, Node)> {
    let nodes = nodes.into_iter().filter(|(_, node)| matches!(node, Node::File { .. } | Node::Absent));
    nodes.filter_map(|(name, node)| Some((name.to_str()?.to_owned(), node))).collect()
}

/// Keeps the tree before iteration `number`. Answers the manifest, relative to the project.
pub fn before(context: &mut HookContext, number: u32) -> Option<String> {
    let time = if number == 1 { REST } else { SHORT };
    take(context, number, TreeOccasion::Pre, tree::hook_bounds(time))
}

/// Keeps the tree after iteration `number`, and gives up what is too old.
pub fn after(context: &mut HookContext, number: u32) -> Option<String> {
    let taken = take(context, number, TreeOccasion::Final, tree::hook_bounds(LONG));
    let state = context.state()?;
    let policy = policy(&context.config.checkpoints);
    if let Err(error) = retention::apply(&context.store, &state.loop_id, policy, &pinned(&state), false) {
        context.problems.push(error.to_string());
    }
    taken
}

/// Keeps the tree before a person's rejection replaces it.
pub fn pre_revert(project: &Project, state: &LoopState, in_hook: bool) -> Result<KeptTree, String> {
    let store = Store::of_project(project.root());
    let taking = TreeKeepRequest {
        store: &store,
        loop_id: &state.loop_id,
        iteration: state.iteration.max(1),
        moment: TreeOccasion::PreRevert,
        summary: "before the changes were rejected",
        metrics: Map::new(),
        also: &[],
        bounds: if in_hook { tree::hook_bounds(SHORT) } else { tree::patient_bounds() },
        durability: Durability::Power,
        now: Timestamp::now(),
        meter: &Meter::default(),
    };
    tree::take(&taking).map_err(|error| format!("what is there now could not be kept: {error}"))
}

/// Keeps what is there now before anything is taken back in an emergency: the tree of a loop, or the files of a session
/// in which something was lost. Answers the checkpoint's name.
pub fn emergency(context: &mut HookContext, findings: &[Finding]) -> Option<String> {
    let bound = context.bound.clone()?;
    let number = context.iteration();
    if bound.entry.kind == Kind::Explicit {
        let manifest = take(context, number, TreeOccasion::PreRevert, tree::hook_bounds(SHORT))?;
        let name = manifest.rsplit('/').next().unwrap_or(&manifest);
        return Some(name.split('.').next().unwrap_or(name).to_owned());
    }
    let paths: BTreeSet<PathBuf> = findings.iter().map(|finding| PathBuf::from(&finding.path)).collect();
    let request = KeepRequest {
        store: &context.store,
        loop_id: &bound.id,
        iteration: number,
        trigger: Trigger::ErrorRecovery,
        label: "pre-revert",
        tool: None,
        tool_call_id: None,
        summary: "files in which something was lost",
        paths: &paths.into_iter().collect::<Vec<_>>(),
        bounds: context.bounds(),
        durability: Durability::Process,
        now: context.env.now,
    };
    match keep(&request) {
        Ok(kept) => Some(kept.checkpoint_id),
        Err(error) => {
            context.problems.push(error.to_string());
            None
        }
    }
}

fn take(
    context: &mut HookContext,
    number: u32,
    moment: TreeOccasion,
    bounds: WalkBounds<'_>,
) -> Option<String> {
    let state = context.state()?;
    let (summary, durability) = match moment {
        TreeOccasion::Final => (format!("after iteration {number}"), Durability::Power),
        TreeOccasion::PreRevert => {
            (format!("in iteration {number}, when something was lost"), Durability::Process)
        }
        _ => (format!("before iteration {number}"), Durability::Process),
    };
    let taking = TreeKeepRequest {
        store: &context.store,
        loop_id: &state.loop_id,
        iteration: number,
        moment,
        summary: &summary,
        metrics: metrics(json!({
            "baseline": state.baseline_metrics,
            "quality_score": state.last_iteration_quality,
        })),
        also: &[],
        bounds,
        durability,
        // Verification took its time; what was kept during it comes before this.
        now: Timestamp::now(),
        meter: &Meter::default(),
    };
    let seen = context.seen.take().filter(|_| !context.stirred.get());
    let (taken, seen) = match seen {
        Some(mut seen) => (seen.keep(&taking), Some(seen)),
        None => (tree::take(&taking), None),
    };
    context.seen = seen;
    let taken = taken.map_err(|error| format!("the files {summary} could not be kept: {error}"));
    noted(context, number, taken)
}

/// Tells what of a checkpoint is missing. Answers the name of its manifest.
fn noted(context: &mut HookContext, number: u32, taken: Result<KeptTree, String>) -> Option<String> {
    match taken {
        Ok(taken) => {
            // Once is enough: the same files are too large every time, and each manifest lists its own.
            if number == 1 && taken.checkpoint_id.contains("-pre") {
                context.problems.extend(gaps(&taken));
            }
            Some(context.relative(&taken.manifest))
        }
        Err(problem) => {
            context.problems.push(problem);
            None
        }
    }
}

/// What a person must know of a checkpoint that is not whole: an undo will not bring that back.
pub fn gaps(taken: &KeptTree) -> Option<String> {
    let count = taken.unkept.len();
    let named = taken.unkept.iter().take(NAMED);
    let named: Vec<String> = named.map(|gap| format!("{} ({})", shown(&gap.path), gap.reason)).collect();
    let more = if count > NAMED { format!(" and {} more", count - NAMED) } else { String::new() };
    (count > 0).then(|| format!("not in checkpoint {}: {}{more}", taken.checkpoint_id, named.join(", ")))
}

/// The iterations whose checkpoints are never given up: the best, the chosen, and those around a regression, which a
/// person may have to decide about.
pub fn pinned(state: &LoopState) -> BTreeSet<u32> {
    let regressions =
        state.regression_events.iter().flat_map(|event| [event.iteration.saturating_sub(1), event.iteration]);
    let best = state.best_iteration.as_ref().map(|best| best.iteration);
    regressions.chain(best).chain(state.selected_iteration).collect()
}

/// What the configuration keeps.
pub fn policy(checkpoints: &Checkpoints) -> RetentionPolicy {
    let age = Duration::from_secs(checkpoints.retention_days.saturating_mul(24 * 60 * 60));
    RetentionPolicy { iterations: usize::try_from(checkpoints.keep).unwrap_or(usize::MAX), age }
}

fn metrics(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn shown(path: &Path) -> String {
    if path.as_os_str().is_empty() { "the project".to_owned() } else { path.display().to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::node::Skipped;
    use crate::state::records::BestIteration;

    #[test]
    fn gaps_are_named_and_counted() {
        let mut taken = KeptTree {
            checkpoint_id: "iteration-001-pre".into(),
            manifest: PathBuf::new(),
            files: 0,
            bytes: 0,
            changed: 0,
            unkept: Vec::new(),
        };
        assert_eq!(gaps(&taken), None);
        let gap = |path: &str| Skipped { path: path.into(), reason: "too large".into() };
        taken.unkept = vec![gap("a"), gap("")];
        let text = "not in checkpoint iteration-001-pre: a (too large), the project (too large)";
        assert_eq!(gaps(&taken).as_deref(), Some(text));
        taken.unkept = vec![gap("a"); 5];
        assert!(gaps(&taken).is_some_and(|text| text.ends_with("a (too large) and 2 more")));
    }

    #[test]
    fn the_best_iteration_is_pinned() {
        let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        assert_eq!(pinned(&state), BTreeSet::new());
        state.best_iteration = Some(BestIteration {
            iteration: 4,
            quality_score: 1.0,
            snapshot_path: None,
            updated_at: Timestamp::UNIX_EPOCH,
            selection_reason: String::new(),
            extra: Map::new(),
        });
        state.selected_iteration = Some(2);
        assert_eq!(pinned(&state), BTreeSet::from([2, 4]));
    }
}
