//! What would have been said in past sessions and about past commits.

use serde_json::{Value, json};

use crate::fits_schema;
use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::snapshot::assert_same;

fn call(place: &Place, id: &str, tool: &str, input: Value) -> String {
    json!({"type": "assistant", "timestamp": "2026-01-02T03:04:05.678Z", "sessionId": "s-1", "cwd": place.root(),
        "message": {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]}})
    .to_string()
}

fn result(id: &str, failed: bool, result: Value) -> String {
    json!({"type": "user", "timestamp": "2026-01-02T03:04:06Z", "toolUseResult": result,
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "is_error": failed}]}})
    .to_string()
}

/// A session as the client writes it down: a test is deleted, a check goes, a file is made, commands run.
fn transcript(place: &Place) -> String {
    let path = |name: &str| place.path(name).to_str().unwrap().to_owned();
    let edit =
        json!({"file_path": path(TEST_FILE), "old_string": ONE_TEST, "new_string": "", "replace_all": false});
    let guarded = "def add(a, b):\n    if a is None:\n        raise ValueError('a')\n    return a + b\n";
    let write = json!({"file_path": path("calc.py"), "content": "def add(a, b):\n    return a + b\n"});
    [
        r#"{"type":"queue-operation","operation":"enqueue","content":"go"}"#.to_owned(),
        call(place, "t1", "Edit", edit),
        result("t1", false, json!({"originalFile": TESTS})),
        call(place, "t2", "Write", write),
        result("t2", false, json!({"type": "update", "originalFile": guarded})),
        call(place, "t3", "Write", json!({"file_path": path("new.py"), "content": "x = 1\n"})),
        result("t3", false, json!({"type": "create", "originalFile": null})),
        call(place, "t4", "Bash", json!({"command": "git push --force origin main && rm -rf ~"})),
        result("t4", true, json!("Error: no")),
        call(place, "t5", "Bash", json!({"command": "ls -la && git status"})),
        result("t5", false, json!({"stdout": ""})),
        call(
            place,
            "t6",
            "Edit",
            json!({"file_path": path("lost.py"), "old_string": "a", "new_string": "b"}),
        ),
        "half a line {\"tool_use".to_owned(),
    ]
    .join("\n")
}

/// All that is below a folder, with what each file holds.
fn everything(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let mut found: Vec<_> = walkable(folder);
    found.sort();
    found
}

fn walkable(folder: &std::path::Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries
        .flat_map(|entry| match entry.path() {
            path if path.is_dir() => walkable(&path),
            path => vec![(path.clone(), std::fs::read(&path).unwrap())],
        })
        .collect()
}

#[test]
fn a_past_session_is_judged_and_nothing_is_changed() {
    let place = Place::new();
    let projects = place.home().join(".claude/projects/-p");
    std::fs::create_dir_all(&projects).unwrap();
    std::fs::write(projects.join("s-1.jsonl"), transcript(&place)).unwrap();
    let before = (everything(&place.root()), everything(&place.home()));
    assert_same(&place, "audit", &place.done(&["audit"]));
    let audit = fits_schema(&place, "audit", &place.done(&["audit", "--json"]));
    let stopped =
        |id: &str| audit["patterns"].as_array().unwrap().iter().find(|it| it["pattern_id"] == id).cloned();
    assert_eq!(stopped("LP-001").unwrap()["stopped"], 1, "{audit:#}");
    assert_eq!(
        (&audit["judged"], &audit["judged_by_piece"], &audit["sources"]),
        (&json!(6), &json!(1), &json!(1))
    );
    let page = place.done(&["audit", "--html", "-"]);
    assert!(page.contains("What Steadfast would have said") && page.contains("LP-001"), "{page}");
    let one = place.done(&["audit", "--json", "--transcripts", projects.join("s-1.jsonl").to_str().unwrap()]);
    assert_eq!(
        serde_json::from_str::<Value>(&one).unwrap()["said"].as_array().map(Vec::len),
        audit["said"].as_array().map(Vec::len)
    );
    assert_eq!((everything(&place.root()), everything(&place.home())), before);
}

#[test]
fn past_commits_are_judged_one_by_one() {
    let place = Place::new();
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    place.commit("Tidy up");
    place.write("notes.md", "more\n");
    place.commit("Notes");
    assert_same(&place, "audit-range", &place.done(&["audit", "--range", "HEAD~2.."]));
    let audit = fits_schema(&place, "audit", &place.done(&["audit", "--range", "HEAD~2..HEAD", "--json"]));
    assert_eq!((&audit["sources"], &audit["judged"]), (&json!(2), &json!(2)));
    let said = &audit["said"][0];
    assert_eq!((&said["pattern_id"], &said["call"]), (&json!("LP-001"), &json!("Tidy up")), "{audit:#}");
    assert!(!place.path(".aiwg").exists());
}

#[test]
fn what_can_not_be_audited_is_said() {
    let place = Place::new();
    let said = |arguments: &[&str]| {
        let output = place.steadfast(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    let errors = [
        said(&["audit", "--transcripts", "/nowhere"]),
        said(&["audit", "--range", "main"]),
        said(&["audit", "--range", "nobody..main"]),
    ];
    assert_same(&place, "audit-errors", &errors.concat());
}
