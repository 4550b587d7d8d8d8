//! A day of honest work: one session of `fixtures/day/day.md` in the project of `fixtures/day/project.md`, each event through
//! the executable, each edit and command really done between the two events of its call.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::place::Place;

/// So many notes may be said in all.
const NOTES: usize = 3;
/// So many things happen at least.
const STEPS: usize = 100;
/// The programs without which the day can't go on.
const PROGRAMS: &[&str] = &["node", "npm", "python3", "bash", "git"];

/// A part of a document: what stands behind `## `, and the texts of its blocks.
struct Step {
    head: String,
    texts: Vec<String>,
}

impl Step {
    /// The first word, and the rest.
    fn words(&self) -> (&str, &str) {
        let (kind, rest) = self.head.split_once(' ').unwrap_or((&self.head, ""));
        (kind.trim_end_matches(':'), rest)
    }

    /// The command of a step.
    fn command(&self) -> &str {
        self.texts.first().map_or(self.words().1, String::as_str)
    }
}

fn steps(document: &str) -> Vec<Step> {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/day").join(document));
    let mut steps: Vec<Step> = Vec::new();
    let mut in_block = false;
    for line in text.unwrap().lines() {
        match line.strip_prefix("## ").filter(|_| !in_block) {
            Some(head) => steps.push(Step { head: head.to_owned(), texts: Vec::new() }),
            None if line.starts_with("```") => {
                in_block = !in_block;
                if in_block {
                    steps.last_mut().unwrap().texts.push(String::new());
                }
            }
            None if in_block => {
                let text = steps.last_mut().and_then(|step| step.texts.last_mut()).unwrap();
                text.push_str(line);
                text.push('\n');
            }
            None => {}
        }
    }
    steps
}

/// The session, and what it was told.
struct Day {
    place: Place,
    calls: usize,
    /// What was said, of which step, and whether it was more than a note.
    said: Vec<(String, Value)>,
}

impl Day {
    fn new() -> Day {
        let place = Place::new();
        for name in ["tests", ".git"] {
            std::fs::remove_dir_all(place.path(name)).unwrap();
        }
        for name in ["calc.py", "check.sh"] {
            std::fs::remove_file(place.path(name)).unwrap();
        }
        for file in steps("project.md") {
            place.write(&file.head, &file.texts[0]);
        }
        std::fs::write(place.home().join(".gitconfig"), "[user]\nname = T\nemail = t@example.org\n").unwrap();
        let day = Day { place, calls: 0, said: Vec::new() };
        let begun = day.run(
            "git init -q --initial-branch main && git add -A && git commit -qm First && git init -q --bare ../remote.git && \
             git remote add origin ../remote.git && git push -qu origin main",
        );
        assert!(begun.status.success(), "{begun:?}");
        day
    }

    fn run(&self, command: &str) -> Output {
        self.place.command("bash").args(["-c", command]).output().unwrap()
    }

    fn fire(&mut self, event: &str, step: &Step, fields: Value) {
        let answer = self.place.fire(event, "day", fields);
        self.said.extend(answer.map(|answer| (format!("{event}, {}", step.head), answer)));
    }

    /// The two events of a call, and between them what it does: the response, or `Err` of a call that failed.
    fn call(&mut self, step: &Step, fields: Value, act: impl FnOnce(&Day) -> Result<Value, Value>) {
        self.calls += 1;
        let mut fields = fields;
        fields["tool_use_id"] = json!(format!("toolu_{}", self.calls));
        self.fire("pre-tool-use", step, fields.clone());
        match act(self) {
            Ok(response) => {
                fields["tool_response"] = response;
                self.fire("post-tool-use", step, fields);
            }
            Err(error) => {
                fields["error"] = error;
                self.fire("post-tool-use-failure", step, fields);
            }
        }
    }

    fn reads(&mut self, step: &Step, tool: &str, input: Value) {
        self.call(step, json!({"tool_name": tool, "tool_input": input}), |_| Ok(json!({})));
    }

    fn shell(&mut self, step: &Step, more: &Value, command: &str, fails: bool) {
        let mut fields = json!({"tool_name": "Bash", "tool_input": {"command": command}});
        fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.call(step, fields, |day| {
            let output = day.run(command);
            assert_eq!(!output.status.success(), fails, "{command}: {output:?}");
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
            if fails {
                return Err(json!(format!("Exit code 1\n{stdout}{stderr}")));
            }
            Ok(json!({"stdout": stdout, "stderr": stderr, "interrupted": false}))
        });
    }

