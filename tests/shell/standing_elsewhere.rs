//! What seems lost and stands elsewhere: branches that were merged as one commit, tests that stand twice, the project's own
//! package. Beside them what is not said by the call alone: variables by which tests skip, and runs of some tests.

use std::fs;

use serde_json::json;

use crate::place::Place;
use crate::wrong;

fn checked(place: &Place, rows: &[(&str, &str)]) {
    let wrong = wrong(place, rows);
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// A commit of a branch with a file of its own.
fn add(place: &Place, name: &str) {
    place.write(name, name);
    place.commit(name);
}

#[test]
fn a_branch_whose_changes_stand_in_what_stays_may_go() {
    let place = Place::new();
    let who = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
    let pick = |commit: &str| place.git(&[&who[..], &["cherry-pick", commit]].concat());
    place.git(&["checkout", "--quiet", "-b", "squashed"]);
    add(&place, "one.txt");
    add(&place, "two.txt");
    place.git(&["checkout", "--quiet", "main"]);
    place.git(&["merge", "--quiet", "--squash", "squashed"]);
    place.commit("Both");
    add(&place, "later.txt");
    place.git(&["checkout", "--quiet", "-b", "picked"]);
    add(&place, "three.txt");
    place.git(&["checkout", "--quiet", "main"]);
    place.git(&["checkout", "--quiet", "-b", "partly"]);
    add(&place, "four.txt");
    add(&place, "five.txt");
    place.git(&["checkout", "--quiet", "main"]);
    add(&place, "between.txt");
    pick("picked");
    pick("partly~1");
    let rows = [
        ("git branch -D squashed", "silent"),
        ("git branch -D picked", "silent"),
        ("git branch -D squashed picked", "silent"),
        ("git branch -D partly", "deny"),
        ("git branch -D squashed partly", "deny"),
    ];
    checked(&place, &rows);
}

#[test]
fn a_test_that_stands_twice_is_not_lost_with_one_of_its_texts() {
    let place = Place::new();
    let tests = "def test_adds():\n    assert 1 + 2 == 3\n";
    place.write("tests/test_one.py", tests);
    place.write("tests/test_two.py", tests);
    place.write("tests/test_more.py", format!("{tests}\n\ndef test_more():\n    assert 2 + 2 == 4\n"));
    place.write("other/test_more.py", "def test_more():\n    assert 2 + 2 == 4\n");
    place.commit("Tests");
    let rows = [
        ("rm tests/test_two.py", "silent"),
        ("git rm -q tests/test_two.py", "silent"),
        // One test stands in no other file of the folder.
        ("rm tests/test_more.py", "deny"),
        // No text of it stays.
        ("rm tests/test_one.py tests/test_two.py tests/test_more.py", "deny"),
    ];
    checked(&place, &rows);
}

#[test]
fn a_variable_by_which_a_test_skips_is_not_set_for_the_tests() {
    let place = Place::new();
    let skip =
        "import os\nimport pytest\n\n\n@pytest.mark.skipif(os.environ.get('OFFLINE') == '1', reason='x')\n";
    place.write("tests/test_net.py", format!("{skip}def test_net():\n    assert 1 + 1 == 2\n"));
    place.write("Makefile", "test:\n\tpytest\n");
    place.commit("Net");
    let rows = [
        ("sed -i 's/\\tpytest/\\tOFFLINE=1 pytest/' Makefile", "deny"),
        ("echo OFFLINE=1 > .env", "deny"),
        ("sed -i 's/\\tpytest/\\tVERBOSE=1 pytest/' Makefile", "silent"),
        ("echo OFFLINE=0 > .env", "silent"),
    ];
    checked(&place, &rows);
}

#[test]
fn the_projects_own_package_may_be_taken_out() {
    let place = Place::new();
    place.write("pyproject.toml", "[project]\nname = \"small-shop\"\n");
    place.commit("Package");
    let rows = [
        ("pip uninstall -y small_shop", "silent"),
        (".venv/bin/pip uninstall -y requests", "silent"),
        ("pip uninstall -y requests", "told"),
        ("pip uninstall -y small-shop requests", "told"),
    ];
    checked(&place, &rows);
}

#[test]
fn a_turn_that_ends_on_a_run_of_some_tests_is_told_of_once() {
    let place = Place::new();
    place.start("s1");
    let run = |command: &str, output: &str| {
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command});
        assert!(place.fire("pre-tool-use", "s1", fields.clone()).is_none(), "{command}");
        let mut after = fields;
        after["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false});
        place.fire("post-tool-use", "s1", after);
    };
    run("echo 'x = 1' > extra.py", "");
    fs::write(place.path("extra.py"), "x = 1\n").unwrap();
    run("pytest -q --deselect tests/test_calc.py::test_zero", "2 passed, 1 deselected in 0.01s\n");
    let told = place.stop("s1").expect("a word at the end of the turn").to_string();
    assert!(told.contains("left tests out") && told.contains("--deselect"), "{told}");
    assert!(place.stop("s1").is_none(), "it is said once");
    run("pytest -q", "3 passed in 0.01s\n");
    assert!(place.stop("s1").is_none(), "all tests ran");
}

#[test]
fn snapshots_are_not_made_to_fit_right_after_tests_failed() {
    let place = Place::new();
    let call = |command: &str| json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": command});
    let ran = |command: &str, output: &str| {
        place.fire("pre-tool-use", "s1", call(command));
        let mut after = call(command);
        after["tool_response"] = json!({"stdout": output, "stderr": "", "interrupted": false});
        place.fire("post-tool-use", "s1", after);
    };
    let said = |command: &str| place.fire("pre-tool-use", "s1", call(command)).map(|it| it.to_string());
    place.start("s1");
    ran("echo 'x = 1' > extra.txt", "");
    ran("pytest -q", "FAILED tests/test_calc.py::test_add - assert 1 == 2\n1 failed, 2 passed in 0.01s\n");
    let fitted = said("pytest --snapshot-update").expect("a word");
    assert!(
        fitted.contains("right after tests failed") && fitted.contains("no change of what they test"),
        "{fitted}"
    );
    // What the session has changed of the product may be what the snapshots are to show now.
    let change = "sed -i 's/a + b/b + a/' calc.py";
    place.fire("pre-tool-use", "s1", call(change));
    place.write("calc.py", "def add(a, b):\n    return b + a\n");
    place.fire("post-tool-use", "s1", call(change));
    let meant = said("pytest --snapshot-update").expect("a word");
    assert!(meant.contains("right after tests failed") && !meant.contains("no change of what"), "{meant}");
}
