//! Hosts of code: repositories, releases, secrets.

use crate::shell::effects::services::rules::RuleWeight::{Bypasses, Changes, Loses};
use crate::shell::effects::services::rules::ServiceRule;

/// The rules of this family.
pub(crate) static RULES: &[ServiceRule] = &[
    ("gh|glab repo delete", Loses),
    ("gh release|gist|issue|project|label|codespace|ssh-key|gpg-key delete", Loses),
    ("gh secret|variable delete|remove", Loses),
    ("gh secret|variable set", Changes),
    ("gh release delete-asset", Loses),
    ("gh pr close -d|--delete-branch", Loses),
    ("gh run|cache|ruleset delete", Changes),
    ("gh repo archive", Loses),
    ("gh repo edit --visibility|--accept-visibility-change-consequences", Loses),
    ("gh repo rename|transfer", Changes),
    ("gh repo sync --force", Loses),
    ("gh repo deploy-key|autolink delete", Loses),
    ("gh workflow disable", Bypasses),
    ("gh issue transfer|lock", Changes),
    ("gh auth logout", Changes),
    ("gh pr merge -d|--delete-branch --admin", Loses),
    ("gh alias|extension|config delete|remove", Changes),
    ("glab variable|release|label|repo|issue|mr delete|remove", Loses),
    ("glab ci cancel|delete", Changes),
    ("tea|berg|bb … delete", Loses),
    ("hub delete", Loses),
    ("glab … delete", Loses),
    ("gh pr merge --admin", Bypasses),
];
