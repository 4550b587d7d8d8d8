//! Commands that run text which nobody has seen: from the network, out of an encoding, or from their input.

use crate::shell::effects::services::http::is_here;
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
    } else if runs_an_address(command) {
        "text from the network, with all rights"
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

/// `deno run -A https://…`, `uv run https://…`, `npx https://…`: a program of an address that no registry keeps.
fn runs_an_address(command: &Command) -> bool {
    const REGISTRIES: &[&str] =
        &["deno.land", "jsr.io", "esm.sh", "registry.npmjs.org", "cdn.jsdelivr.net", "unpkg.com"];
    let words = || command.words.iter().skip(1).map(|word| word.text.as_str());
    let is_run = || words().next() == Some("run");
    // What `npx` and `uv run` start is a command by itself.
    let itself = command.words.first().map(|word| word.text.as_str()).filter(|text| text.contains("://"));
    let runs = match command.program() {
        _ if itself.is_some() => true,
        "deno" => {
            let rights = ["-A", "--allow-all", "--allow-run", "--allow-write", "--allow-ffi"];
            is_run() && words().any(|word| rights.iter().any(|it| word.starts_with(it)))
        }
        "uv" | "bun" | "pipx" => is_run(),
        "npx" | "bunx" | "uvx" => true,
        _ => false,
    };
    let given = words().find(|word| !word.starts_with('-') && word.contains("://"));
    let address = itself.or(given);
    let is_kept = |address: &str| {
        let host = address.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or_default();
        REGISTRIES.iter().any(|own| host == *own || host.ends_with(&format!(".{own}")))
    };
    runs && address
        .is_some_and(|address| address.starts_with("http") && !is_kept(address) && !is_here(address))
}

/// `awk '{ system($0) }'`.
fn runs_what_it_reads(command: &Command) -> bool {
    let is_awk = matches!(command.program(), "awk" | "gawk" | "mawk" | "nawk");
    is_awk && command.words.iter().skip(1).any(|word| interpreter_code::unseen::runs_fields(&word.text))
}
