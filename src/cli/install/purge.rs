//! `steadfast uninstall --purge`: what Steadfast has kept of a project goes too.
//!
//! Invariant: nothing goes while a loop of a person's is open, and nothing but files that Steadfast has made.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::files::read;
use super::{ScopeArg, TargetArgs, say};
use crate::definitions;
use crate::project::Project;
use crate::state::layout::{Layout, ROOT};
use crate::state::registry::{Kind, Registry};

/// Removes the state of the project that the target names, its copy outside, and our line in git's own list.
pub(super) fn run(target: &TargetArgs) -> Result<()> {
    let named = target.directory.as_ref().or(target.project.as_ref());
    if target.settings_scope() == ScopeArg::User && named.is_none() {
        say(format_args!(
            "Each project keeps its own state: `steadfast uninstall --purge` in a project removes that project's."
        ));
        return Ok(());
    }
    let start = named.map_or(Path::new("."), |folder| folder.as_path()).canonicalize()?;
    let project = Project::locate(&start);
    let layout = definitions::layout_of(project.root());
    if !layout.root().exists() {
        say(format_args!("Nothing was kept of {}.", project.root().display()));
        return Ok(());
    }
    let open = open_loops(&layout);
    ensure!(
        open.is_empty(),
        "nothing was removed: {} still open; `steadfast loop abort {}` ends it first",
        open.join(", "),
        open.first().map_or("LOOP", String::as_str)
    );
    if let Ok(outside) = layout.outside() {
        gone(&outside)?;
    }
    gone(layout.root())?;
    // What else lies in `.aiwg` is not ours; the system refuses to remove a folder that is not empty.
    let _ = fs::remove_dir(project.root().join(".aiwg"));
    forget_in_git(project.root());
    say(format_args!(
        "Removed {}: state, logs, and the bytes for an undo. Earlier calls can't be undone any more.",
        layout.root().display()
    ));
    Ok(())
}

/// The loops of a person's that are not over.
fn open_loops(layout: &Layout) -> Vec<String> {
    let registry = Registry::read(layout).unwrap_or_default();
    let open =
        registry.loops.iter().filter(|(_, entry)| entry.kind == Kind::Explicit && !entry.status.is_over());
    open.map(|(id, _)| id.clone()).collect()
}

fn gone(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", folder.display()))
        }
        _ => Ok(()),
    }
}

/// Takes our line out of the repository's own list of ignored files. A failure harms nothing.
fn forget_in_git(root: &Path) {
    let exclude = root.join(".git/info/exclude");
    let Ok(Some(text)) = read(&exclude) else { return };
    let ours = format!("/{ROOT}");
    let kept: String = text.split_inclusive('\n').filter(|line| line.trim_end() != ours).collect();
    if kept != text {
        let _ = super::files::replace(&exclude, &kept);
    }
}
