//! `steadfast check`: judges a diff outside of any session, before a commit or in CI, with the detectors of the hook.
//!
//! Invariant: nothing is changed and nothing recorded; what can't be read is said and never taken for judged.

pub(in crate::cli) mod diff;
pub(in crate::cli) mod report;
pub(in crate::cli) mod sarif;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};

use self::diff::{Diff, Span};
use crate::agents::laziness_detector;
use crate::cli::checkpoint::patch::line_after;
use crate::cli::columns::FittedWriter;
use crate::cli::{faults, pages};
use crate::config::{Config, FILE, LoadedConfig, Mode, notice};
use crate::detectors::checks::named_files;
use crate::detectors::session_patterns::PROTECTED_PATH;
use crate::detectors::{Detector, is_known};
use crate::lifecycle::call::decision;
use crate::lifecycle::changes::file_text::read_text;
use crate::model::finding::{Change, Finding, Severity};
use crate::project::Project;
use crate::state::false_alarms::FalseAlarms;
use crate::state::layout::Layout;

/// Judge a diff as the hook would: what is not committed, what is staged, or a range of commits
///
/// Exit code: 0 nothing at or above --fail-on, 1 something, 2 the diff can't be had.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// What is staged, against HEAD
    #[arg(long, conflicts_with = "range")]
    staged: bool,
    /// Commits: A..B as `git diff` takes them, A...B since they parted, A.. up to HEAD
    #[arg(long, value_name = "A..B")]
    range: Option<String>,
    /// The least severity that fails; without it what the configured mode stops at: high, as a rule
    #[arg(long, value_name = "SEVERITY")]
    fail_on: Option<Least>,
    /// Print JSON
    #[arg(long, group = "form")]
    json: bool,
    /// Print SARIF 2.1.0, for code scanning
    #[arg(long, group = "form")]
    sarif: bool,
    /// Print annotations for GitHub's runners
    #[arg(long, group = "form")]
    github: bool,
    /// Only these files and folders; the other changes still say where a test has gone
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// The severities on the command line.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Least {
    Low,
    Medium,
    High,
    Critical,
}

/// A finding with where it is after the change.
struct PlacedFinding {
    finding: Finding,
    /// The line in the text after, from 1; `None` where the file is gone or no line is meant.
    line_after: Option<u32>,
}

/// What came of a check.
struct DiffVerdict {
    /// The worst first.
    judged: Vec<PlacedFinding>,
    /// How many files differ.
    files: usize,
    /// What could not be judged, and why.
    unread: Vec<(String, &'static str)>,
    fail_on: Severity,
    mode: Mode,
}

impl DiffVerdict {
    fn failing(&self) -> usize {
        self.judged.iter().filter(|it| it.finding.severity >= self.fail_on).count()
    }
}

/// Runs the command in the project that holds `cwd`.
pub fn run(args: &CheckArgs, project: &Path, cwd: &Path) -> Result<u8> {
    let project = Project::at(project);
    let span = match (&args.range, args.staged) {
        (Some(range), _) => Span::of_range(range),
        (None, true) => Ok(Span::Staged),
        (None, false) => Ok(Span::Uncommitted),
    };
    let files: Vec<PathBuf> = args.files.iter().map(|file| cwd.join(file)).collect();
    // Git names an index of its own to the hooks of `git commit --all` and `git commit FILE`.
    let index = std::env::var_os("GIT_INDEX_FILE").map(PathBuf::from);
    let read = span.and_then(|span| Ok((diff::read(&project, &span, &files, index.as_deref())?, span)));
    let (diff, span) = match read {
        Ok(read) => read,
        Err(why) => {
            return Ok(faults::failed("steadfast check", &why, 2));
        }
    };
    let LoadedConfig { config, problems: faults, .. } =
        Config::load(&project.root().join(FILE)).of_known(is_known);
    if let Some(notice) = notice(&faults) {
        anstream::eprintln!("{notice}");
    }
    let alarms = FalseAlarms::in_force(&Layout::of_project(project.root()), jiff::Timestamp::now());
    let verdict = judge(diff, &config, &alarms, args.fail_on, &FilesAfter { project: &project, span: &span });
    let code = u8::from(verdict.failing() > 0);
    let written = pages::paged(|out| {
        Ok(match args {
            CheckArgs { json: true, .. } => report::json(out, &verdict),
            CheckArgs { sarif: true, .. } => sarif::write(out, &verdict),
            CheckArgs { github: true, .. } => report::github(out, &verdict),
            _ => report::people(&mut FittedWriter::new(out), &verdict),
        })
    })?;
    super::reader_gone_is_fine(written.map(|()| code)).map(|_| code)
}

/// What the detectors say of one commit against the one before it.
pub(in crate::cli) struct OfCommit {
    /// How many files it changes.
    pub(in crate::cli) files: usize,
    /// How many of them can't be judged.
    pub(in crate::cli) unread: usize,
    /// The findings, each with its line after the commit.
    pub(in crate::cli) findings: Vec<(Finding, Option<u32>)>,
}

/// Judges one commit; the first of a repository against nothing.
pub(in crate::cli) fn of_commit(
    project: &Project,
    commit: &str,
    config: &Config,
    alarms: &FalseAlarms,
) -> Result<OfCommit, String> {
    let before = format!("{commit}^");
    let is_first = project.git().patient().names_commit(&before) != Some(true);
    let from = if is_first { "0".repeat(commit.len()) } else { before };
    let span = Span::Range { from, to: commit.to_owned(), parted: false };
    let diff = diff::read(project, &span, &[], None)?;
    let verdict = judge(diff, config, alarms, None, &FilesAfter { project, span: &span });
    let findings = verdict.judged.into_iter().map(|judged| (judged.finding, judged.line_after)).collect();
    Ok(OfCommit { files: verdict.files, unread: verdict.unread.len(), findings })
}

/// The files that are there after what is judged.
struct FilesAfter<'p> {
    project: &'p Project,
    span: &'p Span,
}

