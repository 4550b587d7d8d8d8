//! Copies of a project in which its tests can run: its files copied, its dependencies linked.
//!
//! Invariant: nothing is written into the project, and nothing that a test writes in a copy goes there: a link leads only
//! to installed packages, and where tools keep caches among those, the folder itself is the copy's own.

use std::fs::{self, File, Metadata};
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::time::Instant;

use crate::model::folders::PASSING;
use crate::proof::installed::is_folder;
use crate::proof::step::stop_where_interrupted;

/// The most files and bytes that are copied of what git would see.
const MOST_FILES: usize = 200_000;
const MOST_BYTES: u64 = 4 << 30;
/// The same of what git ignores, in one folder.
const MOST_IGNORED_FILES: usize = 20_000;
const MOST_IGNORED_BYTES: u64 = 512 << 20;
/// Marks a folder that a build makes again.
const CACHE_MARK: &str = "CACHEDIR.TAG";
/// Folders that a build fills and that are made again in the copy.
const MADE_AGAIN: &[&str] = &["target", "DerivedData", "zig-out", "obj", ".next", ".nuxt", ".angular"];
/// Folders whose packages are linked one by one, since tools keep caches beside the packages.
const LINKED_ONE_BY_ONE: &[&str] = &["node_modules", "bower_components"];

/// A project that is copied.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// The project, from which dependencies and ignored files come.
    pub project: &'a Path,
    /// Where the files of a commit lie; without it they are those of the project.
    pub exported: Option<&'a Path>,
    /// When the time for copies is over.
    pub until: Instant,
}

/// One copy under construction.
struct CopyInProgress<'a> {
    site: Site<'a>,
    to: &'a Path,
    files: usize,
    bytes: u64,
    left_out: Vec<String>,
}

impl Site<'_> {
    /// Makes a copy at `to`. Answers which folders were left out because they are too large.
    pub fn copy(&self, to: &Path) -> Result<Vec<String>, String> {
        let mut copying = CopyInProgress { site: *self, to, files: 0, bytes: 0, left_out: Vec::new() };
        fs::create_dir_all(to).map_err(told)?;
        let folders = copying.visible()?;
        for folder in folders {
            copying.beside(&folder).map_err(told)?;
        }
        Ok(copying.left_out)
    }
}

