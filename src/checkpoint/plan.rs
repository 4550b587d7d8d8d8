//! What a restore will do, decided before it touches anything. Pure.
//!
//! Invariant: without force a step only replaces or removes what the checkpoint knows: what the call itself left, or
//! nothing at all. A file that came later and is not in the way is left alone, with force too.
//!
//! When the call was never settled (the client died) nobody knows who wrote what is there now. A time stamp would
//! not tell either: a call may run for minutes, and `mv` keeps the time. So what is gone comes back, and whatever
//! else differs asks for force.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::{Entry, Node, covers, is_within};

/// One path's way back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoStep {
    /// What is there now.
    pub from: Entry,
    /// What will be there, under the same path.
    pub to: Entry,
}

/// A path that is left as it is although it differs, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Its name.
    pub path: PathBuf,
    /// Why.
    pub reason: String,
    /// Whether force would do it all the same.
    pub by_force: bool,
}

/// What a restore will do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RestorePlan {
    /// By path, parents first.
    pub steps: Vec<UndoStep>,
    /// What is as it was kept.
    pub unchanged: Vec<PathBuf>,
    /// What is left although it differs.
    pub refused: Vec<Refusal>,
}

/// What a plan is made of.
#[derive(Debug)]
pub struct Situation<'a> {
    /// The checkpoint.
    pub manifest: &'a Manifest,
    /// What is there now, without what is absent.
    pub now: &'a BTreeMap<PathBuf, Node>,
    /// Names to restore with what is below them; all when empty.
    pub chosen: &'a [PathBuf],
    /// Replace newer work too.
    pub force: bool,
    /// Names that hold somebody else's work, each with whose.
    pub of_others: &'a BTreeMap<PathBuf, String>,
    /// Names that cannot be restored, with what is below them, and why.
    pub unavailable: &'a BTreeMap<PathBuf, String>,
}

const NEWER: &str = "changed since the call: this may be newer work";
const UNSETTLED: &str = "what the call left was not recorded, so this may be newer work";
const OCCUPIED: &str = "holds files that came later";
const UNKEEPABLE: &str = "what is there now cannot be kept first";

#[derive(Debug, Clone, PartialEq)]
enum PathDecision {
    /// As it was.
    Unchanged,
    /// Not the checkpoint's business.
    Leave,
    Refuse {
        reason: String,
        by_force: bool,
    },
    Change(Node),
}

impl PathDecision {
    fn refuse(reason: &str, by_force: bool) -> PathDecision {
        PathDecision::Refuse { reason: reason.to_owned(), by_force }
    }
}

/// Decides for every path that the checkpoint or the call knows, and for what is below them now.
pub fn plan(situation: &Situation<'_>) -> RestorePlan {
    let kept = situation.manifest.entries.iter().map(|entry| (entry.path.as_path(), entry)).collect();
    let mut planner = Planner { situation, kept, decisions: BTreeMap::new() };
    planner.decide();
    planner.clear_the_way();
    planner.leave_occupied();
    planner.leave_halves();
    planner.stand_on_folders();
    planner.finish()
}

struct Planner<'a> {
    situation: &'a Situation<'a>,
    kept: BTreeMap<&'a Path, &'a Entry>,
    decisions: BTreeMap<PathBuf, PathDecision>,
}

