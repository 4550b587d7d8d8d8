//! Tests that end early unless a variable of the environment is set that a person has to set, or on every server: by a
//! plain `return`, or a skip that no reader of the language tells.

use crate::detectors::TestComparison;
use crate::detectors::testing::assertion_weakening::real;
use crate::detectors::testing::early_exits::leaving;
use crate::detectors::testing::word_edit::line_at;
use crate::languages::testing::environment_variables::names_own_variable;
use crate::languages::testing::skip_condition::{when, when_not};
use crate::languages::{SkipCondition, Test};

/// A test that a new condition ends, the line, and the words for it.
pub(super) struct EarlyExit<'t> {
    pub(super) test: &'t Test,
    pub(super) line: u32,
    pub(super) condition: String,
}

/// The first test that ends early where nobody asks for it.
pub(super) fn left_by_variable<'c>(comparison: &'c TestComparison) -> Option<EarlyExit<'c>> {
    let (old, new) = (comparison.change.before.as_deref(), comparison.change.after.as_deref());
    let runs = |test: &Test| test.skipped.as_ref().is_none_or(|skip| !skip.when.stops());
    let told = |test: &Test| test.skipped.as_ref().is_some_and(|it| it.when != SkipCondition::Sometimes);
    comparison
        .kept()
        .filter(|(before, after)| !before.suite && real(before) > 0 && runs(before) && !told(after))
        .find_map(|(before, after)| {
            let (line, condition) = exit(before.text_in(old), after.text_in(new))?;
            let (first, _) = line_at(new.unwrap_or_default(), after.span.start);
            Some(EarlyExit { test: before, line: first.saturating_add(line), condition })
        })
}

/// The new line of a test that ends it without being asked, counted from its first, and the condition.
fn exit(old: &str, new: &str) -> Option<(u32, String)> {
    let is_known = |line: &str| old.lines().any(|it| it.trim() == line.trim());
    // What is only said stands between a condition and the end.
    let is_said = |line: &str| {
        ["print", "log", "console.", "puts ", "echo ", "warn"].iter().any(|it| line.contains(it))
    };
    let next = |number: u32| {
        let mut below = new.lines().skip(usize::try_from(number).unwrap_or(0) + 1);
        below.find(|line| !is_said(line)).unwrap_or_default()
    };
    (0u32..).zip(new.lines()).filter(|(_, line)| !is_known(line)).find_map(|(number, line)| {
        let (condition, _) = leaving(line, next(number))?;
        let condition = closed(&condition);
        let is_demand = is_demand(line);
        let holds = if is_demand { when_not(&condition) } else { when(&condition) };
        let is_asked = matches!(holds, Some(SkipCondition::ByDefault | SkipCondition::InCi))
            || is_demand && names_own_variable(&condition);
        is_asked.then_some((number, condition))
    })
}

/// Whether a line leaves the test unless its condition holds.
fn is_demand(line: &str) -> bool {
    const DEMANDS: &[&str] =
        &["assumeTrue(", "assume(", "Assume.That(", "assumeThat(", "XCTSkipUnless(", "Skip.IfNot("];
    let bare = line.trim_start();
    ["guard ", "unless "].iter().any(|head| bare.starts_with(head))
        || bare.contains(" unless ")
        || DEMANDS.iter().any(|call| bare.contains(call))
}

/// A condition without what is said of it, and with its brackets closed.
fn closed(condition: &str) -> String {
    let text = condition.split(", \"").next().unwrap_or(condition);
    let text = text.trim().trim_end_matches(" else").trim();
    let missing = text.matches('(').count().saturating_sub(text.matches(')').count());
    match text.strip_prefix('(').filter(|_| missing > 0) {
        Some(rest) => rest.to_owned(),
        None => format!("{text}{}", ")".repeat(missing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_asked_for_ends_a_test() {
        for (line, is_told) in [
            ("if std::env::var(\"SLOW\").is_err() {\n    return;\n}", true),
            ("if (System.getenv(\"SLOW\") == null) return", true),
            ("guard ProcessInfo.processInfo.environment[\"SLOW\"] != nil else { return }", true),
            ("if (!std::getenv(\"SLOW\")) GTEST_SKIP();", true),
            ("if (Environment.GetEnvironmentVariable(\"SLOW\") is null) return;", true),
            ("assumeThat(System.getProperty(\"loans.slow\")).isEqualTo(\"on\");", true),
            ("if std::env::var_os(\"SLOW\").is_none() {\n    eprintln!(\"skipped\");\n    return;\n}", true),
            ("assume(sys.env.contains(\"SLOW\"))", true),
            ("if os.Getenv(\"CI\") != \"\" {\n    return\n}", true),
            ("if (System.getenv(\"DISPLAY\") == null) return", false),
            ("if (System.getenv(\"FAST\") != null) return", false),
            ("if rows.is_empty() {\n    return;\n}", false),
            ("if cfg!(windows) {\n    return;\n}", false),
        ] {
            let new = format!("fn adds() {{\n{line}\n}}");
            assert_eq!(exit("fn adds() {\n}", &new).is_some(), is_told, "{line}");
        }
    }
}
