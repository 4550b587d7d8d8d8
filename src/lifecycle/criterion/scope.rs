//! Where a loop may write: what a call would leave outside of its scope, and what was found there afterwards.
//!
//! A file is meant by its real place: `..` and links, also those that the call makes itself, are followed.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};

use crate::lifecycle::call::shell_call::{real, temporary, untold};
use crate::lifecycle::call::view::real_name::real_places;
use crate::lifecycle::changes::call_times::CallTimes;
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::{Change, Finding};

/// At most so many files beside the project are looked at.
const MOST_BESIDE: usize = 2_000;

/// The contract of the loop that runs in this session, where it has a scope.
fn scoped(context: &HookContext) -> Option<LoopContract> {
    let bound = context.bound.as_ref().filter(|_| context.in_explicit_loop())?;
    LoopContract::read(&context.layout, &bound.id).filter(|contract| !contract.scope.is_empty())
}

/// What a call would write outside of the scope.
pub fn judge_call(
    context: &HookContext,
    call: &ToolCall,
    changes: &[Change],
    touched: &[String],
) -> Vec<Finding> {
    let Some(contract) = scoped(context) else { return Vec::new() };
    let root = context.project.root();
    // A command's paths are kept by the name that it replaces, an edit's by the file that it reaches.
    let named = changes.iter().map(|change| &change.path).chain(touched);
    let mut reached: BTreeSet<PathBuf> = named.map(|path| root.join(path)).collect();
    add_untold(context, call, &mut reached);
    let named: BTreeSet<String> = reached.iter().flat_map(|path| real_places(context, path)).collect();
    named.iter().filter_map(|path| contract.outside(path)).collect()
}

/// Whether a call that loses nothing makes a file outside of the scope.
pub fn makes_outside(context: &HookContext, call: &ToolCall) -> bool {
    matches!(call.action, Action::Shell { .. }) && !judge_call(context, call, &[], &[]).is_empty()
}

/// Adds what a command makes, and where what it writes comes out through a link that it makes itself.
fn add_untold(context: &HookContext, call: &ToolCall, reached: &mut BTreeSet<PathBuf>) {
    let Action::Shell { command, dialect } = &call.action else { return };
    let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
    let untold = untold::places(command, *dialect, &context.event.cwd, home);
    reached.extend(untold.made.into_iter().filter(|path| is_near(context, path)));
    let through: Vec<PathBuf> = untold
        .links
        .iter()
        .flat_map(|(link, leads)| {
            let below = |path: &PathBuf| Some(leads.join(path.strip_prefix(link).ok()?));
            // The link itself is no file of there.
            reached.iter().filter(|path| *path != link).filter_map(below).collect::<Vec<_>>()
        })
        .collect();
    reached.extend(through);
}

/// Whether a file is in the project, or beside it and not hidden. What lies elsewhere is no work on it: a device, a
/// temporary file, a cache.
fn is_near(context: &HookContext, path: &Path) -> bool {
    let (root, path) = (real(context.project.root()), real(path));
    let Some(parent) = root.parent().filter(|parent| !temporary::is_one(parent) && parent.parent().is_some())
    else {
        return path.starts_with(&root);
    };
    let is_hidden = |below: &Path| {
        below.components().any(|part| part.as_os_str().to_str().is_some_and(|name| name.starts_with('.')))
    };
    path.starts_with(&root) || path.strip_prefix(parent).is_ok_and(|below| !is_hidden(below))
}

/// Which of these files are outside of the scope.
pub fn outside(context: &HookContext, paths: &[String]) -> Vec<Finding> {
    if paths.is_empty() {
        return Vec::new();
    }
    let contract = scoped(context).unwrap_or_default();
    paths.iter().filter_map(|path| contract.outside(path)).collect()
}

/// Files right beside the project that were last changed while a call of the session ran which may change any file, as
/// `../name`. Temporary folders, where everybody writes, and hidden files are passed over.
pub fn beside_the_project(context: &HookContext) -> Vec<Finding> {
    let Some((contract, bound)) = scoped(context).zip(context.bound.as_ref()) else { return Vec::new() };
    let Some(parent) = context.project.root().parent().filter(|parent| !temporary::is_one(parent)) else {
        return Vec::new();
    };
    let times = CallTimes::of(&context.layout, &bound.id, bound.entry.started_at);
    let entries = fs::read_dir(parent).into_iter().flatten().flatten().take(MOST_BESIDE);
    let changed = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
        let metadata = entry.metadata().ok().filter(Metadata::is_file)?;
        times.surely_hold(changed_at(&metadata)).then(|| format!("../{name}"))
    });
    changed.filter_map(|path| contract.outside(&path)).collect()
}
