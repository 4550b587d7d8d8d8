//! Scripts that a text writes, and in which a run of the tests counts as passed whatever it says.

use crate::shell::effects::weakened_test_runs::by_text::FOR_GOOD;
use crate::shell::model::{Command, Effect, EffectKind, Script, Word, program_name};
use crate::shell::parse::output::text::text_of;

/// Folders of scripts that others start: the hooks of a repository, and a project's own tools.
const STARTED: &[&str] =
    &[".husky/", ".githooks/", ".git/hooks/", "scripts/", "script/", "bin/", "ci/", ".ci/", "tools/"];
/// Parts of a script's name that say the same.
const NAMED: &[&str] = &["test", "check", "ci", "verify", "lint", "precommit"];

/// What a command writes down for all later runs; `hides` reads a text like a script of its own.
pub(crate) fn effect(
    script: &Script,
    index: usize,
    command: &Command,
    hides: fn(&str) -> bool,
) -> Option<Effect> {
    let redirected = command.redirects.iter().filter(|redirect| redirect.output).map(|it| &it.target);
    let handed = command
        .words
        .iter()
        .skip(1)
        .filter(|word| matches!(command.program(), "tee" | "sponge") && !word.text.starts_with('-'));
    // What is made to be thrown away hides nothing from anybody.
    let stays = |name: &str| !["/tmp/", "/var/tmp/", "/dev/"].iter().any(|folder| name.starts_with(folder));
    let name = redirected.chain(handed).find(|word: &&Word| word.known && stays(&word.text))?.text.as_str();
    let may_hide = |text: &str| ["||", "true", "exit 0"].iter().any(|way| text.contains(way));
    text_of(script, index).filter(|text| is_script(name, text) && may_hide(text) && hides(text))?;
    let is_run_by_others = is_started(name);
    let detail = format!("in {name}{}", if is_run_by_others { FOR_GOOD } else { "" });
    let effect = Effect::of(EffectKind::HidesFailure, command, &detail, &[], command.directory.as_deref());
    Some(Effect { program: "a run of the tests".to_owned(), ..effect })
}

fn is_script(name: &str, text: &str) -> bool {
    let is_hook = STARTED.iter().take(3).any(|folder| name.contains(folder));
    let first = text.lines().next().unwrap_or_default();
    is_hook
        || name.ends_with(".sh")
        || name.ends_with(".bash")
        || (first.starts_with("#!") && first.contains("sh"))
}

fn is_started(name: &str) -> bool {
    let file = program_name(name);
    let mut parts = file.split(['-', '_', '.']);
    STARTED.iter().any(|folder| name.starts_with(folder) || name.contains(&format!("/{folder}")))
        || parts.any(|part| NAMED.contains(&part))
}
