//! ADAPT and RETRY: the strategy that follows from a diagnosis, its steps, and the words of each attempt.
//!
//! No two attempts at one incident read alike: each takes the next approach and names those that came before.

use super::diagnosis::named;

/// How many lost things an attempt names.
const NAMED: usize = 10;

/// A strategy and what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecoveryPlan {
    /// `decompose_task`, ...
    pub strategy: &'static str,
    /// Why this one.
    pub reason: &'static str,
    /// Concrete steps, in order; an attempt takes one as its approach.
    pub steps: &'static [&'static str],
}

/// The plan for a diagnosis, by its id or another word for it.
pub fn plan(diagnosis: &str) -> RecoveryPlan {
    let cause = named(diagnosis);
    PLANS.iter().find(|(id, _)| *id == cause).map_or(ESCALATE, |(_, plan)| *plan)
}

/// The plan for each cause that has one of its own.
static PLANS: &[(&str, RecoveryPlan)] = &[
    (
        "cognitive_load",
        RecoveryPlan {
            strategy: "decompose_task",
            reason: "Smaller pieces keep in view what is there",
            steps: &[
                "Put back what was lost first, and change nothing else in that step",
                "Do the task in pieces of one file each, and run the tests after each piece",
                "Write down which behaviour each lost item covered, then work on the one with the smallest reach",
            ],
        },
    ),
    (
        "task_complexity",
        RecoveryPlan {
            strategy: "simpler_approach",
            reason: "A simpler way needs no loss",
            steps: &[
                "Put back what was lost, then break the change down into steps that each keep every test running",
                "Keep the old code beside the new, and switch over in a last step",
                "Simplify: solve the smallest case that the lost items describe before the general one",
            ],
        },
    ),
    (
        "specification_ambiguity",
        RecoveryPlan {
            strategy: "request_clarification",
            reason: "It is not clear which of the two holds: the old checks or the new behaviour",
            steps: &[
                "Put back what was lost and list where it contradicts the change; the task's words decide, or the person",
                "Keep the old behaviour for what the lost items describe, and add the new one beside it",
                "State the open question in one sentence for the person, with the lost items restored",
            ],
        },
    ),
    (
        "genuine_fix",
        RecoveryPlan {
            strategy: "allow_with_documentation",
            reason: "The loss may be right, so a person should see the reason",
            steps: &[
                "Say which removed code the lost items belonged to, so that a person can accept the loss",
                "Put back what still has a subject, and name the rest with its reason",
                "Add tests for what took the removed code's place",
            ],
        },
    ),
    (
        "outside_change",
        RecoveryPlan {
            strategy: "request_clarification",
            reason: "The commit was changed outside of the agent's work, perhaps on purpose",
            steps: &[
                "Name what this commit lacks and ask whether the change of commit was meant; leave the branch as it is",
                "Bring back what the task needs from the commit of before, file by file",
                "Go on with what this commit has, and say which lost items stay away",
            ],
        },
    ),
];

/// The plan where a loss has no better explanation.
const ESCALATE: RecoveryPlan = RecoveryPlan {
    strategy: "block_and_escalate",
    reason: "The measure was changed instead of the thing measured",
    steps: &[
        "Put back what was lost as it was, then look for the fault in the source that it points at",
        "Run the lost items alone, and follow the first failing assertion into the source",
        "Undo every change since the loss, and begin again from the source's side",
    ],
};

/// The approach of an attempt, from 1.
pub fn approach(plan: &RecoveryPlan, attempt: u32) -> &'static str {
    let at = (attempt.max(1) as usize - 1) % plan.steps.len().max(1);
    plan.steps.get(at).copied().unwrap_or_default()
}

/// What an attempt is about.
#[derive(Debug, Clone, Copy)]
pub struct Attempt<'a> {
    /// From 1.
    pub number: u32,
    /// The most there are.
    pub max: u32,
    /// The regression's type.
    pub kind: &'a str,
    /// What is still lost, by name.
    pub lost: &'a [String],
    /// The cause, in words.
    pub root_cause: &'a str,
    /// The approaches so far, in order.
    pub tried: &'a [String],
}

/// What the agent reads at an attempt.
pub fn retry_text(plan: &RecoveryPlan, attempt: &Attempt<'_>) -> String {
    let mut text = format!(
        "Recovery from {}, attempt {} of {}. Likely cause: {}.",
        attempt.kind, attempt.number, attempt.max, attempt.root_cause
    );
    if !attempt.lost.is_empty() {
        // On one line: a person reads this too, at each end of a turn.
        let named: Vec<&str> = attempt.lost.iter().take(NAMED).map(String::as_str).collect();
        text.push_str(&format!("\nStill lost: {}", named.join(", ")));
        if attempt.lost.len() > NAMED {
            text.push_str(&format!(", and {} more", attempt.lost.len() - NAMED));
        }
    }
    if !attempt.tried.is_empty() {
        text.push_str("\nTried before, without bringing it back:");
        for (n, tried) in attempt.tried.iter().enumerate() {
            text.push_str(&format!("\n  {}. {tried}", n + 1));
        }
    }
    text.push_str(&format!("\nThis attempt: {}.", approach(plan, attempt.number)));
    if attempt.number >= attempt.max {
        text.push_str(" It is the last one before a person decides.");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const CAUSES: &[&str] =
        &["cognitive_load", "task_complexity", "specification_ambiguity", "genuine_fix", "reward_hacking"];

    #[test]
    fn every_diagnosis_has_a_plan_of_its_own() {
        let strategies: std::collections::BTreeSet<&str> =
            CAUSES.iter().map(|id| plan(id).strategy).collect();
        assert_eq!(strategies.len(), CAUSES.len());
        for id in CAUSES {
            assert!(plan(id).steps.len() >= 3 && plan(id).steps.iter().all(|step| step.len() > 5), "{id}");
        }
        for (alias, id) in [
            ("cognitive_overload", "cognitive_load"),
            ("Misunderstanding", "specification_ambiguity"),
            ("knowledge-gap", "task_complexity"),
        ] {
            assert_eq!(plan(alias), plan(id), "{alias}");
        }
        let words = plan("task_complexity").steps.join(" ").to_lowercase();
        assert!(["break", "simpl", "step"].iter().all(|word| words.contains(word)), "{words}");
    }

    #[test]
    fn each_attempt_differs_and_names_what_was_tried() {
        for id in CAUSES {
            let plan = plan(id);
            let mut tried: Vec<String> = Vec::new();
            let mut texts = Vec::new();
            for number in 1..=5 {
                let attempt = Attempt {
                    number,
                    max: 5,
                    kind: "test_skipping",
                    lost: &["a.test.js: adds".to_owned()],
                    root_cause: "x",
                    tried: &tried,
                };
                let text = retry_text(&plan, &attempt);
                assert!(text.contains("a.test.js: adds") && tried.iter().all(|tried| text.contains(tried)));
                assert!(!texts.contains(&text), "{text}");
                texts.push(text);
                tried.push(approach(&plan, number).to_owned());
            }
        }
    }
}
