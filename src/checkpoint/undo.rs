//! Giving back what was kept.
//!
//! Invariant: what a restore replaces or removes is a checkpoint of its own first, so an undo can be undone.
//! File times are not restored: a build tool has to see that the content changed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::flush::{self, FEW};
use crate::checkpoint::gc;
use crate::checkpoint::journal::{Journal, Outcome};
use crate::checkpoint::keep::{implied, keep_file};
use crate::checkpoint::manifest::{After, Manifest, Trigger, VERSION};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Node, Skipped, is_within};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::plan::{Plan, Refusal, Situation, Step, plan};
use crate::checkpoint::settle::{changes, read_file};
use crate::checkpoint::spread::spread;
use crate::checkpoint::store::Store;
use crate::checkpoint::target::Target;
use crate::checkpoint::tree::{self, Moment, Taking};
use crate::checkpoint::walk::{Bounds, Found, walk};
use crate::checkpoint::way;
use crate::state::atomic::Durability;
use crate::state::lock::{CLI_WAIT, Lock};
use crate::state::registry::Registry;

/// Which checkpoint to restore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// The newest one of a call that changed something, or of an undo: an undo is undone by the next.
    Last,
    /// That of the tool call with this id, or the checkpoint with this id.
    Id(String),
    /// The start of the session or loop with this id, or of the one that kept something last.
    Session(Option<String>),
}

/// How to restore.
#[derive(Debug, Clone)]
pub struct Options {
    /// Replace newer work too. It is kept first, like all that is replaced.
    pub force: bool,
    /// Only say what would be done.
    pub dry_run: bool,
    /// Only these, with what is below them; all when empty. A relative path is meant from the project.
    pub paths: Vec<PathBuf>,
    /// The time.
    pub now: Timestamp,
}

/// What a restore did, or would do. Paths are names as in the manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The loop of the checkpoint.
    pub loop_id: String,
    /// The checkpoint.
    pub checkpoint_id: String,
    /// What it was for, in a line.
    pub summary: String,
    /// What is there again as it was kept.
    pub restored: Vec<PathBuf>,
    /// What was not there when it was kept, and is gone again.
    pub removed: Vec<PathBuf>,
    /// What was as it was kept already.
    pub unchanged: Vec<PathBuf>,
    /// What was left although it differs, and why.
    pub refused: Vec<Refusal>,
    /// What was never kept, and why.
    pub not_kept: Vec<Skipped>,
    /// The checkpoint of what was replaced; `None` when nothing was.
    pub pre_restore: Option<String>,
}

/// Restores a checkpoint.
pub fn restore(store: &Store, selection: &Selection, options: &Options) -> Result<Report, Error> {
    restore_shown(store, selection, options, &Meter::default())
}

/// As [`restore`], counted by `meter`.
pub fn restore_shown(
    store: &Store,
    selection: &Selection,
    options: &Options,
    meter: &Meter,
) -> Result<Report, Error> {
    let finished = restore_until(store, selection, options, meter, &mut || true)?;
    finished.ok_or(Error::Unfinished)
}

/// Finishes a restore that was cut short.
pub fn resume(store: &Store, now: Timestamp, meter: &Meter) -> Result<Report, Error> {
    let _lock = lock(store)?;
    let journal = Journal::read(store)?.ok_or(Error::NothingToContinue)?;
    let outcome = journal.carry_out(store, meter, &mut || true)?.ok_or(Error::Unfinished)?;
    let pre_restore = journal.pre_restore.clone();
    let Journal { loop_id, checkpoint_id, .. } = journal;
    let summary = format!("continued at {now:.0}");
    let report = Report {
        loop_id,
        checkpoint_id,
        summary,
        restored: Vec::new(),
        removed: Vec::new(),
        unchanged: Vec::new(),
        refused: Vec::new(),
        not_kept: Vec::new(),
        pre_restore: Some(pre_restore),
    };
    Ok(report.with(outcome))
}

