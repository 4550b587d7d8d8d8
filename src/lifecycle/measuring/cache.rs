//! `measured.json`: what commands said of trees, by the trees' content.
//!
//! Only figures are kept, never failures: a tool that was missing may be there the next time.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::checkpoint::objects::digest_of_file;
use crate::lifecycle::changes::tree;
use crate::lifecycle::measuring::figures::Figure;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::hex::hex;
use crate::state::layout::{Layout, MEASURED};
use crate::state::twice::DoubledFiles;

/// How many figures are kept, the newest.
const MOST: usize = 60;
/// Outside of git all files are read: of more than these nothing is remembered.
const FILES: usize = 20_000;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct FigureCache {
    entries: Vec<CachedFigure>,
    /// Figures of this run, whose tree is known when it is over.
    #[serde(skip)]
    new: Vec<CachedFigure>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct CachedFigure {
    tree: String,
    command: String,
    figure: Figure,
    duration_ms: u64,
}

impl FigureCache {
    pub(super) fn read(layout: &Layout) -> FigureCache {
        let bytes = DoubledFiles::of_project(layout).read(MEASURED).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    pub(super) fn get(&self, tree: &str, command: &str) -> Option<(Figure, u64)> {
        let entry = self.entries.iter().rev().find(|entry| entry.tree == tree && entry.command == command)?;
        Some((entry.figure.clone(), entry.duration_ms))
    }

    pub(super) fn put(&mut self, command: &str, figure: Figure, duration_ms: u64) {
        self.new.push(CachedFigure { tree: String::new(), command: command.to_owned(), figure, duration_ms });
    }

    /// Keeps what is new under the tree before and after the commands. A cache that can't be written costs time later.
    pub(super) fn write(&mut self, layout: &Layout, before: Option<&str>, after: Option<&str>) {
        let trees = [before, after.filter(|after| Some(*after) != before)];
        for tree in trees.into_iter().flatten() {
            self.entries
                .extend(self.new.iter().map(|entry| CachedFigure { tree: tree.to_owned(), ..entry.clone() }));
        }
        let surplus = self.entries.len().saturating_sub(MOST);
        self.entries.drain(..surplus);
        if let Ok(bytes) = serde_json::to_vec(self) {
            DoubledFiles::of_project(layout).write(MEASURED, &bytes, Durability::Process).ok();
        }
    }
}

/// What the files are that git does not ignore, as one hash: the commit's tree, and what differs from it. `None` where
/// that can't be said.
pub fn tree_digest(project: &Project) -> Option<String> {
    let head = project.git().ask(&["rev-parse", "--verify", "--quiet", "HEAD^{tree}"]);
    let mut hasher = Sha256::new();
    let mut paths = match &head {
        Some(head) => {
            hasher.update(head);
            tree::changed_files(project)
        }
        None => tree::files(project, FILES + 1),
    };
    if paths.len() > FILES {
        return None;
    }
    paths.sort();
    for path in &paths {
        hasher.update(path.as_bytes());
        match digest_of_file(&project.root().join(path)) {
            Ok((digest, _)) => hasher.update(digest.to_string().as_bytes()),
            Err(_) => hasher.update(b" is not there"),
        }
        hasher.update(b"\n");
    }
    Some(hex(&hasher.finalize()))
}
