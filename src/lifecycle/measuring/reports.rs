//! The report files that tools leave where their defaults put them.
//!
//! A report counts only when it is not older than what it reports on: a stale one says nothing of the tree.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use jiff::Timestamp;

use crate::metrics::ReportReading;
use crate::runners::results;

/// Coverage, the most precise first.
const COVERAGE: &[&str] = &[
    "coverage/coverage-summary.json",
    "coverage.json",
    "coverage/lcov.info",
    "lcov.info",
    "coverage.lcov",
    "coverage.xml",
    "coverage/cobertura-coverage.xml",
    "target/site/jacoco/jacoco.xml",
    "build/reports/jacoco/test/jacocoTestReport.xml",
    "coverage.out",
    "cover.out",
    "coverage.txt",
    "target/llvm-cov/lcov.info",
];

/// Files with test results.
const RESULTS: &[&str] =
    &["junit.xml", "test-results.xml", "report.xml", "test-results/junit.xml", "reports/junit.xml"];

/// Where .NET's tools leave theirs: results beside each other, coverage in a folder of each run.
const DOTNET: &str = "TestResults";
const DOTNET_COVERAGE: &str = "coverage.cobertura.xml";

/// Folders in which every `.xml` is one.
const RESULT_FOLDERS: &[&str] = &[
    "target/surefire-reports",
    "target/failsafe-reports",
    "build/test-results/test",
    "target/nextest/default",
];

/// How many files of a folder are read.
const MOST: usize = 2_000;

/// A report that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Relative to the project.
    pub path: String,
    /// What it says.
    pub reading: ReportReading,
}

/// The coverage that a report in the project gives which is not older than `since`; otherwise the stale one's path.
pub fn coverage(root: &Path, since: SystemTime) -> Result<Option<Report>, String> {
    let mut stale = None;
    for path in COVERAGE.iter().map(|path| (*path).to_owned()).chain(dotnet_coverage(root)) {
        let Some(changed) = changed(&root.join(&path)) else { continue };
        if changed < since {
            stale.get_or_insert(path);
            continue;
        }
        let reading = read(&root.join(&path));
        if reading.coverage.is_some() {
            return Ok(Some(Report { path, reading }));
        }
    }
    match stale {
        Some(path) => Err(format!("{path} is older than the sources")),
        None => Ok(None),
    }
}

/// The test results that were written since `since`, all together.
pub fn results(root: &Path, since: SystemTime) -> Option<ReportReading> {
    let singles = RESULTS.iter().map(|path| root.join(path));
    let in_folders = RESULT_FOLDERS.iter().flat_map(|folder| files(&root.join(folder), "xml"));
    let mut all = ReportReading::default();
    for path in singles.chain(in_folders).chain(files(&root.join(DOTNET), "trx")) {
        if changed(&path).is_some_and(|changed| changed >= since) {
            let reading = read(&path);
            if reading.tests.is_some() {
                all.merge(reading);
            }
        }
    }
    all.tests.is_some().then_some(all)
}

/// Whether a change of a report, at a place where tools leave theirs, says more good of a run than the report did:
/// more coverage, or fewer failures.
pub(crate) fn is_bettered(path: &str, before: &str, after: &str) -> bool {
    if !COVERAGE.contains(&path) && !RESULTS.contains(&path) {
        return false;
    }
    let [was, is] = [before, after].map(|text| results::report(&mut text.as_bytes()));
    let failed = |reading: &ReportReading| reading.tests.as_ref().map(|tests| tests.failed);
    is.coverage.zip(was.coverage).is_some_and(|(is, was)| is > was)
        || failed(&is).zip(failed(&was)).is_some_and(|(is, was)| is < was)
}

/// Whether a new report, at a place where tools leave theirs, says that a run went well.
pub(crate) fn is_made_up(path: &str, text: &str) -> bool {
    let in_folder = || {
        RESULT_FOLDERS
            .iter()
            .any(|folder| path.strip_prefix(folder).is_some_and(|name| name.ends_with(".xml")))
    };
    if !COVERAGE.contains(&path) && !RESULTS.contains(&path) && !in_folder() {
        return false;
    }
    let read = results::report(&mut text.as_bytes());
    read.coverage.is_some() || read.tests.is_some_and(|tests| tests.failed == 0)
}

/// A time as file systems tell it.
pub fn on_disk(at: Timestamp) -> SystemTime {
    let since = u64::try_from(at.as_nanosecond()).unwrap_or(0);
    SystemTime::UNIX_EPOCH.checked_add(Duration::from_nanos(since)).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// The newest run's coverage first.
fn dotnet_coverage(root: &Path) -> Vec<String> {
    let runs = fs::read_dir(root.join(DOTNET)).into_iter().flatten().flatten().take(MOST);
    let mut found: Vec<(SystemTime, String)> = runs
        .filter_map(|run| {
            let path = format!("{DOTNET}/{}/{DOTNET_COVERAGE}", run.file_name().to_str()?);
            Some((changed(&root.join(&path))?, path))
        })
        .collect();
    found.sort_unstable_by(|a, b| b.cmp(a));
    found.into_iter().map(|(_, path)| path).collect()
}

fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST);
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect();
    paths.sort();
    paths
}

fn changed(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).ok().filter(fs::Metadata::is_file)?.modified().ok()
}

fn read(path: &Path) -> ReportReading {
    File::open(path).map(|file| results::report(&mut BufReader::new(file))).unwrap_or_default()
}
