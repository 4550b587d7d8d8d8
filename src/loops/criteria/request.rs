//! A request in one sentence, parted into task and criterion: "Fix tests until npm test passes".
//!
//! "until" always parts. Weaker words part only when what follows is a criterion, because tasks hold them too.

use crate::loops::criteria;
use crate::loops::criteria::words;
use crate::loops::criteria::words::CriterionWord;
use crate::loops::project_facts::ProjectFacts;

/// Words that part a request, and whether they do so whatever follows.
const PARTERS: &[(&[&str], bool)] = &[
    (&["until"], true),
    (&["till"], true),
    (&["--completion"], true),
    (&["done", "when"], true),
    (&["completion:"], true),
    (&["criteria:"], true),
    (&["such", "that"], false),
    (&["so", "that"], false),
    (&["so"], false),
    (&["when"], false),
    (&["and", "verify", "that"], false),
    (&["and", "make", "sure"], false),
];

/// Words that say to repeat, and are no part of the task when they end it.
const REPEATING: &[&str] =
    &["done", "keep", "trying", "repeat", "loop", "iterating", "and", "retry", "it's", "it", "is"];

/// Parts a request into the task and the criterion's text. Without a criterion the whole text is the task.
pub fn split_request(text: &str) -> (String, Option<String>) {
    let text = text.trim();
    let Some(words) = words::cut(text) else { return (text.to_owned(), None) };
    if let Some(split) = leading(text, &words) {
        return split;
    }
    // The last parter counts: "wait until the server is up, then fix it until npm test passes".
    for at in (1..words.len()).rev() {
        for (parter, always) in PARTERS {
            let Some(behind) = words.get(at + parter.len()..).filter(|behind| !behind.is_empty()) else {
                continue;
            };
            let here = words.get(at..at + parter.len()).unwrap_or_default();
            if !here.iter().zip(parter.iter()).all(|(word, expected)| word.is(expected)) {
                continue;
            }
            let criterion = criterion_of(text, behind);
            if *always || criteria::parse(&criterion, &ProjectFacts::default()).is_ok() {
                return (task_of(text, &words[..at]), Some(criterion));
            }
        }
    }
    (text.to_owned(), None)
}

/// "Until npm test passes, fix the tests", and "Keep going until npm test passes: fix the tests".
fn leading(text: &str, words: &[CriterionWord]) -> Option<(String, Option<String>)> {
    let at = words.iter().take(4).position(|word| word.is("until"))?;
    let lead_is_empty = words[..at].iter().all(|word| word.is_any(REPEATING) || word.is("going"));
    if !lead_is_empty {
        return None;
    }
    let first = words.get(at + 1)?.span.start;
    for comma in words.iter().skip(at + 1) {
        let raw = text.get(comma.span.clone())?;
        if !raw.ends_with([',', ':']) {
            continue;
        }
        let criterion = text.get(first..comma.span.end - 1)?.trim();
        let task = text.get(comma.span.end..)?.trim();
        if !task.is_empty() && criteria::parse(criterion, &ProjectFacts::default()).is_ok() {
            return Some((task.to_owned(), Some(criterion.to_owned())));
        }
    }
    None
}

fn criterion_of(text: &str, words: &[CriterionWord]) -> String {
    let Some((first, last)) = words.first().zip(words.last()) else { return String::new() };
    if let ([CriterionWord { quoted: Some(inside), .. }], Some(b'"' | b'\'')) =
        (words, text.as_bytes().get(first.span.start))
    {
        return text.get(inside.clone()).unwrap_or_default().to_owned();
    }
    text.get(first.span.start..last.span.end).unwrap_or_default().trim_end_matches(['.', '!']).to_owned()
}

fn task_of(text: &str, mut words: &[CriterionWord]) -> String {
    while let [rest @ .., last] = words
        && last.is_any(REPEATING)
        && !rest.is_empty()
    {
        words = rest;
    }
    let end = words.last().map_or(0, |word| word.span.end);
    text.get(..end).unwrap_or_default().trim_end_matches([',', ';', ':', '.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let cases: &[(&str, &str, Option<&str>)] = &[
            ("Fix tests until npm test passes", "Fix tests", Some("npm test passes")),
            (
                "Fix the tests, and keep trying until npm test passes.",
                "Fix the tests",
                Some("npm test passes"),
            ),
            ("Fix tests until the tests pass", "Fix tests", Some("the tests pass")),
            (
                "Wait until it is up and fix it until `npm test` passes",
                "Wait until it is up and fix",
                Some("`npm test` passes"),
            ),
            ("Until npm test passes, fix the tests", "fix the tests", Some("npm test passes")),
            (
                "Keep going until npm test passes: fix auth, then utils",
                "fix auth, then utils",
                Some("npm test passes"),
            ),
            ("Fix lint --completion \"npm run lint passes\"", "Fix lint", Some("npm run lint passes")),
            (
                "Migrate src to ESM; done when npx tsc --noEmit passes",
                "Migrate src to ESM",
                Some("npx tsc --noEmit passes"),
            ),
            ("Fix the parser so that cargo test passes", "Fix the parser", Some("cargo test passes")),
            ("Fix the parser so that it is faster", "Fix the parser so that it is faster", None),
            ("Show an error when the form is empty", "Show an error when the form is empty", None),
            ("Fix 'wait until' in docs", "Fix 'wait until' in docs", None),
            ("Fix all tests", "Fix all tests", None),
            ("until", "until", None),
            ("", "", None),
            ("an open ` quote until x", "an open ` quote until x", None),
        ];
        for (text, task, criterion) in cases {
            assert_eq!(split_request(text), (task.to_string(), criterion.map(str::to_owned)), "{text}");
        }
    }
}
