//! Paths that their names alone tell: build output, spare files, the guard's own programs.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::model::folders;

/// Endings of files that tools make again.
const OUTPUT_ENDINGS: &[&str] = &[
    ".pyc",
    ".pyo",
    ".o",
    ".obj",
    ".class",
    ".tsbuildinfo",
    ".egg-info",
    ".swp",
    ".DS_Store",
    ".coverage",
    ".profraw",
    ".pid",
    ".lock.tmp",
    ".eslintcache",
    ".dSYM",
];

/// Endings of files that tools leave beside the work; a person may have written them as well.
const LEFT_ENDINGS: &[&str] = &[".log", ".tmp", ".orig", ".rej", ".bak"];

/// Files in which package managers write down what they chose: made again from the manifest beside them.
const LOCKS: &[&str] = &[
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "deno.lock",
    "Cargo.lock",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "Pipfile.lock",
    "Gemfile.lock",
    "composer.lock",
    "go.sum",
    "mix.lock",
    "flake.lock",
    "Podfile.lock",
    "Package.resolved",
    "packages.lock.json",
    "gradle.lockfile",
];

/// Whether a file is one that a package manager makes again.
pub(crate) fn is_lock(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| LOCKS.contains(&name))
}

/// Whether a path is on a drive that this system does not have.
pub(crate) fn is_on_a_drive(path: &Path) -> bool {
    let first = path.components().nth(1).and_then(|part| part.as_os_str().to_str()).unwrap_or_default();
    first.len() == 2 && first.ends_with(':') && path.is_absolute()
}

/// A drive itself, its system, or a home on it.
pub(crate) fn is_system_of_a_drive(path: &Path) -> bool {
    let mut names =
        path.components().skip(2).map(|part| part.as_os_str().to_string_lossy().to_ascii_lowercase());
    is_on_a_drive(path)
        && match (names.next().as_deref(), names.count()) {
            (None, _) | (Some("users"), 0 | 1) => true,
            (Some(first), _) => first == "windows" || first.starts_with("program"),
        }
}

pub(crate) fn is_guard_program(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let built = path.components().any(|component| component.as_os_str() == "target");
    let text = path.to_string_lossy();
    // One that is put where programs are found first stands before the real one.
    let found_first = || path.parent().and_then(Path::file_name).is_some_and(|folder| folder == "bin");
    (matches!(name, "steadfast-hook" | "steadfast") && !built && (found_first() || path.is_file()))
        || (text.contains(".claude/plugins/") && text.contains("steadfast"))
}

/// The guard's program, where a pattern begins with its name: `bin/steadfast*`.
pub(crate) fn guard_program_of(pattern: &Path) -> Option<PathBuf> {
    let program = PathBuf::from(pattern.to_str()?.trim_end_matches(['*', '?']));
    is_guard_program(&program).then_some(program)
}

/// Whether a file of the guard is one that it makes again, or does without: copies, locks, a cache. Who names it means
/// the guard; a pattern such as `*.bak` means others.
pub(crate) fn is_spare(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    matches!(name, "notices.txt" | "tree-cache")
        || [".bak", ".lock", ".tmp"].iter().any(|ending| name.ends_with(ending))
}

pub(crate) fn names_repository(path: &Path) -> bool {
    path.components().any(|component| component.as_os_str() == ".git")
}

/// Whether a path inside of the project has the name of something that tools make again.
pub(crate) fn is_output_name(inside: &Path) -> bool {
    is_in_output(inside) || has_ending(inside, OUTPUT_ENDINGS) || has_ending(inside, LEFT_ENDINGS)
}

/// Whether a path has the name of something that tools leave, and is in no folder of output.
pub(crate) fn is_left_by_tools(inside: &Path) -> bool {
    has_ending(inside, LEFT_ENDINGS) && !is_in_output(inside)
}

fn is_in_output(inside: &Path) -> bool {
    inside.components().any(|part| part.as_os_str().to_str().is_some_and(folders::is_made_again))
}

fn has_ending(inside: &Path, endings: &[&str]) -> bool {
    let name = inside.file_name().and_then(OsStr::to_str).unwrap_or_default();
    endings.iter().any(|ending| name.ends_with(ending))
}
