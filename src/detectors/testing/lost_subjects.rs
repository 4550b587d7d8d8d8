//! What the session took from the product that its tests are about. Work, checks and answers that went are no reason for
//! tests to be given or to expect something else: who breaks the code and then bends its test has a test that agrees.
//!
//! The rules about product code say what went, and only where a test is suspected are they asked.

use crate::detectors::engine::comparison::Case;
use crate::detectors::relocation::left_of;
use crate::detectors::testing::test_lines::declared;
use crate::detectors::{Evidence, FAMILIES, is_product_change};
use crate::languages::{file_name, is_test_path};
use crate::model::finding::{Change, Finding, Severity};
use crate::model::words::has_word;

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
    let about = losses.iter().filter(|it| it.path != test.path && is_about(case, text, it));
    let worst = about.max_by_key(|it| it.severity)?;
    let name = worst.lost.first().filter(|it| it.len() < 40 && !it.contains(' '));
    let said = match name {
        Some(name) => format!("`{name}` of `{}`", worst.path),
        None => format!("`{}`", worst.path),
    };
    Some(LostSubject { said, is_severe: worst.severity >= Severity::High })
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
