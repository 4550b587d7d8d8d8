//! The fields by which the inputs of foreign tools are known, as tables.
//!
//! A field is known by its own spelling or as `camelCase`. A field that is missing here makes a call one that may change
//! files, never one that is let through unseen.

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
    ("before", "after"),
];
/// Fields that hold replacements.
pub(super) const EDIT_LISTS: &[&str] = &["edits", "edit", "replacements", "changes"];
/// Flags that mean every occurrence.
pub(super) const ALL_FLAGS: &[&str] = &["replace_all", "all_occurrences", "allow_multiple", "change_all"];
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
pub(super) const TYPED_FIELDS: &[&str] = &["keys", "input", "text", "data"];
/// Fields with the folder of a command.
pub(super) const FOLDER_FIELDS: &[&str] = &["cwd", "workdir", "working_dir", "working_directory"];
/// Fields with code.
pub(super) const CODE_FIELDS: &[&str] = &["code", "source", "script"];
/// Fields with the host on which a command runs.
pub(super) const HOST_FIELDS: &[&str] = &["host", "hostname"];
pub(super) const SQL_FIELDS: &[&str] = &["sql", "query", "statement"];
/// Fields with a patch.
pub(super) const PATCH_FIELDS: &[&str] = &["patch", "patch_text", "diff", "input"];
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
pub(super) const EDITOR_CHANGES: &[&str] =
    &["create", "write", "str_replace", "insert", "append", "undo_edit"];

/// Fields that are read beside those of the tables above.
pub(super) const MORE_FIELDS: &[&str] = &["language", "mode", "new_name", "type", "hard", "force"];
/// Fields with a repository's folder.
pub(super) const REPOSITORY_FIELDS: &[&str] = &["repo_path", "repository_path", "repository"];
/// Fields with what a git command is about, in the order of its words.
pub(super) const REVISION_FIELDS: &[&str] =
    &["ref", "target", "commit", "branch", "branch_name", "files", "paths"];
