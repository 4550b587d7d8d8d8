//! Fixed answers for one fixed input.
//!
//! Only a branch of a function that was there before counts; a condition that was there before does not.

use super::check_words::short;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::counted_answers::counted_answer;
use crate::detectors::product::filled_texts::filled_in;
use crate::detectors::product::functions::is_told;
use crate::detectors::product::giveaways::gives_away;
use crate::detectors::product::hardcoded_bypass::{finding, is_new};
use crate::detectors::product::literal_answers::given;
use crate::detectors::product::literal_arms::literal_arms;
use crate::detectors::product::literals::value_of;
use crate::detectors::product::lookups::looked_up;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::run_marks::has_run;
use crate::detectors::product::sample_values::is_for_sample;
use crate::detectors::product::shell_stubs::answered_by_table;
use crate::detectors::product::single_answers::single_answer;
use crate::detectors::product::sized_answers::sized_answer;
use crate::detectors::product::written_results::written_result;
use crate::detectors::{Case, Detector, Pattern, PatternProof};
use crate::languages::code::{Exit, Guard, bare};
use crate::model::finding::{Finding, RegressionType, Severity};

/// Answers for single inputs.
pub(crate) static SPECIAL_CASE: Detector = Detector {
    pattern: Pattern {
        id: "LP-017",
        name: "Excessive Special Cases",
        aliases: &["Special-cased Test Input"],
        regression_type: Some(RegressionType::ValidationBypass),
        severity: Severity::High,
        what: "A function gives a fixed answer for one fixed input before it does its work.",
        why: "Answers made for the tests' inputs are wrong for all others.",
        instead: "Code that works the answer out for every input passes.",
        proof: PatternProof::Changes,
    },
    detect: special_case,
};

fn special_case(case: &Case, findings: &mut Vec<Finding>) {
    for change in case.evidence.changes {
        findings.extend(answered_by_table(change).map(|lost| lost.finding_at(&SPECIAL_CASE, &change.path)));
    }
    for revision in case.revisions().iter().filter(|revision| !revision.is_test && !revision.old.is_empty()) {
        let found = revision.after.guards.iter().find_map(|guard| {
            let old = revision.predecessor(guard.owner?)?;
            let fixed_input = compares_with_literal(guard.condition);
            let told = is_given_away(revision, guard);
            let known = revision
                .before
                .guards
                .iter()
                .any(|it| it.owner == Some(old) && compares_with_literal(it.condition));
            let is_run = is_for_sample(guard.condition) || has_run(&bare(guard.condition));
            let is_open = !is_run && !guard.negated && is_new(revision, guard.condition);
            let is_sample = fixed_input && has_sample(guard.condition);
            let is_answer =
                is_sample || fixed_input && guard.gives.is_some() && (told || (guard.first && !known));
            let is_told_apart = guard.gives.is_none_or(|it| !is_plain(it));
            let is_case =
                guard.exit == Exit::Leave && is_told_apart && compares_with_several(guard.condition);
            let is_row = is_case && operands(guard.condition).any(is_row);
            let is_one = refuses_for_one(guard);
            (is_open && (is_answer || is_case || is_one))
                .then_some((guard, told || is_sample || is_row || is_one))
        });
        if let Some((guard, told)) = found {
            let by = guard
                .gives
                .map_or("a branch of its own".to_owned(), |it| format!("the constant `{}`", bare(it)));
            let what = format!("`{}` would be answered by {by}", short(guard.condition));
            let mut found = finding(&SPECIAL_CASE, revision, guard, what);
            let function = guard.owner.and_then(|it| revision.after.functions.get(it));
            found.lost.extend(function.map(|it| it.name.to_owned()));
            let is_sure = told || single_answer(revision).is_some_and(|it| it.is_severe());
            found.severity = if is_sure { Severity::High } else { Severity::Medium };
            findings.push(found);
        } else if !is_told(findings, revision) || is_advised(findings, revision) {
            answered_otherwise(revision, findings);
        } else {
            answered_worse(revision, findings);
        }
        if revision.new_comments().any(|it| gives_away(it.text)) {
            confess(revision, findings);
        }
    }
}

/// Whether a comment near a branch says that it is made for a test.
fn is_given_away(revision: &Revision, guard: &Guard) -> bool {
    revision.after.comments.iter().any(|it| {
        let near = it.line + 2 >= guard.line && it.line <= guard.line + 2;
        near && gives_away(it.text)
    })
}

