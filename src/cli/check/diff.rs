//! What differs, before and after, from git's objects and the disk.
//!
//! Invariant: a file is in the diff whole, with both its texts, or in `unread` with the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::lifecycle::call::view::READ_LIMIT;
use crate::model::finding::Change;
use crate::project::{ContentAfter, Difference, Git, Project};

/// The tree without files, which every repository knows.
const EMPTY: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
/// The same where ids are SHA-256.
const EMPTY_SHA256: &str = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321";

/// From what to what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Span {
    /// From the last commit to the disk.
    Uncommitted,
    /// From the last commit to the index.
    Staged,
    /// From one commit to another, and whether from where they parted.
    Range { from: String, to: String, parted: bool },
}

/// The changes that are judged, and those that say where something has gone.
#[derive(Debug, Default)]
pub(super) struct Diff {
    pub changes: Vec<Change>,
    pub elsewhere: Vec<Change>,
    pub unread: Vec<(String, &'static str)>,
}

impl Span {
    /// `A..B`, `A...B`, `A..` or `..B`.
    pub(in crate::cli) fn of_range(range: &str) -> Result<Span, String> {
        let split = range.split_once("...").map(|ends| (ends, true));
        let split = split.or_else(|| range.split_once("..").map(|ends| (ends, false)));
        let Some(((from, to), parted)) = split else {
            return Err(format!("`{range}` is no range of commits; A..B is one"));
        };
        let end = |name: &str| if name.is_empty() { "HEAD".to_owned() } else { name.to_owned() };
        Ok(Span::Range { from: end(from), to: end(to), parted })
    }

    /// What git compares for a range, and the later commit. An error for what is no range of commits that are here.
    pub(in crate::cli) fn revisions(&self, git: &Git) -> Result<(Vec<String>, String), String> {
        let Span::Range { from, to, parted } = self else {
            return Err("it is no range of commits".to_owned());
        };
        for name in [from, to].into_iter().filter(|name| !is_nothing(name)) {
            is_commit(git, name)?;
        }
        Ok((ends(git, from, to, *parted), to.clone()))
    }
}

/// Reads the diff of the project; with `files` the rest of it only says where something has gone. `index` is what git
/// named to a hook of its own.
pub(super) fn read(
    project: &Project,
    span: &Span,
    files: &[PathBuf],
    index: Option<&Path>,
) -> Result<Diff, String> {
    let git = project.git().patient();
    let git = match index {
        Some(index) if *span == Span::Staged => git.with_index(index),
        _ => git,
    };
    if git.top().is_none() {
        let root = project.root().display();
        match (git.is_bare(), span) {
            (Some(true), Span::Range { .. }) => {}
            (Some(true), _) => {
                return Err(format!("{root} has no working tree; --range A..B judges its commits"));
            }
            (_, Span::Uncommitted) if !files.is_empty() => return without_git(project, files),
            _ => return Err(format!("{root} is in no git repository")),
        }
    }
    let not_git = || "git does not answer; `git status` here says why".to_owned();
    let differences = differences(&git, span)?.ok_or_else(not_git)?;
    let chosen = chosen(&git, span, files)?;
    let ids = differences.iter().flat_map(|difference| {
        let after = match &difference.after {
            ContentAfter::Object(id) => Some(id.as_str()),
            _ => None,
        };
        difference.before.as_deref().into_iter().chain(after)
    });
    let contents = git.contents(ids.collect::<BTreeSet<&str>>().into_iter()).ok_or_else(not_git)?;
    let mut diff = Diff::default();
    for difference in &differences {
        let name = difference.path.to_string_lossy().into_owned();
        let is_chosen = chosen.as_ref().is_none_or(|chosen| chosen.contains(&difference.path));
        match change(project.root(), &name, difference, &contents) {
            Ok(Some(change)) if is_chosen => diff.changes.push(change),
            Ok(Some(change)) => diff.elsewhere.push(change),
            Ok(None) => {}
            Err(why) if is_chosen => diff.unread.push((name, why)),
            Err(_) => {}
        }
    }
    known(project, &git, span, files)?;
    Ok(diff)
}

/// An error for a named file that is neither there nor in the diff: a slip of the pen, as a rule, and nothing of it was
/// judged.
fn known(project: &Project, git: &Git, span: &Span, files: &[PathBuf]) -> Result<(), String> {
    for file in files.iter().filter(|file| std::fs::symlink_metadata(file).is_err()) {
        let changed = chosen(git, span, std::slice::from_ref(file))?;
        if changed.is_none_or(|changed| changed.is_empty()) {
            return Err(format!("{} is neither there nor in the diff", project.name_of(file)));
        }
    }
    Ok(())
}

/// Named files that no repository holds: each is judged as a new one, since nobody knows what it was.
fn without_git(project: &Project, files: &[PathBuf]) -> Result<Diff, String> {
    let mut diff = Diff::default();
    for file in files {
        let name = project.name_of(file);
        if std::fs::symlink_metadata(file).is_err() {
            return Err(format!("{name} is not there"));
        }
        match disk(file) {
            Ok(Some(text)) => diff.changes.push(Change { path: name, before: None, after: Some(text) }),
            Ok(None) => diff.unread.push((name, "it is no file")),
            Err(why) => diff.unread.push((name, why)),
        }
    }
    Ok(diff)
}

/// What git compares for a range. A commit of zeros, as runners and hooks give it for what is new, is the tree without
/// files.
fn ends(git: &Git, from: &str, to: &str, parted: bool) -> Vec<String> {
    match is_nothing(from) {
        true => vec![empty(git).to_owned(), to.to_owned()],
        false => vec![format!("{from}{}{to}", if parted { "..." } else { ".." })],
    }
}

fn is_nothing(commit: &str) -> bool {
    commit.len() >= 40 && commit.bytes().all(|byte| byte == b'0') || [EMPTY, EMPTY_SHA256].contains(&commit)
}

fn differences(git: &Git, span: &Span) -> Result<Option<Vec<Difference>>, String> {
    let head = if git.names_commit("HEAD") == Some(true) { "HEAD" } else { empty(git) };
    Ok(match span {
        Span::Staged => git.differences(&["--cached", head], &[]),
        Span::Uncommitted => git.differences(&[head], &[]).and_then(|mut differences| {
            let untracked = git.untracked(&[])?.into_iter();
            differences.extend(untracked.map(|path| Difference {
                path,
                before: None,
                was_executable: false,
                after: ContentAfter::Disk,
            }));
            Some(differences)
        }),
        Span::Range { .. } => {
            let (ends, _) = span.revisions(git)?;
            git.differences(&ends.iter().map(String::as_str).collect::<Vec<_>>(), &[])
        }
    })
}

fn is_commit(git: &Git, name: &str) -> Result<(), String> {
    match git.names_commit(name) {
        Some(true) => Ok(()),
        _ => Err(format!("`{name}` is no commit here; in a shallow clone it may not have been fetched")),
    }
}

fn empty(git: &Git) -> &'static str {
    let format = git.ask(&["rev-parse", "--show-object-format"]).unwrap_or_default();
    if format.starts_with(b"sha256") { EMPTY_SHA256 } else { EMPTY }
}

