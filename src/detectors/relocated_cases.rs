//! Changes with other files of the session: what moved there, or follows what went there, passes; what did not is stopped.

use super::cases::change;
use super::cases::document::sections;
use super::{Evidence, judge};
use crate::model::finding::{Change, Severity};

/// The documents.
const DOCUMENTS: &[&str] = &[
    include_str!("relocated_cases.md"),
    include_str!("explained_cases.md"),
    include_str!("followed_cases.md"),
    include_str!("settled_cases.md"),
];

/// The parts of a case.
const PARTS: [&str; 6] =
    ["before", "after", "elsewhere-before", "elsewhere-after", "other-before", "other-after"];

#[test]
fn what_another_file_has_is_no_loss() {
    let mut faults = Vec::new();
    let sections: Vec<_> = DOCUMENTS.iter().flat_map(|text| sections(text).unwrap()).collect();
    assert!(sections.len() >= 60, "cases are lost");
    for section in &sections {
        let (verdict, what) = section.verdict().unwrap();
        let blocks = section.blocks_of(PARTS).unwrap();
        let files: Vec<Change> = blocks
            .chunks(2)
            .filter_map(|pair| match pair {
                [Some(before), Some(after)] => Some(change(section, before, after).unwrap()),
                [None, None] => None,
                _ => panic!("{}", section.fault("lacks a block")),
            })
            .collect();
        let (own, others) =
            files.split_first().unwrap_or_else(|| panic!("{}", section.fault("has no change")));
        let found = judge(&Evidence { changes: std::slice::from_ref(own), elsewhere: others });
        let worst = found.iter().map(|it| it.severity).max().unwrap_or(Severity::Low);
        let fits = match verdict {
            "Passes" => worst < Severity::Medium,
            "Told" => worst >= Severity::Medium,
            "Stopped" => worst >= Severity::High,
            _ => panic!("{}", section.fault("begins with no verdict")),
        };
        if !fits {
            faults.push(format!("{what} is not {verdict}: {found:#?}"));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
