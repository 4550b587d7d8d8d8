//! What a finding, a risk or a regression says to the model and to the person.
//!
//! Facts, not orders: newer models take imperatives in hook text for an injection. Every text names its pattern id.

use crate::model::finding::{Finding, Severity, counted, counted_are};
use crate::model::words::first_of;
use crate::state::records::RegressionEvent;
use crate::text::{headline, tense};

/// What is said of a call whose event is larger than is read.
pub fn too_large(limit: usize) -> String {
    format!(
        "Steadfast: this call is larger than {} MiB, so what it does was not looked at (SF-016)\nThe same work in smaller \
         calls can be read and judged.",
        limit >> 20
    )
}

/// What the person reads of an event after which nothing was looked at.
pub fn not_looked_at(limit: usize) -> String {
    format!(
        "Steadfast did not look at what just happened: the event is larger than {} MiB. `steadfast status` says what is \
         known.",
        limit >> 20
    )
}

/// How many lost things are named before the rest is counted.
const NAMED: usize = 20;

/// The reason of an Ask or a Deny: what would be lost, then the remedy, then the rest.
pub fn stopped(findings: &[Finding], asked: bool) -> String {
    let rest = if asked {
        "A person is asked about this call; without a yes it does not run."
    } else {
        "This call does not run."
    };
    told(headline::of(findings), remedies(findings), rest, findings)
}

/// The first line, the remedy, a sentence, and each finding whole.
fn told(first: String, remedy: String, sentence: &str, findings: &[Finding]) -> String {
    // The id of a single finding stands in the first line.
    let with_id = findings.len() > 1;
    let facts = findings.iter().map(|finding| facts(finding, with_id));
    let rest: Vec<String> = std::iter::once(sentence.to_owned()).chain(facts).collect();
    let parts = [first, remedy, rest.join("\n")];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// How the work gets done without the losses, each way once.
fn remedies(findings: &[Finding]) -> String {
    let mut ways: Vec<&str> = Vec::new();
    for finding in findings {
        if !finding.mend.is_empty() && !ways.contains(&finding.mend.as_str()) {
            ways.push(&finding.mend);
        }
    }
    ways.join("\n")
}

/// What the model reads of questions that a person answered with no: the first line of each.
pub fn refused_by_a_person(messages: &[String]) -> String {
    let lines = messages.iter().filter_map(|message| message.lines().next());
    let lines: String = lines.take(EVENTS).map(|line| format!("\n- {}", headline::one_line(line))).collect();
    format!(
        "Steadfast asked a person before this prompt, and they refused. What was asked has not been done:{lines}"
    )
}

/// Advice about findings that do not stop a call.
pub fn advice(findings: &[Finding]) -> String {
    let all: Vec<String> = findings.iter().map(described).collect();
    format!("Steadfast notes: {}", all.join("\n\n"))
}

/// What the person reads of files outside of a loop's scope that no call named.
pub fn outside_of_scope(findings: &[Finding]) -> String {
    let paths: Vec<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
    let first = findings.first().map(|finding| finding.pattern_id).unwrap_or_default();
    format!(
        "Steadfast, {first}: changed outside of the loop's scope since its start: {}",
        first_of(&paths, NAMED)
    )
}

/// What the model reads when a call has already lost something.
pub fn lost_by_call(findings: &[Finding], undo_id: Option<&str>) -> String {
    let undo = undo_id.map(|id| {
        format!(
            "The bytes from before the call are kept: `steadfast undo --tool-call {id}` brings them back. The work does \
             not count as done while this is open."
        )
    });
    let ways = [undo.unwrap_or_default(), remedies(findings)];
    let ways: Vec<String> = ways.into_iter().filter(|way| !way.is_empty()).collect();
    let sentence = "The files before and after this call were compared.";
    let findings: Vec<Finding> = findings.iter().map(has_happened).collect();
    told(headline::after_call(&findings), ways.join("\n"), sentence, &findings)
}

/// A finding in the words for what has happened.
fn has_happened(finding: &Finding) -> Finding {
    Finding { what: tense::happened(&finding.what), ..finding.clone() }
}

/// What was lost between two turns, by no call of the session.
pub fn lost_meanwhile(findings: &[Finding]) -> String {
    let sentence =
        "The files were compared with how the last turn left them: no call of this session changed them.";
    let findings: Vec<Finding> = findings.iter().map(has_happened).collect();
    told(headline::between_turns(&findings), remedies(&findings), sentence, &findings)
}

/// What was judged of a file that is too large to be read in full: tests, and marks that may skip them.
pub fn counted_only(path: &str, [tests, marks]: [(usize, usize); 2]) -> String {
    format!(
        "Steadfast judged {path} by counting alone, since it is too large to be read in full: tests {} before and {} \
         after, words that may skip or focus tests {} before and {} after.",
        tests.0, tests.1, marks.0, marks.1
    )
}

/// What becomes of what a risky call may destroy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety<'a> {
    /// So many files are kept, and what is given to the command that brings them back.
    Kept {
        /// How many.
        files: usize,
        /// The option of `steadfast undo`.
        undo: &'a str,
    },
    /// Nothing is there.
    Nothing,
    /// Not all of it is kept.
    NotKept,
}

