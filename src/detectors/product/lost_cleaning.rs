//! Texts that were brought into one form, and go on as they came while others of the file are compared in that form.

use crate::detectors::Case;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{BodyKind, bare};
use crate::model::finding::Severity;

/// How languages write a text in one case, without white space.
const CASES: &[&str] = &[
    ".downcase",
    ".lower()",
    ".toLowerCase()",
    ".to_lowercase()",
    ".to_ascii_lowercase()",
    ".casefold()",
    ".lowercase()",
    "lowercased()",
    "strings.ToLower(",
    "String.downcase(",
    "strtolower(",
    "mb_strtolower(",
    ".ToLowerInvariant()",
    ".ToLower()",
    ":downcase",
    ".upper()",
    ".toUpperCase()",
    ".upcase",
    "strings.ToUpper(",
    ".ToUpperInvariant()",
    "strtoupper(",
];

/// The first text that is kept or compared as it came, where its case counted for nothing.
pub(super) fn uncleaned(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let cased = |text: &str| {
        let text = bare(text);
        CASES.iter().find(|call| text.contains(**call))
    };
    revision.hunks().iter().filter(|it| it.gone.len() == it.come.len()).find_map(|hunk| {
        let (gone, call) = hunk.gone.iter().zip(&hunk.come).find_map(|(gone, come)| {
            let call = cased(gone.text)?;
            let is_kept = cased(come.text).is_some();
            (!is_kept && come.text.len() <= gone.text.len() + 4).then_some((gone, call))
        })?;
        let old = revision.owner_at(gone.at)?;
        let works = revision.after.functions.get(revision.successor(old)?)?.body_kind == BodyKind::Work;
        let name = revision.before.functions.get(old)?.name;
        // The other side is brought into the form still.
        let is_elsewhere = || cased(revision.new).is_some();
        (works && is_elsewhere() && revision.added.is_empty() && !has_tests_of(case, name)).then(|| {
            let what = format!(
                "`{}` would go on without `{}`, which others of the file have",
                short(gone.text),
                call.trim_matches(['.', '(', ':'])
            );
            LostCheck::new(gone.number, name, what, Severity::Medium)
        })
    })
}
