//! OpenCode: headless such a run ends with its first turn, so a loop goes on in its server, which is what stands behind
//! its own screen too.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Once;

use serde_json::{Value, json};

use super::Agent;
use crate::samples::{MATH, RIGHT_MATH, WRONG_MATH};
use crate::support::chat::{Chat, Dialect};
use crate::support::client::Other;
use crate::support::project::{Project, wait_for};
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

/// The client's server, which ends when dropped.
struct Serving {
    child: Child,
    /// `127.0.0.1:PORT`.
    address: String,
}

impl Serving {
    fn start(mut command: Command) -> Self {
        let started =
            command.args(["serve", "--hostname", "127.0.0.1", "--port", "0"]).stdout(Stdio::piped()).spawn();
        let mut child = started.expect("opencode serve");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines().map_while(Result::ok);
        let address =
            lines.filter_map(|line| line.split_once("http://").map(|(_, rest)| rest.trim().to_owned()));
        let address = address.into_iter().next().expect("the address that it listens at");
        Serving { child, address }
    }

    /// Posts a value and answers the body.
    fn post(&self, path: &str, body: &Value) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server");
        let body = body.to_string();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
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

#[test]
fn a_loop_goes_on_in_its_server_until_its_verification_passes() {
    let Some(agent) = opencode() else { return };
    let project = super::installed(&agent, MATH);
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
    let server = Serving::start(agent.command(&project, &model));
    let created = server.post("/session", &json!({}));
    let (_, id) = created.split_once("\"id\":\"").expect("a session");
    let id = id.split('"').next().expect("its id");
    let prompt = json!({"parts": [{"type": "text", "text": "Fix add."}]});
    server.post(&format!("/session/{id}/message"), &prompt);
    let state = || project.json(&format!("{}/state.json", project.only_loop()));
    wait_for("the loop's end", || state()["status"] == "completed");
    assert_eq!(project.text("math.js"), RIGHT_MATH);
    assert_eq!(state()["iteration"], 2, "{:#}", state());
    let told = super::read_by(&model.asked(), 1);
    assert!(told.contains("adds two numbers"), "the failing test did not reach the model: {told}");
}
