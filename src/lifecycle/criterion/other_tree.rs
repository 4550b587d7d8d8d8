//! Git work that a loop would do in another working tree.

use std::path::{Path, PathBuf};

use crate::detectors::session_patterns::GIT_ELSEWHERE;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::event::{Action, ToolCall};
use crate::model::finding::Finding;
use crate::shell;

/// Subcommands of git that change a working tree, its index or its branches.
const GIT_WORK: &[&str] = &[
    "add",
    "am",
    "apply",
    "checkout",
    "cherry-pick",
    "clean",
    "commit",
    "merge",
    "mv",
    "pull",
    "rebase",
    "reset",
    "restore",
    "revert",
    "rm",
    "stash",
    "switch",
];

/// Git work that a command of the loop would do in another working tree.
pub fn judge_command(context: &HookContext, call: &ToolCall) -> Option<Finding> {
    let Action::Shell { command, dialect } = &call.action else { return None };
    if !context.in_explicit_loop() || !command.contains("git") {
        return None;
    }
    let home = context.env.home.as_deref().unwrap_or(Path::new("/"));
    let commands = shell::read_at(command, *dialect, &context.event.cwd, home).commands;
    let (directory, what) = commands.iter().find_map(|command| git_work(command, context.project.root()))?;
    let directory = directory.display().to_string();
    let what = format!("`git {what}` would change {directory}, which is not the working tree of this loop");
    Some(Finding { confidence: 0.9, ..GIT_ELSEWHERE.finding(&directory, what) })
}

/// Where a git command changes a working tree that is not at or below `root`, and what it is called.
fn git_work(command: &shell::Command, root: &Path) -> Option<(PathBuf, String)> {
    if command.program() != "git" || command.remote {
        return None;
    }
    let mut directory = command.directory.clone()?;
    let mut words = command.words.iter().skip(1).filter(|word| word.known).map(|word| word.text.as_str());
    let name = loop {
        match words.next()? {
            "-C" => directory = shell::resolve(&directory, words.next()?),
            "-c" => drop(words.next()),
            option if option.starts_with('-') => {}
            name => break name,
        }
    };
    let elsewhere = !directory.starts_with(root) && !directory.starts_with(std::env::temp_dir());
    (elsewhere && GIT_WORK.contains(&name)).then(|| (directory, name.to_owned()))
}
