//! The types that the whole room shares: what a text runs, and what that does.

mod effect;
pub(crate) mod option;
mod path;
mod script;

pub use effect::{Course, Effect, EffectKind, ShellReading, Target};
pub use path::resolve;
pub use script::{
    Command, CommandInput, DEEPEST_NESTING, FileTexts, InterpreterCode, LONGEST_TEXT, MOST_COMMANDS,
    Redirect, Script, ScriptContext, ScriptLanguage, Unseen, Word,
};
pub(crate) use script::{PATTERN_SIGNS, UNKNOWN, UNSEEN, first_line, program_name, unreadable};
