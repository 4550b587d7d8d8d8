//! What tests are declared with, bound to something that skips: `const { skip: test } = require('./runner')`.

use crate::languages::testing::skip_condition::{when, when_not};
use crate::languages::{SkipCondition, is_test_path};
use crate::model::finding::Change;

/// What declares a test that never runs.
const SKIPPING: &[&str] = &["skip", "todo", "xit", "xtest", "xdescribe"];
/// What declares one.
const TESTS: &[&str] = &["test", "it", "describe", "context"];
/// How a line begins that binds a name.
const BINDING: &[&str] = &["const", "let", "var", "import", "from"];

/// A new line that binds a test's name to what skips.
pub(super) fn skips_by_name(change: &Change) -> Option<u32> {
    let new = change.after.as_deref().filter(|_| is_test_path(&change.path))?;
    let old = change.before.as_deref().unwrap_or_default();
    if !SKIPPING.iter().any(|word| new.contains(word)) {
        return None;
    }
    let mut binding = (1u32..).zip(new.lines()).filter(|(_, line)| binds_to_skipping(line));
    binding.find(|(_, line)| !old.lines().any(|known| known == *line)).map(|(at, _)| at)
}

fn binds_to_skipping(line: &str) -> bool {
    let parts = line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':' | '=' | '.')));
    let words: Vec<&str> = parts.filter(|it| !it.is_empty()).collect();
    let renamed = |three: &[&str]| match three {
        [old, "as", new] => SKIPPING.contains(old) && TESTS.contains(new),
        [name, "=", value] => {
            TESTS.contains(name) && value.rsplit_once('.').is_some_and(|(_, last)| SKIPPING.contains(&last))
        }
        _ => false,
    };
    let paired = |two: &[&str]| match two {
        [old, new] => old.strip_suffix(':').is_some_and(|it| SKIPPING.contains(&it)) && TESTS.contains(new),
        _ => false,
    };
    words.first().is_some_and(|it| BINDING.contains(it))
        && (words.windows(3).any(renamed) || words.windows(2).any(paired) || chooses_skipping(line))
}

/// `const testIf = cond ? test : test.skip`, where the condition holds on no machine that matters.
fn chooses_skipping(line: &str) -> bool {
    let choice = line.split_once('=').and_then(|(_, value)| {
        let (condition, rest) = value.split_once(" ? ")?;
        let (yes, no) = rest.trim_end().trim_end_matches(';').split_once(" : ")?;
        Some((condition.trim(), yes.trim(), no.trim()))
    });
    let Some((condition, yes, no)) = choice else { return false };
    let skips = |it: &str| {
        it.rsplit_once('.').is_some_and(|(base, last)| SKIPPING.contains(&last) && TESTS.contains(&base))
    };
    let seldom = |when: Option<SkipCondition>| when.is_some_and(|it| it != SkipCondition::Sometimes);
    TESTS.contains(&yes) && skips(no) && seldom(when_not(condition))
        || TESTS.contains(&no) && skips(yes) && seldom(when(condition))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_skips_under_a_tests_name_is_one() {
        for (line, expected) in [
            ("const { skip: test, expect } = require('./runner');", true),
            ("import { xit as it } from './runner';", true),
            ("const test = base.skip;", true),
            ("from unittest import skip as test", true),
            ("const { test, expect } = require('./runner');", false),
            ("const skipped = test.skip;", false),
            ("const testIf = process.env.FULL ? test : test.skip;", true),
            ("const itOn = process.platform === 'darwin' ? it : it.skip;", false),
            ("const { skip } = options;", false),
            ("test.skip('later', () => {});", false),
        ] {
            assert_eq!(binds_to_skipping(line), expected, "{line}");
        }
    }
}
