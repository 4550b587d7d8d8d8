//! The one answer that a hook gives.

/// What to tell the host. A host that can't express one says so, and the lifecycle chooses another on purpose.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Verdict {
    /// Nothing to say: no output at all. Never an "allow", which would switch off the user's own prompts.
    #[default]
    Pass,
    /// Text for the model; the action goes on.
    Context(String),
    /// A person decides; the reason lists what would be lost.
    Ask(String),
    /// The action does not happen; the reason gives the way out.
    Deny(String),
    /// The action has happened; the model gets this as a fault to mend.
    Feedback(String),
    /// The turn goes on with this text.
    Continue(String),
    /// The turn ends here.
    Halt(String),
}

/// A verdict, and what a person should see besides.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The verdict for the host.
    pub verdict: Verdict,
    /// A message that only the human sees.
    pub human: Option<String>,
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Answer { verdict, human: None }
    }
}

impl Verdict {
    /// The verdict's name in the log.
    pub fn name(&self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Context(_) => "context",
            Verdict::Ask(_) => "ask",
            Verdict::Deny(_) => "deny",
            Verdict::Feedback(_) => "feedback",
            Verdict::Continue(_) => "continue",
            Verdict::Halt(_) => "halt",
        }
    }
}
