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

use crate::model::event::ShellDialect;
use crate::shell::model::unreadable;

pub use crate::shell::effects::dispatch::{decides_by_itself, effects, effects_knowing, of_script};
pub use crate::shell::effects::guard_bypass::clients::SILENCING;
pub(crate) use crate::shell::effects::guard_bypass::runs_by_itself;
pub(crate) use crate::shell::effects::services::rules::is_of_a_cloud;
pub(crate) use crate::shell::effects::services::sql::places::{
    is_told_of_a_far_database, names_a_far_database,
};
pub(crate) use crate::shell::effects::weakened_test_runs::by_neighbours::FEIGNED;
pub(crate) use crate::shell::effects::weakened_test_runs::by_text::{
    FOR_GOOD, VARIABLES as OPTION_VARIABLES, chosen_for_good,
};
pub(crate) use crate::shell::effects::weakened_test_runs::host_checks::CI_OFF;
pub use crate::shell::model::{
    Command, CommandInput, Course, DEEPEST_NESTING, Effect, EffectKind, FileTexts, InterpreterCode,
    LONGEST_TEXT, MOST_COMMANDS, Redirect, Script, ScriptContext, ScriptLanguage, ShellReading, Target,
    Unseen, Word, resolve,
};
pub(crate) use crate::shell::model::{UNKNOWN, UNSEEN};
pub use crate::shell::parse::output::text::{FRESH_HOME, REMOTES, TOP};
pub use command_pattern::CommandPattern;
pub use edit::ComputedEdit;

/// The option by which the last run of tests of a text leaves some of them out.
pub(crate) fn left_out_of_the_last_run(text: &str, dialect: ShellDialect, cwd: &Path) -> Option<String> {
    let script = read_at(text, dialect, cwd, Path::new("~"));
    effects::weakened_test_runs::left_out_of_the_last(&script)
}

/// Reads a text on its own: relative paths stay relative to `.`, and `~` stays as it is.
pub fn read(text: &str, dialect: ShellDialect) -> Script {
    read_at(text, dialect, Path::new("."), Path::new("~"))
}

/// Reads a text that runs in `cwd` for the user whose home is `home`.
pub fn read_at(text: &str, dialect: ShellDialect, cwd: &Path, home: &Path) -> Script {
    read_knowing(text, dialect, (cwd, home), &ScriptContext::default())
}

/// The same with what is known besides the words: whoever runs a file with a known text runs that text. `place` is where
/// the text runs, and the user's home.
pub fn read_knowing(
    text: &str,
    dialect: ShellDialect,
    place: (&Path, &Path),
    known: &ScriptContext,
) -> Script {
    let (cwd, home) = place;
    if text.len() > LONGEST_TEXT {
        return unreadable(text);
    }
    match dialect {
        ShellDialect::Posix => parse::reader::read(text, cwd, home, known),
        ShellDialect::PowerShell => parse::powershell::read(text, cwd, home),
    }
}
