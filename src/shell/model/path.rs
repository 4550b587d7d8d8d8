//! A path as the words of a command name it, by its letters alone: the disk is not asked.

use std::path::{Component, Path, PathBuf};

use crate::model::proc_path;

/// `text` as a path seen from `directory`, with `.` and `..` taken out by their letters alone.
pub fn resolve(directory: &Path, text: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for component in directory.join(text).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match path.components().next_back() {
                Some(Component::Normal(_)) => {
                    path.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => path.push(".."),
            },
            other => path.push(other),
        }
    }
    match path.starts_with("/proc") {
        true => proc_path::plain(&path),
        false => path,
    }
}
