//! What a git command means for the files when nothing is known to be lost by it.

use crate::shell::effects::command_class::CommandClass;
use crate::shell::effects::git_call::{call, is_forced_clean};
use crate::shell::model::Command;

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

/// What git does to the files besides its known effects.
pub(crate) fn class(command: &Command) -> CommandClass {
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
        return CommandClass::Reads;
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
    if makes { CommandClass::Makes } else { CommandClass::RunsCode }
}
