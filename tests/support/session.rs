//! One headless session of the client in a project, and what came of it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::api::{Api, Asked, call_id, texts};
use super::project::Project;
use super::script::{Thread, Turn};

/// A session takes one to four seconds; past this it hangs.
const PATIENCE: Duration = Duration::from_secs(90);

/// So many clients run at a time: each is a large process, and the machine may have two cores.
static FREE_PLACES: Mutex<u32> = Mutex::new(2);
static PLACE_FREED: Condvar = Condvar::new();

/// A session to be run.
pub(crate) struct Session<'a> {
    claude: &'a Path,
    project: &'a Project,
    prompts: Vec<String>,
    main: Thread,
    others: Vec<Thread>,
    permission_mode: &'static str,
    env: Vec<(String, String)>,
    args: Vec<String>,
    /// What the program that drives the client answers it; `None` where it answers nothing.
    permits: Option<bool>,
}

/// What came of a session.
#[derive(Debug)]
pub(crate) struct Played {
    /// The client's exit code; `None` when it was killed.
    pub(crate) exit: Option<i32>,
    /// The rows of the client's output.
    pub(crate) rows: Vec<Value>,
    /// The requests to the model.
    pub(crate) asked: Vec<Asked>,
    /// The bodies of all requests.
    pub(crate) sent: Vec<String>,
    stderr: String,
}

impl<'a> Session<'a> {
    /// A session in `project` whose permissions let every scripted call through, so that only hooks refuse.
    pub(crate) fn of(claude: &'a Path, project: &'a Project) -> Self {
        Session {
            claude,
            project,
            prompts: Vec::new(),
            main: Thread::default(),
            others: Vec::new(),
            permission_mode: "bypassPermissions",
            env: Vec::new(),
            args: Vec::new(),
            permits: None,
        }
    }

    /// The program that drives the client answers what it is asked for.
    pub(crate) fn permits(mut self, allowed: bool) -> Self {
        self.permits = Some(allowed);
        self.args(&["--permission-prompt-tool", "stdio"])
    }

    /// What the person types, one after the other. Default: one `go`.
    pub(crate) fn prompt(mut self, text: &str) -> Self {
        self.prompts.push(text.to_owned());
        self
    }

    /// The main agent's next turn.
    pub(crate) fn turn(mut self, turn: Turn) -> Self {
        self.main.turns.push(turn);
        self
    }

    /// The turns of a subagent whose prompt holds `mark`.
    pub(crate) fn thread(mut self, mark: &str, turns: Vec<Turn>) -> Self {
        self.others.push(Thread { mark: mark.to_owned(), turns });
        self
    }

    /// The client's permission mode.
    pub(crate) fn permission_mode(mut self, mode: &'static str) -> Self {
        self.permission_mode = mode;
        self
    }

    /// A further variable of the client's environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Further arguments of the client.
    pub(crate) fn args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|&arg| arg.to_owned()));
        self
    }

    /// Runs the session to its end.
    pub(crate) fn play(mut self) -> Played {
        let mut threads = std::mem::take(&mut self.others);
        threads.push(std::mem::take(&mut self.main));
        let api = Api::play(threads);
        if self.prompts.is_empty() {
            self.prompts.push("go".to_owned());
        }
        let place = Place::take();
        let mut child = self.command(&api.url()).spawn().expect("the client starts");
        let (stdout, stderr) =
            (child.stdout.take().expect("its output"), child.stderr.take().expect("its errors"));
        let (turn_ended, turn_ends) = mpsc::channel();
        let rows = thread::spawn(move || rows_of(stdout, &turn_ended));
        let stderr = thread::spawn(move || io::read_to_string(stderr).unwrap_or_default());
        if let Some(stdin) = child.stdin.take() {
            let prompts = self.prompts;
            thread::spawn(move || type_prompts(&prompts, self.permits, stdin, &turn_ends));
        }
        let exit = wait(&mut child);
        drop(place);
        let rows = rows.join().expect("its output");
        Played {
            exit,
            rows,
            asked: api.asked(),
            sent: api.sent(),
            stderr: stderr.join().expect("its errors"),
        }
    }

    fn command(&self, url: &str) -> Command {
        let mut command = client(self.claude, self.project);
        command
            .arg("-p")
            .args(["--output-format", "stream-json", "--verbose", "--include-hook-events"])
            .args(["--permission-mode", self.permission_mode])
            .args(&self.args)
            .env("ANTHROPIC_BASE_URL", url)
            // Root may not bypass permissions otherwise.
            .env("IS_SANDBOX", "1")
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .process_group(0)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        match &self.prompts[..] {
            [only] if self.permits.is_none() => command.args(["--", only]).stdin(Stdio::null()),
            _ => command.args(["--input-format", "stream-json"]).stdin(Stdio::piped()),
        };
        command
    }
}

