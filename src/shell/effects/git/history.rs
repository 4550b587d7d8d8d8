//! Subcommands of git that change what is committed or published.

use crate::shell::effects::git::GitEffects;
use crate::shell::effects::git_call::{GitCall, call, given_settings};
use crate::shell::model::{Command, Effect, EffectKind, UNKNOWN, Word};

/// The detail of a branch that goes back and leaves the files.
const RESET: &str = "git reset of own commits";

/// Whether a branch only goes back: committed anew it has other commits, without that the same can be done again.
pub(crate) fn is_done_again(effect: &Effect, later: &[Command]) -> bool {
    let commits = |own: &Command| own.program() == "git" && call(own).subcommand == "commit";
    effect.detail == RESET && !later.iter().any(commits)
}

/// Whether entries of git's log of references go before git itself would let them go.
fn loses_reflog(call: &GitCall) -> bool {
    let is_long = |time: &str| {
        matches!(time, "never" | "false")
            || ["day", "week", "month", "year"].iter().any(|unit| time.contains(unit))
    };
    let times: Vec<&str> = call.options().filter(|option| option.starts_with("--expire")).collect();
    let is_old = |option: &&str| option.split_once('=').is_some_and(|(_, time)| is_long(time));
    match call.word(0) {
        "delete" => !call.has(&["--dry-run"], "n"),
        "expire" if call.has(&["--dry-run"], "n") => false,
        "expire" => times.is_empty() || !times.iter().all(is_old),
        _ => false,
    }
}

/// Subcommands that change what is committed or published.
pub(crate) fn history(git: &mut GitEffects, plain: &[&Word]) {
    use EffectKind::RewriteHistory;
    let call = git.call;
    match call.subcommand {
        "push" => push(git, plain),
        "filter-branch" | "filter-repo" if !call.has(&["--dry-run", "--analyze"], "") => {
            git.add(RewriteHistory, &format!("git {}", call.subcommand), &[])
        }
        "rebase" if !matches!(call.word(0), "--abort" | "--continue" | "--skip" | "--quit") => {
            rebase(git, plain);
        }
        "commit" if call.has(&["--amend"], "") && !call.has(&["--dry-run"], "") => {
            git.add(RewriteHistory, "git commit --amend", &[]);
        }
        "update-ref" if !call.has(&["--delete", "--stdin"], "d") => {
            move_branch(git, plain);
        }
        "fetch" => fetched_over(git, plain),
        "config" if forces_every_push(plain) => {
            git.add(EffectKind::Publish, "git config of a forced push", &[])
        }
        "reflog" if loses_reflog(call) => {
            git.add(RewriteHistory, "git reflog expire", &[]);
        }
        "prune" if !call.has(&["--dry-run"], "n") => git.add(RewriteHistory, "git prune", &[]),
        "gc" if prunes_at_once(call) => git.add(RewriteHistory, "git gc --prune", &[]),
        "update-index" | "replace" => hidden(git, plain),
        "reset"
            if plain.len() == 1
                && call.paths().is_none()
                && !call.has(&["--hard", "--keep", "--merge"], "p")
                && plain.first().is_some_and(|to| to.text.contains(['~', '^'])) =>
        {
            git.add(RewriteHistory, RESET, plain);
        }
        "update-ref" if call.has(&[], "d") => git.add(RewriteHistory, "git update-ref -d", plain),
        _ => {}
    }
}

fn rebase(git: &mut GitEffects, plain: &[&Word]) {
    let call = git.call;
    let goes_back = |word: Option<&&Word>| word.is_some_and(|upstream| upstream.text.contains(['~', '^']));
    let detail = match call.operands.iter().position(|word| word.text == "--onto") {
        _ if call.has(&["--root"], "") => "git rebase --root",
        _ if edits_commits_away(git.command) => "git rebase that drops",
        // A branch or a tag holds what is on it.
        Some(_) if goes_back(plain.get(1)) => "git rebase --onto",
        None if goes_back(plain.first()) => "git rebase of own commits",
        _ => "git rebase",
    };
    let words = if matches!(detail, "git rebase" | "git rebase --root") { &[] } else { plain };
    git.add(EffectKind::RewriteHistory, detail, words);
}

