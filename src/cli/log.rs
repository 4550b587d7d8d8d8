//! `steadfast log`: what the hooks did, and whether the log of it is as they wrote it.

use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use jiff::{SignedDuration, Timestamp};

use super::pages::{self, LimitArgs};
use crate::definitions;
use crate::state::audit::{self, Filter, Line};
use crate::state::layout::Layout;
use crate::state::loop_id;

mod listing;
mod profile;
mod remarks;

use listing::{listed, newest_of};
use profile::profile;
use remarks::report;

/// Show what the hooks did
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct LogArgs {
    #[command(subcommand)]
    command: Option<LogCommand>,
    /// The loop [default: the one that was active last]
    loop_id: Option<String>,
    /// Only this hook's lines
    #[arg(long, value_name = "NAME")]
    hook: Option<String>,
    /// Only lines since then: 90s, 30m, 2h, 7d, 2026-02-03 or 2026-02-03T10:00:00Z
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Every line, as `--limit 0`
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    #[command(flatten)]
    limit: LimitArgs,
    /// Print the lines as they are stored
    #[arg(long)]
    json: bool,
    /// Sum up by hook: how often, how long together, and the 95th percentile
    #[arg(long)]
    profile: bool,
}

/// What else can be done with a log.
#[derive(Debug, Subcommand)]
pub enum LogCommand {
    /// Find lines that were changed, moved, put in or taken out; the exit code is 1 when there are any
    Verify(LogVerifyArgs),
}

