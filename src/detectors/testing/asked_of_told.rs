//! Methods of the object that a test makes to test it, which the test itself tells what to answer, and asks then.
//!
//! An object of another maker may be told anything: the code under test is given it.

use crate::detectors::TestComparison;
use crate::detectors::testing::test_lines::{bound, is_fake};
use crate::detectors::testing::told_methods::stubbed;
use crate::detectors::testing::word_edit::line_at;
use crate::model::words::{has_word, is_name_part};

/// Words of lines that claim something.
const CLAIMS: &[&str] = &["expect", "assert", "Assert", "should", "EXPECT", "REQUIRE", "must_"];

/// The first method that a test tells what to answer and asks then, with the line that tells it.
pub(super) fn asked_of_told(comparison: &TestComparison) -> Option<(String, u32)> {
    let (old, new) = (comparison.change.before.as_deref()?, comparison.change.after.as_deref()?);
    comparison.kept().filter(|(before, _)| !before.suite).find_map(|(before, after)| {
        let (was, is) = (before.text_in(Some(old)), after.text_in(Some(new)));
        if was == is {
            return None;
        }
        let (first, _) = line_at(new, after.span.start);
        let is_known = |line: &str| was.lines().any(|it| it.trim() == line.trim());
        (first..).zip(is.lines()).filter(|(_, line)| !is_known(line)).find_map(|(at, line)| {
            let (object, method) = stubbed(line).filter(|(_, method)| method.len() > 1)?;
            let rest = is.split_once(line)?.1;
            let is_own = is_made(is, object) || is_made(new, object);
            (is_own && is_asked(rest, object, method)).then(|| (method.to_owned(), at))
        })
    })
}

/// Whether a text makes an object by the constructor of something that is no stand-in.
fn is_made(text: &str, object: &str) -> bool {
    let name = object.trim_start_matches(['@', '$']).rsplit(['.', '>']).next().unwrap_or(object);
    if name.len() < 2 || !name.chars().all(is_name_part) {
        return false;
    }
    text.lines().filter_map(bound).any(|(to, value)| {
        let made = value.strip_prefix("new ").unwrap_or(value);
        let maker = made.split('(').next().unwrap_or_default();
        let is_class = maker.starts_with(char::is_uppercase) && maker.chars().all(is_name_part);
        let is_ruby = maker.ends_with(".new") && !maker.contains(' ');
        let is_standing_in = is_fake(value)
            || ["ouble", "Mock", "Fake", "Stub", "mock", "spy"].iter().any(|it| maker.contains(it));
        to == name && (is_class && made.contains('(') || is_ruby) && !is_standing_in
    })
}

/// Whether a claim asks a method of an object, or what a line has got from it.
fn is_asked(rest: &str, object: &str, method: &str) -> bool {
    let name = object.trim_start_matches(['@', '$']);
    let calls = |line: &str| {
        let forms = [format!("{name}.{method}"), format!("{name}->{method}"), format!("{name}?.{method}")];
        let has = |form: &String| {
            line.split_once(form.as_str())
                .is_some_and(|(_, rest)| !rest.starts_with(is_name_part) && !rest.starts_with(" ="))
        };
        forms.iter().any(has) && stubbed(line).is_none()
    };
    let is_claim = |line: &str| CLAIMS.iter().any(|word| line.contains(word));
    rest.lines().filter(|line| calls(line)).any(|line| {
        is_claim(line)
            || bound(line).is_some_and(|(to, _)| rest.lines().any(|it| is_claim(it) && has_word(it, to)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_object_of_its_own_maker_that_is_asked_counts() {
        let text = "const till = new Till(4);\nconst rates = mockRates();\n";
        assert!(is_made(text, "till"));
        assert!(!is_made(text, "rates"));
        assert!(is_made("desk = Desk.new(rows)\n", "desk"));
        assert!(!is_made("desk = FakeDesk.new(rows)\n", "desk"));
        assert!(is_asked("expect(till.total()).toBe(4);\n", "till", "total"));
        assert!(is_asked("const sum = till.total();\nexpect(sum).toBe(4);\n", "till", "total"));
        assert!(!is_asked("till.total();\nexpect(log).toBe(4);\n", "till", "total"));
        assert!(!is_asked("expect(till.totals()).toBe(4);\n", "till", "total"));
    }
}