/// `git update-ref refs/heads/name commit`.
fn move_branch(git: &mut GitEffects, plain: &[&Word]) {
    let named = plain.first().and_then(|word| word.text.strip_prefix("refs/heads/"));
    if let (Some(name), Some(to)) = (named, plain.get(1)) {
        let name = Word { text: name.to_owned(), ..(**plain.first().unwrap_or(to)).clone() };
        git.add(EffectKind::DiscardGitWork, "git move of a branch", &[&name, to]);
    }
}

/// Whether `git gc` takes what nothing names any more without waiting, by an option or by its settings.
fn prunes_at_once(call: &GitCall) -> bool {
    let by_option = call.options().any(|option| {
        let (name, when) = option.split_once('=').unwrap_or((option, "now"));
        name.len() > 2 && "--prune".starts_with(name) && !when.ends_with("ago")
    });
    let mut settings = call.settings.iter();
    by_option
        || !call.has(&["--no-prune"], "")
            && settings.any(|(name, when)| name == "gc.pruneexpire" && !when.ends_with("ago"))
}

/// Whether the program that edits a rebase's list of commits takes some out: `sed 1d`, `s/pick/drop/`.
fn edits_commits_away(command: &Command) -> bool {
    let variable =
        command.assignments.iter().filter(|(name, _)| name == "GIT_SEQUENCE_EDITOR").map(|(_, value)| value);
    let settings = given_settings(command).into_iter().filter(|(name, _)| name == "sequence.editor");
    let editors = variable.flatten().cloned().chain(settings.map(|(_, value)| value));
    let takes_out = |word: &str| {
        let address = word.strip_suffix('d').filter(|address| !address.is_empty());
        word.contains("drop")
            || address.is_some_and(|it| {
                it.ends_with('/') || it.bytes().all(|byte| byte.is_ascii_digit() || b",$!".contains(&byte))
            })
    };
    // What prints some lines of the list leaves the others out.
    let prints_some =
        |editor: &str| [" unless ", "grep -v", "tail -n", "head -n"].iter().any(|it| editor.contains(it));
    editors
        .into_iter()
        .any(|editor| editor.split([' ', '\'', '"', ';']).any(takes_out) || prints_some(&editor))
}

/// `git fetch . +main:work`: a branch here is given another commit.
fn fetched_over(git: &mut GitEffects, plain: &[&Word]) {
    let Some((remote, refs)) = plain.split_first() else { return };
    for word in refs {
        let Some((from, to)) = word.text.strip_prefix('+').and_then(|refspec| refspec.split_once(':')) else {
            continue;
        };
        if to == "refs/heads/*" && from == to && remote.text != "." {
            git.add(EffectKind::DiscardGitWork, "git move of every branch", &[remote]);
            continue;
        }
        let to = to.strip_prefix("refs/heads/").unwrap_or(to);
        if to.is_empty() || to.starts_with("refs/") || to.contains('*') {
            continue;
        }
        let from = match remote.text.as_str() {
            "." => from.to_owned(),
            remote => format!("refs/remotes/{remote}/{from}"),
        };
        let named = [to.to_owned(), from].map(|text| Word { text, ..(**word).clone() });
        let [to, from] = &named;
        git.add(EffectKind::DiscardGitWork, "git move of a branch", &[to, from]);
    }
}

/// What git is told not to look at, or to take for something else.
fn hidden(git: &mut GitEffects, plain: &[&Word]) {
    let call = git.call;
    let hides = |option: &&str| matches!(*option, "--assume-unchanged" | "--skip-worktree");
    if call.subcommand == "replace" {
        if plain.len() >= 2 && !call.has(&["--delete", "--list"], "dl") {
            git.add(EffectKind::HidesFromGit, "git replace", &[]);
        }
    } else if let Some(option) = call.options().find(hides) {
        let paths = [plain.to_vec(), call.paths().unwrap_or_default()].concat();
        git.add(EffectKind::HidesFromGit, &format!("git update-index {option}"), &paths);
    }
}

