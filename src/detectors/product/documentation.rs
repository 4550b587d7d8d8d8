//! Documents that say nothing: placeholders in the place of text, one sentence for everything.
//!
//! Only recorded: nobody is stopped for a document, and a new one may be a frame that is filled later.

use std::collections::HashMap;

use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::file_name;
use crate::model::finding::{Finding, RegressionType, Severity};

/// Documents without content.
pub(crate) static HOLLOW: Detector = Detector {
    pattern: Pattern {
        id: "LP-D001",
        name: "Stub Documentation",
        aliases: &["LP-D002", "Copy-paste Documentation"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::Low,
        what: "More than a fifth of a document's lines are placeholders, or nearly all of its descriptions are the same.",
        why: "It looks written, and tells its reader nothing.",
        instead: "A shorter document that says what it knows passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// What a line that stands for text says, in lower case and without marks around it.
const PLACEHOLDERS: &[&str] = &[
    "todo",
    "tbd",
    "tba",
    "coming soon",
    "to be written",
    "to be documented",
    "to be added",
    "placeholder",
    "lorem ipsum",
    "description here",
    "add description",
    "fill in",
    "insert text here",
    "work in progress",
    "no description",
    "...",
];
/// A document with fewer lines of text is too short to be judged.
const FEWEST: usize = 5;

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        let is_document = file_name(&change.path)
            .rsplit_once('.')
            .is_some_and(|(_, extension)| ["md", "markdown", "mdx", "rst", "adoc"].contains(&extension));
        let Some(after) = change.after.as_deref().filter(|_| is_document) else { continue };
        let Some(what) = hollow(after) else { continue };
        if change.before.as_deref().and_then(hollow).is_none() {
            findings.push(Finding { confidence: 0.6, ..HOLLOW.finding(&change.path, what) });
        }
    }
}

/// How a text says nothing.
fn hollow(text: &str) -> Option<String> {
    let lines: Vec<String> = said(text);
    if lines.len() < FEWEST {
        return None;
    }
    let is_placeholder =
        |line: &&String| PLACEHOLDERS.iter().any(|it| line.starts_with(it) && line.len() < it.len() + 24);
    let stubs = lines.iter().filter(is_placeholder).count();
    if stubs * 5 > lines.len() {
        return Some(format!("{stubs} of {} lines would be placeholders", lines.len()));
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for line in lines.iter().filter(|line| line.split(' ').count() > 3) {
        *counts.entry(line).or_default() += 1;
    }
    let described: usize = counts.values().sum();
    let same = counts.values().copied().max().unwrap_or_default();
    (described >= FEWEST && same * 10 > described * 9)
        .then(|| format!("{same} of {described} descriptions would be the same"))
}

/// The lines of text, without headings, code, tables' frames, names before a colon and marks.
fn said(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim) {
        fenced ^= line.starts_with("```");
        if fenced || line.starts_with('#') || !line.contains(|c: char| c.is_alphanumeric() || c == '.') {
            continue;
        }
        let bare = line.trim_matches(|c: char| c.is_whitespace() || "-*+|_`<>()[]!".contains(c));
        let told = bare.rsplit_once([':', '|']).map_or(bare, |(_, told)| told.trim());
        lines.push(told.trim_matches(['*', '_', '`', ' ']).to_lowercase());
    }
    lines
}
