//! Human gates as the state records them: what was asked, with which answers, and what a person decided.
//!
//! A gate is a record, not a waiting process: it survives every restart, and only a decision closes it, never a clock.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use super::code_hash::CodeHash;
use super::mending::or_none;
use super::schema::DateTime;

/// What a gate is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GateSubject {
    /// Something was lost.
    Regression,
    /// The loop does not get on.
    StuckLoop,
    /// A call would destroy something; the host's own dialog asked.
    DestructiveAction,
    /// A person called a finding a false alarm.
    FalsePositive,
}

/// What a person decided. The last two belong to a stuck loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the documents' words")]
pub enum GateDecision {
    Approve,
    Reject,
    Abort,
    Continue,
    ManualFix,
}

impl GateDecision {
    /// The word in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            GateDecision::Approve => "approve",
            GateDecision::Reject => "reject",
            GateDecision::Abort => "abort",
            GateDecision::Continue => "continue",
            GateDecision::ManualFix => "manual_fix",
        }
    }
}

/// One answer that a gate offers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// What is typed.
    pub id: String,
    /// What it means, for a person.
    pub label: String,
    /// What follows.
    pub decision: GateDecision,
}

/// One gate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Gate {
    /// A UUID.
    pub gate_id: String,
    /// What it is about.
    pub subject: GateSubject,
    /// `TERMINATE`: the loop makes no progress until a person decides.
    pub gate_type: String,
    /// When it was opened.
    #[schemars(with = "DateTime")]
    pub opened_at: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// The regressions that it is about.
    #[serde(default)]
    pub event_ids: Vec<String>,
    /// What a person reads.
    pub message: String,
    /// The answers, in the order of their numbers.
    pub choices: Vec<Choice>,
    /// The answer; none while it is open.
    #[serde(default)]
    pub decision: Option<GateDecision>,
    /// When it was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<DateTime>")]
    pub decided_at: Option<Timestamp>,
    /// Who decided, as far as the machine knows: the user's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_by: Option<String>,
    /// `terminal`, `one-time code`, `dialog`, or `mended` when what was lost came back and nobody had to decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decided_via: Option<String>,
    /// What the person said beside the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The one-time code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<CodeHash>,
    /// The patterns of a question that the host's dialog asked.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub pattern_ids: Option<Vec<String>>,
    /// What the call would have lost, by name.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub lost: Option<Vec<String>>,
    /// To whom another person has left it.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub delegated: Option<Delegation>,
    /// Whether the iteration in which it opened is recorded.
    #[serde(default, deserialize_with = "or_none", skip_serializing_if = "Option::is_none")]
    pub iteration_recorded: Option<bool>,
    /// What others wrote.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

/// That a person left a gate to another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Delegation {
    /// To whom.
    pub to: String,
    /// By whom, as far as the machine knows.
    pub by: Option<String>,
    /// When.
    #[schemars(with = "DateTime")]
    pub at: Timestamp,
    /// Why.
    pub reason: Option<String>,
}

impl Gate {
    /// A gate about this that asks nothing yet.
    pub fn new(subject: GateSubject, opened_at: Timestamp) -> Self {
        Gate {
            gate_id: String::new(),
            subject,
            gate_type: "TERMINATE".to_owned(),
            opened_at,
            iteration: 0,
            event_ids: Vec::new(),
            message: String::new(),
            choices: Vec::new(),
            decision: None,
            decided_at: None,
            decided_by: None,
            decided_via: None,
            reason: None,
            code: None,
            pattern_ids: None,
            lost: None,
            delegated: None,
            iteration_recorded: None,
            extra: Map::new(),
        }
    }

    /// Whether it waits for a person.
    pub fn is_open(&self) -> bool {
        self.decided_at.is_none()
    }

    /// To whom another person has left it.
    pub fn delegated_to(&self) -> Option<&str> {
        self.delegated.as_ref().map(|delegation| delegation.to.as_str())
    }