impl Report {
    fn with(mut self, outcome: Outcome) -> Report {
        self.restored.extend(outcome.restored);
        self.removed.extend(outcome.removed);
        self.refused.extend(outcome.refused);
        self
    }
}

/// As [`restore`]; `None` when `go_on` ended it half-way.
pub(crate) fn restore_until(
    store: &Store,
    selection: &Selection,
    options: &Options,
    meter: &Meter,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Option<Report>, Error> {
    let _lock = lock(store)?;
    if Journal::read(store)?.is_some() {
        return Err(Error::Unfinished);
    }
    let chosen: Vec<PathBuf> = options.paths.iter().map(|path| store.name(path)).collect();
    let target = select(store, selection, &chosen)?;
    let now = observe(store, &target, options.force, meter)?;
    let Target { manifest, .. } = target;
    let unavailable = unavailable(store, &manifest, &now);
    let situation = Situation {
        manifest: &manifest,
        now: &now,
        chosen: &chosen,
        force: options.force,
        unavailable: &unavailable,
    };
    let Plan { steps, unchanged, refused } = plan(&situation);
    let mut report = Report {
        loop_id: manifest.loop_id.clone(),
        checkpoint_id: manifest.checkpoint_id.clone(),
        summary: manifest.summary.clone(),
        restored: Vec::new(),
        removed: Vec::new(),
        unchanged,
        refused,
        not_kept: gaps(&manifest),
        pre_restore: None,
    };
    if options.dry_run {
        let (removed, restored) =
            steps.into_iter().partition::<Vec<_>, _>(|step| step.to.node == Node::Absent);
        report.removed = removed.into_iter().map(|step| step.to.path).collect();
        report.restored = restored.into_iter().map(|step| step.to.path).collect();
        return Ok(Some(report));
    }
    if steps.is_empty() {
        return Ok(Some(report));
    }
    let mut now = options.now;
    if manifest.tree {
        keep_tree(store, &manifest, now, meter)?;
        // What the restore leaves comes after that tree, in the order of times.
        now = now.checked_add(SignedDuration::from_micros(1)).unwrap_or(now);
    }
    let pre_restore = keep_replaced(store, &manifest, &steps, now)?;
    report.pre_restore = Some(pre_restore.clone());
    let journal = Journal {
        version: VERSION,
        loop_id: manifest.loop_id,
        checkpoint_id: manifest.checkpoint_id,
        pre_restore,
        folders: Journal::folders(store, &steps),
        steps,
    };
    journal.write(store)?;
    Ok(journal.carry_out(store, meter, go_on)?.map(|outcome| report.with(outcome)))
}

fn lock(store: &Store) -> Result<Lock, Error> {
    let path = store.layout().root().join("restore.lock");
    Lock::take(&path, CLI_WAIT).map_err(Error::io("lock", &path))?.ok_or(Error::Busy)
}

/// What was not kept, of what the checkpoint is about.
fn gaps(manifest: &Manifest) -> Vec<Skipped> {
    let is_meant = |skipped: &&Skipped| !manifest.tree || skipped.is_gap();
    manifest.skipped.iter().filter(is_meant).cloned().collect()
}

fn select(store: &Store, selection: &Selection, chosen: &[PathBuf]) -> Result<Target, Error> {
    match selection {
        Selection::Id(id) => {
            let manifest = catalogue::find(store, id)?;
            if manifest.tree { Target::of_tree(store, manifest) } else { Ok(Target::of_call(manifest)) }
        }
        Selection::Session(id) => Target::of_session(store, id.as_deref()),
        Selection::Last => last(store, chosen).map(Target::of_call),
    }
}

fn last(store: &Store, chosen: &[PathBuf]) -> Result<Manifest, Error> {
    let catalogue = catalogue::list(store, None)?;
    let is_undoable = |manifest: &Manifest| {
        !manifest.tree && matches!(manifest.trigger, Trigger::PreRiskyOp | Trigger::PreRestore)
    };
    let is_last = |manifest: &Manifest| is_undoable(manifest) && has_effect(store, manifest, chosen);
    let last = catalogue.checkpoints.into_iter().find(is_last);
    // One that cannot be read may have been newer, but the way back must not end at it.
    last.ok_or_else(|| catalogue.unreadable.into_iter().next().unwrap_or(Error::NothingToUndo))
}

/// Whether the call changed something: one that was denied, or that found nothing to do, is not what a person means.
/// A restore says beforehand what it will leave, so for one only the disk tells whether it came to that.
fn has_effect(store: &Store, manifest: &Manifest, chosen: &[PathBuf]) -> bool {
    let is_chosen =
        |entry: &Entry| chosen.is_empty() || chosen.iter().any(|chosen| is_within(&entry.path, chosen));
    match &manifest.after {
        Some(after) if manifest.trigger != Trigger::PreRestore => after.changed.iter().any(is_chosen),
        _ => changes(store, manifest, &Bounds::none()).iter().any(is_chosen),
    }
}

/// What is there now. A file that neither the checkpoint nor the call knows is only read where it could be replaced.
fn observe(
    store: &Store,
    target: &Target,
    force: bool,
    meter: &Meter,
) -> Result<BTreeMap<PathBuf, Node>, Error> {
    let manifest = &target.manifest;
    let kept = manifest.entries.iter().map(|entry| entry.path.as_path());
    let left = manifest.after.iter().flat_map(|after| after.changed.iter().map(|entry| entry.path.as_path()));
    let known: BTreeSet<&Path> = kept.chain(left).collect();
    let mut now = BTreeMap::new();
    if manifest.tree {
        let (seen, skipped) = tree::look(store, &known, meter)?;
        now = seen;
        for skipped in skipped {
            now.entry(skipped.path).or_insert(Node::Other);
        }
    }
    let read_all = force || manifest.after.is_none();
    let roots = target.roots.iter().filter(|root| store.obstacle(root).is_none()).cloned();
    let roots: Vec<PathBuf> = roots.collect();
    let tree = walk(store, &roots, &Bounds::none(), &mut |found| {
        if read_all || known.contains(found.name) {
            read_file(found)
        } else {
            Ok(Entry::new(found.name.to_owned(), Node::Other))
        }
    });
    now.extend(tree.entries.into_iter().map(|(name, entry)| (name, entry.node)));
    for skipped in tree.skipped {
        now.entry(skipped.path).or_insert(Node::Other);
    }
    // Deepest first: a folder that was made on the way only counts when all that is in it does.
    let mut made: Vec<&Path> =
        manifest.entries.iter().filter(|entry| entry.implied).map(|entry| entry.path.as_path()).collect();
    made.sort_unstable_by(|a, b| b.cmp(a));
    for name in made {
        if let Some(folder) = folder_of_known(store, name, &now) {
            now.insert(name.to_owned(), folder);
        }
    }
    now.retain(|_, node| *node != Node::Absent);
    Ok(now)
}

/// The folder `name`, if it is one and nothing is in it but what is in `now`.
fn folder_of_known(store: &Store, name: &Path, now: &BTreeMap<PathBuf, Node>) -> Option<Node> {
    if store.obstacle(name).is_some() {
        return None;
    }
    let path = store.path(name);
    let folder = way::look(&path).ok().filter(Node::is_directory)?;
    let mut children = fs::read_dir(&path).ok()?;
    let is_known = |child: io::Result<fs::DirEntry>| {
        child.is_ok_and(|child| now.contains_key(&store.child(name, &child.file_name())))
    };
    children.all(is_known).then_some(folder)
}

/// What cannot be restored, found out before anything is touched: what a link or file has come in the way of, and
/// what lost its blob.
fn unavailable(
    store: &Store,
    manifest: &Manifest,
    now: &BTreeMap<PathBuf, Node>,
) -> BTreeMap<PathBuf, String> {
    let mut unavailable = BTreeMap::new();
    for root in manifest.roots() {
        if let Some(obstacle) = store.obstacle(root) {
            unavailable.insert(root.to_owned(), way::obstacle_reason(&obstacle));
        }
    }
    let wanted = manifest.entries.iter().filter_map(|entry| match &entry.node {
        Node::File { sha256, .. } if !now.get(&entry.path).is_some_and(|node| node.same(&entry.node)) => {
            Some((&entry.path, sha256))
        }
        _ => None,
    });
    let wanted: Vec<(&PathBuf, &Digest)> = wanted.collect();
    let verified = spread(&wanted, 2, &|(_, sha256)| store.objects().verify(sha256));
    for ((path, _), verified) in wanted.into_iter().zip(verified) {
        if let Err(error) = verified {
            unavailable.insert(path.clone(), error.to_string());
        }
    }
    unavailable
}

/// Keeps the whole tree before a loop's work is taken back, as `iteration-NNN-pre-revert` of the iteration that the
/// loop is in. What the restore replaces is kept besides, so a file that is too large here is not lost.
fn keep_tree(store: &Store, manifest: &Manifest, now: Timestamp, meter: &Meter) -> Result<(), Error> {
    let registry = Registry::read(store.layout()).unwrap_or_default();
    let iteration = registry.loops.get(&manifest.loop_id).map_or(manifest.iteration, |entry| entry.iteration);
    let summary = format!("before going back to {}", manifest.checkpoint_id);
    tree::take(&Taking {
        store,
        loop_id: &manifest.loop_id,
        iteration,
        moment: Moment::PreRestore,
        summary: &summary,
        metrics: serde_json::Map::new(),
        also: &[],
        bounds: tree::patient_bounds(),
        durability: Durability::Process,
        now,
        meter,
    })?;
    Ok(())
}

/// Keeps what the steps replace as a checkpoint whose call is this restore. Answers its id.
fn keep_replaced(
    store: &Store,
    manifest: &Manifest,
    steps: &[Step],
    now: Timestamp,
) -> Result<String, Error> {
    let _writing = gc::writing(store)?;
    keep_content(store, steps)?;
    let mut entries: Vec<Entry> = steps.iter().map(|step| step.from.clone()).collect();
    entries.extend(implied(store, steps.iter().map(|step| step.from.path.as_path())));
    let mut replaced = Manifest {
        version: VERSION,
        checkpoint_id: String::new(),
        loop_id: manifest.loop_id.clone(),
        iteration: manifest.iteration,
        // The name of the documents is the whole tree's, where there is one.
        label: if manifest.tree { "pre-restore" } else { "pre-revert" }.to_owned(),
        created_at: now,
        trigger: Trigger::PreRestore,
        tool_call_id: None,
        tool: None,
        summary: format!("undo of {}: {}", manifest.checkpoint_id, manifest.summary),
        tree: false,
        base: None,
        tags: Vec::new(),
        metrics: serde_json::Map::new(),
        entries,
        skipped: Vec::new(),
        after: Some(After { settled_at: now, changed: steps.iter().map(|step| step.to.clone()).collect() }),
    };
    replaced.create(&store.layout().checkpoints(&manifest.loop_id), Durability::Power)?;
    Ok(replaced.checkpoint_id)
}

/// Keeps the content of the files that steps replace, flushed one by one or, when there are many, together.
fn keep_content(store: &Store, steps: &[Step]) -> Result<(), Error> {
    let files: Vec<&Step> = steps.iter().filter(|step| matches!(step.from.node, Node::File { .. })).collect();
    let is_many = files.len() > FEW;
    let durability = if is_many { Durability::Process } else { Durability::Power };
    let kept = spread(&files, 2, &|step| {
        let path = store.path(&step.from.path);
        let metadata = fs::symlink_metadata(&path).map_err(Error::io("read", &path))?;
        let found = Found { name: &step.from.path, path: &path, metadata: &metadata };
        // Were it to change just now, the step would not be taken: it looks again.
        keep_file(store, &found, durability).map(|_| ())
    });
    kept.into_iter().collect::<Result<(), Error>>()?;
    let root = store.layout().objects();
    if is_many { flush::together(&[&root]).map_err(Error::io("write", &root)) } else { Ok(()) }
}
