//! Shell text: script -> commands -> effects with targets.
//!
//! Pure and total: no text makes it fail or panic. What can't be read is said (`unread`), and never taken for
//! "nothing found". What is only data (a commit message, a grep pattern, prose in a heredoc) is never a command.

#[cfg(test)]
mod cases;
mod command_pattern;
mod edit;
pub mod effects;
mod model;
mod parse;
pub mod wrappers;

use std::path::Path;

use crate::model::event::Dialect;
use crate::shell::model::unreadable;
use crate::shell::parse::state::Named;

pub use crate::shell::effects::dispatch::{decides_by_itself, effects, of_script};
pub use crate::shell::effects::guard_bypass::clients::SILENCING;
pub use crate::shell::model::{
    Code, Command, Course, DEEPEST_NESTING, Effect, EffectKind, Input, LONGEST_TEXT, Language, MOST_COMMANDS,
    Reading, Redirect, Script, Target, Unseen, Word, resolve,
};
pub use crate::shell::parse::output::text::{FRESH_HOME, TOP};
pub use crate::shell::parse::unquote::in_quotes;
pub use command_pattern::CommandPattern;
pub use edit::TextEdit;

/// Reads a text on its own: relative paths stay relative to `.`, and `~` stays as it is.
pub fn read(text: &str, dialect: Dialect) -> Script {
    read_at(text, dialect, Path::new("."), Path::new("~"))
}

/// As [`read_at`], where git has these aliases.
pub fn read_among(
    text: &str,
    dialect: Dialect,
    cwd: &Path,
    home: &Path,
    of_git: &[(String, String)],
) -> Script {
    if text.len() > LONGEST_TEXT || dialect == Dialect::PowerShell || of_git.is_empty() {
        return read_at(text, dialect, cwd, home);
    }
    let named = Named { of_git: of_git.iter().cloned().collect(), ..Named::default() };
    parse::reader::read(text, cwd, home, named)
}

/// Reads a text that runs in `cwd` for the user whose home is `home`.
pub fn read_at(text: &str, dialect: Dialect, cwd: &Path, home: &Path) -> Script {
    if text.len() > LONGEST_TEXT {
        return unreadable(text);
    }
    match dialect {
        Dialect::Posix => parse::reader::read(text, cwd, home, Named::default()),
        Dialect::PowerShell => parse::powershell::read(text, cwd, home),
    }
}
