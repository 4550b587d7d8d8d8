//! The net under calls whose effect nobody knows beforehand: when it is laid, taken in, and laid ahead of all calls.
//!
//! Invariant: no call fails or waits long because of it. What could not be kept in the time that a call has is kept by
//! a process of its own, and said to be not kept as long as it is not.

use std::env;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::checkpoint::gc;
use crate::checkpoint::net::{self, Effort, NetChanges, NetRequest};
use crate::checkpoint::node::Entry;
use crate::checkpoint::settle::EndedCall;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::WalkBounds;
use crate::config::Config;
use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::net_need::NetNeed;
use crate::model::event::{Action, ToolCall};
use crate::shell;
use crate::state::folders;
use crate::state::lock::Lock;

/// The word by which the hook's executable is told to lay the net ahead.
pub const AHEAD: &str = "lay-net";
/// The executables that know it: the hook, and the command when it is called by the hook's name.
const EXECUTABLES: [&str; 2] = [HOOK_BINARY, "steadfast"];
/// How long new files are read before a call.
const READING: Duration = Duration::from_millis(50);
/// How long a look at the tree may take within a hook.
const LOOKING: Duration = Duration::from_secs(4);
/// What the process that lays it ahead may take.
const PATIENCE: Duration = Duration::from_secs(10 * 60);
/// So many bytes are worth a process of their own, where there is no state of the guard yet.
const WORTH: u64 = 16 << 20;
/// The same where there is one: less than this a call reads by the way.
const WORTH_WITH_STATE: u64 = 1 << 20;
/// The most files, links and folders that are looked at.
const PATHS: usize = 1_000_000;

/// Whether nobody knows beforehand what a call will change: it runs code, or moves what git has.
pub fn is_needed(context: &HookContext, call: &ToolCall) -> bool {
    match &call.action {
        Action::Other
        | Action::Write { .. }
        | Action::Edit { .. }
        | Action::Patch { .. }
        | Action::NotebookEdit { .. } => false,
        Action::Foreign { .. } => true,
        Action::Shell { command, dialect } => {
            let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
            let read = || {
                NetNeed::of(
                    &shell::effects(command, *dialect, &context.event.cwd, home),
                    context.project.root(),
                )
            };
            let need = context.net_need.get().unwrap_or_else(read);
            context.net_need.set(Some(need));
            // A check writes build output; a test may do anything, but a session that only checks leaves nothing.
            need.is_there(context.bound.is_some())
        }
    }
}

/// Whether one of the files has another name, under which a change of it shows too.
pub fn has_other_names(paths: &[PathBuf]) -> bool {
    let metadata = paths.iter().filter_map(|path| fs::symlink_metadata(path).ok());
    metadata.into_iter().any(|it| it.is_file() && it.nlink() > 1)
}

/// Lays it under a call that goes ahead.
pub fn lay(context: &mut HookContext, call: &ToolCall, summary: &str) {
    let Some(bound) = context.bound.clone() else { return };
    let tool = context.event.tool_name(call);
    let laying = NetRequest {
        store: &context.store,
        call: of(&bound.id, context.iteration(), call),
        agent: context.event.agent_id.as_deref(),
        tool: &tool,
        summary,
        effort: effort(context),
        now: context.env.now,
    };
    match net::lay(&laying) {
        Ok(laid) if !laid.is_whole => start_ahead(context.project.root()),
        Ok(_) => {}
        Err(error) => context.problems.push(error.to_string()),
    }
}

/// Notes that a call begins that needs none: one of the same agent that was never heard of again is over.
pub fn pass_over(context: &mut HookContext) {
    let Some(bound) = context.bound.clone() else { return };
    let agent = context.event.agent_id.as_deref();
    let passed = net::pass_over(&context.store, &bound.id, agent, &effort(context), context.env.now);
    context.problems.extend(passed.err().map(|error| error.to_string()));
}

