//! Questions that a function answers by several conditions at once, and by fewer of them now: `a && b && c` that became `a`.
//!
//! What it is asked for decides which conditions count: all that have to hold for a permission, any that is enough for a
//! refusal. A condition whose names stand in the function still is only put in another way.

use crate::detectors::Case;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::{is_named, short};
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::line_conditions::{AND, OR, operands, spelled};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::narrowed::spelled as as_written;
use crate::detectors::product::parameters::{body_code, head_of};
use crate::detectors::product::presence::asked;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::Language;
use crate::languages::code::{Function, bare, identifiers};
use crate::model::finding::Severity;

/// First words of functions that answer whether something may be, or is.
const ASKING: &[&str] = &[
    "is",
    "are",
    "has",
    "can",
    "may",
    "should",
    "valid",
    "allow",
    "allows",
    "allowed",
    "eligible",
    "permit",
    "permits",
    "accept",
    "accepts",
    "accepted",
    "matches",
    "fits",
    "passes",
    "qualifies",
    "within",
    "usable",
    "available",
    "active",
    "authorized",
    "authorised",
    "visible",
    "enabled",
    "ready",
    "supports",
    "applies",
    "redeemable",
    "refundable",
    "owns",
];
/// Heads of functions that answer with yes or no, without blanks.
const BOOLEAN: &[&str] = &["->bool", ":bool", ":boolean", ":Boolean", ":Bool", "->Bool", "::boolean()"];
/// The same in front of the name.
const BOOLEAN_TYPES: &[&str] = &["bool ", "boolean ", "Boolean ", "Bool "];
/// Words of names that say that something is not as it should be, in lower case.
const NEGATIVE: &[&str] = &[
    "invalid",
    "expire",
    "block",
    "forbid",
    "forbidden",
    "denied",
    "lock",
    "ban",
    "refus",
    "overdue",
    "suspic",
    "spam",
    "error",
    "fail",
    "missing",
    "stale",
    "empty",
    "duplicate",
    "conflict",
    "overlap",
    "reject",
    "restrict",
    "exceed",
    "limited",
    "dirty",
    "changed",
    "broken",
    "bad",
    "wrong",
    "outdated",
    "need",
    "require",
    "retry",
    "late",
    "different",
    "collid",
    "collision",
    "danger",
    "unsafe",
    "illegal",
    "corrupt",
    "tamper",
    "hidden",
    "closed",
    "cancel",
    "disabled",
];
/// Words of conditions that name nothing.
const SIGNS: &[&str] =
    &["is", "not", "in", "and", "or", "null", "None", "nil", "true", "false", "this", "self", "undefined"];

/// The first question that fewer conditions answer.
pub(super) fn asks_less(case: &Case, revision: &Revision) -> Option<LostCheck> {
    if is_part_of_more(case, revision) {
        return None;
    }
    revision.working().find_map(|(_, _, before, after)| {
        let is_same = before.name == after.name && is_question(revision, before);
        if !is_same || is_renamed(revision, before, after) || has_tests_of(case, before.name) {
            return None;
        }
        let (was, is) = (body_code(revision, revision.old, before), body_code(revision, revision.new, after));
        let lower = before.name.to_lowercase();
        let signs = if NEGATIVE.iter().any(|word| lower.contains(word)) { OR } else { AND };
        let (old, new) = (answer(revision, &was, before)?, answer(revision, &is, after)?);
        let (lost, severity) = lost(revision, (&old, &new), &is, signs)?;
        let bare = lost.replace('\u{1}', "");
        let what = format!(
            "`{}` would not ask for `{}` any more",
            before.name,
            short(as_written(revision.old, &bare).unwrap_or(&bare))
        );
        Some(LostCheck::new(before.line, before.name, what, severity))
    })
}

/// The condition that is gone from an answer, where nothing of it is left in the function.
fn lost(
    revision: &Revision,
    (old, new): (&str, &str),
    body: &str,
    signs: &[&str],
) -> Option<(String, Severity)> {
    let (was, is) = (operands(old, signs), operands(new, signs));
    if was.len() < 2 || is.len() >= was.len() {
        return None;
    }
    let rest = bare(body);
    let names = |text: &str| -> Vec<String> {
        let own = identifiers(text).filter(|it| it.len() > 2 && !SIGNS.contains(it));
        own.map(str::to_owned).collect()
    };
    let is_there = |name: &String| identifiers(body).any(|it| it == name);
    let is_lost = |it: &&String| {
        let own = names(it);
        !is.contains(it) && !rest.contains(it.replace('\u{1}', "").as_str()) && !own.is_empty()
    };
    let lost: Vec<&String> = was.iter().filter(is_lost).collect();
    let is_subset = is.iter().all(|it| was.contains(it));
    let first = lost.iter().find(|it| is_subset || !names(it).iter().all(is_there))?;
    if is_subset {
        return Some(((*first).clone(), Severity::High));
    }
    // Another condition is a decision, unless it only asks whether something is there; one that calls what is new does it there.
    let is_new_call =
        names(new).iter().any(|it| new.contains(&format!("{it}(")) && !revision.old.contains(it.as_str()));
    let is_whole = lost.len() == was.len();
    (is_whole && !is_new_call).then(|| {
        let severity = if asked(new).is_some() { Severity::High } else { Severity::Medium };
        ((*first).clone(), severity)
    })
}

