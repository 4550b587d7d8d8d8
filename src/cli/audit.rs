//! `steadfast audit`: what would have been said in past sessions, or about past commits.
//!
//! Invariant: it writes no state and changes nothing. What can't be judged is counted, and never taken for judged.

mod commits;
mod page;
mod said;
mod session;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use jiff::Timestamp;
use owo_colors::OwoColorize;

pub use self::said::Audit;
use self::said::{AuditVerdict, Group, Said};
use super::columns::FittedWriter;
use super::log::moment;
use super::transcripts;
use super::undo::shown;
use super::{pages, reader_gone_is_fine, seen};
use crate::model::finding::{Severity, counted};
use crate::project::Project;

/// So many places of a pattern are shown.
const PLACES: usize = 3;

/// Show what Steadfast would have said in your past sessions, or about past commits; changes nothing
///
/// Without --range the client's transcripts are read, by default all of yours. Edits are judged with the text that the
/// transcript gives; commands by their words and by what the disk holds now.
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The transcripts: a folder, or one file [default: the client's own, ~/.claude/projects]
    #[arg(long, value_name = "DIR", conflicts_with = "range")]
    transcripts: Option<PathBuf>,
    /// The commits of this project, one by one: A..B, or A.. up to HEAD
    #[arg(long, value_name = "A..B")]
    range: Option<String>,
    /// Only transcripts that were written to since then: 7d, 2026-02-03
    #[arg(long, value_name = "TIME", conflicts_with = "range")]
    since: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write a page with every place to this file
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    html: Option<PathBuf>,
}

/// Audits.
pub fn run(args: &AuditArgs) -> Result<u8> {
    let audit = match &args.range {
        Some(range) => {
            let here = std::env::current_dir()?;
            commits::audit(&Project::locate(&here), range).map_err(anyhow::Error::msg)?
        }
        None => of_transcripts(args)?,
    };
    if let Some(file) = &args.html {
        super::page::save(&page::page(&audit), file)?;
    }
    // The page itself may go to the standard output.
    if args.html.as_ref().is_some_and(|file| file.as_os_str() == "-") {
        return Ok(0);
    }
    let written = pages::paged(|out| match args.json {
        true => Ok(writeln!(out, "{}", serde_json::to_string_pretty(&audit)?)),
        false => Ok(write(&mut FittedWriter::new(out), &audit, args.html.as_deref())),
    })?;
    reader_gone_is_fine(written.map(|()| 0))
}

fn of_transcripts(args: &AuditArgs) -> Result<Audit> {
    let since = args.since.as_deref().map(|since| moment(since, Timestamp::now())).transpose()?;
    let folder = match &args.transcripts {
        Some(folder) => folder.clone(),
        None => transcripts::folder().context("HOME is not set; name the folder with --transcripts")?,
    };
    ensure!(
        folder.exists(),
        "{} does not exist; name the folder of your transcripts with --transcripts",
        folder.display()
    );
    let is_recent = |file: &PathBuf| {
        let written = std::fs::metadata(file).and_then(|found| found.modified()).ok();
        let at = written.and_then(|at| Timestamp::try_from(at).ok());
        since.is_none_or(|since| at.is_some_and(|at| at >= since))
    };
    let files: Vec<PathBuf> = transcripts::below(&folder).into_iter().filter(is_recent).collect();
    Ok(session::audit(&folder, &files))
}

fn write(out: &mut dyn Write, audit: &Audit, page: Option<&Path>) -> std::io::Result<()> {
    writeln!(out, "{}", audit.sum().bold())?;
    for group in &audit.patterns {
        heading(out, group)?;
        for said in audit.said.iter().filter(|said| said.pattern_id == group.pattern_id).take(PLACES) {
            place(out, said)?;
        }
        let more = (group.stopped + group.noted).saturating_sub(PLACES);
        if more > 0 {
            writeln!(out, "  and {more} more; --html FILE or --json has them all")?;
        }
    }
    for gap in audit.gaps() {
        writeln!(out, "{}", gap.dimmed())?;
    }
    if let Some(page) = page {
        writeln!(out, "Every place is in {}.", page.display())?;
    }
    Ok(())
}

fn heading(out: &mut dyn Write, group: &Group) -> std::io::Result<()> {
    let severity = match group.severity {
        Severity::Critical | Severity::High => group.severity.name().red().to_string(),
        Severity::Medium => group.severity.name().yellow().to_string(),
        Severity::Low => group.severity.name().to_owned(),
    };
    let counts = [(group.stopped, "stopped"), (group.noted, "noted")];
    let counts: Vec<String> = counts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{count} {word}"))
        .collect();
    let (id, name) = (group.pattern_id.bold(), &group.pattern_name);
    writeln!(out, "\n{id} {name} ({severity}): {}", counts.join(", "))
}

fn place(out: &mut dyn Write, said: &Said) -> std::io::Result<()> {
    let at = said.at.map(|at| format!("{} ", seen::date_and_clock(at))).unwrap_or_default();
    let word = if said.verdict == AuditVerdict::Stop {
        "stop".red().to_string()
    } else {
        "note".yellow().to_string()
    };
    writeln!(out, "  {word} {}{}", at.dimmed(), shown(&said.place))?;
    let named: Vec<&str> = said.lost.iter().take(PLACES).map(String::as_str).collect();
    let more = said.lost.len().saturating_sub(PLACES);
    let more = if more > 0 { format!(" and {}", counted(more, "other")) } else { String::new() };
    let lost = if named.is_empty() { String::new() } else { format!(": {}{more}", named.join(", ")) };
    writeln!(out, "       {} - {}", shown(&said.call), shown(&format!("{}{lost}", said.what)))
}
