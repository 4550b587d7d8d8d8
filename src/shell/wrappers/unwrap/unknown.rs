//! A program that nobody here knows, with a command behind its own words: `rtk git reset --hard`, `wrap -- rm -rf src`.
//!
//! A rule and not a list: where the further words are a command that loses something, the program is taken to run it.
//! What a program does with words that lose nothing is its own business.

use crate::shell::effects::known_programs::is_known;
use crate::shell::effects::{git, services};
use crate::shell::model::{Command, EffectKind, Word};
use crate::shell::wrappers::peeled::PeeledCommand;

/// How far into the words a command may begin.
const FARTHEST: usize = 12;

/// Clients of services whose names mean nothing else.
const CLIENTS: &[&str] = &[
    "terraform",
    "tofu",
    "terragrunt",
    "pulumi",
    "kubectl",
    "helm",
    "aws",
    "gcloud",
    "gsutil",
    "az",
    "gh",
    "docker",
    "npm",
    "cargo",
    "prisma",
    "rails",
    "dropdb",
    "redis-cli",
    "flyctl",
    "heroku",
];

/// The command in the words of a program that is not known, when it is one by which something is lost.
pub(crate) fn unknown(command: &Command) -> Option<PeeledCommand> {
    let program = command.program();
    let rest = command.words.get(1..)?;
    if program.is_empty() || rest.len() < 2 || is_known(program, rest) {
        return None;
    }
    let begins = |at: usize| {
        let words = command.words.get(at..)?;
        let own = words.first().filter(|word| word.known && !word.text.starts_with('-'))?;
        let inner =
            Command { words: words.to_vec(), directory: command.directory.clone(), ..Command::default() };
        let after_dashes = command.words.get(at - 1).is_some_and(|word| word.text == "--");
        (is_loss(&inner, after_dashes) && !own.text.is_empty()).then(|| words.to_vec())
    };
    let words: Vec<Word> = (1..command.words.len().min(FARTHEST)).find_map(begins)?;
    Some(PeeledCommand::Inner { words, directory: None, keeps: true })
}

/// Whether a command loses something by its words. Without `--` before it, it must be one that has no other meaning.
fn is_loss(inner: &Command, after_dashes: bool) -> bool {
    let program = inner.program();
    let options = || inner.words.iter().skip(1).any(|word| word.text.starts_with('-'));
    match program {
        "git" => {
            git::effects(inner).iter().any(|effect| effect.kind != EffectKind::BypassChecks || after_dashes)
        }
        "rm" | "shred" | "dd" | "unlink" | "rmdir" | "truncate" => {
            inner.words.len() > 1 && (after_dashes || options() || program == "dd")
        }
        "find" => inner.words.iter().any(|word| matches!(word.text.as_str(), "-delete" | "-exec")),
        "sh" | "bash" | "zsh" => {
            inner.words.get(1).is_some_and(|word| word.text.ends_with('c') && word.text.starts_with('-'))
        }
        // Runners of the project's tools have what they run behind them.
        "npx" | "bunx" | "sudo" | "env" => after_dashes,
        name => (after_dashes || CLIENTS.contains(&name)) && services::effect(inner).is_some(),
    }
}
