//! The version of the state's files, and whether a file's is one that this program does not know.

/// The version that is written.
pub const VERSION: &str = "2.0.0";

/// Whether a version is of a major that this program does not know. What is no version counts as ours.
pub(super) fn is_newer(version: &str) -> bool {
    let major = |version: &str| version.split('.').next().and_then(|major| major.parse::<u64>().ok());
    major(version) > major(VERSION)
}
