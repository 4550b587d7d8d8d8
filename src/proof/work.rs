//! What changed: each file before and after, and on what the rest stands.
//!
//! Invariant: a change is here with both its sides, or its path is in `unread` with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::checkpoint::compare;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::meter::Meter;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::store::Store;
use crate::project::{ContentAfter, Difference, Project};
use crate::state::layout;

/// The work that is proved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvedWork {
    /// The files that differ, by path.
    pub changed: Vec<ChangedFile>,
    /// On what the rest stands.
    pub base: ProofBase,
    /// What it is compared with, in words.
    pub from: String,
    /// What could not be read, and why.
    pub unread: Vec<(String, String)>,
}

/// On what the files that did not change stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProofBase {
    /// On the disk.
    Disk,
    /// In a commit.
    Commit(String),
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedFile {
    /// Relative to the project.
    pub path: String,
    /// Before; `None` where it was not there.
    pub old: Option<Content>,
    /// After; `None` where it is not there.
    pub new: Option<Content>,
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Content {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether it can be run.
    pub executable: bool,
}

impl Content {
    /// Its text, as far as it is one.
    pub fn text(&self) -> Option<&str> {
        std::str::from_utf8(&self.bytes).ok()
    }

    /// The permissions that it gets in a copy.
    pub fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }

    fn on_disk(path: &Path) -> Result<Option<Content>, String> {
        let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(None) };
        if !metadata.is_file() {
            return Err("it is no regular file".to_owned());
        }
        let bytes = fs::read(path).map_err(|error| error.to_string())?;
        Ok(Some(Content { bytes, executable: metadata.permissions().mode() & 0o100 != 0 }))
    }
}

impl ChangedFile {
    /// Its text before.
    pub fn old_text(&self) -> Option<&str> {
        self.old.as_ref().and_then(Content::text)
    }

    /// Its text after.
    pub fn new_text(&self) -> Option<&str> {
        self.new.as_ref().and_then(Content::text)
    }
}

impl ProvedWork {
    /// From one commit to another, as `git diff` takes `revisions`; `to` is the later one.
    pub fn of_commits(
        project: &Project,
        revisions: &[&str],
        to: &str,
        words: &str,
    ) -> Result<ProvedWork, String> {
        let differences = project.git().patient().differences(revisions, &[]);
        let mut work = ProvedWork::empty(ProofBase::Commit(to.to_owned()), words);
        work.take(project, differences.ok_or_else(silent)?)?;
        Ok(work)
    }

    /// From a commit to what is on the disk.
    pub fn since_commit(project: &Project, commit: &str, words: &str) -> Result<ProvedWork, String> {
        let git = project.git().patient();
        let mut differences = git.differences(&[commit], &[]).ok_or_else(silent)?;
        let new = git.untracked(&[]).ok_or_else(silent)?.into_iter();
        differences.extend(new.map(|path| Difference {
            path,
            before: None,
            was_executable: false,
            after: ContentAfter::Disk,
        }));
        let mut work = ProvedWork::empty(ProofBase::Disk, words);
        work.take(project, differences)?;
        Ok(work)
    }

    /// From a checkpoint of the whole tree to what is on the disk.
    pub fn since_checkpoint(store: &Store, manifest: Manifest, words: &str) -> Result<ProvedWork, String> {
        let changes = compare::with_now(store, manifest, &Meter::default()).map_err(|it| it.to_string())?;
        let mut work = ProvedWork::empty(ProofBase::Disk, words);
        for change in changes {
            let Some(path) = change.path.to_str() else { continue };
            let old = match &change.before {
                Node::Absent | Node::Directory { .. } => Ok(None),
                Node::File { sha256, mode, .. } => kept(store, sha256, *mode).map(Some),
                _ => Err("it was no regular file".to_owned()),
            };
            let new = match &change.after {
                Node::Absent | Node::Directory { .. } => Ok(None),
                _ => Content::on_disk(&store.path(&change.path)),
            };
            work.add(path, old, new);
        }
        Ok(work)
    }

    /// Says what files held before a session touched them first: nothing, where they were not there. What is as it was
    /// then is no change, and what was not kept stays as the commit has it.
    pub fn begin_at(&mut self, store: &Store, origins: &BTreeMap<String, Option<Digest>>) {
        for (path, digest) in origins {
            let old = match digest {
                None => Ok(None),
                Some(digest) => kept(store, digest, 0o644).map(Some),
            };
            let Ok(mut old) = old else { continue };
            let known = self.changed.iter().position(|changed| changed.path == *path);
            let known = known.map(|at| self.changed.remove(at));
            let new = match &known {
                Some(changed) => Ok(changed.new.clone()),
                None => Content::on_disk(&store.path(Path::new(path))),
            };
            if let (Some(old), Some(is)) = (&mut old, known.as_ref().and_then(|it| it.old.as_ref())) {
                old.executable = is.executable;
            }
            self.add(path, Ok(old), new);
        }
        self.changed.sort_by(|one, other| one.path.cmp(&other.path));
    }

    fn empty(base: ProofBase, words: &str) -> ProvedWork {
        ProvedWork { changed: Vec::new(), base, from: words.to_owned(), unread: Vec::new() }
    }

    fn take(&mut self, project: &Project, differences: Vec<Difference>) -> Result<(), String> {
        let ids = differences.iter().flat_map(|difference| {
            let after = match &difference.after {
                ContentAfter::Object(id) => Some(id.as_str()),
                _ => None,
            };
            difference.before.as_deref().into_iter().chain(after)
        });
        let ids: BTreeSet<&str> = ids.collect();
        let contents = project.git().patient().contents(ids.into_iter()).ok_or_else(silent)?;
        let object = |id: &String, executable: bool| match contents.get(id) {
            Some(bytes) => Ok(Some(Content { bytes: bytes.clone(), executable })),
            None => Err("its bytes are not in this clone".to_owned()),
        };
        for difference in &differences {
            let Some(path) = difference.path.to_str() else { continue };
            let old = difference.before.as_ref().map_or(Ok(None), |id| object(id, difference.was_executable));
            let new = match &difference.after {
                ContentAfter::Gone => Ok(None),
                ContentAfter::Object(id) => object(id, difference.was_executable),
                ContentAfter::Disk => Content::on_disk(&project.root().join(&difference.path)),
            };
            self.add(path, old, new);
        }
        self.changed.sort_by(|one, other| one.path.cmp(&other.path));
        Ok(())
    }

    fn add(
        &mut self,
        path: &str,
        old: Result<Option<Content>, String>,
        new: Result<Option<Content>, String>,
    ) {
        if path.starts_with(layout::ROOT) {
            return;
        }
        match (old, new) {
            (Ok(old), Ok(new)) => {
                let is_same = match (&old, &new) {
                    (Some(old), Some(new)) => old.bytes == new.bytes,
                    (None, None) => true,
                    _ => false,
                };
                if !is_same {
                    self.changed.push(ChangedFile { path: path.to_owned(), old, new });
                }
            }
            (Err(why), _) | (_, Err(why)) => self.unread.push((path.to_owned(), why)),
        }
    }
}

fn kept(store: &Store, digest: &Digest, mode: u32) -> Result<Content, String> {
    let bytes = store.objects().read(digest).map_err(|error| error.to_string())?;
    Ok(Content { bytes, executable: mode & 0o100 != 0 })
}

fn silent() -> String {
    "git does not answer; `git status` here says why".to_owned()
}
