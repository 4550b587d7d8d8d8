//! A person writes at each moment of a loop, and the loop's work is then taken back in each way: nothing of hers goes
//! unnamed, and nothing of it counts as the session's.

use std::fs;
use std::io::Write;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::place::{HOOK, Place};
use crate::terminal::at_terminal;

/// When she writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    BeforeTheFirstCall,
    BetweenCalls,
    InACall,
    BeforeTheEnd,
    InTheVerification,
    AfterAKilledEnd,
    BetweenTurns,
}

const MOMENTS: &[Moment] = &[
    Moment::BeforeTheFirstCall,
    Moment::BetweenCalls,
    Moment::InACall,
    Moment::BeforeTheEnd,
    Moment::InTheVerification,
    Moment::AfterAKilledEnd,
    Moment::BetweenTurns,
];

/// A criterion that takes its time, and says when it has begun.
const SLOW: &str = "touch ../begun; sleep 0.5; test -f done || { echo not done; exit 1; }\n";

/// A person is slower than a tick of the file system's clock.
fn a_moment() {
    thread::sleep(Duration::from_millis(40));
}

fn project() -> Place {
    let place = Place::new();
    place.write("check.sh", SLOW);
    place.write("hers.py", "hers = 1\n");
    place.write("old.md", "old\n");
    place.commit("More");
    place.start_loop("one");
    place.start("s1");
    place
}

/// One story: the turns of a session, with a person's work at a moment.
struct Story {
    place: Place,
    moment: Moment,
    /// Whether she also writes into a file of the agent's.
    shares: bool,
}

impl Story {
    fn ada(&self, moment: Moment) {
        if moment != self.moment {
            return;
        }
        a_moment();
        self.place.write("hers.py", "hers = 2  # Ada\n");
        self.place.write("ada.txt", "Ada\n");
        fs::remove_file(self.place.path("old.md")).unwrap();
        if self.shares && self.place.path("left.py").exists() {
            self.place.write("left.py", "left = 1\n# Ada\n");
        }
        a_moment();
    }

