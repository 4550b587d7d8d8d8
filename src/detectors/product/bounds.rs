//! Bounds in conditions: which way a number has moved, where all else is as it was.

use crate::model::words::is_name_part;

/// Names of the ends of all numbers, as they end.
const ENDS: &[&str] = &[
    "Infinity",
    "inf",
    "INFINITY",
    "infinity",
    "MAX_VALUE",
    "MIN_VALUE",
    "MAX_SAFE_INTEGER",
    "MIN_SAFE_INTEGER",
    "MaxValue",
    "MinValue",
    "maxsize",
    "MaxInt",
    "MaxInt64",
    "MaxFloat64",
    "MAX",
    "MIN",
    "max",
    "min",
    "PHP_INT_MAX",
    "PHP_INT_MIN",
    "INT_MAX",
    "INT_MIN",
    "greatestFiniteMagnitude",
];

/// Which way what is compared with has moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoundMove {
    /// More numbers satisfy the comparison, or lie in the range.
    Wider {
        /// Whether nearly every number does.
        endless: bool,
    },
    /// Fewer do.
    Tighter {
        /// Whether hardly any number does.
        endless: bool,
    },
}

/// A number in a condition, or a name for the end of all numbers.
#[derive(Debug, Clone, PartialEq)]
struct Number {
    value: f64,
    is_end: bool,
    from: usize,
    to: usize,
}

/// Which way the numbers of a condition have moved, all in one way and with all else unchanged. A condition is
/// without white space.
pub(super) fn moved(before: &str, after: &str) -> Option<BoundMove> {
    if let Some(strictness) = sharpened(before, after) {
        return Some(strictness);
    }
    let mut ways = ways(before, after).into_iter();
    let first = ways.next()??;
    let same = |other: Option<BoundMove>| {
        other.is_some_and(|it| std::mem::discriminant(&it) == std::mem::discriminant(&first))
    };
    ways.all(same).then_some(first)
}

/// Which way each number has moved that differs, where all else is unchanged.
fn ways(before: &str, after: &str) -> Vec<Option<BoundMove>> {
    let (old, new) = (numbers(before), numbers(after));
    if old.len() != new.len() || skeleton(before, &old) != skeleton(after, &new) {
        return Vec::new();
    }
    old.iter().zip(&new).filter(|(a, b)| a.value != b.value).map(|(a, b)| way(before, a, b)).collect()
}

/// Whether a range takes more at each end that has moved, whichever signs it is written with.
pub(super) fn widened(before: &str, after: &str) -> bool {
    let ways = ways(before, after);
    !ways.is_empty() && ways.iter().all(|it| matches!(it, Some(BoundMove::Wider { .. })))
}

/// Whether each number that differs is ten times as far away.
pub(super) fn is_ten_times(before: &str, after: &str) -> bool {
    let (old, new) = (numbers(before), numbers(after));
    let mut pairs = old.iter().zip(&new).map(|(a, b)| (a.value, b.value)).filter(|(a, b)| a != b).peekable();
    pairs.peek().is_some() && pairs.all(|(a, b)| b.abs() >= a.abs().max(1.0) * 10.0)
}

/// `<` that became `<=`, or the other way round.
fn sharpened(before: &str, after: &str) -> Option<BoundMove> {
    let loose = |text: &str| text.replace("<=", "<").replace(">=", ">");
    let signs = |text: &str| text.matches("<=").count() + text.matches(">=").count();
    if before == after || loose(before) != loose(after) {
        return None;
    }
    match signs(after).cmp(&signs(before)) {
        std::cmp::Ordering::Greater => Some(BoundMove::Wider { endless: false }),
        std::cmp::Ordering::Less => Some(BoundMove::Tighter { endless: false }),
        std::cmp::Ordering::Equal => None,
    }
}

/// Which way one number has moved, by the sign beside it.
fn way(text: &str, old: &Number, new: &Number) -> Option<BoundMove> {
    let before = without_makers(text.get(..old.from).unwrap_or_default());
    let after = text.get(old.to..).unwrap_or_default();
    // `total.compareTo(limit) > 0` compares with what stands in the call.
    let (before, after) =
        match ["compareTo(", "CompareTo(", "compare_to(", ".cmp("].iter().find(|it| before.ends_with(*it)) {
            Some(_) if after.contains(")>") => (">", ""),
            Some(_) if after.contains(")<") => ("<", ""),
            _ => (before.trim_end_matches(['=', '-', '(']), after),
        };
    let is_upper = if before.ends_with('<') || before.ends_with("..") {
        true
    } else if before.ends_with('>') || after.starts_with("..") || after.starts_with('<') {
        false
    } else if after.starts_with('>') {
        true
    } else {
        return None;
    };
    let is_wider = (new.value > old.value) == is_upper;
    let share = if old.value == 0.0 { 1.0 } else { (new.value / old.value).abs() };
    let endless = new.is_end || share >= 100.0;
    Some(if is_wider { BoundMove::Wider { endless } } else { BoundMove::Tighter { endless } })
}

