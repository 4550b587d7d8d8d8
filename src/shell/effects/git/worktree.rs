//! Subcommands of git that give up what is in no commit, or on no other branch: reset, checkout, switch, restore, stash, branch.

use crate::shell::effects::git::GitEffects;
use crate::shell::effects::git_call::GitCall;
use crate::shell::model::option::has_letter;
use crate::shell::model::{EffectKind, Word};

/// Subcommands that give up what is in no commit, or on no other branch.
pub(crate) fn work(git: &mut GitEffects, plain: &[&Word]) {
    use EffectKind::DiscardGitWork;
    let call = git.call;
    match call.subcommand {
        "reset" if call.has(&["--hard"], "") => git.add(DiscardGitWork, "git reset --hard", plain),
        "reset" if call.has(&["--keep"], "") => git.add(DiscardGitWork, "git reset --keep", plain),
        "reset" if call.has(&["--merge"], "") => git.add(DiscardGitWork, "git reset --merge", plain),
        "checkout" => checkout(git),
        "switch" if call.has(&["--force-create"], "C") => {
            if call.has(&["--discard-changes", "--force"], "f") {
                git.add(DiscardGitWork, "git switch --discard-changes", &[]);
            }
            branch_made_anew(git, &["-C", "--force-create"]);
        }
        "switch"
            if call.has(&["--discard-changes", "--force"], "f")
                && (plain.len() <= 1 || call.has(&["--create"], "cC")) =>
        {
            git.add(DiscardGitWork, "git switch --discard-changes", &[]);
        }
        // Piece by piece a person chooses.
        "restore" if asks_for_each_piece(call) => {}
        "restore" if restores_worktree(call) => {
            let paths = [restored(call), call.paths().unwrap_or_default()].concat();
            if !paths.is_empty() || names_paths_in_a_file(call) {
                git.add(DiscardGitWork, "git restore", &paths);
                git.take_from(restore_source(call));
            }
        }
        "stash" if call.word(0) == "drop" => git.add(DiscardGitWork, "git stash drop", &[]),
        "stash" if call.word(0) == "clear" => git.add(DiscardGitWork, "git stash clear", &[]),
        "branch" if call.has(&["--force"], "f") && !call.has(&["--delete"], "dDmMcC") => {
            git.add(DiscardGitWork, "git branch --force", plain);
        }
        // The other name is taken from whatever has it.
        "branch" if call.has(&[], "MC") && !plain.is_empty() => {
            let moved: Vec<&Word> = plain.iter().rev().copied().collect();
            git.add(DiscardGitWork, "git move of a branch", &moved);
        }
        "worktree" if call.word(0) == "add" && call.has(&[], "B") => branch_made_anew(git, &["-B"]),
        "branch" if call.has(&[], "D") || (call.has(&["--delete"], "d") && call.has(&["--force"], "f")) => {
            git.add(DiscardGitWork, "git branch -D", plain);
        }
        _ => {}
    }
}

/// `-B name [start]`: a branch of that name is moved.
fn branch_made_anew(git: &mut GitEffects, options: &[&str]) {
    let operands = &git.call.operands;
    let is_option = |word: &&&Word| options.iter().any(|option| word.text.starts_with(option));
    let Some(at) = operands.iter().position(|word| is_option(&word)) else { return };
    let glued = operands.get(at).and_then(|word| {
        let option = options.iter().find(|option| word.text.starts_with(**option))?;
        let name = word.text.get(option.len()..)?.trim_start_matches('=');
        (!name.is_empty()).then(|| Word { text: name.to_owned(), ..(**word).clone() })
    });
    let after = at + 1 + usize::from(glued.is_none());
    let Some(name) = glued.or_else(|| operands.get(at + 1).map(|word| (**word).clone())) else { return };
    // Of a working tree the path comes first.
    let is_worktree = git.call.subcommand == "worktree";
    let rest = operands.iter().enumerate().filter(|(index, word)| {
        let own = *index >= after || (*index < at && !(is_worktree && *index == 0));
        own && !word.text.starts_with('-')
    });
    let start = rest.map(|(_, word)| (**word).clone()).nth(usize::from(is_worktree));
    let start = start.unwrap_or_else(|| Word::literal("HEAD"));
    git.add(EffectKind::DiscardGitWork, "git move of a branch", &[&name, &start]);
}

/// The revision of `git restore --source`.
fn restore_source<'c>(call: &GitCall<'c>) -> Option<&'c str> {
    let texts: Vec<&str> = call.operands.iter().map(|word| word.text.as_str()).collect();
    texts.iter().enumerate().find_map(|(index, text)| match *text {
        "-s" | "--source" => texts.get(index + 1).copied(),
        text => {
            text.strip_prefix("--source=").or_else(|| text.strip_prefix("-s").filter(|rest| !rest.is_empty()))
        }
    })
}

