//! Whose a loss is: the session's whose call made it, nobody's where it was the session's own to take away, and everybody's
//! business where git's history, a kill or a removed module hides it.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};

const PROBE: &str = "\ndef test_probe():\n    assert add(7, 1) == 8\n";

fn looping(id: &str, session: &str) -> Place {
    let place = Place::new();
    place.start_loop(id);
    place.start(session);
    place
}

pub(crate) fn denied(answer: Option<&Value>) -> bool {
    answer.is_some_and(|answer| answer["hookSpecificOutput"]["permissionDecision"] == "deny")
}

/// A shell call with both its events: whether it was stopped, and what was said of it afterwards.
pub(crate) fn bash(place: &Place, session: &str, command: &str) -> (bool, Option<Value>) {
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": format!("toolu_{}", command.len()),
        "tool_response": {"stdout": "", "stderr": ""},
    });
    if denied(place.fire("pre-tool-use", session, fields.clone()).as_ref()) {
        return (true, None);
    }
    let who = ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"];
    let mut shell = place.command("sh");
    shell.args(["-c", command]).envs(who.map(|name| (name, "t@example.org")));
    assert!(shell.output().unwrap().status.success(), "{command}");
    (false, place.fire("post-tool-use", session, fields))
}

pub(crate) fn write(place: &Place, session: &str, path: &str, text: &str) -> Option<Value> {
    let fields = json!({
        "tool_name": "Write", "tool_input": {"file_path": place.path(path), "content": text},
        "tool_use_id": format!("toolu_{path}_{}", text.len()), "tool_response": {},
    });
    let before = place.fire("pre-tool-use", session, fields.clone());
    if !denied(before.as_ref()) {
        place.write(path, text);
        place.fire("post-tool-use", session, fields);
    }
    before
}

pub(crate) fn losses(place: &Place, id: &str) -> Vec<(String, String)> {
    let state = place.state(id);
    let events = state["regression_events"].as_array().cloned().unwrap_or_default();
    let of = |event: &Value, name: &str| event[name].as_str().unwrap_or_default().to_owned();
    events.iter().map(|event| (of(event, "regression_type"), of(event, "severity"))).collect()
}

fn critical() -> (String, String) {
    ("test_deletion".to_owned(), "critical".to_owned())
}

fn gates(place: &Place, id: &str) -> usize {
    let state = place.state(id);
    state["human_gates"]
        .as_array()
        .map_or(0, |all| all.iter().filter(|gate| gate["decision"].is_null()).count())
}

#[test]
fn the_loss_of_one_loop_gates_no_other_and_is_told_to_a_session_that_begins() {
    let place = looping("one", "s1");
    place.start_loop("two");
    place.start("s2");
    place.lose_by_script("s1").expect("the loss is seen");
    assert_eq!(gates(&place, "one"), 1);
    place.stop("s2");
    assert_eq!((gates(&place, "two"), losses(&place, "two")), (0, Vec::new()));
    assert!(!denied(write(&place, "s2", "more.py", "x = 1\n").as_ref()), "the other loop goes on");

    let told = place.start("s3").expect("a new session is told").to_string();
    assert!(told.contains("loop one"), "{told}");
    assert!(denied(write(&place, "s3", "more.py", "x = 2\n").as_ref()), "and held");
    assert!(!bash(&place, "s3", "cat more.py").0, "it reads");
}

#[test]
fn what_a_call_of_another_session_may_be_changing_is_left_to_that_session() {
    let place = looping("one", "s1");
    place.start_loop("two");
    place.start("s2");
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_long",
        "tool_response": {},
    });
    place.fire("pre-tool-use", "s1", fields);
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    place.stop("s2");
    assert_eq!(losses(&place, "two"), [], "the call of the first session still runs");
    place.stop("s1");
    assert_eq!(losses(&place, "one"), [critical()]);
}

