//! The installed dependencies of a loop whose passes count only with the tests of its start.
//!
//! Git ignores them, they are too large to be kept, and a test run rests on them: an edited runner passes everything.
//! So their files are noted at the start, by what a stat says and by their digest, and what says something else later
//! is a change of what the loop is judged by.
//!
//! Invariant: a file is changed only if its bytes are, as far as they were noted: the same packages installed anew are
//! no change, nor is a package that comes along, unless it reaches into every run.

pub(crate) mod folders;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

use serde::{Deserialize, Serialize};

use crate::checkpoint::objects::{Digest, digest_of_file};
use crate::lifecycle::criterion::dependencies::folders::{MOST_FILES, each_file};
use crate::model::folders::INSTALLED;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::twice::DoubledFiles;

/// Names of folders and files that tools write while they run, and that installers write about themselves.
const PASSING: &[&str] = &[
    ".cache",
    ".vite",
    ".vitest",
    "__pycache__",
    ".pytest_cache",
    ".package-lock.json",
    ".modules.yaml",
    ".yarn-integrity",
    ".yarn-state.yml",
    "install-state.gz",
    "INSTALLER",
    "RECORD",
    "REQUESTED",
];
/// Programs that every run may start; a new one of this name comes before the system's own.
const PROGRAMS: &[&str] = &[
    "node", "npm", "npx", "yarn", "pnpm", "sh", "bash", "env", "python", "python3", "pytest", "make", "git",
    "go", "cargo", "true",
];
/// What the interpreter loads at each start, whatever runs.
const ALWAYS_LOADED: &[&str] = &["sitecustomize.py", "usercustomize.py"];
/// What is read of files whose stat differs, when they are compared, bytes.
const COMPARED: u64 = 512 << 20;

/// How much the noting may cost.
#[derive(Debug, Clone, Copy)]
pub struct NotingBounds {
    /// What may be read for digests; of the rest the stat alone counts, bytes.
    pub bytes: u64,
    /// How long reading may take.
    pub time: Duration,
}

impl NotingBounds {
    /// With a person waiting at a terminal.
    pub const PATIENT: NotingBounds = NotingBounds { bytes: 4 << 30, time: Duration::from_secs(60) };
    /// Inside of an event.
    pub const HOOK: NotingBounds = NotingBounds { bytes: 512 << 20, time: Duration::from_secs(2) };
}

/// Their file in the loop's directory.
const FILE: &str = "dependencies.json";

/// The installed files as they were.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct InstalledFiles {
    /// By their paths, relative to the project.
    files: BTreeMap<String, FileFingerprint>,
}

/// One file: size, time of the last change of its content and of itself in nanoseconds, and its digest.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct FileFingerprint(u64, i64, i64, Option<Digest>);

/// A package that is not as it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedPackage {
    /// Its folder, relative to the project.
    pub package: String,
    /// One of its files, and what happened to it.
    pub what: String,
}

impl InstalledFiles {
    /// Notes what is installed in the project.
    pub fn note(root: &Path, bounds: NotingBounds) -> InstalledFiles {
        let begun = Instant::now();
        let mut left = bounds.bytes;
        let mut files = BTreeMap::new();
        each_file(root, &mut |name, path, metadata| {
            let may_read = begun.elapsed() < bounds.time && metadata.len() <= left;
            let digest = may_read.then(|| digest(path, metadata)).flatten();
            left = left.saturating_sub(if may_read { metadata.len() } else { 0 });
            files.insert(name, mark(metadata, digest));
            files.len() < MOST_FILES
        });
        InstalledFiles { files }
    }

    /// Reads what was noted for a loop.
    pub fn read(layout: &Layout, loop_id: &str) -> Option<InstalledFiles> {
        serde_json::from_slice(&DoubledFiles::of_loop(layout, loop_id).read(FILE).ok()?).ok()
    }

    /// Writes it; nothing where nothing is installed.
    pub fn write(&self, layout: &Layout, loop_id: &str) -> io::Result<()> {
        if self.files.is_empty() {
            return Ok(());
        }
        DoubledFiles::of_loop(layout, loop_id).write(FILE, &serde_json::to_vec(self)?, Durability::Power)
    }

