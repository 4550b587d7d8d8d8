//! The paths under `.aiwg/ralph/` that several rooms name.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::audit::{self, HookLog};
use super::witness::{self, Witness};

/// The directory, seen from the project.
pub const ROOT: &str = ".aiwg/ralph/";
/// The file of the commands that a person may allow once.
pub(super) const ALLOWANCES: &str = "allowances.json";
/// The file of what commands said of trees.
pub const MEASURED: &str = "measured.json";
/// What stands for a loop's id in the place of its log.
pub const LOOP_ID: &str = "{loop_id}";

/// The state directory of one project. Making one touches no disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    root: PathBuf,
    /// Where the project wants its logs, below the directory; `None`: the usual place.
    logs: Option<String>,
    retention_days: u32,
    /// Where witnesses of projects lie, outside of them.
    witnesses: Option<PathBuf>,
    /// This project's, once its real path was looked up.
    witness: OnceLock<Witness>,
}

impl Layout {
    /// The layout of the project at `project`.
    pub fn of_project(project: &Path) -> Self {
        let root = project.join(".aiwg").join("ralph");
        Layout {
            root,
            logs: None,
            retention_days: audit::RETENTION_DAYS,
            witnesses: witness::place(),
            witness: OnceLock::new(),
        }
    }

    /// The same with the logs at `location`, a path seen from the project that holds `{loop_id}`, for so many days.
    /// One outside the directory is not followed: there the agent could write to it, and git and an undo would.
    pub fn logging(mut self, location: &str, retention_days: u32) -> Self {
        self.logs = below(location).filter(|below| below.contains(LOOP_ID)).map(str::to_owned);
        self.retention_days = retention_days;
        self
    }

    /// The same with its witness below another folder.
    #[cfg(test)]
    pub(crate) fn witnessed_below(self, place: &Path) -> Self {
        Layout { witnesses: Some(place.to_owned()), witness: OnceLock::new(), ..self }
    }

    /// What is known of the project outside of it; `None` where nothing is kept.
    pub(super) fn witness(&self) -> Option<Witness> {
        if let Some(known) = self.witness.get() {
            return Some(known.clone());
        }
        let witness = Witness::of(self.witnesses.as_deref()?, self.root.ancestors().nth(2)?)?;
        Some(self.witness.get_or_init(|| witness).clone())
    }