#[test]
fn a_session_takes_away_what_it_added_itself_and_nothing_else() {
    let place = looping("one", "s1");
    write(&place, "s1", TEST_FILE, &format!("{TESTS}{PROBE}"));
    assert!(!denied(write(&place, "s1", TEST_FILE, TESTS).as_ref()), "its own test");
    assert!(place.guards("s1"), "a committed one");
    for command in [
        "rm tests/test_own.py",
        "git clean -fq tests/test_own.py",
        "python3 -c \"import os; os.remove('tests/test_own.py')\"",
    ] {
        write(&place, "s1", "tests/test_own.py", &format!("from calc import add\n{PROBE}"));
        let (stopped, said) = bash(&place, "s1", command);
        assert_eq!((stopped, said), (false, None), "{command}");
    }
    // What a command says itself is as much its own as what a tool writes.
    let text = format!("from calc import add\n{PROBE}");
    bash(&place, "s1", &format!("cat > tests/test_own.py <<'E'\n{text}E"));
    assert_eq!(bash(&place, "s1", "rm tests/test_own.py"), (false, None), "made by a here-document");
    place.stop("s1");
    assert_eq!(losses(&place, "one"), []);
    // What a person has put there is not the session's, wherever a command moves it.
    place.write("notes/test_hers.py", &text);
    bash(&place, "s1", "mv notes/test_hers.py tests/test_moved.py");
    assert!(bash(&place, "s1", "rm tests/test_moved.py").0);
    // Another test than any that stands elsewhere.
    place.write(
        "tests/test_hers.py",
        "from calc import add\n\ndef test_hers():\n    assert add(20, 2) == 22\n",
    );
    assert!(bash(&place, "s1", "rm tests/test_hers.py").0);
}

#[test]
fn tests_that_go_with_a_move_in_git_are_lost_in_a_loop_and_not_outside_of_one() {
    let thinner = || {
        let place = Place::new();
        place.git(&["config", "user.email", "t@example.org"]);
        place.git(&["config", "user.name", "T"]);
        place.git(&["branch", "old"]);
        place.write(TEST_FILE, format!("{TESTS}{PROBE}"));
        place.write("probe.py", "def probe(x):\n    y = x + 1\n    return y\n");
        place.commit("One more");
        place.git(&["branch", "same"]);
        place
    };
    for command in ["git checkout -q old", "git reset -q --hard old", "git switch -q -c w old"] {
        let place = thinner();
        place.start_loop("one");
        place.start("s1");
        let (stopped, _) = bash(&place, "s1", command);
        assert!(!stopped, "{command}");
        place.write("done", "");
        place.stop("s1");
        let state = place.state("one");
        assert_ne!(state["status"], "completed", "{command}");
        assert_eq!((losses(&place, "one"), gates(&place, "one")), (vec![critical()], 1), "{command}");
        assert!(state["regression_events"].to_string().contains("test_probe"), "{command}: it has a name");
    }
    let place = thinner();
    place.start_loop("one");
    place.start("s1");
    bash(&place, "s1", "git checkout -q same");
    place.write("done", "");
    place.stop("s1");
    assert_eq!((&place.state("one")["status"], losses(&place, "one")), (&json!("completed"), Vec::new()));

    let place = thinner();
    place.start("s1");
    assert_eq!(bash(&place, "s1", "git checkout -q old"), (false, None));
    assert_eq!(place.stop("s1"), None);
}

fn diagnoses(place: &Place) -> Vec<Value> {
    let state = place.state("one");
    let all = state["recovery_history"].as_array().cloned().unwrap_or_default();
    all.iter().map(|one| one["protocol_steps"]["diagnose"].clone()).collect()
}

