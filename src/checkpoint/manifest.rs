//! A checkpoint's manifest: `checkpoints/iteration-NNN[-label].json.gz`, plain gzip around plain JSON.
//!
//! Invariant: a new manifest never takes the name of another, and one that is there is only ever replaced whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::checkpoint::Error;
use crate::checkpoint::node::{Entry, Node, Skipped, is_within};
use crate::checkpoint::objects::Digest;
use crate::state::atomic::{self, Durability};
use crate::state::folders;
use crate::state::own_file;
use crate::state::schema::DateTime;

/// The format that this version writes and the newest that it reads.
pub const VERSION: u32 = 1;
/// Begins the label of a call whose host gives no id; the time in microseconds follows, so that names sort by age.
pub(crate) const ANONYMOUS_CALL: &str = "call-at-";
const SUFFIX: &str = ".json.gz";
/// More than this, in bytes of JSON, was not written by us.
const LARGEST: u64 = 512 << 20;

/// Why a checkpoint was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Trigger {
    /// A call that may destroy something is about to run.
    PreRiskyOp,
    /// An iteration ends.
    Iteration,
    /// Steadfast thought it wise.
    Automatic,
    /// A person asked for it.
    Manual,
    /// A recovery begins.
    ErrorRecovery,
    /// A restore is about to replace something.
    PreRestore,
}

/// A checkpoint: what was where, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The format.
    pub version: u32,
    /// Its name, the file's without the suffix; unique in its loop.
    pub checkpoint_id: String,
    /// The loop that it belongs to.
    pub loop_id: String,
    /// The iteration in which it was made.
    pub iteration: u32,
    /// What it is, beside the iteration's number in its name; empty for the iteration's own.
    pub label: String,
    /// When.
    #[schemars(with = "DateTime")]
    pub created_at: Timestamp,
    /// Why.
    pub trigger: Trigger,
    /// The host's id of the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_call_id: Option<String>,
    /// The call's tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// What the call does or what the checkpoint is for, in a line.
    pub summary: String,
    /// Whether it is of the whole tree, as far as git would see it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tree: bool,
    /// The full checkpoint of the same loop that this one builds on: a path without an entry here is as it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    /// Names that a person gave it; it is kept for ever.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// What was measured when it was made.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub metrics: Map<String, Value>,
    /// What was where, by path.
    pub entries: Vec<Entry>,
    /// What was not kept, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub skipped: Vec<Skipped>,
    /// What the call left, once that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<After>,
}

/// What a call left, as the difference from what was kept.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct After {
    /// When it was looked at.
    #[schemars(with = "DateTime")]
    pub settled_at: Timestamp,
    /// What is not as it was; whatever has no entry here still was as it was kept, or was not there.
    pub changed: Vec<Entry>,
    /// Which of these nothing in the call's own text accounts for: somebody else may have changed them while it ran.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unaccounted: BTreeSet<PathBuf>,
}

impl Manifest {
    /// An empty manifest of what a risky call would change, whose id is given when it is written.
    pub(crate) fn new(loop_id: &str, label: String, created_at: Timestamp) -> Self {
        Manifest {
            version: VERSION,
            checkpoint_id: String::new(),
            loop_id: loop_id.to_owned(),
            iteration: 0,
            label,
            created_at,
            trigger: Trigger::PreRiskyOp,
            tool_call_id: None,
            tool: None,
            summary: String::new(),
            tree: false,
            base: None,
            tags: Vec::new(),
            metrics: Map::new(),
            entries: Vec::new(),
            skipped: Vec::new(),
            after: None,
        }
    }

    /// The paths whose whole content is kept: those below another one are left out.
    pub fn roots(&self) -> Vec<&Path> {
        let mut roots: Vec<&Path> = Vec::new();
        let mut paths: Vec<&Path> =
            self.entries.iter().filter(|entry| !entry.implied).map(|entry| entry.path.as_path()).collect();
        paths.sort_unstable();
        for path in paths {
            // The project itself sorts first, and absolute paths come between it and what is in it.
            if !roots.first().into_iter().chain(roots.last()).any(|root| is_within(path, root)) {
                roots.push(path);
            }
        }
        roots
    }

    /// The loop's id and its own, which is unique in the project: `ralph-fix/iteration-007-pre-revert`.
    pub fn address(&self) -> String {
        format!("{}/{}", self.loop_id, self.checkpoint_id)
    }

