//! One part of what a criterion rests on: a piece of a file, and what it says.

use serde::{Deserialize, Serialize};

use crate::languages::settings;
use crate::loops::criterion_inputs::makefile;
use crate::loops::criterion_inputs::sections::{is_key, sections};

/// Which piece of a file is meant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FilePiece {
    /// All of it, without comments and blank lines.
    Whole,
    /// The values under these keys; a key that ends in `*` begins others. Of a program the blocks that are called so, of
    /// XML the elements.
    Keys(Vec<String>),
    /// A target of a Makefile with its prerequisites and recipe.
    Target(String),
}

/// One part of the ground.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriterionInput {
    /// The file, relative to the project.
    pub file: String,
    /// The piece.
    pub piece: FilePiece,
    /// What it says; `None` for a runner's configuration that is not there.
    pub says: Option<String>,
}

impl CriterionInput {
    /// The part for a person: `the script test of package.json`.
    pub fn name(&self) -> String {
        match &self.piece {
            FilePiece::Whole => self.file.clone(),
            FilePiece::Target(target) => format!("the target `{target}` of {}", self.file),
            FilePiece::Keys(keys) => match keys.as_slice() {
                [one] if one.starts_with("scripts.") => {
                    format!("the script `{}` of {}", one.trim_start_matches("scripts."), self.file)
                }
                _ => format!("the configuration of the tests in {}", self.file),
            },
        }
    }

    /// The same part of the file's present text.
    pub fn read(&self, text: Option<&str>) -> Option<String> {
        said(&self.file, &self.piece, text?)
    }
}

/// What a piece says; `None` when it isn't in the text.
pub(super) fn said(file: &str, piece: &FilePiece, text: &str) -> Option<String> {
    match piece {
        FilePiece::Target(target) => {
            let (prerequisites, recipe) = makefile::rule(text, target)?;
            Some(format!("{}: {}", prerequisites.join(" "), recipe.join("\n")))
        }
        FilePiece::Keys(keys) => {
            let Some(entries) = settings(file, text) else { return sections(file, keys, text) };
            let meant = |key: &str| keys.iter().any(|wanted| is_key(wanted, key));
            let mut said: Vec<String> = entries
                .iter()
                .filter(|entry| !entry.value.is_empty() && meant(&entry.key))
                .map(|entry| format!("{}={}", entry.key, entry.value))
                .collect();
            said.sort();
            // A script is shown as it stands; its key is in the part's name.
            match (keys.as_slice(), said.as_slice()) {
                (_, []) => None,
                ([key], [one]) if key.starts_with("scripts.") => {
                    one.split_once('=').map(|(_, text)| text.to_owned())
                }
                _ => Some(said.join("\n")),
            }
        }
        FilePiece::Whole => Some(whole(file, text)),
    }
}

/// A file without comments, blank lines and order, where its form is known.
fn whole(file: &str, text: &str) -> String {
    if let Some(mut entries) = settings(file, text) {
        entries.sort_by(|a, b| (&a.key, &a.value).cmp(&(&b.key, &b.value)));
        let lines = entries.iter().map(|entry| format!("{}={}", entry.key, entry.value));
        return lines.collect::<Vec<_>>().join("\n");
    }
    let is_comment =
        |line: &&str| (line.starts_with('#') && !line.starts_with("#!")) || line.starts_with("//");
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !is_comment(line));
    lines.collect::<Vec<_>>().join("\n")
}
