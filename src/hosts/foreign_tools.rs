//! Tools that are not the client's own: those of MCP servers, and other clients' by the names they have there.
//!
//! The words of a tool's name and the fields of its input, tables both, say what a call does. Where that is what a tool
//! of the client's own does, the call comes to the same action and is judged like it; what moves, copies or deletes
//! files comes to the shell's words for it. A call of which nothing is known but that it may write is
//! [`Action::Foreign`]. What is said to lie elsewhere than on this machine names no file here.

mod call;
mod fields;
mod git_call;
mod words;

use std::path::{Path, PathBuf};

use self::call::ForeignToolCall;
use self::fields::{
    ALL_FLAGS, ARGUMENT_FIELDS, CODE_FIELDS, COMMAND_FIELDS, CONTENT_FIELDS, DRY_FLAGS, EDIT_FIELDS,
    EDIT_LISTS, ELSEWHERE_FIELDS, FOLDER_FIELDS, HOST_FIELDS, MORE_FIELDS, MOVE_FIELDS, PATCH_FIELDS,
    PATH_FIELDS, PATH_LISTS, REPOSITORY_FIELDS, REVISION_FIELDS, SQL_FIELDS, TYPED_FIELDS,
};
use self::words::{HARMLESS, READS, RUNS, WRITES, WRITES_AFTER_READING};
use super::json::EventValue;
use crate::model;
use crate::model::event::Action;

/// What the name of a tool of an MCP server begins with.
pub(super) const SERVER: &str = "mcp__";

/// Whether a tool may change files, by its name alone. Of a server's tool that is believed which says nothing; of
/// another only what its name says, because the client's own that write are known.
pub(super) fn may_write(tool: &str) -> bool {
    if is_harmless(tool) {
        return false;
    }
    let of_server = tool.starts_with(SERVER);
    let words = words(tool);
    let has = |table: &[&str]| words.iter().any(|word| table.contains(&word.as_str()));
    let begins_reading = words.first().is_some_and(|first| READS.contains(&first.as_str()));
    match (begins_reading, has(READS)) {
        (true, _) => has(WRITES_AFTER_READING),
        (false, true) => has(WRITES),
        (false, false) => of_server || has(WRITES) || has(RUNS),
    }
}

/// Whether a tool is known to change no file, whatever its name says.
pub(super) fn is_harmless(tool: &str) -> bool {
    HARMLESS.contains(&tool)
}

/// The fields of an input that are read for [`action`].
pub(super) fn fields() -> impl Iterator<Item = &'static str> {
    let lists = [
        PATH_FIELDS,
        PATH_LISTS,
        CONTENT_FIELDS,
        EDIT_LISTS,
        ALL_FLAGS,
        DRY_FLAGS,
        COMMAND_FIELDS,
        ARGUMENT_FIELDS,
        FOLDER_FIELDS,
        CODE_FIELDS,
        TYPED_FIELDS,
        SQL_FIELDS,
        HOST_FIELDS,
        PATCH_FIELDS,
        REPOSITORY_FIELDS,
        REVISION_FIELDS,
        ELSEWHERE_FIELDS,
        MORE_FIELDS,
    ];
    let pairs = [EDIT_FIELDS, MOVE_FIELDS];
    let singles = lists.into_iter().flatten().copied();
    singles.chain(pairs.into_iter().flatten().flat_map(|(one, other)| [*one, *other]))
}

/// What a call of a tool that may write does.
pub(super) fn action(tool: &str, input: &EventValue, cwd: &Path) -> Action {
    let call = ForeignToolCall { words: words(tool), server: server(tool), input, cwd };
    if DRY_FLAGS.iter().any(|flag| input.flag(flag)) {
        return Action::Other;
    }
    if let Some(action) = call.sql() {
        return action;
    }
    if ELSEWHERE_FIELDS.iter().any(|field| input.has(field)) {
        return Action::Foreign { paths: Vec::new() };
    }
    let known = call
        .line_patch()
        .or_else(|| call.editor())
        .or_else(|| call.command())
        .or_else(|| call.git())
        .or_else(|| call.typed())
        .or_else(|| call.code())
        .or_else(|| call.transfer())
        .or_else(|| call.folder())
        .or_else(|| call.deletion())
        .or_else(|| call.edit())
        .or_else(|| call.patch())
        .or_else(|| call.content());
    known.unwrap_or_else(|| Action::Foreign { paths: call.paths() })
}

/// Code that an interpreter takes from its arguments, as a call of it.
pub(super) fn run_by(interpreter: &str, code: &str) -> Action {
    call::run_by(interpreter, code)
}

/// The files that an input names.
pub(super) fn paths(input: &EventValue, cwd: &Path) -> Vec<PathBuf> {
    ForeignToolCall { words: Vec::new(), server: "", input, cwd }.paths()
}

/// The server of a tool; empty for a tool of none.
fn server(tool: &str) -> &str {
    tool.strip_prefix(SERVER).and_then(|rest| rest.split_once("__")).map_or("", |(server, _)| server)
}

/// The words of a tool's own name, without its server's.
fn words(tool: &str) -> Vec<String> {
    let own = tool.strip_prefix(SERVER).and_then(|rest| rest.split_once("__")).map_or(tool, |(_, own)| own);
    model::words::words(own)
}

#[cfg(test)]
mod tests;
