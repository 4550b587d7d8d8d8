//! The rooms and their arrows, as the table "The rooms" of ARCHITECTURE.md has them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::source::{self, Source};

/// What a pure room must not name: files, the environment, processes, the network, the clock.
const WORLD: &[&str] = &[
    "std::fs",
    "std::env",
    "std::process",
    "std::net",
    "SystemTime",
    "Instant::now",
    "Timestamp::now",
    "env::var",
    "fs::read",
    "fs::write",
    ".exists()",
    ".metadata()",
    ".symlink_metadata()",
    ".canonicalize()",
    ".read_dir()",
    ".is_dir()",
    ".is_file()",
];

/// A row of the table.
struct Room {
    is_pure: bool,
    may_use: BTreeSet<String>,
}

/// The rows of the table: `| room | what it knows | pure | may use |`.
fn table() -> BTreeMap<String, Room> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let section = text.split("## The rooms").nth(1).unwrap().split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        assert_eq!(cells.len(), 4, "a row of the rooms' table has four cells: {row}");
        let may_use = cells[3].split(", ").filter(|name| *name != "nothing").map(str::to_owned).collect();
        (cells[0].trim_matches(['`', '/']).to_owned(), Room { is_pure: cells[2] == "pure", may_use })
    })
    .collect()
}

#[test]
fn the_table_names_every_room_and_no_other() {
    let sources = source::all();
    let rooms: BTreeSet<String> =
        sources.iter().map(|source| source.room().to_owned()).filter(|room| room != "lib").collect();
    let named: BTreeSet<String> = table().into_keys().collect();
    assert_eq!(named, rooms);
}

#[test]
fn imports_point_down() {
    let table = table();
    let mut wrong = BTreeSet::new();
    for source in source::all().iter().filter(|source| !source.is_test() && source.room() != "lib") {
        for path in source.named() {
            let used = path[0].as_str();
            if table.contains_key(used)
                && used != source.room()
                && !table[source.room()].may_use.contains(used)
            {
                wrong.insert(format!("{} uses {used}", source.path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn no_arrow_of_the_table_is_unused() {
    let mut unused = table();
    for source in source::all().iter().filter(|source| !source.is_test() && source.room() != "lib") {
        for path in source.named() {
            if let Some(room) = unused.get_mut(source.room()) {
                room.may_use.remove(&path[0]);
            }
        }
    }
    let left: Vec<String> = unused
        .iter()
        .flat_map(|(room, row)| row.may_use.iter().map(move |used| format!("{room} does not use {used}")))
        .collect();
    assert!(left.is_empty(), "{}", left.join("\n"));
}

/// The layers of `lifecycle/`, lowest first, as the line of ARCHITECTURE.md has them.
fn layers() -> Vec<BTreeSet<String>> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("ARCHITECTURE.md")).unwrap();
    let line = text.split("### The layers of `lifecycle/`").nth(1).unwrap();
    let line = line.lines().find(|line| line.contains(" < ")).unwrap();
    line.split(" < ").map(|layer| layer.split(',').map(|name| name.trim().to_owned()).collect()).collect()
}

#[test]
fn a_layer_of_the_lifecycle_names_those_below_it_alone() {
    let layers = layers();
    let height = |name: &String| layers.iter().position(|layer| layer.contains(name));
    let mut wrong = BTreeSet::new();
    for source in source::all().iter().filter(|source| source.room() == "lifecycle" && !source.is_test()) {
        let Some(own) = source.module.get(1) else { continue };
        let below = height(own).unwrap_or_else(|| panic!("{own} is in no layer"));
        for path in source.named().iter().filter(|path| path[0] == "lifecycle") {
            if path.get(1).and_then(height).is_some_and(|other| other > below) {
                wrong.insert(format!("{} uses {}", source.path.display(), path[1]));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_lints_know_the_same_pure_rooms() {
    let library = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs")).unwrap();
    let denied = "#[cfg_attr(not(test), deny(clippy::disallowed_methods))]\npub mod ";
    let in_lints: BTreeSet<&str> =
        library.split(denied).skip(1).filter_map(|rest| rest.split(';').next()).collect();
    let table = table();
    let in_table: BTreeSet<&str> =
        table.iter().filter(|(_, room)| room.is_pure).map(|(name, _)| name.as_str()).collect();
    assert_eq!(in_lints, in_table);
}

#[test]
fn pure_rooms_do_not_touch_the_world() {
    let table = table();
    let is_pure = |source: &&Source| table.get(source.room()).is_some_and(|room| room.is_pure);
    let mut wrong = Vec::new();
    for source in source::all().iter().filter(is_pure).filter(|source| !source.is_test()) {
        let code = source.code();
        wrong.extend(
            WORLD
                .iter()
                .filter(|word| names(&code, word))
                .map(|word| format!("{} names {word}", source.path.display())),
        );
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whether code names something, outside of string literals.
fn names(code: &str, name: &str) -> bool {
    code.lines().any(|line| line.find(name).is_some_and(|at| line[..at].matches('"').count() % 2 == 0))
}
