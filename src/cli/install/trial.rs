//! A trial of an installed hook: one recorded event, piped through it in a scratch project.
//!
//! Nothing of the user's project is touched, and the hook never sees the session that the event was recorded in.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

use super::say;

/// An `Edit` as the client sent it; the trial points it at its own file.
const RECORDED: &str = include_str!("../../../fixtures/events/claude-code/2.1.197/PreToolUse-edit.json");

const TEST_FILE: &str = "cart.test.js";
const KEPT: &str = "test(\"adds an item\", () => { expect(add(1, 2)).toBe(3); });\n";
const DELETED: &str = "test(\"refuses a negative price\", () => { expect(() => price(-1)).toThrow(); });\n";

/// How long the hook may take before the trial gives it up: far longer than it ever needs.
const PATIENCE: Duration = Duration::from_secs(10);

/// What the hook answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// `permissionDecision` of the answer.
    pub decision: String,
    /// The reason that the model would read.
    pub reason: String,
    /// From start to end of the process.
    pub took: Duration,
}

impl Trial {
    /// Tells a person of it.
    pub(super) fn show(&self) {
        say(format_args!("Trial: a recorded edit that deletes a test went through the hook."));
        say(format_args!("  {} after {:.1} ms:", self.decision, self.took.as_secs_f64() * 1000.0));
        for line in self.reason.lines() {
            say(format_args!("  | {line}"));
        }
    }
}

/// Runs the hook at `binary`, or what calls it, on an edit that deletes one of two tests. An error when it can't be run, fails, or
/// answers with something else than a refusal.
pub fn run(binary: &Path) -> Result<Trial> {
    let scratch = tempfile::tempdir().context("cannot make a scratch directory for the trial")?;
    let project = scratch.path();
    // A state directory makes the scratch directory a project of its own, whatever lies above it.
    fs::create_dir_all(project.join(".aiwg/ralph"))?;
    fs::write(project.join(TEST_FILE), [KEPT, DELETED].concat())?;
    let started = Instant::now();
    let mut child = Command::new(binary)
        .arg("pre-tool-use")
        .current_dir(project)
        .env("CLAUDE_PROJECT_DIR", project)
        .env("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
        // What it would remember of the scratch project goes with it, and no settings of this user are looked at.
        .env("XDG_STATE_HOME", project)
        .env("CLAUDE_CONFIG_DIR", project)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot run {}", binary.display()))?;
    if let Some(mut stdin) = child.stdin.take() {
        // A hook that ends without reading is judged by its answer below.
        let _ = stdin.write_all(event(project)?.as_bytes());
    }
    let answer = answer_of(&mut child).with_context(|| format!("{} failed its trial", binary.display()))?;
    read(&answer, started.elapsed())
}

/// The recorded event, pointed at the scratch project.
fn event(project: &Path) -> Result<String> {
    let mut event: Value = serde_json::from_str(RECORDED)?;
    event["session_id"] = json!("steadfast-trial");
    event["cwd"] = json!(project);
    event["tool_input"]["file_path"] = json!(project.join(TEST_FILE));
    event["tool_input"]["old_string"] = json!(DELETED);
    event["tool_input"]["new_string"] = json!("");
    Ok(format!("{event}\n"))
}

fn answer_of(child: &mut Child) -> Result<String> {
    let mut stdout = child.stdout.take().context("it has no output")?;
    let reader = thread::spawn(move || {
        let mut text = String::new();
        stdout.read_to_string(&mut text).map(|_| text)
    });
    let deadline = Instant::now() + PATIENCE;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() > deadline {
            child.kill()?;
            child.wait()?;
            bail!("it gave no answer in {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(1));
    };
    ensure!(status.success(), "it ended with {status}");
    let text = reader.join().map_err(|_| anyhow::anyhow!("its output could not be read"))??;
    Ok(text)
}

fn read(answer: &str, took: Duration) -> Result<Trial> {
    let value: Value =
        serde_json::from_str(answer).with_context(|| format!("its answer is not JSON: {answer:?}"))?;
    let output = &value["hookSpecificOutput"];
    let text = |key: &str| output[key].as_str().unwrap_or_default().to_owned();
    let trial =
        Trial { decision: text("permissionDecision"), reason: text("permissionDecisionReason"), took };
    ensure!(trial.decision == "deny", "it let the deletion of a test through: {answer:?}");
    Ok(trial)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorded_event_is_pointed_at_the_scratch_project() {
        let event: Value = serde_json::from_str(&event(Path::new("/scratch")).unwrap()).unwrap();
        assert_eq!(event["hook_event_name"], "PreToolUse");
        assert_eq!(event["tool_input"]["file_path"], "/scratch/cart.test.js");
        assert!(!event.to_string().contains("\"cwd\":\"/home/user"), "{event}");
    }

    #[test]
    fn only_a_refusal_passes_the_trial() {
        let answer = |decision: &str| {
            json!({"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": decision,
                "permissionDecisionReason": "LP-001"}})
            .to_string()
        };
        let trial = read(&answer("deny"), Duration::ZERO).unwrap();
        assert_eq!((trial.decision.as_str(), trial.reason.as_str()), ("deny", "LP-001"));
        for wrong in [answer("allow"), "{}".to_owned(), String::new(), "ok".to_owned()] {
            assert!(read(&wrong, Duration::ZERO).is_err(), "{wrong:?} passes");
        }
    }
}
