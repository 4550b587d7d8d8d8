//! The names of the file that a path really means.
//!
//! `src/../docs/a.md` is a file of `docs`, and so is `src/link/a.md` where the link leads there. A client takes `..` away
//! before it follows links and a shell does it after, so that both are told.

use std::path::{Component, Path, PathBuf};

use crate::lifecycle::call::shell_call::real;
use crate::lifecycle::context::hook_context::HookContext;

/// The names of the file at `path`, relative to the project where it is inside: every one that a write may reach.
pub fn real_names(context: &HookContext, path: &Path) -> Vec<String> {
    let root = real(context.project.root());
    let full = context.project.root().join(path);
    let mut names: Vec<String> = [real(&plain(&full)), plain(&real(&full))]
        .iter()
        .map(|real| real.strip_prefix(&root).unwrap_or(real).to_string_lossy().replace('\\', "/"))
        .collect();
    names.dedup();
    names
}

/// The same where the last name is meant as it is, as by a command that removes or replaces it.
pub fn real_places(context: &HookContext, path: &Path) -> Vec<String> {
    match (path.parent(), path.file_name()) {
        (Some(parent), Some(name)) => real_names(context, parent)
            .into_iter()
            .map(|parent| Path::new(&parent).join(name).to_string_lossy().into_owned())
            .collect(),
        _ => real_names(context, path),
    }
}

/// A path with `.` and `..` taken away by its words alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_alone_take_a_step_back() {
        for (path, plainly) in
            [("/a/b/../c", "/a/c"), ("/a/./b", "/a/b"), ("/../a", "/a"), ("/a/no/../../b", "/b")]
        {
            assert_eq!(plain(Path::new(path)), Path::new(plainly), "{path}");
        }
    }
}