impl FilesAfter<'_> {
    fn list(&self) -> Option<Vec<String>> {
        let commit = match self.span {
            Span::Range { to, .. } => Some(to.as_str()),
            Span::Uncommitted | Span::Staged => None,
        };
        self.project.git().patient().files(commit)
    }

    fn read(&self, path: &str) -> Option<String> {
        let path = self.project.root().join(path);
        let revision = match self.span {
            Span::Uncommitted => return read_text(&path),
            Span::Staged => "",
            Span::Range { to, .. } => to,
        };
        String::from_utf8(self.project.git().patient().blob(revision, &path)?).ok()
    }
}

fn judge(
    diff: Diff,
    config: &Config,
    alarms: &FalseAlarms,
    fail_on: Option<Least>,
    files: &FilesAfter,
) -> DiffVerdict {
    let Diff { changes, elsewhere, unread } = diff;
    let mut findings = laziness_detector::check(&changes, || elsewhere, config);
    if config.detection.mode != Mode::Off {
        findings.extend(changes.iter().filter(|change| config.protects(&change.path)).map(protected));
    }
    named_files::weigh(&mut findings, &changes, || files.list(), |path| files.read(path));
    alarms.silence(&mut findings);
    findings
        .sort_by(|a, b| b.severity.cmp(&a.severity).then_with(|| (&a.path, a.line).cmp(&(&b.path, b.line))));
    let texts: BTreeMap<&str, &Change> =
        changes.iter().map(|change| (change.path.as_str(), change)).collect();
    let judged = findings.into_iter().map(|finding| {
        let change = texts.get(finding.path.as_str());
        let text = change.and_then(|change| Some((change.before.as_deref(), change.after.as_deref()?)));
        let line_after = match (finding.line, text) {
            (Some(line), Some((Some(before), after))) => Some(line_after(before, after, line)),
            (line, Some((None, _))) => line,
            _ => None,
        };
        PlacedFinding { finding, line_after }
    });
    DiffVerdict {
        judged: judged.collect(),
        files: changes.len(),
        unread,
        fail_on: fail_on.map_or_else(|| decision::stops_from(config.detection.mode), Severity::from),
        mode: config.detection.mode,
    }
}

/// A protected path is kept from agents; outside of a session a person may have changed it, so it is only noted.
fn protected(change: &Change) -> Finding {
    let what = format!("{} is one of the project's protected paths", change.path);
    Finding {
        severity: Severity::Medium,
        mend: "A person confirms the change in review.".to_owned(),
        ..PROTECTED_PATH.finding(&change.path, what)
    }
}

impl From<Least> for Severity {
    fn from(least: Least) -> Severity {
        match least {
            Least::Low => Severity::Low,
            Least::Medium => Severity::Medium,
            Least::High => Severity::High,
            Least::Critical => Severity::Critical,
        }
    }
}

/// The catalogue's entry of a finding; risks outside of it have none.
fn detector(finding: &Finding) -> Option<&'static Detector> {
    crate::detectors::DETECTORS.iter().copied().find(|detector| detector.id == finding.pattern_id)
}

/// Fails as a write does, for what serialises straight into the output.
fn write_json(out: &mut dyn io::Write, value: &serde_json::Value) -> io::Result<()> {
    writeln!(out, "{value:#}")
}
