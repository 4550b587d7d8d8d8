//! `steadfast patterns`: what is looked for, from the detectors' own literals, and what a person says was no fault.

use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use super::undo::shown;
use crate::cli::checkpoint::patch::{Patch, Side};
use crate::detectors::trends::LoopFigures;
use crate::detectors::{Example, Pattern, Proof, catalogue};
use crate::lifecycle::regression::false_alarm;
use crate::model::finding::{Severity, counted};
use crate::state::layout::Layout;

/// Arguments of `steadfast patterns`.
#[derive(Debug, Args)]
pub struct PatternsArgs {
    #[command(subcommand)]
    command: Option<PatternsCommand>,
}

/// Look at the patterns
#[derive(Debug, Subcommand)]
enum PatternsCommand {
    /// List what is looked for
    List(Form),
    /// Show one: what it detects, why, what to do instead, what it catches and what it spares
    Show(ShowArgs),
    /// List what was found in the sessions and loops of this project, oldest first
    Hits(Form),
    /// Call a finding a false alarm: the same one is silent from then on; only a person can
    FalsePositive(FalsePositiveArgs),
}

/// How to print.
#[derive(Debug, Default, Args)]
struct Form {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// Its id, another id of it, or its name
    pattern: String,
    #[command(flatten)]
    form: Form,
}

#[derive(Debug, Args)]
struct FalsePositiveArgs {
    /// The id, or the beginning of it, as `steadfast patterns hits` and `steadfast status` show it
    event_id: String,
    /// Why it is no fault; it stays on record
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    form: Form,
}

/// Runs the command for the project with this layout.
pub fn run(args: &PatternsArgs, layout: &Layout) -> Result<u8> {
    let out = &mut anstream::stdout().lock();
    let written = match &args.command {
        None => list(out, &Form::default()),
        Some(PatternsCommand::List(form)) => list(out, form),
        Some(PatternsCommand::Show(args)) => show(out, find(&args.pattern)?, &args.form),
        Some(PatternsCommand::Hits(form)) => hits(out, layout, form)?,
        Some(PatternsCommand::FalsePositive(args)) => {
            super::human::only("call a finding a false alarm")?;
            false_positive(out, layout, args)?
        }
    };
    super::reader_gone_is_fine(written.map(|()| 0))
}

/// The pattern of an id, an alias or a name, in any case.
fn find(wanted: &str) -> Result<Pattern> {
    let all = catalogue();
    let is_wanted = |name: &&str| name.eq_ignore_ascii_case(wanted.trim());
    let by = |names: fn(&Pattern) -> Vec<&'static str>| {
        all.iter().copied().find(|pattern| names(pattern).iter().any(is_wanted))
    };
    // An id of its own comes before an alias of another's.
    let found = by(|pattern| vec![pattern.id]).or_else(|| by(|pattern| vec![pattern.name]));
    found
        .or_else(|| by(|pattern| pattern.aliases.to_vec()))
        .ok_or_else(|| anyhow!("no pattern is called {wanted:?}; `steadfast patterns` lists them"))
}

fn list(out: &mut dyn Write, form: &Form) -> io::Result<()> {
    let patterns = catalogue();
    if form.json {
        let patterns: Vec<Value> = patterns.iter().map(brief).collect();
        return writeln!(out, "{:#}", json!({ "patterns": patterns }));
    }
    let width = patterns.iter().map(|pattern| pattern.id.len()).max().unwrap_or_default();
    for pattern in patterns {
        let gap = " ".repeat(width - pattern.id.len());
        let severity = coloured(pattern.severity);
        writeln!(out, "{}{gap}  {severity:<8}  {}", pattern.id.bold(), pattern.name)?;
    }
    writeln!(out, "`steadfast patterns show ID` says what it catches and what it spares.")
}

fn coloured(severity: Severity) -> String {
    let name = format!("{:<8}", severity.name());
    match severity {
        Severity::Critical | Severity::High => name.red().to_string(),
        Severity::Medium => name.yellow().to_string(),
        Severity::Low => name,
    }
}

fn brief(pattern: &Pattern) -> Value {
    json!({
        "pattern_id": pattern.id,
        "pattern_name": pattern.name,
        "aliases": pattern.aliases,
        "regression_type": pattern.regression_type,
        "severity": pattern.severity,
        "what": pattern.what,
        "why": pattern.why,
        "instead": pattern.instead,
    })
}

