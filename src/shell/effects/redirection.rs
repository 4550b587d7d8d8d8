//! What a redirection does to its file, and the files that lose nothing when written to.

use crate::shell::effects::git_call::call as git_call;
use crate::shell::effects::own_input::is_emptied_first;
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Redirect, Script, Target, Word};
use crate::shell::parse::output;

use EffectKind::{Overwrite, Truncate};

/// Files that lose nothing when written to.
const SINKS: &[&str] =
    &["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/fd", "NUL", "$null"];

/// Notes that the new content is what the command with this index prints of files.
pub(crate) fn derive(effect: &mut Effect, script: &Script, index: usize) {
    if let Some((files, edit, directory)) = output::derived(script, index) {
        effect.sources = files.iter().map(|file| Target::of(file, directory.as_deref())).collect();
        effect.edit = Some(edit);
    }
}

pub(crate) fn is_sink(text: &str) -> bool {
    SINKS.contains(&text)
        || ["/dev/fd/", "/dev/tcp/", "/dev/udp/"].iter().any(|prefix| text.starts_with(prefix))
}

pub(crate) fn redirect_effects(script: &Script, index: usize, command: &Command, effects: &mut Vec<Effect>) {
    // Nothing has an empty name, and the shell says so.
    let is_file = |redirect: &&Redirect| {
        let is_empty = redirect.target.known && redirect.target.text.is_empty();
        !is_empty && !is_sink(&redirect.target.text)
    };
    for redirect in command.redirects.iter().filter(is_file) {
        let effect = redirect_effect(script, index, command, redirect);
        effects.push(of_revision(command, redirect, &effect).unwrap_or(effect));
    }
}

fn redirect_effect(script: &Script, index: usize, command: &Command, redirect: &Redirect) -> Effect {
    let directory = command.directory.as_deref();
    let prints_nothing = command.words.is_empty() || matches!(command.program(), ":" | "true");
    let empties_its_input = is_emptied_first(script, index, redirect);
    let content = match redirect.output {
        true if empties_its_input => Some(String::new()),
        true if prints_nothing && command.input == CommandInput::None => Some(String::new()),
        true => output::text::text_of(script, index),
        false => None,
    };
    let empties = content.as_deref() == Some("") && !redirect.append;
    let kind = if empties { Truncate } else { Overwrite };
    let mut effect =
        Effect::of(kind, command, "redirection", std::slice::from_ref(&redirect.target), directory);
    if content.is_none() && redirect.output {
        derive(&mut effect, script, index);
    }
    effect.empties_its_input = empties_its_input;
    effect.content = content;
    effect.append = redirect.append;
    effect
}

/// `git show HEAD:file > file`: the file of a revision over the one that is there, as a checkout does it.
fn of_revision(command: &Command, redirect: &Redirect, effect: &Effect) -> Option<Effect> {
    (command.program() == "git" && redirect.output && !redirect.append).then_some(())?;
    let call = git_call(command);
    matches!(call.subcommand, "show" | "cat-file").then_some(())?;
    let (revision, name) = call.plain().last()?.text.split_once(':')?;
    let discarded = |target: &Word| {
        let (targets, directory) = (std::slice::from_ref(target), command.directory.as_deref());
        Effect::of(EffectKind::DiscardGitWork, command, "git checkout of paths", targets, directory)
    };
    if !redirect.target.known && redirect.target.text == name {
        // Whatever a loop names, it is taken back like that.
        return Some(discarded(&Word::literal(".")));
    }
    let path = effect.targets.first()?.path.as_ref()?;
    let name = name.trim_start_matches("./");
    // A copy elsewhere is no checkout.
    let stays = command.directory.as_ref().is_some_and(|directory| path.starts_with(directory));
    (!name.is_empty() && path.ends_with(name) && stays).then_some(())?;
    let mut discards = discarded(&redirect.target);
    discards.revision = Some(revision.to_owned()).filter(|revision| !revision.is_empty());
    discards.recursive = true;
    Some(discards)
}
