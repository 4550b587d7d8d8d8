//! Whose what is that differs from the last good tree: this loop's, another's, or somebody's whom nobody knows.
//!
//! Invariant: what a loop's session did not make is not taken back with it. A file is the loop's when one of its calls is
//! known to have left it, or it was last changed while nothing but one of the loop's calls ran; what came later, or was
//! changed by two, is newer work. What was there before the loop's own work on a file stays in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::compare::PathChange;
use crate::checkpoint::node::{Entry, Node, is_within};
use crate::checkpoint::objects::digest_of_file;
use crate::checkpoint::store::Store;
use crate::checkpoint::watch::Watch;
use crate::checkpoint::way::look;
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::changes::traces::Traces;
use crate::lifecycle::changes::way_back::WayBack;
use crate::lifecycle::changes::whose;
use crate::lifecycle::gate::decision::GateAddress;
use crate::lifecycle::gate::decision::lost::LostWork;

/// Whose a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DifferenceOwner {
    /// What this loop's session left.
    Own,
    /// The person was asked about what was lost in it; no call of this loop is known to have changed it.
    Shown,
    /// Changed by this loop, and by somebody else too.
    Newer,
    /// No call of this loop made it.
    Unknown,
    /// Another loop's session made it.
    OtherLoop,
}

/// The differences, by whose they are.
#[derive(Debug, Default)]
pub(super) struct Shares {
    files: BTreeMap<PathBuf, DifferenceOwner>,
    folders: Vec<PathBuf>,
    /// What goes back less far than the tree: to what this loop found, or a person approved.
    bases: BTreeMap<PathBuf, Node>,
    /// The calls while which files changed that their texts do not account for.
    beside: BTreeMap<PathBuf, String>,
}

impl Shares {
    /// The files of a share, by name.
    pub(super) fn of(&self, share: DifferenceOwner) -> Vec<PathBuf> {
        let files = self.files.iter().filter(|(_, own)| **own == share);
        files.map(|(path, _)| path.clone()).collect()
    }

    /// The call while which a file changed, where that call's text does not account for it.
    pub(super) fn beside(&self, path: &Path) -> Option<&str> {
        self.beside.get(path).map(String::as_str)
    }

    /// What goes back less far than the tree.
    pub(super) fn bases(&self) -> Vec<Entry> {
        self.bases.iter().map(|(path, node)| Entry::new(path.clone(), node.clone())).collect()
    }

    /// What goes back: the files that are wanted, and the folders in which nothing else differs.
    pub(super) fn wanted(&self, wanted: impl Fn(DifferenceOwner) -> bool) -> Vec<PathBuf> {
        let files = self.files.iter().filter(|(_, share)| wanted(**share)).map(|(path, _)| path.clone());
        let goes = |path: &PathBuf, share: DifferenceOwner| {
            wanted(share) && self.bases.get(path).is_none_or(|base| *base == Node::Absent)
        };
        let is_whole = |folder: &&PathBuf| {
            self.files.iter().all(|(path, share)| goes(path, *share) || !is_within(path, folder))
        };
        files.chain(self.folders.iter().filter(is_whole).cloned()).collect()
    }
}

/// What decides whose a file is.
pub(super) struct Divider<'a> {
    store: &'a Store,
    own: Traces,
    others: Vec<Traces>,
    lost: &'a LostWork,
    since: Timestamp,
    watch: Watch,
}

impl<'a> Divider<'a> {
    /// Of everything that happened since `since`.
    pub(super) fn new(
        asked: GateAddress,
        store: &'a Store,
        lost: &'a LostWork,
        since: Timestamp,
    ) -> Result<Self, String> {
        let others = whose::of_other_loops(asked.layout, store, asked.loop_id, since)?;
        Ok(Divider {
            store,
            own: Traces::of(store, asked.layout, asked.loop_id, since)?,
            others: others.into_iter().map(|(_, traces)| traces).collect(),
            lost,
            since,
            watch: Watch::read(asked.layout, asked.loop_id).unwrap_or_default(),
        })
    }

    /// Divides what differs from a tree.
    pub(super) fn divide(&self, differing: Vec<PathChange>) -> Shares {
        let mut shares = Shares::default();
        for PathChange { path, before, after } in differing {
            if path.as_os_str().is_empty() || self.store.is_own(&path) {
                continue;
            }
            if before.is_directory() || after.is_directory() {
                shares.folders.push(path);
            } else {
                self.divide_file(&mut shares, PathChange { path, before, after });
            }
        }
        self.add_taken_away(&mut shares);
        shares
    }

    /// Files that neither the tree has nor are there now, and that somebody else had made before a call took them away.
    fn add_taken_away(&self, shares: &mut Shares) {
        let gone = self.own.left.iter().filter(|(_, left)| **left == Node::Absent).map(|(path, _)| path);
        for path in gone.filter(|path| path.is_relative()) {
            if shares.files.contains_key(path) {
                continue;
            }
            let is_file = |way: &WayBack| matches!(way.base, Node::File { .. });
            let is_gone = fs::symlink_metadata(self.store.path(path)).is_err();
            if is_gone && is_file(&WayBack::of(&Node::Absent, &self.own.steps(path), None)) {
                let change = PathChange { path: path.clone(), before: Node::Absent, after: Node::Absent };
                self.divide_file(shares, change);
            }
        }
    }

