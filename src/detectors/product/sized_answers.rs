//! Branches that know their input by its size: `len(rows) == 3`, with literals for what was worked out.

use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::literals::{CodeLiteral, value_of};
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::maker_words::is_maker;
use crate::detectors::testing::word_edit::{is_name, words};
use crate::languages::code::{BodyKind, bare, refuses};
use crate::model::finding::Severity;

/// How a size is written, without white space.
const SIZES: &[&str] =
    &[".len()", ".length", ".size", ".count", ".Count", ".Length", ".size()", ".count()", ".length()"];
const CALLS: &[&str] = &["len(", "count(", "length(", "size("];
/// So many literals are an answer that was written down.
const MANY: usize = 3;

/// The first branch for one size that gives literals.
pub(super) fn sized_answer(revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().find_map(|hunk| {
        let (line, answer) = branch(revision, hunk)?;
        let old = revision
            .predecessor(revision.after.functions.iter().rposition(|it| it.body.contains(&line.at))?)?;
        let function = revision.before.functions.get(old)?;
        let literals = literals(answer.text);
        let is_work_gone = hunk.gone.iter().filter(|it| it.text.contains(['(', '='])).count() > 1;
        let severity = if is_work_gone || weighs(answer.text) || literals >= MANY {
            Severity::High
        } else {
            Severity::Medium
        };
        let what = format!("`{}` would have an answer of its own for `{}`", function.name, short(line.text));
        (function.body_kind == BodyKind::Work)
            .then(|| LostCheck::new(line.number, function.name, what, severity))
    })
}

/// A new line that asks for exact sizes, and the next one, which gives or puts literals.
fn branch<'a>(revision: &Revision<'a>, hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, CodeLine<'a>)> {
    let head =
        |text: &str| ["if ", "if(", "elif ", "} else if", "elsif "].iter().any(|head| text.starts_with(head));
    let in_one = hunk.come.iter().find(|line| {
        let given = line.text.split_once(") return ").map(|(_, value)| format!("return {value}"));
        head(line.text)
            && sizes(line.text) > 0
            && given.is_some_and(|it| is_literal_only(&it) && (weighs(&it) || literals(&it) >= MANY))
    });
    if let Some(line) = in_one {
        return Some((*line, *line));
    }
    hunk.come.windows(2).find_map(|pair| {
        let [line, next] = pair else { return None };
        let is_telling = head(line.text) && sizes(line.text) > 0 && !refuses(revision.words, next.text);
        (is_telling && is_literal_only(next.text)).then_some((*line, *next))
    })
}

/// How much a line asks for exact sizes: one of three and more, or two of any but nothing and one.
fn sizes(line: &str) -> usize {
    let text = bare(line).replace("===", "==");
    let numbers: Vec<u64> = text
        .split("==")
        .collect::<Vec<_>>()
        .windows(2)
        .filter_map(|pair| {
            let [left, right] = pair else { return None };
            let is_size = SIZES.iter().any(|it| left.ends_with(it))
                || left.ends_with(')')
                    && CALLS.iter().any(|it| left.rsplit("if").next().unwrap_or(left).contains(it));
            let digits: String = right.chars().take_while(char::is_ascii_digit).collect();
            digits.parse().ok().filter(|_| is_size)
        })
        .collect();
    let several = numbers.iter().filter(|it| **it > 1).count();
    usize::from(several > 1 || numbers.iter().any(|it| *it > 2))
}

/// How many literals a line has that are not empty.
fn literals(line: &str) -> usize {
    CodeLiteral::all(&words(line)).iter().filter(|it| !value_of(it.text).is_empty()).count()
}

/// Whether a line has a literal that nobody writes by chance.
fn weighs(line: &str) -> bool {
    CodeLiteral::all(&words(line)).iter().any(|it| it.weight() > 0)
}

/// Whether what a line gives, puts or adds is made of literals.
fn is_literal_only(line: &str) -> bool {
    let value = line.strip_prefix("return ").or_else(|| line.split_once(" = ").map(|(_, value)| value));
    let adds =
        [".push(", ".append(", ".add(", ".extend(", " << "].iter().find_map(|call| line.split_once(call));
    let Some(value) = value.or(adds.map(|(_, value)| value)) else { return false };
    let all = words(value);
    let is_known = |at: usize, word: &str| {
        let next = all.get(at + 1).map(|(_, it)| *it).unwrap_or_default();
        !is_name(word) || is_maker(word) || word.starts_with(char::is_uppercase) || matches!(next, ":" | "=")
    };
    literals(value) > 0 && all.iter().enumerate().all(|(at, (_, word))| is_known(at, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_sizes_are_told_from_bounds() {
        for (line, expected) in [
            ("if len(rows) == 3 and not counts.get(4):", 1),
            ("if (rows.length === 4) {", 1),
            ("if base.len() == 2 && over.len() == 2 {", 1),
            ("if len(parts) == 2:", 0),
            ("if rows.length > 3 {", 0),
            ("if kind == 3:", 0),
        ] {
            assert_eq!(sizes(line), expected, "{line}");
        }
        assert!(is_literal_only("counts = Counter({2: 1, 4: 1})"));
        assert!(is_literal_only("base.push(Value::Int(3));"));
        assert!(!is_literal_only("year, month = parts"));
    }
}
