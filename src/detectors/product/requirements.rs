//! Requirements that are dropped without a word: lines that say what the work must do, gone from the text that says so.
//!
//! Only what is plainly a requirement counts: an item under a heading that says acceptance criteria, or one with a number
//! of its own. What stands anywhere else after, also in other words, is kept; what is struck out is said.

use std::collections::BTreeSet;

use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::file_name;
use crate::model::finding::{Finding, RegressionType, Severity};

/// Requirements that are gone.
pub(crate) static DROPPED: Detector = Detector {
    pattern: Pattern {
        id: "LP-A003",
        name: "Silent Requirement Dropping",
        aliases: &["Acceptance Criterion Removed"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::Medium,
        what: "An acceptance criterion or a numbered requirement is gone from the document that holds it.",
        why: "The work looks done because less is asked for.",
        instead: "A criterion that is struck out with a reason, in other words or at another place, passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// What headings of requirements say, in lower case.
const HEADINGS: &[&str] = &[
    "acceptance criteria",
    "acceptance criterion",
    "definition of done",
    "functional requirements",
    "exit criteria",
];
/// What numbers of requirements begin with.
const NUMBERS: &[&str] = &["AC", "REQ", "FR", "NFR", "UC", "US"];
/// Documents.
const DOCUMENTS: &[&str] = &["md", "markdown", "mdx", "txt", "rst", "adoc"];
/// So many of its words stand in an item after: it is the same in other words.
const SAME: usize = 60;

/// An item that says what must be.
struct Item<'t> {
    line: u32,
    text: &'t str,
    number: Option<&'t str>,
}

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes.iter().filter(|change| is_document(&change.path)) {
        let (Some(before), Some(after)) = (change.before.as_deref(), change.after.as_deref()) else {
            continue;
        };
        let known: BTreeSet<&str> = after.lines().map(str::trim).collect();
        let missing = |item: &Item| !known.contains(item.text);
        let items: Vec<Item> = items(before).into_iter().filter(missing).collect();
        if items.is_empty() {
            continue;
        }
        let others: Vec<&str> = case
            .documents()
            .filter(|other| is_document(&other.path) && other.path != change.path)
            .filter_map(|other| other.after.as_deref())
            .collect();
        let lost: Vec<&Item> = items.iter().filter(|it| !is_kept(it, after, &others)).collect();
        let Some(first) = lost.first() else { continue };
        let what = match lost.len() {
            1 => format!("the requirement `{}` would be gone", short(first.text)),
            several => format!("{several} requirements would be gone"),
        };
        let mut finding = DROPPED.finding(&change.path, what);
        finding.line = Some(first.line);
        finding.lost = lost.iter().map(|item| short(item.text)).collect();
        finding.confidence = 0.8;
        findings.push(finding);
    }
}

fn is_document(path: &str) -> bool {
    file_name(path).rsplit_once('.').is_some_and(|(_, extension)| DOCUMENTS.contains(&extension))
}

/// The requirements of a text. What stands in a fenced block is an example.
fn items(text: &str) -> Vec<Item<'_>> {
    let mut items = Vec::new();
    let (mut in_section, mut depth, mut fenced) = (false, 0, false);
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        fenced ^= line.starts_with("```");
        if fenced {
            continue;
        }
        if let Some(level) = heading(line) {
            let lower = line.to_lowercase();
            if HEADINGS.iter().any(|words| lower.contains(words)) {
                (in_section, depth) = (true, level);
            } else if level <= depth {
                in_section = false;
            }
            continue;
        }
        let Some(said) = item(line) else { continue };
        let id = numbered(said);
        if (in_section || id.is_some()) && !said.contains("~~") {
            items.push(Item { line: number, text: line, number: id });
        }
    }
    items
}

/// How deep a heading is; a line in bold is one below all others.
fn heading(line: &str) -> Option<usize> {
    let marks = line.bytes().take_while(|byte| *byte == b'#').count();
    let is_bold = || line.starts_with("**") && line.trim_end_matches(':').ends_with("**");
    match marks {
        1..=6 => Some(marks),
        _ => is_bold().then_some(7),
    }
}

/// What an item of a list or a row of a table says.
fn item(line: &str) -> Option<&str> {
    let rest = ["- ", "* ", "+ ", "| "].iter().find_map(|mark| line.strip_prefix(mark)).or_else(|| {
        let (number, rest) = line.split_once(['.', ')'])?;
        number.bytes().all(|byte| byte.is_ascii_digit()).then_some(rest).filter(|_| !number.is_empty())
    })?;
    let boxed = ["[ ]", "[x]", "[X]"].iter().find_map(|mark| rest.trim_start().strip_prefix(mark));
    let said = boxed.unwrap_or(rest).trim();
    (said.bytes().filter(u8::is_ascii_alphanumeric).count() >= 6).then_some(said)
}

/// The number that an item begins with: `AC-12`, `**REQ-3**`.
fn numbered(said: &str) -> Option<&str> {
    let bare = said.trim_start_matches(['*', '`', '[', '_']);
    let end = bare.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(bare.len());
    let word = bare.get(..end)?;
    let (kind, number) = word.split_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    (NUMBERS.contains(&kind) && is_number).then_some(word)
}

/// Whether what an item says stands anywhere after: by its number, or by most of its words in one line.
fn is_kept(item: &Item, after: &str, others: &[&str]) -> bool {
    let words = words(item.text);
    let mut lines = after.lines().chain(others.iter().flat_map(|text| text.lines()));
    lines.any(|line| {
        if let Some(number) = item.number
            && line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').any(|word| word == number)
        {
            return true;
        }
        let there = self::words(line);
        let common = words.iter().filter(|word| there.contains(*word)).count();
        !words.is_empty() && common * 100 >= words.len() * SAME
    })
}

fn words(line: &str) -> BTreeSet<String> {
    let all = line.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
    all.map(str::to_lowercase).collect()
}

fn short(text: &str) -> String {
    let bare = text.trim_start_matches(['-', '*', '+', '|', ' ']);
    bare.char_indices().nth(60).map_or_else(|| bare.to_owned(), |(at, _)| format!("{}...", &bare[..at]))
}
