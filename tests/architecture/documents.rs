//! What the documents say of the sources is there.

use std::fs;
use std::path::Path;

use steadfast::detectors::{Pattern, catalogue};

const DOCUMENTS: &[&str] = &[
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "README.md",
    "docs/commands.md",
    "docs/judgement.md",
    "docs/loops.md",
    "docs/migration.md",
    "docs/prove.md",
    "docs/seeing.md",
    "docs/threat-model.md",
    "docs/troubleshooting.md",
];

/// The quoted paths of a document that name a source file or a folder of sources.
fn paths(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2).filter(|quoted| {
        let is_path =
            quoted.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "/_.".contains(c));
        is_path && quoted.contains('/') && (quoted.ends_with(".rs") || quoted.starts_with("src/"))
    })
}

#[test]
fn every_source_that_a_document_names_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut missing = Vec::new();
    for document in DOCUMENTS {
        let text = fs::read_to_string(root.join(document)).unwrap();
        let is_there = |path: &&str| root.join(path).exists() || root.join("src").join(path).exists();
        missing.extend(paths(&text).filter(|path| !is_there(path)).map(|path| format!("{document}: {path}")));
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn the_readme_links_every_document() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    for entry in fs::read_dir(root.join("docs")).unwrap() {
        let name = format!("docs/{}", entry.unwrap().file_name().to_str().unwrap());
        assert!(readme.contains(&format!("({name})")), "README.md does not link {name}");
    }
}

#[test]
fn the_readme_lists_every_code_of_the_guard() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).unwrap();
    let listed: Vec<&str> = readme.lines().filter(|line| line.starts_with("| SF-")).collect();
    let row =
        |pattern: &Pattern| format!("| {} | {} | {} |", pattern.id, pattern.severity.name(), pattern.name);
    let known: Vec<String> =
        catalogue().iter().filter(|pattern| pattern.id.starts_with("SF-")).map(row).collect();
    assert_eq!(listed, known);
}
