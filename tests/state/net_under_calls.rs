//! The net under calls of which nobody knows what they change: what comes back by an undo, and whose it is.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::json;

use crate::net_by_chance::{SESSION, bash, sh as bytes_of};
use crate::place::Place;

/// Runs a script as a person at a shell would; what fails in it is no matter.
fn sh(place: &Place, folder: &Path, script: &str) -> String {
    String::from_utf8_lossy(&bytes_of(place, folder, script)).into_owned()
}

/// Runs a script as a call of the session between its two hooks.
fn call(place: &Place, id: &str, script: &str) {
    let fields = bash(id, script);
    place.fire("pre-tool-use", SESSION, fields.clone());
    sh(place, &place.root(), script);
    place.fire("post-tool-use", SESSION, fields);
}

#[test]
fn what_a_script_takes_of_any_kind_comes_back_and_goes_again() {
    let place = Place::new();
    place.write("photo.png", [0u8, 159, 146, 150, 255].repeat(100));
    place.write("notes.txt", "mine\n");
    place
        .write("clean.py", "import os\nfor name in ('photo.png', 'notes.txt', 'calc.py'): os.remove(name)\n");
    call(&place, "toolu_1", "python3 clean.py");
    assert!(!place.path("photo.png").exists() && !place.path("calc.py").exists());
    let told = place.done(&["undo", "--tool-call", "toolu_1"]);
    for name in ["photo.png", "notes.txt", "calc.py"] {
        assert!(place.path(name).exists() && told.contains(name), "{name}: {told}");
    }
    place.done(&["undo", "--last"]);
    assert!(!place.path("photo.png").exists(), "an undo can be undone");
}

#[test]
fn the_last_one_is_the_newest_call_and_never_an_older_one() {
    let place = Place::new();
    call(&place, "toolu_1", "python3 -c \"open('kept.txt', 'w').write('good work')\"");
    call(&place, "toolu_2", "python3 quiet.py");
    let output = place.steadfast(&["undo", "--last"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains("steadfast undo --tool-call toolu_1"), "{told}");
    assert!(place.path("kept.txt").exists());
    let list = place.done(&["undo", "--list"]);
    assert!(list.contains("created kept.txt"), "{list}");
}

#[test]
fn a_call_that_never_ended_is_undone_too() {
    let place = Place::new();
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_1",
    });
    place.write("notes.txt", "mine\n");
    place.fire("pre-tool-use", SESSION, fields);
    fs::remove_file(place.path("notes.txt")).unwrap();
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(fs::read_to_string(place.path("notes.txt")).unwrap(), "mine\n");
}

#[test]
fn what_git_ignores_is_never_taken_for_new() {
    let place = Place::new();
    place.write(".gitignore", ".env\n");
    place.write(".env", "SECRET=1\n");
    call(&place, "toolu_1", "python3 -c \"import os; os.remove('.gitignore')\"");
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert!(place.path(".gitignore").exists());
    assert_eq!(fs::read_to_string(place.path(".env")).unwrap(), "SECRET=1\n", "it was there before");
}

#[test]
fn nothing_of_the_net_shows_in_git() {
    let place = Place::new();
    place.write("calc.py", "changed\n");
    call(&place, "toolu_1", "git stash -q && git stash drop -q");
    let root = place.root();
    assert_eq!(sh(&place, &root, "git for-each-ref | wc -l").trim(), "1");
    assert_eq!(sh(&place, &root, "git log --all --oneline | wc -l").trim(), "1");
    assert_eq!(sh(&place, &root, "git status --porcelain"), "");
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(fs::read_to_string(place.path("calc.py")).unwrap(), "changed\n");
}

/// Begins a call of an agent of the session that nobody knows the effect of.
fn begin(place: &Place, agent: Option<&str>, id: &str, script: &str) {
    place.fire("pre-tool-use", SESSION, of_agent(agent, id, script));
}

