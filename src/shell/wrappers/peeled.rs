//! What is inside of a command: another command, text for a shell, or source for an interpreter.

use crate::shell::model::{ScriptLanguage, Word};

/// What is inside of a command.
pub(crate) enum PeeledCommand {
    /// Nothing: the command is what it seems.
    Plain,
    /// Another command, perhaps run elsewhere; `keeps` when the outer one does something besides.
    Inner { words: Vec<Word>, directory: Option<Word>, keeps: bool },
    /// Several commands, each run on its own.
    Each { commands: Vec<Vec<Word>>, keeps: bool },
    /// Shell text.
    ShellText { text: String, arguments: Vec<Word> },
    /// Shell text from the standard input.
    ShellInput { arguments: Vec<Word> },
    /// Shell text from a file.
    ShellFile { path: Word, arguments: Vec<Word> },
    /// An interpreter's source.
    Code { language: ScriptLanguage, text: Option<String> },
    /// An interpreter's source from the standard input.
    CodeInput { language: ScriptLanguage },
    /// An interpreter's source in a file.
    CodeFile { language: ScriptLanguage, path: Word },
    /// Text for PowerShell, or for the shell of Windows, which is close enough.
    Windows { text: String },
    /// A command for another machine or a container.
    Remote,
}

/// Shell text that is one word.
pub(crate) fn shell_text(word: &Word, arguments: Vec<Word>) -> PeeledCommand {
    PeeledCommand::ShellText { text: word.text.clone(), arguments }
}
