//! What the session took from the product that its tests are about. Work, checks and answers that went are no reason for
//! tests to be given or to expect something else: who breaks the code and then bends its test has a test that agrees.
//!
//! The rules about product code say what went, and only where a test is suspected are they asked.

use std::collections::BTreeSet;

use crate::detectors::engine::comparison::Case;
use crate::detectors::engine::hunks::{CodeLine, hunks};
use crate::detectors::relocation::left_of;
use crate::detectors::testing::test_lines::declared;
use crate::detectors::{Evidence, FAMILIES, is_product_change};
use crate::languages::{data_of_tests, file_name, is_test_path};
use crate::model::finding::{Change, Finding, Severity};
use crate::model::words::{has_word, is_name_part};

/// What a finding about a test says of the code that it is about.
pub(super) struct LostSubject {
    /// The file that does less, and what of it.
    pub(super) said: String,
    /// Whether the loss would be asked about by itself.
    pub(super) is_severe: bool,
}

/// What the session took from the product that the tests of a change are about: the worst of it.
pub(super) fn lost_subject(case: &Case, test: &Change) -> Option<LostSubject> {
    let text = test.before.as_deref()?;
    let losses = case.session_losses(|| losses(case));
    let is_meant = |it: &&Finding| match data_of_tests(&test.path) {
        true => shares_words(case, test, it),
        false => is_about(case, text, it),
    };
    let about = losses.iter().filter(|it| it.path != test.path && !may_be_nothing(case, it)).filter(is_meant);
    let worst = about.max_by_key(|it| it.severity)?;
    let name = worst.lost.first().filter(|it| it.len() < 40 && !it.contains(' '));
    let said = match name {
        Some(name) => format!("`{name}` of `{}`", worst.path),
        None => format!("`{}`", worst.path),
    };
    let is_severe = worst.severity >= Severity::High || is_work_lost(worst);
    Some(LostSubject { said, is_severe })
}

/// Whether work is gone with nothing in its place: by itself worth advice, beside a test that changes no chance.
fn is_work_lost(loss: &Finding) -> bool {
    const LOST: &[&str] = &[
        "would do less: nothing of it would call",
        "would not be done any more, with nothing in its place",
        "and pay no heed to it",
    ];
    LOST.iter().any(|said| loss.what.contains(said))
}

/// How types are written of which a value may be none, or an error.
const MAYBE: &[&str] = &[
    "optional<",
    "Optional<",
    "Option<",
    "Result<",
    "expected<",
    "Either[",
    "Either<",
    "Option[",
    "Optional[",
    "Maybe",
    "| null",
    "| undefined",
    "| None",
];

/// Whether the function of a loss has another type since the session began, which says that there may be no value: who
/// calls it is asked to look, and a test has to follow.
fn may_be_nothing(case: &Case, loss: &Finding) -> bool {
    let Some(name) = loss.lost.first() else { return false };
    let change = case.all_changes().find(|it| it.path == loss.path);
    let texts = change.and_then(|it| it.before.as_deref().zip(it.after.as_deref()));
    let Some(places) = texts.and_then(|(before, after)| hunks("\u{0}", before, after)) else { return false };
    let heads = |lines: &[CodeLine], says: bool| {
        lines
            .iter()
            .any(|it| has_word(it.text, name) && MAYBE.iter().any(|word| it.text.contains(word)) == says)
    };
    // Who calls what is awaited now is another caller.
    let is_awaited = |lines: &[CodeLine], says: bool| {
        const AWAITED: &[&str] =
            &["async ", "suspend ", "Promise<", "Task<", "Future<", "Deferred<", " async"];
        let own = |it: &&CodeLine| has_word(it.text, name) && it.text.contains('(');
        lines.iter().find(own).is_some_and(|it| AWAITED.iter().any(|word| it.text.contains(word)) == says)
    };
    places.iter().any(|it| {
        heads(&it.gone, false) && heads(&it.come, true)
            || is_awaited(&it.gone, false) && is_awaited(&it.come, true)
    })
}

/// What the rules about product code say of all that the session has changed in it.
fn losses(case: &Case) -> Vec<Finding> {
    let is_kept = |it: &&Change| it.before.is_some() && it.after.is_some() && is_product_change(it);
    let changes: Vec<Change> = case.all_changes().filter(is_kept).cloned().collect();
    if changes.is_empty() {
        return Vec::new();
    }
    // What the session has done to tests is no excuse for the product here.
    let others = case.evidence.elsewhere.iter().filter(|it| !is_test_path(&it.path));
    let elsewhere: Vec<Change> = others.cloned().collect();
    let changes = left_of(&changes, &elsewhere).unwrap_or(changes);
    let inner = Case::new(Evidence { changes: &changes, elsewhere: &elsewhere });
    let mut found = Vec::new();
    let product = FAMILIES.iter().filter(|it| it.file.starts_with("product/"));
    product.flat_map(|it| it.detectors).for_each(|it| (it.detect)(&inner, &mut found));
    found.retain(|it| it.severity >= Severity::Medium);
    found
}

/// Whether the lines of test data that differ have a word of the lines that the session took from the file of a loss.
fn shares_words(case: &Case, test: &Change, loss: &Finding) -> bool {
    const SHORTEST: usize = 4;
    let words = |lines: &[CodeLine]| -> BTreeSet<String> {
        let all = lines.iter().flat_map(|it| it.text.split(|c: char| !is_name_part(c)));
        let telling = |it: &&str| it.len() >= SHORTEST && it.contains(char::is_alphabetic);
        all.filter(telling).map(str::to_lowercase).collect()
    };
    let differing = |change: &Change, with_new: bool| -> Option<BTreeSet<String>> {
        let all = hunks("\u{0}", change.before.as_deref()?, change.after.as_deref()?)?;
        let gone = all.iter().flat_map(|it| words(&it.gone));
        let come = all.iter().filter(|_| with_new).flat_map(|it| words(&it.come));
        Some(gone.chain(come).collect())
    };
    let lost = case.all_changes().find(|it| it.path == loss.path).and_then(|it| differing(it, false));
    lost.zip(differing(test, true)).is_some_and(|(lost, own)| !lost.is_disjoint(&own))
}

/// Whether a text of tests names the file that a loss is in, one of its types, or the function.
fn is_about(case: &Case, test: &str, loss: &Finding) -> bool {
    let stem = file_name(&loss.path).split('.').next().unwrap_or_default();
    let is_named = |name: &str| name.len() > 2 && has_word(test, name);
    let types = || {
        let change = case.all_changes().find(|it| it.path == loss.path);
        let text = change.and_then(|it| it.before.as_deref()).unwrap_or_default();
        text.lines().filter_map(declared).any(is_named)
    };
    is_named(stem)
        || loss.lost.iter().any(|it| is_named(it.rsplit(['.', ':', '#']).next().unwrap_or(it)))
        || types()
}
