//! The first line of what is stopped or lost: what a person sees of a denied call without a key.
//!
//! Of a denied call the client shows one line, about 170 characters for its shell and fewer for a tool with a long
//! name, so the line is kept to [`LONGEST`].

use crate::model::finding::Finding;

/// The longest first line, in characters.
pub const LONGEST: usize = 150;

/// What was found, as one line: `Steadfast: 2 of 3 tests would be gone: adds, is commutative (LP-001)`.
pub fn of(findings: &[Finding]) -> String {
    lined("Steadfast: ", findings)
}

/// The same of a call that has run: what would happen has happened.
pub fn after_call(findings: &[Finding]) -> String {
    lined("Steadfast, after this call: ", findings)
}

/// The same of what was lost between two turns.
pub fn between_turns(findings: &[Finding]) -> String {
    lined("Steadfast, since the last turn: ", findings)
}

fn lined(start: &str, findings: &[Finding]) -> String {
    let Some(worst) = worst(findings) else { return format!("{start}a call was stopped") };
    let more = findings.len() - 1;
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    let end = format!(" ({}{more})", worst.pattern_id);
    let room = LONGEST.saturating_sub(start.chars().count() + end.chars().count());
    let what = one_line(&worst.what);
    let named = named(&what, worst, room);
    format!("{start}{}{end}", cut(&named, room))
}

/// The first of the worst findings.
fn worst(findings: &[Finding]) -> Option<&Finding> {
    findings.iter().rev().max_by_key(|finding| finding.severity)
}

/// What happened, with as many of the lost names as there is room for, or else the file in which it happened.
fn named(what: &str, finding: &Finding, room: usize) -> String {
    let mut names: Vec<String> = finding.lost.iter().map(|name| one_line(name)).collect();
    if names.is_empty() && !matches!(finding.path.as_str(), "" | ".") {
        names.push(one_line(&finding.path));
    }
    if names.is_empty() || names.iter().all(|name| what.contains(name.as_str())) {
        return what.to_owned();
    }
    listed(what.trim_end_matches(['.', ':']), &names, room)
}

/// `WHAT: a, b, and 3 more`, with as many names as fit; `WHAT` where none does.
pub fn listed(what: &str, names: &[String], room: usize) -> String {
    let with = |count: usize| {
        let shown = names.get(..count).unwrap_or_default().join(", ");
        match names.len() - count {
            0 => format!("{what}: {shown}"),
            left => format!("{what}: {shown}, and {left} more"),
        }
    };
    let fits = |count: &usize| with(*count).chars().count() <= room;
    (1..=names.len()).rev().find(fits).map_or_else(|| what.to_owned(), with)
}

/// Text on one line, without what steers a terminal.
pub fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split(|c: char| c.is_whitespace() || c.is_control()).collect();
    words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The beginning of a text, with a mark where it goes on.
pub fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let kept: String = text.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::finding::Severity;

    fn finding(what: &str, lost: &[&str], severity: Severity) -> Finding {
        Finding {
            pattern_id: "LP-001",
            pattern_name: "Complete Test File Deletion",
            regression_type: None,
            severity,
            path: "math.test.js".into(),
            line: None,
            lost: lost.iter().map(|&name| name.to_owned()).collect(),
            what: what.to_owned(),
            mend: String::new(),
            confidence: 1.0,
            left_out: None,
        }
    }

    #[test]
    fn the_first_line_names_what_is_lost_and_stays_short() {
        let high = |what: &str, lost: &[&str]| of(&[finding(what, lost, Severity::High)]);
        assert_eq!(
            high("2 of 3 tests would be gone", &["adds negative numbers", "is commutative"]),
            "Steadfast: 2 of 3 tests would be gone: adds negative numbers, is commutative (LP-001)"
        );
        assert_eq!(high("`a` would be gone", &["a"]), "Steadfast: `a` would be gone (LP-001)");
        assert_eq!(
            high("the test file would be gone", &[]),
            "Steadfast: the test file would be gone: math.test.js (LP-001)"
        );
        assert_eq!(
            high("math.test.js would be gone", &[]),
            "Steadfast: math.test.js would be gone (LP-001)",
            "what is named is not named twice"
        );
        assert_eq!(
            high("1 test would be gone", &["a\nb\u{1b}[31m"]),
            "Steadfast: 1 test would be gone: a b [31m (LP-001)"
        );
        let many: Vec<String> = (0..40).map(|n| format!("a test with a long name {n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let long = "x".repeat(400);
        for line in [
            high("40 tests would be gone", &many),
            high(&long, &many),
            high(&long, &[]),
            high("1 test would be gone", &[&long]),
            of(&[]),
        ] {
            assert!(line.chars().count() <= LONGEST && line.lines().count() == 1, "{line}");
        }
        assert!(high("40 tests would be gone", &many).contains(", and 3"), "the rest is counted");
    }

    #[test]
    fn of_several_findings_the_worst_is_named() {
        let both = [finding("a little", &[], Severity::Medium), finding("a lot", &[], Severity::Critical)];
        assert_eq!(of(&both), "Steadfast: a lot: math.test.js (LP-001 and 1 more)");
    }
}
