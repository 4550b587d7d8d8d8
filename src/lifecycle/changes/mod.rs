//! The project's files, and what changed in them that no call has told.

pub mod accounting;
pub mod additions;
pub(crate) mod both_sides;
pub(crate) mod call_times;
pub(crate) mod detected;
pub(crate) mod emptied_folders;
pub mod file_text;
mod held_subjects;
pub mod importers;
pub(crate) mod last_run;
mod named_sources;
pub mod net;
pub mod others;
pub mod own_restore;
mod patched_subjects;
pub(crate) mod plain_edits;
pub(crate) mod protected;
mod skip_switches;
mod successors;
pub mod tested_values;
pub mod touched;
pub(crate) mod traces;
pub mod tree;
pub(crate) mod twins;
pub mod untracked_changes;
pub(crate) mod way_back;
pub mod whose;
