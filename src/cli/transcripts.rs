//! The client's transcripts of past sessions, as far as they tell of calls: which ran, on what text, and what came of it.
//!
//! Nothing is written. A line that is none of these, or too long, is passed over.

mod text;

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;

pub(in crate::cli) use text::{EditedText, SessionTexts};

/// A longer line holds the output of a tool, and nothing that is judged, in bytes.
const LONGEST: u64 = 16 << 20;
/// So deep below a folder transcripts are looked for: projects, sessions, subagents.
const DEEP: usize = 5;

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::cli) struct TranscriptCall {
    /// When, where the transcript says it.
    pub(in crate::cli) at: Option<Timestamp>,
    /// The line of the transcript, from 1.
    pub(in crate::cli) line: usize,
    /// The tool.
    pub(in crate::cli) tool: String,
    /// What it was given.
    pub(in crate::cli) input: Value,
    /// Where the session was.
    pub(in crate::cli) cwd: PathBuf,
    /// The session.
    pub(in crate::cli) session: String,
    /// The client's account of what it did; null where there is none.
    pub(in crate::cli) result: Value,
    /// Whether it failed or was refused.
    pub(in crate::cli) failed: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TranscriptLine {
    timestamp: Option<Timestamp>,
    session_id: Option<String>,
    cwd: Option<PathBuf>,
    message: Option<TranscriptMessage>,
    #[serde(default)]
    tool_use_result: Value,
}

#[derive(Deserialize)]
struct TranscriptMessage {
    #[serde(default)]
    content: Value,
}

/// The calls of a transcript, in their order, each with its result.
pub(in crate::cli) fn calls(file: &Path) -> Vec<TranscriptCall> {
    let is_file = std::fs::metadata(file).is_ok_and(|found| found.is_file());
    let Some(opened) = is_file.then(|| std::fs::File::open(file).ok()).flatten() else { return Vec::new() };
    read(&mut BufReader::new(opened))
}

fn read(bytes: &mut dyn BufRead) -> Vec<TranscriptCall> {
    let mut calls: Vec<TranscriptCall> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        match (&mut *bytes).take(LONGEST).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => break,
            Ok(_) => {}
        }
        // Most lines are no calls, and some are very long.
        if memchr::memmem::find(&line, b"tool_use").is_none() {
            continue;
        }
        let Ok(said) = serde_json::from_slice::<TranscriptLine>(&line) else { continue };
        take(said, number, &mut calls, &mut places);
    }
    calls
}

fn take(
    said: TranscriptLine,
    number: usize,
    calls: &mut Vec<TranscriptCall>,
    places: &mut HashMap<String, usize>,
) {
    let Some(message) = said.message else { return };
    let blocks = message.content.as_array().into_iter().flatten();
    for block in blocks {
        let text = |field: &str| block.get(field).and_then(Value::as_str);
        match text("type") {
            Some("tool_use") => {
                let (Some(id), Some(tool)) = (text("id"), text("name")) else { continue };
                // A client writes an answer that is told anew a second time.
                if places.contains_key(id) {
                    continue;
                }
                places.insert(id.to_owned(), calls.len());
                calls.push(TranscriptCall {
                    at: said.timestamp,
                    line: number,
                    tool: tool.to_owned(),
                    input: block.get("input").cloned().unwrap_or_default(),
                    cwd: said.cwd.clone().unwrap_or_default(),
                    session: said.session_id.clone().unwrap_or_default(),
                    ..TranscriptCall::default()
                });
            }
            Some("tool_result") => {
                let place = text("tool_use_id").and_then(|id| places.get(id));
                let Some(call) = place.and_then(|place| calls.get_mut(*place)) else { continue };
                call.failed = block.get("is_error") == Some(&Value::Bool(true));
                call.result = said.tool_use_result.clone();
            }
            _ => {}
        }
    }
}

/// Where the client keeps its transcripts.
pub(in crate::cli) fn folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let own = set("CLAUDE_CONFIG_DIR").or_else(|| Some(set("HOME")?.join(".claude")));
    own.map(|own| own.join("projects"))
}

