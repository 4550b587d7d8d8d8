//! The words by which foreign tools are known, as tables.
//!
//! A name is read word by word (`write_file`, `writeFile`, `write-file` are the same two). A word that is missing here makes a call one that may change files, never one that is let through
//! unseen.

/// A name that holds one of these and none of [`WRITES`] reads.
pub(super) const READS: &[&str] = &[
    "analyze",
    "cat",
    "compare",
    "count",
    "definition",
    "describe",
    "diagnostics",
    "diff",
    "docs",
    "explain",
    "fetch",
    "find",
    "get",
    "glob",
    "grep",
    "head",
    "help",
    "history",
    "hover",
    "info",
    "inspect",
    "list",
    "log",
    "logs",
    "lookup",
    "ls",
    "outline",
    "output",
    "overview",
    "peek",
    "ping",
    "preview",
    "query",
    "read",
    "references",
    "resolve",
    "retrieve",
    "screenshot",
    "search",
    "sequentialthinking",
    "show",
    "snapshot",
    "stat",
    "status",
    "summarize",
    "tail",
    "think",
    "thinking",
    "tree",
    "version",
    "view",
    "wait",
    "whoami",
];

/// Words that change something, whatever else a name says: `search_and_replace`, `apply_diff`, `get_or_create`.
pub(super) const WRITES: &[&str] = &[
    "add",
    "append",
    "apply",
    "checkout",
    "clean",
    "commit",
    "copy",
    "create",
    "delete",
    "edit",
    "erase",
    "exec",
    "execute",
    "format",
    "insert",
    "install",
    "merge",
    "modify",
    "move",
    "overwrite",
    "patch",
    "put",
    "refactor",
    "reformat",
    "remove",
    "rename",
    "replace",
    "reset",
    "restore",
    "revert",
    "rm",
    "run",
    "save",
    "set",
    "stash",
    "truncate",
    "undo",
    "unlink",
    "update",
    "write",
];

/// Words of a name that begins with a reading word and still changes something: what stands after `get_` or `list_` is
/// mostly what is read (`get_run`, `list_commits`), but not these.
pub(super) const WRITES_AFTER_READING: &[&str] =
    &["create", "delete", "edit", "insert", "overwrite", "remove", "replace", "update", "write"];

/// Words of a tool that runs commands, where its input has one.
pub(super) const RUNS: &[&str] = &[
    "bash",
    "cmd",
    "command",
    "commands",
    "console",
    "exec",
    "execute",
    "powershell",
    "process",
    "pwsh",
    "run",
    "script",
    "sh",
    "shell",
    "spawn",
    "ssh",
    "start",
    "terminal",
    "zsh",
];

/// Words of a tool that replaces a whole file by its `content`.
pub(super) const WHOLE: &[&str] =
    &["create", "file", "make", "new", "overwrite", "put", "save", "store", "update", "write"];

/// Words of a tool whose content is a part of the file.
pub(super) const PARTS: &[&str] = &[
    "apply", "block", "cell", "chunk", "diff", "edit", "insert", "line", "lines", "patch", "prepend",
    "regex", "replace", "section", "symbol",
];

/// Words of a tool whose content goes to the end of the file.
pub(super) const APPENDS: &[&str] = &["append"];

pub(super) const DELETES: &[&str] = &["delete", "erase", "remove", "rm", "rmdir", "trash", "unlink"];
pub(super) const MOVES: &[&str] = &["move", "mv", "rename"];
pub(super) const COPIES: &[&str] = &["copy", "cp", "duplicate"];
pub(super) const MAKES_FOLDERS: &[&str] = &["create", "make", "mkdir", "new"];
pub(super) const FOLDERS: &[&str] = &["dir", "directories", "directory", "folder", "mkdir"];
/// What a move, a copy or a deletion is of, when it is of files as a whole.
pub(super) const FILES: &[&str] = &[
    "and",
    "dir",
    "directory",
    "file",
    "files",
    "folder",
    "fs",
    "item",
    "multiple",
    "or",
    "path",
    "paths",
    "recursive",
    "text",
    "tree",
];

/// Words of an interpreter, and the command that takes code from its arguments.
pub(super) const INTERPRETERS: &[(&str, &str)] = &[
    ("bash", "bash -c"),
    ("javascript", "node -e"),
    ("js", "node -e"),
    ("node", "node -e"),
    ("perl", "perl -e"),
    ("php", "php -r"),
    ("python", "python3 -c"),
    ("python3", "python3 -c"),
    ("ruby", "ruby -e"),
    ("sh", "sh -c"),
    ("shell", "bash -c"),
];

/// Words of a tool that types into a terminal, and the fields with what it types.
pub(super) const TYPES: &[&str] =
    &["input", "interact", "keys", "keystroke", "keystrokes", "pty", "stdin", "tmux", "type"];

/// Words of a tool that runs SQL, and the fields with it.
pub(super) const SQL: &[&str] = &["query", "sql", "statement"];

/// Tools of the client's own, and of clients like it, that change no file though their names could say so.
pub(super) const HARMLESS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "CronDelete",
    "CronList",
    "EnterWorktree",
    "ExitWorktree",
    "ListAgents",
    "ReportFindings",
    "SendMessage",
    "create_goal",
    "request_user_input",
    "spawn_agent",
    "update_goal",
    "ToolSearch",
    "Workflow",
    "EnterPlanMode",
    "ExitPlanMode",
    "KillBash",
    "KillShell",
    "Skill",
    "SlashCommand",
    "Task",
    "TaskCreate",
    "TaskOutput",
    "TaskStop",
    "TaskUpdate",
    "TodoWrite",
    "update_plan",
    "write_todos",
];

/// Commands of git that a tool has the name of (`git_reset`), and that may give work up.
pub(super) const GIT: &[&str] =
    &["checkout", "clean", "rebase", "reset", "restore", "revert", "stash", "switch"];
/// Words with which such a name is that of another tool: what is done on a code host.
pub(super) const NO_GIT: &[&str] = &["create", "github", "gitlab", "issue", "list", "merge", "pr", "show"];
