//! Whether a file holds the work of others: another loop's session, a person, nobody whom anybody knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::store::Store;
use crate::checkpoint::way::look;
use crate::lifecycle::changes::call_times::CallTimes;
use crate::lifecycle::changes::file_text::changed_at;
use crate::lifecycle::changes::traces::Traces;
use crate::lifecycle::changes::way_back::{FileStep, WayBack};
use crate::lifecycle::changes::{touched, tree};
use crate::lifecycle::context::hook_context::HookContext;
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::registry::Registry;
use crate::text::headline::{cut, one_line};

/// So much of a call is named, in letters.
const NAMED: usize = 60;

/// Why a file is not a loop's alone to take back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotOwnReason {
    /// The session of this loop has changed it, and this loop may have, too.
    OtherLoop(String),
    /// The session of this loop alone has changed it.
    OtherLoopAlone(String),
    /// No call of this loop has changed it.
    Nobodys,
    /// It was last changed while the criterion ran.
    Verified,
    /// It was last changed while this call of the loop ran, whose text accounts for no such change.
    Beside(String),
    /// This loop has changed it, and so has somebody else.
    Both,
}

impl NotOwnReason {
    /// Whether no call of any loop is known to have made it.
    pub fn is_nobodys(&self) -> bool {
        matches!(self, NotOwnReason::Nobodys | NotOwnReason::Verified | NotOwnReason::Beside(_))
    }

    /// Whether another loop's session alone has made it: it is none of this loop's to take back, whatever is forced.
    pub fn is_another_loops_alone(&self) -> bool {
        matches!(self, NotOwnReason::OtherLoopAlone(_))
    }

    /// What a person reads of it.
    pub fn reason(&self) -> String {
        match self {
            NotOwnReason::OtherLoop(id) | NotOwnReason::OtherLoopAlone(id) => {
                format!("the session of loop {id} has changed it")
            }
            NotOwnReason::Nobodys => "no call of this loop has changed it".to_owned(),
            NotOwnReason::Verified => "changed while the criterion ran, by it or by somebody else".to_owned(),
            NotOwnReason::Beside(call) => changed_beside(call),
            NotOwnReason::Both => "somebody else has changed it as well".to_owned(),
        }
    }
}

/// What is said of a file that changed while a call ran whose text accounts for no such change.
pub fn changed_beside(call: &str) -> String {
    format!("changed while `{}` ran; this may be somebody else's", cut(&one_line(call), NAMED))
}

/// What a loop's files are taken back to.
pub struct Start {
    /// The loop.
    pub loop_id: String,
    /// When they were so.
    pub at: Timestamp,
    /// The whole tree of then, by path; `None` where it was not kept.
    tree: Option<BTreeMap<PathBuf, Node>>,
}

impl Start {
    /// The start of a loop or session.
    pub fn of_loop(store: &Store, loop_id: &str) -> Result<Start, String> {
        let at = LoopState::read(store.layout(), loop_id).map_err(|error| error.to_string())?.started_at;
        let trees = catalogue::list(store, Some(loop_id)).map_err(|error| error.to_string())?.checkpoints;
        let start = trees.into_iter().rev().find(|manifest| manifest.tree && manifest.label == "baseline");
        let tree = start.map(|start| nodes(store, start)).transpose()?;
        Ok(Start { loop_id: loop_id.to_owned(), at, tree })
    }

    /// A kept tree.
    pub fn of_tree(store: &Store, tree: Manifest) -> Result<Start, String> {
        let (loop_id, at) = (tree.loop_id.clone(), tree.created_at);
        Ok(Start { loop_id, at, tree: Some(nodes(store, tree)?) })
    }
}

/// What a kept tree had, by path.
fn nodes(store: &Store, tree: Manifest) -> Result<BTreeMap<PathBuf, Node>, String> {
    let whole = tree.whole(store).map_err(|error| error.to_string())?;
    Ok(whole.entries.into_iter().map(|entry| (entry.path, entry.node)).collect())
}

/// The record of a loop and those of all others, since a moment.
struct Records {
    own: Traces,
    others: Vec<(String, Traces)>,
}

impl Records {
    fn read(layout: &Layout, store: &Store, loop_id: &str, since: Timestamp) -> Result<Records, String> {
        let own = Traces::of(store, layout, loop_id, since)?;
        Ok(Records { own, others: of_other_loops(layout, store, loop_id, since)? })
    }

