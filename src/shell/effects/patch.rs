//! `patch`, from a file or from what comes in.

use crate::shell::model::{Command, Effect, EffectKind, Script, Word, resolve};
use crate::shell::parse::output;

/// `patch`, from a file or from what comes in. The detail says how much of a name is left out.
pub(crate) fn patch(script: &Script, command: &Command) -> Option<Effect> {
    let has = |names: &[&str]| command.words.iter().any(|word| names.contains(&word.text.as_str()));
    if has(&["--dry-run", "--help", "--version", "-C", "--check"]) {
        return None;
    }
    let after = |option: &str| {
        let at = command.words.iter().position(|word| word.text == option)?;
        command.words.get(at + 1).cloned()
    };
    let from = after("-i").or_else(|| {
        let named = command.words.iter().find_map(|word| word.text.strip_prefix("--input="))?;
        Some(Word::literal(named))
    });
    let bare = has(&["-p0", "--strip=0"]) || after("-p").is_some_and(|strip| strip.text == "0");
    let detail = match (bare, has(&["-R", "--reverse"])) {
        (false, false) => "patch",
        (false, true) => "patch --reverse",
        (true, false) => "patch -p0",
        (true, true) => "patch -p0 --reverse",
    };
    let directory = match after("-d") {
        Some(folder) if folder.known => command.directory.as_deref().map(|from| resolve(from, &folder.text)),
        Some(_) => None,
        None => command.directory.clone(),
    };
    let words: Vec<Word> = from.into_iter().collect();
    let mut effect = Effect::of(EffectKind::ApplyPatch, command, detail, &words, directory.as_deref());
    effect.content = if words.is_empty() { output::text::text_from(script, &command.input) } else { None };
    Some(effect)
}
