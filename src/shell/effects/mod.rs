//! What commands do: to files, to git, to services, to checks, to the guard itself.

pub(crate) mod checks;
pub(crate) mod files;
pub(crate) mod git;
pub(crate) mod git_call;
pub(crate) mod guard_bypass;
pub(crate) mod programs;
pub(crate) mod purpose;
pub(crate) mod service_rules;
pub(crate) mod services;
pub(crate) mod sql;
pub(crate) mod volumes;
