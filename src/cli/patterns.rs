//! `steadfast patterns`: what is looked for, from the detectors' own literals, and what a person says was no fault.

mod shown_cases;

use crate::cli::patterns::shown_cases::{ShownCase, cases, write_cases};
use std::io::{self, Write};

use anyhow::{Result, anyhow, bail};
use clap::{Args, Subcommand};
use jiff::Timestamp;
use owo_colors::OwoColorize;
use serde_json::{Value, json};

use super::columns;
use super::pages::{self, LimitArgs, left_out};
use super::undo::shown;
use crate::detectors::{Pattern, catalogue};
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
    List(OutputForm),
    /// Show one: what it detects, why, what to do instead, and some of what it catches and spares
    Show(PatternShowArgs),
    /// List what was found in the sessions and loops of this project, oldest first
    Hits(HitsArgs),
    /// Call a finding a false alarm: the same one is silent from then on; only a person can
    FalsePositive(FalsePositiveArgs),
}

/// How to print.
#[derive(Debug, Default, Args)]
struct OutputForm {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct HitsArgs {
    #[command(flatten)]
    limit: LimitArgs,
    #[command(flatten)]
    form: OutputForm,
}

#[derive(Debug, Args)]
struct PatternShowArgs {
    /// Its id, another id of it, or its name
    pattern: String,
    /// Print everything that it catches and spares
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    form: OutputForm,
}

#[derive(Debug, Args)]
struct FalsePositiveArgs {
    /// The id, or the beginning of it, as `steadfast patterns hits` and `steadfast status` show it
    event_id: String,
    /// Why it is no fault; it stays on record
    #[arg(long)]
    reason: String,
    #[command(flatten)]
    form: OutputForm,
}

/// Runs the command for the project with this layout.
pub fn run(args: &PatternsArgs, layout: &Layout) -> Result<u8> {
    let written = pages::paged(|out| match &args.command {
        None => Ok(list(out, &OutputForm::default())),
        Some(PatternsCommand::List(form)) => Ok(list(out, form)),
        Some(PatternsCommand::Show(args)) => show(out, &find(&args.pattern)?, args),
        Some(PatternsCommand::Hits(args)) => hits(out, layout, args),
        Some(PatternsCommand::FalsePositive(args)) => {
            super::human::only("call a finding a false alarm")?;
            false_positive(out, layout, args)
        }
    })?;
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

/// Prints what the pattern is that a word names by its id; `None` for a word that is no id. Answers the exit code.
pub(in crate::cli) fn brief_of(word: &str, as_json: bool) -> Result<Option<u8>> {
    let (letters, rest) = word.trim().split_once('-').unwrap_or_default();
    let is_id = ["LP", "SF"].iter().any(|known| known.eq_ignore_ascii_case(letters))
        && rest.chars().all(|c| c.is_ascii_alphanumeric())
        && rest.ends_with(|c: char| c.is_ascii_digit());
    if !is_id {
        return Ok(None);
    }
    let pattern = find(word)?;
    let written = pages::paged(|out| match as_json {
        true => Ok(writeln!(out, "{:#}", brief(&pattern))),
        false => Ok(write_words(out, &pattern).and_then(|()| {
            let out = &mut columns::FittedWriter::new(out);
            writeln!(out, "\n`steadfast patterns show {}` shows what it catches and spares.", pattern.id)
        })),
    })?;
    super::reader_gone_is_fine(written.map(|()| 0)).map(Some)
}

fn list(out: &mut dyn Write, form: &OutputForm) -> io::Result<()> {
    let patterns = catalogue();
    if form.json {
        let patterns: Vec<Value> = patterns.iter().map(brief).collect();
        return writeln!(out, "{:#}", json!({ "patterns": patterns }));
    }
    let out = &mut columns::FittedWriter::new(out);
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

fn show(out: &mut dyn Write, pattern: &Pattern, args: &PatternShowArgs) -> Result<io::Result<()>> {
    let cases = cases(pattern)?;
    if args.form.json {
        let mut value = brief(pattern);
        value["catches"] = cases.catches.iter().map(ShownCase::json).collect();
        value["spares"] = cases.spares.iter().map(ShownCase::json).collect();
        return Ok(writeln!(out, "{value:#}"));
    }
    Ok(write_words(out, pattern).and_then(|()| write_cases(out, pattern, &cases, args.all)))
}

fn write_words(out: &mut dyn Write, pattern: &Pattern) -> io::Result<()> {
    let out = &mut columns::FittedWriter::new(out);
    writeln!(out, "{} {}", pattern.id.bold(), pattern.name.bold())?;
    if !pattern.aliases.is_empty() {
        writeln!(out, "also: {}", pattern.aliases.join(", "))?;
    }
    let kind = pattern.regression_type.map_or("a risk", |kind| kind.name());
    writeln!(out, "{kind}, {} at worst\n", pattern.severity.name())?;
    writeln!(out, "What: {}\nWhy: {}\nInstead: {}", pattern.what, pattern.why, pattern.instead)
}

fn hits(out: &mut dyn Write, layout: &Layout, args: &HitsArgs) -> Result<io::Result<()>> {
    let hits = false_alarm::hits(layout).map_err(anyhow::Error::msg)?;
    let most = if args.form.json { args.limit.given().unwrap_or(usize::MAX) } else { args.limit.most() };
    let older = hits.len().saturating_sub(most);
    let (all, hits) = (hits.len(), hits.get(older..).unwrap_or_default());
    if args.form.json {
        return Ok(writeln!(out, "{:#}", json!({ "hits": hits })));
    }
    let out = &mut columns::FittedWriter::new(out);
    if hits.is_empty() {
        return Ok(writeln!(out, "Nothing was found in this project yet."));
    }
    if let Some(left_out) = left_out(most, all) {
        writeln!(out, "{left_out}")?;
    }
    Ok(hits.iter().try_for_each(|hit| {
        let mark = if hit.false_positive { " [false alarm]" } else { "" };
        let id = hit.event_id.split('-').next().unwrap_or_default();
        let time = columns::moment(hit.timestamp);
        let (pattern, name) = (&hit.pattern_id, &hit.pattern_name);
        let place = if hit.path.is_empty() { String::new() } else { format!(": {}", shown(&hit.path)) };
        writeln!(out, "{id}  {time}  {pattern} {name}{place} ({}){mark}", hit.verdict)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_cases_are_shown_unless_all_are_asked_for() {
        let shown = |all: bool| {
            let mut out = Vec::new();
            let args = PatternShowArgs { pattern: "LP-001".to_owned(), all, form: OutputForm::default() };
            show(&mut out, &find("lp-001").unwrap(), &args).unwrap().unwrap();
            String::from_utf8(out).unwrap()
        };
        let (few, all) = (shown(false), shown(true));
        // The rule's own file says how many there are; each new one is one more.
        let counts = |text: &str, word: &str| text.lines().filter(|line| line.contains(word)).count();
        let (catches, spares) = (counts(&all, "Catches"), counts(&all, "Spares"));
        assert!(catches > 30 && spares > 30, "{catches} and {spares}");
        assert_eq!((counts(&few, "Catches"), counts(&few, "Spares")), (3, 3), "{few}");
        let more = catches + spares - 6;
        assert!(
            few.ends_with(&format!("`steadfast patterns show LP-001 --all` prints {more} more.\n")),
            "{few}"
        );
        assert!(all.contains(&format!("{catches} of {catches}")) && !all.contains("--all"));
    }

    #[test]
    fn a_pattern_is_found_by_every_name_that_a_message_cites() {
        assert_eq!(find("sf-010").unwrap().name, "Bulk Loss Of Project Files");
        assert_eq!(find("SF-014").unwrap().id, "LP-R006");
        assert!(find("SF-999").is_err());
    }
}
