//! What a script does to files without naming them is seen afterwards, whatever the files are.

use std::process::Command;

use serde_json::{Value, json};

use crate::place::Place;

const SESSION: &str = "11111111-2222-4333-8444-555555555555";
const CHECKED: &str = "def load(path):\n    if not path.startswith('/srv/'):\n        raise ValueError('outside')\n    try:\n        return open(path).read()\n    except OSError as error:\n        raise LookupError(path) from error\n";
const GIVEN_UP: &str = "def load(path):\n    if not path.startswith('/srv/'):\n        raise ValueError('outside')\n    try:\n        return open(path).read()\n    except OSError:\n        pass\n";

fn git(place: &Place, arguments: &[&str]) {
    let identity = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    let output =
        Command::new("git").current_dir(place.root()).args(identity).args(arguments).output().unwrap();
    assert!(output.status.success(), "git {arguments:?}: {output:?}");
}

/// A script is run that does `work`; the answer of the guard after it.
fn script(place: &Place, number: u32, work: impl FnOnce()) -> String {
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": format!("toolu_{number}"),
        "tool_response": {"stdout": "", "stderr": ""},
    });
    let before = place.fire("pre-tool-use", SESSION, fields.clone());
    assert_eq!(before, None, "a script is let through");
    work();
    place.fire("post-tool-use", SESSION, fields).unwrap_or_default().to_string()
}

/// The patterns in the only loop's state.
fn patterns(place: &Place) -> Vec<String> {
    let state = place.state(&place.only_loop());
    let found = state["detected_patterns"].as_array().cloned().unwrap_or_default();
    found.iter().map(|hit| hit["pattern_id"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn product_code_that_a_script_changes_is_judged_with_its_bytes_from_before() {
    let place = Place::new();
    place.write("load.py", CHECKED);
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "--quiet", "-m", "More"]);
    let told = script(&place, 1, || place.write("load.py", GIVEN_UP));
    assert!(told.contains("LP-007") && told.contains("load.py"), "{told}");
    assert_eq!(patterns(&place), ["LP-007"]);
    assert!(told.contains("`steadfast undo --tool-call toolu_1` brings them back"), "{told}");
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(std::fs::read_to_string(place.path("load.py")).unwrap(), CHECKED, "as it says");
    place.done(&["undo", "--last"]);
    let told = script(&place, 2, || place.write("other.txt", "x"));
    assert!(!told.contains("LP-"), "what was judged is not judged again: {told}");
    assert_eq!(patterns(&place), ["LP-007"]);
}

#[test]
fn what_no_commit_holds_is_known_from_the_start_of_the_session() {
    let place = Place::new();
    place.write("load.py", CHECKED);
    let told = script(&place, 1, || place.write("load.py", GIVEN_UP));
    assert!(told.contains("LP-007"), "not committed yet: {told}");
    let place = Place::new();
    place.write("load.py", CHECKED);
    std::fs::remove_dir_all(place.path(".git")).unwrap();
    std::fs::create_dir_all(place.path(".aiwg/ralph")).unwrap();
    let told = script(&place, 1, || place.write("load.py", GIVEN_UP));
    assert!(told.contains("LP-007"), "without git: {told}");
}

#[test]
fn what_a_person_changed_by_hand_is_found_at_the_end_of_the_turn() {
    let place = Place::new();
    place.write("load.py", CHECKED);
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "--quiet", "-m", "More"]);
    let told = script(&place, 1, || {});
    assert!(!told.contains("LP-"), "{told}");
    place.write("load.py", GIVEN_UP);
    place.stop(SESSION);
    assert_eq!(patterns(&place), ["LP-007"]);
}

#[test]
fn another_branch_and_a_pull_are_no_loss_but_a_commit_of_the_session_is() {
    let place = Place::new();
    place.write("load.py", CHECKED);
    git(&place, &["add", "--all"]);
    let commit = |message: &str, date: &str| {
        let mut command = Command::new("git");
        command.current_dir(place.root()).env("GIT_COMMITTER_DATE", date).env("GIT_AUTHOR_DATE", date);
        command.args([
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.org",
            "commit",
            "--quiet",
            "-am",
            message,
        ]);
        assert!(command.status().unwrap().success());
    };
    git(&place, &["config", "user.email", "t@example.org"]);
    git(&place, &["config", "user.name", "T"]);
    commit("Checked", "2026-01-01T00:00:00Z");
    git(&place, &["branch", "other"]);
    git(&place, &["checkout", "--quiet", "other"]);
    place.write("load.py", GIVEN_UP);
    place.write(crate::place::TEST_FILE, crate::place::TESTS.replace(crate::place::ONE_TEST, ""));
    commit("Given up on the other branch", "2026-01-02T00:00:00Z");
    git(&place, &["checkout", "--quiet", "main"]);
    let told = script(&place, 1, || git(&place, &["checkout", "--quiet", "other"]));
    assert!(!told.contains("LP-"), "another branch: {told}");
    let told = script(&place, 2, || git(&place, &["checkout", "--quiet", "main"]));
    assert!(!told.contains("LP-"), "and back: {told}");
    let told = script(&place, 3, || {
        place.write("load.py", GIVEN_UP);
        git(&place, &["commit", "--quiet", "-am", "Given up"]);
    });
    assert!(told.contains("LP-007"), "the session's own commit: {told}");
    assert_eq!(patterns(&place), ["LP-007"]);
}

