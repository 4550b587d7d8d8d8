//! `steadfast run` with another agent: the real Codex, headless, against a scripted model.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::samples::{MATH, RIGHT_MATH};
use crate::support::client::codex;
use crate::support::openai::OpenAi;
use crate::support::project::{Project, said};
use crate::support::script::Turn;

/// Runs a loop of the id `one` with `codex exec` and these further words.
fn run(codex: &Path, project: &Project, api: &OpenAi, task: &str, words: &[&str]) -> Output {
    let settings = format!(
        "model = \"scripted\"\nmodel_provider = \"bench\"\napproval_policy = \"never\"\nsandbox_mode = \"danger-full-access\"\n\
         [model_providers.bench]\nname = \"bench\"\nbase_url = \"{}\"\nwire_api = \"responses\"\nenv_key = \"BENCH_KEY\"\n\
         [projects.\"{}\"]\ntrust_level = \"trusted\"\n",
        api.url(),
        project.root().display()
    );
    let home = project.home().join("codex");
    std::fs::create_dir_all(&home).expect("a directory");
    std::fs::write(home.join("config.toml"), settings).expect("its configuration");
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    let start =
        ["run", task, "--until", "node --test passes", "--loop-id", "one", "--max-iterations", "4", "--"];
    project.clean(command.args(start)).arg(codex).args(["exec", "--skip-git-repo-check"]).args(words);
    command.env("CODEX_HOME", home).env("BENCH_KEY", "dummy").output().expect("steadfast")
}

fn shell(command: &str) -> Turn {
    Turn::call("exec_command", json!({"cmd": command}))
}

/// What the person's side of a request says.
fn prompt(asked: &Value) -> String {
    let of_user = asked["input"].as_array().into_iter().flatten().filter(|item| item["role"] == "user");
    of_user.map(Value::to_string).collect()
}

#[test]
fn fresh_codex_sessions_mend_it_by_the_same_rules() {
    let Some(codex) = codex() else { return };
    let project = Project::with(MATH);
    let api = OpenAi::play(vec![
        Turn::say("I looked around. All done."),
        shell("sed -i 's/a - b/a + b/' math.js"),
        Turn::say("Now it adds."),
    ]);
    let output = run(&codex, &project, &api, "Fix add", &["--json", "{prompt}"]);
    let log = || std::fs::read_to_string(project.path(".aiwg/ralph/loops/one/iterations/session-001.log"));
    assert!(output.status.success(), "{}\n{:?}\n{:#?}", said(&output), log(), api.asked().last());
    assert_eq!(project.text("math.js"), RIGHT_MATH);
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration"]), (&json!("completed"), &json!(2)), "{state:#}");
    assert_eq!(state["iteration_history"][0]["action"], "I looked around. All done.");
    let asked = api.asked();
    assert!(prompt(&asked[0]).contains("Task: Fix add"), "{:#}", asked[0]);
    assert!(prompt(&asked[1]).contains("adds two numbers"), "the second session knows what failed");
}

#[test]
fn a_long_prompt_comes_whole_over_the_standard_input_and_as_a_file() {
    let Some(codex) = codex() else { return };
    let task = format!("-Fix add. {}END", "Read this. ".repeat(9_500));
    assert!(task.len() > 100_000);
    for words in [&["-"][..], &["{prompt}"]] {
        let project = Project::with(MATH);
        let api = OpenAi::play(vec![shell("sed -i 's/a - b/a + b/' math.js"), Turn::say("Now it adds.")]);
        let task = format!("Steadily {task}");
        let output = run(&codex, &project, &api, &task, words);
        assert!(output.status.success(), "{words:?} {}", said(&output));
        let file = project.text(".aiwg/ralph/loops/one/iterations/session-001.prompt.md");
        assert!(file.contains(&task), "the file holds all of it");
        let told = prompt(&api.asked()[0]);
        if words == ["-"] {
            assert!(told.contains("Read this. END"), "all of it came");
        } else {
            assert!(told.contains("session-001.prompt.md") && told.len() < 20_000, "{}", told.len());
        }
    }
}
