//! `steadfast explain`: what a command or an event would do, and what Steadfast would answer; why a call was stopped; what
//! a pattern is. Nothing runs.

mod logged;

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use owo_colors::OwoColorize;
use serde_json::Value;

use self::logged::EventSelector;
use super::{columns, guard, pages, patterns, reader_gone_is_fine};
use crate::lifecycle::Env;
use crate::lifecycle::call::explain;
use crate::lifecycle::call::explain::{Explanation, SeenEffect};
use crate::model::words::first_of;
use crate::project::Project;

/// How many kept or changed files are named before the rest is counted.
const MOST_NAMES: usize = 8;

/// Say what a command or an event would do and be answered, why a call was stopped, or what a pattern is
///
/// Exit code: 0 it passes, 3 it runs and the agent is told something, 4 it is stopped (asked about or denied), 1 nothing
/// could be explained.
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// A shell command as one word in quotes, a pattern's id (LP-001), a call's id (toolu_…), or `-` for stdin
    #[arg(value_name = "WHAT")]
    what: Option<String>,
    /// A hook event in a file (`-` for stdin) instead
    #[arg(long, value_name = "FILE", conflicts_with = "what")]
    event: Option<PathBuf>,
    /// The newest call of this project that was stopped: why, and what helps
    #[arg(long, conflicts_with_all = ["what", "event"])]
    last: bool,
    /// The line of the log with this `seq`, as `steadfast log --json` prints it
    #[arg(long, value_name = "SEQ", conflicts_with_all = ["what", "event", "last"])]
    log: Option<u64>,
    /// The loop whose log is meant [default: the one that was active last]
    #[arg(long = "loop", value_name = "LOOP_ID", requires = "log")]
    loop_id: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is to be explained.
enum ExplainSubject {
    Command(String),
    Event(Vec<u8>),
}

/// Explains what is named. Returns the exit code of its verdict.
pub fn explain(args: &ExplainArgs) -> Result<u8> {
    if args.last || args.log.is_some() {
        let wanted =
            args.log.map_or(EventSelector::Last, |seq| EventSelector::Line(seq, args.loop_id.clone()));
        return logged::explain(&wanted, args.json);
    }
    if let Some(what) = args.what.as_deref() {
        if let Some(code) = patterns::brief_of(what, args.json)? {
            return Ok(code);
        }
        if let Some(id) = logged::call_id(what) {
            return logged::explain(&EventSelector::Call(id.to_owned()), args.json);
        }
    }
    let explanation = explained(subject(args)?)?;
    let guard = guard::of(&std::env::current_dir()?, None);
    let code = code(explanation.verdict);
    let written = pages::paged(|out| {
        if args.json {
            let mut value = serde_json::to_value(&explanation)?;
            value["guard"] = serde_json::to_value(&guard)?;
            return Ok(writeln!(out, "{value:#}"));
        }
        let out = &mut columns::FittedWriter::new(out);
        Ok(show(out, &explanation).and_then(|()| match guard.guarded {
            true => Ok(()),
            false => writeln!(out, "Not guarded: {}", guard.why),
        }))
    })?;
    reader_gone_is_fine(written.map(|()| code)).map(|_| code)
}

/// The exit code of a verdict.
fn code(verdict: &str) -> u8 {
    match verdict {
        "pass" => 0,
        "context" => 3,
        _ => 4,
    }
}

/// What is named, or stands on stdin: an event is JSON that says so, all else is a command.
fn subject(args: &ExplainArgs) -> Result<ExplainSubject> {
    let stdin = Path::new("-");
    match (&args.what, &args.event) {
        (Some(what), _) if what != "-" => Ok(ExplainSubject::Command(what.clone())),
        (_, Some(file)) => Ok(ExplainSubject::Event(read(file)?)),
        (None, None) if io::stdin().is_terminal() => bail!(NOTHING),
        _ => {
            let bytes = read(stdin)?;
            let is_event = serde_json::from_slice::<Value>(&bytes).is_ok_and(|value| value.is_object());
            let text = String::from_utf8_lossy(&bytes);
            ensure!(!text.trim().is_empty(), NOTHING);
            Ok(if is_event {
                ExplainSubject::Event(bytes)
            } else {
                ExplainSubject::Command(text.trim_end().to_owned())
            })
        }
    }
}

