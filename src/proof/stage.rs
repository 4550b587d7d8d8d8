//! Where copies come from and how they are changed and run: what every run of a proof has in common.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::loops::criteria::Criteria;
use crate::project::Project;
use crate::proof::copies::Site;
use crate::proof::corner::{Corner, RunSite};
use crate::proof::deciding::{FileRole, Ground, ProofSide};
use crate::proof::git_view::git_view;
use crate::proof::scratch::ScratchFolder;
use crate::proof::work::{ChangedFile, Content, ProofBase, ProvedWork};
use crate::proof::{placing, python_path};

/// The common ground of all runs.
#[derive(Debug)]
pub(crate) struct ProofStage<'a> {
    pub(crate) project: PathBuf,
    pub(crate) work: &'a ProvedWork,
    pub(crate) criteria: &'a Criteria,
    folder: &'a Path,
    pub(crate) roles: Vec<FileRole>,
    exported: Option<PathBuf>,
    pub(crate) scratch: ScratchFolder,
    /// When the time for all runs is over.
    pub(crate) until: Instant,
}

impl<'a> ProofStage<'a> {
    /// Makes the folder of the copies, and divides what changed.
    pub(crate) fn set_up(
        project: &Project,
        work: &'a ProvedWork,
        criteria: &'a Criteria,
        folder: &'a Path,
        until: Instant,
    ) -> Result<ProofStage<'a>, String> {
        let scratch = ScratchFolder::make()
            .map_err(|error| format!("no folder for the copies can be made: {error}"))?;
        let root = project.root().canonicalize().map_err(told)?;
        let exported = match &work.base {
            ProofBase::Disk => None,
            ProofBase::Commit(commit) => {
                let (index, base) = (scratch.root().join("index"), scratch.root().join("base"));
                fs::create_dir_all(&base).map_err(told)?;
                let exported = project.git().patient().export(commit, &index, &base);
                Some(exported.ok_or_else(|| format!("git can't check out {commit} beside the project"))?)
            }
        };
        let base = exported.clone().unwrap_or_else(|| root.clone());
        let commands: Vec<&str> = criteria.checks.iter().map(|check| check.command()).collect();
        let read = |path: &str| fs::read_to_string(base.join(path)).ok();
        let roles =
            Ground { changed: &work.changed, commands: &commands, folder, read: &read }.divide().roles;
        Ok(ProofStage { project: root, work, criteria, folder, roles, exported, scratch, until })
    }

    fn site(&self) -> Site<'_> {
        Site { project: &self.project, exported: self.exported.as_deref(), until: self.until }
    }

    /// Where the files lie that did not change.
    pub(crate) fn base(&self) -> &Path {
        self.exported.as_deref().unwrap_or(&self.project)
    }

    /// The changed files with what they are.
    pub(crate) fn changed(&self) -> impl Iterator<Item = (&'a ChangedFile, &FileRole)> {
        self.work.changed.iter().zip(&self.roles)
    }

    /// The place of a copy in a folder: it is called like the project.
    pub(crate) fn copy_in(&self, folder: &Path) -> PathBuf {
        folder.join(self.project.file_name().unwrap_or("project".as_ref()))
    }

    /// Makes a copy; answers what was left out of it.
    pub(crate) fn copy(&self, copy: &Path) -> Result<Vec<String>, String> {
        let left_out = self.site().copy(copy)?;
        // What cargo has built of packages serves every copy.
        if copy.join("Cargo.toml").is_file() && fs::symlink_metadata(copy.join("target")).is_err() {
            fs::create_dir_all(self.built()).map_err(told)?;
            symlink(self.built(), copy.join("target")).map_err(told)?;
        }
        git_view(&self.project, copy).map_err(told)?;
        Ok(left_out)
    }

    fn built(&self) -> PathBuf {
        self.scratch.root().join("cargo")
    }

    /// Gives a copy the tests of one side and the source of another.
    pub(crate) fn apply(&self, copy: &Path, tests: ProofSide, source: ProofSide) -> Result<(), String> {
        for (changed, role) in self.changed() {
            let content = role.content(changed, tests, source);
            self.place(copy, changed, content.as_ref().map(|content| content.bytes.as_slice()))?;
        }
        Ok(())
    }

    /// Puts a file into a copy, or takes it out. What is reached through a link is the project's own and stays.
    pub(crate) fn place(
        &self,
        copy: &Path,
        changed: &ChangedFile,
        bytes: Option<&[u8]>,
    ) -> Result<(), String> {
        let target = copy.join(&changed.path);
        if placing::is_linked(copy, Path::new(&changed.path)) {
            return Ok(());
        }
        let placed = match bytes {
            None => placing::remove(&target),
            Some(bytes) if fs::read(&target).is_ok_and(|is| is == bytes) => Ok(()),
            Some(bytes) => {
                let known = fs::symlink_metadata(&target).ok().filter(fs::Metadata::is_file);
                let side = changed.new.as_ref().or(changed.old.as_ref());
                let mode = known.map(|it| it.permissions().mode() & 0o7777);
                placing::replace(&target, bytes, mode.or_else(|| side.map(Content::mode)).unwrap_or(0o644))
            }
        };
        placed.map_err(|error| format!("{}: {error}", changed.path))
    }

    /// Runs the criterion in a copy.
    pub(crate) fn run_in(&self, copy: &Path, beside: PathBuf, limit: Duration) -> Result<Corner, String> {
        let mut variables = vec![self.scratch.mark()];
        if std::env::var_os("CARGO_TARGET_DIR").is_some() {
            variables.push(("CARGO_TARGET_DIR", self.built().display().to_string()));
        }
        if let Some(path) = python_path::of_copy(&self.project, copy) {
            variables.push(("PYTHONPATH", path));
        }
        RunSite { copy, folder: self.folder, beside, variables: &variables }.run(self.criteria, limit)
    }
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}
