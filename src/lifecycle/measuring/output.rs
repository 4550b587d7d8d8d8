//! What a command that measures left: its exit code, what it printed, and the reports that it wrote.

use std::fs::{self, File};
use std::io::BufReader;

use crate::loops::failures;
use crate::metrics::ReportReading;
use crate::runners::results;

/// Where a command's stdout goes, in the folder of its reports.
pub(super) const STDOUT: &str = ".stdout";
/// What a command left.
pub(super) struct CommandOutput {
    pub(super) code: Option<i32>,
    pub(super) millis: u64,
    pub(super) stderr: String,
    pub(super) folder: tempfile::TempDir,
}

impl CommandOutput {
    pub(super) fn stdout(&self) -> std::path::PathBuf {
        self.folder.path().join(STDOUT)
    }

    /// What its reports say, then what it printed.
    pub(super) fn readings(&self) -> impl Iterator<Item = ReportReading> + '_ {
        let files = fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        let mut paths: Vec<std::path::PathBuf> =
            files.map(|entry| entry.path()).filter(|path| path.is_file() && *path != self.stdout()).collect();
        paths.sort();
        let reports = paths.into_iter().filter_map(|path| {
            let file = File::open(path).ok()?;
            Some(results::report(&mut BufReader::new(file)))
        });
        let stdout = File::open(self.stdout()).ok().map(|file| results::report(&mut BufReader::new(file)));
        let stderr = std::iter::once_with(|| results::printed(&mut self.stderr.as_bytes()));
        reports.chain(stdout).chain(stderr)
    }

    /// The coverage of a whole run. Tests may fail in it; what could not even be built is not covered by the others.
    pub(super) fn coverage(&self) -> Result<(f64, Option<f64>), String> {
        let readings: Vec<ReportReading> = self.readings().collect();
        let failed = |reading: &ReportReading| reading.tests.as_ref().is_some_and(|tests| tests.failed > 0);
        let printed = fs::read(self.stdout()).unwrap_or_default();
        let broken = ["[build failed]", "[setup failed]"];
        let is_broken = broken.iter().any(|mark| {
            self.stderr.contains(mark) || memchr::memmem::find(&printed, mark.as_bytes()).is_some()
        });
        if is_broken || self.code != Some(0) && !readings.iter().any(failed) {
            return Err(self.why("it did not run to its end"));
        }
        readings
            .iter()
            .find_map(|reading| Some((reading.coverage?, reading.branches)))
            .ok_or_else(|| self.why("no coverage was found in what it printed or wrote"))
    }

    /// Why there is no figure, with what the command itself says.
    pub(super) fn why(&self, reason: &str) -> String {
        let code = self.code.map_or("killed".to_owned(), |code| format!("exit code {code}"));
        let said = self.stderr.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
        let said = failures::shorten(said, 160);
        if said.is_empty() { format!("{reason} ({code})") } else { format!("{reason} ({code}: {said})") }
    }
}
