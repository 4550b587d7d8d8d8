//! Keeping what a call can touch, before it runs.
//!
//! Invariant: when [`keep`] has answered, everything that is not in [`KeptCheckpoint::skipped`] can be given back byte for byte.
//! What the paths name is kept, also what is not there: its absence comes back too.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::manifest::{self, Manifest, Trigger};
use crate::checkpoint::node::covers;
use crate::checkpoint::node::{Entry, Node, Skipped, Stamp};
use crate::checkpoint::objects_lock;
use crate::checkpoint::store::Store;
use crate::checkpoint::walk::{WalkBounds, WalkedFile, walk};
use crate::state::atomic::Durability;
use crate::state::folders;

/// A chain of links longer than this is a circle.
const LONGEST_CHAIN: usize = 8;
/// A file that changed later than this before it was kept may change again with the same time stamp.
const AT_REST: Duration = Duration::from_secs(2);
/// The mode of a file that is no longer there and of which only the bytes are known.
const USUAL_MODE: u32 = 0o644;

/// What to keep and why.
#[derive(Debug)]
pub struct KeepRequest<'a> {
    /// Where.
    pub store: &'a Store,
    /// The loop that the checkpoint belongs to.
    pub loop_id: &'a str,
    /// Its iteration.
    pub iteration: u32,
    /// Why. A checkpoint for a risky call is named after the call.
    pub trigger: Trigger,
    /// What the others are named after the iteration's number, e.g. `final`; usually nothing.
    pub label: &'static str,
    /// The call's tool.
    pub tool: Option<&'a str>,
    /// The host's id of the call.
    pub tool_call_id: Option<&'a str>,
    /// What the call does, in a line, for the list.
    pub summary: &'a str,
    /// Files, links, folders with all that is in them, and paths that do not exist yet.
    pub paths: &'a [PathBuf],
    /// How much.
    pub bounds: WalkBounds<'a>,
    /// [`Durability::Process`] in a hook: the danger is the call, not a power cut; five flushes would cost more than
    /// all the rest, and a blob that a power cut spoilt is found out by its hash.
    pub durability: Durability,
    /// The time.
    pub now: Timestamp,
}

/// What was kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptCheckpoint {
    /// The checkpoint.
    pub checkpoint_id: String,
    /// Its manifest.
    pub manifest: PathBuf,
    /// How many files are kept in it.
    pub files: usize,
    /// Their size in bytes.
    pub bytes: u64,
    /// What could not be kept, and why.
    pub skipped: Vec<Skipped>,
}

/// Keeps what is at the paths. Fails only when nothing can be written; a file that cannot be read is skipped.
pub fn keep(request: &KeepRequest<'_>) -> Result<KeptCheckpoint, Error> {
    let store = request.store;
    let directory = store.layout().checkpoints(request.loop_id);
    // Before the walk, which then finds its own store in the project and says that it is none of the project's.
    folders::make(&directory).map_err(Error::io("create", &directory))?;
    let _writing = objects_lock::writing(store)?;
    let roots = named(store, request.paths);
    let at_rest = SystemTime::now().checked_sub(AT_REST).and_then(|time| Timestamp::try_from(time).ok());
    let at_rest = at_rest.map_or(i64::MIN, |time| i64::try_from(time.as_nanosecond()).unwrap_or(i64::MIN));
    let mut tree = walk(store, &roots, &request.bounds, &mut |found| {
        let mut entry = keep_file(store, found, request.durability)?;
        entry.stamp =
            Some(Stamp::of(found.metadata)).filter(|stamp| stamp.ctime_ns.max(stamp.mtime_ns) < at_rest);
        Ok(entry)
    });
    let folders = implied(store, roots.iter().map(PathBuf::as_path));
    tree.entries.extend(folders.into_iter().map(|folder| (folder.path.clone(), folder)));
    write(request, &directory, tree.entries.into_values().collect(), tree.skipped)
}

