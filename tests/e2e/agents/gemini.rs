//! Gemini CLI, headless.

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
    title: "Gemini CLI",
    variable: "STEADFAST_GEMINI",
    folder: "gemini-client",
    file: "@google/gemini-cli/bundle/gemini.js",
    packages: "@google/gemini-cli@0.61.0",
};

struct Gemini(PathBuf);

fn gemini() -> Option<Gemini> {
    static MISSING: Once = Once::new();
    CLIENT.found(&MISSING).map(Gemini)
}

impl Agent for Gemini {
    fn host(&self) -> &'static str {
        "gemini"
    }

    fn play(&self, project: &Project, prompt: &str, turns: Vec<Turn>) -> (Vec<Value>, Output) {
        let model = Chat::play(Dialect::Gemini, turns);
        let folder = project.home().join(".gemini");
        fs::create_dir_all(&folder).expect("a directory");
        let by_key = json!({"security": {"auth": {"selectedType": "gemini-api-key"}}});
        fs::write(folder.join("settings.json"), by_key.to_string()).expect("its settings");
        let mut command = Command::new("node");
        let command =
            project.clean(command.arg(&self.0)).args(["-p", prompt, "-m", "gemini-2.5-flash", "--yolo"]);
        let own = [
            ("GEMINI_API_KEY", "dummy"),
            ("GEMINI_CLI_NO_RELAUNCH", "1"),
            // Without trust the client runs no hook of the project.
            ("GEMINI_CLI_TRUST_WORKSPACE", "true"),
        ];
        let command = command.envs(own).env("GOOGLE_GEMINI_BASE_URL", model.url()).stdin(Stdio::null());
        let output = command.output().expect("node");
        (model.asked(), output)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::call("run_shell_command", json!({"command": command, "description": "scripted"}))
    }

    fn edit(&self, path: PathBuf, old: &str, new: &str) -> Turn {
        let input =
            json!({"file_path": path, "old_string": old, "new_string": new, "instruction": "scripted"});
        Turn::call("replace", input)
    }

    fn read(&self, path: PathBuf) -> Turn {
        Turn::call("read_file", json!({"file_path": path}))
    }
}

#[test]
fn a_deleted_test_is_refused_and_the_model_reads_why() {
    let Some(agent) = gemini() else { return };
    super::a_deleted_test_is_refused_and_the_model_reads_why(&agent);
}

#[test]
fn a_folder_is_not_deleted_and_the_model_reads_why() {
    let Some(agent) = gemini() else { return };
    super::a_folder_is_not_deleted_and_the_model_reads_why(&agent);
}

#[test]
fn a_loops_task_reaches_the_model_and_its_work_can_be_undone() {
    let Some(agent) = gemini() else { return };
    super::a_loops_task_reaches_the_model_and_its_work_can_be_undone(&agent);
}

#[test]
fn a_loop_goes_on_until_its_verification_passes() {
    let Some(agent) = gemini() else { return };
    super::a_loop_goes_on_until_its_verification_passes(&agent);
}