    /// The packages that are not as they were, by their folders.
    pub fn changed(&self, root: &Path) -> Vec<ChangedPackage> {
        let packages: BTreeSet<String> = self.files.keys().map(|name| package(name)).collect();
        let mut left = COMPARED;
        let (mut seen, mut changed) = (BTreeSet::new(), BTreeMap::new());
        let mut note = |name: &str, how: &str| {
            changed.entry(package(name)).or_insert_with(|| format!("{name} {how}"));
        };
        each_file(root, &mut |name, path, metadata| {
            match self.files.get(&name) {
                Some(known) if is_same(known, path, metadata, &mut left) => {}
                Some(_) => note(&name, "is changed"),
                None if reaches_everything(&name, path) || is_foreign_part(&packages, &name) => {
                    note(&name, "is new");
                }
                None => {}
            }
            seen.insert(name);
            seen.len() < MOST_FILES
        });
        for gone in self.files.keys().filter(|name| !seen.contains(*name)) {
            note(gone, "is gone");
        }
        changed.into_iter().map(|(package, what)| ChangedPackage { package, what }).collect()
    }
}

fn mark(metadata: &Metadata, digest: Option<Digest>) -> FileFingerprint {
    let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
    FileFingerprint(
        metadata.len(),
        nanoseconds(metadata.mtime(), metadata.mtime_nsec()),
        nanoseconds(metadata.ctime(), metadata.ctime_nsec()),
        digest,
    )
}

/// A link is where it leads to.
fn digest(path: &Path, metadata: &Metadata) -> Option<Digest> {
    if metadata.is_symlink() {
        let target = fs::read_link(path).ok()?;
        return Some(Digest::of(target.as_os_str().as_encoded_bytes()));
    }
    metadata.is_file().then(|| digest_of_file(path).ok()).flatten().map(|(digest, _)| digest)
}

fn is_same(known: &FileFingerprint, path: &Path, metadata: &Metadata, left: &mut u64) -> bool {
    let FileFingerprint(size, changed, touched, was) = known;
    let now = mark(metadata, None);
    if (now.0, now.1, now.2) == (*size, *changed, *touched) {
        return true;
    }
    if now.0 != *size || was.is_none() || now.0 > *left {
        return false;
    }
    *left -= now.0;
    digest(path, metadata) == *was
}

/// The package of an installed file: its folder below that of all packages.
fn package(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    let is_top = |part: &&str| INSTALLED.contains(part) || matches!(*part, "vendor" | "site-packages");
    // In an environment the packages are further in.
    let at = parts.iter().position(|part| *part == "site-packages");
    let at = at.or_else(|| parts.iter().position(is_top)).unwrap_or_default();
    let depth = match (parts.get(at), parts.get(at + 1)) {
        // `@scope/name`, `.pnpm/name@1`, `maker/name`, `github.com/maker/name`.
        (_, Some(next)) if next.starts_with('@') || *next == ".pnpm" => 2,
        (Some(&"vendor"), Some(next)) if next.contains('.') && parts.len() > at + 4 => 3,
        (Some(&"vendor"), Some(_)) if parts.len() > at + 3 => 2,
        _ => 1,
    };
    parts.get(..=at + depth).unwrap_or(&parts).join("/")
}

/// A new file in a package that was there: nothing of its own, but it could stand before one that is.
fn is_foreign_part(packages: &BTreeSet<String>, name: &str) -> bool {
    let package = package(name);
    let is_of_programs = package.ends_with("/.bin") || package.ends_with("/bin");
    packages.contains(&package) && package != name && !is_of_programs
}

