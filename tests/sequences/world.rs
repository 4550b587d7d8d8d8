//! A project with two loops and their sessions, what every file of it holds by rights, and what happens to it.
//!
//! Every file has its last writer. What a step itself does is done here and noted; whatever else is different
//! afterwards was done by Steadfast.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::invariants::Seen;
use crate::place::Place;
use crate::steps::{Deed, Step, TESTS};
use crate::terminal::at_terminal;

const HOOK: &str = env!("CARGO_BIN_EXE_steadfast-hook");
/// Who commits.
const WHO: [&str; 4] = ["-c", "user.name=T", "-c", "user.email=t@example.org"];
/// A person is slower than a tick of the file system's clock.
const MOMENT: Duration = Duration::from_millis(12);
/// The loops' criterion and runner: it runs every test that is not switched off, and one fails until a file is there.
const CHECK: &str = "test -f \"slow-$1\" && sleep 0.3\n\
    n=$(cat tests/*.py 2>/dev/null | grep -c '^def test_')\n\
    s=$(cat tests/*.py 2>/dev/null | grep -c '^@pytest.mark.skip')\n\
    if test -f \"done-$1\"; then echo \"=== $((n - s)) passed in 0.01s ===\"; exit 0; fi\n\
    echo \"=== 1 failed, $((n - s - 1)) passed in 0.01s ===\"; exit 1\n";

/// The texts of the files with tests, and the names of the tests that are there, and that run.
struct Tests {
    files: BTreeMap<String, String>,
    there: BTreeSet<String>,
    running: BTreeSet<String>,
}

/// Who wrote a file last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Writer {
    Nobody,
    Session(usize),
    Person,
    Steadfast,
}

/// A session: its place among all of its client, and its loop.
pub(crate) struct Session {
    pub(crate) name: String,
    pub(crate) loop_id: String,
    number: usize,
}

/// The project and all that is known of it.
pub(crate) struct World {
    pub(crate) place: Place,
    pub(crate) sessions: [Session; 2],
    /// What each file holds by rights (`None` when it is gone), and who wrote it last.
    pub(crate) files: BTreeMap<String, (Option<Vec<u8>>, Writer)>,
    /// The tests that Steadfast took away, until somebody else touches them.
    pub(crate) taken_by_steadfast: BTreeSet<String>,
    /// The tests that a rejection brought back. Whoever undoes it has their loss again.
    rejected: BTreeSet<String>,
    /// Whose call took a test away, where that is beyond doubt.
    pub(crate) lost_by: BTreeMap<String, usize>,
    pub(crate) seen: Seen,
    counter: u32,
    /// What the newest call of each session writes.
    values: [u32; 2],
}

pub(crate) fn tests_of(who: usize) -> String {
    let tests = (0..TESTS).map(|n| format!("\ndef test_{who}_{n}():\n    assert add({n}, 1) == {}\n", n + 1));
    format!("import pytest\nfrom src.shared import add\n{}", tests.collect::<String>())
}

fn test_file(who: usize) -> String {
    format!("tests/test_{who}.py")
}

impl World {
    /// Two loops that a person has started, each with its session.
    pub(crate) fn new() -> World {
        let place = Place::new();
        std::fs::remove_file(place.path(crate::place::TEST_FILE)).unwrap();
        place.write("check.sh", CHECK);
        place.write("src/shared.py", "def add(a, b):\n    return a + b\n");
        place.write("docs/notes.md", "notes\n");
        place.write(".gitignore", "done-*\nslow-*\n");
        place.commit("Without tests");
        place.git(&["branch", "--quiet", "other"]);
        for who in 0..2 {
            place.write(&test_file(who), tests_of(who));
            for n in 0..3 {
                place.write(&format!("src/m{who}_{n}.py"), format!("def f_{n}():\n    return {n}\n"));
            }
        }
        place.commit("With tests");
        let session = |who| Session { name: format!("s{who}-0"), loop_id: String::new(), number: 0 };
        let mut world = World {
            place,
            sessions: [session(0), session(1)],
            files: BTreeMap::new(),
            taken_by_steadfast: BTreeSet::new(),
            rejected: BTreeSet::new(),
            lost_by: BTreeMap::new(),
            seen: Seen::default(),
            counter: 0,
            values: [0, 0],
        };
        world.sync(Writer::Nobody);
        for who in 0..2 {
            world.start_loop(who);
        }
        world
    }

