//! What a command of git does to work: holds it, moves it to another name, or takes it back.

use std::path::PathBuf;

use crate::shell::effects::git_call::GitCall;
use crate::shell::model::{Command, CommandInput, Word, resolve};

#[derive(Debug)]
pub(super) enum GitAction {
    /// Paths are added to the index; none for the whole tree. Those that are tracked alone, or new ones too.
    Add { paths: Vec<PathBuf>, untracked: bool },
    /// A commit, of all tracked changes or of the index.
    Commit { all: bool, amends: bool },
    /// A stash is made, with untracked files too or without.
    Stash { untracked: bool },
    /// The changes of tracked files become a commit that nothing names yet.
    Gather,
    /// Such a commit is put on the list of stashes.
    Store,
    /// A branch is made, and worked on from now on.
    Begin { name: String },
    /// Commits of a branch may come onto another one, or elsewhere: of the revisions that are named, all of them; what
    /// is squashed is there with the next commit. What was fetched may be joined with the branch at hand.
    Spread { named: Vec<String>, squashed: bool, joins: bool },
    /// The newest commit gets a name more: a branch, a tag, a place on a remote.
    Hold,
    /// The branch goes back behind commits.
    GoBack,
    /// Files are copied, or packed, to another place.
    Copy { paths: Vec<PathBuf> },
    /// Another branch is worked on from now on.
    Leave { name: String },
    /// What the remote has by now is fetched, and stands beside the branch.
    Fetch,
    /// It is fetched, and the branch has it.
    Pull,
    /// The newest stash is taken back.
    Pop,
    /// The changes of the newest stash are made here too, and it stays.
    Apply,
    /// The changes of tracked files that are not in the index are written to a file; of none for the whole tree.
    Save { paths: Vec<PathBuf> },
}

/// `git diff > changes.patch`, of the whole tree or of some paths, and as a patch.
pub(super) fn saves(command: &Command, call: &GitCall) -> Option<GitAction> {
    const OTHERS: &[&str] = &[
        "--cached",
        "--staged",
        "--stat",
        "--numstat",
        "--shortstat",
        "--name-only",
        "--name-status",
        "--no-index",
        "--summary",
        "--check",
        "--word-diff",
        "--diff-filter",
    ];
    let writes = command.redirects.iter().any(|redirect| redirect.output && !redirect.append);
    if call.subcommand != "diff" || !writes || call.has(OTHERS, "R") {
        return None;
    }
    let plain = call.plain();
    let named =
        plain.iter().filter(|word| word.text != "HEAD").count() + call.paths().map_or(0, |paths| paths.len());
    let paths = paths(call, plain.into_iter().filter(|word| word.text != "HEAD").collect());
    // A word that is no path may be a commit to compare with.
    (paths.len() == named).then_some(GitAction::Save { paths })
}

/// Whether the text deletes the patch that it has written, without applying it first.
pub(super) fn is_thrown_away(command: &Command, later: &[Command]) -> bool {
    let written =
        command.redirects.iter().find(|redirect| redirect.output).map(|redirect| &redirect.target.text);
    let names = |other: &&Command| {
        let reads = matches!(&other.input, CommandInput::File(file) if Some(&file.text) == written);
        reads || other.words.iter().skip(1).any(|word| Some(&word.text) == written)
    };
    let next =
        later.iter().filter(names).find(|it| matches!(it.program(), "rm" | "unlink" | "git" | "patch"));
    next.is_some_and(|it| matches!(it.program(), "rm" | "unlink"))
}

/// The paths among words before `--`, and those behind it.
fn paths(call: &GitCall, before: Vec<&Word>) -> Vec<PathBuf> {
    let Some(directory) = call.directory.as_deref() else { return Vec::new() };
    let is_path = |word: &&&Word| word.text.contains(['.', '/']) && !word.text.contains("..");
    let before = before.iter().filter(is_path).copied();
    let words = before.chain(call.paths().unwrap_or_default()).filter(|word| word.known && !word.glob);
    words.map(|word| resolve(directory, &word.text)).collect()
}

pub(super) fn does(call: &GitCall) -> Option<GitAction> {
    let tries = call.has(&["--dry-run"], "");
    match call.subcommand {
        "add" | "stage" if !tries && !call.has(&["--patch", "--interactive", "--intent-to-add"], "pieN") => {
            let paths = [call.plain(), call.paths().unwrap_or_default()].concat();
            let whole = call.has(&["--all", "--update"], "Au");
            if paths.iter().any(|word| !word.known || word.glob) || (paths.is_empty() && !whole) {
                return None;
            }
            let directory = call.directory.as_deref()?;
            let paths = paths.iter().map(|word| resolve(directory, &word.text)).collect();
            Some(GitAction::Add { paths, untracked: !call.has(&["--update"], "u") })
        }
        "commit" if !tries && !call.has(&["--patch"], "p") => {
            let amends = call.has(&["--amend"], "");
            Some(GitAction::Commit { all: call.options().any(commits_all), amends })
        }
        // What follows has no history in common with what was there.
        "switch" | "checkout" if call.has(&["--orphan"], "") => Some(GitAction::GoBack),
        "switch" if call.has(&["--create"], "c") => Some(begun(call)),
        "checkout" if call.has(&[], "b") => Some(begun(call)),
        "push" | "tag" | "branch" | "bundle" | "update-ref" if names_the_commit(call) => {
            Some(GitAction::Hold)
        }
        "worktree" if call.word(0) == "add" && call.has(&[], "bB") => Some(GitAction::Hold),
        "reset" if call.plain().first().is_some_and(|to| !matches!(to.text.as_str(), "HEAD" | "@")) => {
            Some(GitAction::GoBack)
        }
        "merge" | "cherry-pick" | "rebase" | "push" | "tag" | "branch" | "bundle" => {
            let squashed = call.has(&["--squash"], "");
            let joins = matches!(call.subcommand, "merge" | "rebase");
            Some(GitAction::Spread { named: revisions_that_stay(call), squashed, joins })
        }
        "fetch" if !tries => Some(GitAction::Fetch),
        "remote" if call.word(0) == "update" => Some(GitAction::Fetch),
        "pull" if !tries => Some(GitAction::Pull),
        "switch" | "checkout" if call.plain().len() == 1 && call.paths().is_none() => {
            Some(GitAction::Leave {
                name: call.plain().first().map_or_else(String::new, |it| it.text.clone()),
            })
        }
        "stash" => stashed(call),
        _ => None,
    }
}

