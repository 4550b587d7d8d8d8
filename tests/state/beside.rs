//! A person writes while a call of the agent's runs. What the call's own text does not account for may be hers: it is
//! named with the call, and neither a rejection nor a revert takes it.

use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::terminal::at_terminal;

/// A script that takes a test out, and names nothing else.
const TIDY: &str = "p = 'tests/test_calc.py'\ns = open(p).read()\nopen(p, 'w').write(s.replace(cut, ''))\n";
/// One that says of each file by itself whether it writes it.
const SWEEP: &str = "import glob\nfor p in glob.glob('*.py'):\n    open(p, 'a').write('#')\n";
/// One that makes names.
const MAKE: &str = "for n in range(3):\n    open(f'part_{n}.txt', 'w').write('')\n";

fn project() -> Place {
    let place = Place::new();
    for (name, text) in [("tidy.py", TIDY), ("sweep.py", SWEEP), ("make.py", MAKE), ("hers.py", "hers = 1\n")]
    {
        place.write(name, text);
    }
    place.commit("More");
    place.start_loop("one");
    place.start("s1");
    place
}

/// A call of a command, and what becomes of these files meanwhile.
fn call(place: &Place, command: &str, written: &[(&str, &str)]) {
    let fields = json!({"tool_name": "Bash", "tool_input": {"command": command},
        "tool_use_id": format!("toolu_{}", command.len()), "tool_response": {"stdout": "", "stderr": ""}});
    place.fire("pre-tool-use", "s1", fields.clone());
    thread::sleep(Duration::from_millis(30));
    written.iter().for_each(|(path, text)| place.write(path, text));
    thread::sleep(Duration::from_millis(30));
    place.fire("post-tool-use", "s1", fields);
}

fn hers(place: &Place) -> bool {
    let text = |path: &str| std::fs::read_to_string(place.path(path)).unwrap_or_default();
    text("hers.py") == "hers = 2\n" && text("ada.txt") == "Ada\n"
}

const HERS: [(&str, &str); 2] = [("hers.py", "hers = 2\n"), ("ada.txt", "Ada\n")];

#[test]
fn a_rejection_leaves_what_a_calls_text_does_not_account_for() {
    for command in ["python3 tidy.py", "python3 -c \"exec(open('tidy.py').read())\""] {
        let place = project();
        let lost = TESTS.replace(ONE_TEST, "");
        call(&place, command, &[&HERS[..], &[(TEST_FILE, &lost)]].concat());
        let output = at_terminal(&place, "gate reject", "");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(hers(&place), "{command}: {said}");
        assert!(said.contains("this may be somebody else's: ada.txt, hers.py"), "{command}: {said}");
        assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS, "{command}: {said}");
    }
}

#[test]
fn a_revert_does_not_take_what_a_check_or_a_script_does_not_account_for() {
    for command in ["python3 -m pytest", "python3 tidy.py"] {
        let place = project();
        call(&place, command, &HERS);
        let refused = place.steadfast(&["loop", "abort", "one", "--revert"]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(!refused.status.success() && hers(&place), "{command}: {said}");
        let why = format!("hers.py: changed while `{command}` ran; this may be somebody else's");
        assert!(said.contains(&why), "{command}: {said}");
        // The record of the iteration has them, as no call's.
        place.stop("s1");
        let state = place.state("one");
        let listed = state["iteration_history"][0]["artifacts"].as_array().cloned().unwrap_or_default();
        let is_told =
            |name: &str| listed.iter().any(|it: &Value| it["path"] == name && it["without_call"] == true);
        assert!(is_told("hers.py") && is_told("ada.txt"), "{command}: {listed:?}");
    }
}

#[test]
fn what_she_saves_right_before_a_call_is_not_the_calls() {
    for way in ["loop abort one --revert", "gate reject"] {
        for pause in [0, 2, 5, 10] {
            let place = project();
            place.write_by_call("left.py", "left = 1\n");
            thread::sleep(Duration::from_millis(40));
            place.write("left.py", "left = 1\n# Ada\n");
            thread::sleep(Duration::from_millis(pause));
            call(&place, "python3 tidy.py", &[]);
            if way == "gate reject" {
                place.lose_by_script("s1").expect("the loss is seen");
            }
            let output = at_terminal(&place, way, "");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            let text = std::fs::read_to_string(place.path("left.py")).unwrap_or_default();
            assert!(text.contains("# Ada") && said.contains("left.py"), "{way} {pause}: {said}");
        }
    }
}

#[test]
fn what_a_script_chooses_or_makes_by_itself_is_its_own() {
    let place = project();
    call(&place, "python3 sweep.py", &[("hers.py", "hers = 1\n#"), ("calc.py", "#")]);
    call(&place, "python3 make.py", &[("part_0.txt", ""), ("part_1.txt", "")]);
    place.done(&["loop", "abort", "one", "--revert"]);
    assert_eq!(std::fs::read_to_string(place.path("hers.py")).unwrap(), "hers = 1\n");
    assert!(!place.path("part_0.txt").exists() && !place.path("part_1.txt").exists());
}

#[test]
fn the_summary_counts_the_loops_work_and_names_what_others_changed() {
    let place = project();
    call(&place, "python3 tidy.py", &[("ada.txt", "Ada\n")]);
    call(&place, "python3 make.py", &[("part_0.txt", "1\n2\n")]);
    place.write("later.md", "Ada\n");
    place.write("done", "");
    let answer = place.stop("s1").unwrap_or_default();
    let said = answer["systemMessage"].as_str().unwrap_or_default();
    assert!(said.contains("Files modified: 1\n- Total changes: +2, -0\n"), "{said}");
    assert!(said.contains("- Changed by no call of this loop: ada.txt, done, later.md"), "{said}");
}
