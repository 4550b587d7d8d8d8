//! The types that the whole room shares: what a text runs, and what that does.

mod effect;
pub(crate) mod option;
mod path;
mod script;

pub use effect::{Course, Effect, EffectKind, Reading, Target};
pub use path::resolve;
pub use script::{
    Code, Command, DEEPEST_NESTING, Input, Known, LONGEST_TEXT, MOST_COMMANDS, Redirect, Script,
    ScriptLanguage, Texts, Unseen, Word,
};
pub(crate) use script::{PATTERN_SIGNS, UNKNOWN, UNSEEN, first_line, program_name, unreadable};
