//! A call of a tool, in words no host owns.

use std::path::PathBuf;

/// One call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The host's id of the call, equal before and after it.
    pub id: Option<String>,
    /// The tool's name as the host spells it.
    pub tool: String,
    /// What the call does.
    pub action: Action,
}

/// What a tool call does, as far as its input says.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    /// Runs shell text.
    Shell {
        /// The text.
        command: String,
        /// Whose syntax it is.
        dialect: ShellDialect,
    },
    /// Writes a whole file.
    Write {
        /// The file, absolute.
        path: PathBuf,
        /// Its new content.
        content: String,
    },
    /// Replaces pieces of a file.
    Edit {
        /// The file, absolute.
        path: PathBuf,
        /// The replacements, in order.
        edits: Vec<TextEdit>,
    },
    /// Changes several files at once.
    Patch {
        /// What happens to each, in order.
        files: Vec<PatchedFile>,
    },
    /// Changes a cell of a notebook.
    NotebookEdit {
        /// The notebook, absolute.
        path: PathBuf,
        /// The cell.
        cell_id: Option<String>,
        /// `replace`, `insert` or `delete`.
        mode: String,
        /// The cell's new source.
        source: String,
    },
    /// May change files in ways that its input does not say.
    Foreign {
        /// The files and folders that it names, absolute.
        paths: Vec<PathBuf>,
    },
    /// Anything else: judged by nothing, changes no file that Steadfast knows of.
    Other,
}

/// One replacement in a file.
#[derive(Debug, Clone, PartialEq)]
pub struct TextEdit {
    /// The text to find. Empty with a new file: the whole content is `new`.
    pub old: String,
    /// Its replacement.
    pub new: String,
    /// Every occurrence instead of the only one.
    pub all: bool,
}

/// One file of a patch.
#[derive(Debug, Clone, PartialEq)]
pub struct PatchedFile {
    /// The file, absolute.
    pub path: PathBuf,
    /// What happens to it.
    pub change: PatchOperation,
}

/// What a patch does to a file.
#[derive(Debug, Clone, PartialEq)]
pub enum PatchOperation {
    /// It is there with this content afterwards.
    Add(String),
    /// It is gone.
    Delete,
    /// Lines of it change.
    Update {
        /// The places, in order.
        chunks: Vec<Chunk>,
        /// Where it is afterwards, if that is elsewhere; absolute.
        moved_to: Option<PathBuf>,
    },
}

/// A place in a file that a patch changes, known by its lines.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Chunk {
    /// A line that stands somewhere before it.
    pub heading: Option<String>,
    /// Its lines before, those around the change included.
    pub old: Vec<String>,
    /// Its lines after.
    pub new: Vec<String>,
    /// Whether it is the file's end.
    pub at_end: bool,
}

/// The syntax of a shell text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellDialect {
    /// sh, bash, zsh.
    Posix,
    /// PowerShell.
    PowerShell,
}