/// The client in the project's directory, with a clean environment and a key that opens nothing.
pub(crate) fn client(claude: &Path, project: &Project) -> Command {
    let mut command = Command::new(claude);
    project
        .clean(&mut command)
        .env("ANTHROPIC_API_KEY", "dummy-key")
        .env("DISABLE_TELEMETRY", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        .env("DISABLE_ERROR_REPORTING", "1")
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
    command
}

/// Types each prompt once the turn of the one before has ended, as a person does, and answers what is asked meanwhile.
fn type_prompts(prompts: &[String], permits: Option<bool>, mut stdin: impl Write, heard: &Receiver<Heard>) {
    for prompt in prompts {
        let message = json!({"type": "user", "message": {"role": "user", "content": prompt}});
        // A client that ends early is seen by its exit code.
        if writeln!(stdin, "{message}").is_err() {
            return;
        }
        loop {
            match heard.recv() {
                Ok(Heard::TurnEnded) => break,
                Ok(Heard::Asked(request)) => {
                    let answer = match permits {
                        Some(true) => {
                            json!({"behavior": "allow", "updatedInput": request["request"]["input"]})
                        }
                        _ => json!({"behavior": "deny", "message": "The host said no."}),
                    };
                    let response = json!({"subtype": "success", "request_id": request["request_id"], "response": answer});
                    if writeln!(stdin, "{}", json!({"type": "control_response", "response": response}))
                        .is_err()
                    {
                        return;
                    }
                }
                Err(_) => return,
            }
        }
    }
}

/// What the client says that its driver has to know.
enum Heard {
    TurnEnded,
    /// It asks for something: the request.
    Asked(Value),
}

/// The client's output, row by row; the end of each turn is told, and what it asks for.
fn rows_of(stdout: impl Read, told: &Sender<Heard>) -> Vec<Value> {
    let lines = BufReader::new(stdout).lines().map_while(Result::ok);
    let rows = lines.filter_map(|line| serde_json::from_str::<Value>(&line).ok());
    rows.inspect(|row| match row["type"].as_str() {
        Some("result") => drop(told.send(Heard::TurnEnded)),
        Some("control_request") => drop(told.send(Heard::Asked(row.clone()))),
        _ => {}
    })
    .collect()
}

/// Waits for the client; past the deadline its process group is killed.
fn wait(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().expect("the state of the client") {
            return status.code();
        }
        if Instant::now() > deadline {
            let group = format!("-{}", child.id());
            let _ = Command::new("kill").args(["-KILL", "--", &group]).status();
            child.wait().expect("the end of the client");
            return None;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// One of the few clients that run at a time.
pub(crate) struct Place;

impl Place {
    pub(crate) fn take() -> Self {
        let free = FREE_PLACES.lock().expect("the places");
        let mut free = PLACE_FREED.wait_while(free, |free| *free == 0).expect("the places");
        *free -= 1;
        Place
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Ok(mut free) = FREE_PLACES.lock() {
            *free += 1;
            PLACE_FREED.notify_one();
        }
    }
}

/// The result of one tool call as the model read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolResult {
    pub(crate) text: String,
    pub(crate) is_error: bool,
}

impl Played {
    /// Asserts that the session ended well; returns it for further questions.
    pub(crate) fn ended_well(self) -> Self {
        assert_eq!(self.exit, Some(0), "the session failed: {}\n{}", self.stderr, self.outline());
        self
    }

    /// The result of the script's `number`th tool call, from 0; panics when the model never got one.
    pub(crate) fn result(&self, number: usize) -> ToolResult {
        let id = call_id(number);
        let block = self.blocks().find(|block| block["tool_use_id"] == id.as_str());
        let block = block.unwrap_or_else(|| panic!("no result of call {number}\n{}", self.outline()));
        let text = block["content"].as_str().map_or_else(|| texts(block), str::to_owned);
        ToolResult { text, is_error: block["is_error"] == true }
    }

    /// How often `text` occurs in what the main agent was told in its whole conversation.
    pub(crate) fn told(&self, text: &str) -> usize {
        self.conversation("").matches(text).count()
    }

    /// All that the agent of a thread was told: texts and tool results of its last request, in order.
    pub(crate) fn conversation(&self, thread: &str) -> String {
        let Some(last) = self.asked.iter().rfind(|asked| asked.thread == thread) else {
            return String::new();
        };
        let told = last.messages.iter().filter(|message| message["role"] != "assistant");
        let parts = told.map(|message| {
            let results = message["content"].as_array().into_iter().flatten();
            let results = results.filter(|block| block["type"] == "tool_result");
            let results =
                results.map(|block| block["content"].as_str().map_or_else(|| texts(block), str::to_owned));
            [results.collect::<Vec<_>>().join("\n"), texts(message)].join("\n")
        });
        parts.collect::<Vec<_>>().join("\n")
    }

    /// The answers of hooks to `event`, as the client reports them.
    pub(crate) fn hook_responses(&self, event: &str) -> Vec<&Value> {
        let rows = self.rows.iter().filter(|row| row["subtype"] == "hook_response");
        rows.filter(|row| row["hook_event"] == event).collect()
    }

    fn blocks(&self) -> impl Iterator<Item = &Value> {
        let messages = self.asked.iter().flat_map(|asked| &asked.messages);
        messages.flat_map(|message| message["content"].as_array().into_iter().flatten())
    }

    /// A short account of the session, for the message of a failed assertion.
    pub(crate) fn outline(&self) -> String {
        let rows = self.rows.iter().map(|row| row.to_string().chars().take(700).collect::<String>());
        rows.collect::<Vec<_>>().join("\n")
    }
}
