//! Programs that write one file which an option or an operand names: `dd`, `curl`, `wget`, `sort`, editors, and `find` that deletes.

use crate::shell::edit;
use crate::shell::effects::redirection::is_sink;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word};
use crate::shell::parse::output;

use EffectKind::Overwrite;

/// An editor that is told what to do with its files.
pub(crate) fn editor(script: &Script, command: &Command) -> Option<Effect> {
    let input = output::text::text_from(script, &command.input);
    let (files, edit) = edit::session(command, input.as_deref())?;
    let directory = command.directory.as_deref();
    let mut effect = Effect::of(EffectKind::EditInPlace, command, command.program(), &files, directory);
    effect.edit = edit;
    Some(effect)
}

/// `dd of=file`.
pub(crate) fn assigned_operand(command: &Command, prefix: &str, kind: EffectKind) -> Option<Effect> {
    let word = command.words.iter().find(|word| word.text.starts_with(prefix))?;
    let text = word.text.get(prefix.len()..)?.to_owned();
    let tilde = text.starts_with("~/");
    let value = Word { text, tilde, ..word.clone() };
    (!is_sink(&value.text))
        .then(|| Effect::of(kind, command, command.program(), &[value], command.directory.as_deref()))
}

/// `curl -o file`.
pub(crate) fn option_value(command: &Command, options: &[&str]) -> Option<Effect> {
    let at = command.words.iter().position(|word| options.contains(&word.text.as_str()))?;
    let value = command.words.get(at + 1).filter(|value| value.text != "-" && !is_sink(&value.text))?;
    let words = std::slice::from_ref(value);
    Some(Effect::of(Overwrite, command, command.program(), words, command.directory.as_deref()))
}
