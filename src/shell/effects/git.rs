//! What git commands do to files and history: one match over subcommands.

use crate::shell::effects::git_call::{GitCall, call, is_forced_clean, is_no_hooks_folder};
use crate::shell::model::{Command, Effect, EffectKind, Word};

/// Builder of one git command's effects.
struct Git<'c> {
    call: &'c GitCall<'c>,
    command: &'c Command,
    effects: Vec<Effect>,
}

impl<'c> Git<'c> {
    fn add(&mut self, kind: EffectKind, detail: &str, targets: &[&Word]) {
        let directory = self.call.directory.clone();
        let targets: Vec<Word> = targets.iter().map(|word| (*word).clone()).collect();
        let mut effect = Effect::of(kind, self.command, detail, &targets, directory.as_deref());
        effect.recursive = true;
        effect.forced = self.call.has(&["--force"], "f");
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
    let mut git = Git { call: &call, command, effects: Vec::new() };
    let plain = call.plain();
    files(&mut git, &plain);
    work(&mut git, &plain);
    history(&mut git, &plain);
    checks(&mut git);
    git.effects
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
fn files(git: &mut Git, plain: &[&Word]) {
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
                (true, false) if !call.has(&[], "x") => "git clean of ignored files",
                (true, false) => "git clean with ignored files",
                (true, true) => "git clean but for .aiwg, with ignored files",
                (false, _) => "git clean",
            };
            git.add(DiscardGitWork, detail, &paths);
            let with_folders = call.has(&[], "d");
            git.effects.iter_mut().for_each(|effect| effect.recursive = with_folders);
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
    let is_guards = |pattern: &str| pattern.trim_matches('/').split('/').next() == Some(".aiwg");
    call.operands.windows(2).any(|pair| match pair {
        [option, value] => matches!(option.text.as_str(), "-e" | "--exclude") && is_guards(&value.text),
        _ => false,
    }) || call.options().any(|option| option.strip_prefix("--exclude=").is_some_and(is_guards))
}

/// Subcommands that give up what is in no commit, or on no other branch.
fn work(git: &mut Git, plain: &[&Word]) {
    use EffectKind::DiscardGitWork;
    let call = git.call;
    match call.subcommand {
        "reset" if call.has(&["--hard"], "") => git.add(DiscardGitWork, "git reset --hard", plain),
        "reset" if call.has(&["--merge"], "") => git.add(DiscardGitWork, "git reset --merge", plain),
        "checkout" => checkout(git),
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
        "branch" if call.has(&[], "D") || (call.has(&["--delete"], "d") && call.has(&["--force"], "f")) => {
            git.add(DiscardGitWork, "git branch -D", plain);
        }
        _ => {}
    }
}

/// Subcommands that change what is committed or published.
fn history(git: &mut Git, plain: &[&Word]) {
    use EffectKind::RewriteHistory;
    let call = git.call;
    match call.subcommand {
        "push" => push(git, plain),
        "filter-branch" | "filter-repo" if !call.has(&["--dry-run", "--analyze"], "") => {
            git.add(RewriteHistory, &format!("git {}", call.subcommand), &[])
        }
        "rebase" if !matches!(call.word(0), "--abort" | "--continue" | "--skip" | "--quit") => {
            git.add(RewriteHistory, "git rebase", &[]);
        }
        "reflog" if loses_reflog(call) => {
            git.add(RewriteHistory, "git reflog expire", &[]);
        }
        "prune" if !call.has(&["--dry-run"], "n") => git.add(RewriteHistory, "git prune", &[]),
        "gc" if call.options().any(|option| {
            let (name, when) = option.split_once('=').unwrap_or((option, "now"));
            name.len() > 2 && "--prune".starts_with(name) && !when.ends_with("ago")
        }) || !call.has(&["--no-prune"], "")
            && call
                .settings
                .iter()
                .any(|(name, when)| name == "gc.pruneexpire" && !when.ends_with("ago")) =>
        {
            git.add(RewriteHistory, "git gc --prune", &[]);
        }
        "update-ref" if call.has(&[], "d") => git.add(RewriteHistory, "git update-ref -d", plain),
        _ => {}
    }
}

/// Hooks that are skipped or switched off.
fn checks(git: &mut Git) {
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
    if call.subcommand != "config" || call.has(&["--get", "--get-all"], "") {
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
    let asks = |text: &str| {
        text == "--patch" || (text.starts_with('-') && !text.starts_with("--") && text.contains('p'))
    };
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

fn checkout(git: &mut Git) {
    use EffectKind::DiscardGitWork;
    // Values of options are neither branches nor paths.
    let mut after_value = false;
    let own: Vec<&Word> = git
        .call
        .operands
        .iter()
        .take_while(|word| word.text != "--")
        .filter(|word| {
            let is_value = std::mem::replace(
                &mut after_value,
                matches!(word.text.as_str(), "--conflict" | "--unified" | "-U" | "--inter-hunk-context"),
            );
            !is_value && !word.text.starts_with('-')
        })
        .copied()
        .collect();
    let plain = own.as_slice();
    // A branch is tracked or paths are taken, never both.
    if git.call.has(&["--track"], "t") && plain.len() > 1 {
        return;
    }
    if names_paths_in_a_file(git.call) {
        return git.add(DiscardGitWork, "git checkout of paths", &[]);
    }
    if git.call.has(&["--orphan"], "bB") {
        if git.call.has(&["--force"], "f") {
            git.add(DiscardGitWork, "git checkout --force", &[]);
        }
        return;
    }
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

fn push(git: &mut Git, plain: &[&Word]) {
    use EffectKind::Publish;
    let plain = &[plain, &git.call.paths().unwrap_or_default()].concat();
    let refs = plain.get(1..).unwrap_or_default();
    if git.call.has(&["--dry-run"], "n") {
        return;
    }
    if git.call.has(&["--mirror"], "") {
        git.add(Publish, "git push --mirror", plain);
    } else if git.call.has(&["--delete"], "d") || refs.iter().any(|word| word.text.starts_with(':')) {
        git.add(Publish, "git push --delete", plain);
    } else if !git.call.has(&["--force"], "f") && lease_covers(git.call, refs) {
        git.add(Publish, "git push of + beside a lease", plain);
    } else if git.call.has(&["--force"], "f") || refs.iter().any(|word| word.text.starts_with('+')) {
        git.add(Publish, "git push --force", plain);
    } else if git.call.has(&["--force-with-lease", "--force-if-includes"], "") {
        git.add(Publish, "git push --force-with-lease", plain);
    }
}
