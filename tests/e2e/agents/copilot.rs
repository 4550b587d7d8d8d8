//! Copilot CLI, headless and without an account.

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
    title: "Copilot CLI",
    variable: "STEADFAST_COPILOT",
    folder: "copilot-client",
    file: "@github/copilot-{platform}/copilot",
    packages: "@github/copilot@1.0.102",
};

struct Copilot(PathBuf);

fn copilot() -> Option<Copilot> {
    static MISSING: Once = Once::new();
    CLIENT.found(&MISSING).map(Copilot)
}

impl Agent for Copilot {
    fn host(&self) -> &'static str {
        "copilot"
    }

    fn play(&self, project: &Project, prompt: &str, turns: Vec<Turn>) -> (Vec<Value>, Output) {
        let model = Chat::play(Dialect::OpenAi, turns);
        let mut command = Command::new(&self.0);
        let command = project.clean(command.args(["-p", prompt, "--allow-all-tools"]));
        let own = [
            ("COPILOT_OFFLINE", "true"),
            ("COPILOT_AUTO_UPDATE", "false"),
            ("COPILOT_PROVIDER_API_KEY", "dummy"),
            ("COPILOT_MODEL", "scripted"),
            // Trusts the folder, as a person does at the first start.
            ("COPILOT_ALLOW_ALL", "true"),
        ];
        let command = command.envs(own).env("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", model.url()));
        let output = command.stdin(Stdio::null()).output().expect("copilot");
        (model.asked(), output)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::call("bash", json!({"command": command, "description": "scripted"}))
    }

    fn edit(&self, path: PathBuf, old: &str, new: &str) -> Turn {
        Turn::call("edit", json!({"path": path, "old_str": old, "new_str": new}))
    }

    fn read(&self, path: PathBuf) -> Turn {
        Turn::call("view", json!({"path": path}))
    }
}

#[test]
fn a_deleted_test_is_refused_and_the_model_reads_why() {
    let Some(agent) = copilot() else { return };
    super::a_deleted_test_is_refused_and_the_model_reads_why(&agent);
}

#[test]
fn a_folder_is_not_deleted_and_the_model_reads_why() {
    let Some(agent) = copilot() else { return };
    super::a_folder_is_not_deleted_and_the_model_reads_why(&agent);
}

#[test]
fn a_loops_task_reaches_the_model_and_its_work_can_be_undone() {
    let Some(agent) = copilot() else { return };
    super::a_loops_task_reaches_the_model_and_its_work_can_be_undone(&agent);
}

#[test]
fn a_loop_goes_on_until_its_verification_passes() {
    let Some(agent) = copilot() else { return };
    super::a_loop_goes_on_until_its_verification_passes(&agent);
}
