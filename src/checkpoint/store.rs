//! One project's checkpoints on disk, and the names that paths have in them.
//!
//! Invariant: two spellings of one file have one name. The folders on the way are resolved, the file itself never
//! is: a link stays a link.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::checkpoint::manifest;
use crate::checkpoint::node::is_within;
use crate::checkpoint::objects::Objects;
use crate::state::layout::Layout;

/// Where the checkpoints of one project are, and the tree they are of.
#[derive(Debug, Clone)]
pub struct Store {
    layout: Layout,
    project: PathBuf,
    objects: Objects,
}

impl Store {
    /// The store of the project at `project`, an absolute path.
    pub fn of_project(project: &Path) -> Store {
        let project = fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
        let layout = Layout::of_project(&project);
        let objects = Objects::at(layout.objects());
        Store { layout, project, objects }
    }

    /// The state directory.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The blobs.
    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// Whether a checkpoint is there, without reading it.
    pub(crate) fn has_manifest(&self, loop_id: &str, id: &str) -> bool {
        manifest::file(&self.layout.checkpoints(loop_id), id).exists()
    }

    /// Where the file of an entry is.
    pub fn path(&self, name: &Path) -> PathBuf {
        if name.as_os_str().is_empty() { self.project.clone() } else { self.project.join(name) }
    }

    /// The name of `path` in entries: relative to the project where it is inside, else absolute. A relative `path`
    /// is meant from the project.
    pub fn name(&self, path: &Path) -> PathBuf {
        let real = resolve_parent(&self.project.join(path));
        real.strip_prefix(&self.project).map(Path::to_owned).unwrap_or(real)
    }

    /// The name of the `child` of the folder `name`. A folder above the project has the project for a child.
    pub fn child(&self, name: &Path, child: &OsStr) -> PathBuf {
        let joined = name.join(child);
        if joined == self.project { PathBuf::new() } else { joined }
    }

    /// Whether the folder `name` is above the project.
    pub fn contains_project(&self, name: &Path) -> bool {
        name.is_absolute() && self.project.starts_with(name)
    }

    /// Whether `name` is in the state directory: keeping that would feed on itself.
    pub fn is_own(&self, name: &Path) -> bool {
        self.layout.root().strip_prefix(&self.project).is_ok_and(|own| is_within(name, own))
    }

    /// The first folder on the way to `name` that is none now, but a link or a file. Nothing is written through it.
    pub fn obstacle(&self, name: &Path) -> Option<PathBuf> {
        let mut above: Vec<&Path> = name.ancestors().skip(1).filter(|above| is_folder_name(above)).collect();
        above.reverse();
        let real = |above: &&Path| match fs::symlink_metadata(self.path(above)) {
            Ok(metadata) => !metadata.is_dir(),
            Err(_) => false,
        };
        above.into_iter().find(real).map(Path::to_owned)
    }

    /// The folders on the way to `name` that do not exist, nearest first.
    pub fn missing_folders<'n>(&self, name: &'n Path) -> impl Iterator<Item = &'n Path> {
        let above = name.ancestors().skip(1).filter(|above| is_folder_name(above));
        above.take_while(|above| {
            fs::symlink_metadata(self.path(above)).is_err_and(|error| is_absence(&error))
                && !self.is_own(above)
        })
    }
}

/// Whether an error says that there is nothing at the path.
pub fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

fn is_folder_name(name: &Path) -> bool {
    name.file_name().is_some()
}

/// `path` with all but its last component resolved, as far as they exist.
fn resolve_parent(path: &Path) -> PathBuf {
    let Some(name) = path.file_name() else {
        return fs::canonicalize(path).unwrap_or_else(|_| plain(path));
    };
    resolve(path.parent().unwrap_or(Path::new("/")), name)
}

fn resolve(parent: &Path, name: &OsStr) -> PathBuf {
    for above in parent.ancestors() {
        if let Ok(real) = fs::canonicalize(above) {
            let rest = parent.strip_prefix(above).unwrap_or(Path::new(""));
            return plain(&real.join(rest).join(name));
        }
    }
    plain(&parent.join(name))
}

/// `path` without `.` and `..`, by its text alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            part => plain.push(part),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn one_file_has_one_name() {
        let directory = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(directory.path()).unwrap();
        let project = base.join("project");
        fs::create_dir_all(project.join("src/deep")).unwrap();
        fs::write(project.join("src/a.rs"), "").unwrap();
        symlink("src", project.join("alias")).unwrap();
        symlink("src/a.rs", project.join("link")).unwrap();
        symlink(&project, base.join("other-way-in")).unwrap();
        let store = Store::of_project(&base.join("other-way-in"));
        let outside = base.join("outside/x").to_string_lossy().into_owned();
        let inside = project.join("src/a.rs").to_string_lossy().into_owned();
        let cases = [
            ("src/a.rs", "src/a.rs"),
            ("./src//a.rs", "src/a.rs"),
            ("src/deep/../a.rs", "src/a.rs"),
            ("alias/a.rs", "src/a.rs"),
            ("alias", "alias"),
            ("link", "link"),
            ("src/deep/..", "src"),
            (".", ""),
            ("..", base.to_str().unwrap()),
            ("new/deep/../x", "new/x"),
            ("../outside/x", &outside),
            (&inside, "src/a.rs"),
            ("/", "/"),
        ];
        for (path, name) in cases {
            assert_eq!(store.name(Path::new(path)), Path::new(name), "{path}");
        }
        assert!(store.is_own(&store.name(Path::new(".aiwg/ralph/objects/ab"))));
        assert!(!store.is_own(&store.name(Path::new(".aiwg/other"))));
    }
}
