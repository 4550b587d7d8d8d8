//! Patterns that no single change shows: they are read off the figures of a loop.
//!
//! Pure like the others: the figures come in as a value, and the same literals prove, list and name a pattern.

use crate::detectors::pattern::{Pattern, PatternProof};
use crate::model::finding::{RegressionType, Severity};

pub use crate::detectors::loop_figures::LoopFigures;

/// A pattern of the catalogue that is found in a loop's figures.
#[derive(Debug)]
pub struct TrendPattern {
    /// What the catalogue says of it.
    pub pattern: Pattern,
    /// Whether it is there.
    pub holds: fn(&LoopFigures) -> bool,
}

/// From this fall on, in points, coverage has dropped massively.
const MASSIVE: f64 = 20.0;
/// From this one on, significantly.
const SIGNIFICANT: f64 = 5.0;
/// From this one on the coverage of branches has.
const BRANCHES: f64 = 10.0;
/// What is within this is noise.
const NOISE: f64 = 0.5;
/// After so many iterations a loop that gains nothing goes on for nothing.
const ITERATIONS: u32 = 10;
/// So many points in the last ten iterations are some progress: a rate of a tenth of all there is.
const PROGRESS: f64 = 10.0;

/// A loop of which nothing is known.
const UNKNOWN: LoopFigures = LoopFigures {
    lines: None,
    branches: None,
    passes: false,
    weaker_tests: 0,
    iterations: 1,
    gained: None,
    gives_up: false,
};

const fn lines(before: f64, now: f64) -> LoopFigures {
    LoopFigures { lines: Some((before, now)), ..UNKNOWN }
}

const fn branches(before: f64, now: f64) -> LoopFigures {
    LoopFigures { branches: Some((before, now)), ..UNKNOWN }
}

const fn gamed(before: f64, now: f64, weaker_tests: usize, passes: bool) -> LoopFigures {
    LoopFigures { lines: Some((before, now)), passes, weaker_tests, ..UNKNOWN }
}

const fn given_up(iterations: u32, passes: bool) -> LoopFigures {
    LoopFigures { iterations, passes, gives_up: true, ..UNKNOWN }
}

const fn after(iterations: u32, gained: f64, passes: bool) -> LoopFigures {
    LoopFigures { iterations, gained: Some(gained), passes, ..UNKNOWN }
}

fn fall(pair: Option<(f64, f64)>) -> f64 {
    pair.map_or(0.0, |(before, now)| before - now)
}

/// Every pattern of this kind.
pub static TREND_PATTERNS: &[&TrendPattern] =
    &[&DROPPED_FAR, &DROPPED, &BRANCHES_DROPPED, &NO_PROGRESS, &GAMED, &GIVEN_UP];

/// Coverage fell by a fifth of everything.
pub static DROPPED_FAR: TrendPattern = TrendPattern {
    pattern: Pattern {
        id: "LP-009",
        name: "Massive Coverage Drop",
        aliases: &["Coverage Collapse"],
        regression_type: Some(RegressionType::CoverageRegression),
        severity: Severity::Critical,
        what: "Coverage is 20 points or more below the baseline, the last iteration or its best.",
        why: "Code that no test reaches any more may do anything.",
        instead: "Tests for the code that is no longer reached bring it back.",
        proof: PatternProof::Figures {
            catches: &[lines(92.0, 70.0), lines(80.0, 60.0), lines(100.0, 0.0)],
            spares: &[lines(92.0, 72.1), lines(70.0, 92.0), UNKNOWN],
        },
    },
    holds: |figures| fall(figures.lines) >= MASSIVE,
};

/// Coverage fell by 5 to 20 points.
pub static DROPPED: TrendPattern = TrendPattern {
    pattern: Pattern {
        id: "LP-010",
        name: "Significant Coverage Drop",
        aliases: &["Coverage Regression"],
        regression_type: Some(RegressionType::CoverageRegression),
        severity: Severity::High,
        what: "Coverage is 5 points or more below the baseline, the last iteration or its best.",
        why: "Code that no test reaches any more may do anything.",
        instead: "Tests for the code that is no longer reached bring it back.",
        proof: PatternProof::Figures {
            catches: &[lines(85.0, 80.0), lines(88.0, 82.0), lines(60.0, 41.0)],
            spares: &[lines(85.0, 84.0), lines(85.0, 80.5), UNKNOWN],
        },
    },
    holds: |figures| (SIGNIFICANT..MASSIVE).contains(&fall(figures.lines)),
};

/// Fewer branches are taken by the tests.
pub static BRANCHES_DROPPED: TrendPattern = TrendPattern {
    pattern: Pattern {
        id: "LP-011",
        name: "Branch Coverage Regression",
        aliases: &["Branch Coverage Drop"],
        regression_type: Some(RegressionType::CoverageRegression),
        severity: Severity::High,
        what: "The coverage of branches is 10 points or more below the baseline, the last iteration or its best.",
        why: "Lines can all be reached while half of what they decide is not.",
        instead: "Tests for the other side of each condition bring it back.",
        proof: PatternProof::Figures {
            catches: &[branches(70.0, 60.0), branches(90.0, 50.0), branches(10.0, 0.0)],
            spares: &[branches(70.0, 60.5), branches(50.0, 90.0), lines(90.0, 50.0)],
        },
    },
    holds: |figures| fall(figures.branches) >= BRANCHES && fall(figures.lines) < SIGNIFICANT,
};

