//! Commands that run text which nobody has seen: from the network, out of an encoding, or from their input.

mod addresses;

use crate::shell::effects::services::http::is_here;
use crate::shell::model::option::has_letter;
use crate::shell::model::{Command, Effect, EffectKind, ScriptLanguage, UNSEEN, Unseen};
use crate::shell::wrappers::interpreter_code::unseen::fetched;
use crate::shell::wrappers::unwrap::transport;
use crate::shell::wrappers::{interpreter_code, remote_exec};

use EffectKind::RunsUnseen;

/// Code from the network or out of an encoding. `earlier` are the commands before it.
pub(crate) fn unseen_effect(earlier: &[Command], command: &Command) -> Option<Effect> {
    let from = command.code.as_ref().and_then(|code| code.unseen);
    let is_program = command.words.first().is_some_and(|word| word.text.contains(UNSEEN));
    let code = command.code.as_ref().and_then(|code| Some((code.language, code.text.as_deref()?)));
    let runs =
        |does: fn(ScriptLanguage, &str) -> bool| code.is_some_and(|(language, text)| does(language, text));
    let detail = if remote_exec::gives_a_shell(command) {
        "a shell for whoever is on the other side of the network"
    } else if from == Some(Unseen::File) && !earlier.iter().any(proves_what_came) {
        "text that the same command downloads"
    } else if from == Some(Unseen::File) {
        "a file that the same command downloads"
    } else if from == Some(Unseen::Folder) {
        "a file of a repository that the same command clones"
    } else if from == Some(Unseen::Made) {
        "what other commands make up as commands"
    } else if from == Some(Unseen::Stream) || is_program {
        "text from the network or out of an encoding"
    } else if transport::replaces_ssh(command) {
        "a program in place of ssh"
    } else if addresses::runs_one(command) {
        "text from the network, with all rights"
    } else if runs_what_it_reads(command) {
        "each line that it reads as a command"
    } else if runs(fetched::is_run) || runs(interpreter_code::unseen::runs_decoded) {
        "text that the code decodes or fetches first"
    } else if runs(interpreter_code::unseen::runs_decoded_source) {
        "source that it takes out of an encoding"
    } else if addresses::installs_one(command) {
        "a package from an address that no registry keeps"
    } else {
        return saves_a_script(command);
    };
    Some(Effect::of(RunsUnseen, command, detail, &[], command.directory.as_deref()))
}

/// A script that is saved from the network, and that nobody has read.
fn saves_a_script(command: &Command) -> Option<Effect> {
    const SCRIPTS: &[&str] = &[".sh", ".bash", ".zsh", ".fish", ".ps1", ".bat", ".cmd", ".py", ".rb", ".pl"];
    let is_script = |name: &str| SCRIPTS.iter().any(|ending| name.ends_with(ending));
    let by_client = || {
        let file = remote_exec::downloads_to(command)?;
        let from =
            || command.words.iter().skip(1).any(|word| word.text.contains("://") && is_script(&word.text));
        (is_script(&file.text) || from()).then_some(file.text)
    };
    let by_code = || {
        let code = command.code.as_ref()?;
        fetched::saves_one(code.language, code.text.as_deref()?, is_script)
    };
    let by_redirection = || {
        let redirect = command.redirects.iter().find(|redirect| redirect.output)?;
        (remote_exec::fetches(command) && is_script(&redirect.target.text))
            .then(|| redirect.target.text.clone())
    };
    let file = by_client().or_else(by_code).or_else(by_redirection)?;
    let is_local = command.words.iter().skip(1).any(|word| word.text.contains("://") && is_here(&word.text));
    (!is_local).then(|| {
        let mut effect = Effect::of(EffectKind::SavesUnseen, command, &file, &[], None);
        effect.directory.clone_from(&command.directory);
        effect
    })
}

/// Whether a file that an effect saves is shown by a later command of the text, and run by none: then it is being read.
pub(crate) fn is_read_then(effect: &Effect, later: &[Command]) -> bool {
    const READERS: &[&str] = &[
        "cat",
        "head",
        "tail",
        "less",
        "more",
        "bat",
        "batcat",
        "nl",
        "sed",
        "grep",
        "rg",
        "view",
        "shellcheck",
    ];
    if effect.kind != EffectKind::SavesUnseen {
        return false;
    }
    let name = effect.detail.rsplit('/').next().unwrap_or_default();
    let names_it = |command: &&Command| {
        command.words.iter().any(|word| word.text.rsplit('/').next() == Some(name) && !name.is_empty())
    };
    let edits = |command: &Command| command.words.iter().any(|word| has_letter(&word.text, 'i'));
    // Ten lines are not the script.
    let shows_ten = |command: &Command| {
        matches!(command.program(), "head" | "tail")
            && !command.words.iter().any(|word| word.text.starts_with('-'))
    };
    let reads =
        |command: &Command| READERS.contains(&command.program()) && !edits(command) && !shows_ten(command);
    let mut users = later.iter().filter(names_it).peekable();
    users.peek().is_some() && users.all(reads)
}

/// `sha256sum -c file.sum`: what was fetched is compared with what somebody else says of it.
fn proves_what_came(command: &Command) -> bool {
    let has =
        |options: &[&str]| command.words.iter().skip(1).any(|word| options.contains(&word.text.as_str()));
    match command.program() {
        "sha256sum" | "sha512sum" | "sha1sum" | "shasum" | "b2sum" | "md5sum" => {
            has(&["-c", "--check", "-sc"])
        }
        "gpg" | "gpg2" => has(&["--verify"]),
        "gpgv" | "cosign" | "minisign" | "signify" => true,
        "openssl" => has(&["-verify"]),
        _ => false,
    }
}

/// `awk '{ system($0) }'`.
fn runs_what_it_reads(command: &Command) -> bool {
    let is_awk = matches!(command.program(), "awk" | "gawk" | "mawk" | "nawk");
    is_awk && command.words.iter().skip(1).any(|word| interpreter_code::unseen::runs_fields(&word.text))
}
