//! Inputs that stood on a bound and stand beside it now: `MAX` that became `MAX - 1`, `now.plus(TTL)` that became
//! `now.plus(TTL).plusSeconds(1)`, while all that the test expects stays.

use crate::detectors::TestComparison;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::testing::given_sides::signed;
use crate::detectors::testing::moved_inputs::is_of_surroundings;
use crate::detectors::testing::test_inputs::ChangedTestInput;
use crate::detectors::testing::test_lines::is_beside;
use crate::languages::{Assertion, Test};
use crate::model::finding::Severity;
use crate::model::words::is_name_part;

/// More lines than these are more than a step aside.
const SMALL: usize = 3;
/// Longer pieces are no step.
const LONGEST: usize = 40;
/// Methods that give a value a little more or less, in lower case.
const STEPS: &[&str] = &[
    ".plus",
    ".minus",
    ".add",
    ".sub",
    ".advanced(by:",
    ".pred",
    ".succ",
    ".next",
    ".saturating_sub(",
    ".checked_add(",
    ".checked_sub(",
    ".wrapping_add(",
];

/// The first test whose input would stand beside where it stood.
pub(super) fn shifted(comparison: &TestComparison, all: &[TextHunk]) -> Option<ChangedTestInput> {
    let kept = comparison.kept().filter(|(before, after)| !before.suite && expects_the_same(before, after));
    kept.into_iter().find_map(|(before, _)| {
        let here = |line: &&CodeLine| before.span.contains(&line.at);
        let own: Vec<&TextHunk> =
            all.iter().filter(|it| it.gone.first().is_some_and(|it| here(&it))).collect();
        let is_even = own.iter().all(|it| it.gone.len() == it.come.len());
        let lines: usize = own.iter().map(|it| it.gone.len()).sum();
        if !is_even || lines == 0 || lines > SMALL {
            return None;
        }
        let mut pairs = own.iter().flat_map(|it| it.gone.iter().zip(&it.come));
        let (was, is) = pairs.find(|(was, is)| is_step(was.text, is.text))?;
        Some(ChangedTestInput {
            what: format!(
                "`{}` would become `{}`, beside where the input stood, and what `{}` expects stays",
                was.text, is.text, before.title
            ),
            line: was.number,
            severity: Severity::High,
            lost: vec![before.name.clone()],
        })
    })
}

/// Whether a test asserts something, and expects what it expected of whatever it asks.
pub(super) fn expects_the_same(before: &Test, after: &Test) -> bool {
    let expected = |test: &Test| -> Vec<(String, String, bool)> {
        let of = |it: &Assertion| (it.claim.matcher.clone(), it.claim.expected.clone(), it.swallowed);
        test.assertions.iter().map(of).collect()
    };
    before.name == after.name
        && before.skipped == after.skipped
        && before.assertions.iter().any(|it| !it.trivial)
        && expected(before) == expected(after)
}

/// Whether two lines are the same but for a step that one of them takes behind a value.
fn is_step(was: &str, is: &str) -> bool {
    let (less, more) = if was.len() < is.len() { (was, is) } else { (is, was) };
    let Some(step) = more.len().checked_sub(less.len()).filter(|it| (1..=LONGEST).contains(it)) else {
        return false;
    };
    let same = less.bytes().zip(more.bytes()).take_while(|(a, b)| a == b).count();
    // The same piece may be read from several places on: `now.plus(a)` and `now.plus(a).plus(b)`.
    let is_piece = |from: usize| {
        let (head, rest) = (more.get(..from)?, more.get(from + step..)?);
        let piece = more.get(from..from + step)?;
        let stands = less.get(..from) == Some(head) && less.get(from..) == Some(rest);
        // `2 * time.Hour` for `time.Hour`.
        let is_factor = piece.trim_end().ends_with('*')
            && piece.trim().trim_end_matches('*').trim().parse::<u32>().is_ok()
            && head.trim_end().ends_with(['(', ',', '=', '+', '-', '[']);
        if stands && is_factor && rest.starts_with(char::is_alphabetic) {
            return Some(true);
        }
        let behind_value = head.trim_end().ends_with(|c: char| is_name_part(c) || matches!(c, ')' | ']'));
        let is_end = !rest.starts_with(is_name_part);
        let at = signed(more).iter().position(|(at, word)| at + word.len() > from)?;
        let is_free = !is_beside(more) && !is_of_surroundings(more, at);
        Some(stands && behind_value && is_end && takes_step(piece) && is_free)
    };
    (same.saturating_sub(step)..=same).any(|from| is_piece(from) == Some(true))
}

/// ` + 1`, ` - Duration::from_millis(1)`, `.plusSeconds(1)`.
fn takes_step(piece: &str) -> bool {
    let bare = piece.trim();
    let lower = bare.to_lowercase();
    let is_method = STEPS.iter().any(|it| lower.starts_with(it));
    let times = bare.strip_prefix(['*', '/']).map(|it| it.trim_start().parse::<f64>().is_ok());
    if let Some(is_number) = times {
        return is_number;
    }
    let Some(rest) = bare.strip_prefix(['+', '-']) else {
        return is_method && (lower.ends_with(')') || !lower.contains('('));
    };
    let rest = rest.trim_start();
    let is_whole = rest.matches('(').count() == rest.matches(')').count();
    let is_amount = rest.starts_with(|c: char| c.is_ascii_digit())
        || ["timedelta(", "Duration", "time.", "TimeSpan.", "EPSILON", "epsilon", "f64::EPSILON"]
            .iter()
            .any(|head| rest.starts_with(head));
    is_whole && is_amount && !rest.contains([',', '"', '\'']) | rest.starts_with("timedelta(")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_behind_a_value_is_told() {
        for (was, is, expected) in [
            ("now = now.plus(TTL);", "now = now.plus(TTL).plusSeconds(1);", true),
            ("cart.add(\"tea\", MAX)", "cart.add(\"tea\", MAX - 1)", true),
            ("let body = vec![0; LIMIT + 1];", "let body = vec![0; LIMIT];", true),
            ("clock.advance(TTL)", "clock.advance(TTL + timedelta(seconds=1))", true),
            ("clock.advance(ttl)", "clock.advance(ttl - time.Millisecond)", true),
            ("sell(\"A2\", T0 + HOLD)", "sell(\"A2\", T0 + HOLD * 2)", true),
            ("{\"late\", raw, time.Hour, ErrLate},", "{\"late\", raw, 2 * time.Hour, ErrLate},", true),
            ("name = first", "name = first + last", false),
            ("cart.add(\"tea\", 3)", "cart.add(\"tea\", 3, 1)", false),
            ("wait(timeout=MAX)", "wait(timeout=MAX + 5)", false),
            ("total = price", "total = price_list", false),
        ] {
            assert_eq!(is_step(was, is), expected, "{was} -> {is}");
        }
    }
}
