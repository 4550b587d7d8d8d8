//! Commands and paths that the project's configuration names.

use super::finding::finding;
use super::reach::{TargetFate, TargetReach};
use crate::detectors::pattern::{Pattern, PatternProof};
use crate::model::finding::{Finding, Severity};

/// A command that the configuration denies.
pub(super) static DENIED: Pattern = Pattern {
    id: "SF-024",
    name: "Denied By The Project",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A command would run that `denied_commands` names.",
    why: "The project has said that only a person runs it.",
    instead: "The project's configuration names this command; a person can run it, or change what is named there.",
    proof: PatternProof::Commands {
        catches: &["make deploy", "make deploy STAGE=live", "npm test && make deploy"],
        spares: &["make", "make test", "echo make deploy"],
    },
};

/// A path that the configuration protects.
pub(super) static PROTECTED: Pattern = Pattern {
    id: "SF-025",
    name: "Protected Path",
    aliases: &[],
    regression_type: None,
    severity: Severity::High,
    what: "A command would write or delete a file that `protected_paths` names.",
    why: "The project has said that only a person changes these files.",
    instead: "The project's configuration names this path; a person can change it, or what is named there.",
    proof: PatternProof::Commands {
        catches: &["rm docs/guide.md", "echo x > docs/guide.md", "mv docs/guide.md x"],
        spares: &["cat docs/guide.md", "rm README.md", "cp docs/guide.md x"],
    },
};

/// The finding for a command that the project's configuration denies.
pub fn denied(line: &str) -> Finding {
    let what = format!("the project's configuration denies `{line}`");
    finding(&DENIED, Severity::High, String::new(), what, 1.0)
}

/// The finding for a target that the project's configuration protects.
pub(super) fn protected(reach: &TargetReach) -> Option<Finding> {
    // A new file is written too, and only what is there has a mode.
    if !reach.protected || !(reach.exists || reach.role != TargetFate::Mode) {
        return None;
    }
    Some(of_a_protected_file(&reach.name))
}

/// The finding for a file that the project's configuration protects.
pub fn of_a_protected_file(name: &str) -> Finding {
    let what = format!("{name} is protected by the project's configuration");
    finding(&PROTECTED, Severity::High, name.to_owned(), what, 0.95)
}