/// Which paths of the diff the named files and folders are; `None` when none are named.
fn chosen(git: &Git, span: &Span, files: &[PathBuf]) -> Result<Option<BTreeSet<PathBuf>>, String> {
    if files.is_empty() {
        return Ok(None);
    }
    let all = |revisions: &[&str]| git.differences(revisions, files);
    let head = if git.names_commit("HEAD") == Some(true) { "HEAD" } else { empty(git) };
    let found = match span {
        Span::Staged => all(&["--cached", head]),
        Span::Uncommitted => all(&[head]),
        Span::Range { from, to, parted } => {
            let ends = ends(git, from, to, *parted);
            all(&ends.iter().map(String::as_str).collect::<Vec<_>>())
        }
    };
    let outside = || "a named file is outside of the repository".to_owned();
    let mut chosen: BTreeSet<PathBuf> =
        found.ok_or_else(outside)?.into_iter().map(|difference| difference.path).collect();
    if *span == Span::Uncommitted {
        chosen.extend(git.untracked(files).ok_or_else(outside)?);
    }
    Ok(Some(chosen))
}

/// Both texts of a file; `None` when they are the same, as after a change of permissions.
fn change(
    root: &Path,
    name: &str,
    difference: &Difference,
    contents: &BTreeMap<String, Vec<u8>>,
) -> Result<Option<Change>, &'static str> {
    let object = |id: &String| contents.get(id).map(Vec::as_slice).ok_or("its bytes are not in this clone");
    let before = difference.before.as_ref().map(object).transpose()?.map(text).transpose()?;
    let after = match &difference.after {
        ContentAfter::Gone => None,
        ContentAfter::Object(id) => Some(text(object(id)?)?),
        ContentAfter::Disk => disk(&root.join(&difference.path))?,
    };
    let differs = before != after;
    Ok(differs.then(|| Change { path: name.to_owned(), before, after }))
}

fn disk(path: &Path) -> Result<Option<String>, &'static str> {
    let Ok(metadata) = std::fs::symlink_metadata(path) else { return Ok(None) };
    if !metadata.is_file() {
        return Ok(None);
    }
    if metadata.len() > READ_LIMIT {
        return Err(TOO_LARGE);
    }
    std::fs::read(path).map_err(|_| "it can't be read").and_then(|bytes| text(&bytes)).map(Some)
}

const TOO_LARGE: &str = "it is larger than 8 MiB";

fn text(bytes: &[u8]) -> Result<String, &'static str> {
    if bytes.len() as u64 > READ_LIMIT {
        return Err(TOO_LARGE);
    }
    Ok(String::from_utf8_lossy(bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_as_git_reads_them() {
        let range = |from: &str, to: &str, parted| {
            Ok(Span::Range { from: from.to_owned(), to: to.to_owned(), parted })
        };
        let cases = [
            ("a..b", range("a", "b", false)),
            ("main...", range("main", "HEAD", true)),
            ("..b", range("HEAD", "b", false)),
            ("v1.0..v1.1", range("v1.0", "v1.1", false)),
            ("main", Err("`main` is no range of commits; A..B is one".to_owned())),
        ];
        for (text, expected) in cases {
            assert_eq!(Span::of_range(text), expected, "{text}");
        }
    }
}