#[test]
fn a_commit_that_a_person_checks_out_is_not_told_as_the_agents_doing() {
    for (by_agent, cause) in [(false, "outside_change"), (true, "reward_hacking")] {
        let place = Place::new();
        place.git(&["config", "user.email", "t@example.org"]);
        place.git(&["branch", "old"]);
        place.write(TEST_FILE, format!("{TESTS}{PROBE}"));
        place.commit("One more");
        // What is committed in the second in which the loop begins may be its work.
        std::thread::sleep(std::time::Duration::from_millis(1_100));
        place.start_loop("one");
        place.start("s1");
        match by_agent {
            true => _ = bash(&place, "s1", "git checkout -q old"),
            false => place.git(&["checkout", "--quiet", "old"]),
        }
        place.stop("s1");
        let told = diagnoses(&place);
        assert_eq!(told.len(), 1, "{by_agent}: {:?}", losses(&place, "one"));
        assert_eq!(told[0]["diagnosis"], cause, "{by_agent}: {told:#?}");
        let words = told[0]["root_cause"].as_str().unwrap_or_default();
        assert_eq!(words.contains("Agent "), by_agent, "{words}");
    }
}

#[test]
fn what_got_lost_in_the_work_is_diagnosed_by_what_it_was() {
    let mut causes = Vec::new();
    let load = "import json\n\n\ndef load(text):\n    try:\n        return json.loads(text)\n    except ValueError:\n        raise KeyError(text)\n";
    let tidied = "import json\n\n\ndef load(text):\n    try:\n        return json.loads(text)\n    except ValueError:\n        pass\n";
    for (path, text) in [("load.py", Some(tidied)), ("total.py", None)] {
        let place = Place::new();
        place.write("load.py", load);
        place.write("total.py", "def total(items):\n    found = 0\n    for item in items:\n        found += item\n    return found\n");
        place
            .write("main.py", "from total import total\nfrom load import load\n\nprint(total(load('[]')))\n");
        place.commit("Two modules");
        place.start_loop("one");
        place.start("s1");
        write(&place, "s1", "notes.py", "x = 1\n");
        place.stop("s1");
        match text {
            Some(text) => place.write(path, text),
            None => fs::remove_file(place.path(path)).unwrap(),
        }
        place.stop("s1");
        let told = diagnoses(&place);
        assert_eq!(told.len(), 1, "{path}: {:?}", losses(&place, "one"));
        assert_eq!(told[0]["diagnosis"], "task_complexity", "{path}: {told:#?}");
        causes.push(told[0]["root_cause"].as_str().unwrap_or_default().to_owned());
    }
    assert_ne!(causes[0], causes[1]);
}

#[test]
fn a_test_that_failed_and_goes_by_a_script_is_no_rework_of_an_earlier_edit() {
    let place = looping("one", "s1");
    place.write("why", "FAILED tests/test_calc.py::test_zero - assert 1 == 0\n1 failed, 2 passed in 0.01s\n");
    write(&place, "s1", "calc.py", "def add(a, b):\n    return a + b + 1\n");
    place.stop("s1");
    place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    place.lose_by_script("s1").expect("the loss is seen");
    let told = diagnoses(&place);
    assert_eq!(told[0]["diagnosis"], "reward_hacking", "{told:#?}");
    assert!(told[0]["confidence"].as_f64().unwrap_or_default() > 0.9, "{told:#?}");
}

#[test]
fn a_tracked_file_in_a_folder_of_output_is_the_calls_that_names_it() {
    let place = Place::new();
    place.write("build/x", "1\n");
    place.write("new.info", "2\n");
    place.commit("Output");
    place.start_loop("one");
    place.start("s1");
    bash(&place, "s1", "cp new.info build/x");
    place.stop("s1");
    let record = place.state("one")["iteration_history"][0].clone();
    let listed = record["artifacts"].as_array().cloned().unwrap_or_default();
    let built = listed.iter().find(|it| it["path"] == "build/x").cloned().unwrap_or_default();
    assert!(built["path"] == "build/x" && built["without_call"] != true, "{listed:#?}");
}

