//! Whether git has failed to answer where it should: that is a fault to tell, never "nothing has changed".

use std::cell::Cell;

thread_local! {
    static FAULT: Cell<Option<GitFault>> = const { Cell::new(None) };
}

/// Why git did not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GitFault {
    /// It can't be started.
    Absent,
    /// It is ended when its time is over, and not asked again.
    TooSlow,
    /// It fails about the commit that is checked out.
    Fails,
    /// What it says of that commit is no commit.
    Garbled,
    /// A file of the repository's own, or the user's settings, is something that git would wait for.
    Blocked,
    /// The repository that the session began in is not there.
    Gone,
}

impl GitFault {
    /// The words for a person.
    pub fn words(self) -> &'static str {
        match self {
            GitFault::Absent => "git can't be started",
            GitFault::TooSlow => "git does not answer in time",
            GitFault::Fails => "git fails in this repository",
            GitFault::Garbled => "git's answers make no sense",
            GitFault::Blocked => {
                "a file of the repository's own, or git's settings, is a pipe, a device or much too large"
            }
            GitFault::Gone => "the repository is not there any more",
        }
    }
}

/// Notes a fault; the first one counts.
pub fn note(fault: GitFault) {
    FAULT.set(FAULT.get().or(Some(fault)));
}

/// The fault that git had when this process asked, if any.
pub fn fault() -> Option<GitFault> {
    FAULT.get()
}
