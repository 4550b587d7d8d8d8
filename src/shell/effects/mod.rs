//! What commands do: to files, to git, to services, to checks, to the guard itself.

pub(crate) mod awk_output;
pub(crate) mod command_class;
pub(crate) mod copies;
pub(crate) mod course;
pub(crate) mod disk_filling;
pub(crate) mod dispatch;
pub(crate) mod extraction;
pub(crate) mod fast_path;
pub(crate) mod git;
pub(crate) mod git_call;
pub(crate) mod guard_bypass;
pub(crate) mod known_programs;
pub(crate) mod own_input;
pub(crate) mod packing;
pub(crate) mod patch;
pub(crate) mod programs;
pub(crate) mod redirection;
pub(crate) mod remote;
pub(crate) mod renaming;
pub(crate) mod secrets;
pub(crate) mod services;
pub(crate) mod single_file;
pub(crate) mod source_code;
pub(crate) mod unseen_code;
pub(crate) mod volumes;
pub(crate) mod weakened_test_runs;