/// Arguments of `steadfast log verify`.
#[derive(Debug, Args)]
pub struct LogVerifyArgs {
    /// The loop [default: all of them]
    loop_id: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command in the project at `project`. Answers the exit code.
pub fn run(args: &LogArgs, project: &Path, now: Timestamp) -> Result<u8> {
    let layout = definitions::layout_of(project);
    super::reader_gone_is_fine(pages::paged(|out| match &args.command {
        Some(LogCommand::Verify(verify_args)) => verify(verify_args, &layout, out),
        None => show(args, &layout, now, out),
    })?)
}

fn show(args: &LogArgs, layout: &Layout, now: Timestamp, out: &mut dyn Write) -> Result<io::Result<u8>> {
    let id = match &args.loop_id {
        Some(id) => existing(layout, id)?,
        None => match newest(layout)? {
            Some(id) => id,
            None => bail!("no loop in {} has a log yet", layout.root().display()),
        },
    };
    let since = args.since.as_deref().map(|since| moment(since, now)).transpose()?;
    let filter = Filter { hook: args.hook.clone(), since };
    let lines = audit::read(&layout.hook_log(&id), filter)
        .with_context(|| format!("failed to read the log of loop {id}"))?;
    Ok(match (args.profile, args.json) {
        (true, as_json) => profile(lines, as_json, out),
        (false, true) => stored(lines, args.limit.given(), out),
        (false, false) => {
            let most = if args.all { usize::MAX } else { args.limit.most() };
            listed(&id, lines, most, out)
        }
    })
}

pub(in crate::cli) fn existing(layout: &Layout, id: &str) -> Result<String> {
    loop_id::check(id)?;
    ensure!(layout.loop_dir(id).is_dir(), "no loop {id}; `steadfast status --all` lists them");
    Ok(id.to_owned())
}

/// Every loop that has a log, with the time of its last line.
pub(in crate::cli) fn logs(layout: &Layout) -> Result<Vec<(SystemTime, String)>> {
    let mut logs = Vec::new();
    let directories = match std::fs::read_dir(layout.loops()) {
        Ok(directories) => directories,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(logs),
        Err(error) => return Err(error).context(layout.loops().display().to_string()),
    };
    for directory in directories {
        let Ok(id) = directory?.file_name().into_string() else { continue };
        if loop_id::check(&id).is_err() {
            continue;
        }
        let files = [layout.hook_log(&id), layout.hook_log(&id).with_extension("head")];
        let times = files.iter().filter_map(|path| std::fs::metadata(path).ok()?.modified().ok());
        logs.extend(times.max().map(|time| (time, id)));
    }
    logs.sort();
    Ok(logs)
}

fn newest(layout: &Layout) -> Result<Option<String>> {
    Ok(logs(layout)?.pop().map(|(_, id)| id))
}

/// A moment in the past: an age like `2h`, a date, or a date and time.
pub(super) fn moment(text: &str, now: Timestamp) -> Result<Timestamp> {
    let hint = || format!("{text:?} is no time: write an age like 2h or 7d, or a date like 2026-02-03");
    if let Ok(timestamp) = text.parse() {
        return Ok(timestamp);
    }
    if let Ok(timestamp) = format!("{text}T00:00:00Z").parse() {
        return Ok(timestamp);
    }
    let split = text.find(|c: char| !c.is_ascii_digit()).with_context(hint)?;
    let (number, unit) = text.split_at(split);
    let seconds = match unit.trim() {
        "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        "d" => 24 * 3600,
        "w" => 7 * 24 * 3600,
        _ => bail!(hint()),
    };
    let number: i64 = number.parse().with_context(hint)?;
    let age = SignedDuration::from_secs(number.checked_mul(seconds).with_context(hint)?);
    // Older than time itself is everything.
    Ok(now.checked_sub(age).unwrap_or(Timestamp::MIN))
}

/// The lines as they are stored: the newest so many, or all.
fn stored(
    lines: impl Iterator<Item = io::Result<Line>>,
    most: Option<usize>,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let mut write =
        |line: &Line| serde_json::to_writer(&mut *out, line).map_err(Into::into).and_then(|()| writeln!(out));
    match most {
        None => lines.into_iter().try_for_each(|line| write(&line?))?,
        Some(most) => newest_of(lines, most)?.0.iter().try_for_each(write)?,
    }
    Ok(0)
}

fn verify(args: &LogVerifyArgs, layout: &Layout, out: &mut dyn Write) -> Result<io::Result<u8>> {
    let ids = match &args.loop_id {
        Some(id) => vec![existing(layout, id)?],
        None => logs(layout)?.into_iter().map(|(_, id)| id).collect(),
    };
    let mut reports = Vec::new();
    for id in ids {
        let report = audit::verify_log(&layout.log(&id))
            .with_context(|| format!("failed to read the log of loop {id}"))?;
        reports.push((id, report));
    }
    Ok(report(&reports, args.json, out))
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::profile::profiles;
    use super::*;

    fn line(hook: &str, ms: u64, outcomes: &[&str]) -> Line {
        Line {
            timestamp: Timestamp::from_second(1_770_000_000).unwrap(),
            hook_name: hook.into(),
            host: None,
            loop_id: "l".into(),
            iteration: 2,
            agents_invoked: vec![],
            outcomes: outcomes.iter().map(|o| Value::from(*o)).collect(),
            state_changes: serde_json::Map::new(),
            duration_ms: ms,
            seq: 0,
            prev_hash: String::new(),
        }
    }

    fn plain(bytes: Vec<u8>) -> String {
        anstream::adapter::strip_str(&String::from_utf8(bytes).unwrap()).to_string()
    }

    #[test]
    fn a_time_is_an_age_or_a_date() {
        let now: Timestamp = "2026-02-03T10:00:00Z".parse().unwrap();
        for (text, expected) in [
            ("90s", "2026-02-03T09:58:30Z"),
            ("2h", "2026-02-03T08:00:00Z"),
            ("7d", "2026-01-27T10:00:00Z"),
            ("1w", "2026-01-27T10:00:00Z"),
            ("2026-01-01", "2026-01-01T00:00:00Z"),
            ("2026-01-01T12:00:00+01:00", "2026-01-01T11:00:00Z"),
        ] {
            assert_eq!(moment(text, now).unwrap().to_string(), expected, "{text}");
        }
        assert_eq!(moment("99999999d", now).unwrap(), Timestamp::MIN);
        for bad in ["", "2", "h", "2x", "yesterday", "-2h", "99999999999999999999h"] {
            assert!(moment(bad, now).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_profile_lists_hooks_by_total_time_with_the_95th_percentile() {
        let mut lines: Vec<Line> = (1..=100).map(|n| line("pre_tool_call", n, &[])).collect();
        lines.push(line("post_iteration", 90_000, &[]));
        lines.push(line("loop_start", 7, &[]));
        let found = profiles(lines.into_iter().map(Ok)).unwrap();
        let rows: Vec<_> = found.iter().map(|p| (p.hook.as_str(), p.count, p.total_ms, p.p95_ms)).collect();
        assert_eq!(
            rows,
            [
                ("post_iteration", 1, 90_000, 90_000),
                ("pre_tool_call", 100, 5050, 95),
                ("loop_start", 1, 7, 7)
            ]
        );
    }

    #[test]
    fn a_line_shows_time_hook_iteration_verdict_and_duration() {
        let mut out = Vec::new();
        let lines = [line("pre_tool_call", 3, &["deny", "LP-001"]), line("x", 0, &["\u{1b}[31m\nred"])];
        listed("l1", lines.into_iter().map(Ok), usize::MAX, &mut out).unwrap();
        let out = plain(out);
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "Loop l1");
        assert_eq!(lines[1], "2026-02-02 02:40:00Z   #2 pre_tool_call                 3 ms  deny, LP-001");
        assert!(lines[2].ends_with(" [31m red"), "{out}");
        assert_eq!(lines.len(), 3);
    }

    #[test]
    fn the_newest_log_is_shown_and_all_are_verified() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        for id in ["l1", "l2"] {
            std::fs::create_dir_all(layout.loop_dir(id)).unwrap();
            audit::append(&layout.log(id), line(id, 1, &["pass"])).unwrap();
        }
        let old =
            std::fs::File::options().write(true).open(layout.hook_log("l2").with_extension("head")).unwrap();
        old.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let old = std::fs::File::options().append(true).open(layout.hook_log("l2")).unwrap();
        old.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(newest(&layout).unwrap().as_deref(), Some("l1"));
        let args = LogVerifyArgs { loop_id: None, json: false };
        let mut out = Vec::new();
        assert_eq!(verify(&args, &layout, &mut out).unwrap().unwrap(), 0);
        assert!(plain(out).contains("l1: untouched, 1 line in 1 file"));
        let text = std::fs::read_to_string(layout.hook_log("l2")).unwrap();
        std::fs::write(layout.hook_log("l2"), text.replace("pass", "deny")).unwrap();
        let mut out = Vec::new();
        assert_eq!(verify(&args, &layout, &mut out).unwrap().unwrap(), 1);
        let out = plain(out);
        assert!(out.contains("hook-log.jsonl:1 was changed"), "{out}");
        for bad in ["../l1", "l3"] {
            assert!(existing(&layout, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn json_lines_are_as_stored() {
        let mut out = Vec::new();
        stored([line("a", 5, &["pass"])].into_iter().map(Ok), None, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, format!("{}\n", serde_json::to_string(&line("a", 5, &["pass"])).unwrap()));
    }
}
