//! Files that were written beside their place and put there whole, and are written in place now: who reads one meanwhile gets
//! a part of it, and what is interrupted leaves one.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::{called_in, is_part_of_more};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::plain;
use crate::model::finding::Severity;
use crate::model::words::unparted;

/// Calls that put a file in the place of another, in lower case and without `_`.
const PUTTING: &[&str] =
    &["rename", "renamesync", "replace", "move", "moveitem", "replaceitem", "renamefile", "mv", "persist"];
/// What the name of a file has that is only on its way, in lower case.
const ON_ITS_WAY: &[&str] = &["tmp", "temp", ".part", "partial", ".new", ".swp", "staging"];
/// Words of calls that write, in lower case.
const WRITING: &[&str] = &["write", "dump", "save", "put", "copy", "store"];

/// The first file that is written in its place now.
pub(super) fn written_in_place(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let puts = |code: &str| called_in(code).iter().any(|name| PUTTING.contains(&unparted(name).as_str()));
    let writes = |code: &str| {
        called_in(code).iter().any(|name| WRITING.iter().any(|word| unparted(name).contains(word)))
    };
    let is_beside = |line: &CodeLine| {
        let lower = line.text.to_lowercase();
        ON_ITS_WAY.iter().any(|word| lower.contains(word))
    };
    revision.hunks().iter().filter(|it| it.gone.len() <= 8 && it.come.len() <= 3).find_map(|hunk| {
        let code = |line: &CodeLine| plain(revision.words, line.text);
        let line = hunk.gone.iter().find(|it| puts(&code(it)) && is_beside(it))?;
        let was_written = hunk.gone.iter().any(|it| writes(&code(it)) && is_beside(it));
        let is_written = hunk.come.iter().any(|it| writes(&code(it))) && !hunk.come.iter().any(is_beside);
        let name = revision.old_function_at(line.at).map_or("", |it| it.name);
        let is_lost = was_written && is_written && !hunk.come.iter().any(|it| puts(&code(it)));
        let is_missed = || !has_tests_of(case, name) && !is_part_of_more(case, revision);
        (is_lost && is_missed()).then(|| {
            let what =
                format!("`{}` would be gone: the file would be written in its place", short(line.text));
            LostCheck::of_line(line, name, what, Severity::High)
        })
    })
}
