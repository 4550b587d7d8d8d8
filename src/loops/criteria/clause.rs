//! The end of a criterion's clause: "passes", "has no errors", "reports coverage above 80%".
//!
//! What stands before the end is the command, untouched. A clause that ends otherwise is not understood, and
//! saying so is better than running half a sentence.

use crate::loops::criteria::bound::BoundSense;
use crate::loops::criteria::words::CriterionWord;
use serde::{Deserialize, Serialize};

mod coverage;

use coverage::coverage;

/// What a command must not print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForbiddenOutput {
    /// Anything at all.
    Output,
    /// A reported error.
    Errors,
    /// A reported error or warning.
    Warnings,
}

/// What the end of a clause demands.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Demand {
    /// Exit code 0.
    Passes,
    /// Exit code 0 and silence.
    Silent(ForbiddenOutput),
    /// A printed coverage.
    Coverage { percent: f64, bound: BoundSense },
}

/// A clause: how many of its words are the command, and what is demanded of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clause {
    /// The command is the words before this index.
    pub command_words: usize,
    /// What the rest says.
    pub demand: Demand,
}

/// Ends that mean exit code 0.
const PASSING: &[&str] = &[
    "pass",
    "passes",
    "passed",
    "passes cleanly",
    "passes fully",
    "passes successfully",
    "passes completely",
    "passes again",
    "passes locally",
    "passes without failures",
    "passes with no failures",
    "passes with 0 failures",
    "succeeds",
    "succeed",
    "works",
    "work",
    "is green",
    "are green",
    "is passing",
    "are passing",
    "is successful",
    "exits 0",
    "exit 0",
    "exits with 0",
    "exits with code 0",
    "exits with exit code 0",
    "exits with status 0",
    "exits with exit status 0",
    "exits with zero",
    "exits zero",
    "exits cleanly",
    "exits successfully",
    "exit code 0",
    "exit code is 0",
    "exit code = 0",
    "exit code == 0",
    "exit status 0",
    "exit status is 0",
    "has exit code 0",
    "with exit code 0",
    "passes with exit code 0",
    "gives exit code 0",
    "returns 0",
    "returns zero",
    "returns exit code 0",
    "returns success",
    "returns with exit code 0",
    "completes successfully",
    "finishes successfully",
    "runs successfully",
    "runs cleanly",
    "builds",
    "builds successfully",
    "compiles",
    "compiles successfully",
    "runs without errors",
    "runs without error",
    "completes without errors",
    "finishes without errors",
    "passes without errors",
    "passes with no errors",
    "passes without any errors",
    "succeeds without errors",
    "succeeds with no errors",
    "exits without errors",
    "exits without error",
];

/// Words that may stand before such an end.
const MODALS: &[&str] = &["should", "must", "will", "to", "all", "both", "now", "also", "finally", "command"];

/// Verbs of printing.
const PRINTING: &str = "\
    has have prints print reports report shows show gives give finds find produces produce outputs \
    output yields returns return emits emit with without contains passes runs raises";

/// Words that mean none.
const NONE: &[&str] = &["no", "0", "zero", "any"];

/// Kinds of errors that may be named.
const KINDS: &[&str] = &[
    "type",
    "lint",
    "linter",
    "linting",
    "typescript",
    "eslint",
    "compile",
    "compiler",
    "compilation",
    "build",
    "more",
];

/// Reads the end of a clause. `None`: it has no end that is known; it may be a bare command.
pub(crate) fn read(words: &[CriterionWord]) -> Option<Clause> {
    coverage(words).or_else(|| passing(words)).or_else(|| silence(words))
}

/// Whether a word alone ends a clause; a bare command never holds one.
pub(crate) fn is_end(word: &CriterionWord) -> bool {
    word.quoted.is_none()
        && (PASSING.contains(&word.plain.as_str()) && !matches!(word.plain.as_str(), "work" | "builds")
            || word.is_any(&["prints", "reports", "shows", "exits", "returns"]))
}

fn passing(words: &[CriterionWord]) -> Option<Clause> {
    let longest = (1..=5).rev().filter(|length| *length <= words.len());
    for length in longest {
        let from = words.len() - length;
        let end = &words[from..];
        let phrase = end.iter().map(|word| word.plain.as_str()).collect::<Vec<_>>().join(" ");
        if end.iter().all(|word| word.quoted.is_none()) && PASSING.contains(&phrase.as_str()) {
            return Some(Clause { command_words: before_modals(words, from), demand: Demand::Passes });
        }
    }
    None
}

fn silence(words: &[CriterionWord]) -> Option<Clause> {
    let last = words.last().filter(|word| word.quoted.is_none())?;
    let at = words.len() - 1;
    let (silence, from) = match last.plain.as_str() {
        "nothing" if before(words, at).is_some_and(|word| word.is_in(PRINTING)) => {
            (ForbiddenOutput::Output, at)
        }
        "silent" | "empty" if before(words, at).is_some_and(|word| word.is("is")) => {
            (ForbiddenOutput::Output, at - 1)
        }
        "output" if before(words, at).is_some_and(|word| word.is_any(&["no", "empty"])) => {
            (ForbiddenOutput::Output, at - 1)
        }
        "error" | "errors" | "problems" | "issues" | "findings" | "violations" => {
            none_of(words, ForbiddenOutput::Errors)?
        }
        "warning" | "warnings" => none_of(words, ForbiddenOutput::Warnings)?,
        _ => return None,
    };
    Some(Clause { command_words: before_printing(words, from), demand: Demand::Silent(silence) })
}

fn before(words: &[CriterionWord], at: usize) -> Option<&CriterionWord> {
    at.checked_sub(1).and_then(|at| words.get(at))
}

/// "no type errors", "0 errors or warnings", "without warnings": where it begins, and what it forbids.
fn none_of(words: &[CriterionWord], last: ForbiddenOutput) -> Option<(ForbiddenOutput, usize)> {
    let mut from = words.len() - 1;
    let mut silence = last;
    if from >= 2
        && words[from - 1].is_any(&["or", "and"])
        && words[from - 2].is_any(&["error", "errors", "warning", "warnings"])
    {
        from -= 2;
        silence = ForbiddenOutput::Warnings;
    }
    while before(words, from).is_some_and(|word| word.is_any(KINDS)) {
        from -= 1;
    }
    let is_none = before(words, from).is_some_and(|word| word.is_any(NONE) || word.is("without"));
    is_none.then(|| (silence, from - 1))
}

/// Without the verb that prints. Only one word goes, or two of "passes with": `npm run report` keeps its last word.
fn before_printing(words: &[CriterionWord], mut from: usize) -> usize {
    let linked = words.get(from).is_some_and(|word| word.is("without"));
    if let Some(verb) = before(words, from)
        && verb.is_in(PRINTING)
        && (!linked || verb.is_in(ENDING))
    {
        from -= 1;
        let linking = verb.is_any(&["with", "without"]);
        if linking && before(words, from).is_some_and(|word| word.is_in(ENDING)) {
            from -= 1;
        }
    }
    before_modals(words, from)
}

/// Verbs that a "with" may follow.
const ENDING: &str = "passes runs exits succeeds completes finishes";

fn before_modals(words: &[CriterionWord], mut from: usize) -> usize {
    let plural =
        words.get(from).is_some_and(|end| end.is_any(&["pass", "succeed", "work", "are", "exit", "have"]));
    // "make all passes": a target. "npm test and npm run lint all pass": a word of the sentence.
    while from > 1 && words[from - 1].is_any(MODALS) && (plural || !words[from - 1].is("all")) {
        from -= 1;
    }
    from
}
