//! OpenCode, headless: such a run ends with its first turn, so no loop goes on in it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use serde_json::{Value, json};

use super::Agent;
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
