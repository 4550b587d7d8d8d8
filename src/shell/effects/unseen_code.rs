//! Commands that run text which nobody has seen: from the network, out of an encoding, or from their input.

use crate::shell::model::{Command, Effect, EffectKind, UNSEEN, Unseen};
use crate::shell::wrappers::unwrap::transport;
use crate::shell::wrappers::{interpreter_code, remote_exec};

use EffectKind::RunsUnseen;

/// Code from the network or out of an encoding.
pub(crate) fn unseen_effect(command: &Command) -> Option<Effect> {
    let from = command.code.as_ref().and_then(|code| code.unseen);
    let is_program = command.words.first().is_some_and(|word| word.text.contains(UNSEEN));
    let decodes_itself = || {
        let text = command.code.as_ref().and_then(|code| Some((code.language, code.text.as_deref()?)));
        text.is_some_and(|(language, text)| {
            interpreter_code::unseen::runs_decoded(language, text)
                || interpreter_code::unseen::runs_fetched(language, text)
        })
    };
    let decodes_source = || {
        let text = command.code.as_ref().and_then(|code| Some((code.language, code.text.as_deref()?)));
        text.is_some_and(|(language, text)| interpreter_code::unseen::runs_decoded_source(language, text))
    };
    let detail = if remote_exec::gives_a_shell(command) {
        "a shell for whoever is on the other side of the network"
    } else if from == Some(Unseen::File) {
        "a file that the same command downloads"
    } else if from == Some(Unseen::Made) {
        "what other commands make up as commands"
    } else if from == Some(Unseen::Stream) || is_program {
        "text from the network or out of an encoding"
    } else if transport::replaces_ssh(command) {
        "a program in place of ssh"
    } else if runs_what_it_reads(command) {
        "each line that it reads as a command"
    } else if decodes_itself() {
        "text that the code decodes or fetches first"
    } else if decodes_source() {
        "source that it takes out of an encoding"
    } else {
        return None;
    };
    Some(Effect::of(RunsUnseen, command, detail, &[], command.directory.as_deref()))
}

/// `awk '{ system($0) }'`.
fn runs_what_it_reads(command: &Command) -> bool {
    let is_awk = matches!(command.program(), "awk" | "gawk" | "mawk" | "nawk");
    is_awk && command.words.iter().skip(1).any(|word| interpreter_code::unseen::runs_fields(&word.text))
}
