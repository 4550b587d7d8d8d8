//! One path that differs from what git has.

use std::path::PathBuf;

/// One changed or untracked path of a working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirty {
    /// The path, absolute.
    pub path: PathBuf,
    /// Git's letter for the index (`?` untracked, `!` ignored, ` ` unchanged).
    pub index: char,
    /// Git's letter for the working tree.
    pub worktree: char,
}

impl Dirty {
    /// Whether git is told to leave it out.
    pub fn is_ignored(&self) -> bool {
        self.index == '!'
    }

    /// Whether git has no copy at all.
    pub fn is_untracked(&self) -> bool {
        matches!(self.index, '?' | '!')
    }
}
