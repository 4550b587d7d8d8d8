//! What a person reads of a refused call: what it was, and the one command that lets it through.

use crate::model::finding::Finding;
use crate::text::headline::{self, cut, one_line};

/// The longest that a call is shown, in characters.
const SHOWN: usize = 120;

/// A call that can be allowed once, with its code, which is for the person alone.
pub fn offered(findings: &[Finding], call: &str, code: &str) -> String {
    format!(
        "{}\nStopped: {}\nTo let exactly this run once, type here (the agent doesn't see the code): /steadfast:allow {code}\n\
         Where that command is unknown, plainly, here or in a terminal in this project: steadfast allow {code} \
         (there also --always, or --false-alarm WHY)",
        headline::of(findings),
        cut(&one_line(call), SHOWN)
    )
}

/// A call that only the person makes: it concerns the guard itself.
pub fn not_offered(findings: &[Finding], call: &str) -> String {
    format!(
        "{}\nStopped: {}\nThe guard is yours alone to change: with your editor, in a terminal, or with a command after `!` \
         in the input line.",
        headline::of(findings),
        cut(&one_line(call), SHOWN)
    )
}

/// Why a prompt that holds a code was not sent on.
pub const CODE_IN_A_PROMPT: &str = "this prompt holds one of your one-time codes, so it was not sent to the model. Typed \
                                    alone, as `steadfast allow CODE` or `steadfast gate reject CODE`, without a `!`, it is \
                                    taken.";
