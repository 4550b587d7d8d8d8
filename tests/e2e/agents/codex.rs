//! Codex, headless.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use super::Agent;
use crate::samples::{MATH, MATH_TESTS, TWO_FAILING_TESTS};
use crate::support::client::codex;
use crate::support::openai::OpenAi;
use crate::support::project::{Project, said};
use crate::support::script::Turn;

/// A model of which Codex knows nothing has a shell and no tool for patches; this one has.
const WITH_PATCHES: &str = "gpt-6.2-sol";

struct Codex {
    client: PathBuf,
    model: &'static str,
}

fn found() -> Option<Codex> {
    codex().map(|client| Codex { client, model: "scripted" })
}

fn patch(path: &Path, old: &str, new: &str) -> String {
    let lines =
        |sign: &str, text: &str| -> String { text.lines().map(|line| format!("{sign}{line}\n")).collect() };
    format!(
        "*** Begin Patch\n*** Update File: {}\n@@\n{}{}*** End Patch\n",
        path.display(),
        lines("-", old),
        lines("+", new)
    )
}

impl Agent for Codex {
    fn host(&self) -> &'static str {
        "codex"
    }

    fn play(&self, project: &Project, prompt: &str, turns: Vec<Turn>) -> (Vec<Value>, Output) {
        let api = OpenAi::play(turns);
        let settings = format!(
            "model = \"{}\"\nmodel_provider = \"bench\"\napproval_policy = \"never\"\n\
             sandbox_mode = \"danger-full-access\"\n[model_providers.bench]\nname = \"bench\"\n\
             base_url = \"{}\"\nwire_api = \"responses\"\nenv_key = \"BENCH_KEY\"\n\
             [projects.\"{}\"]\ntrust_level = \"trusted\"\n",
            self.model,
            api.url(),
            project.root().display()
        );
        let home = project.home().join("codex");
        std::fs::create_dir_all(&home).expect("a directory");
        std::fs::write(home.join("config.toml"), settings).expect("its configuration");
        let mut command = Command::new(&self.client);
        // The approval that a person gives with /hooks.
        let own = ["exec", "--dangerously-bypass-hook-trust", "--skip-git-repo-check", prompt];
        let command = project.clean(command.args(own)).env("CODEX_HOME", home).env("BENCH_KEY", "dummy");
        let output = command.stdin(Stdio::null()).output().expect("codex");
        (api.asked(), output)
    }

    fn shell(&self, command: &str) -> Turn {
        Turn::call("exec_command", json!({"cmd": command}))
    }

    fn edit(&self, path: PathBuf, old: &str, new: &str) -> Turn {
        let patch = patch(&path, old, new);
        match self.model {
            WITH_PATCHES => Turn::call("apply_patch", Value::from(patch)),
            _ => self.shell(&format!("apply_patch <<'EOF'\n{patch}EOF")),
        }
    }

    fn read(&self, path: PathBuf) -> Turn {
        self.shell(&format!("cat {}", path.display()))
    }
}

#[test]
fn a_deleted_test_is_refused_and_the_model_reads_why() {
    let Some(agent) = found() else { return };
    super::a_deleted_test_is_refused_and_the_model_reads_why(&agent);
}

#[test]
fn a_patch_of_several_files_is_refused_whole_for_the_test_that_it_deletes() {
    let Some(agent) = found() else { return };
    let agent = Codex { model: WITH_PATCHES, ..agent };
    let project = super::installed(&agent, MATH);
    let tests = patch(Path::new("math.test.js"), TWO_FAILING_TESTS, "");
    let both = tests.replace("*** End Patch", "*** Add File: notes.md\n+done\n*** End Patch");
    let turns =
        vec![Turn::call("apply_patch", Value::from(both)), Turn::say("I shall mend the source instead.")];
    let (asked, output) = agent.play(&project, "Make the tests pass.", turns);
    assert_eq!(project.text("math.test.js"), MATH_TESTS, "{}", said(&output));
    assert!(!project.path("notes.md").exists());
    let told = super::read_by(&asked, 1);
    assert!(told.contains("LP-001") && told.contains("adds negative numbers"), "{told}");
    let log = project.hook_log();
    assert!(log.iter().any(|line| line["host"] == "codex"), "{log:#?}");
}

#[test]
fn a_patch_of_several_files_can_be_undone() {
    let Some(agent) = found() else { return };
    let agent = Codex { model: WITH_PATCHES, ..agent };
    let project = super::installed(&agent, &[("a.js", "exports.a = 1;\n"), ("b.js", "exports.b = 1;\n")]);
    let text = "*** Begin Patch\n*** Update File: a.js\n*** Move to: lib/a.js\n@@\n-exports.a = 1;\n+exports.a = 2;\n\
                *** Update File: b.js\n@@\n-exports.b = 1;\n+exports.b = 2;\n*** Add File: c.js\n+exports.c = 2;\n\
                *** End Patch\n";
    let turns = vec![Turn::call("apply_patch", Value::from(text)), Turn::say("Done.")];
    let (_, output) = agent.play(&project, "Change them.", turns);
    assert_eq!(project.text("lib/a.js"), "exports.a = 2;\n", "{}", said(&output));
    let listed = said(&project.steadfast(&["undo", "--list"]));
    assert!(listed.contains("codex: apply_patch"), "{listed}");
    let undone = project.steadfast(&["undo", "--last"]);
    assert!(undone.status.success(), "{}", said(&undone));
    assert_eq!(
        (project.text("a.js").as_str(), project.text("b.js").as_str()),
        ("exports.a = 1;\n", "exports.b = 1;\n")
    );
    assert!(!project.path("c.js").exists() && !project.path("lib/a.js").exists());
}

#[test]
fn a_folder_is_not_deleted_and_the_model_reads_why() {
    let Some(agent) = found() else { return };
    super::a_folder_is_not_deleted_and_the_model_reads_why(&agent);
}

#[test]
fn a_loops_task_reaches_the_model_and_its_work_can_be_undone() {
    let Some(agent) = found() else { return };
    super::a_loops_task_reaches_the_model_and_its_work_can_be_undone(&agent);
}

#[test]
fn a_loop_goes_on_until_its_verification_passes() {
    let Some(agent) = found() else { return };
    super::a_loop_goes_on_until_its_verification_passes(&agent);
}
