//! The rooms of ARCHITECTURE.md hold: pure rooms stay pure, and imports point down only.

#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Room -> the rooms it may name in `crate::…`. A room always may name itself.
const MAY_USE: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("languages", &["model", "runners"]),
    ("shell", &["model", "runners"]),
    ("detectors", &["config", "languages", "model", "runners", "shell"]),
    ("config", &["model", "shell", "state"]),
    ("definitions", &["state"]),
    ("last_word", &[]),
    ("project", &["last_word"]),
    ("hosts", &["model"]),
    ("metrics", &[]),
    ("runners", &["metrics"]),
    ("loops", &["languages", "metrics", "model", "runners", "shell", "state"]),
    ("state", &["checkpoint", "metrics", "model"]),
    ("checkpoint", &["state"]),
    ("text", &["loops", "model", "state"]),
    ("agents", &["config", "definitions", "detectors", "languages", "model", "shell", "state"]),
    (
        "lifecycle",
        &[
            "agents",
            "checkpoint",
            "config",
            "definitions",
            "detectors",
            "hosts",
            "languages",
            "last_word",
            "loops",
            "metrics",
            "model",
            "project",
            "runners",
            "shell",
            "state",
            "text",
        ],
    ),
    ("hook", &["hosts", "last_word", "lifecycle", "model"]),
    (
        "cli",
        &[
            "agents",
            "checkpoint",
            "config",
            "definitions",
            "detectors",
            "hosts",
            "lifecycle",
            "loops",
            "model",
            "project",
            "state",
            "text",
        ],
    ),
];

/// Rooms, and files of rooms, that get everything as a value.
const PURE: &[&str] = &["model", "languages", "shell", "detectors", "agents", "metrics", "runners", "text"];

/// What a pure room must not name.
const WORLD: &[&str] =
    &["std::fs", "std::env", "std::process", "std::net", "SystemTime", "Instant::now", "Timestamp::now"];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn all() -> Vec<(String, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let room = |path: &Path| {
        let first = path.strip_prefix(&root).unwrap().components().next().unwrap();
        first.as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
    };
    paths
        .into_iter()
        .map(|path| (room(&path), path.clone(), shipped(&fs::read_to_string(&path).unwrap())))
        .collect()
}

/// The part of a file that ships: without comments and without its tests at the end.
fn shipped(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

#[test]
fn imports_point_down() {
    let rooms: BTreeSet<&str> = MAY_USE.iter().map(|(room, _)| *room).collect();
    let mut wrong = Vec::new();
    for (room, path, text) in all() {
        if matches!(room.as_str(), "lib" | "bin") || is_test_file(&path) {
            continue;
        }
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == room) else {
            panic!("{} is in no room of the table", path.display());
        };
        for named in text.split("crate::").skip(1) {
            let named: String = named.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if rooms.contains(named.as_str()) && named != room && !allowed.contains(&named.as_str()) {
                wrong.push(format!("{} uses {named}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_rooms_do_not_touch_the_world() {
    let mut wrong = Vec::new();
    for (room, path, text) in all() {
        if PURE.contains(&room.as_str()) && !is_test_file(&path) {
            wrong.extend(
                WORLD.iter().filter(|w| names(&text, w)).map(|w| format!("{} names {w}", path.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn one_file_holds_the_unsafe_code() {
    let holders: Vec<PathBuf> = all()
        .into_iter()
        .filter(|(_, _, text)| {
            text.contains("unsafe {") || text.contains("unsafe fn") || text.contains("unsafe extern")
        })
        .map(|(_, path, _)| path)
        .collect();
    assert_eq!(holders.len(), 1, "{holders:?}");
    assert!(holders[0].ends_with("last_word.rs"));
}

#[test]
fn every_file_says_what_it_is_for() {
    for (_, path, _) in all().into_iter().filter(|(_, path, _)| !is_test_file(path)) {
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with("//!"), "{} does not begin with //!", path.display());
    }
}

/// Whether code names something, outside of string literals.
fn names(text: &str, name: &str) -> bool {
    text.lines().any(|line| line.find(name).is_some_and(|at| line[..at].matches('"').count() % 2 == 0))
}

/// Tables of cases that stand in a file of their own.
fn is_test_file(path: &Path) -> bool {
    let name = path.file_stem().unwrap().to_str().unwrap();
    name == "tests" || name == "cases" || name.ends_with("_tests") || name.ends_with("_cases")
}