/// Whether a function says by its name or by its type that it answers with yes or no.
fn is_question(revision: &Revision, function: &Function) -> bool {
    let head = head_of(revision.old, function);
    let line =
        revision.old.get(..function.span.start).and_then(|it| it.rsplit('\n').next()).unwrap_or_default();
    let squeezed = bare(head);
    let tail = squeezed.rsplit(')').next().unwrap_or_default();
    let is_typed = BOOLEAN.iter().any(|it| tail.contains(it) || squeezed.ends_with(it))
        || tail.trim_end_matches('{') == "bool"
        || BOOLEAN_TYPES.iter().any(|it| format!("{line}{head}").contains(&format!("{it}{}", function.name)));
    function.name.ends_with('?') || is_typed || is_named(function.name, ASKING)
}

/// Whether the parameters have other names: the condition is about something else now.
fn is_renamed(revision: &Revision, before: &Function, after: &Function) -> bool {
    bare(head_of(revision.old, before)) != bare(head_of(revision.new, after))
}

/// The last answer of a function, spelled as conditions are.
fn answer(revision: &Revision, code: &str, function: &Function) -> Option<String> {
    let by_last_line = Language::of_path(&revision.change.path).is_some_and(Language::answers_by_last_line);
    let text = match code.rfind("return ") {
        Some(at) => code.get(at + "return ".len()..)?,
        None if function.statements == 1 => code,
        None if by_last_line => {
            code.trim_end().lines().rfind(|line| line.bytes().any(|b| b.is_ascii_alphanumeric()))?
        }
        None => return None,
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let text =
        text.trim_start_matches(['{', '=', ' ']).trim_end_matches(['}', ';', ' ']).trim_end_matches(" end");
    // A choice is no list of conditions.
    let is_plain =
        !text.contains(" ? ") && !text.starts_with("if ") && !text.contains(" if ") && !text.contains(';');
    is_plain.then(|| spelled(text))
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::{Change, Severity};

    fn worst(path: &str, before: &str, after: &str) -> Option<Severity> {
        let text = |it: &str| Some(it.to_owned());
        let change = Change { path: path.to_owned(), before: text(before), after: text(after) };
        let all = judge(&Evidence { changes: &[change], elsewhere: &[] });
        all.iter().filter(|it| it.pattern_id == "LP-006").map(|it| it.severity).max()
    }

    #[test]
    fn a_question_that_asks_for_less_is_told_in_each_language() {
        let (all, one) = ("o.paid && !o.shipped && o.age < 30", "o.paid");
        let python = all.replace("&&", "and").replace('!', "not ");
        for (path, head, end, old) in [
            ("a.ts", "export function canRefund(o: Order): boolean {\n  return ", ";\n}\n", all),
            ("a.py", "def can_refund(o):\n    return ", "\n", python.as_str()),
            ("a.rs", "pub fn can_refund(o: &Order) -> bool {\n    ", "\n}\n", all),
            ("a.go", "package a\n\nfunc Refundable(o Order) bool {\n\treturn ", "\n}\n", all),
            ("A.java", "class A {\n  boolean refundable(Order o) {\n    return ", ";\n  }\n}\n", all),
            ("A.kt", "fun canRefund(o: Order): Boolean =\n    ", "\n", all),
            ("a.rb", "class A\n  def refundable?(o)\n    ", "\n  end\nend\n", all),
        ] {
            let text = |answer: &str| format!("{head}{answer}{end}");
            assert_eq!(worst(path, &text(old), &text(one)), Some(Severity::High), "{path}");
            assert_eq!(worst(path, &text(one), &text(old)), None, "{path}");
        }
    }

    #[test]
    fn a_refusal_may_ask_for_less_at_once_and_a_condition_may_move() {
        let text = |name: &str, answer: &str| {
            format!("export function {name}(o: Order): boolean {{\n  return {answer};\n}}\n")
        };
        let (both, one) = (text("isExpired", "o.used && o.old"), text("isExpired", "o.used"));
        assert_eq!(worst("a.ts", &both, &one), None, "more is expired now");
        let moved = text("canEdit", "o.mine").replace("  return", "  if (!o.open) return false;\n  return");
        assert_eq!(worst("a.ts", &text("canEdit", "o.open && o.mine"), &moved), None);
    }
}
