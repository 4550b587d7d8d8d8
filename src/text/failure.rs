//! What is said when a hook itself has failed and nothing goes on as if it had not.

use crate::state::records::HookFailure;

/// Why a call that may change files is held back, and what ends that.
pub fn held(failure: &HookFailure) -> String {
    let HookFailure { hook, reason, iteration, loop_id, .. } = failure;
    let cause = format!("Steadfast's hook {hook} failed in iteration {iteration} ({reason})");
    if failure.on_failure == "force_pause" {
        return format!(
            "{cause}, so the loop is paused and calls that may change files are held back. A person goes on with \
             `steadfast loop resume {loop_id}`; `steadfast checkpoint list` shows what can be brought back."
        );
    }
    format!(
        "{cause}, so this iteration is aborted: calls that may change files are held back until the turn ends. Reading \
         is possible. A person can bring back what the iteration changed: `steadfast undo --list` shows it."
    )
}

/// What stands in the log and in the record of an iteration that was aborted.
pub fn aborted(failure: &HookFailure) -> String {
    format!("aborted: {} failed ({})", failure.hook, failure.reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_policy_says_what_ends_it() {
        let failure = |on_failure: &str| HookFailure {
            hook: "regression_detected".into(),
            on_failure: on_failure.into(),
            reason: "required agent x failed".into(),
            loop_id: "l1".into(),
            iteration: 2,
            ..HookFailure::default()
        };
        assert!(held(&failure("abort_iteration")).contains("until the turn ends"));
        assert!(held(&failure("force_pause")).contains("steadfast loop resume l1"));
        assert_eq!(
            aborted(&failure("abort_iteration")),
            "aborted: regression_detected failed (required agent x failed)"
        );
    }
}
