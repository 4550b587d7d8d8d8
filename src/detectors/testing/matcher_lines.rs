//! Tests that a matcher of one line says now: `it { is_expected.to validate_length_of(:name).is_at_most(40) }`.

use crate::detectors::TestComparison;
use crate::languages::Test;
use crate::model::words::has_word;

/// How matchers about the rules of a model begin.
const MATCHERS: &[&str] = &["validate_", "allow_value", "have_many", "belong_to", "have_one"];
/// What a test of such a rule asks by.
const ASKING: &[&str] = &["be_valid", "valid?", "errors", "be_invalid", "invalid?"];

/// Whether a new line has a matcher for the field that a lost test asks about, with the limit that the test goes beyond.
pub(super) fn is_said_by_matcher(comparison: &TestComparison, test: &Test) -> bool {
    if !comparison.change.path.ends_with(".rb") {
        return false;
    }
    let text = test.text_in(comparison.change.before.as_deref());
    let numbers = |text: &str| -> Vec<i64> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|it| it.parse().ok()).collect()
    };
    let given = numbers(text);
    let says = |line: &str| {
        let Some((head, rest)) = line.split_once("(:") else { return false };
        let field = rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let is_meant = |limit: &i64| given.iter().any(|it| it.abs_diff(*limit) <= 1);
        MATCHERS.iter().any(|it| head.contains(it))
            && field.len() > 1
            && has_word(text, field)
            && !line.contains("_not ")
            && (given.is_empty() || numbers(line).iter().any(is_meant))
            && numbers(line).iter().all(is_meant)
    };
    let places = comparison.places().unwrap_or_default();
    ASKING.iter().any(|it| text.contains(it)) && places.iter().flat_map(|it| &it.come).any(|it| says(it.text))
}
