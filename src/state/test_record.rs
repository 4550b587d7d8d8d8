//! `tests.json`: the tests of a loop by name, apart from the state that every call reads.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};

use super::atomic::{self, Durability};
use super::layout::Layout;
use super::own_file;

/// The record of one loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TestRecord {
    /// What the runner listed at the start.
    pub listed: Vec<String>,
    /// The tests that passed when they were verified, and the first iteration in which they did.
    pub passed: BTreeMap<String, u32>,
    /// Tests that passed and failed on one and the same tree.
    pub flaky: BTreeSet<String>,
    /// The highest figures of any iteration without a regression, by field.
    pub high_water: BTreeMap<String, f64>,
    /// What the runner listed at the high-water mark and not at the start.
    pub added_at_mark: Vec<String>,
}

impl TestRecord {
    /// Reads a loop's record. A damaged or missing one is empty: it is made anew from what is measured next.
    pub fn read(layout: &Layout, loop_id: &str) -> TestRecord {
        let bytes = own_file::read(&layout.loop_dir(loop_id).join("tests.json")).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Writes a loop's record.
    pub fn write(&self, layout: &Layout, loop_id: &str) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        atomic::write(&layout.loop_dir(loop_id).join("tests.json"), &bytes, Durability::Process)
    }
}
