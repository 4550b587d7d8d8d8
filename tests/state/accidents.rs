//! Whatever becomes of the guard's own files, no hook waits for them, and an open regression is not forgotten.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::place::Place;

/// What happens to a file.
type Accident = fn(&Path);

const ACCIDENTS: &[(&str, Accident)] = &[
    ("a pipe", |path| {
        remove(path);
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }),
    ("a device without an end", |path| {
        remove(path);
        symlink("/dev/zero", path).unwrap();
    }),
    ("a link to nowhere", |path| {
        remove(path);
        symlink("/nonexistent/x", path).unwrap();
    }),
    ("a folder", |path| {
        remove(path);
        fs::create_dir_all(path).unwrap();
    }),
    ("gone", remove),
    ("too large", |path| {
        remove(path);
        fs::File::create(path).unwrap().set_len(200 << 20).unwrap();
    }),
    ("another object", |path| {
        remove(path);
        fs::write(path, "{}").unwrap();
    }),
];

fn remove(path: &Path) {
    if path.is_dir() && !path.is_symlink() {
        fs::remove_dir_all(path).unwrap();
    } else if fs::symlink_metadata(path).is_ok() {
        fs::remove_file(path).unwrap();
    }
}

/// A place where session `s1` has lost a test to a script.
fn lost() -> Place {
    let place = Place::new();
    assert!(place.lose_by_script("s1").is_some());
    place
}

/// The answer to an edit that deletes another test.
fn deletes(place: &Place) -> String {
    let answer =
        place.edit("pre-tool-use", "s1", "\ndef test_negative():\n    assert add(-1, -2) == -3\n", "");
    answer.map(|answer| answer.to_string()).unwrap_or_default()
}

/// A test's deletion is denied, and the turn does not end, each within a moment. What a person was told.
fn holds(place: &Place, what: &str) -> String {
    let begun = Instant::now();
    let denied = deletes(place);
    assert!(denied.contains("deny"), "{what}: the guard is off: {denied}");
    let stop = place.stop("s1").unwrap_or_else(|| panic!("{what}: the turn ends without a word"));
    assert!(stop["hookSpecificOutput"]["additionalContext"].is_string(), "{what}: {stop}");
    assert!(begun.elapsed() < Duration::from_secs(4), "{what}: {:?}", begun.elapsed());
    stop["systemMessage"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn no_file_of_the_guard_hangs_a_hook_or_disarms_it() {
    let one = lost();
    let id = one.only_loop();
    let own = format!("loops/{id}");
    for name in [
        "registry.json".to_owned(),
        "registry.lock".to_owned(),
        format!("{own}/state.json"),
        format!("{own}/state.lock"),
        format!("{own}/hook-log.jsonl"),
        format!("{own}/hook-log.head"),
        format!("{own}/watch.json"),
        format!("{own}/touched.txt"),
    ] {
        for (what, accident) in ACCIDENTS {
            let place = lost();
            let name = name.replace(&id, &place.only_loop());
            accident(&place.path(".aiwg/ralph").join(&name));
            holds(&place, &format!("{name} is {what}"));
        }
    }
}

#[test]
fn a_lost_folder_is_told_and_nothing_is_forgotten_with_it() {
    for folder in [".aiwg", ".aiwg/ralph", ".aiwg/ralph/loops"] {
        for (what, accident) in ACCIDENTS {
            let place = lost();
            accident(&place.path(folder));
            let before = deletes(&place);
            assert!(before.contains("deny"), "{folder} is {what}: {before}");
            let after = holds(&place, &format!("{folder} is {what}"));
            assert!(
                format!("{before}{after}").contains("outside of the project"),
                "{folder} is {what}: nobody is told"
            );
            assert_eq!(place.state(&place.only_loop())["regression_detected"], true, "{folder} is {what}");
        }
    }
}

#[test]
fn a_turn_does_not_end_on_a_state_that_was_rewritten() {
    let place = lost();
    let registry = place.path(".aiwg/ralph/registry.json");
    let text = fs::read_to_string(&registry).unwrap();
    fs::write(&registry, text.replace("\"open_regressions\": 1", "\"open_regressions\": 0")).unwrap();
    let stop = place.stop("s1").unwrap();
    for said in [&stop["hookSpecificOutput"]["additionalContext"], &stop["systemMessage"]] {
        assert!(said.as_str().is_some_and(|said| said.contains("Critical")), "{stop}");
    }
}
