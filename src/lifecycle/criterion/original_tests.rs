//! The work of today under the tests of the loop's start, in a scratch copy that is gone afterwards.
//!
//! Test files and runner configuration come from the checkpoint of the start, everything else from the project. What
//! git ignores (dependencies, build output) is linked, not copied. Nothing is written into the project by us.

use std::collections::BTreeSet;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::store::Store;
use crate::languages::is_test_path;
use crate::lifecycle::criterion::loop_contract::LoopContract;
use crate::loops::criteria::{Check, Criteria};
use crate::loops::criterion_inputs::{CriterionInput, FilePiece};
use crate::loops::verification;
use crate::loops::verification::VerificationResult;
use crate::project::Project;
use crate::proof::git_view::git_view;
use crate::proof::inline_tests::with_own_tests;
use crate::proof::{installed, placing};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::state::records::HumanDecision;

/// The most files and bytes that are copied.
const MOST_FILES: usize = 200_000;
const MOST_BYTES: u64 = 2 << 30;
/// Where Python looks for compiled modules instead of beside their sources: what lies there could be anything.
const PYCACHE: &str = "PYTHONPYCACHEPREFIX";
/// What a copy is made of.
#[derive(Debug, Clone, Copy)]
pub struct Copy<'a> {
    /// The project.
    pub project: &'a Project,
    /// Its state.
    pub layout: &'a Layout,
    /// The loop.
    pub state: &'a LoopState,
    /// What it was started on.
    pub contract: &'a LoopContract,
    /// What is run.
    pub criteria: &'a Criteria,
}

