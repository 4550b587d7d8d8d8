//! Which programs are known here by what they do, so that a word in theirs is not taken for another program's, or for an
//! order.

use crate::shell::effects::command_class::checkers::is_check;
use crate::shell::effects::command_class::readers::{MAKERS, READERS};
use crate::shell::effects::programs;
use crate::shell::effects::services::rules::FAMILIES;
use crate::shell::model::Word;

/// Programs with a subcommand or an option of their own that has the name of another program.
const OWN_WORDS: &[&str] = &[
    "docker",
    "podman",
    "nerdctl",
    "svn",
    "hg",
    "jj",
    "fossil",
    "pass",
    "gopass",
    "dvc",
    "aws",
    "gsutil",
    "hdfs",
    "hadoop",
    "ipfs",
    "lxc",
    "incus",
    "mc",
    "s5cmd",
    "rclone",
    "brew",
    "apt",
    "apt-get",
    "dnf",
    "yum",
    "pacman",
    "apk",
    "pip",
    "pip3",
    "npm",
    "pnpm",
    "yarn",
    "bun",
    "cargo",
    "go",
    "gem",
    "composer",
    "choco",
    "scoop",
    "winget",
    "steadfast",
    "steadfast-hook",
    "claude",
    "codex",
    "aider",
    "gemini",
    "make",
    "just",
    "rake",
    "tldr",
    "cheat",
    "zoxide",
    "z",
    "fzf",
    "commitlint",
    "conventional-commit",
    "say",
    "notify-send",
    "osascript",
    "logger",
    // Clusters on this machine, which are made again.
    "kind",
    "nx",
    "turbo",
    "lerna",
    "task",
    "alias",
    "unalias",
    "git-lfs",
    "nano",
    "vim",
    "vi",
    "code",
    "emacs",
];

/// Whether a program, or what its words mean, is known here.
pub(crate) fn is_known(program: &str, rest: &[Word]) -> bool {
    OWN_WORDS.contains(&program)
        || READERS.iter().any(|(names, _)| names.contains(&program))
        || MAKERS.contains(&program)
        || programs::known(program).is_some()
        || is_check(program, rest)
        || FAMILIES.iter().copied().flatten().any(|(rule, _)| {
            rule.split(' ').next().unwrap_or_default().split('|').any(|name| name == program)
        })
}