/// Whether a new file takes part in every run.
fn reaches_everything(name: &str, path: &Path) -> bool {
    let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
    let is_of_programs = folder.ends_with("/.bin") || folder.ends_with("/bin");
    if is_of_programs {
        return PROGRAMS.contains(&file);
    }
    let in_packages = folder.ends_with("site-packages");
    if in_packages && (file.ends_with(".pth") || ALWAYS_LOADED.contains(&file)) {
        return true;
    }
    file == "entry_points.txt" && fs::read_to_string(path).is_ok_and(|text| text.contains("[pytest11]"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::FileTimes;
    use std::time::SystemTime;

    const FILES: &[(&str, &str)] = &[
        ("src/a.js", "own"),
        (".gitignore", "node_modules\n.venv\nenv\n"),
        ("node_modules/.bin/vitest", "#!"),
        ("node_modules/vitest/run.js", "run"),
        ("node_modules/@vue/core/index.js", "core"),
        ("node_modules/.cache/x", "1"),
        ("packages/a/node_modules/own/i.js", "i"),
        ("env/pyvenv.cfg", "home = /usr"),
        ("env/bin/pytest", "#!"),
        ("env/lib/python3.12/site-packages/pytest/__init__.py", "main"),
        ("vendor/own.rb", "a project's own"),
        ("php/vendor/autoload.php", "<?php"),
        ("php/vendor/phpunit/phpunit/src/T.php", "<?php"),
    ];

    fn write(root: &Path, name: &str, text: &str) {
        let path = root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn project() -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        for (name, text) in FILES {
            write(directory.path(), name, text);
        }
        directory
    }

    fn found(change: impl Fn(&Path), bounds: NotingBounds) -> Vec<String> {
        let directory = project();
        let noted = InstalledFiles::note(directory.path(), bounds);
        change(directory.path());
        noted
            .changed(directory.path())
            .into_iter()
            .map(|changed| format!("{}: {}", changed.package, changed.what))
            .collect()
    }

    #[test]
    fn what_was_installed_and_is_changed_is_found() {
        let rows: &[(&str, &str, &str)] = &[
            (
                "node_modules/vitest/run.js",
                "ruN",
                "node_modules/vitest: node_modules/vitest/run.js is changed",
            ),
            ("node_modules/vitest/more.js", "x", "node_modules/vitest: node_modules/vitest/more.js is new"),
            (
                "node_modules/@vue/core/index.js",
                "x",
                "node_modules/@vue/core: node_modules/@vue/core/index.js is changed",
            ),
            ("node_modules/.bin/vitest", "#!!", "node_modules/.bin: node_modules/.bin/vitest is changed"),
            ("node_modules/.bin/node", "x", "node_modules/.bin: node_modules/.bin/node is new"),
            (
                "packages/a/node_modules/own/i.js",
                "j",
                "packages/a/node_modules/own: packages/a/node_modules/own/i.js is changed",
            ),
            ("env/bin/pytest", "#?", "env/bin: env/bin/pytest is changed"),
            (
                "env/lib/python3.12/site-packages/evil.pth",
                "import x",
                "env/lib/python3.12/site-packages/evil.pth: env/lib/python3.12/site-packages/evil.pth is new",
            ),
            (
                "env/lib/python3.12/site-packages/p-1.dist-info/entry_points.txt",
                "[pytest11]\np = p",
                "env/lib/python3.12/site-packages/p-1.dist-info: env/lib/python3.12/site-packages/p-1.dist-info/entry_points.txt is new",
            ),
            (
                "php/vendor/phpunit/phpunit/src/T.php",
                "<?",
                "php/vendor/phpunit/phpunit: php/vendor/phpunit/phpunit/src/T.php is changed",
            ),
        ];
        for (name, text, expected) in rows {
            let changed = found(|root| write(root, name, text), NotingBounds::PATIENT);
            assert_eq!(changed, [*expected], "{name}");
        }
        let gone = found(
            |root| fs::remove_file(root.join("node_modules/vitest/run.js")).unwrap(),
            NotingBounds::PATIENT,
        );
        assert_eq!(gone, ["node_modules/vitest: node_modules/vitest/run.js is gone"]);
    }

    #[test]
    fn what_installers_and_tools_do_is_no_change() {
        let fine: &[(&str, &str)] = &[
            ("node_modules/left-pad/index.js", "x"),
            ("node_modules/.bin/left-pad", "x"),
            ("node_modules/.package-lock.json", "{}"),
            ("node_modules/.cache/x", "2"),
            ("env/lib/python3.12/site-packages/requests/api.py", "x"),
            ("env/lib/python3.12/site-packages/requests-2.dist-info/METADATA", "x"),
            ("env/lib/python3.12/site-packages/pytest/__pycache__/__init__.cpython-312.pyc", "x"),
            ("vendor/own.rb", "changed"),
            ("src/a.js", "changed"),
        ];
        for (name, text) in fine {
            assert_eq!(
                found(|root| write(root, name, text), NotingBounds::PATIENT),
                Vec::<String>::new(),
                "{name}"
            );
        }
        // The same bytes again, at another time: installed anew.
        let again = |root: &Path| {
            let path = root.join("node_modules/vitest/run.js");
            fs::remove_file(&path).unwrap();
            write(root, "node_modules/vitest/run.js", "run");
        };
        assert_eq!(found(again, NotingBounds::PATIENT), Vec::<String>::new());
    }

    #[test]
    fn a_time_that_was_set_back_hides_nothing_and_what_was_not_read_has_its_stat() {
        let hide = |root: &Path| {
            let path = root.join("node_modules/vitest/run.js");
            let before = fs::metadata(&path).unwrap().modified().unwrap();
            write(root, "node_modules/vitest/run.js", "ruN");
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_times(FileTimes::new().set_modified(before).set_accessed(SystemTime::now())).unwrap();
        };
        let nothing = NotingBounds { bytes: 0, time: Duration::ZERO };
        for bounds in [NotingBounds::PATIENT, nothing] {
            assert_eq!(found(hide, bounds), ["node_modules/vitest: node_modules/vitest/run.js is changed"]);
        }
    }
}
