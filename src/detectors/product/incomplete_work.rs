//! Text that stands for code which isn't there: "... rest of the code unchanged".
//!
//! Only a comment that is new, has dots or brackets of an omission, and says what is left out counts.

use crate::detectors::engine::revision::Revision;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Placeholders written in the place of code.
pub(crate) static OMITTED: Detector = Detector {
    pattern: Pattern {
        id: "LP-019",
        name: "TODO Comment Proliferation",
        aliases: &["Omission Placeholder", "LP-A001", "LP-TODO", "TODO Without Resolution"],
        regression_type: Some(RegressionType::FeatureRemoval),
        severity: Severity::Critical,
        what: "A comment such as '... existing code ...' would stand in the file in the place of the code itself.",
        why: "The tool writes what it is given: the code that the comment means is gone.",
        instead: "The whole text, or an edit of only the part that changes, passes.",
        proof: PatternProof::Changes,
    },
    detect,
};

/// What a placeholder says besides its dots, in lower case.
const PHRASES: &[&str] = &[
    "existing code",
    "rest of code",
    "rest of the code",
    "rest of file",
    "rest of the file",
    "rest of method",
    "rest of the method",
    "rest of the methods",
    "rest of the function",
    "rest of the class",
    "rest of implementation",
    "rest of the implementation",
    "remaining code",
    "remaining methods",
    "remaining functions",
    "remaining implementation",
    "other methods",
    "other functions",
    "previous code",
    "code unchanged",
    "unchanged code",
    "same as before",
    "remains unchanged",
    "remain unchanged",
    "unchanged methods",
    "methods unchanged",
    "existing implementation",
    "existing methods",
    "existing functions",
    "rest unchanged",
    "code remains",
    "rest of tests",
    "rest of the tests",
    "remaining tests",
    "other tests",
    "keep existing",
    "no changes",
    "implementation unchanged",
    "unchanged ...",
];

/// A new placeholder: its text and line.
fn placeholder<'r>(revision: &'r Revision) -> Option<(&'r str, u32)> {
    // Without any of them there is none, and the code need not be read.
    let says = |word: &&str| revision.new.contains(*word);
    if !["...", "\u{2026}", "[rest", "(rest", "[Rest", "(Rest", "[REST", "(REST"].iter().any(says) {
        return None;
    }
    let is_placeholder = |text: &str| {
        // What is quoted is talked about.
        let lower = unquoted(text).to_lowercase();
        let has_dots = lower.contains("...")
            || lower.contains('\u{2026}')
            || lower.contains("[rest")
            || lower.contains("(rest");
        has_dots && text.len() < 120 && PHRASES.iter().any(|phrase| lower.contains(phrase))
    };
    let known = |text: &str| revision.before.comments.iter().any(|it| it.text.trim() == text.trim());
    let mut new = revision.after.comments.iter().filter(|it| is_placeholder(it.text) && !known(it.text));
    new.next().map(|it| (it.text, it.line))
}

/// A comment without what stands in it between quotation marks or backticks.
fn unquoted(text: &str) -> String {
    let parts: Vec<&str> = text.split(['"', '`']).collect();
    // An odd mark ends nothing.
    let is_outside = |at: usize| at.is_multiple_of(2) || at + 1 == parts.len();
    parts.iter().enumerate().filter(|(at, _)| is_outside(*at)).map(|(_, part)| *part).collect()
}

/// Whether the change leaves code out by a placeholder.
pub(crate) fn leaves_out(revision: &Revision) -> bool {
    placeholder(revision).is_some()
}

fn detect(case: &Case, findings: &mut Vec<Finding>) {
    for revision in case.revisions() {
        let Some((text, line)) = placeholder(revision) else { continue };
        let shrinks = revision.new.lines().count() < revision.old.lines().count();
        let what = format!("`{}` would stand in the place of code", text.trim());
        let mut finding = OMITTED.finding(&revision.change.path, what);
        finding.line = Some(line);
        finding.severity =
            if shrinks || revision.old.is_empty() { Severity::Critical } else { Severity::High };
        findings.push(finding);
    }
}