/// The longest line about files that are deleted, in characters.
const DELETED_LINE: usize = 300;

/// A warning about a risky target in which nothing was found.
pub fn risk(target: &str, class: &str, level: Severity, safety: Safety<'_>) -> String {
    if let Some(told) = told_alone(target, class, level) {
        return told;
    }
    let what = match class {
        "validation_modification" => {
            format!(
                "{target}: this edit takes lines out of validation code. Input that was refused before may now be accepted"
            )
        }
        "emptied_before_read" => {
            format!(
                "this empties {target} before it is read, so nothing of it is left. Write to another file and move that over it"
            )
        }
        "uncommitted_work_replaced" => {
            format!("{target} would be replaced, and what it holds is in no commit")
        }
        "version_control_deletion" => format!("{target} would leave the working tree and the next commit"),
        "bulk_deletion" | "file_deletion" => format!("{target} would be deleted"),
        _ => format!("{target} would be changed in a way that has no undo of its own"),
    };
    let kept = kept_words(target, class, safety);
    format!("Steadfast: {what} ({class}, {level}). {kept}", level = level.name())
}

/// A note about several tracked files that a call deletes by their names.
pub fn several_deleted(paths: &[String], safety: Safety<'_>) -> String {
    let what = format!("this deletes {} that git tracks", counted(paths.len(), "file"));
    let what = headline::listed(&what, paths, DELETED_LINE);
    let kept = kept_words("these names", "file_deletion", safety);
    format!("Steadfast: {what} (file_deletion, low). {kept}")
}

/// What becomes of what a call destroys.
fn kept_words(target: &str, class: &str, safety: Safety<'_>) -> String {
    match safety {
        Safety::Kept { files: 1, undo } => format!("1 file is kept; `steadfast undo {undo}` brings it back."),
        Safety::Kept { files, undo } => {
            format!("{files} files are kept; `steadfast undo {undo}` brings them back.")
        }
        Safety::Nothing if class.ends_with("deletion") => {
            format!("Nothing is at {target}; check the name.")
        }
        Safety::Nothing => "Nothing is there yet.".to_owned(),
        Safety::NotKept => "What is there now is not kept, so no undo brings it back.".to_owned(),
    }
}

/// The warning about a class of which no undo has to be spoken.
fn told_alone(target: &str, class: &str, level: Severity) -> Option<String> {
    let level = level.name();
    Some(match class {
        "test_file_modification" => format!(
            "Steadfast: {target} is a test file (test_file_modification): a fix of the test itself is fine, not the \
             removal, skipping or weakening of a check."
        ),
        "unread_edit" => format!(
            "Steadfast: {target} says how checks run, and what this makes of it can't be told beforehand \
             (unread_edit, {level}). It is compared afterwards; a check that is gone or can't fail comes up then."
        ),
        "open_to_everybody" => format!(
            "Steadfast: everybody on this machine could change {target} and what is in it (open_to_everybody, {level})."
        ),
        _ => return None,
    })
}

/// What a person hears where a turn ends on a run that left tests out.
pub(crate) fn narrowed_run(command: &str, option: &str) -> String {
    let line = command.lines().next().unwrap_or_default();
    format!(
        "Steadfast: the last test run of this turn left tests out ({option}): `{line}`. What those tests say is not known."
    )
}

