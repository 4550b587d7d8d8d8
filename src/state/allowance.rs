//! Commands that a person may allow once: `.aiwg/ralph/allowances.json`, the newest twenty.
//!
//! A record holds no code, only its salted hash, and fits one command in one folder exactly. Granted it is used once.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::atomic::Durability;
use super::gate::CodeHash;
use super::hex::hex;
use super::layout::{ALLOWANCES, Layout};
use super::lock::Lock;
use super::twice::DoubledFiles;
use crate::model::finding::Finding;

/// How many commands are remembered.
const MOST: usize = 20;
/// How much of a command is shown to a person, in characters.
const SHOWN: usize = 200;

/// A longer command is not held whole, in bytes: no rule can be made from it then.
const WHOLE: usize = 4096;

/// One command that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowance {
    /// Hex of the hash of tool, folder and command: exactly what is allowed.
    pub call: String,
    /// The beginning of the command, for a person.
    pub command: String,
    /// The hash of the code that the person was shown.
    pub code: CodeHash,
    /// When the command was refused.
    pub refused_at: Timestamp,
    /// When a person allowed it; until then it is refused again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_at: Option<Timestamp>,
    /// `terminal` or `one-time code`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub granted_via: Option<String>,
    /// A shell command as a whole, and where it would have run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shell: Option<ShellText>,
    /// What was found in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<RefusedFinding>,
}

/// A shell command and its folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShellText {
    /// The command.
    pub text: String,
    /// The folder in which it would have run.
    pub folder: PathBuf,
}

/// A finding for which a call was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedFinding {
    /// The catalogue's id.
    pub pattern_id: String,
    /// The file.
    pub path: String,
    /// What would be lost, by name.
    pub lost: Vec<String>,
    /// What would happen.
    pub what: String,
}

impl From<&Finding> for RefusedFinding {
    fn from(finding: &Finding) -> RefusedFinding {
        RefusedFinding {
            pattern_id: finding.pattern_id.to_owned(),
            path: finding.path.clone(),
            lost: finding.lost.clone(),
            what: finding.what.clone(),
        }
    }
}

impl Allowance {
    /// A refused call of this name and these words, with the hash of the code that allows it.
    pub fn new(call: String, words: &str, code: CodeHash, now: Timestamp) -> Allowance {
        let command = words.chars().take(SHOWN).collect();
        let (granted_at, granted_via, shell) = (None, None, None);
        Allowance {
            call,
            command,
            code,
            refused_at: now,
            granted_at,
            granted_via,
            shell,
            findings: Vec::new(),
        }
    }

    /// The same as a shell command with its folder, from which a person can make a rule.
    pub fn in_shell(mut self, text: &str, folder: &Path) -> Allowance {
        let is_short = text.len() <= WHOLE;
        self.shell = is_short.then(|| ShellText { text: text.to_owned(), folder: folder.to_owned() });
        self
    }
}

/// What names a call: its tool, its folder and its command, to the byte.
pub fn call_name(tool: &str, cwd: &Path, command: &str) -> String {
    let mut hash = Sha256::new();
    for part in [tool.as_bytes(), cwd.as_os_str().as_encoded_bytes(), command.as_bytes()] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hex(&hash.finalize())
}

/// Notes a refused command with the code that allows it. The same command has one record, and the newest code counts.
pub fn offer(layout: &Layout, refused: Allowance, wait: Duration) -> io::Result<()> {
    change(layout, wait, |all| {
        all.retain(|one| one.call != refused.call);
        all.push(refused);
        let surplus = all.len().saturating_sub(MOST);
        all.drain(..surplus);
    })
}

/// Allows the command that `code` was shown for; answers its beginning, or `None` for a wrong code.
pub fn grant(
    layout: &Layout,
    code: &str,
    via: &str,
    now: Timestamp,
    wait: Duration,
) -> io::Result<Option<String>> {
    change(layout, wait, |all| {
        // Only the newest ones that wait are tried: a code is for what was just refused.
        let one = all
            .iter_mut()
            .rev()
            .filter(|one| one.granted_at.is_none())
            .find_map(|one| one.code.takes(code).then_some(one))?;
        one.granted_at = Some(now);
        one.granted_via = Some(via.to_owned());
        Some(one.command.clone())
    })
}

/// Uses up the allowance of a call; `None` when no person allowed it. What is not there costs one look at the disk.
pub fn take(layout: &Layout, call: &str, wait: Duration) -> io::Result<Option<Allowance>> {
    let twice = DoubledFiles::of_project(layout);
    if !twice.has(ALLOWANCES) && !layout.allowances().exists() {
        return Ok(None);
    }
    if !read(layout)?.iter().any(|one| one.call == call && one.granted_at.is_some()) {
        return Ok(None);
    }
    change(layout, wait, |all| {
        let at = all.iter().position(|one| one.call == call && one.granted_at.is_some())?;
        Some(all.remove(at))
    })
}

/// All records, oldest first.
pub fn read(layout: &Layout) -> io::Result<Vec<Allowance>> {
    match DoubledFiles::of_project(layout).read(ALLOWANCES) {
        // A damaged record allows nothing.
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn change<T>(
    layout: &Layout,
    wait: Duration,
    change: impl FnOnce(&mut Vec<Allowance>) -> T,
) -> io::Result<T> {
    let Some(_lock) = Lock::take(&layout.root().join("allowances.lock"), wait)? else {
        return Err(io::Error::new(io::ErrorKind::WouldBlock, "another process holds the allowances"));
    };
    let mut all = read(layout)?;
    let before = all.clone();
    let result = change(&mut all);
    if all != before {
        let bytes = serde_json::to_vec_pretty(&all).unwrap_or_default();
        DoubledFiles::of_project(layout).write(ALLOWANCES, &bytes, Durability::Process)?;
    }
    Ok(result)
}
