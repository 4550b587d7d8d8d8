//! Scripts that the session wrote and that a command runs now: they are judged by what they hold, like the command.
//!
//! What another wrote is not read: a project's own scripts are what its people mean them to be. A command that runs no
//! file of the session costs nothing more than the names of what it runs.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::lifecycle::call::shell_call::{self, Said, ShellCall};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::touched;
use crate::lifecycle::context::hook_context::HookContext;
use crate::shell::{Known, LONGEST_TEXT};

/// How often a script is followed into one that it runs itself.
const DEEPEST: usize = 4;

/// Looks at a command with the texts of the session's own scripts that it runs.
pub(crate) fn inspect(context: &HookContext, said: &Said) -> ShellCall {
    let mut call = shell_call::inspect_said(said, &context.project, &context.config);
    if call.reading.runs.is_empty() || context.bound.is_none() {
        return call;
    }
    let own = own_files(context);
    let mut known = said.known.clone();
    for _ in 0..DEEPEST {
        let new: Vec<(PathBuf, String)> = texts(said, &call, &own, &known);
        if new.is_empty() {
            break;
        }
        known.files.extend(new);
        call = shell_call::inspect_said(&Said { known: &known, ..*said }, &context.project, &context.config);
    }
    call
}

/// The files that calls of the session named or changed.
fn own_files(context: &HookContext) -> BTreeSet<PathBuf> {
    let Some(bound) = &context.bound else { return BTreeSet::new() };
    touched(&context.layout, &bound.id).iter().map(|path| context.project.root().join(path)).collect()
}

/// The texts of what a call runs and the session wrote, by the names that the call has for them.
fn texts(said: &Said, call: &ShellCall, own: &BTreeSet<PathBuf>, known: &Known) -> Vec<(PathBuf, String)> {
    let runs = call.reading.runs.iter().map(|path| said.cwd.join(path));
    let new = runs.filter(|path| !known.files.contains_key(path));
    let is_own = |path: &PathBuf| own.contains(path) || own.contains(&shell_call::real(path));
    let read = new.filter(is_own).filter_map(|path| Some((path.clone(), read_text(&path)?)));
    read.filter(|(_, text)| text.len() <= LONGEST_TEXT).collect()
}