fn of_agent(agent: Option<&str>, id: &str, script: &str) -> serde_json::Value {
    let mut fields = bash(id, script);
    if let Some(agent) = agent {
        fields["agent_id"] = json!(agent);
    }
    fields
}

/// The lines of the list of what is kept that are about a call.
fn listed(place: &Place, id: &str) -> String {
    let list = place.done(&["undo", "--list"]);
    let lines: Vec<&str> = list.lines().skip_while(|line| !line.ends_with(id)).take(2).collect();
    lines.join("\n")
}

#[test]
fn a_call_that_the_client_refused_is_not_credited_with_a_later_one() {
    let place = Place::new();
    place.write("notes.txt", "mine\n");
    begin(&place, None, "toolu_refused", "python3 tidy.py");
    call(&place, "toolu_1", "python3 -c \"open('notes.txt', 'w').write('theirs')\"");
    let edit = json!({
        "tool_name": "Write", "tool_use_id": "toolu_2", "tool_response": {},
        "tool_input": {"file_path": place.path("new.txt"), "content": "new\n"},
    });
    begin(&place, None, "toolu_denied", "python3 other.py");
    place.fire("pre-tool-use", SESSION, edit.clone());
    place.write("new.txt", "new\n");
    place.fire("post-tool-use", SESSION, edit);
    place.fire("stop", SESSION, json!({"last_assistant_message": "done"}));
    assert_eq!(listed(&place, "toolu_refused"), "");
    assert_eq!(listed(&place, "toolu_denied"), "");
    assert!(listed(&place, "toolu_1").contains("changed notes.txt"), "{}", listed(&place, "toolu_1"));
    assert!(listed(&place, "toolu_2").contains("created new.txt"), "{}", listed(&place, "toolu_2"));
}

#[test]
fn what_a_call_that_was_broken_off_had_done_is_its_own() {
    let place = Place::new();
    begin(&place, None, "toolu_broken", "python3 tidy.py");
    place.write("made.txt", "half\n");
    call(&place, "toolu_1", "python3 -c \"open('notes.txt', 'w').write('theirs')\"");
    place.fire("stop", SESSION, json!({"last_assistant_message": "done"}));
    let broken = listed(&place, "toolu_broken");
    assert!(broken.contains("created made.txt") && !broken.contains("notes.txt"), "{broken}");
    place.done(&["undo", "--tool-call", "toolu_broken"]);
    assert!(!place.path("made.txt").exists() && place.path("notes.txt").exists());
}

#[test]
fn calls_side_by_side_keep_what_each_of_them_changes() {
    for other in [None, Some("agent-2")] {
        let place = Place::new();
        begin(&place, None, "toolu_long", "python3 long.py");
        begin(&place, other, "toolu_short", "python3 short.py");
        place.write("short.txt", "x\n");
        place.fire("post-tool-use", SESSION, of_agent(other, "toolu_short", "python3 short.py"));
        place.write("long.txt", "x\n");
        place.fire("post-tool-use", SESSION, of_agent(None, "toolu_long", "python3 long.py"));
        let long = listed(&place, "toolu_long");
        assert!(long.contains("long.txt"), "{other:?}: {long}");
        place.done(&["undo", "--tool-call", "toolu_long"]);
        assert!(!place.path("long.txt").exists(), "{other:?}");
    }
}

#[test]
fn a_call_that_removes_nobody_knows_what_is_undone() {
    let place = Place::new();
    place.write("notes.txt", "mine\n");
    let fields = of_agent(None, "toolu_1", "rm \"$NOTES\"");
    place.fire("pre-tool-use", SESSION, fields.clone());
    fs::remove_file(place.path("notes.txt")).unwrap();
    place.fire("post-tool-use", SESSION, fields);
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(fs::read_to_string(place.path("notes.txt")).unwrap(), "mine\n");
}

