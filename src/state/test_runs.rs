//! `test-run.json`: the newest test run of the agent's own, as its output told.
//!
//! It is what the agent's shell printed, so it may inform a person, and never closes or hides anything.

use std::io;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::atomic::{self, Durability};
use super::layout::Layout;
use super::own_file;
use crate::metrics::ReportReading;

/// One run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TestRun {
    /// When it had ended.
    pub at: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// The shell text, cut.
    pub command: String,
    /// What its output tells.
    pub reading: ReportReading,
    /// What failing tests wanted and got, where the output tells.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailedTest>,
}

/// A test that failed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FailedTest {
    /// Its name, as its runner gives it.
    pub test: String,
    /// What an assertion wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    /// What it got.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
}

impl TestRun {
    /// Reads a loop's newest run.
    pub fn read(layout: &Layout, loop_id: &str) -> Option<TestRun> {
        serde_json::from_slice(&own_file::read(&layout.loop_dir(loop_id).join("test-run.json")).ok()?).ok()
    }

    /// Writes it.
    pub fn write(&self, layout: &Layout, loop_id: &str) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        atomic::write(&layout.loop_dir(loop_id).join("test-run.json"), &bytes, Durability::Process)
    }
}