impl Planner<'_> {
    /// The decision for each path by itself.
    fn decide(&mut self) {
        let manifest = self.situation.manifest;
        let left: Option<BTreeMap<&Path, &Node>> = manifest
            .after
            .as_ref()
            .map(|after| after.changed.iter().map(|entry| (entry.path.as_path(), &entry.node)).collect());
        let not_kept: BTreeSet<&Path> =
            manifest.skipped.iter().map(|skipped| skipped.path.as_path()).collect();
        let names: BTreeSet<&Path> = (self.kept.keys().copied())
            .chain(left.iter().flat_map(|left| left.keys().copied()))
            .chain(self.situation.now.keys().map(PathBuf::as_path))
            .collect();
        for name in names {
            let is_unknown = !self.kept.contains_key(name) && covers(&not_kept, name);
            if self.is_chosen(name) && !is_unknown {
                let left = left.as_ref().map(|left| left.get(name).copied());
                let decision = self.judge(name, left);
                self.decisions.insert(name.to_owned(), decision);
            }
        }
    }

    /// `left` is `None` when the call was not settled, and `Some(None)` when it did not change the path.
    fn judge(&self, name: &Path, left: Option<Option<&Node>>) -> PathDecision {
        let present = self.present(name);
        let kept = self.kept.get(name);
        if kept.is_some_and(|entry| entry.implied) {
            // Made on the way to what the call made; whether it goes is decided by what is left in it.
            return if present.is_directory() {
                PathDecision::Change(Node::Absent)
            } else {
                PathDecision::Leave
            };
        }
        let was = kept.map_or(&Node::Absent, |entry| &entry.node);
        if was.same(present) {
            return if kept.is_some() { PathDecision::Unchanged } else { PathDecision::Leave };
        }
        if let Some(reason) = name.ancestors().find_map(|above| self.situation.unavailable.get(above)) {
            return PathDecision::refuse(reason, false);
        }
        if let Some(reason) = self.situation.of_others.get(name).filter(|_| !self.situation.force) {
            return PathDecision::refuse(reason, true);
        }
        let is_calls = match left {
            _ if *present == Node::Absent => true,
            Some(Some(left)) => left.same(present),
            // Neither there before the call nor left by it.
            Some(None) if kept.is_none() => return PathDecision::Leave,
            Some(None) | None => false,
        };
        if !is_calls && !self.situation.force {
            let reason = if left.is_none() { UNSETTLED } else { NEWER };
            return PathDecision::refuse(reason, true);
        }
        match present {
            Node::Other => PathDecision::refuse(UNKEEPABLE, false),
            _ => PathDecision::Change(was.clone()),
        }
    }

    /// With force, where a folder gives way to a file, all that is in the folder goes.
    fn clear_the_way(&mut self) {
        if !self.situation.force {
            return;
        }
        let mut cleared: Option<&Path> = None;
        for (name, present) in self.situation.now {
            if cleared.is_some_and(|cleared| is_within(name, cleared)) {
                if self.situation.unavailable.contains_key(name) {
                    continue;
                }
                let decision = match present {
                    Node::Other => PathDecision::refuse(UNKEEPABLE, false),
                    _ => PathDecision::Change(Node::Absent),
                };
                self.decisions.insert(name.clone(), decision);
            } else if present.is_directory() && self.gives_way(name) {
                cleared = Some(name);
            }
        }
    }

    /// A folder that is to go but would not be empty stays.
    fn leave_occupied(&mut self) {
        let mut occupied: BTreeSet<&Path> = BTreeSet::new();
        for (name, present) in self.situation.now.iter().rev() {
            let goes = matches!(self.decisions.get(name), Some(PathDecision::Change(Node::Absent)));
            let is_full = present.is_directory() && occupied.contains(name.as_path());
            if is_full && (goes || self.gives_way(name)) {
                let is_implied = self.kept.get(name.as_path()).is_some_and(|entry| entry.implied);
                let stays =
                    if is_implied { PathDecision::Leave } else { PathDecision::refuse(OCCUPIED, !goes) };
                self.decisions.insert(name.clone(), stays);
            }
            if let Some(parent) = name.parent().filter(|_| is_full || !goes) {
                occupied.insert(parent);
            }
        }
    }

    /// Where a folder stands that should be a file again, and it has to stay, its content stays as well.
    fn leave_halves(&mut self) {
        let mut whole: Option<&Path> = None;
        for (name, present) in self.situation.now {
            if whole.is_some_and(|whole| is_within(name, whole)) {
                if let Some(decision @ PathDecision::Change(_)) = self.decisions.get_mut(name) {
                    *decision = PathDecision::Leave;
                }
                continue;
            }
            let was = self.kept.get(name.as_path()).map(|entry| &entry.node);
            let should_be_file = matches!(was, Some(Node::File { .. } | Node::Symlink { .. }));
            if should_be_file && present.is_directory() && !self.gives_way(name) {
                whole = Some(name);
            }
        }
    }

    /// Nothing comes back into a folder that does not.
    fn stand_on_folders(&mut self) {
        let mut lacking: BTreeMap<PathBuf, bool> = BTreeMap::new();
        for (name, decision) in &mut self.decisions {
            let parent = name.parent().unwrap_or(Path::new(""));
            if let (Some(by_force), PathDecision::Change(_)) = (lacking.get(parent), &*decision) {
                *decision = PathDecision::refuse(
                    &format!("its folder {} is not restored", parent.display()),
                    *by_force,
                );
            }
            let is_folder = self.situation.now.get(name).is_some_and(Node::is_directory);
            let was_folder = self.kept.get(name.as_path()).is_some_and(|entry| entry.node.is_directory());
            if let PathDecision::Refuse { by_force, .. } = decision
                && was_folder
                && !is_folder
            {
                lacking.insert(name.clone(), *by_force);
            }
        }
    }

    fn finish(self) -> RestorePlan {
        let mut plan = RestorePlan::default();
        for name in self.situation.chosen {
            let is_known = self.decisions.keys().any(|known| is_within(known, name));
            if !is_known {
                let reason = "not in this checkpoint".to_owned();
                plan.refused.push(Refusal { path: name.clone(), reason, by_force: false });
            }
        }
        let now = self.situation.now;
        for (name, decision) in self.decisions {
            match decision {
                PathDecision::Unchanged => plan.unchanged.push(name),
                PathDecision::Leave => {}
                PathDecision::Refuse { reason, by_force } => {
                    plan.refused.push(Refusal { path: name, reason, by_force })
                }
                PathDecision::Change(to) => {
                    let from = now.get(&name).cloned().unwrap_or(Node::Absent);
                    plan.steps
                        .push(UndoStep { from: Entry::new(name.clone(), from), to: Entry::new(name, to) });
                }
            }
        }
        plan
    }

    fn present(&self, name: &Path) -> &Node {
        self.situation.now.get(name).unwrap_or(&Node::Absent)
    }

    /// Whether `name` was asked for, or is a folder without which that cannot be.
    fn is_chosen(&self, name: &Path) -> bool {
        let chosen = self.situation.chosen;
        let is_needed = self.kept.get(name).is_some_and(|entry| {
            entry.implied || (entry.node.is_directory() && !self.present(name).is_directory())
        });
        chosen.is_empty()
            || chosen.iter().any(|chosen| is_within(name, chosen))
            || (is_needed && chosen.iter().any(|chosen| is_within(chosen, name)))
    }

    /// Whether a file or a link takes the place of what is at `name`.
    fn gives_way(&self, name: &Path) -> bool {
        matches!(
            self.decisions.get(name),
            Some(PathDecision::Change(Node::File { .. } | Node::Symlink { .. }))
        )
    }
}