/// `-p`, unless a later `--no-patch` takes it back.
fn asks_for_each_piece(call: &GitCall) -> bool {
    let asks = |text: &str| text == "--patch" || has_letter(text, 'p');
    call.options().filter(|text| asks(text) || *text == "--no-patch").last().is_some_and(asks)
}

/// Options of `git restore` whose value is the next word.
const RESTORE_VALUED: &[&str] =
    &["-s", "--source", "--pathspec-from-file", "--conflict", "-U", "--unified", "--inter-hunk-context"];

/// Whether the files themselves are written, and not only the index.
fn restores_worktree(call: &GitCall) -> bool {
    let (mut staged, mut worktree) = (false, false);
    let mut words = call.operands.iter().map(|word| word.text.as_str()).take_while(|text| *text != "--");
    while let Some(text) = words.next() {
        if RESTORE_VALUED.contains(&text) {
            words.next();
        } else if let Some(letters) = text.strip_prefix('-').filter(|letters| !letters.starts_with('-')) {
            let letters = letters.split(['s', 'U']).next().unwrap_or_default();
            staged |= letters.contains('S');
            worktree |= letters.contains('W');
        } else {
            staged |= text.len() > 4 && "--staged".starts_with(text);
            worktree |= text.len() > 3 && "--worktree".starts_with(text);
        }
    }
    !staged || worktree
}

/// The paths of `git restore`; the value of `-s` is a revision.
fn restored<'c>(call: &GitCall<'c>) -> Vec<&'c Word> {
    let mut paths = Vec::new();
    let mut words = call.operands.iter().take_while(|word| word.text != "--");
    while let Some(word) = words.next() {
        match word.text.as_str() {
            option if RESTORE_VALUED.contains(&option) => {
                words.next();
            }
            text if text.starts_with('-') && text != "-" => {}
            _ => paths.push(*word),
        }
    }
    paths
}

/// `--pathspec-from-file`: which paths is not in the words, so it may be any.
fn names_paths_in_a_file(call: &GitCall) -> bool {
    call.options().any(|option| option.starts_with("--pathspec-from-file"))
}

fn checkout(git: &mut GitEffects) {
    use EffectKind::DiscardGitWork;
    let own = words_of_checkout(git.call);
    // A branch is tracked or paths are taken, never both.
    if git.call.has(&["--track"], "t") && own.len() > 1 {
        return;
    }
    if names_paths_in_a_file(git.call) {
        return git.add(DiscardGitWork, "git checkout of paths", &[]);
    }
    if git.call.has(&["--orphan"], "bB") {
        if git.call.has(&["--force"], "f") {
            git.add(DiscardGitWork, "git checkout --force", &[]);
        }
        if git.call.has(&[], "B") {
            branch_made_anew(git, &["-B"]);
        }
        return;
    }
    checkout_of(git, &own);
}

/// What stands before `--` in a checkout: values of options are neither branches nor paths.
fn words_of_checkout<'c>(call: &GitCall<'c>) -> Vec<&'c Word> {
    const VALUED: &[&str] = &["--conflict", "--unified", "-U", "--inter-hunk-context"];
    let mut after_value = false;
    let words = call.operands.iter().copied().take_while(|word| word.text != "--");
    words
        .filter(|word| {
            let is_value = std::mem::replace(&mut after_value, VALUED.contains(&word.text.as_str()));
            !is_value && !word.text.starts_with('-')
        })
        .collect()
}

/// A checkout of a branch or of paths, of which the words before `--` are `plain`.
fn checkout_of(git: &mut GitEffects, plain: &[&Word]) {
    use EffectKind::DiscardGitWork;
    match git.call.paths() {
        // Two revisions are a mistake that git refuses.
        Some(_) if plain.len() > 1 => {}
        Some(paths) if !paths.is_empty() => {
            git.add(DiscardGitWork, "git checkout of paths", &paths);
            git.take_from(plain.first().map(|word| word.text.as_str()));
        }
        _ if git.call.has(&["--force"], "f") && plain.len() <= 1 => {
            git.add(DiscardGitWork, "git checkout --force", &[]);
        }
        _ if git.call.has(&["--ours", "--theirs", "--patch"], "p") => {}
        _ => match plain {
            [] => {}
            [only]
                if only.text == "."
                    || only.text.starts_with(":/")
                    || only.glob
                    || only.text.ends_with('/') =>
            {
                git.add(DiscardGitWork, "git checkout of paths", &[only]);
            }
            // One word is a branch or a path: only the repository can tell.
            [only] => git.add(DiscardGitWork, "git checkout of a branch or path", &[only]),
            [revision, paths @ ..] => {
                git.add(DiscardGitWork, "git checkout of paths", paths);
                git.take_from(Some(&revision.text));
            }
        },
    }
}