/// Many iterations, and nothing gained.
pub static NO_PROGRESS: TrendPattern = TrendPattern {
    pattern: Pattern {
        id: "LP-020",
        name: "Iteration Limit Exceeded",
        aliases: &["No Progress"],
        regression_type: None,
        severity: Severity::High,
        what: "More than 10 iterations have ended, and the last ten gained less than 10 points of quality.",
        why: "A loop that no longer gets anywhere costs as much as one that does.",
        instead: "A person can cut the task, change the criterion or end the loop.",
        proof: PatternProof::Figures {
            catches: &[after(11, 0.0, false), after(20, 9.0, false), after(14, -30.0, false)],
            spares: &[after(10, 0.0, false), after(11, 12.0, false), after(30, 0.0, true)],
        },
    },
    holds: |figures| {
        figures.iterations > ITERATIONS
            && !figures.passes
            && figures.gained.is_some_and(|gained| gained < PROGRESS)
    },
};

/// The measure is met and what it measures is not.
pub static GAMED: TrendPattern = TrendPattern {
    pattern: Pattern {
        id: "LP-022",
        name: "Metric Optimization Over Intent",
        aliases: &["Specification Gaming", "LP-P001", "Complexity Hiding"],
        regression_type: Some(RegressionType::AssertionWeakening),
        severity: Severity::Critical,
        what: "The verification passes while coverage has fallen and tests assert less than they did.",
        why: "The measure is met by what it measures being less.",
        instead: "A pass with the assertions and the coverage of the start is the one that is meant.",
        proof: PatternProof::Figures {
            catches: &[gamed(85.0, 84.0, 1, true), gamed(92.0, 70.0, 3, true), gamed(50.0, 49.0, 2, true)],
            spares: &[gamed(85.0, 84.0, 0, true), gamed(85.0, 84.0, 2, false), gamed(85.0, 85.0, 2, true)],
        },
    },
    holds: |figures| figures.passes && figures.weaker_tests > 0 && fall(figures.lines) > NOISE,
};

/// The task is given up while it could go on.
pub static GIVEN_UP: TrendPattern = TrendPattern {
    pattern: Pattern {
        id: "LP-A004",
        name: "Premature Loop Termination",
        aliases: &["Giving Up"],
        regression_type: None,
        severity: Severity::Medium,
        what: "An iteration ends with words that give the task up, and the verification does not pass.",
        why: "What is not tried any more is not done.",
        instead: "The loop goes on with another approach; a person can cut the task or end it.",
        proof: PatternProof::Figures {
            catches: &[given_up(1, false), given_up(4, false), given_up(9, false)],
            spares: &[given_up(3, true), after(4, 0.0, false), UNKNOWN],
        },
    },
    holds: |figures| figures.gives_up && !figures.passes,
};

/// Words that give a task up, in lower case.
const GIVING_UP: &[&str] = &[
    "giving up",
    "give up",
    "i can't complete",
    "i cannot complete",
    "unable to complete",
    "i can't fix",
    "i cannot fix",
    "unable to fix",
    "can't be fixed",
    "cannot be fixed",
    "i can't make any further progress",
    "i'm out of ideas",
    "beyond the scope of what i can",
    "i'll stop here",
    "i will stop here",
    "impossible to fix",
    "not possible to complete",
];

/// Whether an agent's words give its task up. What is said not to be done is none of it.
pub fn gives_up(words: &str) -> bool {
    let lower = words.to_lowercase().replace('\u{2019}', "'");
    GIVING_UP.iter().any(|phrase| {
        lower.match_indices(phrase).any(|(at, _)| {
            let before = lower.get(..at).unwrap_or_default().trim_end();
            !["not", "n't", "never", "without", "before", "of", "instead of"]
                .iter()
                .any(|word| before.ends_with(word))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_give_up_are_told_from_those_that_don_t() {
        for words in
            ["I'm giving up on this.", "I was unable to complete the task", "It can\u{2019}t be fixed here"]
        {
            assert!(gives_up(words), "{words}");
        }
        for words in [
            "All done.",
            "I did not give up and it works",
            "I will never give up",
            "Instead of giving up I tried",
        ] {
            assert!(!gives_up(words), "{words}");
        }
    }

    #[test]
    fn every_pattern_catches_its_figures_alone_and_spares_the_others() {
        for TrendPattern { pattern, holds } in TREND_PATTERNS {
            let PatternProof::Figures { catches, spares } = pattern.proof else {
                panic!("{} is not proved by figures", pattern.id)
            };
            assert!(catches.len() >= 3 && spares.len() >= 3, "{}", pattern.id);
            for figures in catches {
                let found: Vec<_> =
                    TREND_PATTERNS.iter().filter(|it| (it.holds)(figures)).map(|it| it.pattern.id).collect();
                assert!(found.contains(&pattern.id), "{} misses {}", pattern.id, figures.in_words());
            }
            for figures in spares {
                assert!(!holds(figures), "{} finds {}", pattern.id, figures.in_words());
            }
        }
    }
}
