//! What people and the agent read when a project's state does not say what is known of it outside of the project.

use std::path::Path;

/// What was lost is named up to so many.
const MOST: usize = 8;

/// What something else has changed in the registry, for the record.
pub fn changed(lost: &[String]) -> String {
    if lost.is_empty() {
        "nothing that is known outside of the project is lost".to_owned()
    } else {
        named(lost)
    }
}

/// That the registry does not say what is known, before a hook has put it right.
pub fn registry_changed(lost: &[String]) -> String {
    format!(
        "the registry was changed or removed by something else: {}; the next hook puts it back",
        named(lost)
    )
}

/// That files of the guard's, on which it decides, were written or removed by something else.
pub fn own_files_changed(names: &[String], restored: bool) -> String {
    let then = if restored {
        "What is kept of it outside of the project is put back and holds."
    } else {
        "What is kept of it outside of the project holds, but it can't be written there."
    };
    format!(
        "Critical: Steadfast's own state was changed or removed by something else: {}. {then} Find out which command did \
         this, say so, and leave .aiwg alone.",
        named(names)
    )
}

fn named(lost: &[String]) -> String {
    let mut named = lost.iter().take(MOST).cloned().collect::<Vec<_>>().join("; ");
    if lost.len() > MOST {
        named.push_str(&format!("; and {} more", lost.len() - MOST));
    }
    named
}

/// That the registry was changed or lost by something that is not the guard.
pub fn differs(registry: &Path, lost: &[String], restored: bool) -> String {
    let named = named(lost);
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
