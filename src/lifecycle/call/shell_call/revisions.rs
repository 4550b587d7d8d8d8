//! Files that git brings back from a revision or from its index, with the text that they will have.

use std::path::PathBuf;

use crate::lifecycle::call::shell_call::disk::Disk;
use crate::lifecycle::call::shell_call::gather::targets::each_once;
use crate::lifecycle::call::shell_call::place::real;
use crate::project::Git;
use crate::shell::Effect;

/// The most files whose text is asked for: each is one question to git.
const MOST_FILES: usize = 24;

/// The files that a checkout or restore of paths changes, and their new text; `None` when that can't be had.
pub(crate) fn taken(effect: &Effect, disk: &Disk) -> Vec<(PathBuf, Option<String>)> {
    if !matches!(effect.detail.as_str(), "git checkout of paths" | "git restore") {
        return Vec::new();
    }
    let Some(directory) = effect.directory.as_deref().map(real) else { return Vec::new() };
    if effect.targets.is_empty() || effect.targets.iter().any(|target| target.glob || target.path.is_none()) {
        return Vec::new();
    }
    let known = each_once(&effect.targets).filter_map(|target| target.path.as_deref());
    let paths: Vec<PathBuf> = known.map(|path| disk.real(path)).collect();
    let git = Git::at(&directory);
    let revision = effect.revision.as_deref();
    let Some(files) = git.differing(revision, &paths) else { return Vec::new() };
    if files.len() > MOST_FILES {
        return files.into_iter().map(|file| (file, None)).collect();
    }
    let text = |file: &PathBuf| String::from_utf8(git.blob(revision.unwrap_or_default(), file)?).ok();
    files.into_iter().map(|file| (file.clone(), text(&file))).collect()
}
