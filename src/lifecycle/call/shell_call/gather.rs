//! What the disk and git say about the effects of a shell call, gathered before it runs.
//!
//! Nothing here changes a file or judges anything.

mod brought;
mod choices;
mod chosen;
mod listings;
mod repository;
mod searched;
pub(crate) mod targets;
mod texts;
mod uncommitted;
mod unnamed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::detectors::commands::destructive_command::{CommandFacts, Place, TargetFate};
use crate::lifecycle::call::shell_call::changes::FilesPicture;
use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::gather::repository::Tracked;
use crate::lifecycle::call::shell_call::listing::KeptFiles;
use crate::lifecycle::call::shell_call::place::Surroundings;
use crate::lifecycle::call::shell_call::{Permissions, UnseenEdit};
use crate::model::finding::Change;
use crate::project::Project;
use crate::shell::{ComputedEdit, Effect, EffectKind, ShellReading};

/// Everything that the disk and git say about what a call touches.
pub(crate) struct CallEvidence {
    /// What the judgement goes by.
    pub(crate) facts: CommandFacts,
    /// Files before and after.
    pub(crate) changes: Vec<Change>,
    /// Edits of files that can't be read.
    pub(crate) unseen: Vec<UnseenEdit>,
    /// Files whose bytes must be kept.
    pub(crate) keep: Vec<PathBuf>,
}

/// Asks the disk and git about every effect of a text, in the order of its commands.
pub(crate) fn gather(
    reading: &ShellReading,
    permissions: &Permissions,
    project: &Project,
    home: &Path,
) -> CallEvidence {
    let mut look = CallInspection::new(reading, permissions, project, home);
    for (index, effect) in reading.effects.iter().enumerate() {
        look.touch(index, effect);
    }
    look.ask_git(&reading.effects);
    look.list(&reading.effects);
    look.count_emptied(&reading.effects);
    look.count_chosen(&reading.effects);
    look.count_made_one();
    look.forget_what_patterns_took(&reading.effects);
    look.lose_uncommitted(&reading.effects);
    look.mark_what_is_only_here(&reading.effects);
    for (index, effect) in reading.effects.iter().enumerate() {
        look.lose(index, effect);
    }
    let root = look.surroundings.root.clone();
    let changes = look.picture.changes(&root);
    let mut keep = look.kept.files;
    keep.sort();
    keep.dedup();
    CallEvidence { facts: look.facts, changes, unseen: look.unseen, keep }
}

/// One path that an effect touches.
#[derive(Debug, Clone)]
pub(crate) struct TouchedPath {
    effect: usize,
    role: TargetFate,
    path: PathBuf,
    name: String,
    place: Place,
    partial: bool,
    /// Whether every file below it is meant, one by one.
    below: bool,
    /// Whether the words name it as one of many: by a pattern, or as what is in a folder.
    many: bool,
    /// Where it goes, for a move or copy.
    to: Option<PathBuf>,
    /// Whether it is known only by reckoning what another program prints.
    reckoned: bool,
    /// Read from, and neither lost nor written: the source of a copy.
    only_source: bool,
}

pub(crate) struct CallInspection<'p> {
    surroundings: Surroundings,
    project: &'p Project,
    permissions: &'p Permissions,
    facts: CommandFacts,
    disk: Disk,
    touched: Vec<TouchedPath>,
    /// Files of the project that an archive is unpacked over, and that git has as they are.
    unpacked: Vec<PathBuf>,
    /// How many targets of the words were looked at.
    named: usize,
    /// What is moved, by where it goes, as an index of `touched`.
    moved: BTreeMap<PathBuf, Vec<usize>>,
    kept: KeptFiles,
    picture: FilesPicture,
    tracked: Tracked,
    /// The effects whose repository was asked.
    asked: Vec<Effect>,
    unseen: Vec<UnseenEdit>,
    /// Files to which something is printed of a file that can't be read, with that and the edit on the way.
    printed: BTreeMap<PathBuf, (PathBuf, ComputedEdit)>,
}

impl<'p> CallInspection<'p> {
    fn new(
        reading: &ShellReading,
        permissions: &'p Permissions,
        project: &'p Project,
        home: &Path,
    ) -> CallInspection<'p> {
        CallInspection {
            surroundings: Surroundings::new(project.root(), home),
            project,
            facts: CommandFacts { unread: reading.unread, ..CommandFacts::default() },
            permissions,
            disk: Disk::default(),
            touched: Vec::new(),
            unpacked: Vec::new(),
            named: 0,
            moved: BTreeMap::new(),
            kept: KeptFiles::default(),
            picture: FilesPicture::default(),
            tracked: Tracked::default(),
            asked: Vec::new(),
            unseen: Vec::new(),
            printed: BTreeMap::new(),
        }
    }

    /// Notes what one effect touches.
    fn touch(&mut self, index: usize, effect: &Effect) {
        use EffectKind::{ChangeMode, Copy, Delete, EditInPlace, GitRemove, Move, Overwrite, Truncate};
        let written = TargetFate::Written { append: effect.append };
        match effect.kind {
            Delete if effect.detail == "git worktree remove --force" => {}
            Delete => {
                let before = self.touched.len();
                self.touch_all(index, effect, &effect.targets, TargetFate::Gone);
                if effect.detail == "find -L -delete" {
                    self.follow_links(index, effect);
                }
                self.moved_before(index, before);
            }
            GitRemove => {
                let before = self.touched.len();
                self.touch_all(index, effect, &effect.targets, TargetFate::Gone);
                // The files stay on the disk.
                let stays = effect.detail == "git rm --cached";
                self.touched.iter_mut().skip(before).for_each(|touched| touched.partial |= stays);
            }
            Copy if effect.detail == "unpacking" => self.unpack(index, effect),
            Move | Copy => self.transfer(index, effect),
            Overwrite | Truncate | EditInPlace => self.touch_all(index, effect, &effect.targets, written),
            ChangeMode => self.touch_all(index, effect, &effect.targets, TargetFate::Mode),
            EffectKind::ChoosesTests => self.look_for_a_test(index, effect),
            EffectKind::DiscardGitWork
            | EffectKind::RewriteHistory
            | EffectKind::Publish
            | EffectKind::ApplyPatch
            | EffectKind::BypassChecks
            | EffectKind::DisarmsGuard
            | EffectKind::RunsUnseen
            | EffectKind::SavesUnseen
            | EffectKind::DestroysVolume
            | EffectKind::Floods
            | EffectKind::HidesFromGit
            | EffectKind::FillsDisk
            | EffectKind::LosesElsewhere
            | EffectKind::ChangesElsewhere
            | EffectKind::Releases
            | EffectKind::HidesFailure
            | EffectKind::LeavesTestsOut
            | EffectKind::RewritesSnapshots
            | EffectKind::LowersThreshold => {}
        }
    }
}
