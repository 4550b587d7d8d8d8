//! What git commands do to files and history: one table of subcommands.

use super::effects::{Effect, EffectKind};
use super::runners::Class;
use super::{Command, Word, resolve};

/// A git command without git's own options.
pub(super) struct GitCall<'c> {
    pub(super) subcommand: &'c str,
    pub(super) operands: Vec<&'c Word>,
    /// Where it runs.
    pub(super) directory: Option<std::path::PathBuf>,
    /// Whether the call switches hooks off by configuration.
    pub(super) hooks_off: bool,
}

const VALUED: &[&str] =
    &["--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"];

/// Subcommands that only read.
const READS: &[&str] = &[
    "status",
    "log",
    "diff",
    "show",
    "ls-files",
    "blame",
    "annotate",
    "rev-parse",
    "describe",
    "shortlog",
    "cat-file",
    "for-each-ref",
    "grep",
    "ls-tree",
    "rev-list",
    "merge-base",
    "whatchanged",
    "ls-remote",
    "name-rev",
    "diff-tree",
    "diff-index",
    "diff-files",
    "check-ignore",
    "check-attr",
    "count-objects",
    "fsck",
    "help",
    "version",
    "var",
    "show-ref",
    "cherry",
    "range-diff",
    "verify-commit",
    "show-branch",
    "request-pull",
    "",
];

/// Subcommands that change files of the working tree in ways the words don't tell.
const RUNS: &[&str] = &[
    "pull",
    "merge",
    "rebase",
    "cherry-pick",
    "revert",
    "apply",
    "am",
    "checkout",
    "switch",
    "reset",
    "stash",
    "restore",
    "clean",
    "bisect",
    "submodule",
    "filter-branch",
    "filter-repo",
    "read-tree",
    "checkout-index",
    "mv",
    "rm",
    "difftool",
    "mergetool",
    "lfs",
    "sparse-checkout",
    "subtree",
];

/// Takes git's own options off.
pub(super) fn call(command: &Command) -> GitCall<'_> {
    let mut words = command.words.iter().skip(1);
    let mut directory = command.directory.clone();
    let mut hooks_off = command.assignments.iter().any(|(name, value)| {
        (name == "HUSKY" && value.as_deref() == Some("0"))
            || name == "HUSKY_SKIP_HOOKS"
            || name == "PRE_COMMIT_ALLOW_NO_CONFIG"
    });
    let mut subcommand = "";
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-C" => {
                let to = words.next();
                directory =
                    to.filter(|to| to.known).and_then(|to| Some(resolve(directory.as_deref()?, &to.text)));
            }
            "-c" => {
                let setting = words.next().map(|setting| setting.text.to_ascii_lowercase());
                hooks_off |= setting.is_some_and(|setting| setting.starts_with("core.hookspath"));
            }
            option if VALUED.contains(&option) => {
                words.next();
            }
            option if option.starts_with('-') => {}
            name => {
                subcommand = name;
                break;
            }
        }
    }
    GitCall { subcommand, operands: words.collect(), directory, hooks_off }
}

impl<'c> GitCall<'c> {
    /// Whether an option is given: a long name, abbreviated too, or a letter in a cluster.
    fn has(&self, long: &[&str], short: &str) -> bool {
        // The rest of a cluster is the value of such a letter: `-bfix` has no `f`.
        let with_value = match self.subcommand {
            "switch" => "cC",
            "checkout" => "bB",
            "branch" => "u",
            "clean" => "e",
            "push" => "o",
            _ => "",
        };
        self.options().any(|text| {
            let name = text.split_once('=').map_or(text, |(name, _)| name);
            if name.starts_with("--") {
                return long
                    .iter()
                    .any(|known| known == &name || (name.len() > 4 && known.starts_with(name)));
            }
            let letters = text.get(1..).unwrap_or_default();
            let end = letters.find(|letter| with_value.contains(letter)).map_or(letters.len(), |at| at + 1);
            letters.get(..end).unwrap_or_default().chars().any(|letter| short.contains(letter))
        })
    }

    /// The options before `--`.
    fn options(&self) -> impl Iterator<Item = &'c str> + '_ {
        self.operands
            .iter()
            .map(|word| word.text.as_str())
            .take_while(|text| *text != "--")
            .filter(|text| text.starts_with('-') && text.len() > 1)
    }