impl CopyInProgress<'_> {
    /// Copies what git would see; answers the folders.
    fn visible(&mut self) -> Result<Vec<PathBuf>, String> {
        let from = self.site.exported.unwrap_or(self.site.project);
        let is_export = self.site.exported.is_some();
        let walk = ignore::WalkBuilder::new(from)
            .standard_filters(!is_export)
            .hidden(false)
            .require_git(false)
            .filter_entry(move |entry| {
                let name = entry.file_name().to_str().unwrap_or_default();
                !matches!(name, ".git" | ".aiwg") && (is_export || !is_folder(entry.path()))
            })
            .build();
        let mut folders = Vec::new();
        for entry in walk.flatten() {
            let (Ok(name), Some(kind)) = (entry.path().strip_prefix(from), entry.file_type()) else {
                continue;
            };
            let target = self.to.join(name);
            if kind.is_dir() {
                fs::create_dir_all(&target).map_err(told)?;
                folders.push(name.to_path_buf());
            } else if kind.is_symlink() {
                self.link(entry.path(), &target).map_err(told)?;
            } else if kind.is_file() {
                let metadata = entry.metadata().map_err(told)?;
                self.count(&metadata)?;
                copy_file(entry.path(), &target, &metadata).map_err(told)?;
            }
        }
        Ok(folders)
    }

    fn count(&mut self, metadata: &Metadata) -> Result<(), String> {
        stop_where_interrupted()?;
        if Instant::now() > self.site.until {
            return Err("the time was used up while a copy was made".to_owned());
        }
        self.files += 1;
        self.bytes += metadata.len();
        let is_much = self.files > MOST_FILES || self.bytes > MOST_BYTES;
        let much = || "the project is too large for a copy: over 200,000 files or 4 GiB".to_owned();
        if is_much { Err(much()) } else { Ok(()) }
    }

    /// What the project has in a folder and the copy has not: dependencies, and what git ignores.
    fn beside(&mut self, folder: &Path) -> std::io::Result<()> {
        let here = self.site.project.join(folder);
        let Ok(entries) = fs::read_dir(&here) else { return Ok(()) };
        for entry in entries.flatten() {
            let (path, name) = (entry.path(), entry.file_name());
            let target = self.to.join(folder).join(&name);
            let name = name.to_str().unwrap_or_default();
            if matches!(name, ".git" | ".aiwg") || fs::symlink_metadata(&target).is_ok() {
                continue;
            }
            let kind = entry.file_type()?;
            if path.is_dir() && is_folder(&path) {
                self.dependencies(&path, &target, name)?;
            } else if kind.is_dir() {
                self.ignored(&path, &target, name)?;
            } else if self.is_ignored_file(&path) {
                if kind.is_symlink() {
                    self.link(&path, &target)?;
                } else if kind.is_file() {
                    copy_file(&path, &target, &entry.metadata()?)?;
                }
            }
        }
        Ok(())
    }

    /// What is on the disk and in no commit of an export is not part of that commit, unless git ignores it.
    fn is_ignored_file(&self, path: &Path) -> bool {
        if self.site.exported.is_none() {
            return true;
        }
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.starts_with(".env")
    }

    fn dependencies(&self, path: &Path, target: &Path, name: &str) -> std::io::Result<()> {
        if !LINKED_ONE_BY_ONE.contains(&name) {
            return symlink(path, target);
        }
        fs::create_dir_all(target)?;
        for entry in fs::read_dir(path)?.flatten() {
            let name = entry.file_name();
            let name = name.to_str().unwrap_or_default();
            let (from, to) = (entry.path(), target.join(name));
            let is_scope = name.starts_with('@') && entry.file_type()?.is_dir();
            if is_scope {
                fs::create_dir_all(&to)?;
                for package in fs::read_dir(&from)?.flatten() {
                    self.package(&package.path(), &to.join(package.file_name()))?;
                }
            } else if !matches!(name, ".cache" | ".vite" | ".vitest" | ".vite-temp") {
                self.package(&from, &to)?;
            }
        }
        Ok(())
    }

    /// A package; a workspace's own is one of the copy.
    fn package(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        let real = fs::canonicalize(from).unwrap_or_else(|_| from.to_owned());
        let own = real.strip_prefix(self.site.project).ok();
        let is_installed = |inside: &Path| {
            let names = inside.components().filter_map(|part| match part {
                Component::Normal(name) => name.to_str(),
                _ => None,
            });
            names.into_iter().any(|name| LINKED_ONE_BY_ONE.contains(&name))
        };
        match own.filter(|inside| !is_installed(inside)) {
            Some(inside) => symlink(self.to.join(inside), to),
            None => symlink(from, to),
        }
    }

    /// A folder that git ignores: copied where it is small, since tests may need it and must not write there.
    fn ignored(&mut self, path: &Path, target: &Path, name: &str) -> std::io::Result<()> {
        let is_made = MADE_AGAIN.contains(&name) || path.join(CACHE_MARK).exists();
        if self.site.exported.is_some() || is_made || PASSING.contains(&name) {
            return Ok(());
        }
        let walk = || {
            let mut walk = ignore::WalkBuilder::new(path);
            walk.standard_filters(false).filter_entry(|entry| entry.file_name() != ".git");
            walk.build().flatten()
        };
        let (mut files, mut bytes) = (0, 0);
        for entry in walk() {
            files += 1;
            bytes += entry.metadata().map_or(0, |metadata| metadata.len());
            if files > MOST_IGNORED_FILES || bytes > MOST_IGNORED_BYTES {
                self.left_out.push(name.to_owned());
                return Ok(());
            }
        }
        for entry in walk() {
            let (Ok(inside), Some(kind)) = (entry.path().strip_prefix(path), entry.file_type()) else {
                continue;
            };
            let target = if inside.as_os_str().is_empty() { target.to_owned() } else { target.join(inside) };
            if kind.is_dir() {
                fs::create_dir_all(&target)?;
            } else if kind.is_symlink() {
                self.link(entry.path(), &target)?;
            } else if kind.is_file() {
                let metadata = fs::symlink_metadata(entry.path())?;
                copy_file(entry.path(), &target, &metadata)?;
            }
        }
        Ok(())
    }

    /// A link; one that names a place of the project by its full path names that place of the copy.
    fn link(&self, from: &Path, to: &Path) -> std::io::Result<()> {
        let named = fs::read_link(from)?;
        let inside = [Some(self.site.project), self.site.exported];
        let inside = inside.into_iter().flatten().find_map(|root| named.strip_prefix(root).ok());
        match inside {
            Some(inside) => symlink(self.to.join(inside), to),
            None => symlink(named, to),
        }
    }
}

