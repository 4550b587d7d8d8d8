//! Whole small files before and after: misses and false alarms that were met, each with its kind.
//!
//! A case of these documents says how much is found, whichever pattern finds it.

use super::cases::change;
use super::cases::document::sections;
use super::{Evidence, judge};
use crate::model::finding::Severity;

/// How much is found.
#[derive(Debug, PartialEq)]
enum Found {
    /// Something that stops the call.
    Stop,
    /// At least a word about it.
    Word,
    /// Nothing that stops the call.
    NoStop,
    /// Nothing but what is only recorded.
    Nothing,
}
use Found::{NoStop, Nothing, Stop, Word};

/// The documents.
const DOCUMENTS: &[&str] =
    &[include_str!("whole_cases.md"), include_str!("kept_refusals.md"), include_str!("replayed_edits.md")];

#[test]
fn every_row_is_judged_as_it_says() {
    let mut faults = Vec::new();
    let sections: Vec<_> = DOCUMENTS.iter().flat_map(|text| sections(text).unwrap()).collect();
    assert!(sections.len() >= 130, "cases are lost");
    for section in &sections {
        let (verdict, what) = section.verdict().unwrap();
        let expected = match verdict {
            "Stopped" => Stop,
            "Told" => Word,
            "Not stopped" => NoStop,
            "Silent" => Nothing,
            _ => panic!("{}", section.fault("begins with no verdict")),
        };
        let [Some(before), Some(after)] = section.blocks_of(["before", "after"]).unwrap() else {
            panic!("{}", section.fault("lacks a block"));
        };
        let change = change(section, before, after).unwrap();
        let path = change.path.clone();
        let found = judge(&Evidence { changes: &[change], elsewhere: &[] });
        let worst = found.iter().map(|it| it.severity).max().unwrap_or(Severity::Low);
        let fits = match expected {
            Stop => worst >= Severity::High,
            Word => worst >= Severity::Medium,
            NoStop => worst < Severity::High,
            Nothing => worst < Severity::Medium,
        };
        if !fits {
            faults.push(format!("{path}: {what} is not {expected:?}: {found:?}"));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
