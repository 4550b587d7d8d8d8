//! The net under a call of which nobody knows beforehand what it will change.
//!
//! Invariant: what a look at the tree found stays known until the next one, bytes included; so whatever differs between
//! two looks can be given back, whoever changed it. It is put down to the calls that ran in between.
//!
//! A look costs a stat for each file. Only what is new is read, and what git has under a name of its own is not even
//! kept: the name is enough, since git's objects are held ([`git_objects`]).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;

use crate::checkpoint::Error;
use crate::checkpoint::cache::{NET, TreeCache};
use crate::checkpoint::catalogue::EndedCall;
use crate::checkpoint::git_objects::{self, Holding};
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::{Entry, Skipped};
use crate::checkpoint::objects::Digest;
use crate::checkpoint::objects_lock;
use crate::checkpoint::opened::{self, OpenedCall};
use crate::checkpoint::scan::{ReadFile, ScanOptions, TreeScan, scan};
use crate::checkpoint::store::Store;
use crate::checkpoint::tree::at_rest;
use crate::checkpoint::walk::WalkBounds;
use crate::state::atomic::Durability;
use crate::state::lock::Lock;

mod before;
mod closing;
pub(crate) mod git_index;
mod passing;
mod standing;

pub use closing::{close, close_left};

use before::NetBaseline;
use standing::DirectoryIdentity;

/// How long a call waits for another one's look.
const WAIT: Duration = Duration::from_secs(2);
/// How long objects are taken hold of before a call.
const HOLDING: Duration = Duration::from_millis(30);

/// So many names of what changed before a call are noted.
const MOST_OLDER: usize = 256;

/// How much a look may cost.
#[derive(Debug, Clone, Copy)]
pub struct Effort<'a> {
    /// What is kept at most, and when the look must be done.
    pub bounds: WalkBounds<'a>,
    /// How long new files are read.
    pub reading: Duration,
}

/// A call that a net is laid under.
#[derive(Debug, Clone, Copy)]
pub struct NetRequest<'a> {
    /// Where.
    pub store: &'a Store,
    /// The call.
    pub call: EndedCall<'a>,
    /// The subagent that makes it, if it is not the main agent.
    pub agent: Option<&'a str>,
    /// Its tool.
    pub tool: &'a str,
    /// What it does, in a line.
    pub summary: &'a str,
    /// How much it may cost.
    pub effort: Effort<'a>,
    /// The time.
    pub now: Timestamp,
}

/// A net as it was laid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenNet {
    /// Whether everything was seen and kept that is to be kept.
    pub is_whole: bool,
}

/// What a call over a net was found to have changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NetChanges {
    /// Whether what is not in it is as it was.
    pub is_whole: bool,
    /// What was there before, as far as it was kept.
    pub before: Vec<Entry>,
    /// What was not kept, and why.
    pub unkept: Vec<Skipped>,
    /// What had changed before the call began and after the last look before that; `None` where the looks did not see
    /// all of the tree, or too much. A name that is no text is not among it.
    pub older: Option<Vec<String>>,
}

/// What a look found.
struct Look {
    net: OpenNet,
    /// What differs from the last one; `None` where one of them did not see all of the tree.
    changed: Option<Vec<PathBuf>>,
}

/// Lays the net under a call that is about to run.
pub fn lay(laying: &NetRequest<'_>) -> Result<OpenNet, Error> {
    let store = laying.store;
    let _lock = lock(store)?;
    let _writing = objects_lock::writing(store)?;
    git_objects::keep_from_cleaning(store).map_err(Error::io("write in", store.layout().root()))?;
    let Look { net: laid, changed } = look(store, &laying.effort)?;
    passing::pass_over(store, laying.call.loop_id, laying.agent, laying.now)?;
    let opened = OpenedCall {
        agent: laying.agent.map(str::to_owned),
        is_passed: false,
        loop_id: laying.call.loop_id.to_owned(),
        iteration: laying.call.iteration,
        tool_call_id: laying.call.tool_call_id.map(str::to_owned),
        tool: laying.tool.to_owned(),
        summary: laying.summary.to_owned(),
        began: laying.now,
        before: Vec::new(),
        is_whole: laid.is_whole,
        unkept: Vec::new(),
        older: changed.filter(|changed| changed.len() <= MOST_OLDER).map(texts),
    };
    opened.write(store)?;
    Ok(laid)
}

fn texts(names: Vec<PathBuf>) -> Vec<String> {
    names.into_iter().filter_map(|name| name.into_os_string().into_string().ok()).collect()
}

/// Looks at the tree before any call does, so that none has to wait for it.
pub fn spread_out(store: &Store, effort: &Effort<'_>) -> Result<OpenNet, Error> {
    {
        // Reading takes its time: it is done beside whatever calls do, and then looked at once more.
        let _writing = objects_lock::writing(store)?;
        let standing = DirectoryIdentity::of(store)?;
        let cache = TreeCache::read(store, NET);
        let keep = keeping(store);
        deep(store, &cache, effort, &|path| standing.check().and_then(|()| keep(path)))?;
        standing.check()?;
    }
    let _lock = lock(store)?;
    let _writing = objects_lock::writing(store)?;
    look(store, effort).map(|look| look.net)
}

