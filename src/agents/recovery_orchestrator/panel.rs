//! What a person reads about a regression and about a loop that is stuck.

use serde_json::Value;

use crate::model::finding::counted;
use crate::state::records::{FOUND, texts};

/// What a person reads about a loop that does not get on.
pub fn stuck_panel(iteration: u32, pattern: &str, attempts: u64) -> String {
    format!(
        "🚨 STUCK LOOP DETECTED - Iteration {iteration}\n\nThe same failure keeps coming back:\n{pattern}\n\nRecovery \
         attempts: {attempts}\n\nA person's guidance is needed to go on.\n\nActions:\n[1] Continue with a different \
         approach\n[2] Abort the loop\n[3] Mend it by hand, then resume"
    )
}

/// What a person reads of a recovery besides the loss itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RecoveryBackground {
    /// The likely cause, with what speaks for it.
    pub cause: Option<String>,
    /// The approaches that brought nothing back, in order.
    pub tried: Vec<String>,
}

/// What a person reads about a regression: what was lost by name, before and after, where it comes from, what was
/// tried, and three answers.
pub fn panel(iteration: u32, kind: &str, diff: &Value, known: &RecoveryBackground) -> String {
    let count = |name: &str| diff.get(name).and_then(Value::as_u64);
    let mut text = format!(
        "🛑 REGRESSION DETECTED - Iteration {iteration}\n\n{} detected:",
        capitalised(&kind.replace('_', " "))
    );
    for found in texts(diff.get(FOUND)) {
        text.push_str(&format!("\n- {found}"));
    }
    // Counts that have not fallen say nothing of a loss.
    if let (Some(before), Some(after)) = (count("before_test_count"), count("after_test_count"))
        && after < before
    {
        let tests = |count: u64| counted(usize::try_from(count).unwrap_or(usize::MAX), "test");
        text.push_str(&format!("\n- Previous: {}\n- Current: {}", tests(before), tests(after)));
    }
    let lost = lost(diff);
    if !lost.is_empty() {
        text.push_str(match kind {
            "test_deletion" => "\n\nDeleted tests:",
            "test_skipping" => "\n\nSkipped tests:",
            _ => "\n\nLost:",
        });
        for name in &lost {
            text.push_str(&format!("\n- {name}"));
        }
    }
    if let Some(cause) = &known.cause {
        text.push_str(&format!("\n\nLikely cause: {cause}"));
    }
    if !known.tried.is_empty() {
        text.push_str("\n\nTried without bringing it back:");
        for (n, tried) in known.tried.iter().enumerate() {
            text.push_str(&format!("\n{}. {tried}", n + 1));
        }
    }
    text.push_str(&format!(
        "\n\nThis is NOT acceptable without a decision: what is lost may be what shows a fault.\n\nActions:\n[1] Reject \
         iteration {iteration} and revert its changes\n[2] Continue (override the detection - NOT RECOMMENDED)\n[3] \
         Abort the loop"
    ));
    text
}

/// The lost names of a regression's diff, under whichever key its type has.
pub fn lost(diff: &Value) -> Vec<String> {
    let keys = ["deleted_tests", "skipped_tests", "lost"];
    let names = keys.iter().filter_map(|key| diff.get(*key)).find(|names| names.is_array());
    texts(names).map(str::to_owned).collect()
}

/// The text with its first letter in capitals.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