    fn call(&self, path: &str, text: &str, within: Option<Moment>) {
        let input = json!({"file_path": self.place.path(path), "content": text});
        let fields = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": format!("toolu_{path}"),
            "tool_response": {}});
        self.place.fire("pre-tool-use", "s1", fields.clone());
        self.place.write(path, text);
        within.into_iter().for_each(|moment| self.ada(moment));
        self.place.fire("post-tool-use", "s1", fields);
    }

    /// The end of a turn as a process, once its criterion runs.
    fn begin_end(&self) -> Child {
        let begun = self.place.root().join("../begun");
        fs::remove_file(&begun).ok();
        let input = json!({"session_id": "s1", "cwd": self.place.root(), "permission_mode": "acceptEdits",
            "last_assistant_message": "All done.", "stop_hook_active": false});
        let mut child = self.place.command(HOOK).arg("stop").spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).unwrap();
        let since = Instant::now();
        while !begun.exists() && since.elapsed() < Duration::from_secs(20) {
            thread::sleep(Duration::from_millis(10));
        }
        child
    }

    fn turn(&self, loses: bool) {
        self.ada(Moment::BeforeTheFirstCall);
        self.call("left.py", "left = 1\n", None);
        self.ada(Moment::BetweenCalls);
        self.call("made.py", "made = 1\n", Some(Moment::InACall));
        if loses {
            self.place.lose_by_script("s1").expect("the loss is seen");
        }
        self.ada(Moment::BeforeTheEnd);
        if self.moment == Moment::AfterAKilledEnd {
            let mut child = self.begin_end();
            child.kill().unwrap();
            child.wait().unwrap();
            self.ada(Moment::AfterAKilledEnd);
        }
        let child = self.begin_end();
        self.ada(Moment::InTheVerification);
        child.wait_with_output().unwrap();
        self.ada(Moment::BetweenTurns);
        if !loses {
            self.place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
            self.call("more.py", "more = 1\n", None);
            self.place.stop("s1");
        }
    }

    /// What was taken of hers.
    fn taken(&self) -> Vec<&'static str> {
        let text = |path| fs::read_to_string(self.place.path(path)).unwrap_or_default();
        let shared = self.shares && !matches!(self.moment, Moment::BeforeTheFirstCall);
        let rows = [
            ("hers.py", text("hers.py").contains("# Ada")),
            ("ada.txt", text("ada.txt") == "Ada\n"),
            ("old.md", !self.place.path("old.md").exists()),
            ("left.py", !shared || text("left.py").contains("# Ada")),
        ];
        rows.into_iter().filter(|(_, is_there)| !is_there).map(|(name, _)| name).collect()
    }

    /// What the iterations list, with whether a call is known to have made it.
    fn artifacts(&self) -> Vec<(String, bool)> {
        let state = self.place.state("one");
        let records = state["iteration_history"].as_array().cloned().unwrap_or_default();
        let of = |record: &Value| record["artifacts"].as_array().cloned().unwrap_or_default();
        let all = records.iter().flat_map(of);
        all.filter_map(|it| Some((it["path"].as_str()?.to_owned(), it["without_call"] != true))).collect()
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Plays the story at each moment and answers what was taken of hers.
fn at_each_moment(shares: bool, loses: bool, way: impl Fn(&Story) -> Output) -> Vec<String> {
    let mut faults = Vec::new();
    for moment in MOMENTS {
        let story = Story { place: project(), moment: *moment, shares };
        story.turn(loses);
        let own = ["hers.py", "ada.txt", "old.md"];
        let artifacts = story.artifacts();
        if artifacts.iter().any(|(path, by_call)| *by_call && own.contains(&path.as_str())) {
            faults.push(format!("{moment:?}: taken for the session's work: {artifacts:?}"));
        }
        // What nobody's call made in an iteration is listed all the same.
        let is_listed = own.iter().all(|name| artifacts.iter().any(|(path, _)| path == name));
        if !is_listed && *moment != Moment::BetweenTurns {
            faults.push(format!("{moment:?}: not listed: {artifacts:?}"));
        }
        let output = way(&story);
        let (taken, said) = (story.taken(), said(&output));
        if !taken.is_empty() {
            faults.push(format!("{moment:?}: {taken:?} taken: {said}"));
        }
        let is_back = !story.place.path("made.py").exists();
        if output.status.success() && !is_back {
            faults.push(format!("{moment:?}: the agent's work is there still: {said}"));
        }
        let names_all = own.iter().all(|name| said.contains(name));
        if !names_all && !said.contains("files are as before iteration 1") {
            faults.push(format!("{moment:?}: not all of hers is named: {said}"));
        }
    }
    faults
}

#[test]
fn a_revert_takes_nothing_of_a_persons() {
    let faults = at_each_moment(true, false, |story| {
        let refused = story.place.steadfast(&["loop", "abort", "one", "--revert"]);
        assert!(!refused.status.success(), "{}", said(&refused));
        assert_eq!(story.place.state("one")["status"], "running");
        refused
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn an_undo_of_a_session_takes_nothing_of_a_persons() {
    let faults = at_each_moment(true, false, |story| story.place.steadfast(&["undo", "--session=one"]));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_rejection_takes_nothing_of_a_persons() {
    let faults = at_each_moment(false, true, |story| at_terminal(&story.place, "gate reject", ""));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_best_iteration_is_brought_back_without_a_persons_work() {
    let mut faults = Vec::new();
    for moment in MOMENTS {
        let story = Story { place: project(), moment: *moment, shares: true };
        story.call("first.py", "first = 1\n", None);
        story.place.stop("s1");
        story.turn(false);
        let output = at_terminal(&story.place, "best one --use 1 --reason first --apply", "");
        let taken = story.taken();
        if !taken.is_empty() || story.place.path("made.py").exists() {
            faults.push(format!("{moment:?}: {taken:?} taken: {}", said(&output)));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_revert_that_was_cut_short_is_finished_by_the_next() {
    let place = project();
    let files: Vec<String> = (0..40).map(|n| format!("src/m{n}.txt")).collect();
    for after in [10, 25, 40, 60, 90, 130, 180] {
        for file in &files {
            place.write(file, "before\n");
        }
        fs::remove_file(place.path("src/new.txt")).ok();
        place.commit("Files");
        let id = format!("cut-{after}");
        let session = format!("s-{after}");
        place.done(&["loop", "abort", "--all"]);
        place.start_loop(&id);
        place.start(&session);
        let fields = json!({"tool_name": "Bash", "tool_input": {"command": "python3 change.py"},
            "tool_use_id": format!("toolu_{after}"), "tool_response": {}});
        place.fire("pre-tool-use", &session, fields.clone());
        for file in &files[1..] {
            place.write(file, "after\n");
        }
        fs::remove_file(place.path(&files[0])).unwrap();
        place.write("src/new.txt", "new\n");
        place.fire("post-tool-use", &session, fields);
        let mut command = place.command_of_steadfast();
        let mut child =
            command.args(["loop", "abort", &id, "--revert"]).stdin(Stdio::null()).spawn().unwrap();
        thread::sleep(Duration::from_millis(after));
        child.kill().ok();
        child.wait().unwrap();
        if place.path(".aiwg/ralph/restore.json").exists() {
            assert!(place.done(&["status"]).contains("undo --continue"));
        }
        if place.state(&id)["status"] != "aborted" {
            let again = place.steadfast(&["loop", "abort", &id, "--revert"]);
            // A kill between the last file and its note leaves what may be newer work, which is named.
            if !again.status.success() {
                assert!(said(&again).contains("this may be newer work"), "{after}: {}", said(&again));
                place.done(&["loop", "abort", &id, "--revert", "--force"]);
            }
        }
        let text = |file: &String| fs::read_to_string(place.path(file)).unwrap_or_default();
        let wrong: Vec<&String> = files.iter().filter(|file| text(file) != "before\n").collect();
        assert!(wrong.is_empty() && !place.path("src/new.txt").exists(), "{after}: {wrong:?}");
        assert_eq!(place.state(&id)["status"], "aborted", "{after}");
    }
}

#[test]
fn a_pause_during_the_verification_holds() {
    let story = Story { place: project(), moment: Moment::BetweenTurns, shares: false };
    story.call("made.py", "made = 1\n", None);
    let child = story.begin_end();
    story.place.done(&["loop", "pause", "one"]);
    let answer = said(&child.wait_with_output().unwrap());
    let state = story.place.state("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("paused"), &json!(1)), "{answer}");
    assert!(!answer.contains("Continuing to iteration") && answer.contains("loop resume one"), "{answer}");
    assert_eq!(state["iteration_history"].as_array().map(Vec::len), Some(1));
    story.place.done(&["loop", "resume", "one"]);
    story.place.start("s1");
    story.place.fire("user-prompt-submit", "s1", json!({"prompt": "go on"}));
    story.call("done", "", None);
    story.place.stop("s1");
    assert_eq!(story.place.state("one")["status"], "completed");
}
