//! Commands that can't be read as a whole, so that what they lose is not known.

use super::finding::finding;
use crate::detectors::pattern::{Pattern, PatternProof};
use crate::model::finding::{Finding, Severity};
use crate::shell::{Effect, EffectKind};

/// A text that is not read.
pub(super) static UNREAD: Pattern = Pattern {
    id: "SF-016",
    name: "Destructive Command In Unreadable Text",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A command can't be read, or a part of one that also changes files.",
    why: "What can't be read can do anything.",
    instead: "The same work in shorter, separate commands can be read and judged.",
    proof: PatternProof::Commands {
        catches: &["rm src/a.ts )", "rm src/a.ts && (((", "rm src/a.ts; if then", "rm src/a.ts; case x"],
        spares: &["rm src/a.ts", "echo done", "(cd src && rm a.ts)"],
    },
};

/// The finding for a text that is more than can be read.
pub fn unreadable() -> Finding {
    let what = "the command is too long or too entangled to be read, so what it does is not known".to_owned();
    finding(&UNREAD, Severity::High, String::new(), what, 0.7)
}

/// The finding for a part that could not be read, next to one that changes files.
pub(super) fn beside(effects: &[Effect]) -> Option<Finding> {
    let loses = |effect: &Effect| !matches!(effect.kind, EffectKind::Copy | EffectKind::ChangeMode);
    effects.iter().any(loses).then(|| {
        let what = "a part of the command could not be read, next to one that changes files".to_owned();
        finding(&UNREAD, Severity::Medium, String::new(), what, 0.6)
    })
}
