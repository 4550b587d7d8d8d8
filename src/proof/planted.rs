//! What became of small faults that were planted in the source.

use serde::Serialize;

/// What became of small faults in the source.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, schemars::JsonSchema)]
pub struct Bite {
    /// The faults that were planted, one at a time.
    pub faults: Vec<Planted>,
    /// How many there would have been.
    pub possible: usize,
    /// Tests that caught faults as they were and catch none as they are.
    pub toothless: Vec<Toothless>,
    /// Why less was done than could be.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A fault that was planted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Planted {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: u32,
    /// What it is.
    pub fault: &'static str,
    /// The line before.
    pub before: String,
    /// The line with the fault.
    pub after: String,
    /// How many of the tests as they are noticed it.
    pub caught_by_new: usize,
    /// How many of the tests as they were; nothing where they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caught_by_old: Option<usize>,
}

/// A test that caught faults and catches none now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Toothless {
    /// The test.
    pub test: String,
    /// How many faults it caught as it was.
    pub caught_before: usize,
}

impl Bite {
    /// What the tests have lost, as a sentence.
    pub fn lost(&self) -> Option<String> {
        let lost = self.faults.iter().filter(|fault| fault.is_lost());
        let lost: Vec<&Planted> = lost.collect();
        let first = lost.first()?;
        let names: Vec<&str> = self.toothless.iter().map(|one| one.test.as_str()).take(5).collect();
        let named = if names.is_empty() {
            String::new()
        } else {
            format!(" ({} caught some and catches none now)", names.join(", "))
        };
        let (path, line) = (&first.path, first.line);
        Some(format!(
            "{} of {} small faults are noticed by the old tests alone, the first at {path}:{line}{named}",
            lost.len(),
            self.faults.len()
        ))
    }

    /// The faults that no test notices as tests are.
    pub fn unnoticed(&self) -> impl Iterator<Item = &Planted> {
        self.faults.iter().filter(|fault| fault.caught_by_new == 0)
    }
}

impl Planted {
    /// Whether the tests noticed it as they were and do not as they are.
    pub fn is_lost(&self) -> bool {
        self.caught_by_new == 0 && self.caught_by_old.is_some_and(|caught| caught > 0)
    }
}