    /// The other loop that has changed a file, as far as one did so for sure.
    fn other(&self, path: &Path, at: Option<Timestamp>) -> Option<&String> {
        let by = |traces: &Traces| at.is_some_and(|at| traces.times.hold(at));
        let is_its = |traces: &Traces| {
            traces.may_have_made(path)
                || self.own.ran_beside_unjudged(path, traces)
                || by(traces) && !by(&self.own)
        };
        self.others.iter().find(|(_, traces)| is_its(traces)).map(|(id, _)| id)
    }
}

/// The traces of all other loops, by their ids.
pub(crate) fn of_other_loops(
    layout: &Layout,
    store: &Store,
    loop_id: &str,
    since: Timestamp,
) -> Result<Vec<(String, Traces)>, String> {
    let registry = Registry::read(layout).map_err(|error| error.to_string())?;
    registry.others(loop_id).map(|id| Ok((id.clone(), Traces::of(store, layout, id, since)?))).collect()
}

/// Which of these files, that differ from a start, hold the work of others since, each with the reason. Where no call of a
/// driver's agent is known (it need not tell of any), only another loop's files are.
pub fn of_others(
    store: &Store,
    start: &Start,
    paths: &[PathBuf],
) -> Result<Vec<(PathBuf, NotOwnReason)>, String> {
    let layout = store.layout();
    let records = Records::read(layout, store, &start.loop_id, start.at)?;
    let state = LoopState::read(layout, &start.loop_id).map_err(|error| error.to_string())?;
    let named = touched::named_by_calls(layout, &start.loop_id).into_iter().map(PathBuf::from).collect();
    let tells = records.own.times.has_calls() || state.configuration.driver.is_none();
    let judge = Judge { store, start, records, named, tells };
    Ok(paths.iter().filter_map(|path| Some((path.clone(), judge.reason(path)?))).collect())
}

/// Which of these files, that differ from a start, no call of the loop made. Where no call of it is known, those that
/// another loop's session changed.
pub fn of_no_call(store: &Store, start: &Start, paths: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    let has_calls = CallTimes::of(store.layout(), &start.loop_id, start.at).has_calls();
    let is_none = |reason: &NotOwnReason| match reason {
        NotOwnReason::OtherLoop(_) | NotOwnReason::OtherLoopAlone(_) => true,
        reason if reason.is_nobodys() => has_calls,
        _ => false,
    };
    let others = of_others(store, start, paths)?;
    Ok(others.into_iter().filter(|(_, reason)| is_none(reason)).map(|(path, _)| path).collect())
}

/// What decides whether a file holds the work of others.
struct Judge<'a> {
    store: &'a Store,
    start: &'a Start,
    records: Records,
    /// What calls of the loop named, whenever.
    named: BTreeSet<PathBuf>,
    /// Whether the loop's agent tells of its calls.
    tells: bool,
}

impl Judge<'_> {
    /// Whether no call of the loop names or left a file, or ran when it was last changed.
    fn is_none_of_own(&self, path: &Path, at: Option<Timestamp>) -> bool {
        let own = &self.records.own;
        let is_known = own.may_have_made(path) || self.named.contains(path) || !own.steps(path).is_empty();
        self.tells && !is_known && at.is_none_or(|at| !own.times.may_hold(at))
    }

    fn reason(&self, path: &Path) -> Option<NotOwnReason> {
        let (own, at) = (&self.records.own, last_change(self.store, path));
        if let Some(other) = self.records.other(path, at) {
            let is_alone = self.is_none_of_own(path, at);
            let reason = if is_alone { NotOwnReason::OtherLoopAlone } else { NotOwnReason::OtherLoop };
            return Some(reason(other.clone()));
        }
        let now = look(&self.store.path(path)).ok()?;
        let steps = own.steps(path);
        let tree = self.start.tree.as_ref().map(|tree| tree.get(path).unwrap_or(&Node::Absent));
        let before = tree.or(steps.first().map(|step| &step.found));
        // A folder holds no work of its own.
        if now.is_directory() || before.is_some_and(Node::is_directory) {
            return None;
        }
        if let Some(call) = own.beside(path, &now) {
            return Some(NotOwnReason::Beside(call.to_owned()));
        }
        let way = before.map(|before| (before, WayBack::of(before, &steps, None)));
        if way.is_some_and(|(before, way)| way.between || !way.base.same(before)) {
            return Some(NotOwnReason::Both);
        }
        // What came just before a call is somebody's save, though a hook ran.
        let is_own_time = at.is_some_and(|at| own.times.surely_hold(at));
        let is_known = |node: &Node| node.same(&now);
        let is_as_known =
            || steps.iter().any(|step| is_known(&step.found) || step.left.as_ref().is_some_and(is_known));
        match own.left.get(path) {
            Some(_) if is_own_time || is_as_known() => None,
            Some(_) if at.is_some_and(|at| own.times.verified(at)) => Some(NotOwnReason::Verified),
            Some(_) => Some(NotOwnReason::Both),
            None if !self.tells => None,
            None if self.named.contains(path) && at.is_some_and(|at| own.times.may_hold(at)) => None,
            None if at.is_some_and(|at| own.times.surely_hold(at)) => None,
            None if at.is_some_and(|at| own.times.verified(at)) => Some(NotOwnReason::Verified),
            None => Some(NotOwnReason::Nobodys),
        }
    }
}