/// So many open regressions have a line of their own.
const EVENTS: usize = 7;
/// The longest line about one of them, in characters.
const EVENT_LINE: usize = 300;

/// Why the turn does not end: regressions are open. Said `again`, the remedies are left out.
pub fn open_regressions(events: &[&RegressionEvent], again: bool) -> String {
    let mut text = format!(
        "Steadfast: {} open, so the work does not count as done. What is back and runs again is closed; {}",
        counted_are(events.len(), "regression"),
        "`steadfast gate` in a terminal accepts a loss."
    );
    text.push('\n');
    text.push_str(&event_lines(events));
    if !again {
        text.push_str(match events.iter().any(|event| event.regression_type.is_of_tests()) {
            true => "\nA test that is back under its name, running, closes its regression.",
            false => "\nWhat is as it was before closes its regression.",
        });
        text.push_str(" Where a loss is right, only a person can accept it.");
    }
    text
}

/// A line for each of the first regressions, and how many there are more.
pub(crate) fn event_lines(events: &[&RegressionEvent]) -> String {
    let shown = events.iter().take(EVENTS).map(|event| headline::cut(&event_line(event), EVENT_LINE));
    let more = (events.len() > EVENTS)
        .then(|| format!("and {} more: `steadfast status --regressions`", events.len() - EVENTS));
    shown.chain(more).collect::<Vec<_>>().join("\n")
}

/// `[id] test_deletion (critical), 2 tests: a, b`
fn event_line(event: &RegressionEvent) -> String {
    let lost: Vec<String> = event.lost().iter().map(|name| headline::one_line(name)).collect();
    let noun = if event.lost_key().ends_with("tests") { "test" } else { "thing" };
    let what = format!(
        "[{}] {} ({})",
        short_id(&event.event_id),
        event.regression_type.name().replace('_', " "),
        event.severity.name()
    );
    if lost.is_empty() {
        let found: Vec<String> = event.said().iter().map(|found| headline::one_line(found)).collect();
        return if found.is_empty() { what } else { format!("{what}: {}", found.join("; ")) };
    }
    headline::listed(&format!("{what}, {} lost", counted(lost.len(), noun)), &lost, EVENT_LINE)
}

/// The first part of a UUID, as people type it.
pub fn short_id(id: &str) -> &str {
    id.split('-').next().unwrap_or(id)
}

fn described(finding: &Finding) -> String {
    let facts = facts(finding, true);
    if finding.mend.is_empty() { facts } else { format!("{facts}\n{}", finding.mend) }
}

/// A finding without its remedy: pattern, severity, what happened, and what is lost by name.
fn facts(finding: &Finding, with_id: bool) -> String {
    let id = if with_id { format!("{} ", finding.pattern_id) } else { String::new() };
    let mut text = format!("{id}{} ({}): {}", finding.pattern_name, finding.severity.name(), finding.what);
    let names: Vec<String> = finding.lost_names().collect();
    list_names(&mut text, names.iter().map(String::as_str));
    text
}

fn list_names<'a>(text: &mut String, names: impl Iterator<Item = &'a str>) {
    let names: Vec<&str> = names.collect();
    for name in names.iter().take(NAMED) {
        text.push_str("\n  - ");
        text.push_str(name);
    }
    if names.len() > NAMED {
        text.push_str(&format!("\n  - and {} more", names.len() - NAMED));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_names_pattern_and_every_lost_test() {
        let finding = Finding {
            pattern_id: "LP-001",
            pattern_name: "Complete Test File Deletion",
            regression_type: None,
            severity: Severity::Critical,
            path: "math.test.js".into(),
            line: Some(3),
            lost: (0..22).map(|n| format!("case {n}")).collect(),
            what: "22 of 30 tests would be gone".into(),
            mend: "A test that moves is added at its new place first.".into(),
            confidence: 1.0,
            left_out: None,
        };
        let text = stopped(std::slice::from_ref(&finding), false);
        assert!(text.contains("LP-001"));
        assert!(text.contains("  - math.test.js: case 0\n"));
        assert!(text.contains("and 2 more"));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with("Steadfast: 22 of 30 tests would be gone: case 0, "), "{text}");
        assert_eq!(lines[1], "A test that moves is added at its new place first.");
    }
}
