//! Catch-all arms that refuse and go where the choice is made by a value that a failing conversion gave:
//! `match (Kind::from($kind))` with an arm for each kind.

use crate::detectors::engine::code_lines::closing;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::proven_arms::is_catch_all;
use crate::languages::code::{bare, falls_back, refuses};

/// How files end, and their calls that make an element of an enumeration and fail where there is none.
const FAILING: &[(&[&str], &[&str])] = &[
    (&[".php"], &["::from("]),
    (&[".java"], &[".valueOf("]),
    (&[".kt", ".kts"], &[".valueOf(", ".entries.first{", "enumValueOf("]),
    (&[".scala"], &[".valueOf(", ".withName("]),
    (&[".cs"], &["Enum.Parse("]),
    (&[".dart"], &[".byName("]),
    (&[".rs"], &["::try_from(", "::from_str("]),
];
/// Words that begin a choice.
const CHOOSING: &[&str] = &["match", "when", "switch"];

/// Whether all that a place refused was what is left of a choice, and what the choice is about is converted now.
pub(super) fn is_converted(revision: &Revision, hunk: &TextHunk) -> bool {
    let path = &revision.change.path;
    let known = FAILING.iter().find(|(ends, _)| ends.iter().any(|end| path.ends_with(end)));
    let Some((_, calls)) = known else { return false };
    let refusals: Vec<&CodeLine> = hunk.gone.iter().filter(|it| refuses(revision.words, it.text)).collect();
    let [refusal] = refusals[..] else { return false };
    let chooses = |line: &&CodeLine| CHOOSING.iter().any(|word| bare(line.text).contains(word));
    let is_same_choice = |come: &CodeLine, call: &str| {
        let text = bare(come.text);
        let subject = text.split_once(call).and_then(|(_, rest)| rest.get(..closing(rest)?));
        // In Rust the failure has to come up.
        let is_strict =
            !falls_back(revision.words, come.text) && (!path.ends_with(".rs") || text.contains(")?"));
        is_strict
            && subject.is_some_and(|it| {
                let own = it.trim_end_matches([',', ')']);
                !own.is_empty() && hunk.gone.iter().filter(chooses).any(|gone| bare(gone.text).contains(own))
            })
    };
    is_catch_all(refusal)
        && hunk.come.iter().filter(chooses).any(|come| calls.iter().any(|call| is_same_choice(come, call)))
}
