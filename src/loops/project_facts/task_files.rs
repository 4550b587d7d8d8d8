//! The recipes of a justfile and the targets of a Makefile whose names say what they are for.

use std::path::Path;

use crate::loops::project_facts::{NAMES, ProjectFacts, text_of};

pub(super) fn justfile(root: &Path, facts: &mut ProjectFacts) {
    let Some(text) = ["justfile", "Justfile", ".justfile"].iter().find_map(|name| text_of(root, name)) else {
        return;
    };
    // A recipe begins a line: `test *args: build`.
    let recipes: Vec<&str> = text
        .lines()
        .filter_map(target_of)
        .filter_map(|head| head.trim_start_matches('@').split_whitespace().next())
        .collect();
    for (name, kind) in NAMES {
        if recipes.contains(name) && !facts.has(*kind) {
            facts.add(*kind, &format!("just {name}"));
        }
    }
}

pub(super) fn makefile(root: &Path, facts: &mut ProjectFacts) {
    let Some(text) = ["GNUmakefile", "makefile", "Makefile"].iter().find_map(|name| text_of(root, name))
    else {
        return;
    };
    let targets: Vec<&str> = text.lines().filter_map(target_of).flat_map(str::split_whitespace).collect();
    for (name, kind) in NAMES {
        // A language's own command is the better known one; a wrapper around it would make the choice unclear.
        if targets.contains(name) && !facts.has(*kind) {
            facts.add(*kind, &format!("make {name}"));
        }
    }
}

/// The targets of a rule's first line; `None` for recipes, variables and special targets.
fn target_of(line: &str) -> Option<&str> {
    let (targets, rest) = line.split_once(':')?;
    let plain =
        !line.starts_with(['\t', ' ', '#', '.']) && !targets.contains(['=', '$']) && !rest.starts_with('=');
    plain.then_some(targets)
}