    fn edit(&mut self, step: &Step, path: &str) {
        let mut text = std::fs::read_to_string(self.place.path(path)).unwrap();
        let mut edits = Vec::new();
        for pair in step.texts.chunks(2) {
            // A piece of a line has no line break.
            let is_piece = !text.contains(&pair[0]);
            let of = |text: &str| text.strip_suffix('\n').filter(|_| is_piece).unwrap_or(text).to_owned();
            let (old, new) = (of(&pair[0]), of(&pair[1]));
            assert_eq!(text.matches(&old).count(), 1, "{}: {old}", step.head);
            text = text.replace(&old, &new);
            edits.push(json!({"old_string": old, "new_string": new}));
        }
        let file = self.place.path(path);
        let mut input = json!({"file_path": file, "edits": edits});
        let tool = if edits.len() == 1 { "Edit" } else { "MultiEdit" };
        if let [edit] = &edits[..] {
            input = json!({"file_path": file, "old_string": edit["old_string"], "new_string": edit["new_string"]});
        }
        self.write(step, tool, input, &text);
    }

    fn write(&mut self, step: &Step, tool: &str, input: Value, text: &str) {
        let path = input["file_path"].as_str().unwrap().to_owned();
        self.call(step, json!({"tool_name": tool, "tool_input": input}), |_| {
            std::fs::write(path, text).unwrap();
            Ok(json!({}))
        });
    }

    fn step(&mut self, step: &Step) {
        let (kind, rest) = step.words();
        let file = self.place.path(rest);
        match kind {
            "Session" => self.fire("session-start", step, json!({"source": "startup"})),
            "Prompt" => self.fire("user-prompt-submit", step, json!({"prompt": rest})),
            "Stop" => self.fire("stop", step, ends(rest)),
            "Compact" => self.fire("pre-compact", step, json!({"trigger": "auto"})),
            "End" => self.fire("session-end", step, json!({"reason": "other"})),
            "Bash" | "Fails" => self.shell(step, &json!({}), step.command(), kind == "Fails"),
            "Person" => assert!(self.run(step.command()).status.success(), "{}", step.command()),
            "Read" => self.reads(step, "Read", json!({"file_path": file})),
            "Grep" => self.reads(step, "Grep", json!({"pattern": rest})),
            "Glob" => self.reads(step, "Glob", json!({"pattern": rest})),
            "Todo" => {
                self.reads(step, "TodoWrite", json!({"todos": [{"content": rest, "status": "pending"}]}))
            }
            "Web" => self.reads(step, "WebFetch", json!({"url": rest, "prompt": "How is it used?"})),
            "Task" => self.reads(step, "Task", json!({"prompt": rest, "subagent_type": "general-purpose"})),
            "Subagent" => self.subagent(step, rest),
            "Edit" | "Edits" => self.edit(step, rest),
            "Write" => {
                let input = json!({"file_path": file, "content": step.texts[0]});
                self.write(step, "Write", input, &step.texts[0]);
            }
            _ => panic!("no kind of step: {}", step.head),
        }
    }

    fn subagent(&mut self, step: &Step, what: &str) {
        let mut agent = json!({"agent_id": "agent-1", "agent_type": "general-purpose"});
        let (kind, rest) = what.split_once(' ').unwrap();
        match kind {
            "Bash:" => self.shell(step, &agent, rest, false),
            "stops:" => {
                agent.as_object_mut().unwrap().extend(ends(rest).as_object().unwrap().clone());
                self.fire("subagent-stop", step, agent);
            }
            tool => {
                agent["tool_name"] = json!(tool);
                agent["tool_input"] = json!({"pattern": rest, "file_path": self.place.path(rest)});
                self.call(step, agent, |_| Ok(json!({})));
            }
        }
    }
}

fn ends(words: &str) -> Value {
    json!({"last_assistant_message": words, "stop_hook_active": false})
}

/// Whether an answer is more than a note: it asks, refuses, or keeps a turn from ending.
fn stops(answer: &Value) -> bool {
    let decides = &answer["hookSpecificOutput"]["permissionDecision"];
    !decides.is_null() || answer["decision"] == "block" || answer["continue"] == false
}

#[test]
fn an_honest_day_brings_a_few_notes_and_no_stop() {
    let is_there =
        |program: &&str| Command::new(program).arg("--version").output().is_ok_and(|it| it.status.success());
    if let Some(missing) = PROGRAMS.iter().find(|program| !is_there(program)) {
        println!("not run: {missing} is missing");
        return;
    }
    let mut day = Day::new();
    let steps = steps("day.md");
    assert!(steps.len() >= STEPS, "{} steps", steps.len());
    for step in &steps {
        day.step(step);
    }
    let all: Vec<String> = day.said.iter().map(|(step, answer)| format!("{step}\n    {answer}")).collect();
    let stopped = day
        .said
        .iter()
        .any(|(step, answer)| stops(answer) || step.starts_with("stop") || step.starts_with("subagent-stop"));
    assert!(!stopped && all.len() <= NOTES, "{} of {} steps:\n{}", all.len(), steps.len(), all.join("\n"));
}
