//! Keys that a client of a store deletes: one by its name is told, those that a scan hands over are lost.

use crate::shell::model::{Command, Effect, EffectKind};

/// What a command deletes in a store of keys.
pub(crate) fn effect(command: &Command) -> Option<Effect> {
    let is_client = matches!(command.program(), "redis-cli" | "valkey-cli" | "keydb-cli");
    let at =
        command.words.iter().skip(1).position(|word| {
            word.text.eq_ignore_ascii_case("del") || word.text.eq_ignore_ascii_case("unlink")
        })?;
    let keys = command.words.get(at + 2..).filter(|_| is_client)?;
    let handed = keys.iter().any(|word| !word.known || word.partial);
    let kind = if handed { EffectKind::LosesElsewhere } else { EffectKind::ChangesElsewhere };
    Some(Effect::of(kind, command, &format!("{} DEL", command.program()), &[], None))
}
