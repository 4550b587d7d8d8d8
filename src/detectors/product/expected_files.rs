//! Product code that reads the answer which a test expects, from a file beside the input.

use crate::detectors::engine::code_lines::{PLAIN_QUOTES, quoted};
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::model::finding::Severity;

/// Parts of names of files that hold what tests expect, in lower case.
const EXPECTED: &[&str] = &[
    ".expected",
    "expected.",
    "_expected",
    "expected_",
    "expected/",
    "golden",
    "__snapshots__",
    ".snap",
    "fixtures/",
    "testdata/",
    "test_data/",
];
/// Calls that read a file.
const READING: &[&str] = &[
    "readText(",
    "read_text(",
    "readFile(",
    "readFileSync(",
    "ReadFile(",
    "open(",
    "File.read(",
    "ReadAllText(",
    "readString(",
    "include_str!(",
    "file_get_contents(",
    "read_to_string(",
    "contentsOf",
    "fromFile(",
    "ifstream",
    "readlines(",
    "readLines(",
    "File.read!(",
];
/// Words in the paths of code that is about such files.
const ABOUT: &[&str] = &["test", "golden", "snapshot", "fixture", "expect", "bench", "example"];

/// The first file of the kind that a function which was there reads.
pub(super) fn expected_read(revision: &Revision) -> Option<LostCheck> {
    let path = revision.change.path.to_lowercase();
    if ABOUT.iter().any(|word| path.contains(word)) {
        return None;
    }
    let line = revision.hunks().iter().find_map(|hunk| {
        let is_expected = |text: &str| {
            let lower = text.to_lowercase();
            !revision.old.contains(text) && EXPECTED.iter().any(|part| lower.contains(part))
        };
        let named = hunk.come.iter().find(|line| quoted(line.text, PLAIN_QUOTES).any(is_expected))?;
        let reads =
            |line: &CodeLine| line.at >= named.at && READING.iter().any(|call| line.text.contains(call));
        hunk.come.iter().any(reads).then_some(*named)
    })?;
    let new = revision.after.functions.iter().rposition(|it| it.span.contains(&line.at))?;
    let name = revision.predecessor(new).and_then(|old| revision.before.functions.get(old))?.name;
    let what = format!("`{name}` would read what is expected of it: {}", short(line.text));
    Some(LostCheck::new(line.number, name, what, Severity::High))
}
