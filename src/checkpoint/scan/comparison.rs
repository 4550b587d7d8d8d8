//! What a scan found, looked up by name and set against what was there before.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::TreeScan;
use crate::checkpoint::cache::{ChildRecord, Folder};
use crate::checkpoint::node::Node;

pub(super) fn differences(folder: &Folder, before: &[ChildRecord], changed: &mut Vec<PathBuf>) {
    let mut before = before.iter().peekable();
    for record in &folder.records {
        while let Some(gone) = before.next_if(|old| old.name < record.name) {
            changed.push(folder.path.join(&gone.name));
        }
        match before.next_if(|old| old.name == record.name) {
            Some(old) if old.same(record) => {}
            _ => changed.push(folder.path.join(&record.name)),
        }
    }
    changed.extend(before.map(|gone| folder.path.join(&gone.name)));
}

impl TreeScan {
    /// All that is there, by name, the project itself included.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = (PathBuf, &Node)> {
        self.folders.iter().flat_map(|folder| {
            folder.records.iter().map(|record| (folder.path.join(&record.name), &record.node))
        })
    }

    /// The names of what is there and not looked at.
    pub(crate) fn hidden(&self) -> HashSet<PathBuf> {
        let hidden = self.folders.iter().flat_map(|folder| {
            let hidden = folder.records.iter().filter(|record| record.is_hidden());
            hidden.map(|record| folder.path.join(&record.name))
        });
        hidden.collect()
    }

    /// Whether something is there that could not be read, or is too large to be.
    pub(crate) fn nodes_unkept(&self) -> bool {
        let records = self.folders.iter().flat_map(|folder| &folder.records);
        records.into_iter().any(|record| record.node == Node::Other && !record.is_hidden())
    }

    /// What is at each of `names`; what is not there has no entry.
    pub(crate) fn at<'n>(&self, names: impl Iterator<Item = &'n Path>) -> HashMap<&'n Path, &Node> {
        let folders: HashMap<&Path, &Folder> =
            self.folders.iter().map(|folder| (folder.path.as_path(), folder)).collect();
        let found = names.filter_map(|name| {
            let folder = folders.get(name.parent()?)?;
            let own = name.file_name()?;
            let at = folder.records.binary_search_by(|record| record.name.as_os_str().cmp(own)).ok()?;
            folder.records.get(at).map(|record| (name, &record.node))
        });
        found.collect()
    }
}