    /// What was at `name` when it was kept.
    pub fn entry(&self, name: &Path) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.path == name && !entry.implied)
    }

    /// What was kept, by name, without the folders that are only implied.
    pub(crate) fn kept(&self) -> BTreeMap<&Path, &Entry> {
        let entries = self.entries.iter().filter(|entry| !entry.implied);
        entries.map(|entry| (entry.path.as_path(), entry)).collect()
    }

    /// The number and the bytes of the kept files.
    pub fn kept_files(&self) -> (usize, u64) {
        let sizes = self.entries.iter().filter_map(|entry| match entry.node {
            Node::File { size, .. } => Some(size),
            _ => None,
        });
        sizes.fold((0, 0), |(files, bytes), size| (files + 1, bytes + size))
    }

    /// Writes it under a new name in `directory`: its iteration and label, with a number when that is taken, which
    /// becomes its id. Answers the file.
    pub(crate) fn create(&mut self, directory: &Path, durability: Durability) -> Result<PathBuf, Error> {
        folders::make(directory).map_err(Error::io("create", directory))?;
        let stem = stem(self.iteration, &self.label);
        for number in 1_u32.. {
            self.checkpoint_id = if number == 1 { stem.clone() } else { format!("{stem}-{number}") };
            let path = directory.join(format!("{}{SUFFIX}", self.checkpoint_id));
            if path.exists() {
                continue;
            }
            let bytes = self.encode().map_err(Error::io("write", &path))?;
            let mut file = tempfile::Builder::new()
                .prefix(".tmp-")
                .tempfile_in(directory)
                .map_err(Error::io("write in", directory))?;
            file.write_all(&bytes).map_err(Error::io("write", &path))?;
            if durability == Durability::Power {
                file.as_file().sync_data().map_err(Error::io("write", &path))?;
            }
            match file.persist_noclobber(&path) {
                Ok(_) => return Ok(path),
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(Error::Io { doing: "write", path, source: error.error }),
            }
        }
        Err(Error::Busy)
    }

    /// Replaces the manifest at `path` by this one.
    pub(crate) fn replace(&self, path: &Path, durability: Durability) -> Result<(), Error> {
        let write = || atomic::write(path, &self.encode()?, durability);
        write().map_err(Error::io("write", path))
    }

    /// Reads the manifest at `path`.
    pub fn read(path: &Path) -> Result<Manifest, Error> {
        let unreadable = |why: String| Error::Unreadable { path: path.to_owned(), why };
        let compressed = own_file::read(path).map_err(Error::io("read", path))?;
        let mut json = Vec::new();
        let mut decoder = GzDecoder::new(compressed.as_slice()).take(LARGEST);
        decoder.read_to_end(&mut json).map_err(|error| unreadable(error.to_string()))?;
        let VersionedManifest { version } =
            serde_json::from_slice(&json).map_err(|error| unreadable(error.to_string()))?;
        if version > VERSION {
            return Err(Error::Newer { path: path.to_owned(), found: version });
        }
        serde_json::from_slice(&json).map_err(|error| unreadable(error.to_string()))
    }

    fn encode(&self) -> io::Result<Vec<u8>> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        serde_json::to_writer(&mut encoder, self)?;
        encoder.write_all(b"\n")?;
        encoder.finish()
    }
}

#[derive(Deserialize)]
struct VersionedManifest {
    version: u32,
}

/// The name of a checkpoint without suffix.
pub fn stem(iteration: u32, label: &str) -> String {
    match label {
        "" => format!("iteration-{iteration:03}"),
        label => format!("iteration-{iteration:03}-{label}"),
    }
}

/// The file of the checkpoint `id` in `directory`.
pub fn file(directory: &Path, id: &str) -> PathBuf {
    directory.join(format!("{id}{SUFFIX}"))
}

/// Whether a file's name is a manifest's.
pub fn is_manifest(name: &str) -> bool {
    name.starts_with("iteration-") && name.ends_with(SUFFIX)
}

