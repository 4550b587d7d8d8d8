//! Scripts that the session wrote and that a command runs now: they are judged by what they hold, like the command.
//!
//! What another wrote is in `project_texts`. A command that runs nothing of that costs no more than the names of what it
//! runs.

mod losing_words;
mod project_texts;

use std::collections::{BTreeSet, HashSet};
use std::path::PathBuf;

use crate::lifecycle::call::shell_call::{self, CommandInPlace, ShellCall};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::touched;
use crate::lifecycle::context::hook_context::HookContext;
use crate::shell::{Effect, EffectKind, FileTexts, LONGEST_TEXT, ScriptContext, ShellReading};

/// How often a script is followed into one that it runs itself.
const DEEPEST: usize = 4;

/// Looks at a command with the texts of the session's own scripts that it runs.
pub(crate) fn inspect(context: &HookContext, said: &CommandInPlace) -> ShellCall {
    let first = shell_call::inspect_said(said, &context.project, &context.config);
    let learned = learned(context, said, &first.reading);
    let said = &CommandInPlace { known: learned.as_ref().unwrap_or(said.known), ..*said };
    let mut call = if learned.is_some() { with_the_learned(context, said, &first) } else { first };
    if call.reading.runs.is_empty() {
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
        call = shell_call::inspect_said(
            &CommandInPlace { known: &known, ..*said },
            &context.project,
            &context.config,
        );
    }
    project_texts::add(context, said, &known, &mut call);
    call
}

/// The same call once more with what is learned. The agent's shell may know a variable that nobody has set here: what
/// that would take is caught all the same.
fn with_the_learned(context: &HookContext, said: &CommandInPlace, first: &ShellCall) -> ShellCall {
    let mut call = shell_call::inspect_said(said, &context.project, &context.config);
    call.read_only &= first.read_only;
    call.reading.read_only &= first.reading.read_only;
    call.reading.runs_code |= first.reading.runs_code;
    call.reading.unread |= first.reading.unread;
    call
}

/// What a call would have to know to say what it loses: which variables nobody has set, and the lines of its lists.
fn learned(context: &HookContext, said: &CommandInPlace, reading: &ShellReading) -> Option<ScriptContext> {
    use EffectKind::{Delete, DiscardGitWork, GitRemove, Overwrite, Truncate};
    let loses =
        |effect: &&Effect| matches!(effect.kind, Delete | DiscardGitWork | GitRemove | Overwrite | Truncate);
    let is_open = |effect: &Effect| effect.targets.iter().any(|target| target.path.is_none());
    if (reading.asks.is_empty() && reading.lists.is_empty())
        || !(reading.tells_a_database || reading.effects.iter().filter(loses).any(is_open))
    {
        return None;
    }
    let is_unset = |name: &&String| (context.env.vars)(name).is_none_or(|value| value.is_empty());
    let unset: HashSet<String> = reading.asks.iter().filter(is_unset).cloned().collect();
    let texts =
        reading.lists.iter().filter_map(|path| Some((path.clone(), read_text(&said.cwd.join(path))?)));
    let lists: FileTexts = texts.filter(|(_, text)| text.len() <= LONGEST_TEXT).collect();
    (!unset.is_empty() || !lists.is_empty()).then(|| ScriptContext { unset, lists, ..said.known.clone() })
}

/// The files that calls of the session named or changed.
fn own_files(context: &HookContext) -> BTreeSet<PathBuf> {
    let Some(bound) = &context.bound else { return BTreeSet::new() };
    touched(&context.layout, &bound.id).iter().map(|path| context.project.root().join(path)).collect()
}

/// The texts of what a call runs and the session wrote, by the names that the call has for them.
fn texts(
    said: &CommandInPlace,
    call: &ShellCall,
    own: &BTreeSet<PathBuf>,
    known: &ScriptContext,
) -> Vec<(PathBuf, String)> {
    let runs = call.reading.runs.iter().map(|path| said.cwd.join(path));
    let new = runs.filter(|path| !known.files.contains_key(path));
    let is_own = |path: &PathBuf| own.contains(path) || own.contains(&shell_call::real(path));
    let read = new.filter(is_own).filter_map(|path| Some((path.clone(), read_text(&path)?)));
    read.filter(|(_, text)| text.len() <= LONGEST_TEXT).collect()
}