#[test]
fn a_hook_that_is_killed_after_a_call_forgets_no_loss() {
    let place = looping("one", "s1");
    let dies = "hooks:\n  regression_detected:\n    agents_to_invoke:\n      - agent: helper\n        purpose: \"x\"\n        required: false\n        command: [sh, -c, \"if [ ! -e once ]; then touch once; kill -9 $PPID; sleep 1; fi; echo '{\\\"role\\\":\\\"assistant\\\",\\\"content\\\":\\\"ok\\\",\\\"metadata\\\":{}}'\"]\n        inputs:\n          severity: \"{regression.severity}\"\n";
    place.write(".aiwg/ralph/hooks/persistence-hooks.yaml", dies);
    let fields = json!({
        "session_id": "s1", "cwd": place.root(), "permission_mode": "acceptEdits",
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_x", "tool_response": {},
    });
    place.fire("pre-tool-use", "s1", fields.clone());
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    let input = place.path("event.json");
    fs::write(&input, fields.to_string()).unwrap();
    let mut hook = place.command(env!("CARGO_BIN_EXE_steadfast-hook"));
    let status =
        hook.arg("post-tool-use").stdin(Stdio::from(fs::File::open(&input).unwrap())).status().unwrap();
    assert!(!status.success(), "it was killed");
    fs::remove_file(input).unwrap();
    place.write("done", "");
    place.stop("s1");
    assert_ne!(place.state("one")["status"], "completed");
    assert_eq!((losses(&place, "one"), gates(&place, "one")), (vec![critical()], 1));
}

#[test]
fn a_module_that_others_import_does_not_go_unnoticed() {
    let total =
        "def total(items):\n    found = 0\n    for item in items:\n        found += item\n    return found\n";
    let modules = || {
        let place = Place::new();
        place.write("total.py", total);
        place.write("main.py", "from total import total\nprint(total([]))\n");
        place.write("unused.py", total);
        place.write("index.js", "export { b } from './b.js';\nexport const VERSION = 3;\n");
        place.write("b.js", "export const b = 1;\n");
        place.write("use.js", "import { b, VERSION } from './index.js';\nconsole.log(b, VERSION);\n");
        place.commit("Modules");
        place.start_loop("one");
        place.start("s1");
        place
    };
    for command in [
        "rm total.py",
        "git rm -qf total.py",
        ": > total.py",
        "mv total.py ../gone.py",
        "sed -i /VERSION/d index.js",
    ] {
        let place = modules();
        let (stopped, _) = bash(&place, "s1", command);
        place.write("done", "");
        place.stop("s1");
        let is_seen = stopped || losses(&place, "one").iter().any(|(kind, _)| kind == "feature_removal");
        assert!(is_seen, "{command}: {:?}", losses(&place, "one"));
        // What is back is no loss.
        place.git(&["checkout", "-q", "--", "."]);
        place.git(&["reset", "-q", "--hard"]);
        place.stop("s1");
        let state = place.state("one");
        let open = state["regression_events"].as_array().cloned().unwrap_or_default();
        assert!(open.iter().all(|event| event["recovery_outcome"] == "success"), "{command}: {open:#?}");
    }
    let place = modules();
    for command in ["rm unused.py", "git mv total.py sums.py && sed -i 's/from total/from sums/' main.py"] {
        assert_eq!(bash(&place, "s1", command), (false, None), "{command}");
    }
    place.write("done", "");
    place.stop("s1");
    assert_eq!((&place.state("one")["status"], losses(&place, "one")), (&json!("completed"), Vec::new()));
}

#[test]
fn a_scope_holds_for_the_file_that_is_really_written() {
    let place = Place::new();
    place.write("src/a.py", "a = 1\n");
    place.write("docs/a.md", "x\n");
    place.commit("Folders");
    place.done(&[
        "loop",
        "start",
        "Make it right",
        "--until",
        crate::place::CRITERIA,
        "--loop-id",
        "one",
        "--scope",
        "src/**",
    ]);
    place.start("s1");
    std::os::unix::fs::symlink("../docs", place.path("src/link")).unwrap();
    std::os::unix::fs::symlink("../calc.py", place.path("src/one.py")).unwrap();
    for path in [
        "docs/a.md",
        "src/../docs/a.md",
        "src/no/../../docs/b.md",
        "src/link/a.md",
        "src/link/b.md",
        "src/one.py",
    ] {
        let input = json!({"file_path": place.path(path), "content": "y\n"});
        let answer = place.fire(
            "pre-tool-use",
            "s1",
            json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "t"}),
        );
        assert!(denied(answer.as_ref()), "{path}: {answer:?}");
    }
    assert!(!denied(write(&place, "s1", "src/../src/b.py", "b = 1\n").as_ref()));
    let fields =
        json!({"tool_name": "Bash", "tool_input": {"command": "python3 t.py"}, "tool_use_id": "toolu_t"});
    place.fire("pre-tool-use", "s1", fields.clone());
    place.write("docs/a.md", "z\n");
    place.fire("post-tool-use", "s1", fields);
    let told = place.stop("s1").unwrap_or_default().to_string();
    assert!(told.contains("SF-006") && told.contains("docs/a.md"), "{told}");
}