/// What says of itself that it is made for a test is no advice any more.
fn confess(revision: &Revision, findings: &mut [Finding]) {
    const MADE: &[&str] = &["LP-017", "LP-021", "LP-F001", "LP-006", "LP-018"];
    let own = |it: &&mut Finding| it.path == revision.change.path && MADE.contains(&it.pattern_id);
    findings.iter_mut().filter(own).for_each(|it| it.severity = it.severity.max(Severity::High));
}

/// An answer that is surely fixed, in the place of advice about the work that went for it.
fn answered_worse(revision: &Revision, findings: &mut Vec<Finding>) {
    let is_own = |it: &Finding| it.path == revision.change.path;
    if findings.iter().any(|it| is_own(it) && it.severity > Severity::Medium) {
        return;
    }
    let found = counted_answer(revision)
        .or_else(|| sized_answer(revision).filter(LostCheck::is_severe))
        .or_else(|| filled_in(revision))
        .or_else(|| single_answer(revision).filter(LostCheck::is_severe));
    let Some(found) = found else { return };
    findings.retain(|it| !is_own(it));
    findings.push(found.finding(&SPECIAL_CASE, revision));
}

/// Answers that are no branch of their own: a table, a size, a list.
fn answered_otherwise(revision: &Revision, findings: &mut Vec<Finding>) {
    let known = counted_answer(revision).or_else(|| looked_up(revision)).or_else(|| sized_answer(revision));
    let single = || single_answer(revision);
    let found = match known {
        Some(known) if known.is_severe() => Some(known),
        Some(known) => single().filter(LostCheck::is_severe).or(Some(known)),
        None => single()
            .or_else(|| literal_arms(revision))
            .or_else(|| written_result(revision))
            .or_else(|| filled_in(revision)),
    };
    let Some(found) = found else { return };
    // The answer is the cause of what is told of its branch.
    findings.retain(|it| it.path != revision.change.path || !is_of_branch(it));
    findings.push(found.finding(&SPECIAL_CASE, revision));
}

/// Whether all that is told of a file is advice about a branch before its checks.
fn is_advised(findings: &[Finding], revision: &Revision) -> bool {
    findings.iter().filter(|it| it.path == revision.change.path).all(is_of_branch)
}

fn is_of_branch(finding: &Finding) -> bool {
    finding.severity <= Severity::Medium && finding.what.contains("would leave the checks of")
}

/// `input === "abc"`, `42 == name`, `"abc".equals(input)`: one name against one literal that is more than empty, and
/// nothing else.
fn compares_with_literal(condition: &str) -> bool {
    let text = condition.trim();
    if let Some((left, right)) = called(text) {
        return is_one_value(left, right) || is_one_value(right, left);
    }
    let text = text.trim_start_matches('(').trim_end_matches(')');
    let Some((left, right)) = text.split_once("===").or_else(|| text.split_once("==")) else { return false };
    let (left, right) = (left.trim(), right.trim());
    is_one_value(left, right) || is_one_value(right, left)
}

/// Whether a constant is an answer that many questions have.
fn is_plain(value: &str) -> bool {
    let lower = bare(value).to_lowercase();
    matches!(
        lower.as_str(),
        "true" | "false" | "null" | "nil" | "none" | "undefined" | "0" | "[]" | "{}" | "\"\"" | "''"
    )
}

/// A condition without the parentheses around all of it.
fn without_parentheses(condition: &str) -> &str {
    let text = condition.trim();
    let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    let mut open = 0i32;
    let stays_open = |inner: &&str| {
        inner.chars().all(|c| {
            open += i32::from(c == '(') - i32::from(c == ')');
            open >= 0
        })
    };
    inner.filter(stays_open).unwrap_or(text)
}

/// The parts of a condition that all have to hold.
fn operands(condition: &str) -> impl Iterator<Item = &str> {
    condition.split("&&").flat_map(|part| part.split(" and "))
}