/// The transcript of a session, by the client's id of it.
pub(in crate::cli) fn of_session(session: &str) -> Option<PathBuf> {
    let is_id =
        !session.is_empty() && session.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    let projects = std::fs::read_dir(folder().filter(|_| is_id)?).ok()?.flatten();
    projects.map(|project| project.path().join(format!("{session}.jsonl"))).find(|file| file.is_file())
}

/// All transcripts below a folder, or the one that is named, in the order of their names.
pub(in crate::cli) fn below(folder: &Path) -> Vec<PathBuf> {
    let mut walk = ignore::WalkBuilder::new(folder);
    walk.standard_filters(false).follow_links(false).max_depth(Some(DEEP));
    let is_transcript = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "jsonl");
    let mut files: Vec<PathBuf> = walk
        .build()
        .flatten()
        .map(ignore::DirEntry::into_path)
        .filter(is_transcript)
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    files
}

impl TranscriptCall {
    fn text(&self, field: &str) -> Option<&str> {
        self.input.get(field).and_then(Value::as_str)
    }

    /// The shell command that it runs.
    pub(in crate::cli) fn command(&self) -> Option<&str> {
        self.text("command").filter(|_| self.tool == "Bash")
    }

    /// The file that it writes or reads.
    pub(in crate::cli) fn file(&self) -> Option<PathBuf> {
        let named = self.text("file_path").or_else(|| self.text("path"))?;
        Some(self.cwd.join(named))
    }

    /// Whether it is the call that the log calls so: `Edit src/a.rs`, `Bash rm a`, which may be cut there.
    pub(in crate::cli) fn is_called(&self, name: &str) -> bool {
        let Some(target) = name.strip_prefix(self.tool.as_str()).and_then(|rest| rest.strip_prefix(' '))
        else {
            return false;
        };
        match self.command() {
            Some(command) => command.starts_with(target.trim_end_matches('…')),
            None => self.file().is_some_and(|file| file.ends_with(target)),
        }
    }

    /// The pieces of text that an edit replaces, as they stand in the call.
    pub(in crate::cli) fn piece(&self) -> Option<(String, String, String)> {
        let (old, new) = (self.text("old_string")?, self.text("new_string")?);
        Some((self.text("file_path")?.to_owned(), old.to_owned(), new.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn use_of(id: &str, tool: &str, input: Value) -> String {
        json!({"type": "assistant", "timestamp": "2026-01-02T03:04:05.678Z", "sessionId": "s-1", "cwd": "/p",
            "message": {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]}})
        .to_string()
    }

    #[test]
    fn calls_are_read_with_their_results_and_other_lines_are_passed_over() {
        let result = json!({"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "is_error": true}]},
            "toolUseResult": "Error: no"});
        let lines = [
            r#"{"type":"queue-operation","operation":"tool_use"}"#.to_owned(),
            "not json tool_use".to_owned(),
            use_of("t1", "Bash", json!({"command": "rm -r build"})),
            result.to_string(),
            use_of("t1", "Bash", json!({"command": "rm -r build"})),
            use_of("t2", "Edit", json!({"file_path": "src/a.rs", "old_string": "x", "new_string": "y"})),
            r#"{"type":"user","message":{"content":"tool_use in words"}}"#.to_owned(),
        ];
        let calls = read(&mut lines.join("\n").as_bytes());
        assert_eq!(
            calls.iter().map(|call| (call.line, call.failed)).collect::<Vec<_>>(),
            [(3, true), (6, false)]
        );
        assert_eq!(calls[0].command(), Some("rm -r build"));
        assert_eq!(calls[1].file().as_deref(), Some(Path::new("/p/src/a.rs")));
        assert!(calls[0].is_called("Bash rm -r bu…") && calls[1].is_called("Edit src/a.rs"));
        assert!(!calls[1].is_called("Edit a.rs.bak") && !calls[1].is_called("Write src/a.rs"));
        assert_eq!(calls[1].piece().map(|(_, old, new)| (old, new)), Some(("x".into(), "y".into())));
    }
}
