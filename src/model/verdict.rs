//! The one answer that a hook gives.

/// What to tell the host. A host that can't express one says so, and the hook's process
/// takes the nearest one on purpose, an Ask as a Deny.
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

/// A verdict without its text: what a host can or can't express.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VerdictKind {
    /// [`Verdict::Pass`].
    Pass,
    /// [`Verdict::Context`].
    Context,
    /// [`Verdict::Ask`].
    Ask,
    /// [`Verdict::Deny`].
    Deny,
    /// [`Verdict::Feedback`].
    Feedback,
    /// [`Verdict::Continue`].
    Continue,
    /// [`Verdict::Halt`].
    Halt,
}

/// A verdict, and what a person should see besides.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    /// The verdict for the host.
    pub verdict: Verdict,
    /// A message that only the human sees.
    pub human: Option<String>,
    /// What draws the human's eye. A host that can't do it leaves it out.
    pub attention: Option<Attention>,
}

/// How a person who looks elsewhere is called to the terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attention {
    /// The terminal's bell.
    Bell,
    /// A notification on the desktop, by the terminal, and the bell where that shows none.
    Desktop {
        /// What it reads, one line.
        text: String,
        /// In which of the terminals' languages.
        protocol: NotificationProtocol,
    },
}

/// How a terminal is asked for a notification.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotificationProtocol {
    /// iTerm2's, which most others read too.
    Osc9,
    /// Kitty's own.
    Osc99,
    /// With a title: foot, rxvt and those made of VTE.
    Osc777,
}

impl Answer {
    /// Nothing to say to the model, and a message for the human.
    pub fn telling(human: impl Into<String>) -> Self {
        Answer { human: Some(human.into()), ..Answer::default() }
    }

    /// The same words for the model and the human.
    pub fn telling_both(message: impl Into<String>) -> Self {
        let message = message.into();
        Answer { verdict: Verdict::Context(message.clone()), ..Answer::telling(message) }
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        Answer { verdict, ..Answer::default() }
    }
}

impl Verdict {
    /// The verdict without its text.
    pub fn kind(&self) -> VerdictKind {
        match self {
            Verdict::Pass => VerdictKind::Pass,
            Verdict::Context(_) => VerdictKind::Context,
            Verdict::Ask(_) => VerdictKind::Ask,
            Verdict::Deny(_) => VerdictKind::Deny,
            Verdict::Feedback(_) => VerdictKind::Feedback,
            Verdict::Continue(_) => VerdictKind::Continue,
            Verdict::Halt(_) => VerdictKind::Halt,
        }
    }

    /// Its text; nothing of a pass.
    pub fn text(&self) -> &str {
        match self {
            Verdict::Pass => "",
            Verdict::Context(text)
            | Verdict::Ask(text)
            | Verdict::Deny(text)
            | Verdict::Feedback(text)
            | Verdict::Continue(text)
            | Verdict::Halt(text) => text,
        }
    }

    /// The verdict's name in the log.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }
}

impl VerdictKind {
    /// Every verdict but the pass, which every host can express by silence.
    pub const SPOKEN: [VerdictKind; 6] = [
        VerdictKind::Context,
        VerdictKind::Ask,
        VerdictKind::Deny,
        VerdictKind::Feedback,
        VerdictKind::Continue,
        VerdictKind::Halt,
    ];

    /// The verdict of this kind with a text.
    pub fn with(self, text: String) -> Verdict {
        match self {
            VerdictKind::Pass => Verdict::Pass,
            VerdictKind::Context => Verdict::Context(text),
            VerdictKind::Ask => Verdict::Ask(text),
            VerdictKind::Deny => Verdict::Deny(text),
            VerdictKind::Feedback => Verdict::Feedback(text),
            VerdictKind::Continue => Verdict::Continue(text),
            VerdictKind::Halt => Verdict::Halt(text),
        }
    }

    /// Its name in the log and in tables.
    pub fn name(self) -> &'static str {
        match self {
            VerdictKind::Pass => "pass",
            VerdictKind::Context => "context",
            VerdictKind::Ask => "ask",
            VerdictKind::Deny => "deny",
            VerdictKind::Feedback => "feedback",
            VerdictKind::Continue => "continue",
            VerdictKind::Halt => "halt",
        }
    }
}
