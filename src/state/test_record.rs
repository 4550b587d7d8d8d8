//! `tests.json`: the tests of a loop by name, apart from the state that every call reads.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use serde::{Deserialize, Serialize};

use super::atomic::Durability;
use super::layout::Layout;
use super::twice::DoubledFiles;

/// The record's name in the loop's directory.
const FILE: &str = "tests.json";

/// The record of one loop.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TestRecord {
    /// What the runner listed at the start.
    pub listed: Vec<String>,
    /// What the criterion's own run named at the start.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ran: Vec<String>,
    /// The tests that passed when they were verified, and the first iteration in which they did.
    pub passed: BTreeMap<String, u32>,
    /// Tests that passed and failed on one and the same tree.
    pub flaky: BTreeSet<String>,
    /// The highest figures of any iteration without a regression, by field.
    pub high_water: BTreeMap<String, f64>,
    /// Whether files were put back by Steadfast since the last iteration ended: what that showed is no measure then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub put_back: bool,
    /// What the runner listed at the high-water mark and not at the start.
    pub added_at_mark: Vec<String>,
}

impl TestRecord {
    /// Reads a loop's record. A damaged or missing one is empty: it is made anew from what is measured next.
    pub fn read(layout: &Layout, loop_id: &str) -> TestRecord {
        let bytes = DoubledFiles::of_loop(layout, loop_id).read(FILE).unwrap_or_default();
        serde_json::from_slice(&bytes).unwrap_or_default()
    }

    /// Forgets what iterations showed, after files were put back: the next is compared with the loop's start alone.
    pub fn begin_anew(&mut self) {
        self.passed.retain(|_, since| *since == 0);
        self.high_water.clear();
        self.added_at_mark.clear();
        self.put_back = true;
    }

    /// Writes a loop's record.
    pub fn write(&self, layout: &Layout, loop_id: &str) -> io::Result<()> {
        let bytes = serde_json::to_vec(self)?;
        DoubledFiles::of_loop(layout, loop_id).write(FILE, &bytes, Durability::Process)
    }
}
