//! Each pattern with the first lines that its own cases bring, each form once, and the remedy below.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use steadfast::detectors::cases::examples;
use steadfast::detectors::{Evidence, Pattern, PatternProof, catalogue, judge};
use steadfast::lifecycle::call::explain;
use steadfast::model::finding::Finding;
use steadfast::text::headline;

use crate::block;
use crate::pattern_project::pattern_project;

/// The chapter.
pub(crate) fn chapter() -> String {
    let scratch = pattern_project();
    let base = scratch.path().canonicalize().unwrap();
    let mut out = String::from(
        "Of a stopped call the first line is what a person sees without a key, and the remedy follows it. For each pattern: \
         these lines as its own cases bring them, each form once. After the call the same is said in the present tense.\n\n",
    );
    for pattern in catalogue() {
        let (id, name) = (pattern.id, pattern.name);
        let found = found(&pattern, &base);
        let mut text = String::new();
        let mut forms = BTreeSet::new();
        let mut mends = Vec::new();
        for finding in &found {
            if forms.insert(form(&finding.what)) {
                writeln!(text, "{}", headline::of(std::slice::from_ref(finding))).unwrap();
            }
            if !mends.contains(&finding.mend.as_str()) {
                mends.push(&finding.mend);
            }
        }
        if found.is_empty() {
            text = pattern.what.to_owned();
            mends.push(pattern.instead);
        }
        let mends: Vec<&str> = mends.into_iter().filter(|mend| !mend.is_empty()).collect();
        writeln!(out, "### {id} {name}\n\n{}\nRemedy:\n\n{}", block(&text), block(&mends.join("\n")))
            .unwrap();
    }
    out
}

/// What the cases of a pattern bring of it.
fn found(pattern: &Pattern, base: &Path) -> Vec<Finding> {
    let all: Vec<Finding> = match pattern.proof {
        PatternProof::Changes => {
            let cases = examples(pattern.id).unwrap().catches;
            cases
                .iter()
                .flat_map(|case| {
                    let changes = std::slice::from_ref(&case.change);
                    judge(&Evidence { changes, elsewhere: case.elsewhere.as_slice() })
                })
                .collect()
        }
        PatternProof::Commands { catches, .. } => {
            let (project, home) = (base.join("project"), base.join("home"));
            let of = |command: &&str| explain::command(command, &project, &home).findings;
            catches.iter().flat_map(of).collect()
        }
        PatternProof::Figures { .. } | PatternProof::Session => Vec::new(),
    };
    let base = base.to_str().unwrap();
    let own = all.into_iter().filter(|finding| finding.pattern_id == pattern.id);
    own.map(|it| Finding { what: it.what.replace(base, ""), ..it }).collect()
}

/// A sentence without the names and numbers in it.
fn form(what: &str) -> String {
    let quoted = regex::Regex::new(r"`[^`]*`|[0-9]+|[^ ]*[./][^ ]+").unwrap();
    quoted.replace_all(what, "…").into_owned()
}
