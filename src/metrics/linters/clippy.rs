//! clippy and rustc: `warning: …` or `error[E0308]: …` with its place below, or the lines of `--message-format json`.
//!
//! A library is checked again with its tests: a complaint about the same place counts once.

use std::collections::HashSet;

use serde::Deserialize;
use serde_json::Value;

use crate::metrics::Problems;
use crate::metrics::linters::Checker;

/// How many complaints are told apart.
const MOST: usize = 100_000;

#[derive(Default)]
pub(crate) struct Clippy {
    found: Problems,
    known: HashSet<String>,
    /// A headline whose place must follow.
    headline: Option<(bool, String)>,
    /// Cargo said that it checked something.
    checked: bool,
}

#[derive(Deserialize)]
struct ClippyLine {
    reason: String,
    #[serde(default)]
    message: Value,
}

impl Checker for Clippy {
    fn line(&mut self, line: &str) {
        if line.starts_with("{\"reason\":") {
            return self.json(line);
        }
        if let Some((is_error, text)) = self.headline.take()
            && let Some(place) = line.trim_start().strip_prefix("--> ")
        {
            self.add(is_error, format!("{place} {text}"));
            return;
        }
        let is_error = line.starts_with("error: ") || line.starts_with("error[");
        if is_error || line.starts_with("warning: ") {
            self.headline = Some((is_error, line.to_owned()));
        }
        self.checked |= line.trim_start().starts_with("Checking ");
    }

    fn end(self: Box<Self>) -> Option<Problems> {
        (self.checked || self.found != Problems::default()).then_some(self.found)
    }
}

impl Clippy {
    fn add(&mut self, is_error: bool, what: String) {
        if self.known.len() < MOST && self.known.insert(what) {
            *if is_error { &mut self.found.errors } else { &mut self.found.warnings } += 1;
        }
    }

    fn json(&mut self, line: &str) {
        let Ok(line) = serde_json::from_str::<ClippyLine>(line) else { return };
        if line.reason == "build-finished" {
            self.checked = true;
        }
        if line.reason != "compiler-message" {
            return;
        }
        let text = |name: &str| line.message.get(name).and_then(Value::as_str).unwrap_or_default();
        let spans =
            line.message.get("spans").and_then(Value::as_array).is_some_and(|spans| !spans.is_empty());
        match text("level") {
            "error" if spans => self.add(true, text("rendered").to_owned()),
            "warning" if spans => self.add(false, text("rendered").to_owned()),
            _ => {}
        }
    }
}
