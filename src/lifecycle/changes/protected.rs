//! Files that the project's configuration keeps from the agent, and that a call has changed without naming them.
//!
//! What a call names was judged before it ran. What git brought, as a pull or a change of branch does, is as a commit has
//! it and is nobody's writing.

use std::collections::BTreeSet;

use crate::checkpoint::net::NetChanges;
use crate::config::Mode;
use crate::detectors::session_patterns::PROTECTED_PATH;
use crate::lifecycle::changes::others::Others;
use crate::lifecycle::changes::tree;
use crate::lifecycle::changes::untracked_changes::UntrackedChanges;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Finding, RegressionType};

/// The protected files that such a call has written or taken away, each as one finding.
pub(crate) fn written(
    context: &HookContext,
    untracked: &UntrackedChanges,
    caught: &NetChanges,
) -> Vec<Finding> {
    if context.config.protected_paths.is_empty() || context.config.detection.mode == Mode::Off {
        return Vec::new();
    }
    let found = untracked.own_paths().into_iter();
    let others = Others::read(context, false);
    let is_anothers = |path: &str| others.have_changed(context, path) || others.may_change(path);
    let caught = caught.before.iter().filter_map(|entry| entry.path.to_str().map(str::to_owned));
    let paths: BTreeSet<String> = found.chain(caught.filter(|path| !is_anothers(path))).collect();
    let globs = context.config.protected();
    let is_told = |path: &String| untracked.named.contains(path) || untracked.moved.contains(path);
    let changed = paths.iter().filter(|path| globs.mean(path) && !tree::is_state(path) && !is_told(path));
    changed.filter(|path| !is_as_committed(context, path)).map(|path| finding(path)).collect()
}

/// Whether a protected file of an event is as the newest commit has it: then nothing that was written stands.
pub(crate) fn is_as_committed(context: &HookContext, path: &str) -> bool {
    let full = context.project.root().join(path);
    let committed = context.project.git().ask(&["cat-file", "blob", &format!("HEAD:./{path}")]);
    match (committed, std::fs::read(&full)) {
        (Some(committed), Ok(now)) => committed == now,
        (None, Err(_)) => full.symlink_metadata().is_err(),
        _ => false,
    }
}

fn finding(path: &str) -> Finding {
    Finding {
        regression_type: Some(RegressionType::ValidationBypass),
        ..PROTECTED_PATH
            .finding(path, format!("{path} is one of the project's protected paths, and the call changed it"))
    }
}
