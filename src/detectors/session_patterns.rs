//! Patterns that the loop, the settings or the disk of a session decide: others find them, here they have their words.

use super::pattern::{Pattern, PatternProof};
use crate::model::finding::Severity;

/// Every pattern of this kind.
pub(super) static SESSION_PATTERNS: &[&Pattern] =
    &[&BYTES_CANT_BE_KEPT, &PROTECTED_PATH, &CRITERION_CHANGED, &OUTSIDE_OF_SCOPE, &GIT_ELSEWHERE];

/// Files would be replaced of which no copy can be kept.
pub static BYTES_CANT_BE_KEPT: Pattern = Pattern {
    id: "SF-003",
    name: "Bytes Can't Be Kept",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A call would replace or delete files of which no copy can be kept for an undo.",
    why: "What is neither in a commit nor in a copy is gone for good.",
    instead: "A copy made beforehand outside the project, or a smaller target, would let it be undone.",
    proof: PatternProof::Session,
};

/// A protected path would be written.
pub static PROTECTED_PATH: Pattern = Pattern {
    id: "SF-004",
    name: "Protected Path",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A file would be written that `protected_paths` keeps from agents.",
    why: "The project has said that only a person changes these files.",
    instead: "A person can make this change, or take the path out of protected_paths in aiwg.yml.",
    proof: PatternProof::Session,
};

/// What a loop is judged by has changed.
pub static CRITERION_CHANGED: Pattern = Pattern {
    id: "SF-005",
    name: "Completion Criterion Changed",
    aliases: &[],
    // The small losses of a loop add up by the type that stands here, and this is none of them.
    regression_type: None,
    // Not critical: the agent can put it back by itself, and until then nothing completes.
    severity: Severity::High,
    what: "What stands behind a loop's completion criterion is no longer what it was when the loop was started.",
    why: "A loop that changes what it is judged by is done when it says so.",
    instead: "A loop is judged by what stood behind its criterion when it was started. Put back as it was, it counts; \
              a person can accept the change.",
    proof: PatternProof::Session,
};

/// A loop would write outside of its scope.
pub static OUTSIDE_OF_SCOPE: Pattern = Pattern {
    id: "SF-006",
    name: "Outside of Scope",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A loop would change a file outside of the scope that it was started with.",
    why: "Whoever set the scope counts on the rest staying as it is.",
    instead: "A change inside of the scope passes; a person can make this one, or start a loop with a wider scope.",
    proof: PatternProof::Session,
};

/// Git would change another working tree.
pub static GIT_ELSEWHERE: Pattern = Pattern {
    id: "SF-007",
    name: "Git Outside of the Loop",
    aliases: &[],
    regression_type: None,
    severity: Severity::Medium,
    what: "A git command would change another working tree than that of the loop.",
    why: "Somebody else works there, and a loop's undo does not reach it.",
    instead: "The loop's own working tree is where its branch and its commits belong.",
    proof: PatternProof::Session,
};
