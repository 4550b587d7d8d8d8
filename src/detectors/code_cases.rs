//! The same faults and the same honest edits in every language whose product code is read by its own table.
//!
//! Each case is an edit of that language's sample: a text that stands in it once, and what stands there afterwards.

use super::cases::document::{Section, sections};
use super::{Evidence, judge};
use crate::languages::{Language, code};
use crate::model::finding::{Change, Severity};

/// A file of cases for each language: the sample first, then its edits.
const LANGUAGES: &[&str] = &[
    include_str!("code_cases/java.md"),
    include_str!("code_cases/csharp.md"),
    include_str!("code_cases/kotlin.md"),
    include_str!("code_cases/php.md"),
    include_str!("code_cases/ruby.md"),
    include_str!("code_cases/swift.md"),
    include_str!("code_cases/cpp.md"),
    include_str!("code_cases/elixir.md"),
    include_str!("code_cases/javascript.md"),
    include_str!("code_cases/python.md"),
    include_str!("code_cases/go.md"),
    include_str!("code_cases/rust.md"),
    include_str!("code_cases/dart.md"),
];
/// So many edits there are at least; a case that is lost is a case that nobody runs.
const EDITS: usize = 290;

#[test]
fn every_language_tells_faults_from_honest_edits() {
    let mut faults = Vec::new();
    let mut count = 0;
    for text in LANGUAGES {
        let sections = sections(text).unwrap();
        let (sample, edits) = sections.split_first().unwrap();
        let [Some(sample)] = sample.blocks_of(["sample"]).unwrap() else { panic!("no sample: {sample:?}") };
        let before = sample.text.as_deref().unwrap();
        let language = Language::of_path(sample.path).unwrap();
        assert!(!code(language, before).unwrap().broken, "{} has an error", sample.path);
        faults.extend(edits.iter().filter_map(|edit| fault(sample.path, before, edit)));
        count += edits.len();
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(count >= EDITS, "only {count} edits");
}

/// What is wrong with the verdict on an edit of the sample.
fn fault(path: &str, before: &str, edit: &Section) -> Option<String> {
    let (expected, what) = edit.verdict().unwrap();
    let [Some(gone), Some(comes)] = edit.blocks_of(["gone", "comes"]).unwrap() else {
        panic!("{}", edit.fault("lacks a block"));
    };
    let (gone, comes) = (gone.text.as_deref().unwrap(), comes.text.as_deref().unwrap());
    assert_eq!(before.matches(gone).count(), 1, "{path}: {what} has no place of its own");
    let after = before.replace(gone, comes);
    let change =
        Change { path: path.to_owned(), before: Some(before.to_owned()), after: Some(after.clone()) };
    let found = judge(&Evidence { changes: &[change], elsewhere: &[] });
    let ids: Vec<_> = found.iter().filter(|it| it.severity > Severity::Low).map(|it| it.pattern_id).collect();
    let fits = if expected == "Nothing" { ids.is_empty() } else { ids == [expected] };
    (!fits).then(|| format!("{path}: {what} gave {ids:?}, not {expected:?}\n{after}"))
}
