//! Subcommands behind git's everyday ones that write over the working tree just the same.

use crate::shell::effects::git::GitEffects;
use crate::shell::effects::git_call::{GitCall, call};
use crate::shell::model::{Command, CommandInput, Effect, EffectKind, Script, Word, resolve};

use EffectKind::{DiscardGitWork, GitRemove, LeavesTestsOut};

/// Subcommands that write the files of the index or of a tree over those of the working tree.
pub(crate) fn plumbing(git: &mut GitEffects, plain: &[&Word]) {
    let call = git.call;
    match call.subcommand {
        "read-tree" if call.has(&["--reset"], "") && call.has(&[], "u") => {
            git.add(DiscardGitWork, "git reset --hard", &[]);
        }
        "checkout-index" if call.has(&["--force"], "f") && !call.has(&["--temp"], "") => {
            let prefixed = call.options().any(|option| option.starts_with("--prefix"));
            let paths = [plain.to_vec(), call.paths().unwrap_or_default()].concat();
            let here = Word::literal(".");
            match (prefixed, call.has(&["--all"], "a"), paths.as_slice()) {
                (true, ..) | (_, false, []) => {}
                (_, true, _) => git.add(DiscardGitWork, "git checkout of paths", &[&here]),
                (_, _, paths) => git.add(DiscardGitWork, "git checkout of paths", paths),
            }
        }
        "read-tree" if call.has(&["--empty"], "") => {
            git.add(GitRemove, "git rm --cached", &[&Word::literal(".")]);
        }
        "update-index" if call.has(&["--force-remove"], "") => {
            let paths = [plain.to_vec(), call.paths().unwrap_or_default()].concat();
            git.add(GitRemove, "git rm --cached", &paths);
        }
        // Whether tests are among what stays says who knows their names.
        "sparse-checkout" if call.word(0) == "set" && plain.len() > 1 && !call.has(&["--stdin"], "") => {
            git.add(LeavesTestsOut, "git sparse-checkout set", plain.get(1..).unwrap_or_default());
        }
        "submodule" if call.word(0) == "deinit" && call.has(&["--force"], "f") => {
            git.add(DiscardGitWork, "git submodule deinit --force", plain.get(1..).unwrap_or_default());
        }
        _ => {}
    }
}

/// `git rm -r --cached src && git add src`: what a later command of the text puts into the index again has not left it.
pub(crate) fn added_again(script: &Script, effect: &Effect) -> bool {
    let later = script.commands.iter().skip(effect.command + 1).filter(|later| later.program() == "git");
    let taken_out: Vec<&str> = effect.targets.iter().map(|target| target.text.as_str()).collect();
    // Of the whole tree nobody sees what does not come again, since it is ignored by now.
    if effect.line_text.contains("rm ")
        && taken_out.iter().any(|text| matches!(*text, "." | "./" | ":/" | "*"))
    {
        return false;
    }
    later.into_iter().any(|later| {
        let call = call(later);
        let names = [call.plain(), call.paths().unwrap_or_default()].concat();
        let is_named = |name: &&str| names.iter().any(|word| word.text == **name);
        match call.subcommand {
            "add" => {
                call.has(&["--all"], "A")
                    || [".", ":/", "*"].iter().any(is_named)
                    || taken_out.iter().all(is_named)
            }
            "reset" | "read-tree" => names.len() <= 1 && !call.has(&["--empty"], ""),
            _ => false,
        }
    })
}

/// `git diff | git apply -R`: the changes that are shown are taken out of the files.
pub(crate) fn takes_back_the_difference(
    script: &Script,
    effect: &Effect,
    input: &CommandInput,
) -> Option<Effect> {
    let shows = match input {
        CommandInput::From(index) => script.commands.get(*index)?,
        _ => return None,
    };
    let call = call(shows);
    let reverses = effect.detail.ends_with("--reverse") && shows.program() == "git";
    let plain = [call.plain(), call.paths().unwrap_or_default()].concat();
    let compares = call.has(&["--cached", "--staged", "--no-index"], "");
    (reverses && call.subcommand == "diff" && !compares).then_some(())?;
    let paths: Vec<Word> =
        plain.iter().filter(|word| word.text != "HEAD").map(|word| (*word).clone()).collect();
    let paths = if paths.is_empty() { vec![Word::literal(".")] } else { paths };
    let mut discards =
        Effect::of(DiscardGitWork, shows, "git checkout of paths", &paths, call.directory.as_deref());
    discards.line_text = effect.line_text.clone();
    discards.recursive = true;
    Some(discards)
}

/// The command of git whose text comes in, with its call.
fn from_git<'s>(script: &'s Script, input: &CommandInput) -> Option<(&'s Command, GitCall<'s>)> {
    let CommandInput::From(index) = input else { return None };
    let command = script.commands.get(*index).filter(|command| command.program() == "git")?;
    Some((command, call(command)))
}

/// `git archive HEAD | tar x`: the files of a revision over those of the working tree.
pub(crate) fn unpacked_over(script: &Script, command: &Command, folder: Option<Word>) -> Option<Effect> {
    let (_, archive) = from_git(script, &command.input)?;
    (archive.subcommand == "archive").then_some(())?;
    let folder = folder?;
    // A copy elsewhere is no checkout.
    let here = command.directory.as_deref()?;
    resolve(here, &folder.text).starts_with(here).then_some(())?;
    let mut discards = Effect::of(
        DiscardGitWork,
        command,
        "git checkout of paths",
        std::slice::from_ref(&folder),
        command.directory.as_deref(),
    );
    discards.recursive = true;
    Some(discards)
}

/// `git show HEAD:file | tee file`: the file of a revision over the one that is there.
pub(crate) fn written_over(script: &Script, command: &Command, effect: &Effect) -> Option<Effect> {
    (effect.kind == EffectKind::Overwrite && !effect.append).then_some(())?;
    let (_, shows) = from_git(script, &command.input)?;
    matches!(shows.subcommand, "show" | "cat-file").then_some(())?;
    let (_, name) = shows.plain().last()?.text.split_once(':')?;
    let target = effect.targets.iter().find(|target| {
        target.path.as_ref().is_some_and(|path| path.ends_with(name.trim_start_matches("./")))
    })?;
    let mut discards =
        Effect::of(DiscardGitWork, command, "git checkout of paths", &[], command.directory.as_deref());
    discards.targets = vec![target.clone()];
    discards.recursive = true;
    Some(discards)
}
