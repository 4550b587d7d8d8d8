//! DIAGNOSE: what a regression comes from, scored from evidence.
//!
//! Every hypothesis is scored and kept with the facts that moved its score, so that a person can follow the result. A
//! fact that is not known counts for neither side.

use serde_json::{Value, json};

mod words;

pub use words::in_words;
use words::root_cause;

/// Below this a cause is not sure enough to act on without a person.
pub const SURE: f64 = 0.5;
/// So many files in one iteration are many.
const MANY_FILES: u64 = 8;
/// So many lost things are many.
const MANY_LOST: u64 = 4;
/// So many calls in one session fill much of a context.
const MANY_CALLS: u64 = 80;

/// What is known about a regression.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DiagnosisFacts {
    /// `test_deletion`, ...
    pub kind: String,
    /// `critical`, ...
    pub severity: String,
    /// Whether any of the lost tests failed when it was last run.
    pub tests_failing_before: Option<bool>,
    /// Whether the iteration changed code that is no test.
    pub source_changed: Option<bool>,
    /// Whether what was tested is gone too.
    pub subject_removed: Option<bool>,
    /// How many files the loop has changed.
    pub files_touched: Option<u64>,
    /// Calls that could change files, a measure of the context that is used up.
    pub tool_calls: Option<u64>,
    /// How often the conversation was compacted.
    pub compactions: Option<u64>,
    /// Whether an error was seen in the files in which something was lost.
    pub error_there: Option<bool>,
    /// How many things were lost.
    pub lost: Option<u64>,
    /// How often the last error came in a row.
    pub same_error: Option<u64>,
    /// Whether a command can decide the completion criterion.
    pub criterion_testable: Option<bool>,
    /// Whether what was changed is a file that the project keeps for a person.
    pub protected: Option<bool>,
    /// Whether git brought another commit between the calls, and with it the loss.
    pub brought_by_git: Option<bool>,
}

