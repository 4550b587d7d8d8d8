//! Kinds of commands, each beside its harmless look-alikes: the rows are data, judged in one repository with work that
//! can be lost.

use serde_json::Value;
use steadfast::lifecycle::call::explain;

use crate::level;
use crate::place::Place;

/// Every so many rows one is also sent to the hook itself.
const BY_THE_HOOK: usize = 12;

/// Uncommitted and untracked work, a stash, a branch of its own, a commit that was not pushed.
pub(crate) fn place_with_work(place: Place) -> Place {
    for (name, text) in [
        (".gitignore", "dist/\nnode_modules/\n"),
        ("src/a.py", "a = 1\n"),
        ("src/b.py", "b = 1\n"),
        ("src/c.py", "c = 1\n"),
        ("docs/a.md", "a\n"),
        ("docs/more/b.md", "b\n"),
        ("docs/more/c.md", "c\n"),
        ("tests/test_more.py", "def test_more():\n    assert True\n"),
        ("dist/x.js", "x\n"),
    ] {
        place.write(name, text);
    }
    place.commit("More");
    place.git(&["init", "--quiet", "--bare", "../remote.git"]);
    place.git(&["remote", "add", "origin", "../remote.git"]);
    place.git(&["push", "--quiet", "-u", "origin", "main"]);
    place.git(&["branch", "merged"]);
    place.git(&["checkout", "--quiet", "-b", "work"]);
    place.commit("Only here");
    place.git(&["checkout", "--quiet", "main"]);
    place.write("calc.py", "def add(a, b):\n    return a + b + 0\n");
    let who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    place.git(&[&who[..], &["stash", "--quiet"]].concat());
    place.write("calc.py", "def add(a, b):\n    return a + b\n");
    place.write("notes.txt", "untracked\n");
    place.write("../home/.profile", "x\n");
    place
}

/// The word for an explanation's verdict that the rows use.
pub(crate) fn said_by_explain(place: &Place, command: &str) -> &'static str {
    match explain::command(command, &place.root(), &place.home()).verdict {
        "stop" => "deny",
        "context" => "told",
        _ => "silent",
    }
}

#[test]
fn each_kind_is_judged_like_its_row_says() {
    let place = place_with_work(Place::new());
    let rows: Vec<Value> = include_str!("../../fixtures/commands/kinds.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    let text = |row: &Value, name: &str| row[name].as_str().expect("a text").to_owned();
    let mut wrong = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let (command, expected) = (text(row, "command"), text(row, "verdict"));
        let explained = said_by_explain(&place, &command);
        if explained != expected {
            wrong.push(format!("{command}: {explained}, not {expected}"));
        }
        // The hook says the same; a process for every row would take long.
        if number % BY_THE_HOOK == 0 {
            let hook = level(&place, number, &command);
            if hook != expected {
                wrong.push(format!("{command}: the hook says {hook}, not {expected}"));
            }
        }
    }
    assert!(rows.len() > 300);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}
