//! OpenCode: headless, and as a server, where a loop can go on.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{Agent, installed, read_by};
use crate::samples::{MATH, RIGHT_MATH, WRONG_MATH};
use crate::support::chat::{Chat, Dialect};
use crate::support::client::Other;
use crate::support::project::Project;
use crate::support::script::Turn;

const CLIENT: Other = Other {
    title: "OpenCode",
    variable: "STEADFAST_OPENCODE",
    folder: "opencode-client",
    file: "opencode-{platform}/bin/opencode",
    packages: "opencode-ai@1.18.33",
};

struct OpenCode(PathBuf);

fn opencode() -> Option<OpenCode> {
    static MISSING: Once = Once::new();
    CLIENT.found(&MISSING).map(OpenCode)
}

impl OpenCode {
    /// The client with the scripted model.
    fn command(&self, project: &Project, model: &Chat) -> Command {
        let provider = json!({
            "model": "scripted/scripted",
            "provider": {"scripted": {
                "npm": "@ai-sdk/openai-compatible", "name": "scripted",
                "options": {"baseURL": format!("{}/v1", model.url()), "apiKey": "dummy"},
                "models": {"scripted": {"name": "scripted"}},
            }},
        });
        let folder = project.home().join(".config/opencode");
        fs::create_dir_all(&folder).expect("a directory");
        fs::write(folder.join("opencode.json"), provider.to_string()).expect("its configuration");
        let mut command = Command::new(&self.0);
        let own = [("OPENCODE_DISABLE_AUTOUPDATE", "1"), ("OPENCODE_DISABLE_MODELS_FETCH", "1")];
        project.clean(&mut command).envs(own).stdin(Stdio::null());
        command
    }
}

impl Agent for OpenCode {
    fn host(&self) -> &'static str {
        "opencode"
    }

    fn play(&self, project: &Project, prompt: &str, turns: Vec<Turn>) -> (Vec<Value>, Output) {
        let model = Chat::play(Dialect::OpenAi, turns);
        let output = self.command(project, &model).args(["run", prompt]).output().expect("opencode");
        (model.asked(), output)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::call("bash", json!({"command": command, "description": "scripted"}))
    }

    fn edit(&self, path: PathBuf, old: &str, new: &str) -> Turn {
        Turn::call("edit", json!({"filePath": path, "oldString": old, "newString": new}))
    }

    fn read(&self, path: PathBuf) -> Turn {
        Turn::call("read", json!({"filePath": path}))
    }
}

#[test]
fn a_deleted_test_is_refused_and_the_model_reads_why() {
    let Some(agent) = opencode() else { return };
    super::a_deleted_test_is_refused_and_the_model_reads_why(&agent);
}

#[test]
fn a_folder_is_not_deleted_and_the_model_reads_why() {
    let Some(agent) = opencode() else { return };
    super::a_folder_is_not_deleted_and_the_model_reads_why(&agent);
}

#[test]
fn a_loops_task_reaches_the_model_and_its_work_can_be_undone() {
    let Some(agent) = opencode() else { return };
    super::a_loops_task_reaches_the_model_and_its_work_can_be_undone(&agent);
}

/// A server of the client, which goes when dropped.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn start(agent: &OpenCode, project: &Project, model: &Chat) -> Self {
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("its address").port();
        drop(free);
        let mut command = agent.command(project, model);
        let command =
            command.args(["serve", "--port", &port.to_string()]).stdout(Stdio::null()).stderr(Stdio::null());
        let served = Served { child: command.spawn().expect("opencode"), port };
        let begun = Instant::now();
        while served.ask("GET", "/session", "").is_none() {
            assert!(begun.elapsed() < Duration::from_secs(120), "the server never came");
            thread::sleep(Duration::from_millis(200));
        }
        served
    }

    /// The answer to a request; `None` while nobody listens.
    fn ask(&self, method: &str, path: &str, body: &str) -> Option<String> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        // A server that has the answer and holds the connection would be waited for without end.
        stream.set_read_timeout(Some(Duration::from_secs(30))).ok()?;
        let length = body.len();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
        );
        stream.write_all((head + body).as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok();
        answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// A headless run ends with its first turn; a server and the client's own screen don't.
#[test]
fn a_loop_goes_on_until_its_verification_passes() {
    let Some(agent) = opencode() else { return };
    let project = installed(&agent, MATH);
    project.start_loop(&["Fix add", "--until", "node --test passes", "--max-iterations", "5"]);
    let source = || project.path("math.js");
    let model = Chat::play(
        Dialect::OpenAi,
        vec![
            Turn::say("I looked around. All done."),
            agent.read(source()),
            agent.edit(source(), WRONG_MATH.trim_end(), RIGHT_MATH.trim_end()),
            Turn::say("Now it adds."),
        ],
    );
    let served = Served::start(&agent, &project, &model);
    let session = served.ask("POST", "/session", "{}").expect("a session");
    let session: Value = serde_json::from_str(session.trim()).expect("a session");
    let id = session["id"].as_str().expect("its id");
    let prompt = json!({"parts": [{"type": "text", "text": "Fix add."}]}).to_string();
    served.ask("POST", &format!("/session/{id}/prompt_async"), &prompt).expect("the prompt");
    let state = || project.json(&format!("{}/state.json", project.only_loop()));
    let begun = Instant::now();
    while state()["status"] != "completed" {
        assert!(begun.elapsed() < Duration::from_secs(120), "{:#}\n{:#?}", state(), model.asked().last());
        thread::sleep(Duration::from_millis(200));
    }
    assert_eq!(project.text("math.js"), RIGHT_MATH);
    assert_eq!(state()["iteration"], 2);
    let told = read_by(&model.asked(), 1);
    assert!(told.contains("adds two numbers"), "the failing test did not reach the model: {told}");
}