/// A loop that may write in `src` alone.
fn scoped() -> Place {
    let place = Place::new();
    place.write("src/a.py", "a = 1\n");
    place.write("docs/a.md", "x\n");
    place.commit("Folders");
    let start = ["loop", "start", "Make it right", "--until", crate::place::CRITERIA, "--loop-id", "one"];
    place.done(&[&start[..], &["--scope", "src/**"]].concat());
    place.start("s1");
    place
}

#[test]
fn what_a_command_makes_or_reaches_through_its_own_link_is_within_the_scope_too() {
    for command in [
        "touch docs/new.md",
        "rsync -a src/ docs/",
        "ln -s ../docs src/d && echo x > src/d/r.md",
        "echo q > ../beside.txt",
        "touch ../beside.txt",
        "cp src/a.py ../beside.py",
    ] {
        let place = scoped();
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"});
        let answer = place.fire("pre-tool-use", "s1", fields);
        assert!(denied(answer.as_ref()), "{command}: {answer:?}");
        assert!(answer.unwrap_or_default().to_string().contains("SF-006"), "{command}");
    }
    for command in [
        "touch src/new.py",
        "ln -s a.py src/b.py",
        "cp docs/a.md src/a.md",
        "ls > /dev/null",
        "touch /tmp/steadfast-scoped",
    ] {
        let place = scoped();
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "t"});
        let answer = place.fire("pre-tool-use", "s1", fields);
        assert!(!denied(answer.as_ref()), "{command}: {answer:?}");
    }
}

#[test]
fn what_a_script_leaves_beside_the_project_is_named() {
    let place = scoped();
    fs::write(place.root().join("../older.txt"), "old\n").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(50));
    let fields =
        json!({"tool_name": "Bash", "tool_input": {"command": "python3 t.py"}, "tool_use_id": "toolu_t"});
    place.fire("pre-tool-use", "s1", fields.clone());
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(place.root().join("../beside.txt"), "q\n").unwrap();
    std::thread::sleep(std::time::Duration::from_millis(20));
    place.fire("post-tool-use", "s1", fields);
    let told = place.stop("s1").unwrap_or_default().to_string();
    assert!(told.contains("SF-006") && told.contains("../beside.txt"), "{told}");
    assert!(!told.contains("older.txt"), "{told}");
}

#[test]
fn tests_that_a_script_deletes_with_all_their_sources_are_told() {
    let place = Place::new();
    place.write("shop.py", "def price(x):\n    y = x * 2\n    return y\n");
    place.write(
        "tests/test_shop.py",
        "from shop import price\n\ndef test_price():\n    assert price(2) == 4\n",
    );
    place.commit("Shop");
    place.start_loop("one");
    place.start("s1");
    // What a script names itself is told before it runs.
    place.write("old.list", "shop.py calc.py tests/test_shop.py tests/test_calc.py\n");
    place.write("tidy.py", "import os\nfor f in open('old.list').read().split():\n    os.remove(f)\n");
    let (_, told) = bash(&place, "s1", "python3 tidy.py");
    assert!(told.unwrap_or_default().to_string().contains("test_price"));
    place.write("done", "");
    place.stop("s1");
    assert_ne!(place.state("one")["status"], "completed");
}

