//! What a shell call reaches, after a look at the disk and the repository: facts, handed over for judgement.

use std::borrow::Cow;

use crate::model::finding::Severity;

/// Something worth a warning and a copy of the bytes, but no finding.
#[derive(Debug, Clone, PartialEq)]
pub struct Risk {
    /// `bulk_deletion`, `version_control_deletion`, `test_file_modification`, `file_deletion`, `emptied_before_read` or
    /// `uncommitted_work_replaced`.
    pub name: Cow<'static, str>,
    /// The command's form, e.g. `rm` or `git rm`.
    pub tool: String,
    /// The file or folder, relative to the project where it is inside.
    pub target: String,
    /// How bad it could be.
    pub level: Severity,
}

/// What kind of place a target is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Inside the project.
    Project,
    /// The project's root, all that is in it, or a folder around it.
    Root,
    /// The repository's own directory, or a file of it.
    Repository,
    /// The guard's state, log and baseline.
    GuardState,
    /// The guard's installed program.
    GuardProgram,
    /// Settings of the host that start the guard.
    HostSettings,
    /// Build output and caches: made again at will.
    Output,
    /// Temporary folders.
    Temporary,
    /// A device.
    Device,
    /// The system, or a whole home.
    System,
    /// Any other place outside of the project.
    Outside,
    /// Not known.
    Unknown,
}

/// What happens to a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TargetFate {
    /// It is gone afterwards.
    Gone,
    /// It is written to, with `append` only at its end.
    Written {
        /// Only at its end.
        append: bool,
    },
    /// Its mode or owner changes.
    Mode,
}

/// One target, after a look at the disk.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetReach {
    /// The effect that reaches it, as an index.
    pub effect: usize,
    /// Its name for messages.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// What happens to it.
    pub role: TargetFate,
    /// Whether it is there now.
    pub exists: bool,
    /// Whether the folder that would hold it is there.
    pub held: bool,
    /// Whether it is a folder.
    pub directory: bool,
    /// How many tracked files it is or holds; `None` when git can't say.
    pub tracked: Option<usize>,
    /// How many of those hold source text.
    pub sources: usize,
    /// Whether it is a folder right below the project's root.
    pub top_level: bool,
    /// Whether there are more files than can be kept.
    pub too_much: bool,
    /// Whether only some of it is meant.
    pub partial: bool,
    /// Whether what a writer takes from it is elsewhere too: it is empty, or its repository has it as it is.
    pub restorable: bool,
    /// Whether it is one file, named by the words, that no commit has and that no tool has left behind.
    pub only_here: bool,
    /// Whether the project's configuration protects it.
    pub protected: bool,
    /// Whether it is known only by reckoning what another program prints: then it is told, and never stopped.
    pub reckoned: bool,
}

/// Work in git that an effect gives up, after a look at the repository.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GitLoss {
    /// The effect, as an index.
    pub effect: usize,
    /// Files whose changes are in no commit.
    pub files: Vec<String>,
    /// Commits that nothing else holds, as `hash subject`.
    pub commits: Vec<String>,
    /// Commits that others have, and that are made anew here.
    pub published: Vec<String>,
    /// Commits that leave their branch and that another one has.
    pub elsewhere: Vec<String>,
    /// Stashes.
    pub stashes: usize,
    /// Whether the look failed, so that nothing is known.
    pub unchecked: bool,
    /// Whether what is lost stays in git's log of references for a while.
    pub recoverable: bool,
    /// Whether a commit of the same text holds all files, if it ends well.
    pub held_if_well: bool,
}

/// What the look at the disk found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CommandFacts {
    /// The targets.
    pub reaches: Vec<TargetReach>,
    /// Work in git.
    pub losses: Vec<GitLoss>,
    /// How many files git tracks in the project.
    pub tracked_total: Option<usize>,
    /// Source folders of which every tracked file would be gone or empty, file by file, with their number.
    pub emptied: Vec<(String, usize)>,
    /// Files that a pattern chooses and that would be gone or overwritten: some of them, and how many are tracked.
    pub chosen: (Vec<String>, usize),
    /// Tracked files that differ and would have one text, which a pattern chooses or which are many.
    pub made_one: Vec<String>,
    /// Effects that choose tests by a pattern of which no file holds a word, as indexes.
    pub fitting_none: Vec<usize>,
    /// Whether a part of the text could not be read.
    pub unread: bool,
    /// Effects that the project's configuration permits, as indexes.
    pub permitted: Vec<usize>,
}

/// Files of the repository without which commits and branches are gone.
pub(super) fn holds_history(name: &str) -> bool {
    let Some((_, inside)) = name.split_once(".git/") else { return false };
    ["objects/", "refs/"].iter().any(|folder| inside.starts_with(folder))
        || matches!(inside, "HEAD" | "packed-refs")
}
