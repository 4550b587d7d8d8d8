//! Arms for an error that pretend that all went well, or that drop an error which they kept: `{:error, _} -> {:ok, x}`,
//! `Err(_) => Ok(0)`, `case Left(_) => acc`.

use crate::detectors::Case;
use crate::detectors::engine::hunks::CodeLine;
use crate::detectors::engine::revision::Revision;
use crate::detectors::product::check_words::short;
use crate::detectors::product::lost_check::LostCheck;
use crate::detectors::product::refusals::has_tests_of;
use crate::languages::code::identifiers;
use crate::model::finding::Severity;

/// How an arm for an error begins, up to the error's name.
const ERRORS: &[&str] =
    &["{:error, ", "{ :error, ", "Err(", "case Left(", "Left(", "case Failure(", "Failure(", "case Invalid("];
/// How an answer begins that says that all went well.
const WELL: &[&str] = &["{:ok", ":ok", "Ok(", "Right(", "Success(", "Some("];

/// The first arm for any error that says no more that there was one.
pub(super) fn forgiven(case: &Case, revision: &Revision) -> Option<LostCheck> {
    revision.hunks().iter().find_map(|hunk| {
        let line = hunk.come.iter().find(|line| {
            let is_else = hunk.come.iter().any(|it| it.text == "else" && it.at < line.at);
            let Some((head, answer)) =
                arm(line.text).filter(|(head, _)| is_of_any(head) || is_else && is_rest(head))
            else {
                return false;
            };
            let is_new = !hunk.gone.iter().any(|gone| arm(gone.text).is_some_and(|(_, it)| it == answer));
            let was =
                hunk.gone.iter().find_map(|gone| named(gone).filter(|(kind, ..)| head.starts_with(*kind)));
            let keeps = was.is_some_and(|(_, name, answer)| identifiers(answer).any(|word| word == name));
            is_new
                && (WELL.iter().any(|it| answer.starts_with(it)) && (keeps || hunk.gone.is_empty())
                    || keeps && !answer.is_empty())
        })?;
        let new = revision.after.functions.iter().rposition(|it| it.span.contains(&line.at))?;
        let old = revision.predecessor(new)?;
        let name = revision.before.functions.get(old)?.name;
        let what = format!("by `{}` nobody would hear of an error that came up before", short(line.text));
        (!has_tests_of(case, name)).then(|| LostCheck::new(line.number, name, what, Severity::High))
    })
}

/// The head of an arm and its answer.
fn arm(line: &str) -> Option<(&str, &str)> {
    let (head, answer) = line.split_once(" -> ").or_else(|| line.split_once(" => "))?;
    Some((head.trim(), answer.trim().trim_end_matches(',')))
}

/// Whether the head of an arm takes every error and gives it no name: `{:error, _reason}`, `Err(_)`.
fn is_of_any(head: &str) -> bool {
    let rest = ERRORS.iter().find_map(|it| head.strip_prefix(it));
    rest.is_some_and(|it| {
        it.starts_with('_')
            && it.trim_end_matches([')', '}']).chars().all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// Whether the head of an arm takes whatever else comes, as the `else` of Elixir's `with` may.
fn is_rest(head: &str) -> bool {
    head.starts_with('_') && head.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// How an arm for an error begins that gives it a name, the name, and what it answers.
fn named<'a>(line: &CodeLine<'a>) -> Option<(&'static str, &'a str, &'a str)> {
    let (head, answer) = arm(line.text)?;
    let (kind, rest) = ERRORS.iter().find_map(|it| Some((*it, head.strip_prefix(it)?)))?;
    let name = rest.trim_end_matches([')', '}']);
    let is_name =
        name.starts_with(char::is_lowercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then_some((kind, name, answer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_for_any_error_are_known() {
        for (head, expected) in [
            ("{:error, _}", true),
            ("{:error, _reason}", true),
            ("Err(_)", true),
            ("case Left(_)", true),
            ("{:error, :not_found}", false),
            ("Err(Bad::Late)", false),
            ("{:error, reason}", false),
        ] {
            assert_eq!(is_of_any(head), expected, "{head}");
        }
    }
}