#[test]
fn what_others_write_is_neither_a_loops_change_nor_outside_of_its_scope() {
    let place = Place::new();
    for (path, text) in [("src/a.py", "a = 1\n"), ("docs/a.md", "x\n"), ("docs/b.md", "x\n")] {
        place.write(path, text);
    }
    place.commit("Folders");
    let start = ["loop", "start", "Make it right", "--until", crate::place::CRITERIA, "--loop-id", "one"];
    place.done(&[&start[..], &["--scope", "src/**"]].concat());
    place.start("s1");
    place.start_loop("two");
    place.start("s2");
    for turn in 0..2 {
        place.write("docs/a.md", format!("a person's {turn}\n"));
        place.write("notes/mine.py", format!("mine = {turn}\n"));
        write(&place, "s2", "docs/b.md", &format!("of two {turn}\n"));
        write(&place, "s2", "calc.py", &format!("def add(a, b):\n    return a + b + {turn}\n"));
        write(&place, "s1", "src/a.py", &format!("a = {turn}{turn}\n"));
        let told = place.stop("s1").unwrap_or_default().to_string();
        assert!(!told.contains("SF-006"), "{told}");
        let state = place.state("one");
        let last = state["iteration_history"].as_array().unwrap().last().unwrap().clone();
        let listed = last["artifacts"].as_array().unwrap();
        let artifacts: Vec<(&str, bool)> =
            listed.iter().filter_map(|it| Some((it["path"].as_str()?, it["without_call"] == true))).collect();
        // A person's are listed as no call's, and those of the other loop not at all.
        assert_eq!(artifacts, [("docs/a.md", true), ("notes/mine.py", true), ("src/a.py", false)], "{turn}");
    }
}

#[test]
fn a_revert_names_whose_work_is_in_the_way() {
    let place = looping("one", "s1");
    place.start_loop("two");
    place.start("s2");
    place.write("calc.py", "def add(a, b):\n    return b + a\n");
    write(&place, "s1", "calc.py", "def add(a, b):\n    return b + a + 0\n");
    write(&place, "s2", "of_two.py", "y = 2\n");
    let refused = place.steadfast(&["loop", "abort", "one", "--revert"]);
    let said =
        String::from_utf8_lossy(&refused.stdout).into_owned() + &String::from_utf8_lossy(&refused.stderr);
    assert!(!refused.status.success(), "{said}");
    assert!(said.contains("of_two.py: the session of loop two has changed it"), "{said}");
    assert!(said.contains("calc.py: somebody else has changed it as well"), "{said}");
    assert!(place.path("of_two.py").exists());
}

#[test]
fn edits_that_the_session_alone_has_made_since_the_commit_are_its_own_to_discard() {
    const EDITED: &str = "def add(a, b):\n    return a + b\n";
    const PERSONS: &str = "def add(a, b):\n    return a - b  # why?\n";
    // What a person writes before the session's edit and after it, and whether discarding is stopped.
    for (before, after, stopped) in [
        (None, None, false),
        (Some(("calc.py", PERSONS)), None, true),
        (None, Some(("calc.py", PERSONS)), true),
        (None, Some(("check.sh", "test -f done\n")), true),
    ] {
        for command in ["git restore .", "git checkout -- .", "git reset -q --hard"] {
            let place = Place::new();
            place.start("s1");
            if let Some((path, text)) = before {
                place.write(path, text);
            }
            write(&place, "s1", "calc.py", "def add(a, b):\n    return b\n");
            write(&place, "s1", "calc.py", EDITED);
            if let Some((path, text)) = after {
                place.write(path, text);
            }
            // The whole tree may be the work of hours.
            let stopped = stopped || command.contains("reset");
            assert_eq!(bash(&place, "s1", command).0, stopped, "{command}: {before:?} {after:?}");
        }
    }
    let place = Place::new();
    place.start("s1");
    write(&place, "s1", "calc.py", EDITED);
    assert!(!bash(&place, "s1", "git restore calc.py").0);
    place.done(&["undo", "--last"]);
    assert_eq!(fs::read_to_string(place.path("calc.py")).unwrap(), EDITED, "its bytes are kept");
}
