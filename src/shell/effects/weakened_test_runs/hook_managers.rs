//! Hooks that their manager takes out of the repository, or that lose their manager.

use crate::shell::model::{Command, Effect, EffectKind};

/// Hook managers and the word that takes their hooks out of the repository.
const HOOK_MANAGERS: &[(&str, &[&str])] = &[
    ("pre-commit", &["uninstall"]),
    ("pre_commit", &["uninstall"]),
    ("prek", &["uninstall"]),
    ("lefthook", &["uninstall"]),
    ("husky", &["uninstall"]),
    ("hk", &["uninstall"]),
    ("captainhook", &["uninstall"]),
    ("overcommit", &["--uninstall", "-u"]),
    ("grumphp", &["git:deinit"]),
    ("githooks", &["uninstall", "disable"]),
];

/// Programs that take a package out, and their words for it.
const REMOVERS: &[&str] =
    &["npm", "pnpm", "yarn", "bun", "pip", "pip3", "uv", "poetry", "gem", "bundle", "composer"];

const REMOVING: &[&str] = &["uninstall", "remove", "rm", "un", "r"];

/// Hooks that their manager takes out of the repository, or that lose their manager.
pub(crate) fn hooks_off(command: &Command) -> Option<Effect> {
    let program = command.program();
    let words: Vec<&str> = command.words.iter().skip(1).map(|word| word.text.as_str()).collect();
    if words.iter().any(|word| matches!(*word, "--help" | "-h")) {
        return None;
    }
    // `python -m pre_commit uninstall`, `yarn husky uninstall`.
    let (name, rest) = match words.as_slice() {
        ["-m", module, rest @ ..] if program.starts_with("python") => (*module, rest),
        ["exec" | "dlx", name, rest @ ..] if REMOVERS.contains(&program) => (*name, rest),
        ["run", name, rest @ ..] if program == "pipx" => (*name, rest),
        [name, rest @ ..] if program == "uvx" => (*name, rest),
        [name, rest @ ..] if program == "yarn" || program == "bun" => match REMOVING.contains(name) {
            true => (program, words.as_slice()),
            false => (*name, rest),
        },
        rest => (program, rest),
    };
    let first = rest.first().copied().unwrap_or_default();
    let (_, off) = HOOK_MANAGERS.iter().find(|(known, _)| *known == name).unwrap_or(&("", &[]));
    if off.contains(&first) {
        let detail = format!("{name} {first}");
        return Some(Effect::of(
            EffectKind::BypassChecks,
            command,
            &detail,
            &[],
            command.directory.as_deref(),
        ));
    }
    let removes = REMOVERS.contains(&program) && REMOVING.contains(&first);
    let manager = rest.iter().skip(1).find(|word| HOOK_MANAGERS.iter().any(|(known, _)| known == *word));
    let manager = manager.filter(|_| removes)?;
    let detail = format!("without {manager}");
    Some(Effect::of(EffectKind::BypassChecks, command, &detail, &[], command.directory.as_deref()))
}
