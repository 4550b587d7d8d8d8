//! What people and the agent read when a project's state does not say what is known of it outside of the project.

use std::path::Path;

/// That the registry was changed or lost by something that is not the guard.
pub fn differs(registry: &Path, lost: &[String], restored: bool) -> String {
    const MOST: usize = 8;
    let mut named = lost.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ");
    if lost.len() > MOST {
        named.push_str(&format!("; and {} more", lost.len() - MOST));
    }
    let then = if restored {
        "What was known is restored and holds."
    } else {
        "What was known holds, but it can't be written there: nothing new is recorded until it can."
    };
    format!(
        "Critical: Steadfast's own state was changed or removed by something else. {} was compared with what is kept \
         outside of the project: {named}. {then} Find out which command did this, say so, and leave .aiwg alone.",
        registry.display()
    )
}