#[test]
fn the_guards_own_line_is_nobodys_newer_work() {
    let place = Place::new();
    place.write(".git/info/exclude", "*.tmp");
    place.write("target.txt", ".git/info");
    place.write("tidy.py", "import shutil\nshutil.rmtree(open('target.txt').read())\n");
    call(&place, "toolu_1", "python3 tidy.py");
    call(&place, "toolu_2", "git clean -qfd");
    assert!(fs::read_to_string(place.path(".git/info/exclude")).unwrap().contains(".aiwg/ralph"));
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert!(fs::read_to_string(place.path(".git/info/exclude")).unwrap().starts_with("*.tmp"));
}

#[test]
fn an_undo_says_nothing_of_ignored_folders_that_came() {
    let place = Place::new();
    place.write(".gitignore", "/made/\n");
    call(&place, "toolu_1", "python3 -c \"import os; os.remove('calc.py'); os.makedirs('made/deep')\"");
    let told = place.done(&["undo", "--tool-call", "toolu_1"]);
    assert!(place.path("calc.py").exists() && !told.contains("refused"), "{told}");
}

/// Runs a script as a call of the session; answers what the two hooks asked of git.
fn asked(place: &Place, script: &str, id: &str) -> String {
    let tools = place.home().with_file_name("tools");
    fs::create_dir_all(&tools).unwrap();
    let asked = tools.join("asked");
    let git = String::from_utf8(bytes_of(place, &place.root(), "command -v git")).unwrap();
    let wrapper = format!("#!/bin/sh\necho \"$@\" >> {}\nexec {} \"$@\"\n", asked.display(), git.trim());
    fs::write(tools.join("git"), wrapper).unwrap();
    fs::set_permissions(tools.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(&asked, "").unwrap();
    let path = format!("{}:{}", tools.display(), std::env::var("PATH").unwrap());
    let fields = bash(id, script);
    place.fire_with(&[("PATH", path.as_str())], "pre-tool-use", SESSION, fields.clone());
    sh(place, &place.root(), script);
    place.fire_with(&[("PATH", path.as_str())], "post-tool-use", SESSION, fields);
    fs::read_to_string(asked).unwrap()
}

#[test]
fn git_is_not_asked_where_the_looks_tell_what_changed() {
    let place = Place::new();
    place.write("src/work.py", "def work():\n    return 1\n");
    place.git(&["add", "-A"]);
    place.git(&["commit", "-qm", "one"]);
    call(&place, "toolu_1", "python3 quiet.py");
    assert_eq!(asked(&place, "python3 quiet.py", "toolu_2"), "", "nothing changed");
    assert_eq!(asked(&place, "python3 -c \"open('new.txt', 'w').write('n')\"", "toolu_3"), "", "a new file");
    let edit = "python3 -c \"open('src/work.py', 'a').write('# more')\"";
    assert_eq!(asked(&place, edit, "toolu_4"), "", "a tracked file");
    let commit = "python3 -c \"__import__('os').system('git commit -qam two --no-verify')\"";
    assert!(asked(&place, commit, "toolu_5").contains("diff"), "what is git's own has changed");
}

#[test]
fn a_test_that_a_script_empties_is_told_without_git() {
    let place = Place::new();
    call(&place, "toolu_1", "python3 quiet.py");
    let script = "python3 -c \"open('tests/test_calc.py', 'w').write('')\"";
    let fields = bash("toolu_2", script);
    place.fire("pre-tool-use", SESSION, fields.clone());
    sh(&place, &place.root(), script);
    let told = place.fire("post-tool-use", SESSION, fields).unwrap_or_default().to_string();
    assert!(told.contains("tests/test_calc.py"), "{told}");
}

#[test]
fn calls_that_change_nothing_leave_nothing_but_lines() {
    let place = Place::new();
    let kept = || sh(&place, &place.root(), "find .aiwg -type f | sort");
    for number in 0..2 {
        call(&place, &format!("toolu_a{number}"), "python3 quiet.py");
    }
    let before = kept();
    for number in 0..10 {
        call(&place, &format!("toolu_b{number}"), "python3 quiet.py");
    }
    assert_eq!(kept(), before);
}