    /// The decision that a typed word means here: a choice's id, its number, or another word for it.
    pub fn meant(&self, word: &str) -> Option<GateDecision> {
        let word = word.trim().to_ascii_lowercase().replace('-', "_");
        if let Some(number) = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
            return self.choices.get(number).map(|choice| choice.decision);
        }
        if let Some(choice) = self.choices.iter().find(|choice| choice.id == word) {
            return Some(choice.decision);
        }
        let meant = ALIASES.iter().find(|(alias, _)| *alias == word).map(|(_, decision)| *decision);
        let meant = match (self.subject, meant?) {
            // Trying again does not say that a loss is wanted.
            (GateSubject::Regression, _) if matches!(word.as_str(), "t" | "retry") => return None,
            // Going on in spite of a regression is to approve it.
            (GateSubject::Regression | GateSubject::DestructiveAction, GateDecision::Continue) => {
                GateDecision::Approve
            }
            (GateSubject::StuckLoop, GateDecision::Approve) => GateDecision::Continue,
            (_, decision) => decision,
        };
        self.choices.iter().any(|choice| choice.decision == meant).then_some(meant)
    }

    /// Closes the gate.
    pub fn decide(&mut self, decision: GateDecision, via: &str, by: Option<String>, now: Timestamp) {
        self.decision = Some(decision);
        self.close(via, by, now);
    }

    /// Closes the gate because nothing is left to decide: what was lost is back.
    pub fn close_as_mended(&mut self, now: Timestamp) {
        self.close("mended", None, now);
    }

    fn close(&mut self, via: &str, by: Option<String>, now: Timestamp) {
        self.decided_at = Some(now);
        self.decided_via = Some(via.to_owned());
        self.decided_by = by;
        self.code = None;
    }
}

/// Other words for decisions.
const ALIASES: &[(&str, GateDecision)] = &[
    ("a", GateDecision::Approve),
    ("accept", GateDecision::Approve),
    ("approve", GateDecision::Approve),
    ("c", GateDecision::Continue),
    ("retry", GateDecision::Continue),
    ("t", GateDecision::Continue),
    ("continue", GateDecision::Continue),
    ("r", GateDecision::Reject),
    ("reject", GateDecision::Reject),
    ("revert", GateDecision::Reject),
    ("violation", GateDecision::Reject),
    ("abort", GateDecision::Abort),
    ("q", GateDecision::Abort),
    ("m", GateDecision::ManualFix),
    ("manual", GateDecision::ManualFix),
    ("fix", GateDecision::ManualFix),
    ("manual_fix", GateDecision::ManualFix),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn gate(subject: GateSubject, choices: &[(&str, GateDecision)]) -> Gate {
        let choice = |(id, decision): &(&str, GateDecision)| Choice {
            id: (*id).to_owned(),
            label: String::new(),
            decision: *decision,
        };
        Gate { choices: choices.iter().map(choice).collect(), ..Gate::new(subject, Timestamp::UNIX_EPOCH) }
    }

    #[test]
    fn words_and_numbers_mean_the_choices_of_their_gate_and_nothing_else() {
        use GateDecision::{Abort, Approve, Continue, ManualFix, Reject};
        let lost =
            gate(GateSubject::Regression, &[("reject", Reject), ("approve", Approve), ("abort", Abort)]);
        let stuck = gate(
            GateSubject::StuckLoop,
            &[("continue", Continue), ("abort", Abort), ("manual_fix", ManualFix)],
        );
        let rows: [(&Gate, &str, Option<GateDecision>); 20] = [
            (&lost, "1", Some(Reject)),
            (&lost, "2", Some(Approve)),
            (&lost, "3", Some(Abort)),
            (&lost, "4", None),
            (&lost, "0", None),
            (&lost, "continue", Some(Approve)),
            (&lost, "R", Some(Reject)),
            (&lost, "manual_fix", None),
            (&lost, "", None),
            (&lost, "yes", None),
            (&stuck, "1", Some(Continue)),
            (&stuck, "manual-fix", Some(ManualFix)),
            (&stuck, "approve", Some(Continue)),
            (&stuck, "reject", None),
            (&stuck, "retry", Some(Continue)),
            (&lost, "retry", None),
            (&lost, "violation", Some(Reject)),
            (&stuck, "abort", Some(Abort)),
            (&stuck, "3", Some(ManualFix)),
            (&stuck, "fix", Some(ManualFix)),
        ];
        for (gate, word, expected) in rows {
            assert_eq!(gate.meant(word), expected, "{word:?} at {:?}", gate.subject);
        }
    }
}
