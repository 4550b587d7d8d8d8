//! The tools that hosts other than Claude Code call their own, as a table for each host.
//!
//! Most of them say in their names and fields what they do, as the tools of servers do, and are read by the same words. A
//! table names the others: those that do several things at once, have fields of their own, or change nothing although
//! their names could say so.

use std::path::Path;

use super::foreign_tools::{self, SERVER};
use super::json::EventValue;
use super::pieces::{self, place};
use super::shared_fields;
use crate::model::event::{Action, ShellDialect};
use crate::model::shell_word;

/// What a host's tools are called, and what is behind the names that don't say it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tools {
    /// The host's own tools that the words of their names don't tell.
    pub(super) own: &'static [(&'static str, ToolAction)],
    /// Fields with the folder of a command, beside those that every host has.
    pub(super) folder: &'static [&'static str],
    /// What the names of the host's own tools begin with, where they have that in common.
    pub(super) prefix: &'static str,
    /// What the name of a tool of an MCP server begins with. `None` where the host gives them no mark: then each tool
    /// that the table does not name may be one.
    pub(super) server: Option<&'static str>,
}

/// What a tool does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ToolAction {
    /// Nothing to a file of the project.
    Nothing,
    /// What the words of another name say.
    Like(&'static str),
    /// Runs each of its `commands`.
    Commands,
    /// Sends a prompt later, which comes back as if a person had typed it.
    Scheduled,
    /// Changes a cell of a notebook.
    Notebook,
    /// Replaces, inserts or creates, by which of its fields are there.
    Pieces,
    /// Replaces by blocks of what to find and what to put there.
    Blocks,
    /// May do anything.
    Unknown,
}

impl Tools {
    /// What a call of `tool` with this input does.
    pub(super) fn action(&self, tool: &str, input: &EventValue, cwd: &Path) -> Action {
        let own = tool.strip_prefix(self.prefix).unwrap_or(tool);
        let known = self.own.iter().find(|(name, _)| *name == own).map(|(_, does)| *does);
        let action = self.known(known, own, input, cwd);
        self.in_folder(action, input)
    }

    fn known(&self, known: Option<ToolAction>, own: &str, input: &EventValue, cwd: &Path) -> Action {
        match known {
            Some(ToolAction::Nothing) => Action::Other,
            Some(ToolAction::Like(name)) => foreign_tools::action(name, input, cwd),
            Some(ToolAction::Commands) => commands(input).unwrap_or(Action::Other),
            Some(ToolAction::Scheduled) => shared_fields::scheduled(input).unwrap_or(Action::Other),
            Some(ToolAction::Notebook) => notebook(input, cwd).unwrap_or(Action::Other),
            Some(ToolAction::Pieces) => pieces::piece(input, cwd).unwrap_or(Action::Other),
            Some(ToolAction::Blocks) => pieces::blocks(input, cwd).unwrap_or_else(|| unknown(input, cwd)),
            Some(ToolAction::Unknown) => unknown(input, cwd),
            None => self.by_words(own, input, cwd),
        }
    }

    fn by_words(&self, tool: &str, input: &EventValue, cwd: &Path) -> Action {
        let of_server = match self.server {
            _ if tool.starts_with(SERVER) => None,
            Some(mark) => tool.strip_prefix(mark).map(|rest| rest.replacen(['/', '_'], "__", 1)),
            None if tool.contains("__") => Some(tool.to_owned()),
            None => Some(format!("any__{tool}")),
        };
        let name = of_server.map_or_else(|| tool.to_owned(), |rest| format!("{SERVER}{rest}"));
        match !foreign_tools::is_harmless(tool) && foreign_tools::may_write(&name) {
            true => foreign_tools::action(&name, input, cwd),
            false => Action::Other,
        }
    }

    /// A command in the folder that the host's own field names.
    fn in_folder(&self, action: Action, input: &EventValue) -> Action {
        let folder = self.folder.iter().find_map(|field| input.filled(field));
        match (action, folder) {
            (Action::Shell { command, dialect }, Some(folder)) => {
                Action::Shell { command: format!("cd {} && {command}", shell_word::word(&folder)), dialect }
            }
            (action, _) => action,
        }
    }
}

/// Several commands, one after the other, as one text.
fn commands(input: &EventValue) -> Option<Action> {
    let line = |one: &EventValue| {
        let command = one.as_text().or_else(|| one.text("command"))?;
        let arguments = one.list("args").iter().filter_map(EventValue::as_text).map(shell_word::word);
        let words: Vec<String> = std::iter::once(command.to_owned()).chain(arguments).collect();
        Some(words.join(" "))
    };
    let listed: Vec<String> = input.list("commands").iter().filter_map(line).collect();
    let command = match listed.is_empty() {
        true => input.text("commands")?.to_owned(),
        false => listed.join("\n"),
    };
    Some(Action::Shell { command, dialect: ShellDialect::Posix })
}

fn notebook(input: &EventValue, cwd: &Path) -> Option<Action> {
    Some(shared_fields::notebook(input, place(cwd, input.text("notebook_path")?)))
}

fn unknown(input: &EventValue, cwd: &Path) -> Action {
    Action::Foreign { paths: foreign_tools::paths(input, cwd) }
}
