//! Stages of a chain that go: a filter, a choice, an order, a removal of doubles, while what is left of the chain names
//! nothing new: `rows.filter(open).map(name)` that became `rows.map(name)`, `.find(fits)` that became `.first()`.

use crate::detectors::Case;
use crate::detectors::engine::hunks::{CodeLine, TextHunk};
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::{identifiers, plain, refuses};
use crate::model::finding::Severity;
use crate::model::words::{is_name_part, unparted};

/// More lines than these, gone and new, are a rewrite.
const REWRITE: usize = 8;
/// Stages that choose some of many, in lower case and without `_`.
const CHOOSING: &[&str] = &[
    "filter",
    "filternot",
    "reject",
    "select",
    "find",
    "findall",
    "where",
    "first",
    "firstordefault",
    "partition",
    "takewhile",
    "dropwhile",
    "skipwhile",
    "filtermap",
    "compactmap",
    "grep",
    "removeif",
    "retain",
    "withfilter",
    "firstwhere",
    "collectfirst",
    "detect",
    "findlast",
];
/// Stages that put many in order.
const ORDERING: &[&str] = &[
    "sorted",
    "sortby",
    "sortedby",
    "sortwith",
    "orderby",
    "orderbydescending",
    "thenby",
    "thenbydescending",
    "sort",
    "sortbydesc",
    "sortwithcomparator",
    "sortedwith",
    "sortedbydescending",
    "sortunstableby",
    "minby",
    "maxby",
];
/// Names of what takes a stage's place with no question of its own.
const PLAIN: &[&str] = &[
    "first",
    "head",
    "headoption",
    "last",
    "next",
    "tolist",
    "toarray",
    "collect",
    "uniq",
    "distinct",
    "firstornull",
    "firstordefault",
    "lastoption",
    "findfirst",
    "findany",
    "it",
    "x",
    "to",
    "a",
    "end",
    "return",
    "firstorfail",
];

/// The first stage that goes from a chain of a function.
pub(super) fn stage_lost(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let places: Vec<&TextHunk> =
        revision.hunks().iter().filter(|it| !it.gone.is_empty() || !it.come.is_empty()).collect();
    let [hunk] = places[..] else { return None };
    if hunk.gone.len() + hunk.come.len() > REWRITE || revision.after.broken || !revision.added.is_empty() {
        return None;
    }
    let code = |lines: &[CodeLine]| -> String {
        lines.iter().map(|it| plain(revision.words, it.text)).collect::<Vec<_>>().join(" ")
    };
    let (was, is) = (code(&hunk.gone), code(&hunk.come));
    let (stages, left) = (stages(&was), stages(&is));
    let lost = stages.iter().find(|(name, kind)| {
        let count = |all: &[(String, &[&str])]| all.iter().filter(|it| it.1 == *kind).count();
        count(&stages) > count(&left) && !left.iter().any(|it| it.0 == *name)
    })?;
    let is_known = |name: &str| {
        identifiers(&was).any(|it| it == name) || PLAIN.contains(&unparted(name).as_str()) || name.len() < 2
    };
    let is_chain = is.contains(['.', '|'])
        && hunk.come.len() <= hunk.gone.len()
        && identifiers(&is).all(is_known)
        && is.len() < was.len();
    // What is no chain of many chooses nothing: `for … in` with its own condition.
    let is_flat = !is.contains(" if ") && !was.contains("for (");
    let is_flat = is_flat && !hunk.gone.iter().any(|it| refuses(revision.words, it.text));
    let line = hunk.gone.iter().find(|it| it.text.contains(lost.0.as_str()))?;
    let function = revision.old_function_at(line.at)?;
    revision.successor(revision.owner_at(line.at)?)?;
    if !is_chain || !is_flat || has_tests_of(case, function.name) || is_part_of_more(case, revision) {
        return None;
    }
    let what = format!(
        "`{}` would do less: nothing of it would {} any more: {}",
        function.name,
        lost.0,
        short(line.text)
    );
    Some(LostCheck::of_line(line, function.name, what, Severity::Medium))
}

/// The stages of a text that are asked something, each with its kind.
fn stages(text: &str) -> Vec<(String, &'static [&'static str])> {
    let all = text.match_indices(['(', '{', '&']).filter_map(|(at, _)| {
        let head = text.get(..at)?.trim_end().trim_end_matches(['!', '?']);
        let start = head.rfind(|c: char| !is_name_part(c)).map_or(0, |at| at + 1);
        let name = head.get(start..).filter(|it| it.len() > 2)?;
        let is_stage = head.get(..start)?.ends_with(['.', '>', ' ']);
        let asks = !text.get(at + 1..)?.trim_start().starts_with(')');
        let lower = unparted(name);
        let kinds = [CHOOSING, ORDERING];
        let kind = kinds.into_iter().find(|kind| kind.contains(&lower.as_str()))?;
        let is_asked = asks && head.get(..start)?.trim_end().ends_with(['.', '>', ')', '?']);
        (is_stage && is_asked).then(|| (name.to_owned(), kind))
    });
    all.collect()
}

#[cfg(test)]
mod tests {
    use crate::detectors::{Evidence, judge};
    use crate::model::finding::Change;

    fn is_told(path: &str, text: &dyn Fn(&str) -> String, (was, is): (&str, &str)) -> bool {
        let change = Change { path: path.to_owned(), before: Some(text(was)), after: Some(text(is)) };
        !judge(&Evidence { changes: &[change], elsewhere: &[] }).is_empty()
    }

    #[test]
    fn a_stage_that_goes_is_told_in_each_language() {
        let scala = |line: &str| {
            format!(
                "object Quay {{\n  def berth(ships: Seq[Ship], draft: Int): Option[Ship] = {{\n    val near = ships.map(_.moor(draft))\n    near{line}\n  }}\n}}\n"
            )
        };
        assert!(is_told("src/Quay.scala", &scala, (".find(s => s.draft < draft)", ".headOption")));
        let ruby = |line: &str| {
            format!(
                "class Quay\n  def berths(ships, draft)\n    near = ships.map {{ |s| s.moor(draft) }}\n    near{line}.map {{ |s| s.name }}\n  end\nend\n"
            )
        };
        assert!(is_told("lib/quay.rb", &ruby, (".reject { |s| closed?(s) }", "")));
        assert!(!is_told("lib/quay.rb", &ruby, (".reject { |s| closed?(s) }", ".select { |s| open?(s) }")));
    }
}