/// Keeps what was at paths before, where that is known although they have changed since: a call that said nothing of
/// them can be undone like any other. `None` stands for a file that was not there.
pub fn keep_known(
    request: &KeepRequest<'_>,
    known: &[(PathBuf, Option<Vec<u8>>)],
) -> Result<KeptCheckpoint, Error> {
    let store = request.store;
    let directory = store.layout().checkpoints(request.loop_id);
    folders::make(&directory).map_err(Error::io("create", &directory))?;
    let _writing = objects_lock::writing(store)?;
    let mut entries = Vec::with_capacity(known.len());
    for (path, bytes) in known {
        let node = match bytes {
            None => Node::Absent,
            Some(bytes) => {
                let (sha256, size) = store.objects().keep(bytes, request.durability)?;
                let mode = fs::symlink_metadata(path).map_or(USUAL_MODE, |metadata| Node::mode(&metadata));
                Node::File { sha256, size, mode }
            }
        };
        entries.push(Entry::new(store.name(path), node));
    }
    entries.sort_by(|one, other| one.path.cmp(&other.path));
    write(request, &directory, entries, Vec::new())
}

fn write(
    request: &KeepRequest<'_>,
    directory: &Path,
    entries: Vec<Entry>,
    skipped: Vec<Skipped>,
) -> Result<KeptCheckpoint, Error> {
    let mut manifest = Manifest {
        iteration: request.iteration,
        trigger: request.trigger,
        tool_call_id: request.tool_call_id.map(str::to_owned),
        tool: request.tool.map(str::to_owned),
        summary: request.summary.to_owned(),
        entries,
        skipped,
        ..Manifest::new(request.loop_id, label(request), request.now)
    };
    let path = manifest.create(directory, request.durability)?;
    let (files, bytes) = manifest.kept_files();
    let Manifest { checkpoint_id, skipped, .. } = manifest;
    Ok(KeptCheckpoint { checkpoint_id, manifest: path, files, bytes, skipped })
}

/// The folders on the way to `names` that do not exist, as far as they are not in one of `names` themselves.
pub(crate) fn implied<'n>(store: &Store, names: impl Iterator<Item = &'n Path>) -> Vec<Entry> {
    let names: BTreeSet<&Path> = names.collect();
    let folders: BTreeSet<&Path> = names.iter().flat_map(|name| store.missing_folders(name)).collect();
    let folders = folders.into_iter().filter(|folder| !covers(&names, folder));
    folders.map(|folder| Entry { implied: true, ..Entry::new(folder.to_owned(), Node::Absent) }).collect()
}

/// Keeps one regular file's bytes and answers its entry.
pub(crate) fn keep_file(
    store: &Store,
    found: &WalkedFile<'_>,
    durability: Durability,
) -> Result<Entry, Error> {
    let (sha256, size) = store.objects().keep_file(found.path, durability)?;
    let node = Node::File { sha256, size, mode: Node::mode(found.metadata) };
    Ok(Entry::new(found.name.to_owned(), node))
}

fn label(request: &KeepRequest<'_>) -> String {
    match (request.trigger, request.tool_call_id) {
        (Trigger::PreRiskyOp, Some(id)) => manifest::call_label(id),
        (Trigger::PreRiskyOp, None) => {
            format!("{}{:016}", manifest::ANONYMOUS_CALL, request.now.as_microsecond())
        }
        _ => request.label.to_owned(),
    }
}

/// The paths' names. A named link stands for the file that it leads to as well: a call that writes to the link writes
/// there. A folder that it leads to is left alone.
fn named(store: &Store, paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut names: Vec<PathBuf> = Vec::with_capacity(paths.len());
    let mut known: HashSet<PathBuf> = HashSet::with_capacity(paths.len());
    for path in paths {
        let mut name = store.name(path);
        for _ in 0..LONGEST_CHAIN {
            let next = link_target(store, &name);
            if known.insert(name.clone()) {
                names.push(name);
            }
            match next {
                Some(next) => name = next,
                None => break,
            }
        }
    }
    names
}

fn link_target(store: &Store, name: &Path) -> Option<PathBuf> {
    let path = store.path(name);
    let target = fs::read_link(&path).ok()?;
    let target = path.parent()?.join(target);
    let is_folder = fs::symlink_metadata(&target).is_ok_and(|metadata| metadata.is_dir());
    // A link that leads through one that leads nowhere leads nowhere.
    (!is_folder).then(|| store.name(&target)).filter(|target| store.obstacle(target).is_none())
}