    /// Words that are no options, before `--`.
    fn plain(&self) -> Vec<&'c Word> {
        let before = self.operands.iter().take_while(|word| word.text != "--");
        before.filter(|word| !word.text.starts_with('-')).copied().collect()
    }

    /// Words after `--`.
    fn paths(&self) -> Option<Vec<&'c Word>> {
        let at = self.operands.iter().position(|word| word.text == "--")?;
        self.operands.get(at + 1..).map(<[&Word]>::to_vec)
    }

    fn word(&self, index: usize) -> &'c str {
        self.operands.get(index).map_or("", |word| word.text.as_str())
    }
}

/// What git does to the files besides its known effects.
pub(super) fn class(command: &Command) -> Class {
    let call = call(command);
    let first = call.word(0);
    let is_listing = match call.subcommand {
        "branch" | "tag" => {
            call.plain().is_empty()
                || matches!(first, "-l" | "--list" | "-a" | "-r" | "-v" | "-vv" | "--contains")
        }
        "remote" => matches!(first, "" | "-v" | "show" | "get-url"),
        "config" => {
            matches!(first, "--get" | "-l" | "--list" | "get" | "list" | "--get-all" | "--get-regexp")
        }
        "stash" => matches!(first, "list" | "show"),
        "reflog" => !matches!(first, "expire" | "delete"),
        "worktree" => first == "list",
        "submodule" => matches!(first, "status" | "summary" | ""),
        "bisect" => matches!(first, "log" | "view"),
        subcommand => READS.contains(&subcommand),
    };
    if is_listing {
        return Class::Reads;
    }
    let makes = match call.subcommand {
        "checkout" => matches!(first, "-b" | "-B" | "--orphan"),
        "switch" => matches!(first, "-c" | "-C" | "--create" | "--orphan"),
        "stash" => matches!(first, "drop" | "clear"),
        "rm" => call.has(&["--cached"], ""),
        "reset" => !call.has(&["--hard", "--merge", "--keep"], ""),
        "apply" => call.has(&["--check", "--stat"], ""),
        "clean" => !is_forced_clean(&call),
        subcommand => !RUNS.contains(&subcommand),
    };
    if makes { Class::Makes } else { Class::RunsCode }
}

fn is_forced_clean(call: &GitCall) -> bool {
    call.has(&["--force"], "f") && !call.has(&["--dry-run"], "n")
}

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
}