impl Copy<'_> {
    /// Runs the criterion's commands in the copy. An error is why there can be none.
    pub fn verify(&self, limit: Duration) -> Result<VerificationResult, String> {
        let store = Store::of_project(self.project.root());
        let start = self.start(&store)?;
        let scratch = tempfile::Builder::new().prefix("steadfast-original-").tempdir().map_err(told)?;
        // Tools that compare paths get the real one.
        let root = scratch.path().canonicalize().map_err(told)?;
        self.copy_today(&root)?;
        self.put_tests_back(&store, &start, &root)?;
        git_view(self.project.root(), &root).map_err(told)?;
        let compiled = tempfile::Builder::new().prefix("steadfast-pycache-").tempdir().map_err(told)?;
        let compiled = compiled.path().to_string_lossy();
        Ok(verification::run(
            self.criteria,
            &root.join(&self.contract.folder),
            limit,
            &[(PYCACHE, &compiled)],
        ))
    }

    fn start(&self, store: &Store) -> Result<Manifest, String> {
        let path = self.state.baseline_snapshot.as_deref();
        let path = path.ok_or("the files of the loop's start were not kept")?;
        let directory = self.layout.checkpoints(&self.state.loop_id);
        let name = Path::new(path).file_name().ok_or("the checkpoint of the loop's start has no name")?;
        let manifest = Manifest::read(&directory.join(name)).and_then(|manifest| manifest.whole(store));
        manifest.map_err(told)
    }

    fn copy_today(&self, root: &Path) -> Result<(), String> {
        let (mut files, mut bytes) = (0, 0);
        let walk = ignore::WalkBuilder::new(self.project.root())
            .hidden(false)
            .require_git(false)
            .filter_entry(|entry| {
                let name = entry.file_name().to_str().unwrap_or_default();
                !matches!(name, ".git" | ".aiwg") && !installed::is_folder(entry.path())
            })
            .build();
        let mut folders = Vec::new();
        for entry in walk.flatten() {
            let Ok(name) = entry.path().strip_prefix(self.project.root()) else { continue };
            let target = root.join(name);
            let Some(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                fs::create_dir_all(&target).map_err(told)?;
                folders.push(name.to_path_buf());
            } else if kind.is_symlink() {
                symlink(fs::read_link(entry.path()).map_err(told)?, &target).map_err(told)?;
            } else if kind.is_file() {
                files += 1;
                bytes += entry.metadata().map_or(0, |metadata| metadata.len());
                if files > MOST_FILES || bytes > MOST_BYTES {
                    return Err("the project is too large for a copy".to_owned());
                }
                fs::copy(entry.path(), &target).map_err(told)?;
            }
        }
        for folder in folders {
            self.link_ignored(&folder, root).map_err(told)?;
        }
        Ok(())
    }

    /// Links what was not copied: everything at the top, dependencies anywhere.
    fn link_ignored(&self, folder: &Path, root: &Path) -> io::Result<()> {
        let here = self.project.root().join(folder);
        for entry in fs::read_dir(&here)?.flatten() {
            let name = entry.file_name();
            let is_linked = entry.path().is_dir() && installed::is_folder(&entry.path());
            let is_top = folder.as_os_str().is_empty() && !matches!(name.to_str(), Some(".git" | ".aiwg"));
            let target = root.join(folder).join(&name);
            if (is_linked || is_top) && fs::symlink_metadata(&target).is_err() {
                symlink(entry.path(), &target)?;
            }
        }
        Ok(())
    }

    fn put_tests_back(&self, store: &Store, start: &Manifest, root: &Path) -> Result<(), String> {
        let accepted = self.accepted();
        let changed: BTreeSet<&str> = self.contract.parts.iter().map(|part| part.file.as_str()).collect();
        let mut known = BTreeSet::new();
        for entry in &start.entries {
            let Some(name) = entry.path.to_str() else { continue };
            let Node::File { sha256, mode, .. } = &entry.node else { continue };
            known.insert(name.to_owned());
            let steers = changed.contains(name) && self.steers_differently(name, root);
            let inline = !is_test_path(name) && name.ends_with(".rs");
            if accepted.contains(name) || !(is_test_path(name) || steers || inline) {
                continue;
            }
            let bytes = store.objects().read(sha256).map_err(told)?;
            let target = root.join(name);
            // What is reached through a link is the project's own, and nothing is written there.
            if placing::is_linked(root, Path::new(name)) {
                continue;
            }
            let bytes = if inline && !steers {
                let today = fs::read_to_string(&target).ok();
                let spliced = today.and_then(|it| with_own_tests(&it, &String::from_utf8_lossy(&bytes)));
                let Some(text) = spliced else { continue };
                text.into_bytes()
            } else {
                bytes
            };
            placing::replace(&target, &bytes, *mode).map_err(told)?;
        }
        self.remove_new(&known, root)
    }

    /// Whether a part that was fixed in this file says something else today.
    fn steers_differently(&self, file: &str, root: &Path) -> bool {
        let text = fs::read_to_string(root.join(file)).ok();
        self.contract.parts.iter().any(|part| part.file == file && part.read(text.as_deref()) != part.says)
    }

    /// New tests could end the run of the old ones, so they stay out; where coverage is asked for they are the work.
    fn remove_new(&self, known: &BTreeSet<String>, root: &Path) -> Result<(), String> {
        // A configuration file that was not there; other pieces are parts of files that hold more.
        let was_missing = |part: &&CriterionInput| part.says.is_none() && part.piece == FilePiece::Whole;
        let copied = |part: &&CriterionInput| !placing::is_linked(root, Path::new(&part.file));
        for part in self.contract.parts.iter().filter(was_missing).filter(copied) {
            fs::remove_file(root.join(&part.file)).ok();
        }
        if self.criteria.checks.iter().any(|check| matches!(check, Check::CoverageAbove { .. })) {
            return Ok(());
        }
        for entry in ignore::WalkBuilder::new(root).standard_filters(false).build().flatten() {
            let name = entry.path().strip_prefix(root).ok().and_then(Path::to_str).unwrap_or_default();
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            if is_file && is_test_path(name) && !known.contains(name) {
                fs::remove_file(entry.path()).map_err(told)?;
            }
        }
        Ok(())
    }

    /// Files in which a person accepted a loss: today's hold.
    fn accepted(&self) -> BTreeSet<String> {
        let events = self.state.regression_events.iter();
        let accepted = events.filter(|event| event.human_decision == Some(HumanDecision::Approve));
        let lost = accepted.flat_map(|event| event.lost());
        lost.filter_map(|lost| lost.split_once(": ").map(|(path, _)| path.to_owned())).collect()
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