/// Copies a file with its permissions and its time, so that what was built from it is not taken for old. The kernel
/// shares the bytes where the file system can.
fn copy_file(from: &Path, to: &Path, metadata: &Metadata) -> std::io::Result<()> {
    fs::copy(from, to)?;
    let time = metadata.modified()?;
    // One that may not be written keeps the time of the copy.
    if let Ok(file) = File::options().append(true).open(to) {
        file.set_modified(time)?;
    }
    Ok(())
}

fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    #[test]
    fn a_copy_has_all_that_tests_need_and_shares_packages_alone() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        let project = root.join("project");
        for (path, text) in [
            (".gitignore", "node_modules\n.env\ndata/\ntarget/\ncoverage/\n"),
            ("src/a.js", "1"),
            (".env", "KEY=1"),
            ("data/in.csv", "1"),
            ("target/debug/a", "1"),
            ("coverage/index.html", "1"),
            ("node_modules/lib/index.js", "1"),
            ("node_modules/@scope/one/index.js", "1"),
            ("node_modules/.vite/results.json", "1"),
            ("packages/own/index.js", "1"),
            (".aiwg/ralph/registry.json", "1"),
            (".git/HEAD", "ref: refs/heads/main"),
        ] {
            write(&project, path, text);
        }
        symlink("../packages/own", project.join("node_modules/own")).unwrap();
        symlink(project.join("src"), project.join("sources")).unwrap();
        let copy = root.join("copy");
        let until = Instant::now() + std::time::Duration::from_secs(60);
        Site { project: &project, exported: None, until }.copy(&copy).unwrap();
        let late = Site { project: &project, exported: None, until: Instant::now() };
        assert!(late.copy(&root.join("late")).unwrap_err().contains("time"));
        for (path, is_there) in [
            ("src/a.js", true),
            (".env", true),
            ("data/in.csv", true),
            ("target", false),
            ("coverage", false),
            ("node_modules/lib/index.js", true),
            ("node_modules/@scope/one/index.js", true),
            ("node_modules/.vite", false),
            (".aiwg", false),
            (".git", false),
        ] {
            assert_eq!(copy.join(path).exists(), is_there, "{path}");
        }
        // What the copy's tests write does not reach the project, and its own packages are its own.
        write(&copy, "node_modules/.vite/results.json", "2");
        write(&copy, "sources/a.js", "2");
        write(&copy, "node_modules/own/index.js", "2");
        for path in ["node_modules/.vite/results.json", "src/a.js", "packages/own/index.js"] {
            assert_eq!(fs::read_to_string(project.join(path)).unwrap(), "1", "{path}");
        }
    }
}
