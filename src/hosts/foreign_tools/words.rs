//! The words by which foreign tools and their inputs are known, as tables.
//!
//! A name is read word by word (`write_file`, `writeFile`, `write-file` are the same two), a field by its own spelling
//! or as `camelCase`. A word that is missing here makes a call one that may change files, never one that is let through
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

/// Fields with the file, the likeliest first.
pub(super) const PATH_FIELDS: &[&str] = &[
    "file_path",
    "path",
    "filepath",
    "absolute_path",
    "relative_path",
    "target_file",
    "path_in_project",
    "filename",
    "file_name",
    "file",
    "target_path",
    "notebook_path",
    "directory_path",
    "dir_path",
    "directory",
    "folder",
    "uri",
];
/// Fields with several files.
pub(super) const PATH_LISTS: &[&str] = &["paths", "files", "file_paths"];
/// Fields with a file's text.
pub(super) const CONTENT_FIELDS: &[&str] =
    &["content", "contents", "file_text", "file_content", "text", "body"];
/// Fields with the text to find and its replacement.
pub(super) const EDIT_FIELDS: &[(&str, &str)] = &[
    ("old_string", "new_string"),
    ("old_str", "new_str"),
    ("old_text", "new_text"),
    ("old_content", "new_content"),
    ("old", "new"),
    ("search", "replace"),
    ("find", "replace"),
    ("search_text", "replacement"),
];
/// Fields that hold replacements.
pub(super) const EDIT_LISTS: &[&str] = &["edits", "replacements", "changes"];
/// Flags that mean every occurrence.
pub(super) const ALL_FLAGS: &[&str] = &["replace_all", "all_occurrences", "allow_multiple"];
/// Flags of a call that only shows what it would do.
pub(super) const DRY_FLAGS: &[&str] = &["dry_run", "preview_only"];
/// Fields with where something moves from and to.
pub(super) const MOVE_FIELDS: &[(&str, &str)] = &[
    ("source", "destination"),
    ("source_path", "destination_path"),
    ("src", "dst"),
    ("src", "dest"),
    ("old_path", "new_path"),
    ("from", "to"),
    ("from_path", "to_path"),
    ("path", "new_path"),
    ("path", "destination"),
];
/// Fields with a command.
pub(super) const COMMAND_FIELDS: &[&str] =
    &["command", "cmd", "command_line", "shell_command", "commands", "script"];
/// Fields with a command's arguments.
pub(super) const ARGUMENT_FIELDS: &[&str] = &["args", "arguments"];
/// Words of a tool that types into a terminal, and the fields with what it types.
pub(super) const TYPES: &[&str] =
    &["input", "interact", "keys", "keystroke", "keystrokes", "pty", "stdin", "tmux", "type"];
pub(super) const TYPED_FIELDS: &[&str] = &["keys", "input", "text", "data"];
/// Fields with the folder of a command.
pub(super) const FOLDER_FIELDS: &[&str] = &["cwd", "workdir", "working_dir", "working_directory"];
/// Fields with code.
pub(super) const CODE_FIELDS: &[&str] = &["code", "source", "script"];
/// Fields with the host on which a command runs.
pub(super) const HOST_FIELDS: &[&str] = &["host", "hostname"];
/// Words of a tool that runs SQL, and the fields with it.
pub(super) const SQL: &[&str] = &["query", "sql", "statement"];
pub(super) const SQL_FIELDS: &[&str] = &["sql", "query", "statement"];
/// Fields with a patch.
pub(super) const PATCH_FIELDS: &[&str] = &["patch", "diff", "input"];
/// Fields that say what is named beside them is not on this machine.
pub(super) const ELSEWHERE_FIELDS: &[&str] = &[
    "owner",
    "repo",
    "project_id",
    "bucket",
    "container",
    "container_id",
    "sandbox_id",
    "drive_id",
    "page_id",
    "workspace_id",
    "vault",
];
/// Sub-commands of a text editor that is one tool.
pub(super) const EDITOR_VIEWS: &[&str] = &["view"];
pub(super) const EDITOR_CHANGES: &[&str] = &["create", "str_replace", "insert", "undo_edit"];

/// Fields that are read beside those of the tables above.
pub(super) const MORE_FIELDS: &[&str] = &["language", "mode", "new_name"];

/// Tools of the client's own, and of clients like it, that change no file though their names could say so.
pub(super) const HARMLESS: &[&str] = &[
    "Agent",
    "AskUserQuestion",
    "CronDelete",
    "CronList",
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
