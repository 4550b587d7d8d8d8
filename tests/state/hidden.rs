//! What git is told not to look at, Steadfast looks at all the same: in a session without a loop, and in a loop.

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

/// Each way to have git say nothing of the tests, as a script of the session or a person could take it.
const WAYS: &[(&str, &str)] = &[
    ("skipped", "git update-index --skip-worktree tests/test_calc.py"),
    ("assumed", "git update-index --assume-unchanged tests/test_calc.py"),
    (
        "replaced",
        "git replace $(git rev-parse HEAD:tests/test_calc.py) \
         $(sed '/def test_negative/,$d' tests/test_calc.py | git hash-object -w --stdin)",
    ),
    ("unseen times", "git config core.checkStat minimal; git config core.trustctime false"),
];

fn sh(place: &Place, script: &str) {
    let mut command = place.command("bash");
    command.args(["-c", script]).envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "T")));
    assert!(command.output().unwrap().status.success(), "{script}");
}

fn call(number: u32) -> Value {
    json!({"tool_name": "Bash", "tool_input": {"command": "sh tidy.sh"}, "tool_use_id": format!("toolu_{number}"),
        "tool_response": {"stdout": "", "stderr": ""}})
}

/// A script of the session that does `work`; the answer after it.
fn script(place: &Place, number: u32, work: impl FnOnce()) -> String {
    place.fire("pre-tool-use", "s1", call(number));
    work();
    place.fire("post-tool-use", "s1", call(number)).unwrap_or_default().to_string()
}

fn lose(place: &Place) {
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
}

fn names_the_loss(told: &str) -> bool {
    told.contains(TEST_FILE) && told.contains("LP-001")
}

#[test]
fn a_test_that_a_script_takes_is_told_whatever_git_was_told_before() {
    for (way, hides) in WAYS {
        for moment in ["before the session", "by an earlier call", "by the same call"] {
            let place = Place::new();
            if moment == "before the session" {
                sh(&place, hides);
            }
            place.start("s1");
            script(&place, 1, || {
                if moment == "by an earlier call" {
                    sh(&place, hides)
                }
            });
            let told = script(&place, 2, || {
                if moment == "by the same call" {
                    sh(&place, hides);
                }
                lose(&place);
            });
            assert!(names_the_loss(&told), "{way}, {moment}: {told}");
            place.done(&["undo", "--tool-call", "toolu_2"]);
            let back = std::fs::read_to_string(place.path(TEST_FILE)).unwrap();
            assert_eq!(back, TESTS, "{way}, {moment}");
        }
    }
}

#[test]
fn tests_that_a_sparse_checkout_takes_away_within_a_session_are_told() {
    let place = Place::new();
    place.start("s1");
    let told = script(&place, 1, || sh(&place, "git sparse-checkout set --no-cone '/*' '!/tests/'"));
    assert!(!place.path(TEST_FILE).exists());
    assert!(names_the_loss(&told), "{told}");
}

#[test]
fn what_a_person_has_hidden_from_git_and_nobody_touches_is_no_loss() {
    for (way, hides) in WAYS {
        let place = Place::new();
        sh(&place, hides);
        place.start("s1");
        let told = script(&place, 1, || place.write("notes.txt", "x\n"));
        assert!(!told.contains("LP-"), "{way}: {told}");
        place.stop("s1");
        assert_eq!(
            place.state(&place.only_loop())["regression_events"].as_array().map_or(0, Vec::len),
            0,
            "{way}"
        );
    }
}

#[test]
fn a_loop_whose_tests_are_hidden_from_git_does_not_end_without_them() {
    for (way, hides) in WAYS {
        let place = Place::new();
        place.start_loop("one");
        place.start("s1");
        script(&place, 1, || {
            sh(&place, hides);
            lose(&place);
        });
        place.write("done", "");
        place.stop("s1");
        assert_ne!(place.state("one")["status"], "completed", "{way}");
    }
}