/// `kind === "abc" && size === 3`, `keys(items) == ["pen", "ink"]`: one set of values and no other.
fn compares_with_several(condition: &str) -> bool {
    let condition = without_parentheses(condition);
    let parts: Vec<&str> = operands(condition).collect();
    let is_list = |part: &str| {
        let right = part.rsplit_once("==").map_or("", |(_, right)| right.trim());
        right.starts_with(['[', '{', '('])
            && right.matches(['"', '\'']).count() >= 4
            && !right.contains(" in ")
    };
    let is_small = |part: &str| {
        let right = part.rsplit_once("==").map_or("", |(_, right)| right.trim().trim_end_matches(')'));
        right.parse::<f64>().is_ok() && !part.contains(['<', '>', '%', '!'])
    };
    // `step == Duration.ofHours(1)`
    let is_made = |part: &str| {
        let right = part.rsplit_once("==").map_or("", |(_, right)| right.trim());
        !part.contains(['<', '>', '%', '!']) && given(right).is_some_and(|all| !all.is_empty())
    };
    let is_known =
        |part: &&&str| compares_with_literal(part) || is_small(part) || is_row(part) || is_made(part);
    let compared = parts.iter().filter(is_known).count();
    compared == parts.len() && compared > 1 || parts.len() == 1 && (is_list(condition) || is_row(condition))
}

/// `weights == [1, 2, 3]`: a comparison with a whole list of numbers.
fn is_row(part: &str) -> bool {
    let list = part.rsplit_once("==").map_or("", |(_, right)| right.trim().trim_end_matches(')'));
    let inner = list.strip_prefix(['[', '(', '{']).map(|it| it.trim_end_matches([']', ')', '}']));
    // `(adults, children) == (2, 4)`: both of a pair.
    let is_pair =
        part.split("==").next().is_some_and(|left| left.trim().starts_with('(') && left.contains(','));
    let least = if is_pair { 2 } else { 3 };
    inner.is_some_and(|it| {
        it.split(',').count() >= least && it.split(',').all(|one| one.trim().parse::<f64>().is_ok())
    })
}

/// Whether a branch refuses for two odd texts at once, which only a row of a test has together.
fn refuses_for_one(guard: &Guard) -> bool {
    let parts: Vec<&str> = operands(guard.condition).collect();
    let is_odd =
        |part: &&str| part.split(['"', '\'']).nth(1).is_some_and(|it| it.chars().any(|c| c.is_ascii_digit()));
    guard.exit == Exit::Error
        && parts.len() > 1
        && parts.iter().all(|part| part.contains("==") && part.contains(['"', '\'']))
        && parts.iter().any(is_odd)
}

/// Whether a condition compares with a text that only tests and examples have.
fn has_sample(condition: &str) -> bool {
    let text = condition.split(['"', '\'']).nth(1).unwrap_or_default().to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    text.len() > 4
        && words.any(|word| matches!(word, "test" | "example" | "dummy" | "sample" | "fake" | "demo" | "foo"))
}

/// Both sides of a comparison that is a call: `a.equals(b)`, `string.Equals(a, b)`, `strcmp(a, b) == 0`.
fn called(condition: &str) -> Option<(&str, &str)> {
    const METHODS: &[&str] = &[".equals(", ".Equals(", ".eql?(", ".equal?(", ".contentEquals("];
    const FUNCTIONS: &[&str] =
        &["Objects.equals(", "string.Equals(", "String.Equals(", "Object.is(", "strings.EqualFold("];
    let text = condition.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(condition);
    for name in FUNCTIONS {
        if let Some(inner) = text.strip_prefix(name).and_then(|it| it.strip_suffix(')')) {
            return inner.split_once(',').map(|(left, right)| (left.trim(), right.trim()));
        }
    }
    if let Some((inner, rest)) = text.strip_prefix("strcmp(").and_then(|it| it.split_once(')'))
        && bare(rest) == "==0"
    {
        return inner.split_once(',').map(|(left, right)| (left.trim(), right.trim()));
    }
    METHODS.iter().find_map(|name| {
        let (left, rest) = text.split_once(name)?;
        Some((left.trim(), rest.strip_suffix(')')?.trim()))
    })
}

fn is_one_value(left: &str, right: &str) -> bool {
    let is_name =
        !left.is_empty() && left.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '$'));
    let quoted = right.len() > 3 && right.starts_with(['"', '\'']) && right.ends_with(['"', '\'']);
    // `1500L`, `100m`: a number with the letter of its type.
    let digits =
        if right.starts_with(|c: char| c.is_ascii_digit()) { value_of(right) } else { right.to_owned() };
    let number = digits.parse::<f64>().is_ok_and(|value| value.abs() > 2.0);
    is_name && (quoted || number)
}
