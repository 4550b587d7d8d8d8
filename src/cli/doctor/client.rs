//! The client around the hooks: its version, whether it trusts the folder, and whether sessions that changed files there
//! have called the hooks.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use jiff::Timestamp;
use serde_json::Value;

use super::diagnosis::{DoctorFinding, Outcome};
use crate::cli::guard::shown;
use crate::cli::install::client;
use crate::hosts::claude_code::versions::{self, TESTED, Version, written};
use crate::lifecycle::session::calling::CallingSettings;
use crate::project::Git;
use crate::state::own_file;

/// The longest list of projects that is read, in bytes.
const LONGEST: u64 = 64 << 20;
/// What is read of a transcript's end, in bytes.
const TAIL: u64 = 4 << 20;
/// The tools whose calls always reach a hook that is registered.
const EDITS: &[&str] = &["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// The client's version against those that were tested.
pub(super) fn version(version: Option<Version>) -> DoctorFinding {
    const CHECK: &str = "client";
    let Some(version) = version else {
        let says = "`claude --version` gives no answer here, so it is not known which events the client has";
        return DoctorFinding::new(CHECK, Outcome::Note, says)
            .mend("put `claude` on PATH, or name its version: `steadfast install --client VERSION`");
    };
    if let Some(untested) = client::untested(Some(version)) {
        return DoctorFinding::new(CHECK, Outcome::Note, untested);
    }
    let named = written(version);
    if versions::is_older(version) {
        let oldest = TESTED.iter().min().copied().map(written).unwrap_or_default();
        let says = format!("Claude Code {named} is older than {oldest}, the oldest that was tested");
        return DoctorFinding::new(CHECK, Outcome::Warning, says).mend("`claude update`");
    }
    if TESTED.contains(&version) {
        return DoctorFinding::ok(CHECK, format!("Claude Code {named}, which was tested"));
    }
    DoctorFinding::ok(CHECK, format!("Claude Code {named}, between the versions that were tested"))
}

/// Whether the client trusts the folder: an interactive session in one that it does not calls no hook before it asks.
pub(super) fn trust(start: &Path, own: Option<&Path>) -> Option<DoctorFinding> {
    const CHECK: &str = "trust";
    let beside_home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".claude.json"));
    let configured = std::env::var_os("CLAUDE_CONFIG_DIR").is_some();
    let list = own.filter(|_| configured).map(|own| own.join(".claude.json")).or_else(beside_home)?;
    let bytes = own_file::read_within(&list, LONGEST).ok()?;
    let list: Value = serde_json::from_slice(&bytes).ok()?;
    let main = Git::at(start).main_checkout();
    let asked = start.ancestors().chain(main.as_deref());
    let is_trusted = |folder: &&Path| {
        let name = folder.to_string_lossy();
        list["projects"].get(name.as_ref()).is_some_and(|project| project["hasTrustDialogAccepted"] == true)
    };
    Some(match asked.into_iter().find(is_trusted) {
        Some(folder) => DoctorFinding::ok(CHECK, format!("the client trusts {}", shown(folder))),
        None => {
            let says = format!(
                "the client has not been told to trust {}: an interactive session there calls no hook before that",
                shown(start)
            );
            DoctorFinding::new(CHECK, Outcome::Note, says)
                .mend("start `claude` there once and accept its question")
        }
    })
}

/// A session of the client that edited files in this folder since the hooks stand in its settings, and of which no event
/// came. `last` is the newest event that did.
pub(super) fn unheard(
    calling: &CallingSettings,
    own: Option<&Path>,
    last: Option<Timestamp>,
) -> Option<DoctorFinding> {
    let since = calling.in_force().filter_map(|seen| changed(&seen.file.path)).max()?;
    let since = last.map_or(since, |last| since.max(last));
    let folder = own?.join("projects").join(folder_name(&calling.start));
    let transcripts = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let transcripts = transcripts.filter(|path| path.extension().is_some_and(|it| it == "jsonl"));
    let newer = transcripts.filter(|path| changed(path).is_some_and(|at| at > since));
    let (at, transcript) = newer.filter_map(|path| Some((last_edit(&path, since)?, path))).max()?;
    let says = format!(
        "a session edited files here at {} ({}), and no event of it came: it was not guarded",
        at.strftime("%FT%TZ"),
        shown(&transcript)
    );
    let mend =
        "a session reads its settings when it starts: start it anew; `/hooks` in it lists what it calls";
    Some(DoctorFinding::new("events", Outcome::Fault, says).mend(mend))
}

fn changed(path: &Path) -> Option<Timestamp> {
    let changed: SystemTime = path.metadata().ok()?.modified().ok()?;
    Timestamp::try_from(changed).ok()
}

/// The client's name for the folder of a project's transcripts.
fn folder_name(start: &Path) -> String {
    start.to_string_lossy().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// When a transcript last has an edit, after `since`.
fn last_edit(path: &Path, since: Timestamp) -> Option<Timestamp> {
    let mut file = File::open(path).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(TAIL))).ok()?;
    let rows = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let rows = rows.filter_map(|row| serde_json::from_slice::<Value>(&row).ok());
    let edits = rows.filter(edits).filter_map(|row| row["timestamp"].as_str()?.parse::<Timestamp>().ok());
    edits.filter(|at| *at > since).max()
}

fn edits(row: &Value) -> bool {
    let content = row["message"]["content"].as_array().into_iter().flatten();
    let mut names =
        content.filter(|block| block["type"] == "tool_use").filter_map(|block| block["name"].as_str());
    names.any(|name| EDITS.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_in_a_transcript_is_found_and_what_reads_is_not() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("s.jsonl");
        let row = |at: &str, tool: &str| {
            format!(
                r#"{{"timestamp":"{at}","message":{{"content":[{{"type":"tool_use","name":"{tool}"}}]}}}}"#
            )
        };
        let rows =
            [row("2026-01-02T10:00:00Z", "Edit"), row("2026-01-02T11:00:00Z", "Read"), "{ cut".to_owned()];
        fs::write(&path, rows.join("\n")).unwrap();
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        let found = last_edit(&path, at("2026-01-01T00:00:00Z"));
        assert_eq!(found, Some(at("2026-01-02T10:00:00Z")));
        assert_eq!(last_edit(&path, at("2026-01-02T10:30:00Z")), None);
        assert_eq!(folder_name(Path::new("/home/ada/my_app.x")), "-home-ada-my-app-x");
    }

    #[test]
    fn a_version_is_told_from_the_tested_ones() {
        for (named, outcome) in [
            (Some([2, 1, 197]), Outcome::Ok),
            (Some([2, 1, 250]), Outcome::Ok),
            (Some([2, 0, 1]), Outcome::Warning),
            (Some([3, 0, 0]), Outcome::Note),
            (None, Outcome::Note),
        ] {
            assert_eq!(version(named).outcome, outcome, "{named:?}");
        }
    }
}
