//! The project's files as git or the disk knows them: which there are, which changed, what they held before.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::checkpoint::lines;
use crate::project::{Difference, Project};
use crate::state::layout;

/// Larger new files count without their lines, in bytes.
const COUNTED_LIMIT: u64 = 8 << 20;

/// The commit that is checked out; `None` without git or before the first commit.
pub fn head_commit(project: &Project) -> Option<String> {
    project.git().head()
}

/// The files that are changed or untracked now, relative to the project.
pub fn changed_files(project: &Project) -> Vec<String> {
    differing_files(project).unwrap_or_default()
}

/// The same; `None` where git does not say it.
pub fn differing_files(project: &Project) -> Option<Vec<String>> {
    let dirty = project.git().status(&[project.root().to_owned()], false)?;
    let paths = dirty.iter().filter_map(|dirty| inside(project, &dirty.path));
    Some(paths.filter(|path| !is_state(path)).collect())
}

/// Whether a path is one of the guard's own state, which is nobody's work, also where it is committed.
pub fn is_state(path: &str) -> bool {
    path.starts_with(layout::ROOT)
}

/// How the files differ from the commit that is checked out, and which are new since, relative to the project. One
/// question for both.
pub fn since_head(project: &Project) -> Option<(Vec<Difference>, Vec<String>)> {
    let (mut differences, new) = project.git().since_head()?;
    differences.retain_mut(|difference| match difference.path.strip_prefix(project.root()) {
        Ok(inside) => {
            difference.path = inside.to_path_buf();
            true
        }
        Err(_) => false,
    });
    Some((differences, new.iter().filter_map(|path| inside(project, path)).collect()))
}

/// A file's text in `commit`.
pub fn text_at(project: &Project, commit: &str, path: &str) -> Option<String> {
    let bytes = project.git().ask(&["cat-file", "blob", &format!("{commit}:./{path}")])?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The texts of files in `commit`, in their order; `None` where git does not answer.
pub fn texts_at(project: &Project, commit: &str, paths: &[&str]) -> Option<Vec<Option<String>>> {
    let found = project.git().texts_at(commit, paths)?.into_iter();
    Some(found.map(|bytes| Some(String::from_utf8_lossy(&bytes?).into_owned())).collect())
}

/// The files that commits between `old` and `new` changed which this user made here since `began`, in seconds since
/// 1970: not what a pull or another branch brought. `None` when git does not answer.
pub fn committed_since(project: &Project, old: &str, new: &str, began: i64) -> Option<BTreeSet<String>> {
    let git = project.git();
    let user = git.ask(&["var", "GIT_COMMITTER_IDENT"])?;
    let user = String::from_utf8_lossy(&user).into_owned();
    let email = user.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(email, _)| email)?;
    let since = format!("--since={began}");
    let committer = format!("--committer=<{email}>");
    let range = format!("{old}..{new}");
    let mut arguments = vec!["log", "--no-merges", "--fixed-strings", &since, &committer, "--format="];
    arguments.extend(["--name-only", "--no-renames", "--relative", "-z", &range, "--"]);
    let output = git.ask(&arguments)?;
    Some(names(&output).into_iter().map(|name| name.trim_start_matches('\n').to_owned()).collect())
}

/// How many files differ from `commit` or are new, and their added and removed lines; binary files have none.
pub fn extent_since(project: &Project, commit: &str) -> (usize, u64, u64) {
    let arguments = ["diff", "--numstat", "--no-renames", "--relative", "-z", commit, "--"];
    let output = project.git().ask(&arguments).unwrap_or_default();
    let new = project.git().untracked(&[]).unwrap_or_default();
    let is_text_size =
        |path: &Path| path.metadata().is_ok_and(|it| it.is_file() && it.len() <= COUNTED_LIMIT);
    let new_files = new.iter().map(|path| project.root().join(path)).filter(|path| is_text_size(path));
    let new_lines = new_files.filter_map(|path| fs::read(path).ok());
    let new_lines: u64 =
        new_lines.filter_map(|bytes| lines::count(b"", &bytes)).map(|(added, _)| added).sum();
    let rows = output.split(|byte| *byte == 0).filter(|line| !line.is_empty());
    let rows = rows.map(|line| String::from_utf8_lossy(line).into_owned());
    let rows = rows.filter(|line| !line.rsplit('\t').next().is_some_and(is_state));
    let numbers = rows.map(|text| {
        let mut columns = text.split('\t').map(|column| column.parse::<u64>().unwrap_or_default());
        (columns.next().unwrap_or_default(), columns.next().unwrap_or_default())
    });
    numbers.fold((new.len(), new_lines, 0), |(files, added, removed), (more, less)| {
        (files + 1, added + more, removed + less)
    })
}

/// The project's files that are not ignored, at most `limit`, relative to the project.
pub fn files(project: &Project, limit: usize) -> Vec<String> {
    let mut walk = ignore::WalkBuilder::new(project.root());
    walk.hidden(false)
        .filter_entry(|entry| !matches!(entry.file_name().to_str(), Some(".git" | ".aiwg" | "node_modules")));
    walk.build()
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| inside(project, entry.path()))
        .take(limit)
        .collect()
}

/// The files that git tracks and that have one of the words, alone where it has to be `whole`. Only those that a pattern
/// means, where there are patterns.
pub fn files_with(project: &Project, words: &[&str], whole: bool, patterns: &[&str]) -> Vec<String> {
    let mut arguments = vec!["grep", "-l", "-z", "-I", "-F"];
    arguments.extend(whole.then_some("-w"));
    arguments.extend(words.iter().flat_map(|word| ["-e", *word]));
    arguments.push("--");
    arguments.extend(patterns);
    names(&project.git().ask(&arguments).unwrap_or_default())
}

fn inside(project: &Project, path: &Path) -> Option<String> {
    let relative = path.strip_prefix(project.root()).ok()?;
    relative.to_str().map(|path| path.replace('\\', "/"))
}

fn names(output: &[u8]) -> Vec<String> {
    output
        .split(|byte| *byte == 0)
        .filter(|name| !name.is_empty())
        .filter_map(|name| std::str::from_utf8(name).ok().map(str::to_owned))
        .collect()
}
