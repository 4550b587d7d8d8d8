//! Each pattern with the first lines that its own cases bring, each form once, and the remedy below.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use steadfast::detectors::cases::examples;
use steadfast::detectors::{Evidence, Pattern, Proof, catalogue, judge};
use steadfast::lifecycle::call::explain;
use steadfast::model::finding::Finding;
use steadfast::text::headline;

use crate::block;

/// The chapter.
pub(crate) fn chapter() -> String {
    let scratch = project();
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
        Proof::Changes => {
            let cases = examples(pattern.id).unwrap().catches;
            cases
                .iter()
                .flat_map(|case| {
                    let changes = std::slice::from_ref(&case.change);
                    judge(&Evidence { changes, elsewhere: case.elsewhere.as_slice() })
                })
                .collect()
        }
        Proof::Commands { catches, .. } => {
            let (project, home) = (base.join("project"), base.join("home"));
            let of = |command: &&str| explain::command(command, &project, &home).findings;
            catches.iter().flat_map(of).collect()
        }
        Proof::Figures { .. } | Proof::Session => Vec::new(),
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

/// A project such as the patterns of commands are proved in.
fn project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("project");
    for (name, text) in [
        ("src/a.ts", "a\n"),
        ("src/b.ts", "b\n"),
        ("src/old/c.ts", "c\n"),
        ("tests/unit/d.test.ts", "it('d')\n"),
        ("tests/test_a.py", "def test_a():\n    assert a() == 1\n"),
        ("docs/guide.md", "guide\n"),
        ("README.md", "readme\n"),
        (".claude/settings.json", "{}\n"),
        (".aiwg/ralph/loops/a/state.json", "{}\n"),
        (
            "aiwg.yml",
            "agent_persistence:\n  protected_paths: [docs/guide.md]\n  denied_commands: [make deploy]\n",
        ),
        (".gitignore", "node_modules/\ndist/\n.aiwg/\n"),
        ("node_modules/x/index.js", "x\n"),
        ("dist/main.js", "x\n"),
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    fs::create_dir_all(directory.path().join("home")).unwrap();
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.email=ada@example.org", "-c", "user.name=Ada"];
        let status = Command::new("git").current_dir(&root).args(who).args(arguments).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "first"]);
    fs::write(root.join("src/a.ts"), "changed\n").unwrap();
    git(&["stash", "-q"]);
    fs::write(root.join("src/b.ts"), "changed\n").unwrap();
    directory
}