/// A text in front of a number without what makes a value of the number: `newBigDecimal("`, `timedelta(days=`.
fn without_makers(text: &str) -> &str {
    const MAKERS: &[&str] = &[
        "newBigDecimal",
        "BigDecimal",
        "BigDecimal.valueOf",
        "Decimal",
        "newDecimal",
        "timedelta",
        "D",
        "BigInt",
        "Duration",
        "days",
        "hours",
        "minutes",
        "seconds",
        "BigInteger.valueOf",
        "Some",
        "Int",
        "Number",
        "weeks",
    ];
    const WHOLE: &[&str] = &["Duration.", "Duration::", "TimeSpan.From", "ChronoUnit.", "Period."];
    let mut rest = text.trim_end_matches(['"', '\'']);
    for _ in 0..3 {
        let Some(head) = rest.strip_suffix('(').or_else(|| rest.strip_suffix('=')) else { break };
        let start = head.rfind(|c: char| !(is_name_part(c) || matches!(c, '.' | ':'))).map_or(0, |at| at + 1);
        let name = head.get(start..).unwrap_or_default();
        if !MAKERS.contains(&name) && !WHOLE.iter().any(|it| name.starts_with(it)) {
            break;
        }
        rest = head.get(..start).unwrap_or_default();
    }
    rest
}

/// A condition without its numbers.
fn skeleton(text: &str, numbers: &[Number]) -> String {
    let mut out = String::new();
    let mut from = 0;
    for number in numbers {
        out.push_str(text.get(from..number.from).unwrap_or_default());
        out.push('#');
        from = number.to;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn numbers(text: &str) -> Vec<Number> {
    let (mut all, mut at) = (Vec::new(), 0);
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if !is_name_part(c) {
            at += c.len_utf8();
            continue;
        }
        let rest = text.get(at..).unwrap_or_default();
        let mut end = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
        // A point and digits go on with a number, a point or two colons and a name with a name.
        while let Some((tail, sign)) = rest.get(end..).and_then(|it| {
            it.strip_prefix("::").map(|tail| (tail, 2)).or_else(|| it.strip_prefix('.').map(|tail| (tail, 1)))
        }) {
            let more = tail.find(|c: char| !is_name_part(c)).unwrap_or(tail.len());
            if more == 0 {
                break;
            }
            end += sign + more;
        }
        let word = rest.get(..end).unwrap_or_default();
        let is_minus =
            text.get(..at).and_then(|it| it.strip_suffix('-')).is_some_and(|it| !it.ends_with(is_name_part));
        if let Some((value, is_end)) = number(word) {
            let from = if is_minus { at - 1 } else { at };
            all.push(Number { value: if is_minus { -value } else { value }, is_end, from, to: at + end });
        }
        at += end;
    }
    all
}

/// The value of a number, or of the end of all numbers.
fn number(word: &str) -> Option<(f64, bool)> {
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let digits: String = word.chars().filter(|c| *c != '_').collect();
        let digits = digits.trim_end_matches(['L', 'l', 'f', 'F', 'd', 'm', 'u', 'U']);
        // `30.days` of Ruby and Kotlin.
        let unit = digits.split_once('.').filter(|(_, it)| it.starts_with(|c: char| c.is_ascii_alphabetic()));
        let digits = unit.map_or(digits, |(number, _)| number);
        return digits.parse().ok().map(|value| (value, false));
    }
    let last = word.rsplit(['.', ':']).next().unwrap_or(word);
    let is_end = ENDS.contains(&last) && (word.contains(['.', ':']) || last.len() > 3);
    is_end.then(|| (if last.to_lowercase().contains("min") { f64::MIN } else { f64::MAX }, true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_moves_one_way_or_the_other() {
        let wider = Some(BoundMove::Wider { endless: false });
        let tighter = Some(BoundMove::Tighter { endless: false });
        let endless = Some(BoundMove::Wider { endless: true });
        let rows = [
            ("x<10", "x<20", wider),
            ("x.compareTo(newBigDecimal(\"50\"))>0", "x.compareTo(newBigDecimal(\"90\"))>0", tighter),
            ("x>Decimal('5')", "x>Decimal('50')", tighter),
            ("age<Duration.ofMinutes(5)", "age<Duration.ofMinutes(50)", wider),
            ("age>timedelta(days=3)", "age>timedelta(days=30)", tighter),
            ("age>30.days", "age>90.days", tighter),
            ("x<10", "x<5", tighter),
            ("x>10", "x>5", wider),
            ("10<x", "5<x", wider),
            ("n.size>=8", "n.size>=12", tighter),
            ("status in 200..399", "status in 100..599", wider),
            ("(120...1200).contains(s)", "(Int.min...Int.max).contains(s)", endless),
            ("x<=10", "x<10", tighter),
            ("x<10", "x<=10", wider),
            ("x<10", "x<2000", endless),
            ("x<-5", "x<-1", wider),
            ("x<limit", "x<other", None),
            ("x<10", "y<20", None),
            ("f(3)", "f(4)", None),
            ("a<1&&b>5", "a<2&&b>4", wider),
            ("a<1&&b>5", "a<2&&b>6", None),
        ];
        for (before, after, expected) in rows {
            assert_eq!(moved(before, after), expected, "{before} -> {after}");
        }
    }
}
