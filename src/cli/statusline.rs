//! `steadfast statusline`: one line for the client's status line.
//!
//! Invariant: it prints one line and answers 0 whatever it is given, and reads no more than the ends of a few logs, so
//! that its cost does not grow with the history.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use anstream::println;
use clap::Args;
use jiff::Timestamp;
use owo_colors::{OwoColorize, Style};
use serde_json::Value;

use super::guard;
use super::seen::{self, SeenEvent, Sort};
use crate::hosts::claude_code::versions::{self, Version};
use crate::project::Project;
use crate::state::audit;
use crate::state::layout::Layout;
use crate::state::registry::{Kind, Registry};

/// More than this of the client's status is not read, in bytes.
const LONGEST: u64 = 1 << 20;
/// So much of a log's end is counted, in bytes.
const TAIL: u64 = 128 << 10;
/// So many logs are looked at: those that were written to last.
const LOGS: usize = 8;

/// Print one line for Claude Code's status line: guarded or not, stopped today, loop, gate
///
/// Reads the client's status as JSON on stdin. `steadfast install --statusline` puts it into the settings.
#[derive(Debug, Args)]
pub struct StatuslineArgs {
    /// Print the line without colours
    #[arg(long)]
    plain: bool,
}

/// Prints the line.
pub fn run(args: &StatuslineArgs) -> u8 {
    let asked = StatuslineSession::of(&told_by_the_client());
    // A client shows colours there though it is no terminal.
    let plain = args.plain || set("NO_COLOR") || std::env::var("TERM").is_ok_and(|term| term == "dumb");
    let line = line(&parts(&asked, Timestamp::now()), plain);
    if plain {
        println!("{line}");
    } else {
        use std::io::Write;
        // A client that has gone meanwhile reads nothing.
        writeln!(std::io::stdout(), "{line}").ok();
    }
    0
}

fn set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// What the client wrote; nothing where a person typed the command.
fn told_by_the_client() -> Value {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        return Value::Null;
    }
    let mut bytes = Vec::new();
    // Half a status is as good as none.
    stdin.lock().take(LONGEST).read_to_end(&mut bytes).ok();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

/// The session that is asked about.
struct StatuslineSession {
    session: Option<String>,
    folder: PathBuf,
    /// The client's version.
    version: Option<Version>,
}

impl StatuslineSession {
    fn of(told: &Value) -> StatuslineSession {
        let text =
            |pointer: &str| told.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
        let folder = text("/workspace/project_dir")
            .or_else(|| text("/workspace/current_dir"))
            .or_else(|| text("/cwd"));
        let here = || std::env::current_dir().unwrap_or_default();
        StatuslineSession {
            session: text("/session_id").map(str::to_owned),
            folder: folder.map_or_else(here, PathBuf::from),
            version: text("/version").and_then(versions::parse),
        }
    }
}

/// How good the news is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mood {
    Good,
    Plain,
    Warning,
    Bad,
}

/// What the line says, part by part.
fn parts(asked: &StatuslineSession, now: Timestamp) -> Vec<(Mood, String)> {
    let project = Project::locate(&asked.folder);
    let layout = Layout::of_project(project.root());
    let registry = Registry::read(&layout).unwrap_or_default();
    let own = registry.of_session(asked.session.as_deref());
    let mut parts = vec![standing(asked, project.root(), own.is_some())];
    parts.extend(stopped(&layout, &registry, seen::midnight(now)));
    let running =
        registry.loops.iter().filter(|(_, entry)| entry.kind == Kind::Explicit && !entry.status.is_over());
    let of_session = own.filter(|(_, entry)| entry.kind == Kind::Explicit);
    let shown = of_session.or_else(|| {
        running.map(|(id, entry)| (id.as_str(), entry)).max_by_key(|(_, entry)| entry.last_active)
    });
    if let Some((id, entry)) = shown {
        let status = if of_session.is_some() { String::new() } else { format!(" ({})", entry.status.name()) };
        let number = entry.iteration.max(1);
        parts.push((Mood::Plain, format!("loop {} {number}/{}{status}", cut(id), entry.max_iterations)));
    }
    if registry.loops.values().any(|entry| entry.gate_open) {
        parts.push((Mood::Bad, "gate open: steadfast gate".to_owned()));
    }
    parts
}

