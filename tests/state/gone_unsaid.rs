//! Tests that go while git says nothing of it, or under the cover of another test of their name.

use std::fs;
use std::os::unix::fs::MetadataExt;

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

/// A test of the same name that claims something else.
const HOLLOW: &str = "def test_zero():\n    assert 1 + 1 == 2\n";

fn text(answer: Option<Value>) -> String {
    answer.map(|answer| answer.to_string()).unwrap_or_default()
}

fn is_stopped(answer: &str) -> bool {
    answer.contains("deny") || answer.contains("\"block\"") || answer.contains("regression")
}

/// A session that has written something, so that it is watched.
fn begun(place: &Place) {
    place.start("s1");
    let input = json!({"file_path": place.path("notes.py"), "content": "a = 1\n"});
    let fields = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "n", "tool_response": {}});
    place.fire("pre-tool-use", "s1", fields.clone());
    place.write("notes.py", "a = 1\n");
    place.fire("post-tool-use", "s1", fields);
}

/// A command has run, and has done `harm`. The answer to it, and to the turn's end.
fn ran(place: &Place, harm: impl FnOnce()) -> (String, String) {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 other.py"},
        "tool_use_id": "ran", "tool_response": {}});
    place.fire("pre-tool-use", "s1", fields.clone());
    harm();
    (text(place.fire("post-tool-use", "s1", fields)), text(place.stop("s1")))
}

/// Something changes the files between a call and the turn's end.
fn behind(place: &Place, harm: impl FnOnce()) -> String {
    ran(place, || ());
    harm();
    text(place.stop("s1"))
}

fn cut(place: &Place) {
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
}

#[test]
fn a_name_alone_carries_no_test_on() {
    for (path, content, carries) in [
        ("tests/test_more.py", HOLLOW.to_owned(), false),
        ("tests/test_more.py", "def test_zero():\n    assert add is not None\n".to_owned(), false),
        ("dist/test_calc.py", TESTS.to_owned(), false),
        ("tmp/test_calc.py", TESTS.to_owned(), false),
        ("archive/test_calc.py", TESTS.to_owned(), false),
        ("made/test_calc.py", TESTS.to_owned(), false),
        ("tests/test_more.py", TESTS.to_owned(), true),
        ("tests/unit/test_calc.py", TESTS.to_owned(), true),
    ] {
        let place = Place::new();
        place.write(".gitignore", "made/\n");
        place.commit("Ignored");
        begun(&place);
        let (after, stop) = ran(&place, || {
            place.write(path, &content);
            cut(&place);
        });
        assert_eq!(is_stopped(&after), !carries, "{path}: {content}: {after}");
        assert_eq!(is_stopped(&stop), !carries, "{path}: {content}: {stop}");
    }
}

#[test]
fn a_file_that_moves_behind_the_turn_to_where_no_runner_looks_is_found() {
    for (to, runs) in [("tests/calc_checks.py", false), ("tests/unit/test_calc.py", true)] {
        let place = Place::new();
        begun(&place);
        let stop = behind(&place, || {
            fs::create_dir_all(place.path(to).parent().unwrap()).unwrap();
            fs::rename(place.path(TEST_FILE), place.path(to)).unwrap();
        });
        assert_eq!(is_stopped(&stop), !runs, "{to}: {stop}");
    }
}

#[test]
fn what_was_there_before_the_session_is_no_new_place() {
    let place = Place::new();
    // The same names and no twin: the texts differ.
    place.write("tests/test_other.py", TESTS.replace(" == ", " ==  "));
    fs::remove_dir_all(place.path(".git")).unwrap();
    place.git(&["init", "--quiet"]);
    begun(&place);
    assert!(place.guards("s1"), "a repository without a commit");
    let (after, _) = ran(&place, || cut(&place));
    assert!(is_stopped(&after), "{after}");
}

/// Cuts a test without changing what a short look at the file says.
fn cut_in_place(place: &Place) {
    let path = place.path(TEST_FILE);
    let before = fs::metadata(&path).unwrap();
    let same_size = TESTS.replace(ONE_TEST, &format!("#{}\n", "x".repeat(ONE_TEST.len() - 2)));
    fs::write(&path, same_size).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(before.modified().unwrap()).unwrap();
    assert_eq!(before.size(), fs::metadata(&path).unwrap().size());
}

#[test]
fn no_setting_of_git_hides_a_cut() {
    let settings: &[&[&[&str]]] = &[
        &[
            &["config", "core.trustctime", "false"],
            &["config", "core.checkStat", "minimal"],
            &["status", "-s"],
        ],
        &[&["update-index", "--skip-worktree", TEST_FILE]],
        &[&["update-index", "--assume-unchanged", TEST_FILE]],
    ];
    for commands in settings {
        let place = Place::new();
        commands.iter().for_each(|command| place.git(command));
        begun(&place);
        let marks = commands.iter().any(|command| command.contains(&"update-index"));
        let stop = behind(&place, || if marks { cut(&place) } else { cut_in_place(&place) });
        assert!(is_stopped(&stop), "{commands:?}: {stop}");
    }
    // Set while the session runs.
    let place = Place::new();
    begun(&place);
    let stop = behind(&place, || {
        place.git(&["update-index", "--assume-unchanged", TEST_FILE]);
        cut(&place);
    });
    assert!(is_stopped(&stop), "{stop}");
    // A person's own change under such a mark is nobody's loss.
    let place = Place::new();
    place.git(&["update-index", "--skip-worktree", TEST_FILE]);
    cut(&place);
    begun(&place);
    let stop = behind(&place, || ());
    assert!(!is_stopped(&stop), "{stop}");
}

#[test]
fn where_git_does_not_answer_the_guards_own_look_decides() {
    let place = Place::new();
    begun(&place);
    let stop = behind(&place, || {
        cut(&place);
        let config = place.path(".git/config");
        fs::write(&config, fs::read_to_string(&config).unwrap() + "[x\n").unwrap();
    });
    assert!(is_stopped(&stop), "{stop}");
}

#[test]
fn a_repository_within_the_project_is_looked_at_too() {
    let place = Place::new();
    place.write("inner/tests/test_calc.py", TESTS);
    let inner = place.path("inner");
    let git = |arguments: &[&str]| {
        let who = ["-C", inner.to_str().unwrap(), "-c", "user.name=T", "-c", "user.email=t@example.org"];
        place.git(&[&who[..], arguments].concat());
    };
    git(&["init", "--quiet"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "-m", "Inner"]);
    begun(&place);
    let stop = behind(&place, || place.write("inner/tests/test_calc.py", TESTS.replace(ONE_TEST, "")));
    assert!(is_stopped(&stop), "{stop}");
}

#[test]
fn the_root_of_a_package_goes_with_the_tests_in_it() {
    const LIBRARY: &str = "pub fn add(a: i32, b: i32) -> i32 { a + b }\n\n#[cfg(test)]\nmod tests {\n    \
                           #[test]\n    fn adds() { assert_eq!(super::add(1, 2), 3); }\n}\n";
    let place = Place::new();
    place.write("Cargo.toml", "[package]\nname = \"app\"\nversion = \"0.1.0\"\n");
    place.write("src/lib.rs", LIBRARY);
    place.commit("A package");
    begun(&place);
    let stop = behind(&place, || fs::remove_file(place.path("src/lib.rs")).unwrap());
    assert!(is_stopped(&stop), "{stop}");
}
