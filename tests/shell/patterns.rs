//! Each pattern of commands by its own cases.

use steadfast::detectors::{PatternProof, catalogue};
use steadfast::lifecycle::call::explain;

use crate::pattern_project::pattern_project;

#[test]
fn every_pattern_of_commands_catches_its_own_and_spares_the_others() {
    let project = pattern_project();
    let base = project.path().canonicalize().unwrap();
    let mut faults = Vec::new();
    for pattern in catalogue() {
        let PatternProof::Commands { catches, spares } = pattern.proof else { continue };
        if catches.len() < 3 || spares.len() < 3 {
            faults.push(format!("{} proves too little", pattern.id));
        }
        for (command, is_caught) in
            catches.iter().map(|it| (it, true)).chain(spares.iter().map(|it| (it, false)))
        {
            let found = explain::command(command, &base.join("project"), &base.join("home")).findings;
            let ids: Vec<_> = found.iter().map(|it| it.pattern_id).collect();
            if ids.contains(&pattern.id) != is_caught {
                faults.push(format!("{} of {command:?}: {ids:?}", pattern.id));
            }
            let worst = found.iter().filter(|it| it.pattern_id == pattern.id).map(|it| it.severity).max();
            if worst > Some(pattern.severity) {
                faults.push(format!("{} is milder than {command:?}", pattern.id));
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}
