//! What a command really runs: programs that run others, shells and interpreters, other machines, text that nobody has seen.

pub(crate) mod away;
pub(crate) mod inline;
pub(crate) mod interpreters;
pub(crate) mod remote;
pub(crate) mod remote_exec;
pub(crate) mod run;
pub(crate) mod tokens;
pub(crate) mod unwrap;