/// Takes it in after the call. Answers what the call was found to have changed; nothing where no net was laid.
pub fn close(context: &mut HookContext, call: &ToolCall) -> NetChanges {
    let Some(bound) = context.bound.clone() else { return NetChanges::default() };
    let call = of(&bound.id, context.iteration(), call);
    match net::close(&context.store, call, &effort(context), context.env.now) {
        Ok(closed) => closed.unwrap_or_default(),
        Err(error) => {
            context.problems.push(error.to_string());
            NetChanges::default()
        }
    }
}

/// Takes in what calls of this session left that never ended, as those that a person broke off.
pub fn close_left(context: &mut HookContext) {
    let Some(bound) = context.bound.clone() else { return };
    let left = net::close_left(&context.store, Some(&bound.id), &effort(context), context.env.now);
    context.problems.extend(left.err().map(|error| error.to_string()));
}

/// What was there at the last look, of all that is not the same now; nothing where no net was laid.
pub fn since_last_look(context: &HookContext) -> Vec<Entry> {
    net::since_last_look(&context.store, &effort(context)).unwrap_or_default()
}

/// Takes in what calls of all sessions left that never ended. What can't be taken in now, the next look does.
pub fn close_all(store: &Store, project: &Path) {
    let config = Config::read(project).0;
    let bounds = WalkBounds { deadline: Instant::now().checked_add(PATIENCE), ..bounds(&config) };
    let _ = net::close_left(store, None, &Effort { bounds, reading: PATIENCE }, Timestamp::now());
}

/// Starts a process that lays it ahead of the calls that come.
pub fn start_ahead(project: &Path) {
    let Ok(executable) = env::current_exe() else { return };
    if !EXECUTABLES.iter().any(|known| executable.file_name().is_some_and(|name| name == *known)) {
        return;
    }
    let mut command = Command::new(executable);
    std::os::unix::process::CommandExt::arg0(&mut command, HOOK_BINARY);
    command.arg(AHEAD).current_dir(project);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    // Without it the calls take what they need themselves.
    let _ = command.spawn();
}

/// Lays it ahead of calls in `project`, once at a time.
pub fn lay_ahead(project: &Path, config: &Config) {
    let store = Store::of_project(project);
    let bounds = WalkBounds { deadline: Instant::now().checked_add(PATIENCE), ..bounds(config) };
    let effort = Effort { bounds, reading: PATIENCE };
    let is_new = !store.layout().root().exists();
    if !is_new {
        folders::stay();
        // What repositories gave up long ago is kept as long as checkpoints are.
        let days = config.checkpoints.retention_days;
        gc::forget_git_objects(&store, Duration::from_secs(days.saturating_mul(24 * 60 * 60)));
    }
    // A session that only reads leaves nothing, and where little is to be read a call does that itself.
    // What writes in the background is in the way of whoever moves or removes the project.
    let worth = if is_new { WORTH } else { WORTH_WITH_STATE };
    if net::unread_bytes(&store, &effort).is_ok_and(|bytes| bytes < worth) {
        return;
    }
    let lock = store.layout().root().join("net-ahead.lock");
    let Ok(Some(_lock)) = Lock::take(&lock, Duration::ZERO) else { return };
    // From here on it is there, and nobody waits for this: where somebody takes it away, it is not made anew.
    folders::stay();
    // What it does not come to, the calls do.
    let _ = net::spread_out(&store, &effort);
}

fn effort(context: &HookContext) -> Effort<'static> {
    let bounds = WalkBounds { deadline: Instant::now().checked_add(LOOKING), ..bounds(&context.config) };
    Effort { bounds, reading: READING }
}

fn bounds(config: &Config) -> WalkBounds<'static> {
    let limits = &config.checkpoints;
    WalkBounds {
        file_bytes: limits.max_file_mb.saturating_mul(1 << 20),
        total_bytes: limits.max_call_mb.saturating_mul(1 << 20),
        paths: PATHS,
        ..WalkBounds::default()
    }
}

fn of<'c>(loop_id: &'c str, iteration: u32, call: &'c ToolCall) -> EndedCall<'c> {
    EndedCall { loop_id, iteration, tool_call_id: call.id.as_deref() }
}