/// The effects of a git command.
pub(super) fn effects(command: &Command) -> Vec<Effect> {
    use EffectKind::{BypassChecks, Delete, DiscardGitWork, GitRemove, Move, RewriteHistory};
    let call = call(command);
    if call.has(&["--help"], "h") && !matches!(call.subcommand, "commit" | "push") {
        return Vec::new();
    }
    let mut git = Git { call: &call, command, effects: Vec::new() };
    let plain = call.plain();
    match call.subcommand {
        "rm" if call.has(&["--dry-run"], "n") => {}
        "rm" => {
            let paths = [plain.clone(), call.paths().unwrap_or_default()].concat();
            let detail = if call.has(&["--cached"], "") { "git rm --cached" } else { "git rm" };
            git.add(GitRemove, detail, &paths);
        }
        "mv" if plain.len() >= 2 && !call.has(&["--dry-run"], "n") => git.add(Move, "git mv", &plain),
        "clean" if is_forced_clean(&call) => {
            let paths = [plain.clone(), call.paths().unwrap_or_default()].concat();
            let detail = match call.has(&[], "xX") {
                true => "git clean with ignored files",
                false => "git clean",
            };
            git.add(DiscardGitWork, detail, &paths);
            let with_folders = call.has(&[], "d");
            git.effects.iter_mut().for_each(|effect| effect.recursive = with_folders);
        }
        "reset" if call.has(&["--hard"], "") => git.add(DiscardGitWork, "git reset --hard", &plain),
        "reset" if call.has(&["--merge"], "") => git.add(DiscardGitWork, "git reset --merge", &plain),
        "checkout" => checkout(&mut git, &plain),
        "switch" if call.has(&["--discard-changes", "--force"], "f") => {
            git.add(DiscardGitWork, "git switch --discard-changes", &[]);
        }
        "restore" if !call.has(&["--staged"], "S") || call.has(&["--worktree"], "W") => {
            let paths = [restored(&call), call.paths().unwrap_or_default()].concat();
            if !paths.is_empty() {
                git.add(DiscardGitWork, "git restore", &paths);
            }
        }
        "stash" if call.word(0) == "drop" => git.add(DiscardGitWork, "git stash drop", &[]),
        "stash" if call.word(0) == "clear" => git.add(DiscardGitWork, "git stash clear", &[]),
        "branch" if call.has(&[], "D") || (call.has(&["--delete"], "d") && call.has(&["--force"], "f")) => {
            git.add(DiscardGitWork, "git branch -D", &plain);
        }
        "push" => push(&mut git, &plain),
        "filter-branch" | "filter-repo" if !call.has(&["--dry-run", "--analyze"], "") => {
            git.add(RewriteHistory, &format!("git {}", call.subcommand), &[])
        }
        "rebase" if !matches!(call.word(0), "--abort" | "--continue" | "--skip" | "--quit") => {
            git.add(RewriteHistory, "git rebase", &[]);
        }
        "reflog" if matches!(call.word(0), "expire" | "delete") && !call.has(&["--dry-run"], "n") => {
            git.add(RewriteHistory, "git reflog expire", &[]);
        }
        "gc" if call
            .options()
            .any(|o| o == "--prune" || o.starts_with("--prune=") && !o.ends_with("ago")) =>
        {
            git.add(RewriteHistory, "git gc --prune", &[]);
        }
        "update-ref" if call.has(&[], "d") => git.add(RewriteHistory, "git update-ref -d", &plain),
        "worktree" if call.word(0) == "remove" && call.has(&["--force"], "f") => {
            git.add(Delete, "git worktree remove --force", plain.get(1..).unwrap_or_default());
        }
        "config" => {
            let at = call.operands.iter().position(|word| word.text.eq_ignore_ascii_case("core.hooksPath"));
            if at.is_some_and(|at| call.operands.get(at + 1).is_some())
                && !call.has(&["--get", "--unset", "--unset-all"], "")
            {
                git.add(BypassChecks, "core.hooksPath", &[]);
            }
        }
        _ => {}
    }
    let skips = match call.subcommand {
        "commit" => has_no_verify(&call, true),
        "push" | "merge" | "am" | "rebase" | "cherry-pick" | "revert" => has_no_verify(&call, false),
        _ => false,
    };
    if skips {
        git.add(BypassChecks, "--no-verify", &[]);
    } else if call.hooks_off && matches!(call.subcommand, "commit" | "push" | "merge" | "rebase" | "am") {
        git.add(BypassChecks, "git hooks switched off", &[]);
    }
    git.effects
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

/// The paths of `git restore`; the value of `-s` is a revision.
fn restored<'c>(call: &GitCall<'c>) -> Vec<&'c Word> {
    let mut paths = Vec::new();
    let mut words = call.operands.iter().take_while(|word| word.text != "--");
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-s" | "--source" => {
                words.next();
            }
            text if text.starts_with('-') => {}
            _ => paths.push(*word),
        }
    }
    paths
}

fn checkout(git: &mut Git, plain: &[&Word]) {
    use EffectKind::DiscardGitWork;
    if git.call.has(&["--orphan"], "bB") {
        if git.call.has(&["--force"], "f") {
            git.add(DiscardGitWork, "git checkout --force", &[]);
        }
        return;
    }
    match git.call.paths() {
        Some(paths) if !paths.is_empty() => git.add(DiscardGitWork, "git checkout of paths", &paths),
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
            [_, paths @ ..] => git.add(DiscardGitWork, "git checkout of paths", paths),
        },
    }
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
    } else if git.call.has(&["--force"], "f") || refs.iter().any(|word| word.text.starts_with('+')) {
        git.add(Publish, "git push --force", plain);
    } else if git.call.has(&["--force-with-lease", "--force-if-includes"], "") {
        git.add(Publish, "git push --force-with-lease", plain);
    }
}
