//! `steadfast prove`: whether work is proven, by running old and new tests on old and new source in scratch copies.
//!
//! Invariant: the project is only read, and nothing is left when the command ends, however it ends.

mod chosen;
mod faults;
mod report;
mod sarif;
mod watching;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use jiff::Timestamp;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use self::chosen::ProofInputs;
use super::pages;
use crate::cli;
use crate::loops::verification;
use crate::project::Project;
use crate::proof::four_corners::{ProofExtent, ProofRequest, prove};
use crate::proof::judgement::{Judgement, ProofVerdict};
use crate::proof::kept;
use crate::proof::step::INTERRUPTED;
use crate::state::layout::Layout;

/// The time for all runs together, where none is given.
const BUDGET: Duration = Duration::from_secs(30 * 60);
/// The exit code of a command that SIGINT ended.
const INTERRUPTED_CODE: u8 = 130;

/// Prove work by running: old and new tests on old and new source, in copies beside the project
///
/// Without an option: what is not committed, against the last commit. Tests here are all that decides whether they pass:
/// test files, fixtures, snapshots, the runner's configuration, the scripts behind the command.
///
/// Exit code: 0 proven, 1 refuted, 3 could not be decided, 2 there is nothing to prove.
#[derive(Debug, Args)]
pub struct ProveArgs {
    /// Commits: A..B as `git diff` takes them, A...B since they parted, A.. up to HEAD
    #[arg(long, value_name = "A..B", group = "work")]
    range: Option<String>,
    /// What a session has changed since it began: its id, or the newest one
    #[arg(long, value_name = "ID", group = "work", num_args = 0..=1, default_missing_value = "")]
    session: Option<String>,
    /// What changed since a loop began
    #[arg(long = "loop", value_name = "ID", group = "work")]
    of_loop: Option<String>,
    /// The command that decides; without it the loop's criterion, or the project's test command
    #[arg(long, value_name = "COMMAND")]
    until: Option<String>,
    /// Put small faults into the functions that changed, or whose tests changed, and compare what catches them
    #[arg(long)]
    bite: bool,
    /// The time for all runs together: 90s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    budget: Option<Duration>,
    /// Print JSON
    #[arg(long, group = "form")]
    json: bool,
    /// Print annotations for GitHub's runners
    #[arg(long, group = "form")]
    github: bool,
    /// Write SARIF 2.1.0 into a file, for code scanning
    #[arg(long, value_name = "FILE")]
    sarif: Option<PathBuf>,
}

/// Runs the command in the project that holds `cwd`.
pub fn run(args: &ProveArgs, project: &Path, cwd: &Path) -> Result<u8> {
    let project = Project::at(project);
    let chosen = match ProofInputs::by(args, &project, cwd) {
        Ok(chosen) => chosen,
        Err(why) => {
            return Ok(cli::faults::failed("steadfast prove", &why, 2));
        }
    };
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        signal_hook::flag::register(signal, verification::interruption())?;
    }
    let judged = watching::watched(|say| {
        prove(&ProofRequest {
            project: &project,
            work: &chosen.work,
            criteria: &chosen.criteria,
            folder: &chosen.folder,
            budget: args.budget.unwrap_or(BUDGET),
            extent: if args.bite { ProofExtent::Bite } else { ProofExtent::Corners },
            say,
        })
    });
    match judged {
        Ok(judgement) => {
            if let Some(id) = &chosen.of_loop {
                let layout = Layout::of_project(project.root());
                kept::keep(&layout, id, &judgement, Timestamp::now())
                    .with_context(|| format!("cannot keep the proof of {id}"))?;
            }
            show(args, &chosen, &judgement)
        }
        Err(why) if why == INTERRUPTED => Ok(cli::faults::failed(
            "steadfast prove",
            &"interrupted; the copies are removed",
            INTERRUPTED_CODE,
        )),
        Err(why) => show(args, &chosen, &undecided(why)),
    }
}

fn show(args: &ProveArgs, chosen: &ProofInputs, judgement: &Judgement) -> Result<u8> {
    if let Some(file) = &args.sarif {
        let mut bytes = Vec::new();
        sarif::write(&mut bytes, judgement)?;
        fs::write(file, bytes).with_context(|| format!("{} can't be written", file.display()))?;
    }
    let written = pages::paged(|out| {
        Ok(match args {
            ProveArgs { json: true, .. } => report::json(out, judgement),
            ProveArgs { github: true, .. } => report::github(out, judgement),
            _ => report::people(out, chosen, judgement),
        })
    })?;
    let code = match judgement.verdict {
        ProofVerdict::Proven => 0,
        ProofVerdict::Refuted => 1,
        ProofVerdict::Undecided => 3,
    };
    super::reader_gone_is_fine(written.map(|()| code)).map(|_| code)
}

/// What could not even be run.
fn undecided(why: String) -> Judgement {
    Judgement {
        verdict: ProofVerdict::Undecided,
        reasons: vec![why],
        help: vec!["give more time with --budget, or a narrower command with --until".to_owned()],
        corners: Vec::new(),
        tests: Vec::new(),
        deciding: Vec::new(),
        by_name: false,
        was_cut_short: true,
        bite: None,
    }
}

fn duration(text: &str) -> Result<Duration, String> {
    let unit = text.chars().next_back().filter(char::is_ascii_alphabetic);
    let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let seconds = match unit {
        Some('s') | None => 1,
        Some('m') => 60,
        Some('h') => 3600,
        Some(_) => 0,
    };
    let number: u64 = number.parse().map_err(|_| "a time is a number and s, m or h: 5m".to_owned())?;
    match number.checked_mul(seconds).filter(|seconds| *seconds > 0) {
        Some(seconds) => Ok(Duration::from_secs(seconds)),
        None => Err("a time is a number and s, m or h: 5m".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read() {
        for (text, seconds) in [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("5m", Some(300)),
            ("1h", Some(3600)),
            ("0", None),
            ("5d", None),
            ("m", None),
        ] {
            assert_eq!(duration(text).ok().map(|it| it.as_secs()), seconds, "{text}");
        }
    }
}
