//! Functions and aliases of a text that answer in the place of a run of the tests.

use crate::runners;
use crate::shell::effects::weakened_test_runs::{is_test_run, pipelines};
use crate::shell::model::Command;

/// Whether a call that looks like a run of the tests is one of a function that only says that all is well.
pub(crate) fn answers_in_its_place(call: &Command, body: &str) -> bool {
    is_test_run(call) && only_answers(body)
}

/// What a call of such a function, or such an alias before the rest of a text, stands before.
pub(crate) fn stood_before(command: &Command, later: &[Command]) -> Option<String> {
    let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
    let name = match words.as_slice() {
        ["function", name, body] if only_answers(body) => *name,
        ["alias", definitions @ ..] if !later.is_empty() => {
            let pairs = definitions.iter().filter_map(|it| it.split_once('='));
            let mut pairs = pairs.filter(|(name, _)| runners::runs_tests(name, "", || false));
            pairs.find(|(_, body)| only_answers(body)).map(|(name, _)| name)?
        }
        _ => return None,
    };
    Some(format!("{name} is a name of this text for words that stand before the program"))
}

/// Whether a body does nothing but say that all is well.
fn only_answers(body: &str) -> bool {
    let statements = body.split([';', '\n', '{', '}']).map(str::trim).filter(|it| !it.is_empty());
    let statements: Vec<&str> = statements.collect();
    let ends_well = |it: &&str| matches!(*it, "return 0" | "return" | "true" | ":" | "exit 0");
    let says = |it: &&str| it.starts_with("echo ") || it.starts_with("printf ");
    let is_plain = |it: &&str| ends_well(it) || (says(it) && !it.contains(['$', '`', '|', '&', '>']));
    let is_claim = |it: &&str| ends_well(it) || pipelines::says_success(it);
    statements.iter().all(is_plain) && statements.iter().any(is_claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_that_only_answer_are_told_from_those_that_run() {
        for (body, expected) in [
            ("{ echo '12 passed'; return 0; }", true),
            ("{ :; }", true),
            ("{ true; }", true),
            ("{ echo 'all tests green'; }", true),
            ("{ command pytest \"$@\"; }", false),
            ("{ echo \"would run pytest $*\"; }", false),
            ("{ echo 'not here'; }", false),
            ("{ cd app && true; }", false),
            ("{ return 1; }", false),
        ] {
            assert_eq!(only_answers(body), expected, "{body}");
        }
    }
}
