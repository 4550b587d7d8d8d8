//! What is known of the project's figures when a call has ended: nothing is measured for it.
//!
//! Invariant: a figure that was measured before the call says when; none is made up.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::net::NetChanges;
use crate::checkpoint::node::Node;
use crate::lifecycle::call::shell_call::is_output_name;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::regression::fallen::LINES;
use crate::state::loop_state::LoopState;

const FILES: &str = "file_count";
const CUSTOM: &str = "custom_metrics";

/// The figures after a call that left so many files more, and `tests` in the files that it touched.
pub(super) fn known(context: &HookContext, more_files: i64, tests: Option<u64>) -> Map<String, Value> {
    let mut known = Map::new();
    let Some(state) = context.state() else { return known };
    known.extend(tests.map(|count| ("test_count".to_owned(), json!(count))));
    if let Some(count) = file_count(&state) {
        known.insert(FILES.to_owned(), json!(count.saturating_add_signed(more_files)));
    }
    known.extend(measured(&state));
    known
}

/// How many files there were before the call: as the call before it left them, or at the loop's start.
fn file_count(state: &LoopState) -> Option<u64> {
    let last = state.tool_call_history.last().and_then(|call| call.current_metrics.get(FILES)?.as_u64());
    last.or_else(|| state.baseline_metrics.as_ref()?.file_count)
}

/// By how many files a call left more than it found, by what was kept before it and what the net under it has caught. Git
/// is not asked: what has the name of build output is not counted.
pub(super) fn more_files(context: &HookContext, kept: Option<&Manifest>, caught: &NetChanges) -> i64 {
    let is_file = |node: &Node| matches!(node, Node::File { .. } | Node::Symlink { .. });
    let mut turned: BTreeMap<&Path, i64> = BTreeMap::new();
    let after = kept.and_then(|kept| Some((kept, kept.after.as_ref()?)));
    for entry in after.iter().flat_map(|(_, after)| &after.changed) {
        let was = after.and_then(|(kept, _)| kept.entry(&entry.path)).is_some_and(|was| is_file(&was.node));
        turned.insert(&entry.path, i64::from(is_file(&entry.node)) - i64::from(was));
    }
    for entry in &caught.before {
        let is = fs::symlink_metadata(context.store.path(&entry.path)).is_ok_and(|now| !now.is_dir());
        turned.entry(&entry.path).or_insert(i64::from(is) - i64::from(is_file(&entry.node)));
    }
    turned.retain(|path, by| *by != 0 && is_counted(context, path));
    turned.values().sum()
}

fn is_counted(context: &HookContext, path: &Path) -> bool {
    path.is_relative() && !path.starts_with(".git") && !is_output_name(path) && !context.store.is_own(path)
}

/// Coverage and the project's own figures, as they were last measured, and when that was.
fn measured(state: &LoopState) -> Map<String, Value> {
    let wanted = |figures: &Map<String, Value>| -> Map<String, Value> {
        let known = [LINES, CUSTOM].into_iter().filter_map(|name| {
            Some((name.to_owned(), figures.get(name).filter(|value| !value.is_null())?.clone()))
        });
        known.collect()
    };
    let of_iterations = state.kept_iterations().rev();
    let mut of_iterations = of_iterations.map(|last| (wanted(&last.metrics_snapshot), last.timestamp));
    let of_start = || {
        let baseline = state.baseline_metrics.as_ref()?;
        let figures = [
            (LINES.to_owned(), json!(baseline.coverage_percentage)),
            (CUSTOM.to_owned(), json!(baseline.custom_metrics)),
        ];
        Some((wanted(&Map::from_iter(figures)), baseline.captured_at))
    };
    let newest = of_iterations.find(|(known, _)| !known.is_empty()).or_else(of_start);
    let Some((mut known, at)) = newest.filter(|(known, _)| !known.is_empty()) else { return Map::new() };
    known.insert("measured_at".to_owned(), json!(at));
    known
}
