//! Whose what is that differs from the last good tree: this loop's, another's, or somebody's whom nobody knows.
//!
//! Invariant: what a loop's session did not make is not taken back with it. A file is the loop's when it was last changed
//! while one of the loop's calls ran and no other's; what came later, or was changed by two, is newer work.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::catalogue;
use crate::checkpoint::compare::Change;
use crate::checkpoint::node::{Node, is_within};
use crate::checkpoint::objects::digest_of_file;
use crate::checkpoint::store::Store;
use crate::checkpoint::watch::Watch;
use crate::checkpoint::way::look;
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::changes::others;
use crate::lifecycle::changes::touched;
use crate::lifecycle::gate::decision::Asked;
use crate::lifecycle::gate::decision::call_times::CallTimes;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;

/// Whose a difference is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
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
    files: BTreeMap<PathBuf, Share>,
    folders: Vec<PathBuf>,
}

impl Shares {
    /// The files of a share, by name.
    pub(super) fn of(&self, share: Share) -> Vec<PathBuf> {
        let files = self.files.iter().filter(|(_, own)| **own == share);
        files.map(|(path, _)| path.clone()).collect()
    }

    /// What goes back: the files that are wanted, and the folders in which nothing else differs.
    pub(super) fn wanted(&self, wanted: impl Fn(Share) -> bool) -> Vec<PathBuf> {
        let files = self.files.iter().filter(|(_, share)| wanted(**share)).map(|(path, _)| path.clone());
        let is_whole = |folder: &&PathBuf| {
            self.files.iter().all(|(path, share)| wanted(*share) || !is_within(path, folder))
        };
        files.chain(self.folders.iter().filter(is_whole).cloned()).collect()
    }
}

/// What one loop's record says that it did since the last good tree.
struct Traces {
    times: CallTimes,
    /// What its calls left, the newest of each file.
    left: BTreeMap<PathBuf, Node>,
    /// What calls of it name that nobody has judged yet.
    named: BTreeSet<PathBuf>,
}

impl Traces {
    fn of(store: &Store, layout: &Layout, loop_id: &str, since: Timestamp) -> Result<Self, String> {
        let mut kept = catalogue::list(store, Some(loop_id)).map_err(|error| error.to_string())?.checkpoints;
        kept.retain(|manifest| !manifest.tree && manifest.created_at >= since);
        kept.reverse();
        let after = kept.into_iter().filter_map(|manifest| manifest.after);
        let left = after.flat_map(|after| after.changed).map(|entry| (entry.path, entry.node));
        let named = others::running(layout, loop_id).into_iter().map(PathBuf::from).collect();
        Ok(Traces { times: CallTimes::of(layout, loop_id, since), left: left.collect(), named })
    }

    /// Whether a call of it left the file as its own work, or may have done so.
    fn may_have_made(&self, path: &Path) -> bool {
        self.left.contains_key(path) || self.named.contains(path)
    }
}

/// Why a file is not a loop's alone to take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// Another loop's session has changed it.
    OtherLoop,
    /// No call of this loop has changed it, and the loop has ended no iteration since.
    Newer,
    /// No call of this loop has changed it; an iteration of the loop has ended with it as it is.
    Seen,
}

impl Foreign {
    /// What a person reads of it.
    pub fn reason(self) -> &'static str {
        match self {
            Foreign::OtherLoop => "another loop's session has changed it",
            Foreign::Newer | Foreign::Seen => "no call of this loop has changed it",
        }
    }
}

/// Which of these files hold the work of others since a loop began, each with the reason. Where no call of the loop is known
/// (a driver's agent need not tell of any), only another loop's files are.
pub fn of_others(
    layout: &Layout,
    store: &Store,
    loop_id: &str,
    since: Timestamp,
    paths: &[PathBuf],
) -> Result<Vec<(PathBuf, Foreign)>, String> {
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    let traces = |id: &String| Traces::of(store, layout, id, since);
    let others = registry.loops.keys().filter(|id| id.as_str() != loop_id).map(traces);
    let others: Vec<Traces> = others.collect::<Result<_, String>>()?;
    let own = Traces::of(store, layout, loop_id, since)?;
    let touched = touched::touched(layout, loop_id);
    let state = LoopState::read(layout, loop_id).map_err(|error| error.to_string())?;
    let last = state.iteration_history.last().map(|record| record.timestamp);
    let reason = |path: &PathBuf| {
        let is_known = own.left.contains_key(path) || touched.iter().any(|it| Path::new(it) == path);
        let at = fs::symlink_metadata(store.path(path)).ok().map(|metadata| changed_at(&metadata));
        let by = |traces: &Traces| at.is_some_and(|at| traces.times.hold(at));
        if others.iter().any(|other| other.may_have_made(path) || by(other) && !by(&own)) {
            return Some(Foreign::OtherLoop);
        }
        let by_nobody = at.is_some() && !by(&own) && !is_known && own.times.is_known();
        let is_seen = last.is_some_and(|last| at.is_some_and(|at| at < last));
        by_nobody.then_some(if is_seen { Foreign::Seen } else { Foreign::Newer })
    };
    Ok(paths.iter().filter_map(|path| Some((path.clone(), reason(path)?))).collect())
}

