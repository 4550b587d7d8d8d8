//! What criteria are once they are read: checks, each a command and what is asked of it; or why they are refused.

use serde::{Deserialize, Serialize};

use crate::loops::criteria::bound::BoundSense;
use crate::loops::criteria::clause::ForbiddenOutput;

/// What must hold for a loop to be complete: all of the checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Criteria {
    /// The text as it was given.
    pub text: String,
    /// The checks, in the order of the text; at least one.
    pub checks: Vec<Check>,
}

/// One thing that a command decides.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Check {
    /// The command exits with 0.
    CommandPasses {
        /// Shell text.
        command: String,
    },
    /// The command exits with 0 and is silent.
    CommandSilent {
        /// Shell text.
        command: String,
        /// What it must not print.
        silence: ForbiddenOutput,
    },
    /// The command prints a total coverage beyond a bound.
    CoverageAbove {
        /// Shell text.
        command: String,
        /// From 0 to 100.
        percent: f64,
        /// Whether the number itself is enough.
        bound: BoundSense,
    },
}

/// Why a text is no criterion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCriterion {
    /// The part that was not understood.
    pub clause: String,
    /// Why, as a sentence.
    pub reason: String,
    /// Texts that this project would accept instead; may be empty.
    pub suggestions: Vec<String>,
}

impl std::fmt::Display for RefusedCriterion {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "completion criterion \"{}\": {}", self.clause, self.reason)?;
        match self.suggestions.as_slice() {
            [] => Ok(()),
            [one] => write!(out, " Here this would do: {one}"),
            several => write!(out, " Here one of these would do: {}", several.join(" | ")),
        }
    }
}

impl std::error::Error for RefusedCriterion {}

impl Check {
    /// The shell text that decides.
    pub fn command(&self) -> &str {
        match self {
            Check::CommandPasses { command }
            | Check::CommandSilent { command, .. }
            | Check::CoverageAbove { command, .. } => command,
        }
    }
}

impl std::fmt::Display for Check {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Check::CommandPasses { command } => write!(out, "`{command}` exits with 0"),
            Check::CommandSilent { command, silence } => {
                let what = match silence {
                    ForbiddenOutput::Output => "nothing",
                    ForbiddenOutput::Errors => "no errors",
                    ForbiddenOutput::Warnings => "no errors or warnings",
                };
                write!(out, "`{command}` exits with 0 and prints {what}")
            }
            Check::CoverageAbove { command, percent, bound } => {
                let bound = if *bound == BoundSense::Above { "above" } else { "of at least" };
                write!(out, "`{command}` prints a total coverage {bound} {percent}%")
            }
        }
    }
}