fn stashed(call: &GitCall) -> Option<GitAction> {
    let makes = |word: &str| matches!(word, "" | "push" | "save") || word.starts_with('-');
    match call.word(0) {
        word if makes(word) => names_all(call).then(|| GitAction::Stash { untracked: takes_untracked(call) }),
        "create" => Some(GitAction::Gather),
        "store" => Some(GitAction::Store),
        "pop" => Some(GitAction::Pop),
        "apply" if names_the_newest(call) => Some(GitAction::Apply),
        _ => None,
    }
}

fn begun(call: &GitCall) -> GitAction {
    GitAction::Begin { name: call.plain().first().map_or_else(String::new, |name| name.text.clone()) }
}

/// Whether a command gives the newest commit one more name: `git branch kept`, `git tag kept`, `git push origin HEAD:kept`,
/// `git bundle create kept.bundle HEAD`, `git update-ref refs/kept HEAD`.
fn names_the_commit(call: &GitCall) -> bool {
    let plain = call.plain();
    let is_head = |word: Option<&&Word>| word.is_some_and(|word| matches!(word.text.as_str(), "HEAD" | "@"));
    match call.subcommand {
        "branch" | "tag" if call.has(NO_NAME, "dDmMcClvu") => false,
        "branch" => plain.len() == 1 || (plain.len() == 2 && is_head(plain.last())),
        "tag" => plain.len() == 1 || call.has(&["--message"], "m") || is_head(plain.last()),
        "push" if call.has(NO_PUSH, "dn") => false,
        "push" => plain.get(1).is_none_or(|refs| matches!(refs.text.split(':').next(), Some("HEAD" | "@"))),
        "bundle" => call.word(0) == "create" && (is_head(plain.last()) || call.has(&["--all"], "")),
        _ => !call.has(&["--stdin", "--delete"], "d") && is_head(plain.get(1)),
    }
}

/// The revisions that another name holds afterwards: `git merge work`, `git tag kept work`, `git branch kept work`,
/// `git push origin work`, `git bundle create kept.bundle work`.
fn revisions_that_stay(call: &GitCall) -> Vec<String> {
    let names = |from: usize| call.plain().iter().skip(from).map(|word| word.text.clone()).collect();
    match call.subcommand {
        "merge" if !call.has(&["--abort", "--quit", "--no-commit"], "") => names(0),
        "tag" | "branch" if !call.has(NO_NAME, "dDmMcClvu") && call.plain().len() > 1 => names(1),
        "bundle" if call.word(0) == "create" => names(2),
        "push" if !call.has(NO_PUSH, "dn") => {
            let names: Vec<String> = names(1);
            let local = |name: &String| name.trim_start_matches('+').split(':').next().map(str::to_owned);
            names.iter().filter_map(local).collect()
        }
        _ => Vec::new(),
    }
}

/// Options with which `git branch` and `git tag` give no name.
const NO_NAME: &[&str] =
    &["--delete", "--move", "--copy", "--list", "--set-upstream-to", "--unset-upstream", "--contains"];

/// Options with which a push leaves no branch on the remote that holds what is named.
const NO_PUSH: &[&str] = &["--delete", "--dry-run", "--tags", "--mirror", "--prune"];

/// `-a`, `-am`: a cluster ends at the first letter that takes a value.
fn commits_all(option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
    let end = letters.find(['m', 'F', 'C', 'c', 't']).unwrap_or(letters.len());
    option == "--all" || letters.get(..end).is_some_and(|cluster| cluster.contains('a'))
}

/// Whether the words of `git stash apply` mean the newest stash.
fn names_the_newest(call: &GitCall) -> bool {
    matches!(call.word(1), "" | "0" | "stash@{0}" | "--index" | "-q" | "--quiet")
}

/// Whether a stash takes all changes, and not those of some paths or those in the index.
fn names_all(call: &GitCall) -> bool {
    !call.has(&["--patch", "--keep-index", "--staged"], "pkS") && call.paths().is_none()
}

fn takes_untracked(call: &GitCall) -> bool {
    call.has(&["--include-untracked", "--all"], "ua")
}
