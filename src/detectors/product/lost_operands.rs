//! Operands that go from what a line works out by `and` and `or`, while the others stay as they are, brackets or not:
//! `!weekend && (early || late)` that became `!weekend && early`. Questions of functions stand in `lesser_predicates`.

use std::collections::BTreeSet;

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{bare, identifiers, plain, refuses};
use crate::model::finding::Severity;

/// Words in front of a condition of a branch, which other rules read.
const BRANCHES: &[&str] = &[
    "if", "elif", "elsif", "else", "unless", "while", "when", "guard", "case", "for", "assert", "require",
    "ensure",
];
/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 8;

/// The first operand that goes from what a function works out.
pub(super) fn operand_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let places = revision.hunks();
    let size: usize = places.iter().map(|it| it.gone.len() + it.come.len()).sum();
    if size > REWRITE || revision.after.broken || !revision.added.is_empty() {
        return None;
    }
    let (line, lost) = places.iter().find_map(|hunk| less(revision, hunk))?;
    let function = revision.old_function_at(line.at)?;
    revision.successor(revision.owner_at(line.at)?)?;
    if has_tests_of(case, function.name) || is_part_of_more(case, revision) {
        return None;
    }
    let what = format!("`{}` would make no difference any more", short(&lost));
    Some(LostCheck::of_line(&line, function.name, what, Severity::Medium))
}

/// The line of a place that has lost an operand, and the operand.
fn less<'a>(revision: &Revision, hunk: &TextHunk<'a>) -> Option<(CodeLine<'a>, String)> {
    hunk.gone.iter().find_map(|gone| {
        let (head, was) = parts(revision, gone)?;
        hunk.come.iter().find_map(|come| {
            let (other, is) = parts(revision, come).or_else(|| whole(revision, come))?;
            let is_part = head == other && is.len() < was.len() && is.iter().all(|it| was.contains(it));
            let beside = |name: &str| {
                let mut others = hunk.come.iter().filter(|it| it.at != come.at);
                others.any(|it| identifiers(it.text).any(|word| word == name))
            };
            let is_missed = |it: &&String| {
                !is.contains(*it)
                    && identifiers(it).any(|name| name.len() > 2)
                    && !identifiers(it).any(beside)
            };
            let lost = was.iter().find(is_missed).filter(|_| is_part)?;
            Some((*gone, lost.clone()))
        })
    })
}

/// What a line gives a value to, and the operands of that value, without white space and brackets.
fn parts(revision: &Revision, line: &CodeLine) -> Option<(String, BTreeSet<String>)> {
    whole(revision, line).filter(|(_, all)| all.len() > 1)
}

fn whole(revision: &Revision, line: &CodeLine) -> Option<(String, BTreeSet<String>)> {
    let code = plain(revision.words, line.text);
    let first = identifiers(&code).next().unwrap_or_default();
    if BRANCHES.contains(&first)
        || refuses(revision.words, line.text)
        || code.contains([';', '{', '?']) && !code.trim_end().ends_with(';')
    {
        return None;
    }
    let text = line.text.trim_end_matches(';');
    let (head, value) = match text.split_once(" = ").filter(|(head, _)| !head.contains(['(', '&', '|'])) {
        Some((head, value)) => (head, value),
        None => text.strip_prefix("return ").map_or(("", text), |value| ("return", value)),
    };
    let spelled = value.replace(" and ", "&&").replace(" or ", "||");
    let own = |part: &str| bare(part).trim_matches(['(', ')']).to_owned();
    let all = spelled.split("&&").flat_map(|part| part.split("||")).map(own).filter(|it| !it.is_empty());
    Some((bare(head), all.collect()))
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::Change;

    fn is_told(was: &str, is: &str) -> bool {
        let text = |line: &str| {
            Some(format!(
                "class Ferry {{\n  int toll(Car car) {{\n    boolean low = car.age() > 3;\n{line}    return dear ? 9 : low ? 4 : 5;\n  }}\n}}\n"
            ))
        };
        let change = Change { path: "src/Ferry.java".to_owned(), before: text(was), after: text(is) };
        !judge(&Evidence { changes: &[change], elsewhere: &[] }).is_empty()
    }

    #[test]
    fn an_operand_that_goes_alone_is_told() {
        let was = "    boolean dear = car.long_() && (car.heavy() || car.wide());\n";
        assert!(is_told(was, "    boolean dear = car.long_() && car.heavy();\n"));
        assert!(!is_told(was, "    boolean dear = car.long_() && (car.wide() || car.heavy());\n"));
        assert!(!is_told(
            was,
            "    boolean big = car.heavy() || car.wide();\n    boolean dear = car.long_() && big;\n"
        ));
    }
}