#[test]
fn a_thousand_generated_files_are_no_burden() {
    let place = Place::new();
    let told = script(&place, 1, || {
        for number in 0..1_500 {
            place.write(&format!("generated/file{number}.js"), format!("exports.n = {number};\n"));
        }
    });
    assert!(!told.contains("LP-"), "{told}");
    let started = std::time::Instant::now();
    assert_eq!(place.stop(SESSION), None::<Value>);
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}

#[test]
fn a_file_too_large_to_be_read_is_counted_and_the_person_is_told_once() {
    let place = Place::new();
    let one = "it('adds',()=>{expect(add(1,2)).toBe(3)});";
    let bundle = format!("/*a*/{}/*b*/{one}", one.repeat(10_000));
    assert!(bundle.len() > 400_000 && !bundle.contains('\n'));
    place.write("bundle.test.js", &bundle);
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "--quiet", "-m", "Bundle"]);
    let edit = |number: u32, old: &str, new: &str| {
        let fields = json!({
            "tool_name": "Edit", "tool_use_id": format!("toolu_{number}"),
            "tool_input": {"file_path": place.path("bundle.test.js"), "old_string": old, "new_string": new},
        });
        place.fire("pre-tool-use", SESSION, fields).unwrap_or_default()
    };
    let told = |answer: &Value| answer["systemMessage"].as_str().unwrap_or_default().to_owned();
    let said = "judged bundle.test.js by counting alone";
    let first = told(&edit(1, "/*a*/", "/*c*/"));
    assert!(first.contains(said) && first.contains("tests 10001 before and 10001 after"), "{first}");
    let second = told(&edit(2, "/*b*/", "/*d*/"));
    assert!(!second.contains(said), "said once: {second}");
    let log = place.log(&place.only_loop());
    let records = log.iter().filter(|record| record.to_string().contains(said)).count();
    assert_eq!(records, 2, "and recorded each time: {log:?}");
    let lost = edit(3, &format!("/*b*/{one}"), "").to_string();
    assert!(lost.contains("LP-001") && lost.contains("too large to name them"), "{lost}");
}

fn with_a_library() -> Place {
    let place = Place::new();
    place.write("shop/cart.py", "def add(cart, item):\n    return cart + [item]\n");
    place.write("shop/till.py", "def total(cart):\n    return sum(item.price for item in cart)\n");
    git(&place, &["add", "--all"]);
    git(&place, &["commit", "--quiet", "-m", "A library"]);
    place
}

#[test]
fn a_source_folder_that_a_script_empties_is_told_and_holds_the_turn_until_it_is_back() {
    let place = with_a_library();
    let told = script(&place, 1, || std::fs::remove_dir_all(place.path("shop")).unwrap());
    assert!(told.contains("no source file is left in shop/: 2 are gone"), "{told}");
    let held = place.stop(SESSION).unwrap_or_default().to_string();
    assert!(held.contains("regression"), "{held}");
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert!(place.path("shop/till.py").is_file());
    assert_eq!(place.stop(SESSION), None, "it is back");
}

#[test]
fn a_source_folder_that_a_script_moves_or_makes_smaller_is_none_that_is_emptied() {
    for rest in ["shop/till.py", "store/cart.py"] {
        let place = with_a_library();
        let told = script(&place, 1, || {
            std::fs::create_dir_all(place.path("store")).unwrap();
            std::fs::rename(place.path("shop/cart.py"), place.path("store/cart.py")).unwrap();
            if rest == "store/cart.py" {
                std::fs::rename(place.path("shop/till.py"), place.path("store/till.py")).unwrap();
            }
        });
        assert!(!told.contains("no source file"), "{rest}: {told}");
    }
}
