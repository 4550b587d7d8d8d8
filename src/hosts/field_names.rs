//! The names of the fields that hosts' events have: Claude Code's, and those that others have for them.

/// The fields that are read of every event, at whatever level they stand.
pub(super) const FIELDS: &[&str] = &[
    "agent_id",
    "agent_type",
    "background_tasks",
    "bashEditDiff",
    "cell_id",
    "code",
    "command",
    "content",
    "cwd",
    "edit_mode",
    "edits",
    "error",
    "file_path",
    "files",
    "hook_event_name",
    "is_interrupt",
    "last_assistant_message",
    "new_source",
    "new_string",
    "notebook_path",
    "old_string",
    "permission_mode",
    "prompt",
    "reason",
    "replace_all",
    "session_id",
    "source",
    "status",
    "stderr",
    "stdout",
    "stop_hook_active",
    "tool_input",
    "tool_name",
    "tool_response",
    "tool_use_id",
    "transcript_path",
];

/// Other hosts' names for the session.
pub(super) const SESSION_FIELDS: &[&str] = &["session_id", "conversation_id", "trajectory_id", "task_id"];
/// Other hosts' names for the directory, and for lists of directories of which the first counts.
pub(super) const PLACE_FIELDS: &[&str] = &["cwd", "working_dir"];
pub(super) const PLACE_LISTS: &[&str] = &["workspace_roots", "workspace_paths"];
/// Other hosts' names for a call's input, and for what it gave back.
pub(super) const INPUT_FIELDS: &[&str] = &["tool_input", "tool_args"];
pub(super) const RESPONSE_FIELDS: &[&str] = &["tool_response", "tool_result", "tool_output"];
/// What holds the text where that is an object.
pub(super) const TEXT_FIELDS: &[&str] = &["text_result_for_llm", "llm_content", "output", "text", "message"];

/// The fields that are read besides, of the events of every host but Claude Code.
pub(super) const ALIASES: &[&str] = &[
    "conversation_id",
    "llm_content",
    "message",
    "output",
    "task_id",
    "text",
    "text_result_for_llm",
    "tool_args",
    "tool_output",
    "tool_result",
    "trajectory_id",
    "working_dir",
    "workspace_paths",
    "workspace_roots",
];
