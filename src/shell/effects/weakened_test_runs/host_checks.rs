//! Requests to the code host by which its checks run no more.

use crate::shell::model::{Command, Effect, EffectKind};

/// What a request to the code host is called that switches its checks off.
pub(crate) const CI_OFF: &str = "checks of the code host off";

/// `gh api -X PUT repos/o/r/actions/workflows/ci.yml/disable`: a workflow, or all of them, would run no more.
pub(super) fn ci_off(command: &Command) -> Option<Effect> {
    const CLIENTS: &[&str] = &["gh", "curl", "http", "https", "xh"];
    if !CLIENTS.contains(&command.program()) {
        return None;
    }
    let has = |is_it: &dyn Fn(&str) -> bool| command.words.iter().skip(1).any(|word| is_it(&word.text));
    let disables = has(&|text| text.contains("/actions/workflows/") && text.ends_with("/disable"));
    let forbids = has(&|text| text.ends_with("/actions/permissions"))
        && has(&|text| {
            let plain = text.replace([' ', '"'], "");
            plain.contains("enabled=false") || plain.contains("enabled:false")
        });
    let asks_for_help = has(&|text| matches!(text, "--help" | "-h"));
    ((disables || forbids) && !asks_for_help)
        .then(|| Effect::of(EffectKind::BypassChecks, command, CI_OFF, &[], command.directory.as_deref()))
}