    /// A file that differs: whose it is, and how far it goes back.
    fn divide_file(&self, shares: &mut Shares, PathChange { path, before, after }: PathChange) {
        let share = self.share(&path);
        if let Some(call) = self.own.beside(&path, &after) {
            shares.beside.insert(path.clone(), call.to_owned());
        }
        let approved = self.lost.approved(&path, self.since);
        let is_stuck = approved.is_some_and(|at| self.lost.is_approved_over(&path, at));
        let way = WayBack::of(&before, &self.own.steps(&path), approved.filter(|_| !is_stuck));
        let is_further = !way.base.same(&before);
        let is_as_approved = approved.is_some_and(|at| {
            fs::symlink_metadata(self.store.path(&path)).is_ok_and(|now| changed_at(&now) <= at)
        });
        if approved.is_some() && !is_stuck && (is_as_approved || way.base.same(&after)) {
            return;
        }
        let share = match share {
            DifferenceOwner::Own | DifferenceOwner::Shown if way.between || is_stuck => {
                DifferenceOwner::Newer
            }
            DifferenceOwner::Own | DifferenceOwner::Shown
                if is_further && !self.has_what_was_lost(&path, &way.base) =>
            {
                DifferenceOwner::Newer
            }
            DifferenceOwner::Own if way.base.same(&after) => DifferenceOwner::Unknown,
            share => share,
        };
        // What neither the tree has nor is there now comes back as it was found, whoever else had a part in it.
        let is_in_neither = before.same(&after);
        if is_further && (is_in_neither || matches!(share, DifferenceOwner::Own | DifferenceOwner::Shown)) {
            shares.bases.insert(path.clone(), way.base);
        }
        shares.files.insert(path, share);
    }

    /// Whether nothing of what was lost in a file was lost before the loop's own work on it.
    fn has_what_was_lost(&self, path: &Path, base: &Node) -> bool {
        if !self.lost.is_in(path) {
            return true;
        }
        let (Some(name), Node::File { sha256, .. }) = (path.to_str(), base) else { return false };
        let text = self.store.objects().read(sha256);
        self.watch.lost.get(name) == Some(sha256)
            || text.is_ok_and(|text| self.lost.is_whole_in(name, &String::from_utf8_lossy(&text)))
    }

    /// Whether something was lost in a file, and was so when a call had left it.
    fn is_lost_in(&self, path: &Path, left: &Node) -> bool {
        self.lost.is_in(path) && !self.has_what_was_lost(path, left)
    }

    /// Whose the difference of a file is.
    pub(super) fn share(&self, path: &Path) -> DifferenceOwner {
        let full = self.store.path(path);
        let left = self.own.left.get(path);
        let may_be_its =
            |other: &Traces| other.may_have_made(path) || self.own.ran_beside_unjudged(path, other);
        let by_others = self.others.iter().any(may_be_its);
        let Ok(metadata) = fs::symlink_metadata(&full) else {
            return self.share_of_gone(path, by_others);
        };
        let is_as_left = left.is_some_and(|left| look(&full).is_ok_and(|now| now.same(left)));
        let at = changed_at(&metadata);
        let is_beside = || look(&full).is_ok_and(|now| self.own.beside(path, &now).is_some());
        // Two changes may stand within one tick of the file system's clock: time alone says little.
        let by_own = match left {
            _ if is_beside() => false,
            Some(_) if is_as_left => self.own.times.hold(at) || !self.own.times.is_known(),
            // What came just before a call is somebody's save, though a hook ran.
            _ => self.own.times.surely_hold(at),
        };
        let beside = self.others.iter().any(|other| other.times.may_hold(at));
        // What was lost before the file was changed once more is no word on who did that.
        let is_later = left.is_some_and(|left| !by_own && !is_as_left && self.is_lost_in(path, left));
        // While another's call ran as well, nobody knows whose the loss is.
        if !beside && !is_later && self.is_as_shown(path) {
            return if by_own { DifferenceOwner::Own } else { DifferenceOwner::Shown };
        }
        match by_own && (!beside || is_as_left) {
            true if by_others => DifferenceOwner::Newer,
            true => DifferenceOwner::Own,
            false if self.lost.is_in(path) => DifferenceOwner::Newer,
            // What a call was found to have left, but was changed before it, was there already.
            false if left.is_some() && !is_as_left => DifferenceOwner::Newer,
            false if beside => DifferenceOwner::OtherLoop,
            false => DifferenceOwner::Unknown,
        }
    }

    /// The same of a file that is gone. It comes back where this loop took it, or lost something in it; what no call is
    /// known to have taken away, a person has.
    fn share_of_gone(&self, path: &Path, by_others: bool) -> DifferenceOwner {
        let is_lost = self.lost.is_in(path);
        match self.own.left.get(path) {
            None if by_others => DifferenceOwner::OtherLoop,
            Some(_) if by_others => DifferenceOwner::Newer,
            Some(Node::Absent) => DifferenceOwner::Own,
            _ if is_lost => DifferenceOwner::Shown,
            // It was there when the loop's calls had done their work.
            Some(_) => DifferenceOwner::Newer,
            None if self.own.times.is_known() => DifferenceOwner::Unknown,
            None => DifferenceOwner::Own,
        }
    }

    /// Whether somebody changed a file after the person was told that something was lost in it.
    pub(super) fn is_newer_than_shown(&self, path: &Path) -> bool {
        let now = fs::symlink_metadata(self.store.path(path));
        now.is_ok_and(|now| !self.own.times.hold(changed_at(&now))) && !self.is_as_shown(path)
    }

    /// Whether something was lost in a file, and it is as it was when the person was told so.
    fn is_as_shown(&self, path: &Path) -> bool {
        let known = path.to_str().and_then(|name| self.watch.files.get(name));
        self.lost.is_in(path)
            && known.is_some_and(|known| match known.sha256 {
                Some(sha256) => {
                    digest_of_file(&self.store.path(path)).is_ok_and(|(digest, _)| digest == sha256)
                }
                None => false,
            })
    }
}
