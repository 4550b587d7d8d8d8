//! A commit for each iteration, for loops that were started with `--commit`.
//!
//! Such a loop begins in a clean working tree, so that its commits hold its own work alone. The project's hooks run;
//! what they refuse stays uncommitted and is told.

use std::process::{Command, Stdio};

use serde_json::json;

use crate::last_word;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::project::Project;
use crate::state::loop_state::LoopState;
use crate::state::records::IterationRecord;

/// How much of a result stands in the subject, letters.
const SUBJECT: usize = 60;

/// Whether the loop commits its iterations.
pub fn wanted(state: &LoopState) -> bool {
    state.configuration.commit_iterations.unwrap_or(false)
}

/// Commits what the iteration changed. Answers whether it was tried.
pub fn iteration(context: &mut HookContext, record: &IterationRecord) -> bool {
    let Some(state) = context.state().filter(|state| wanted(state)) else { return false };
    match commit(&context.project, &state, record) {
        Ok(None) => {}
        Ok(Some(commit)) => {
            let outcome = json!({"iteration": record.iteration, "commit": commit});
            context.log("post_iteration", HookRecord::default().outcome(outcome));
        }
        Err(problem) => context.problems.push(problem),
    }
    true
}

/// Starts a branch for the loop.
pub fn begin_branch(project: &Project, name: &str) -> Result<(), String> {
    git(project, &["switch", "--quiet", "--create", name]).map(|_| ())
}

/// Whether nothing is uncommitted.
pub fn is_clean(project: &Project) -> Result<bool, String> {
    Ok(git(project, &["status", "--porcelain"])?.trim().is_empty())
}

fn commit(project: &Project, state: &LoopState, record: &IterationRecord) -> Result<Option<String>, String> {
    if is_clean(project)? {
        return Ok(None);
    }
    let result: String = record.result.chars().take(SUBJECT).collect();
    let subject = format!("ralph: iteration {} - {}", record.iteration, result.replace(['\n', '\r'], " "));
    let body = format!("Task: {}\nLoop: {}", state.task, state.loop_id);
    git(project, &["add", "--all"])?;
    git(project, &["commit", "--quiet", "--message", &subject, "--message", &body])?;
    Ok(Some(git(project, &["rev-parse", "HEAD"])?.trim().to_owned()))
}

fn git(project: &Project, arguments: &[&str]) -> Result<String, String> {
    let run =
        || Command::new("git").current_dir(project.root()).args(arguments).stdin(Stdio::null()).output();
    let output = last_word::with_inherited_limits(run).map_err(|error| format!("git: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.trim();
    Err(format!("git {}: {said}", arguments.first().unwrap_or(&"")))
}
