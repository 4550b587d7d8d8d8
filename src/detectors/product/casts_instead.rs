//! Values from outside that a schema checked, and that are only taken for a type now: `schema.parse(body)` that became
//! `body as Order`, `Order.model_validate(body)` that became `cast(Order, body)`.

use crate::detectors::Case;
use crate::detectors::engine::code_lines::closing;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::functions::is_part_of_more;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::bare;
use crate::model::finding::Severity;

/// The endings of paths, the calls that check, and what takes a value for a type without a look, without white space.
const CASTS: &[(&[&str], &[&str], &[&str])] = &[
    (
        &["ts", "tsx", "mts", "cts"],
        &[
            ".parse(",
            ".parseAsync(",
            ".validate(",
            ".validateSync(",
            ".decode(",
            ".check(",
            ".assert(",
            "parse(",
        ],
        &[")as", "asunknownas", "asany", "]as"],
    ),
    (
        &["py"],
        &[
            ".model_validate(",
            ".parse_obj(",
            ".validate_python(",
            ".load(",
            ".validate(",
            ".model_validate_json(",
        ],
        &["cast(", ".model_construct(", ".construct("],
    ),
];

/// The first value that is no longer checked.
pub(super) fn only_cast(case: &Case, revision: &Revision) -> Option<LostCheck> {
    let extension = revision.change.path.rsplit('.').next()?;
    let (_, checks, casts) = CASTS.iter().find(|(ends, ..)| ends.contains(&extension))?;
    let line = revision.hunks().iter().find_map(|hunk| {
        hunk.gone.iter().find(|gone| {
            let given = checks.iter().find_map(|call| argument(&bare(gone.text), call));
            let is_cast = |come: &CodeLine, given: &str| {
                let new = bare(come.text);
                new.contains(given)
                    && casts.iter().any(|it| new.contains(it))
                    && !checks.iter().any(|it| new.contains(it))
            };
            given.is_some_and(|given| hunk.come.iter().any(|come| is_cast(come, &given)))
        })
    })?;
    let name = revision.before.functions.get(revision.owner_at(line.at)?)?.name;
    let what = format!("`{}` would only be taken for its type, and not be checked", short(line.text));
    (!has_tests_of(case, name) && !is_part_of_more(case, revision))
        .then(|| LostCheck::new(line.number, name, what, Severity::High))
}

/// What a call in a line without white space is given, where that is more than a name of a format.
fn argument(line: &str, call: &str) -> Option<String> {
    let (head, rest) = line.split_once(call)?;
    // `JSON.parse(text)`, `Date.parse(text)` read and check nothing.
    let is_reader = ["JSON", "Date", "Number", "path", "url", "URL", "qs", "yaml", "json"]
        .iter()
        .any(|it| head.ends_with(it));
    let given = rest.get(..closing(rest)?)?;
    (!is_reader && given.len() > 2).then(|| given.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_schema_is_given_is_known() {
        assert_eq!(argument("returnorder.parse(awaitread(x));", ".parse(").as_deref(), Some("awaitread(x)"));
        assert_eq!(argument("returnJSON.parse(text);", ".parse("), None);
    }
}
