//! What a command really runs: programs that run others, shells and interpreters, other machines, text that nobody has seen.

pub(crate) mod builtins;
pub(crate) mod execution;
pub(crate) mod handed_lists;
pub(crate) mod handed_over;
pub(crate) mod interpreter_code;
pub(crate) mod interpreters;
pub(crate) mod made_up;
pub(crate) mod other_languages;
pub(crate) mod other_machines;
pub(crate) mod own_files;
pub(crate) mod peeled;
mod printed_orders;
pub(crate) mod project_scripts;
pub(crate) mod remembered_files;
pub(crate) mod remote_exec;
pub(crate) mod shell_state;
pub(crate) mod short_names;
mod traps;
pub(crate) mod unwrap;
mod working_directory;
