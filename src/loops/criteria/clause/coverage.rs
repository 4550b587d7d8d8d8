//! "Reports coverage above 80%": a clause that demands a printed coverage.

use super::{Clause, Demand};
use crate::loops::criteria::bound::{bound, percent};
use crate::loops::criteria::words::CriterionWord;

/// Words of a coverage clause after its command.
const COVERAGE_WORDS: &str = "\
    % > >= ≥ => a above at be branch code coverage equal exceeds exceed function gives greater has \
    higher hits is least line lines minimum min more must of or over overall percent prints reaches \
    reach report reports should shows statement statements stays test than the to total unit with";

/// Words of a command that are followed by a name.
const TAKES_A_NAME: &[&str] = &[
    "bun", "cargo", "deno", "dotnet", "go", "gradle", "just", "make", "mix", "mvn", "npm", "nx", "pnpm",
    "run", "swift", "tox", "yarn",
];

pub(super) fn coverage(words: &[CriterionWord]) -> Option<Clause> {
    let in_tail = |word: &CriterionWord| {
        word.is_in(COVERAGE_WORDS) || word.quoted.is_none() && percent(&word.plain).is_some()
    };
    let mut from = words.len();
    while from > 0 && in_tail(&words[from - 1]) {
        from -= 1;
    }
    // "coverage from `npm run cov` is above 80%": the command stands inside.
    if from >= 3 && words[from - 1].quoted.is_some() && words[from - 2].is_any(&["from", "of", "in", "by"]) {
        let lead = &words[..from - 2];
        if lead.iter().all(|word| in_tail(word) || word.is("reported")) {
            let (percent, bound) = bound(&words[from..])?;
            return Some(Clause { command_words: from, demand: Demand::Coverage { percent, bound } });
        }
    }
    // After such a word the next one is the command's own: `npm run coverage`, `npm test`.
    if from > 0
        && words[from - 1].is_any(TAKES_A_NAME)
        && words.get(from).is_some_and(|word| word.is_any(&["test", "coverage", "report"]))
    {
        from += 1;
    }
    let tail = words.get(from..)?;
    let names_coverage = tail.iter().chain(&words[..from]).any(|word| word.plain.contains("cov"));
    let (percent, bound) = bound(tail)?;
    names_coverage.then_some(Clause { command_words: from, demand: Demand::Coverage { percent, bound } })
}