    /// A person starts a loop for a session that begins then.
    fn start_loop(&mut self, who: usize) {
        self.counter += 1;
        let id = format!("loop-{who}-{}", self.counter);
        let until = format!("sh check.sh {who} passes");
        self.place.done(&["loop", "start", "Make it right", "--until", &until, "--loop-id", &id]);
        self.seen.note_start(&id, self.running_tests());
        self.sessions[who].loop_id = id;
        let name = self.next_session(who);
        self.place.start(&name);
    }

    fn next_session(&mut self, who: usize) -> String {
        let session = &mut self.sessions[who];
        session.number += 1;
        session.name = format!("s{who}-{}", session.number);
        session.name.clone()
    }

    /// All files but the guard's and git's own.
    pub(crate) fn on_disk(&self) -> BTreeMap<String, Vec<u8>> {
        let root = self.place.root();
        let paths = crate::own_files::files(&root).into_iter();
        let named = paths.filter_map(|path| {
            let name = path.strip_prefix(&root).ok()?.to_str()?.to_owned();
            let is_own = name.starts_with(".aiwg/") || name.starts_with(".git/");
            (!is_own).then(|| std::fs::read(&path).map(|bytes| (name, bytes)).ok()).flatten()
        });
        named.collect()
    }

    /// What differs from what is there by rights, with its last writer.
    pub(crate) fn differences(&self) -> Vec<(String, Writer)> {
        let now = self.on_disk();
        let names: BTreeSet<&String> = now.keys().chain(self.files.keys()).collect();
        let differs = names
            .into_iter()
            .filter(|name| now.get(*name) != self.files.get(*name).and_then(|(bytes, _)| bytes.as_ref()));
        let writer = |name: &String| self.files.get(name).map_or(Writer::Nobody, |(_, writer)| *writer);
        differs.map(|name| (name.clone(), writer(name))).collect()
    }

    /// Takes the disk as it is; what differs was written by `writer`.
    fn sync(&mut self, writer: Writer) {
        for (name, _) in self.differences() {
            let bytes = std::fs::read(self.place.path(&name)).ok();
            self.files.insert(name, (bytes, writer));
        }
    }

    /// The tests that run: neither gone nor switched off.
    pub(crate) fn running_tests(&self) -> BTreeSet<String> {
        let of_tests = self.files.iter().filter(|(name, _)| name.starts_with("tests/"));
        let mut names = BTreeSet::new();
        for (_, (bytes, _)) in of_tests {
            let text = String::from_utf8_lossy(bytes.as_deref().unwrap_or_default());
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in lines.iter().enumerate() {
                let is_off = at > 0 && lines[at - 1].starts_with("@pytest.mark.skip");
                if let Some(rest) = line.strip_prefix("def ").filter(|_| !is_off) {
                    names.insert(rest.split('(').next().unwrap_or_default().to_owned());
                }
            }
        }
        names
    }

    fn put(&mut self, path: &str, text: impl AsRef<[u8]>, writer: Writer) {
        self.place.write(path, text.as_ref());
        self.files.insert(path.to_owned(), (Some(text.as_ref().to_vec()), writer));
    }

    fn remove(&mut self, path: &str, writer: Writer) {
        if std::fs::remove_file(self.place.path(path)).is_ok() {
            self.files.insert(path.to_owned(), (None, writer));
        }
    }

    fn exists(&self, path: &str) -> bool {
        self.files.get(path).is_some_and(|(bytes, _)| bytes.is_some())
    }

