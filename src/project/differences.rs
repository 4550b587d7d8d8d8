//! Which files differ between two states that git knows, and what they hold there.
//!
//! Invariant: one question for all files, and one for all contents, however many there are.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Git, bytes_path};

/// A regular file that is not the same in two states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The file, relative to git's directory of questions.
    pub path: PathBuf,
    /// The object's id before; `None` for a file that was not there.
    pub before: Option<String>,
    /// What is there after.
    pub after: After,
}

/// What is there after a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum After {
    /// Nothing.
    Gone,
    /// An object's id.
    Object(String),
    /// What is on the disk.
    Disk,
}

impl Git {
    /// The regular files below the directory that differ, in the sense of `git diff` with `revisions`: nothing is
    /// paired up as a rename. Links and other repositories are left out.
    pub fn differences(&self, revisions: &[&str], paths: &[PathBuf]) -> Option<Vec<Difference>> {
        let mut arguments = vec!["diff", "--raw", "-z", "--no-abbrev", "--no-renames", "--relative"];
        arguments.extend(["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]);
        arguments.extend_from_slice(revisions);
        let output = self.ask_paths(&arguments, paths)?;
        Some(parse(&output))
    }

    /// The files below the directory that git does not track and does not ignore, relative to it.
    pub fn untracked(&self, paths: &[PathBuf]) -> Option<Vec<PathBuf>> {
        let output = self.ask_paths(&["ls-files", "-z", "--others", "--exclude-standard"], paths)?;
        Some(super::split_paths(&output, Path::new("")))
    }

    /// The contents of objects by their ids; one that is not here has no entry.
    pub fn contents<'a>(&self, ids: impl Iterator<Item = &'a str>) -> Option<BTreeMap<String, Vec<u8>>> {
        let input: String = ids.map(|id| format!("{id}\n")).collect();
        if input.is_empty() {
            return Some(BTreeMap::new());
        }
        let (code, output) = self.answer(&["cat-file", "--batch"], Some(input.as_bytes()))?;
        (code == 0).then(|| objects(&output))
    }
}

/// Reads `:100644 100644 <id> <id> M\0path\0…`.
fn parse(output: &[u8]) -> Vec<Difference> {
    let mut parts = output.split(|byte| *byte == 0);
    let mut differences = Vec::new();
    while let (Some(head), Some(path)) = (parts.next(), parts.next()) {
        let head = String::from_utf8_lossy(head);
        let mut words = head.trim_start_matches(':').split(' ');
        let (Some(mode_before), Some(mode_after), Some(before), Some(after)) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            continue;
        };
        let is_file = |mode: &str| mode.starts_with("100");
        let is_none = |id: &str| id.bytes().all(|byte| byte == b'0');
        let before = is_file(mode_before).then(|| before.to_owned());
        let after = match (is_file(mode_after), is_none(after)) {
            (false, _) => After::Gone,
            (true, true) => After::Disk,
            (true, false) => After::Object(after.to_owned()),
        };
        if before.is_some() || after != After::Gone {
            differences.push(Difference { path: bytes_path(path), before, after });
        }
    }
    differences
}

/// Reads `<id> blob <size>\n<bytes>\n…`; `<id> missing\n` for what is not here. What was cut off is left out.
fn objects(mut output: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut objects = BTreeMap::new();
    while let Some(end) = output.iter().position(|byte| *byte == b'\n') {
        let (head, rest) = output.split_at(end);
        let head = String::from_utf8_lossy(head);
        output = rest.get(1..).unwrap_or_default();
        let mut words = head.split(' ');
        let (id, kind, size) = (words.next(), words.next(), words.next());
        let (Some(id), Some(size)) = (id, size.and_then(|size| size.parse::<usize>().ok())) else { continue };
        let Some(bytes) = output.get(..size) else { break };
        if kind == Some("blob") {
            objects.insert(id.to_owned(), bytes.to_vec());
        }
        output = output.get(size + 1..).unwrap_or_default();
    }
    objects
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_differences_are_read() {
        let zero = "0".repeat(40);
        let one = "1".repeat(40);
        let lines = [
            (format!(":100644 100755 {one} {zero} M"), "a b\n", Some(&one), Some(After::Disk)),
            (format!(":000000 100644 {zero} {one} A"), "b", None, Some(After::Object(one.clone()))),
            (format!(":100644 000000 {one} {zero} D"), "c", Some(&one), Some(After::Gone)),
            (format!(":100644 120000 {one} {one} T"), "d", Some(&one), Some(After::Gone)),
            (format!(":160000 160000 {one} {one} M"), "module", None, None),
        ];
        let text: String = lines.iter().map(|(head, path, ..)| format!("{head}\0{path}\0")).collect();
        let expected: Vec<Difference> = lines
            .into_iter()
            .filter_map(|(_, path, before, after)| {
                Some(Difference { path: path.into(), before: before.cloned(), after: after? })
            })
            .collect();
        assert_eq!(parse(text.as_bytes()), expected);
    }

    #[test]
    fn objects_are_read_whole_or_not_at_all() {
        let output = b"aa blob 3\nx\ny\nbb missing\ncc tree 2\nzz\ndd blob 0\n\nee blob 9\ncut";
        let found = objects(output);
        let expected = BTreeMap::from([("aa".to_owned(), b"x\ny".to_vec()), ("dd".to_owned(), Vec::new())]);
        assert_eq!(found, expected);
    }
}