/// A cause with its score, from 0 to 1, and what moved it.
#[derive(Debug, Clone, PartialEq)]
pub struct Hypothesis {
    /// `reward_hacking`, ...
    pub id: &'static str,
    /// From 0 to 1.
    pub score: f64,
    /// The facts that moved it: name, value, weight.
    pub evidence: Vec<(&'static str, Value, f64)>,
}

/// The most likely cause.
#[derive(Debug, Clone, PartialEq)]
pub struct LikelyCause {
    /// `reward_hacking`, `cognitive_load`, `task_complexity`, `specification_ambiguity`, `genuine_fix` or, where the agent
    /// has not done it, `outside_change`.
    pub id: &'static str,
    /// In words.
    pub root_cause: String,
    /// From 0 to 1.
    pub confidence: f64,
    /// All of them, the likeliest first.
    pub hypotheses: Vec<Hypothesis>,
}

/// One fact's weight for one hypothesis.
struct FactWeight {
    hypothesis: &'static str,
    fact: &'static str,
    /// The value that counts.
    when: bool,
    weight: f64,
}

const fn weight(hypothesis: &'static str, fact: &'static str, when: bool, weight: f64) -> FactWeight {
    FactWeight { hypothesis, fact, when, weight }
}

const HYPOTHESES: &[&str] =
    &["reward_hacking", "task_complexity", "specification_ambiguity", "cognitive_load", "genuine_fix"];

/// The cause of a loss that is none of the agent's. It is weighed only where something speaks for it.
const OUTSIDE: &str = "outside_change";

/// What is said to be lost where a file was changed that the project keeps for a person.
const PROTECTED: &str = "protected_path";

/// Other words for causes, as older rules and other programs write them.
const ALIASES: &[(&str, &str)] = &[
    ("cognitive_overload", "cognitive_load"),
    ("misunderstanding", "specification_ambiguity"),
    ("knowledge_gap", "task_complexity"),
];

/// The cause that a word of a record names, in any case; the word itself where none is known.
pub fn named(word: &str) -> String {
    let lower = word.trim().to_lowercase().replace(['-', ' '], "_");
    let known = HYPOTHESES.iter().chain([&OUTSIDE]).find(|id| **id == lower);
    let alias = || ALIASES.iter().find(|(alias, _)| *alias == lower).map(|(_, id)| id);
    known.or_else(alias).map_or(lower.clone(), |id| (*id).to_owned())
}

static WEIGHTS: &[FactWeight] = &[
    weight("reward_hacking", "tests_failing_before", true, 0.05),
    weight("reward_hacking", "tests_failing_before", false, -0.45),
    weight("reward_hacking", "source_changed", true, -0.3),
    weight("reward_hacking", "source_changed", false, 0.03),
    weight("reward_hacking", "subject_removed", true, -0.8),
    weight("reward_hacking", "error_repeated", true, 0.02),
    weight("reward_hacking", "error_there", true, 0.25),
    weight("reward_hacking", "error_there", false, -0.35),
    weight("reward_hacking", "many_lost", true, -0.1),
    weight("task_complexity", "tests_failing_before", false, 0.3),
    weight("task_complexity", "source_changed", true, 0.05),
    weight("task_complexity", "many_files", true, 0.15),
    weight("task_complexity", "error_repeated", true, 0.1),
    weight("task_complexity", "error_there", false, 0.25),
    weight("task_complexity", "many_lost", true, 0.15),
    weight("specification_ambiguity", "source_changed", true, 0.5),
    weight("specification_ambiguity", "tests_failing_before", false, -0.3),
    weight("specification_ambiguity", "criterion_testable", false, 0.25),
    weight("specification_ambiguity", "subject_removed", true, -0.3),
    weight("cognitive_load", "many_calls", true, 0.35),
    weight("cognitive_load", "compacted", true, 0.3),
    weight("cognitive_load", "many_files", true, 0.15),
    weight("cognitive_load", "many_lost", true, 0.1),
    weight("cognitive_load", "error_there", false, 0.15),
    weight("cognitive_load", "tests_failing_before", false, 0.1),
    weight("reward_hacking", "brought_by_git", true, -0.6),
    weight("task_complexity", "brought_by_git", true, -0.3),
    weight("specification_ambiguity", "brought_by_git", true, -0.3),
    weight("cognitive_load", "brought_by_git", true, -0.3),
    weight(OUTSIDE, "brought_by_git", true, 0.85),
    weight("genuine_fix", "subject_removed", true, 0.75),
    weight("genuine_fix", "tests_failing_before", false, 0.05),
    weight("genuine_fix", "source_changed", true, 0.05),
];

/// Weighs the facts.
pub fn diagnose(facts: &DiagnosisFacts) -> LikelyCause {
    let outside = (facts.brought_by_git == Some(true)).then_some(&OUTSIDE);
    let mut hypotheses: Vec<Hypothesis> =
        HYPOTHESES.iter().chain(outside).map(|id| scored(id, facts)).collect();
    hypotheses.sort_by(|one, other| other.score.total_cmp(&one.score));
    let (id, confidence) =
        hypotheses.first().map_or(("task_complexity", 0.0), |first| (first.id, first.score));
    let what = if facts.protected == Some(true) { PROTECTED } else { facts.kind.as_str() };
    LikelyCause { id, root_cause: root_cause(id, what).to_owned(), confidence, hypotheses }
}

fn scored(id: &'static str, facts: &DiagnosisFacts) -> Hypothesis {
    let mut score = prior(id, &facts.kind);
    let mut evidence = vec![("regression_type", json!(facts.kind), score)];
    for row in WEIGHTS.iter().filter(|row| row.hypothesis == id) {
        let Some((holds, value)) = known(row.fact, facts) else { continue };
        if holds == row.when {
            score += row.weight;
            evidence.push((row.fact, value, row.weight));
        }
    }
    Hypothesis { id, score: (score.clamp(0.0, 0.98) * 100.0).round() / 100.0, evidence }
}

/// A fact as a yes or no, with the value that it comes from.
fn known(fact: &str, facts: &DiagnosisFacts) -> Option<(bool, Value)> {
    let flag = |value: Option<bool>| value.map(|value| (value, json!(value)));
    let count = |value: Option<u64>, from: u64| value.map(|value| (value >= from, json!(value)));
    match fact {
        "tests_failing_before" => flag(facts.tests_failing_before),
        // What is lost in the source says that it was changed: nothing new.
        "source_changed" if is_of_source(&facts.kind) => None,
        "source_changed" => flag(facts.source_changed),
        "error_there" => flag(facts.error_there),
        "many_lost" => count(facts.lost, MANY_LOST).filter(|_| is_of_source(&facts.kind)),
        "subject_removed" => flag(facts.subject_removed),
        "brought_by_git" => flag(facts.brought_by_git),
        "criterion_testable" => flag(facts.criterion_testable),
        "many_files" => count(facts.files_touched, MANY_FILES),
        "many_calls" => count(facts.tool_calls, MANY_CALLS),
        "compacted" => count(facts.compactions, 1),
        "error_repeated" => count(facts.same_error, 2),
        _ => None,
    }
}

/// Whether a regression of this type is a loss in the source itself.
pub fn is_of_source(kind: &str) -> bool {
    matches!(kind, "error_suppression" | "validation_bypass" | "feature_removal")
}

/// How likely a cause is before anything but the regression's type is known.
fn prior(id: &str, kind: &str) -> f64 {
    match (id, kind) {
        ("reward_hacking", "test_deletion") => 0.9,
        ("reward_hacking", "test_skipping") => 0.85,
        ("reward_hacking", "assertion_weakening") => 0.8,
        ("reward_hacking", "error_suppression" | "validation_bypass") => 0.75,
        ("reward_hacking", "feature_removal") => 0.6,
        ("task_complexity", "coverage_regression") => 0.7,
        ("task_complexity", _) => 0.3,
        ("specification_ambiguity", _) => 0.2,
        _ => 0.1,
    }
}

impl LikelyCause {
    /// The same of a diagnosis that is not stored yet.
    pub fn in_words(&self) -> Option<String> {
        in_words(&self.stored())
    }

