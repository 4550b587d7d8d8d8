//! Calls that a test said would come, so many times, and that may come or not now: `expects(self::once())` that became
//! `expects(self::any())`.

use crate::detectors::engine::line_pairs::places_of;
use crate::languages::code::bare;
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// How a line says which call is to come, and what it says that lets any number of them come; without white space.
const SPIES: &[(&str, &[&str])] = &[
    ("->expects(", &["->expects(self::any())", "->expects($this->any())", "->expects(static::any())"]),
    (".EXPECT()", &[".AnyTimes()", ".MinTimes(0)"]),
    (
        "EXPECT_CALL(",
        &[".Times(AnyNumber())", ".Times(::testing::AnyNumber())", ".Times(testing::AnyNumber())"],
    ),
    ("->shouldReceive(", &["->zeroOrMoreTimes()"]),
];

/// The line that says less of a call than the one in its place, and its number before.
pub(super) fn loosened(change: &Change) -> Option<(String, u32)> {
    let old = change.before.as_deref()?;
    let is_spied = SPIES.iter().any(|(head, _)| old.contains(head));
    if !is_spied || !is_test_path(&change.path) {
        return None;
    }
    let all = places_of(change)?;
    all.iter().flat_map(|hunk| hunk.gone.iter().map(move |gone| (hunk, gone))).find_map(|(hunk, gone)| {
        let was = bare(gone.text);
        let (head, loose) = SPIES.iter().find(|(head, _)| was.contains(head))?;
        let is_loose = |text: &str| loose.iter().any(|it| text.contains(it));
        let double = was.split(head).next()?;
        let come = hunk.come.iter().find(|it| {
            let is = bare(it.text);
            is_loose(&is) && is.split(head).next() == Some(double)
        })?;
        let what = format!("`{}` would become `{}`, which holds without the call", gone.text, come.text);
        (!is_loose(&was)).then_some((what, gone.number))
    })
}