/// Whether the session is guarded, in a word or two.
fn standing(asked: &StatuslineSession, project: &Path, has_called: bool) -> (Mood, String) {
    if guard::of_session(&asked.folder, asked.version, has_called).guarded {
        return (Mood::Good, "guarded".to_owned());
    }
    if guard::switched_off(project).is_some() {
        return (Mood::Warning, "off in aiwg.yml".to_owned());
    }
    (Mood::Bad, "not guarded: steadfast doctor".to_owned())
}

/// How many calls were stopped since then. Where a log's end does not reach back so far, there are more.
fn stopped(layout: &Layout, registry: &Registry, since: Timestamp) -> Option<(Mood, String)> {
    let mut today: Vec<(Timestamp, &String)> = registry
        .loops
        .iter()
        .map(|(id, entry)| (entry.last_active, id))
        .filter(|(at, _)| *at >= since)
        .collect();
    today.sort_by(|a, b| b.cmp(a));
    let (mut count, mut more) = (0_usize, today.len() > LOGS);
    for (_, id) in today.iter().take(LOGS) {
        let path = layout.hook_log(id);
        let lines = audit::newest(&path, TAIL).unwrap_or_default();
        let reaches = lines.last().is_none_or(|line| line.timestamp < since);
        more |= !reaches && std::fs::metadata(&path).is_ok_and(|file| file.len() > TAIL);
        let today = lines.iter().take_while(|line| line.timestamp >= since);
        count += today.filter_map(SeenEvent::of).filter(|event| event.sort == Sort::Stopped).count();
    }
    let more = if more { "+" } else { "" };
    (count > 0 || !more.is_empty()).then(|| (Mood::Warning, format!("{count}{more} stopped today")))
}

/// A loop's name, as long as fits into a status line.
fn cut(id: &str) -> String {
    const LONGEST: usize = 24;
    if id.chars().count() <= LONGEST {
        id.to_owned()
    } else {
        format!("{}…", id.chars().take(LONGEST - 1).collect::<String>())
    }
}

fn line(parts: &[(Mood, String)], plain: bool) -> String {
    let shown = parts.iter().map(|(mood, text)| {
        let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
        let style = match mood {
            Mood::Good => Style::new().green(),
            Mood::Plain => Style::new(),
            Mood::Warning => Style::new().yellow(),
            Mood::Bad => Style::new().red().bold(),
        };
        if plain || *mood == Mood::Plain { text } else { text.style(style).to_string() }
    });
    format!("steadfast {}", shown.collect::<Vec<_>>().join(" · "))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_client_says_whose_session_it_is() {
        let rows = [
            (
                json!({"session_id": "s", "cwd": "/a/b", "workspace": {"project_dir": "/a", "current_dir": "/a/b"}}),
                Some("s"),
                "/a",
            ),
            (json!({"session_id": "", "cwd": "/a/b"}), None, "/a/b"),
            (json!({"session_id": 7, "workspace": "x", "cwd": "/c"}), None, "/c"),
        ];
        for (told, session, folder) in rows {
            let asked = StatuslineSession::of(&told);
            assert_eq!((asked.session.as_deref(), &*asked.folder), (session, Path::new(folder)), "{told}");
        }
    }

    #[test]
    fn a_line_has_no_line_end_and_colours_only_where_wanted() {
        let parts = [(Mood::Good, "guarded".to_owned()), (Mood::Plain, "loop a\n\u{1b}[2Jb 1/3".to_owned())];
        assert_eq!(line(&parts, true), "steadfast guarded · loop a[2Jb 1/3");
        assert!(line(&parts, false).contains("\u{1b}[32mguarded"));
    }
}
