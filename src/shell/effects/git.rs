//! What git commands do to files and history: one match over subcommands.

pub(crate) mod history;
pub(crate) mod hooks;
pub(crate) mod own_pushes;
pub(crate) mod plumbing;
pub(crate) mod worktree;

use crate::shell::effects::git::history::history;
use crate::shell::effects::git::hooks::checks;
use crate::shell::effects::git::plumbing::plumbing;
use crate::shell::effects::git::worktree::work;
use crate::shell::effects::git_call::{GitCall, call, is_forced_clean};
use crate::shell::model::{Command, Effect, EffectKind, Word};

/// Builder of one git command's effects.
pub(crate) struct GitEffects<'c> {
    call: &'c GitCall<'c>,
    command: &'c Command,
    effects: Vec<Effect>,
}

impl<'c> GitEffects<'c> {
    fn add(&mut self, kind: EffectKind, detail: &str, targets: &[&Word]) {
        let directory = self.call.directory.clone();
        let takes_paths = matches!(detail, "git restore" | "git checkout of paths");
        // Git reads a quoted pattern itself.
        let by_git = |word: &Word| {
            word.glob || (takes_paths && word.known && word.text.contains('*') && !word.text.starts_with(':'))
        };
        let targets: Vec<Word> =
            targets.iter().map(|word| Word { glob: by_git(word), ..(*word).clone() }).collect();
        let mut effect = Effect::of(kind, self.command, detail, &targets, directory.as_deref());
        effect.recursive = true;
        effect.forced = self.call.has(&["--force"], "f");
        effect.forced_twice = times_forced(self.call) > 1;
        self.effects.push(effect);
    }

    /// Says which revision the files of the last effect come from.
    fn take_from(&mut self, revision: Option<&str>) {
        if let Some(effect) = self.effects.last_mut() {
            effect.revision = revision.map(str::to_owned);
        }
    }
}

/// The effects of a git command.
pub(crate) fn effects(command: &Command) -> Vec<Effect> {
    let call = call(command);
    if asks_help(&call) {
        return Vec::new();
    }
    let mut git = GitEffects { call: &call, command, effects: Vec::new() };
    let plain = call.plain();
    files(&mut git, &plain);
    work(&mut git, &plain);
    history(&mut git, &plain);
    plumbing(&mut git, &plain);
    checks(&mut git);
    git.effects
}

/// How often force is given.
fn times_forced(call: &GitCall) -> usize {
    let letters = |option: &str| match option.strip_prefix("--") {
        Some(long) => usize::from(long == "force"),
        None => option.matches('f').count(),
    };
    call.options().map(letters).sum()
}

/// `--help` and `-h`, but where they are the value of another option.
fn asks_help(call: &GitCall) -> bool {
    const VALUED: &[&str] = &[
        "--replace-text",
        "--replace-message",
        "--mailmap",
        "--path",
        "--paths-from-file",
        "--source",
        "-s",
    ];
    let is_value =
        |index: usize| index.checked_sub(1).is_some_and(|before| VALUED.contains(&call.word(before)));
    let own = call.operands.iter().enumerate().take_while(|(_, word)| word.text != "--");
    let asks = own
        .filter(|(index, word)| matches!(word.text.as_str(), "--help" | "-h") && !is_value(*index))
        .count()
        > 0;
    asks && !matches!(call.subcommand, "commit" | "push")
}

/// Subcommands that take files away or give them other names.
fn files(git: &mut GitEffects, plain: &[&Word]) {
    use EffectKind::{ApplyPatch, Delete, DiscardGitWork, GitRemove, Move};
    let call = git.call;
    match call.subcommand {
        "rm" if call.has(&["--dry-run"], "n") => {}
        "rm" => {
            let paths = [plain.to_vec(), call.paths().unwrap_or_default()].concat();
            let detail = if call.has(&["--cached"], "") { "git rm --cached" } else { "git rm" };
            git.add(GitRemove, detail, &paths);
        }
        "mv" if plain.len() >= 2 && !call.has(&["--dry-run"], "n") => git.add(Move, "git mv", plain),
        "clean" if is_forced_clean(call) => {
            let paths = [plain.to_vec(), call.paths().unwrap_or_default()].concat();
            let detail = match (call.has(&[], "xX"), spares_the_guard(call)) {
                // What `-e` names is ignored, and so goes.
                (true, _) if !call.has(&[], "x") => "git clean of ignored files",
                (true, false) => "git clean with ignored files",
                (true, true) => "git clean but for .aiwg, with ignored files",
                (false, _) => "git clean",
            };
            git.add(DiscardGitWork, detail, &paths);
            let with_folders = call.has(&[], "d");
            let spared: Vec<String> = call.excludes().into_iter().map(str::to_owned).collect();
            for effect in &mut git.effects {
                effect.recursive = with_folders;
                effect.spared.clone_from(&spared);
            }
        }
        "apply" | "am"
            if !call.has(&["--check", "--stat", "--cached", "--3way", "--reject", "--directory"], "p")
                && !matches!(call.word(0), "--abort" | "--continue" | "--skip" | "--quit") =>
        {
            let detail = if call.has(&["--reverse"], "R") { "git apply --reverse" } else { "git apply" };
            git.add(ApplyPatch, detail, plain);
        }
        "worktree" if call.word(0) == "remove" && call.has(&["--force"], "f") => {
            git.add(Delete, "git worktree remove --force", plain.get(1..).unwrap_or_default());
        }
        _ => {}
    }
}

/// `-e .aiwg`: the guard's state, which git ignores, stays.
fn spares_the_guard(call: &GitCall) -> bool {
    call.excludes().iter().any(|pattern| pattern.trim_matches('/').split('/').next() == Some(".aiwg"))
}