    fn text(&self, path: &str) -> String {
        let bytes = self.files.get(path).and_then(|(bytes, _)| bytes.as_deref()).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// Lets a step happen, and looks at everything after it.
    pub(crate) fn take(&mut self, step: &Step) -> Result<(), String> {
        self.happen(step)?;
        self.check(step)
    }

    /// A person ends what is left, and everything is looked at once more.
    pub(crate) fn end(&mut self) -> Result<(), String> {
        for id in self.known_loops() {
            let is_over =
                |status: &Value| matches!(status.as_str(), Some("completed" | "aborted" | "failed"));
            if is_over(&self.place.state(&id)["status"]) {
                continue;
            }
            let output = self.place.steadfast(&["loop", "abort", &id]);
            let status = self.place.state(&id)["status"].clone();
            if !output.status.success() || status != "aborted" {
                return Err(format!("loop {id} can't be ended: {status}, {}", said(&output)));
            }
        }
        self.check(&Step::Loop(0, 2))
    }

    fn happen(&mut self, step: &Step) -> Result<(), String> {
        match *step {
            Step::Call(who, deed) => self.call(who, deed, None, None),
            Step::KilledBefore(who, deed, after) => self.call(who, deed, Some(after), None),
            Step::KilledAfter(who, deed, after) => self.call(who, deed, None, Some(after)),
            Step::Both(one, two) => self.both([one, two]),
            Step::Stop(who) => _ = self.place.stop(&self.sessions[who].name),
            Step::PersonInStop(who, what) => self.person_in_stop(who, what),
            Step::KilledStop(who, after) => _ = self.killed("stop", who, &end_of_turn(), after),
            Step::StopThrice(who) => self.stop_thrice(who),
            Step::Prompt(who) => _ = self.fire("user-prompt-submit", who, json!({"prompt": "go on"})),
            Step::Clear(who) => self.change_session(who, "clear", "clear"),
            Step::Close(who) => self.change_session(who, "other", "startup"),
            Step::Resume(who) => {
                self.fire("session-end", who, json!({"reason": "other"}));
                self.fire("session-start", who, json!({"source": "resume"}));
            }
            Step::Criterion(who, holds) => self.criterion(who, holds),
            Step::Person(what) => self.person(what),
            Step::PersonInGit(what) => self.person_in_git(what),
            Step::Gate(who, way) => return self.gate(who, way),
            Step::FalseAlarm(who) => return self.false_alarm(who),
            Step::Undo(who, way) => return self.undo(who, way),
            Step::Best(who) => return self.by_steadfast(who, &["best", &self.loop_of(who), "--apply"]),
            Step::Loop(who, way) => {
                let id = self.loop_of(who);
                let words: &[&str] = match way {
                    0 => &["loop", "pause", &id],
                    1 => &["loop", "resume", &id],
                    2 => &["loop", "abort", &id],
                    _ => &["loop", "abort", &id, "--revert"],
                };
                return self.by_steadfast(who, words);
            }
            Step::Again(who) => {
                let status = self.place.state(&self.sessions[who].loop_id)["status"].clone();
                if matches!(status.as_str(), Some("completed" | "aborted" | "failed")) {
                    self.start_loop(who);
                }
            }
            Step::Outlast(who) => {
                let id = self.loop_of(who);
                if self.place.state(&id)["status"] == "running" {
                    self.place.outlast(&id);
                }
            }
        }
        Ok(())
    }

    fn loop_of(&self, who: usize) -> String {
        self.sessions[who].loop_id.clone()
    }

    fn fire(&self, event: &str, who: usize, fields: Value) -> Option<Value> {
        self.place.fire(event, &self.sessions[who].name, fields)
    }

    fn change_session(&mut self, who: usize, reason: &str, source: &str) {
        self.fire("session-end", who, json!({"reason": reason}));
        self.next_session(who);
        self.fire("session-start", who, json!({"source": source}));
        // Both sessions have one client here, so one that is cleared may go on with the other's loop.
        let bound =
            self.place.json(".aiwg/ralph/registry.json")["sessions"][&self.sessions[who].name].clone();
        if let Some(id) = bound.as_str().filter(|id| id.starts_with("loop-")) {
            self.sessions[who].loop_id = id.to_owned();
        }
    }

    fn stop_thrice(&self, who: usize) {
        let name = &self.sessions[who].name;
        thread::scope(|scope| (0..3).for_each(|_| _ = scope.spawn(|| self.place.stop(name))));
    }

    /// A person writes while the end of a turn runs the criterion.
    fn person_in_stop(&mut self, who: usize, what: u8) {
        self.put(&format!("slow-{who}"), "", Writer::Person);
        let child = self.begun("stop", who, &end_of_turn());
        thread::sleep(Duration::from_millis(200));
        self.person(what);
        child.wait_with_output().unwrap();
        self.remove(&format!("slow-{who}"), Writer::Person);
    }

    /// Starts a hook, kills it, and answers what it had said by then.
    fn killed(&self, event: &str, who: usize, fields: &Value, after: u8) -> Option<Value> {
        let mut child = self.begun(event, who, fields);
        thread::sleep(Duration::from_millis(u64::from(after)));
        child.kill().ok();
        let output = child.wait_with_output().unwrap();
        serde_json::from_slice(&output.stdout).ok()
    }

    /// Starts a hook.
    fn begun(&self, event: &str, who: usize, fields: &Value) -> Child {
        let mut input = json!({"session_id": self.sessions[who].name, "cwd": self.place.root(),
            "permission_mode": "acceptEdits"});
        input.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        let mut child = self.place.command(HOOK).arg(event).stderr(Stdio::null()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.to_string().as_bytes()).ok();
        child
    }

    /// Both events of a call, with what it does in between when it is let through.
    fn call(&mut self, who: usize, deed: Deed, killed_before: Option<u8>, killed_after: Option<u8>) {
        let fields = self.fields(who, deed);
        let answer = match killed_before {
            Some(after) => self.killed("pre-tool-use", who, &fields, after),
            None => self.fire("pre-tool-use", who, fields.clone()),
        };
        if is_held(&answer) {
            return;
        }
        let is_sure = killed_before.is_none() && killed_after.is_none();
        self.perform(who, deed, is_sure);
        match killed_after {
            Some(after) => _ = self.killed("post-tool-use", who, &fields, after),
            None => _ = self.fire("post-tool-use", who, fields),
        }
    }

    /// Two calls side by side, of one session each.
    fn both(&mut self, deeds: [Deed; 2]) {
        let fields: Vec<Value> = (0..2).map(|who| self.fields(who, deeds[who])).collect();
        let at_once = |world: &World, event: &str, held: &[bool]| -> Vec<Option<Value>> {
            thread::scope(|scope| {
                let fire = |who: usize| {
                    let fields = fields[who].clone();
                    (!held[who]).then(|| scope.spawn(move || world.fire(event, who, fields)))
                };
                let running: Vec<_> = (0..2).map(fire).collect();
                running.into_iter().map(|it| it.and_then(|it| it.join().unwrap())).collect()
            })
        };
        let answers = at_once(self, "pre-tool-use", &[false, false]);
        let held: Vec<bool> = answers.iter().map(is_held).collect();
        for who in (0..2).filter(|who| !held[*who]) {
            self.perform(who, deeds[who], false);
        }
        at_once(self, "post-tool-use", &held);
    }

    /// A call's own fields.
    fn fields(&mut self, who: usize, deed: Deed) -> Value {
        self.counter += 1;
        self.values[who] = self.counter;
        let id = format!("toolu_{}", self.counter);
        let of = |tool: &str, input: Value| {
            json!({"tool_name": tool, "tool_input": input, "tool_use_id": id,
                "tool_response": {"stdout": "", "stderr": ""}})
        };
        if let Some((path, text)) = self.written(who, deed) {
            return of("Write", json!({"file_path": self.place.path(&path), "content": text}));
        }
        let scratch = format!("scratch_{who}.txt");
        let command = match deed {
            Deed::Remove(n) => format!("rm src/m{who}_{n}.py"),
            Deed::Rename(n) => format!("mv src/m{who}_{n}.py src/renamed{who}_{n}.py"),
            Deed::Scratch if self.exists(&scratch) => format!("rm {scratch}"),
            Deed::Commit => "git add -A && git commit -qm work".to_owned(),
            Deed::Read => "ls".to_owned(),
            _ => "python3 tidy.py".to_owned(),
        };
        of("Bash", json!({"command": command}))
    }

    /// What a deed writes as a whole.
    fn written(&self, who: usize, deed: Deed) -> Option<(String, String)> {
        let tests = self.text(&test_file(who));
        let value = self.values[who];
        Some(match deed {
            Deed::Write(n) => (format!("src/m{who}_{n}.py"), format!("def f_{n}():\n    return {value}\n")),
            Deed::WriteShared => {
                let text = format!("def add(a, b):\n    return a + b + {value} - {value}\n");
                ("src/shared.py".to_owned(), text)
            }
            Deed::AddTest if !tests.is_empty() => {
                let one = format!(
                    "\ndef test_{who}_added{value}():\n    assert add({value}, 1) == {}\n",
                    value + 1
                );
                (test_file(who), tests + &one)
            }
            Deed::DropAdded if tests.contains("_added") => (
                test_file(who),
                tests
                    .split("\ndef test_")
                    .filter(|it| !it.contains("_added"))
                    .collect::<Vec<_>>()
                    .join("\ndef test_"),
            ),
            Deed::PutBack => (test_file(who), tests_of(who)),
            _ => return None,
        })
    }

    /// What a call does to the files.
    fn perform(&mut self, who: usize, deed: Deed, is_sure: bool) {
        let before = self.tests();
        let writer = Writer::Session(who);
        let (own, others) = (test_file(who), test_file(1 - who));
        if let Some((path, text)) = self.written(who, deed) {
            self.put(&path, text, writer);
        } else {
            match deed {
                Deed::Lose(n) => self.without_test(&own, who, n, writer),
                Deed::LoseOther(n) => self.without_test(&others, 1 - who, n, writer),
                Deed::Skip(n) => {
                    let (plain, off) = (
                        format!("\ndef test_{who}_{n}("),
                        format!("\n@pytest.mark.skip\ndef test_{who}_{n}("),
                    );
                    let text = self.text(&own);
                    if text.contains(&plain) && !text.contains(&off) {
                        self.put(&own, text.replace(&plain, &off), writer);
                    }
                }
                Deed::LoseFile => self.remove(&own, writer),
                Deed::Remove(n) => self.remove(&format!("src/m{who}_{n}.py"), writer),
                Deed::Rename(n) => {
                    let (from, to) = (format!("src/m{who}_{n}.py"), format!("src/renamed{who}_{n}.py"));
                    if self.exists(&from) {
                        let text = self.text(&from);
                        self.remove(&from, writer);
                        self.put(&to, text, writer);
                    }
                }
                Deed::Scratch => {
                    let path = format!("scratch_{who}.txt");
                    match self.exists(&path) {
                        true => self.remove(&path, writer),
                        false => self.put(&path, "scratch\n", writer),
                    }
                }
                Deed::Commit => self.in_git(&["add", "-A"], &["commit", "-qm", "work"], writer),
                Deed::ResetHard => self.in_git(&["reset", "-q", "--hard", "HEAD~1"], &[], writer),
                Deed::Switch => self.switch(writer),
                _ => {}
            }
        }
        let in_git = matches!(deed, Deed::ResetHard | Deed::Switch | Deed::Commit);
        self.note_losses(&before, (is_sure && !in_git && self.is_judged(who)).then_some(who));
    }

    /// Whether a session's calls are judged in its own loop.
    fn is_judged(&self, who: usize) -> bool {
        self.place.state(&self.sessions[who].loop_id)["status"] == "running"
    }

    /// Notes by whom tests were lost; what stood in a file that somebody touched is no longer Steadfast's.
    fn note_losses(&mut self, before: &Tests, by: Option<usize>) {
        let now = self.tests();
        let changed = |path: &&String| before.files.get(*path) != now.files.get(*path);
        let paths: BTreeSet<&String> = before.files.keys().chain(now.files.keys()).filter(changed).collect();
        for text in paths.iter().flat_map(|path| [before.files.get(*path), now.files.get(*path)]).flatten() {
            self.taken_by_steadfast.retain(|name| !text.contains(&format!("def {name}(")));
        }
        // One that is switched off can still be deleted, by whom else.
        let switched = before.running.symmetric_difference(&now.running);
        for name in switched.chain(before.there.symmetric_difference(&now.there)) {
            self.lost_by.remove(name);
            if let Some(who) = by.filter(|_| !now.running.contains(name)) {
                self.lost_by.insert(name.clone(), who);
            }
        }
    }

    /// The files with tests, and the tests that run.
    fn tests(&self) -> Tests {
        let of_tests = self.files.iter().filter(|(name, _)| name.starts_with("tests/"));
        let text = |bytes: &Option<Vec<u8>>| {
            String::from_utf8_lossy(bytes.as_deref().unwrap_or_default()).into_owned()
        };
        let files: BTreeMap<String, String> =
            of_tests.map(|(name, (bytes, _))| (name.clone(), text(bytes))).collect();
        let lines = files.values().flat_map(|text: &String| text.lines());
        let there = lines.filter_map(|line| line.strip_prefix("def ")?.split('(').next()).map(str::to_owned);
        Tests { there: there.collect(), files, running: self.running_tests() }
    }

    fn without_test(&mut self, path: &str, of: usize, n: usize, writer: Writer) {
        let one = format!("\ndef test_{of}_{n}():\n    assert add({n}, 1) == {}\n", n + 1);
        let text = self.text(path);
        if text.contains(&one) {
            self.put(path, text.replace(&one, ""), writer);
        }
    }

    /// Git commands that may fail, as after a commit without a change.
    fn in_git(&mut self, one: &[&str], two: &[&str], writer: Writer) {
        for words in [one, two].into_iter().filter(|words| !words.is_empty()) {
            let mut git = std::process::Command::new("git");
            git.current_dir(self.place.root()).args(WHO).args(words);
            git.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        }
        self.sync(writer);
    }

    fn switch(&mut self, writer: Writer) {
        let [_, to] = self.branches();
        self.in_git(&["switch", "-q", to], &[], writer);
    }

    /// The branch that is checked out, and the other one.
    fn branches(&self) -> [&'static str; 2] {
        let head = std::fs::read_to_string(self.place.path(".git/HEAD")).unwrap();
        if head.contains("other") { ["other", "main"] } else { ["main", "other"] }
    }

    fn criterion(&mut self, who: usize, holds: bool) {
        let path = format!("done-{who}");
        match holds {
            true => self.put(&path, "", Writer::Person),
            false => self.remove(&path, Writer::Person),
        }
    }

    /// A person writes while no call runs.
    fn person(&mut self, what: u8) {
        self.counter += 1;
        let value = self.counter;
        let before = self.tests();
        thread::sleep(MOMENT);
        match what {
            0 => self.put("docs/notes.md", format!("notes {value}\n"), Writer::Person),
            1 => self.put("src/m0_0.py", format!("def f_0():\n    return -{value}\n"), Writer::Person),
            2 => {
                let text =
                    format!("def test_person_{value}():\n    assert add({value}, 1) == {}\n", value + 1);
                let text = format!("{}{text}\n", self.text("tests/test_person.py"));
                self.put("tests/test_person.py", text, Writer::Person);
            }
            _ => self.put("src/mine.py", format!("def mine():\n    return {value}\n"), Writer::Person),
        }
        thread::sleep(MOMENT);
        self.note_losses(&before, None);
    }

    fn person_in_git(&mut self, what: u8) {
        let before = self.tests();
        thread::sleep(MOMENT);
        match what {
            0 => self.in_git(&["add", "-A"], &["commit", "-qm", "By hand"], Writer::Person),
            // What is there as before afterwards, the person did not write.
            _ => {
                let [here, other] = self.branches();
                self.in_git(&["switch", "-q", other], &["switch", "-q", here], Writer::Person);
            }
        }
        thread::sleep(MOMENT);
        self.note_losses(&before, None);
    }

    /// A person's answer to the oldest open gate of a loop.
    fn gate(&mut self, who: usize, way: u8) -> Result<(), String> {
        let state = self.place.state(&self.sessions[who].loop_id);
        let gates = state["human_gates"].as_array().into_iter().flatten();
        let mut open = gates.filter(|gate| gate["decided_at"].is_null());
        let Some((id, subject)) = open.next().map(|gate| (gate["gate_id"].clone(), gate["subject"].clone()))
        else {
            return Ok(());
        };
        let is_stuck = subject == "stuck_loop";
        let words = match way {
            0 if is_stuck => "continue",
            0 => "approve",
            1 | 2 if is_stuck => "manual-fix",
            1 | 2 => "reject",
            _ => "abort",
        };
        let force = if way == 2 && words == "reject" { " --force" } else { "" };
        let command = format!("gate {words} {}{force}", id.as_str().unwrap_or_default());
        thread::sleep(MOMENT);
        let before = self.running_tests();
        let output = at_terminal(&self.place, &command, "");
        let outcome = self.after_steadfast(who, &output);
        self.rejected.extend(self.running_tests().difference(&before).cloned());
        outcome
    }

    fn false_alarm(&mut self, who: usize) -> Result<(), String> {
        let state = self.place.state(&self.sessions[who].loop_id);
        let events = state["regression_events"].as_array().cloned().unwrap_or_default();
        let open = |event: &&Value| {
            event["human_decision"].is_null()
                && !matches!(event["recovery_outcome"].as_str(), Some("success" | "skipped"))
        };
        let Some(id) = events.iter().rev().find(open).and_then(|event| event["event_id"].as_str()) else {
            return Ok(());
        };
        let output = at_terminal(&self.place, &format!("gate false-positive {id} --reason wrong"), "");
        self.after_steadfast(who, &output)
    }

    fn undo(&mut self, who: usize, way: u8) -> Result<(), String> {
        let session = format!("--session={}", self.sessions[who].loop_id);
        let what = if way < 2 { "--last" } else { &session };
        let force: &[&str] = if way % 2 == 1 { &["--force"] } else { &[] };
        // Whose call the last one was, the person has not said: nothing may go without its name.
        let words = [&["undo", what], force].concat();
        thread::sleep(MOMENT);
        let output = self.place.steadfast(&words);
        let own = if way < 2 { 2 } else { who };
        let outcome = self.after_steadfast(own, &output);
        self.taken_by_steadfast.retain(|name| !self.rejected.contains(name));
        outcome
    }

    fn by_steadfast(&mut self, who: usize, words: &[&str]) -> Result<(), String> {
        thread::sleep(MOMENT);
        let output = self.place.steadfast(words);
        self.after_steadfast(who, &output)
    }

    /// Steadfast may take back what the loop's own session wrote; what is anybody else's it names.
    fn after_steadfast(&mut self, own: usize, output: &Output) -> Result<(), String> {
        let words = said(output);
        let before = self.tests();
        for (path, writer) in self.differences() {
            // What Steadfast put there itself is nobody's work.
            let of_loop = |who: usize| self.sessions.get(who).map(|session| &session.loop_id);
            let is_own = match writer {
                Writer::Steadfast => true,
                Writer::Session(who) => who == own || of_loop(who) == of_loop(own),
                _ => false,
            };
            if !is_own && !names(&words, &path) {
                return Err(format!(
                    "{path}, last written by {writer:?}, was replaced and is not named: {words}"
                ));
            }
        }
        self.sync(Writer::Steadfast);
        self.note_losses(&before, None);
        let now = self.running_tests();
        self.taken_by_steadfast.extend(before.running.difference(&now).cloned());
        thread::sleep(MOMENT);
        Ok(())
    }
}

fn end_of_turn() -> Value {
    json!({"last_assistant_message": "All done.", "stop_hook_active": false})
}

fn is_held(answer: &Option<Value>) -> bool {
    answer.as_ref().is_some_and(|answer| {
        matches!(answer["hookSpecificOutput"]["permissionDecision"].as_str(), Some("deny" | "ask"))
            || answer["continue"] == false
    })
}

/// Whether what was said names a file, by its path or its name.
fn names(words: &str, path: &str) -> bool {
    let name = Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path);
    words.contains(name)
}

/// What a command printed.
pub(crate) fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}
