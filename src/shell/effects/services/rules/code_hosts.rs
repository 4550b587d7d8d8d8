//! Hosts of code: repositories, releases, secrets.

use crate::shell::effects::services::rules::Rule;
use crate::shell::effects::services::rules::Weight::{Bypasses, Changes, Loses};

/// The rules of this family.
pub(crate) static RULES: &[Rule] = &[
    ("gh|glab repo delete", Loses),
    ("gh release|gist|issue|project|label|codespace|ssh-key|gpg-key delete", Loses),
    ("gh secret|variable delete|remove", Changes),
    ("gh release delete-asset", Loses),
    ("gh pr close -d|--delete-branch", Loses),
    ("gh run|cache|ruleset delete", Changes),
    ("gh repo archive|rename", Changes),
    ("hub delete", Loses),
    ("glab … delete", Loses),
    ("gh pr merge --admin", Bypasses),
];
