//! Every path under `.aiwg/ralph/` by name.

use std::path::{Path, PathBuf};

/// The state directory of one project. Making one touches no disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    root: PathBuf,
}

impl Layout {
    /// The layout of the project at `project`.
    pub fn of_project(project: &Path) -> Self {
        Layout { root: project.join(".aiwg").join("ralph") }
    }

    /// `.aiwg/ralph`.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The list of loops and of the sessions bound to them.
    pub fn registry(&self) -> PathBuf {
        self.root.join("registry.json")
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
        self.loop_dir(loop_id).join("hook-log.jsonl")
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
        self.root.join("measured.json")
    }

    /// One loop's analytics.
    pub fn analytics(&self, loop_id: &str) -> PathBuf {
        self.loop_dir(loop_id).join("analytics")
    }
}