    /// The folder outside of the project for what is known of it. An error where there is none.
    pub fn outside(&self) -> io::Result<PathBuf> {
        self.witness()
            .map(|witness| witness.folder().to_owned())
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The file outside of the project for what calls the guard and how it is set, as it holds for one loop.
    pub fn in_force(&self, loop_id: &str) -> Option<PathBuf> {
        Some(self.witness()?.in_force(loop_id))
    }

    /// `.aiwg/ralph`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The list of loops and of the sessions bound to them.
    pub fn registry(&self) -> PathBuf {
        self.root.join("registry.json")
    }

    /// Commands that a person may allow once.
    pub fn allowances(&self) -> PathBuf {
        self.root().join(ALLOWANCES)
    }

    /// The single-loop file of older versions, kept as a mirror.
    pub fn current_loop(&self) -> PathBuf {
        self.root.join("current-loop.json")
    }

    /// Content-addressed blobs, shared by all loops: `objects/ab/cdef…`.
    pub fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// The completion report that people look for first.
    pub fn completion_report(&self, timestamp: &str) -> PathBuf {
        self.root.join(format!("completion-{timestamp}.md"))
    }

    /// One loop's directory.
    pub fn loop_dir(&self, loop_id: &str) -> PathBuf {
        self.root.join("loops").join(loop_id)
    }

    /// All loops' directories.
    pub fn loops(&self) -> PathBuf {
        self.root.join("loops")
    }

    /// One loop's state.
    pub fn state(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("state.json")
    }

    /// One loop's audit trail.
    pub fn hook_log(&self, loop_id: &str) -> PathBuf {
        match &self.logs {
            Some(below) => self.root.join(below.replace(LOOP_ID, loop_id)),
            None => self.loop_dir(loop_id).join("hook-log.jsonl"),
        }
    }

    /// The same, to write to.
    pub fn log(&self, loop_id: &str) -> HookLog {
        HookLog {
            path: self.hook_log(loop_id),
            retention_days: self.retention_days,
            witness: self.witness().map(|witness| witness.log_head(loop_id)),
        }
    }

    /// Every judged tool call of one loop.
    pub fn tool_calls(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("tool-calls.jsonl")
    }

    /// One loop's checkpoint manifests.
    pub fn checkpoints(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("checkpoints")
    }

    /// One loop's iteration snapshots.
    pub fn iterations(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("iterations")
    }

    /// One iteration's snapshot.
    pub fn iteration(&self, loop_id: &str, iteration: u32) -> PathBuf {
        self.iterations(loop_id).join(format!("iteration-{iteration:03}.json"))
    }

    /// One iteration's snapshot where older versions with a single loop have it.
    pub fn legacy_iteration(&self, iteration: u32) -> PathBuf {
        self.root.join("iterations").join(format!("iteration-{iteration:03}.json"))
    }

    /// The snapshot of a finished iteration of which the record says `said`, a path relative to the project: in the
    /// loop's directory, unless it is the older place that is said. Another path is never followed.
    pub fn snapshot(&self, loop_id: &str, iteration: u32, said: Option<&str>) -> PathBuf {
        let legacy = format!(".aiwg/ralph/iterations/iteration-{iteration:03}.json");
        if said.is_some_and(|said| said.trim_start_matches("./") == legacy) {
            return self.legacy_iteration(iteration);
        }
        self.iteration(loop_id, iteration)
    }

    /// What commands said of trees.
    pub fn measured(&self) -> PathBuf {
        self.root.join(MEASURED)
    }

    /// The newest proof of a loop or session.
    pub fn proof(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("proof.json")
    }

    /// One loop's analytics.
    pub fn analytics(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("analytics")
    }
}

/// The part of a path, seen from the project, that is below the state directory; `None` when it is not below it.
pub fn below(location: &str) -> Option<&str> {
    let below = location.strip_prefix("./").unwrap_or(location).strip_prefix(ROOT)?;
    let sound = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains(['\\', '\0']);
    below.split('/').all(sound).then_some(below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_is_where_the_project_wants_it_and_never_outside() {
        let usual = Layout::of_project(Path::new("/p")).hook_log("l");
        assert_eq!(usual, Path::new("/p/.aiwg/ralph/loops/l/hook-log.jsonl"));
        let rows = [
            (".aiwg/ralph/loops/{loop_id}/hook-log.jsonl", Some("loops/l/hook-log.jsonl")),
            ("./.aiwg/ralph/audit/{loop_id}.jsonl", Some("audit/l.jsonl")),
            (".aiwg/ralph/{loop_id}/{loop_id}.jsonl", Some("l/l.jsonl")),
            (".aiwg/ralph/audit.jsonl", None),
            (".aiwg/ralph/../../{loop_id}.jsonl", None),
            (".aiwg/ralph//{loop_id}.jsonl", None),
            (".aiwg/ralphs/{loop_id}.jsonl", None),
            ("logs/{loop_id}.jsonl", None),
            ("/tmp/{loop_id}.jsonl", None),
            ("", None),
        ];
        for (location, expected) in rows {
            let layout = Layout::of_project(Path::new("/p")).logging(location, 7);
            let expected = expected.map_or(usual.clone(), |below| Path::new("/p/.aiwg/ralph").join(below));
            assert_eq!(
                layout.log("l"),
                HookLog { path: expected, retention_days: 7, witness: None },
                "{location}"
            );
        }
    }
}