/// Which of these files, changed since a moment, are not the work of this session's calls, each with the reason. What was
/// changed while the criterion ran may be anybody's. Where no call of the loop is known, only another loop's files are.
pub fn foreign(context: &HookContext, since: Timestamp, paths: &[&str]) -> BTreeMap<String, NotOwnReason> {
    let Some(bound) = context.bound.as_ref().filter(|_| !paths.is_empty()) else { return BTreeMap::new() };
    let began = bound.entry.started_at;
    let Ok(records) = Records::read(&context.layout, &context.store, &bound.id, began) else {
        return BTreeMap::new();
    };
    let own = &records.own;
    let reason = |path: &&str| {
        let (name, at) = (Path::new(path), last_change(&context.store, Path::new(path)));
        let is_left = || own.steps(name).last().is_some_and(|step| step.at >= since);
        let is_beside = || own.beside(name, &look(&context.store.path(name)).unwrap_or(Node::Absent));
        if own.left.contains_key(name) && is_left() && is_beside().is_none() {
            return None;
        }
        if let Some((id, _)) = records.others.iter().find(|(_, traces)| traces.may_have_made(name)) {
            return Some(NotOwnReason::OtherLoop(id.clone()));
        }
        if let Some(call) = is_beside() {
            return Some(NotOwnReason::Beside(call.to_owned()));
        }
        let by_own = at.is_some_and(|at| own.times.surely_hold(at));
        let verified = at.is_some_and(|at| own.times.verified(at));
        let nobodys = if verified { NotOwnReason::Verified } else { NotOwnReason::Nobodys };
        (own.times.has_calls() && !by_own).then_some(nobodys)
    };
    paths.iter().filter_map(|path| Some(((*path).to_owned(), reason(path)?))).collect()
}

/// Which of these files hold nothing that the commit has not, but the work of this session's calls: from the commit's text on
/// each call found what the one before it left.
pub fn own_since_commit(context: &HookContext, paths: &[String]) -> BTreeSet<String> {
    let own = || {
        let bound = context.bound.as_ref()?;
        let (began, layout) = (bound.entry.started_at, &context.layout);
        let traces = Traces::of(&context.store, layout, &bound.id, began).ok()?;
        let names: Vec<&str> = paths.iter().map(String::as_str).collect();
        let committed = tree::texts_at(&context.project, "HEAD", &names)?;
        let known = paths.iter().zip(committed).filter_map(|(path, text)| Some((path, text?)));
        let own = known.filter(|(path, text)| {
            let name = Path::new(path.as_str());
            let now = look(&context.store.path(name)).ok();
            now.is_some_and(|now| leads_to(&Digest::of(text.as_bytes()), &traces.steps(name), &now))
        });
        Some(own.map(|(path, _)| path.clone()).collect())
    };
    own().unwrap_or_default()
}

/// Whether the last steps of a file lead from a text to what it is now without a gap.
fn leads_to(text: &Digest, steps: &[FileStep], now: &Node) -> bool {
    let has_text = |node: &Node| matches!(node, Node::File { sha256, .. } if sha256 == text);
    let start = steps.iter().rposition(|step| has_text(&step.found)).unwrap_or(steps.len());
    let own = steps.get(start..).unwrap_or_default();
    let is_joined = |pair: &[FileStep]| matches!(pair, [one, next] if one.left.as_ref().is_some_and(|left| left.same(&next.found)));
    has_text(now)
        || own.windows(2).all(is_joined)
            && own.last().and_then(|last| last.left.as_ref()).is_some_and(|left| left.same(now))
}

/// Whether a file was last changed before a moment.
pub fn is_before(store: &Store, path: &Path, moment: Option<Timestamp>) -> bool {
    last_change(store, path).zip(moment).is_some_and(|(at, moment)| at < moment)
}

fn last_change(store: &Store, path: &Path) -> Option<Timestamp> {
    fs::symlink_metadata(store.path(path)).ok().map(|metadata| changed_at(&metadata))
}