/// Whether everything that a `+` forces has a lease too. Git takes the `+` and lets the lease go, which is told: the
/// writer meant only what was last seen to be replaced.
fn lease_covers(call: &GitCall, refs: &[&Word]) -> bool {
    let branch = |refspec: &str| {
        let to = refspec.trim_start_matches('+');
        let to = to.split_once(':').map_or(to, |(_, to)| to);
        to.strip_prefix("refs/heads/").unwrap_or(to).to_owned()
    };
    let leases: Vec<&str> =
        call.options().filter_map(|option| option.strip_prefix("--force-with-lease")).collect();
    let mut forced = refs.iter().filter(|word| word.text.starts_with('+')).peekable();
    forced.peek().is_some()
        && forced.all(|word| {
            leases.iter().any(|lease| match lease.strip_prefix('=') {
                Some(name) => name.split(':').next() == Some(&branch(&word.text)),
                None => lease.is_empty(),
            })
        })
}

/// Whether a lease is fed with what the remote has at this moment (`…:$(git ls-remote …)`): it never refuses.
fn leases_what_is_there(command: &Command, call: &GitCall) -> bool {
    let is_asked = |lease: &str| {
        lease.starts_with("--force-with-lease=")
            && lease.split_once(':').is_some_and(|(_, value)| value.contains(UNKNOWN))
    };
    call.options().any(is_asked) && command.source.contains("ls-remote")
}

/// References that are deleted by orders which come in: `echo 'delete refs/heads/x' | git update-ref --stdin`.
pub(crate) fn deletes_by_order(call: &GitCall, orders: Option<&str>) -> bool {
    call.subcommand == "update-ref"
        && call.has(&["--stdin"], "")
        && orders.is_none_or(|orders| orders.lines().any(|line| line.trim_start().starts_with("delete")))
}

/// `git config remote.origin.push +refs/heads/*:refs/heads/*`: every plain push is forced from now on.
fn forces_every_push(plain: &[&Word]) -> bool {
    let is_push = |name: &str| name.starts_with("remote.") && name.ends_with(".push");
    plain
        .windows(2)
        .any(|pair| matches!(pair, [name, value] if is_push(&name.text) && value.text.starts_with('+')))
}

/// `-c remote.origin.push=+…`: what is pushed without further words is forced.
fn pushes_by_force(call: &GitCall) -> bool {
    let is_push = |name: &str| name.starts_with("remote.") && name.ends_with(".push");
    call.settings.iter().any(|(name, value)| is_push(name) && value.starts_with('+'))
}

fn push(git: &mut GitEffects, plain: &[&Word]) {
    use EffectKind::Publish;
    let plain = &[plain, &git.call.paths().unwrap_or_default()].concat();
    let refs = plain.get(1..).unwrap_or_default();
    if git.call.has(&["--dry-run"], "n") {
        return;
    }
    if git.call.has(&["--prune"], "") {
        git.add(Publish, "git push --prune", plain);
    } else if git.call.has(&["--mirror"], "") {
        git.add(Publish, "git push --mirror", plain);
    } else if git.call.has(&["--delete"], "d") || refs.iter().any(|word| word.text.starts_with(':')) {
        git.add(Publish, "git push --delete", plain);
    } else if !git.call.has(&["--force"], "f") && lease_covers(git.call, refs) {
        git.add(Publish, "git push of + beside a lease", plain);
    } else if git.call.has(&["--force"], "f")
        || leases_what_is_there(git.command, git.call)
        || refs.iter().any(|word| word.text.starts_with('+'))
        || (refs.is_empty() && pushes_by_force(git.call))
    {
        git.add(Publish, "git push --force", plain);
    } else if git.call.has(&["--force-with-lease", "--force-if-includes"], "") {
        git.add(Publish, "git push --force-with-lease", plain);
    }
}
