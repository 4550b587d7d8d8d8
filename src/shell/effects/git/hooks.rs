//! Hooks of git that are skipped or switched off, and signatures that are left out.

use crate::shell::effects::git::GitEffects;
use crate::shell::effects::git_call::{GitCall, is_no_hooks_folder};
use crate::shell::model::EffectKind;
use crate::shell::parse::output::text::FRESH_DIRECTORY;

/// Hooks that are skipped or switched off.
pub(crate) fn checks(git: &mut GitEffects) {
    use EffectKind::BypassChecks;
    let call = git.call;
    let skips = match call.subcommand {
        "commit" => has_no_verify(call, true),
        "push" | "merge" | "am" | "rebase" | "cherry-pick" | "revert" => has_no_verify(call, false),
        _ => false,
    };
    if skips {
        git.add(BypassChecks, "--no-verify", &[]);
    } else if matches!(call.subcommand, "commit" | "tag" | "merge" | "rebase")
        && (call.is_off("commit.gpgsign") || call.has(&["--no-gpg-sign"], ""))
    {
        git.add(BypassChecks, "commit.gpgsign", &[]);
    } else if call.hooks_off && matches!(call.subcommand, "commit" | "push" | "merge" | "rebase" | "am") {
        git.add(BypassChecks, "git hooks switched off", &[]);
    }
    // A repository that was made for the moment has nobody's hooks.
    let is_fresh = call.directory.as_deref().is_some_and(|it| it.starts_with(FRESH_DIRECTORY));
    if call.subcommand != "config" || call.has(&["--get", "--get-all"], "") || is_fresh {
        return;
    }
    // `git config set x y` is the newer way to write `git config x y`.
    let value_of = |name: &str| {
        let at = call.operands.iter().position(|word| word.text.eq_ignore_ascii_case(name))?;
        call.operands.get(at + 1).map(|word| word.text.as_str())
    };
    let names_hooks = call.operands.iter().any(|word| word.text.eq_ignore_ascii_case("core.hooksPath"));
    let unsets = call.has(&["--unset", "--unset-all"], "")
        || call.operands.first().is_some_and(|word| word.text == "unset");
    if unsets {
        if names_hooks {
            git.add(BypassChecks, "core.hooksPath unset", &[]);
        }
        return;
    }
    // `git config core.hooksPath .husky` is how hooks are switched on.
    let is_alias = |word: &&str| word.to_ascii_lowercase().starts_with("alias.");
    let alias = call.operands.iter().map(|word| word.text.as_str()).find(is_alias);
    if alias.and_then(value_of).is_some_and(|text| text.split_whitespace().any(|it| it == "--no-verify")) {
        git.add(BypassChecks, "git hooks switched off", &[]);
    } else if value_of("core.hooksPath").is_some_and(is_no_hooks_folder) {
        git.add(BypassChecks, "core.hooksPath", &[]);
    } else if matches!(value_of("commit.gpgsign"), Some("false" | "off" | "no" | "0")) {
        git.add(BypassChecks, "commit.gpgsign", &[]);
    }
}

/// `--no-verify`, and `-n` of commit: a cluster ends at the first letter that takes a value (`-m`, `-F`, `-C`).
fn has_no_verify(call: &GitCall, short: bool) -> bool {
    let mut skip = false;
    for text in call.options_with_values() {
        if std::mem::take(&mut skip) {
            continue;
        }
        if text == "--no-verify" || (text.starts_with("--no-veri") && "--no-verify".starts_with(text)) {
            return true;
        }
        let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) else {
            skip = matches!(text, "--message" | "--file" | "--author" | "--date" | "--template");
            continue;
        };
        let value_at = letters.find(['m', 'F', 'C', 'c', 't']);
        let cluster = letters.get(..value_at.unwrap_or(letters.len())).unwrap_or_default();
        if short && cluster.contains('n') {
            return true;
        }
        skip = value_at.is_some_and(|at| at + 1 == letters.len());
    }
    false
}

impl<'c> GitCall<'c> {
    fn options_with_values(&self) -> impl Iterator<Item = &'c str> + '_ {
        self.operands.iter().map(|word| word.text.as_str()).take_while(|text| *text != "--")
    }
}