/// How many bytes a first look would have to read, without leaving anything on the disk.
pub fn unread_bytes(store: &Store, effort: &Effort<'_>) -> Result<u64, Error> {
    let bytes = AtomicU64::new(0);
    let weigh = |path: &Path| {
        let file = fs::symlink_metadata(path).map_err(Error::io("read", path))?;
        bytes.fetch_add(file.len(), Ordering::Relaxed);
        Ok((Digest::unread(), file.len()))
    };
    deep(store, &TreeCache::read(store, NET), effort, &weigh)?;
    Ok(bytes.into_inner())
}

/// Notes that an agent begins a call that needs no net: those of its calls that were never heard of again are over.
pub fn pass_over(
    store: &Store,
    loop_id: &str,
    agent: Option<&str>,
    effort: &Effort<'_>,
    now: Timestamp,
) -> Result<(), Error> {
    if passing::passed_over(store, loop_id, agent)?.is_empty() {
        return Ok(());
    }
    let _lock = lock(store)?;
    let _writing = objects_lock::writing(store)?;
    look(store, effort)?;
    passing::pass_over(store, loop_id, agent, now)
}

fn lock(store: &Store) -> Result<Lock, Error> {
    let path = store.layout().root().join("net.lock");
    Lock::take(&path, WAIT).map_err(Error::io("lock", &path))?.ok_or(Error::Busy)
}

fn keeping(store: &Store) -> impl Fn(&Path) -> Result<(Digest, u64), Error> + Sync {
    |path| store.objects().keep_file(path, Durability::Process)
}

fn deep(
    store: &Store,
    cache: &TreeCache,
    effort: &Effort<'_>,
    read: &ReadFile<'_>,
) -> Result<TreeScan, Error> {
    scan(&ScanOptions {
        store,
        cache,
        sticky: true,
        known: &|_| false,
        bounds: &effort.bounds,
        read,
        at_rest: at_rest(),
        meter: &Meter::default(),
        deep: true,
        read_until: Instant::now().checked_add(effort.reading),
    })
}

/// What was there at the last look, of all that is not the same now. Nothing is written down of it.
pub fn since_last_look(store: &Store, effort: &Effort<'_>) -> Result<Vec<Entry>, Error> {
    let cache = TreeCache::read(store, NET);
    let scan = deep(store, &cache, effort, &keeping(store))?;
    Ok(NetBaseline::of(store, &cache, &scan).entries)
}

/// Whether the last look saw a repository within the project, of which the project's own git tells nothing.
pub fn saw_repositories(store: &Store) -> bool {
    let is_within = |name: &Path| {
        let above = name.parent().filter(|above| !above.as_os_str().is_empty());
        name.ends_with(".git/modules") || name.ends_with(".git") && above.is_some()
    };
    TreeCache::read(store, NET).folders().any(is_within)
}

/// Looks at the tree, and puts what differs from the last look down to the calls that run.
fn look(store: &Store, effort: &Effort<'_>) -> Result<Look, Error> {
    let cache = TreeCache::read(store, NET);
    let scan = deep(store, &cache, effort, &keeping(store))?;
    // What git has by name is asked for while it is there.
    let Holding { is_whole: is_held, destroyed } = hold(store, &cache, &scan);
    let running: Vec<OpenedCall> =
        opened::files(store)?.iter().filter_map(|path| OpenedCall::read(path)).collect();
    let is_same_mode = cache.mode().is_none_or(|mode| mode == scan.mode);
    if !running.is_empty() && (!scan.changed.is_empty() || !is_same_mode || !destroyed.is_empty()) {
        let mut before = NetBaseline::of(store, &cache, &scan);
        before.take_destroyed(store, &destroyed);
        let NetBaseline { entries, unkept } = before;
        for mut opened in running {
            opened.add(&entries, &unkept);
            opened.write(store)?;
        }
    }
    if scan.has_read
        || !scan.changed.is_empty()
        || scan.is_whole != cache.is_whole()
        || cache.mode() != Some(scan.mode)
    {
        TreeCache::write_net(store, &scan.folders, scan.mode, scan.is_whole)
            .map_err(Error::io("write", store.layout().root()))?;
    }
    let is_kept = !scan.nodes_unkept();
    let net = OpenNet { is_whole: scan.is_whole && is_kept && is_held };
    let is_seen = scan.is_whole && cache.is_whole();
    Ok(Look { net, changed: is_seen.then_some(scan.changed) })
}

/// Holds the objects of all repositories. One whose objects can't be held has them all the same, for now. One that the
/// last look did not see, at a name that had another before, has lost nothing since.
fn hold(store: &Store, cache: &TreeCache, scan: &TreeScan) -> Holding {
    let Some(until) = Instant::now().checked_add(HOLDING) else { return Holding::default() };
    let mut all = Holding { is_whole: true, destroyed: Vec::new() };
    for name in &scan.objects {
        let own = git_objects::hold(store, name, until).unwrap_or_default();
        all.is_whole &= own.is_whole;
        if !before::is_known_absent(cache, name) {
            all.destroyed.extend(own.destroyed);
        }
    }
    all
}