fn show(out: &mut dyn Write, pattern: Pattern, form: &Form) -> io::Result<()> {
    if form.json {
        let mut value = brief(&pattern);
        let (catches, spares): (Vec<Value>, Vec<Value>) = match pattern.proof {
            Proof::Changes { catches, spares } => {
                (catches.iter().map(example).collect(), spares.iter().map(example).collect())
            }
            Proof::Figures { catches, spares } => {
                (catches.iter().map(figures).collect(), spares.iter().map(figures).collect())
            }
        };
        value["catches"] = catches.into();
        value["spares"] = spares.into();
        return writeln!(out, "{value:#}");
    }
    writeln!(out, "{} {}", pattern.id.bold(), pattern.name.bold())?;
    if !pattern.aliases.is_empty() {
        writeln!(out, "also: {}", pattern.aliases.join(", "))?;
    }
    let kind = pattern.regression_type.map_or("a risk", |kind| kind.name());
    writeln!(out, "{kind}, {} at worst\n", pattern.severity.name())?;
    writeln!(out, "What: {}\nWhy: {}\nInstead: {}", pattern.what, pattern.why, pattern.instead)?;
    let coloured = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
    match pattern.proof {
        Proof::Changes { catches, spares } => {
            write_all(out, "Catches", catches, |out, it| write_example(out, it, coloured))?;
            write_all(out, "Spares", spares, |out, it| write_example(out, it, coloured))
        }
        Proof::Figures { catches, spares } => {
            write_all(out, "Catches", catches, |out, it| writeln!(out, "{}", it.in_words()))?;
            write_all(out, "Spares", spares, |out, it| writeln!(out, "{}", it.in_words()))
        }
    }
}

fn write_all<T>(
    out: &mut dyn Write,
    title: &str,
    all: &[T],
    write: impl Fn(&mut dyn Write, &T) -> io::Result<()>,
) -> io::Result<()> {
    for (number, one) in all.iter().enumerate() {
        writeln!(out, "\n{} {} of {}", title.bold(), number + 1, all.len())?;
        write(out, one)?;
    }
    Ok(())
}

fn figures(course: &LoopFigures) -> Value {
    json!({ "figures": course.in_words() })
}

fn write_example(out: &mut dyn Write, example: &Example, coloured: bool) -> io::Result<()> {
    let write = |out: &mut dyn Write, path: &str, before: Option<&str>, after: Option<&str>| {
        let side = |text: Option<&str>| text.map_or(Side::Absent, |text| Side::File(text.into(), 0o644));
        Patch { path: path.to_owned(), before: side(before), after: side(after) }.write(out, coloured)
    };
    if let Some((path, before, after)) = example.elsewhere {
        writeln!(out, "after this change earlier in the session:")?;
        write(out, path, before, after)?;
        writeln!(out, "this one:")?;
    }
    write(out, example.path, example.before, example.after)
}

fn example(example: &Example) -> Value {
    let mut value = json!({"path": example.path, "before": example.before, "after": example.after});
    if let Some((path, before, after)) = example.elsewhere {
        value["elsewhere"] = json!({"path": path, "before": before, "after": after});
    }
    value
}

fn hits(out: &mut dyn Write, layout: &Layout, form: &Form) -> Result<io::Result<()>> {
    let hits = false_alarm::hits(layout).map_err(anyhow::Error::msg)?;
    if form.json {
        return Ok(writeln!(out, "{:#}", json!({ "hits": hits })));
    }
    if hits.is_empty() {
        return Ok(writeln!(out, "Nothing was found in this project yet."));
    }
    Ok(hits.iter().try_for_each(|hit| {
        let mark = if hit.false_positive { " [false alarm]" } else { "" };
        let id = hit.event_id.split('-').next().unwrap_or_default();
        let time = hit.timestamp;
        let (pattern, name, path) = (&hit.pattern_id, &hit.pattern_name, shown(&hit.path));
        writeln!(out, "{id}  {time:.0}  {pattern} {name}: {path} ({}){mark}", hit.verdict)?;
        hit.lost.iter().take(5).try_for_each(|lost| writeln!(out, "    - {}", shown(lost)))?;
        let more = hit.lost.len().saturating_sub(5);
        if more > 0 { writeln!(out, "    - and {more} more") } else { Ok(()) }
    }))
}

fn false_positive(out: &mut dyn Write, layout: &Layout, args: &FalsePositiveArgs) -> Result<io::Result<()>> {
    let reason = args.reason.trim();
    if reason.is_empty() {
        bail!("a reason is needed: it is what others find on record");
    }
    let by = super::human::decider(Some(reason.to_owned()));
    let marked =
        false_alarm::mark(layout, &args.event_id, &by, Timestamp::now()).map_err(anyhow::Error::msg)?;
    if args.form.json {
        return Ok(writeln!(out, "{:#}", serde_json::to_value(&marked)?));
    }
    let (pattern, path) = (&marked.hit.pattern_id, shown(&marked.hit.path));
    let closed = match marked.regressions_closed {
        0 => String::new(),
        closed => format!(", {} closed", counted(closed, "regression")),
    };
    let rate = marked.false_positive_rate * 100.0;
    Ok(writeln!(
        out,
        "{pattern} in {path} is a false alarm: {} marked{closed}; {rate:.0} % of its loop's hits were wrong. \
         The same finding is silent from now on.",
        counted(marked.hits, "hit")
    ))
}