/// What decides whose a file is.
pub(super) struct Divider<'a> {
    store: &'a Store,
    own: Traces,
    others: Vec<Traces>,
    /// The files in which something was lost.
    lost: &'a [PathBuf],
    watch: Watch,
}

impl<'a> Divider<'a> {
    /// Of everything that happened since `since`.
    pub(super) fn new(
        asked: Asked,
        store: &'a Store,
        lost: &'a [PathBuf],
        since: Timestamp,
    ) -> Result<Self, String> {
        let registry = Registry::read(asked.layout).map_err(|error| error.to_string())?;
        let others = registry.loops.keys().filter(|id| id.as_str() != asked.loop_id);
        let others: Result<Vec<Traces>, String> =
            others.map(|id| Traces::of(store, asked.layout, id, since)).collect();
        Ok(Divider {
            store,
            own: Traces::of(store, asked.layout, asked.loop_id, since)?,
            others: others?,
            lost,
            watch: Watch::read(asked.layout, asked.loop_id).unwrap_or_default(),
        })
    }

    /// Divides what differs from a tree.
    pub(super) fn divide(&self, differing: Vec<Change>) -> Shares {
        let mut shares = Shares::default();
        for Change { path, before, after } in differing {
            if path.as_os_str().is_empty() || self.store.is_own(&path) {
                continue;
            }
            if before.is_directory() || after.is_directory() {
                shares.folders.push(path);
            } else {
                let share = self.share(&path);
                shares.files.insert(path, share);
            }
        }
        shares
    }

    /// Whose the difference of a file is.
    pub(super) fn share(&self, path: &Path) -> Share {
        let full = self.store.path(path);
        let left = self.own.left.get(path);
        let by_others = self.others.iter().any(|other| other.may_have_made(path));
        let Ok(metadata) = fs::symlink_metadata(&full) else {
            return self.share_of_gone(path, by_others);
        };
        let is_as_left = left.is_some_and(|left| look(&full).is_ok_and(|now| now.same(left)));
        let at = changed_at(&metadata);
        let by_own = self.own.times.hold(at) || (!self.own.times.is_known() && is_as_left);
        let beside = self.others.iter().any(|other| other.times.may_hold(at));
        // While another's call ran as well, nobody knows whose the loss is.
        if !beside && self.is_as_shown(path) {
            return if by_own { Share::Own } else { Share::Shown };
        }
        match by_own && (!beside || is_as_left) {
            true if by_others => Share::Newer,
            true => Share::Own,
            false if self.lost.iter().any(|lost| lost == path) => Share::Newer,
            // What a call was found to have left, but was changed before it, was there already.
            false if left.is_some() && !is_as_left => Share::Newer,
            false if beside => Share::OtherLoop,
            false => Share::Unknown,
        }
    }

    /// The same of a file that is gone. It comes back where this loop took it, or lost something in it; what no call is
    /// known to have taken away, a person has.
    fn share_of_gone(&self, path: &Path, by_others: bool) -> Share {
        let is_lost = self.lost.iter().any(|lost| lost == path);
        match self.own.left.get(path) {
            None if by_others => Share::OtherLoop,
            Some(_) if by_others => Share::Newer,
            Some(Node::Absent) => Share::Own,
            _ if is_lost => Share::Shown,
            // It was there when the loop's calls had done their work.
            Some(_) => Share::Newer,
            None if self.own.times.is_known() => Share::Unknown,
            None => Share::Own,
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
        self.lost.iter().any(|lost| lost == path)
            && known.is_some_and(|known| match known.sha256 {
                Some(sha256) => {
                    digest_of_file(&self.store.path(path)).is_ok_and(|(digest, _)| digest == sha256)
                }
                None => false,
            })
    }
}