    /// The diagnosis as the protocol's step has it, but for its time.
    pub fn stored(&self) -> Value {
        json!({
            "root_cause": self.root_cause,
            "confidence": self.confidence,
            "diagnosis": self.id,
            "hypotheses": self.hypotheses_json(),
        })
    }

    /// The hypotheses as the state stores them.
    pub fn hypotheses_json(&self) -> Value {
        let all = self.hypotheses.iter().map(|hypothesis| {
            let evidence = hypothesis.evidence.iter().map(|(fact, value, weight)| {
                json!({"fact": fact, "value": value, "weight": (weight * 100.0).round() / 100.0})
            });
            json!({"hypothesis": hypothesis.id, "score": hypothesis.score, "evidence": evidence.collect::<Vec<_>>()})
        });
        Value::Array(all.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(kind: &str) -> DiagnosisFacts {
        DiagnosisFacts { kind: kind.into(), severity: "high".into(), ..DiagnosisFacts::default() }
    }

    #[test]
    fn evidence_decides_between_the_causes() {
        let failing = |value| DiagnosisFacts { tests_failing_before: Some(value), ..facts("test_deletion") };
        let rows = [
            // Failing tests deleted, source untouched: the documents' second example.
            (DiagnosisFacts { source_changed: Some(false), ..failing(true) }, "reward_hacking", 0.95),
            (facts("test_deletion"), "reward_hacking", 0.9),
            (
                DiagnosisFacts { subject_removed: Some(true), source_changed: Some(true), ..failing(false) },
                "genuine_fix",
                0.9,
            ),
            (
                DiagnosisFacts { tests_failing_before: Some(false), ..facts("test_skipping") },
                "task_complexity",
                0.6,
            ),
            (
                DiagnosisFacts { source_changed: Some(true), ..facts("assertion_weakening") },
                "specification_ambiguity",
                0.7,
            ),
            (facts("coverage_regression"), "task_complexity", 0.7),
            // An error that was in the way is hidden; where none was, something got lost in the work.
            (DiagnosisFacts { error_there: Some(true), ..facts("error_suppression") }, "reward_hacking", 0.9),
            (
                DiagnosisFacts {
                    error_there: Some(false),
                    source_changed: Some(true),
                    ..facts("error_suppression")
                },
                "task_complexity",
                0.5,
            ),
            (DiagnosisFacts { error_there: Some(true), ..facts("feature_removal") }, "reward_hacking", 0.8),
            (
                DiagnosisFacts { error_there: Some(false), lost: Some(6), ..facts("feature_removal") },
                "task_complexity",
                0.6,
            ),
            (
                DiagnosisFacts {
                    error_there: Some(false),
                    tool_calls: Some(200),
                    compactions: Some(1),
                    ..facts("feature_removal")
                },
                "cognitive_load",
                0.8,
            ),
            // Whoever checked another commit out, it was not the agent.
            (
                DiagnosisFacts {
                    brought_by_git: Some(true),
                    source_changed: Some(true),
                    subject_removed: Some(true),
                    ..facts("test_deletion")
                },
                OUTSIDE,
                0.9,
            ),
            (DiagnosisFacts { brought_by_git: Some(true), ..facts("feature_removal") }, OUTSIDE, 0.9),
            (DiagnosisFacts { brought_by_git: Some(false), ..facts("test_deletion") }, "reward_hacking", 0.9),
            (
                DiagnosisFacts {
                    tool_calls: Some(200),
                    compactions: Some(1),
                    ..DiagnosisFacts { tests_failing_before: Some(false), ..facts("test_skipping") }
                },
                "cognitive_load",
                0.8,
            ),
        ];
        for (facts, id, least) in rows {
            let diagnosis = diagnose(&facts);
            assert_eq!(diagnosis.id, id, "{facts:?}: {:?}", diagnosis.hypotheses);
            assert!(diagnosis.confidence >= least, "{facts:?}: {}", diagnosis.confidence);
            assert!(diagnosis.confidence <= 1.0 && diagnosis.root_cause.len() > 10);
            assert_eq!(diagnosis.hypotheses.len(), if id == OUTSIDE { 6 } else { 5 });
        }
    }

    #[test]
    fn what_got_lost_in_the_work_is_told_by_its_kind() {
        let kinds = [
            "test_deletion",
            "test_skipping",
            "assertion_weakening",
            "error_suppression",
            "feature_removal",
            "validation_bypass",
            "coverage_regression",
        ];
        let words: std::collections::BTreeSet<&str> =
            kinds.iter().map(|kind| root_cause("task_complexity", kind)).collect();
        assert_eq!(words.len(), kinds.len());
    }

    #[test]
    fn what_points_nowhere_is_not_sure() {
        let nothing =
            diagnose(&DiagnosisFacts { tests_failing_before: Some(false), ..facts("test_deletion") });
        assert!(nothing.confidence > SURE, "{nothing:?}");
        let unsure = DiagnosisFacts { source_changed: Some(false), ..facts("unheard_of") };
        assert!(diagnose(&unsure).confidence < SURE);
    }

    #[test]
    fn all_that_moved_a_score_is_kept_with_it() {
        let diagnosis =
            diagnose(&DiagnosisFacts { tests_failing_before: Some(true), ..facts("test_deletion") });
        let first = &diagnosis.hypotheses_json()[0];
        assert_eq!(first["hypothesis"], "reward_hacking");
        assert!(
            first["evidence"]
                .as_array()
                .unwrap()
                .contains(&json!({"fact": "tests_failing_before", "value": true, "weight": 0.05}))
        );
    }
}
