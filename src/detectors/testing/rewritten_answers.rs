//! Recorded answers that a test writes itself before it compares with them: on every run, so that any answer fits.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::line_pairs::{line_pairs, places_of};
use crate::detectors::product::literals::shown;
use crate::languages::is_test_path;
use crate::model::finding::Change;

/// What is asked whether recorded answers are to be written anew, in lower case.
const ASKED: &[&str] = &["update", "regen", "record", "overwrite", "bless"];
/// How a file is written, and how the same file is read. The path stands before a method and behind a function.
const METHODS: &[(&str, &str)] = &[(".write_text(", ".read_text("), (".write_bytes(", ".read_bytes(")];
const FUNCTIONS: &[(&str, &str)] = &[
    ("os.WriteFile(", "os.ReadFile("),
    ("writeFileSync(", "readFileSync("),
    ("fs::write(", "fs::read_to_string("),
    ("File.write(", "File.read("),
    ("File.WriteAllText(", "File.ReadAllText("),
    ("file_put_contents(", "file_get_contents("),
    ("Files.writeString(", "Files.readString("),
];

/// How lines begin that begin a function or a test.
const FUNCTIONS_BEGIN: &[&str] = &[
    "def ",
    "async def ",
    "fn ",
    "pub fn ",
    "func ",
    "fun ",
    "function ",
    "it(",
    "it ",
    "test(",
    "test ",
    "#[test]",
    "@Test",
    "[Fact",
    "[Test",
    "public ",
    "private ",
    "describe",
];

/// How a test would write what it compares with, and in which line.
pub(super) fn rewritten(change: &Change) -> Option<(String, u32)> {
    let (old, new) = (change.before.as_deref()?, change.after.as_deref()?);
    if !is_test_path(&change.path) {
        return None;
    }
    let all = places_of(change)?;
    always(new, &all).or_else(|| all.iter().find_map(|hunk| written_first((old, new), hunk)))
}

/// A question whether to write anew that would always be answered with yes.
fn always(new: &str, all: &[TextHunk]) -> Option<(String, u32)> {
    let writes = METHODS.iter().chain(FUNCTIONS).any(|(write, _)| new.contains(write));
    let is_yes = |gone: &CodeLine, come: &CodeLine| {
        let (was, is) = (gone.text.to_lowercase(), come.text.to_lowercase());
        let yes = ["|| true", "or true"];
        let is_default = was.replace("false", "true") == is && was.contains("false");
        let is_joined = yes.iter().any(|it| is.contains(it) && !was.contains(it));
        ASKED.iter().any(|word| was.contains(word)) && (is_default || is_joined)
    };
    let mut lines = line_pairs(all);
    let (_, come) = lines.find(|(gone, come)| writes && is_yes(gone, come))?;
    let what = format!("`{}` would write the recorded answers anew on every run", shown(come.text));
    Some((what, come.number))
}

/// A file that the test reads to compare with, written by a new line that no condition holds back.
fn written_first((old, new): (&str, &str), hunk: &TextHunk) -> Option<(String, u32)> {
    let is_free = |at: usize| {
        let above = at.checked_sub(1).and_then(|it| hunk.come.get(it)).or(hunk.above.as_ref());
        above.is_none_or(|line| !line.text.trim_start().starts_with("if") && !line.text.contains(" if "))
    };
    // Another test may read a file of the same name.
    let compares = |wanted: &str, number: u32| {
        let asserts = |line: &str| ["assert", "expect"].iter().any(|word| line.to_lowercase().contains(word));
        let below = new.lines().skip(usize::try_from(number).unwrap_or(usize::MAX));
        let own =
            below.take_while(|line| !FUNCTIONS_BEGIN.iter().any(|it| line.trim_start().starts_with(it)));
        own.into_iter().any(|line| line.contains(wanted) && asserts(line) && old.contains(line))
    };
    let (_, line) = hunk.come.iter().enumerate().find(|(at, line)| {
        let by_method = METHODS.iter().any(|(write, read)| {
            let path = line.text.trim().split_once(write).map(|(path, _)| path);
            path.is_some_and(|path| path.len() > 2 && compares(&format!("{path}{read}"), line.number))
        });
        let by_function = FUNCTIONS.iter().any(|(write, read)| {
            let rest = line.text.split_once(write).map(|(_, rest)| rest);
            let path = rest.and_then(|rest| rest.rsplit_once(',')).map(|(path, _)| path);
            path.is_some_and(|path| path.len() > 2 && compares(&format!("{read}{path}"), line.number))
        });
        is_free(*at) && (by_method || by_function)
    })?;
    let what = format!("`{}` would write what the test then compares with", shown(line.text));
    Some((what, line.number))
}
