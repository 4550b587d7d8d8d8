//! Files before and after a call, where the words decide the result: deletions, literal writes, moves, copies.
//!
//! Effects are applied in their order to a picture of the disk, so that a copy followed by a deletion is a move. A
//! file whose new text can't be computed is left out, never guessed.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Bound;
use std::path::{Path, PathBuf};

use crate::model::finding::Change;
use crate::project::Project;

/// The longest file that is read, in bytes.
const LONGEST_FILE: u64 = 1024 * 1024;
/// The most bytes that are read in all.
const MOST_TEXT: u64 = 8 * 1024 * 1024;
/// The most bytes that are written, edited or joined in all, the same text again and again included.
const MOST_EDITED: usize = 16 * 1024 * 1024;
/// The most files that are read.
const MOST_FILES: usize = 300;

/// A file now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CurrentFile {
    /// With this text, or not there.
    Known(Option<String>),
    /// Not computable.
    Unknown,
}

/// The picture.
#[derive(Debug, Default)]
pub(crate) struct FilesPicture {
    files: BTreeMap<PathBuf, (CurrentFile, CurrentFile)>,
    bytes: u64,
    edited: usize,
}

impl FilesPicture {
    /// The file is gone.
    pub(crate) fn delete(&mut self, path: &Path) {
        self.set(path, CurrentFile::Known(None));
    }

    /// Files that had something in them and are left blank.
    pub(crate) fn blank(&self) -> Vec<PathBuf> {
        let is_blank =
            |now: &CurrentFile| matches!(now, CurrentFile::Known(Some(text)) if text.trim().is_empty());
        let blank = self.files.iter().filter(|(_, (before, now))| {
            is_blank(now) && !is_blank(before) && matches!(before, CurrentFile::Known(Some(_)))
        });
        blank.map(|(path, _)| path.clone()).collect()
    }

    /// Files whose texts differ now and would be one: each group by itself.
    pub(crate) fn made_one(&self) -> Vec<Vec<PathBuf>> {
        let mut by_text: BTreeMap<&str, Vec<(&PathBuf, &str)>> = BTreeMap::new();
        for (path, (before, now)) in &self.files {
            if let (CurrentFile::Known(Some(before)), CurrentFile::Known(Some(now))) = (before, now)
                && !now.trim().is_empty()
            {
                by_text.entry(now).or_default().push((path, before));
            }
        }
        let differ = |files: &&Vec<(&PathBuf, &str)>| {
            files.iter().any(|(_, text)| Some(*text) != files.first().map(|it| it.1))
        };
        let groups = by_text
            .into_iter()
            .map(|(now, files)| files.into_iter().filter(|(_, before)| *before != now).collect::<Vec<_>>());
        let groups: Vec<Vec<(&PathBuf, &str)>> = groups.collect();
        groups
            .iter()
            .filter(differ)
            .map(|files| files.iter().map(|(path, _)| (*path).clone()).collect())
            .collect()
    }

    /// Every file of the picture below a folder is gone.
    pub(crate) fn delete_below(&mut self, folder: &Path) {
        let after = (Bound::Excluded(folder), Bound::Unbounded);
        // Paths below a folder stand right behind it.
        for (_, (_, now)) in
            self.files.range_mut::<Path, _>(after).take_while(|(path, _)| path.starts_with(folder))
        {
            *now = CurrentFile::Known(None);
        }
    }

    /// Nothing more is known of a file that was not there before.
    pub(crate) fn forget_if_new(&mut self, path: &Path) {
        if let Some((CurrentFile::Known(None), now)) = self.files.get_mut(path) {
            *now = CurrentFile::Unknown;
        }
    }

    /// The file has this text; `None` when it can't be computed.
    pub(crate) fn write(&mut self, path: &Path, content: Option<&str>, append: bool) {
        let now = match (content, append) {
            (None, _) => CurrentFile::Unknown,
            (Some(content), _) if !self.may_edit(content) => CurrentFile::Unknown,
            (Some(content), false) => CurrentFile::Known(Some(content.to_owned())),
            (Some(content), true) => match self.now(path) {
                CurrentFile::Known(old) if self.may_edit(old.as_deref().unwrap_or_default()) => {
                    CurrentFile::Known(Some(old.unwrap_or_default() + content))
                }
                _ => CurrentFile::Unknown,
            },
        };
        self.set(path, now);
    }

    /// The file is edited; `None` from `edit` when the result can't be computed.
    pub(crate) fn edit(&mut self, path: &Path, edit: impl FnOnce(&str) -> Option<String>) {
        let now = match self.now(path) {
            CurrentFile::Known(Some(old)) if self.may_edit(&old) => {
                edit(&old).map_or(CurrentFile::Unknown, |new| CurrentFile::Known(Some(new)))
            }
            _ => CurrentFile::Unknown,
        };
        self.set(path, now);
    }

    /// Whether a text may be worked on once more.
    pub(crate) fn may_edit(&mut self, text: &str) -> bool {
        self.edited += text.len();
        self.edited <= MOST_EDITED
    }

    /// Whether something has happened to the file that leaves it there.
    pub(crate) fn knows(&self, path: &Path) -> bool {
        self.files.get(path).is_some_and(|(before, now)| before != now && *now != CurrentFile::Known(None))
    }

    /// The text of a file as it is at this point, if that is known.
    pub(crate) fn text(&mut self, path: &Path) -> Option<String> {
        match self.now(path) {
            CurrentFile::Known(text) => text,
            CurrentFile::Unknown => None,
        }
    }

    /// The file has the text of another.
    pub(crate) fn copy(&mut self, from: &Path, to: &Path) {
        let now = match self.now(from) {
            CurrentFile::Known(None) => CurrentFile::Unknown,
            other => other,
        };
        self.set(to, now);
    }

    fn now(&mut self, path: &Path) -> CurrentFile {
        match self.files.get(path) {
            Some((_, now)) => now.clone(),
            None => {
                let before = self.read(path);
                self.files.insert(path.to_path_buf(), (before.clone(), before.clone()));
                before
            }
        }
    }

    fn set(&mut self, path: &Path, now: CurrentFile) {
        let before = match self.files.get(path) {
            Some((before, _)) => before.clone(),
            None => self.read(path),
        };
        self.files.insert(path.to_path_buf(), (before, now));
    }

    fn read(&mut self, path: &Path) -> CurrentFile {
        if path == Path::new("/dev/null") {
            return CurrentFile::Known(Some(String::new()));
        }
        let Ok(metadata) = fs::metadata(path) else { return CurrentFile::Known(None) };
        let fits = metadata.is_file()
            && metadata.len() <= LONGEST_FILE
            && self.bytes + metadata.len() <= MOST_TEXT
            && self.files.len() < MOST_FILES;
        if !fits {
            return CurrentFile::Unknown;
        }
        self.bytes += metadata.len();
        match fs::read_to_string(path) {
            Ok(text) if !text.contains('\0') => CurrentFile::Known(Some(text)),
            _ => CurrentFile::Unknown,
        }
    }

    /// The files of the project that differ.
    pub(crate) fn changes(self, root: &Path) -> Vec<Change> {
        let project = Project::at(root);
        let differing = self.files.into_iter().filter_map(|(path, states)| match states {
            (CurrentFile::Known(before), CurrentFile::Known(after))
                if before != after && path.starts_with(root) =>
            {
                Some(Change { path: project.name_of(&path), before, after })
            }
            _ => None,
        });
        differing.collect()
    }
}