/// The label of a call's checkpoint. Ids that would not make a file name keep apart by a hash.
pub fn call_label(tool_call_id: &str) -> String {
    const LONGEST: usize = 80;
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let clean: String = tool_call_id.chars().map(|c| if plain(c) { c } else { '_' }).take(LONGEST).collect();
    if clean == tool_call_id && !clean.is_empty() {
        return format!("call-{clean}");
    }
    let hash: String = Digest::of(tool_call_id.as_bytes()).to_string().chars().take(8).collect();
    format!("call-{clean}-{hash}")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn manifest(paths: &[&str]) -> Manifest {
        Manifest {
            iteration: 7,
            tool_call_id: Some("1".into()),
            tool: Some("Bash".into()),
            summary: "rm -rf src".into(),
            entries: paths.iter().map(|path| Entry::new(path.into(), Node::Absent)).collect(),
            skipped: vec![Skipped { path: "big".into(), reason: "too large".into() }],
            ..Manifest::new("ralph-x", "call-1".into(), "2026-01-02T03:04:05Z".parse().unwrap())
        }
    }

    #[test]
    fn plain_gunzip_reads_it() {
        let directory = tempfile::tempdir().unwrap();
        let mut written = manifest(&["a"]);
        let path = written.create(directory.path(), Durability::Process).unwrap();
        assert_eq!(path.file_name().unwrap(), "iteration-007-call-1.json.gz");
        let gunzip = std::process::Command::new("gunzip").arg("-c").arg(&path).output().unwrap();
        let json: serde_json::Value = serde_json::from_slice(&gunzip.stdout).unwrap();
        assert_eq!(json["checkpoint_id"], "iteration-007-call-1");
        assert_eq!(json["created_at"], "2026-01-02T03:04:05Z");
        assert_eq!(json["trigger"], "pre_risky_op");
        assert_eq!(json["entries"][0]["kind"], "absent");
        assert_eq!(json["skipped"][0]["reason"], "too large");
        assert_eq!(Manifest::read(&path).unwrap(), written);
    }

    #[test]
    fn a_name_is_never_taken_twice() {
        let directory = tempfile::tempdir().unwrap();
        let ids: Vec<String> = (0..3)
            .map(|_| {
                let mut manifest = manifest(&[]);
                manifest.create(directory.path(), Durability::Process).unwrap();
                manifest.checkpoint_id
            })
            .collect();
        assert_eq!(ids, ["iteration-007-call-1", "iteration-007-call-1-2", "iteration-007-call-1-3"]);
    }

    #[test]
    fn what_is_damaged_or_newer_is_an_error_with_the_path() {
        let directory = tempfile::tempdir().unwrap();
        let mut whole = manifest(&["a"]);
        let path = whole.create(directory.path(), Durability::Process).unwrap();
        let bytes = fs::read(&path).unwrap();
        for damage in [&b""[..], b"not gzip", &bytes[..bytes.len() / 2]] {
            fs::write(&path, damage).unwrap();
            let error = Manifest::read(&path).unwrap_err();
            assert!(matches!(error, Error::Unreadable { .. }), "{error}");
            assert!(error.to_string().contains("iteration-007-call-1.json.gz"), "{error}");
        }
        whole.version = VERSION + 1;
        whole.replace(&path, Durability::Process).unwrap();
        assert!(matches!(Manifest::read(&path), Err(Error::Newer { found: 2, .. })));
    }

    #[test]
    fn roots_are_the_outermost_paths() {
        let cases: [(&[&str], &[&str]); 5] = [
            (&["a", "a/b", "a/b/c", "ab"], &["a", "ab"]),
            (&["a/b", "a/c"], &["a/b", "a/c"]),
            (&["", "a", "/x", "/x/y", "/z"], &["", "/x", "/z"]),
            (&["/", "/x", "a"], &["/", "a"]),
            (&[], &[]),
        ];
        for (paths, roots) in cases {
            let expected: Vec<&Path> = roots.iter().map(Path::new).collect();
            assert_eq!(manifest(paths).roots(), expected, "{paths:?}");
        }
    }

    #[test]
    fn call_labels_are_file_names_and_keep_apart() {
        assert_eq!(call_label("toolu_01AbC-9"), "call-toolu_01AbC-9");
        let odd =
            ["a/b", "a_b", "a.b", "../..", "", "ü", &"x".repeat(80), &"x".repeat(300), &"x".repeat(301)];
        let labels: Vec<String> = odd.iter().map(|id| call_label(id)).collect();
        for (id, label) in odd.iter().zip(&labels) {
            assert!(label.len() <= 100 && !label.contains(['/', '.']), "{id}: {label}");
            assert_eq!(labels.iter().filter(|other| *other == label).count(), 1, "{id}: {label}");
        }
    }
}