/// What helps who named nothing.
const NOTHING: &str = "nothing to explain: name a command in quotes, a pattern (LP-001) or a call (toolu_…), pipe a command \
                       or an event in, or use --last, --log SEQ or --event FILE";

fn explained(subject: ExplainSubject) -> Result<Explanation> {
    let home = std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    match subject {
        ExplainSubject::Command(command) => {
            let directory = std::env::current_dir()?;
            Ok(explain::command(&command, &directory, home.as_deref().unwrap_or(Path::new("/"))))
        }
        ExplainSubject::Event(bytes) => {
            let variables = |name: &str| std::env::var(name).ok();
            let env = Env {
                started: Instant::now(),
                now: jiff::Timestamp::now(),
                home,
                vars: &variables,
                guard: &|_| {},
            };
            explain::event(&bytes, &env).map_err(|why| anyhow::anyhow!("this is no hook event: {why}"))
        }
    }
}

fn read(file: &Path) -> Result<Vec<u8>> {
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().read_to_end(&mut bytes).context("cannot read stdin")?;
        return Ok(bytes);
    }
    fs::read(file).with_context(|| format!("cannot read {}", file.display()))
}

fn show(out: &mut dyn Write, explanation: &Explanation) -> io::Result<()> {
    writeln!(out, "{}", explanation.subject.bold())?;
    if !explanation.commands.is_empty() {
        writeln!(out, "\nWhat runs")?;
    }
    for command in &explanation.commands {
        let place = match (command.remote, command.directory.as_deref()) {
            (true, _) => "  (on another machine or in a container)".to_owned(),
            (false, Some(".")) => String::new(),
            (false, Some(directory)) => format!("  (in {directory})"),
            (false, None) => "  (in a folder that isn't known)".to_owned(),
        };
        writeln!(out, "  {}{place}", command.line)?;
    }
    for piece in &explanation.unread {
        writeln!(out, "  {} {piece}", "can't be read:".yellow())?;
    }
    if !explanation.effects.is_empty() {
        writeln!(out, "\nWhat it does")?;
    }
    for effect in &explanation.effects {
        writeln!(out, "  {}{}  [{}]", effect.does, targets(effect), effect.by)?;
    }
    show_judgement(out, explanation)
}

/// ` a, b`, and ` a to b` where the last one is the destination.
fn targets(effect: &SeenEffect) -> String {
    match effect.targets.as_slice() {
        [] => String::new(),
        [sources @ .., to] if !sources.is_empty() && matches!(effect.does, "moves" | "copies") => {
            format!(" {} to {to}", sources.join(", "))
        }
        targets => format!(" {}", targets.join(", ")),
    }
}

fn show_judgement(out: &mut dyn Write, explanation: &Explanation) -> io::Result<()> {
    if !explanation.findings.is_empty() || !explanation.risks.is_empty() {
        writeln!(out, "\nWhat Steadfast finds")?;
    }
    for finding in &explanation.findings {
        let (id, severity) = (finding.pattern_id.red(), finding.severity.name());
        writeln!(out, "  {id} {} ({severity}): {}", finding.pattern_name, finding.what)?;
        for lost in finding.lost_names().take(MOST_NAMES) {
            writeln!(out, "    - {lost}")?;
        }
        writeln!(out, "    Instead: {}", finding.mend)?;
    }
    for risk in &explanation.risks {
        writeln!(out, "  {} ({}): {}", risk.class, risk.level.name(), risk.target)?;
    }
    let here = std::env::current_dir().ok().map(|here| Project::locate(&here));
    let name =
        |path: &PathBuf| here.as_ref().map_or_else(|| path.display().to_string(), |here| here.name_of(path));
    let names: Vec<String> = explanation.kept.iter().map(name).collect();
    named(out, "Kept for an undo", &names)?;
    named(out, "Judged by what becomes of", &explanation.changes)?;
    let verdict = match explanation.verdict {
        "stop" => "stop".red().to_string(),
        "context" => "context".yellow().to_string(),
        other => other.green().to_string(),
    };
    writeln!(out, "\nVerdict: {verdict} - {}", explanation.means)
}

fn named(out: &mut dyn Write, title: &str, names: &[String]) -> io::Result<()> {
    if names.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", first_of(names, MOST_NAMES))
}
