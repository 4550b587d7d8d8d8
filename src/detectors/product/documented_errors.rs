//! Errors that a function's documentation says to come up, where a value for what is missing takes their place.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::line_pairs::line_pairs;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers};
use crate::model::finding::Severity;

/// How documentation says that an error comes up, in lower case.
const SAYING: &[&str] =
    &["raises ", ":raises", "throws ", "@throws", "@raise", "- throws:", "# errors", "panics"];
/// What puts nothing in the place of what is missing, without white space.
const NOTHINGS: &[&str] =
    &["[]", "{}", "None", "null", "nil", "\"\"", "''", "0", "undefined", "emptyList()", "listOf()"];
/// Signs in front of it.
const SIGNS: &[&str] = &[" or ", " || ", " ?? ", " ?: "];

/// The first value of the kind.
pub(super) fn documented_error_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let mut pairs = line_pairs(revision.hunks());
    let (gone, come) = pairs.find(|(gone, come)| {
        let name = |line: &CodeLine| {
            identifiers(line.text.split('=').next().unwrap_or_default()).last().map(str::to_owned)
        };
        let is_same = gone.text.contains('=') && name(gone) == name(come) && name(gone).is_some();
        is_same && gives_nothing(come.text) && !gives_nothing(gone.text) && gone.text.contains('(')
    })?;
    let owner = revision.owner_at(gone.at)?;
    let function = revision.before.functions.get(owner)?;
    let new = revision.successor(owner).and_then(|new| revision.after.functions.get(new))?;
    let above: String =
        revision.new.get(..new.span.start)?.lines().rev().take(12).collect::<Vec<_>>().join("\n");
    let below: String = revision.new.get(new.span.clone())?.lines().take(12).collect::<Vec<_>>().join("\n");
    let said = documentation(&above, &below).to_lowercase();
    let is_said = SAYING.iter().any(|word| said.contains(word));
    let what = format!(
        "`{}` would take the place of the error that `{}` is said to raise",
        short(come.text),
        function.name
    );
    (is_said && !has_tests_of(case, function.name))
        .then(|| LostCheck::new(gone.number, function.name, what, Severity::High))
}

/// The comment above a function, from its last line on, and the text below its head.
fn documentation(above: &str, below: &str) -> String {
    let is_comment = |line: &&str| {
        let line = line.trim_start();
        ["/", "*", "#", "@", "--"].iter().any(|mark| line.starts_with(mark)) || line.is_empty()
    };
    let comment: Vec<&str> = above.lines().take_while(is_comment).collect();
    let text = below.split("\"\"\"").nth(1).unwrap_or_default();
    format!("{}\n{text}", comment.join("\n"))
}

/// Whether a line ends with nothing in the place of what is missing.
fn gives_nothing(line: &str) -> bool {
    SIGNS.iter().filter_map(|sign| line.rsplit_once(sign)).any(|(_, rest)| {
        let value = bare(rest);
        NOTHINGS.contains(&value.trim_end_matches([';', ',', ')']))
    })
}
