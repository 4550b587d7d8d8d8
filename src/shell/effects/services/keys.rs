//! What a client deletes that is only named while it runs: keys that a scan hands over, claims that a listing names, and
//! orders that come in as text.

use crate::shell::model::{Command, Effect, EffectKind, Script, Word};
use crate::shell::parse::output;

use EffectKind::{ChangesElsewhere, LosesElsewhere};

/// What a command deletes of what a service holds, by names that others hand over.
pub(crate) fn effect(script: &Script, command: &Command) -> Option<Effect> {
    let program = command.program();
    let (kind, what) = match program {
        "redis-cli" | "valkey-cli" | "keydb-cli" => of_store(script, command)?,
        "kubectl" | "oc" | "k" => {
            let at = own(command, &["delete"])?;
            let named = command.words.get(at + 1..)?;
            let tries = named.iter().any(|word| word.text.starts_with("--dry-run"));
            (!tries && is_handed(named)).then_some((LosesElsewhere, "delete"))?
        }
        _ => return None,
    };
    Some(Effect::of(kind, command, &format!("{program} {what}"), &[], None))
}

fn of_store(script: &Script, command: &Command) -> Option<(EffectKind, &'static str)> {
    if let Some(at) = own(command, &["del", "unlink"]) {
        let is_scan = is_handed(command.words.get(at + 1..)?);
        return Some((if is_scan { LosesElsewhere } else { ChangesElsewhere }, "DEL"));
    }
    let text = output::text::text_from(script, &command.input)?.to_ascii_lowercase();
    let flushes = |line: &str| matches!(line.split_whitespace().next(), Some("flushall" | "flushdb"));
    text.lines().any(flushes).then_some((LosesElsewhere, "FLUSHALL"))
}

/// Where one of these words stands.
fn own(command: &Command, words: &[&str]) -> Option<usize> {
    command.words.iter().position(|word| words.iter().any(|known| word.text.eq_ignore_ascii_case(known)))
}

/// Whether other commands say what is named.
fn is_handed(words: &[Word]) -> bool {
    words.iter().any(|word| !word.text.starts_with('-') && (!word.known || word.partial))
}
