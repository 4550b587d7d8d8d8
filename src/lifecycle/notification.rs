//! Telling a person outside of the session: `notify.command` of the configuration, once for an event.
//!
//! The command runs on its own: nothing waits for it, it holds no stream of the hook open, and it is ended when it takes
//! too long.

use std::process::{Command, Stdio};

use super::scene::{Record, Scene};
use crate::state::atomic::Durability;
use crate::state::gate::Gate;

/// The longest that a notification may take, seconds.
const LIMIT_SECONDS: &str = "30";
const SHELL: &str = "/bin/sh";

/// Runs the configured command about a gate. A gate's events are each told once.
pub fn send(scene: &mut Scene, gate: &Gate) {
    let Some(command) = scene.config.notify.command.clone() else { return };
    let new = scene.change_state(Durability::Process, |state| {
        let known = state.extra.entry("notified_events").or_insert_with(|| serde_json::json!([]));
        let Some(known) = known.as_array_mut() else { return false };
        let ids = if gate.event_ids.is_empty() { vec![gate.gate_id.clone()] } else { gate.event_ids.clone() };
        let before = known.len();
        known.extend(
            ids.into_iter().map(serde_json::Value::from).filter(|id| !known.contains(id)).collect::<Vec<_>>(),
        );
        known.len() > before
    });
    if new != Some(true) {
        return;
    }
    let loop_id = scene.bound.as_ref().map(|bound| bound.id.clone()).unwrap_or_default();
    let outcome = match start(&command, scene, gate, &loop_id) {
        Ok(()) => "notified".to_owned(),
        Err(error) => format!("the notification failed: {error}"),
    };
    scene.log("notify_human_if_critical", Record::default().outcome(outcome));
}

/// The watchdog is the shell's own: the hook has ended long before.
fn start(command: &str, scene: &Scene, gate: &Gate, loop_id: &str) -> std::io::Result<()> {
    let watched = "sh -c \"$STEADFAST_NOTIFY_COMMAND\" & job=$!; (sleep \"$STEADFAST_NOTIFY_LIMIT\"; kill \"$job\") & \
                   dog=$!; wait \"$job\"; kill \"$dog\"";
    let title = gate.message.lines().next().unwrap_or_default();
    let mut shell = Command::new(SHELL);
    shell
        .args(["-c", watched])
        .current_dir(scene.project.root())
        .env("STEADFAST_NOTIFY_COMMAND", command)
        .env("STEADFAST_NOTIFY_LIMIT", LIMIT_SECONDS)
        .env("STEADFAST_TITLE", title)
        .env("STEADFAST_MESSAGE", &gate.message)
        .env("STEADFAST_LOOP_ID", loop_id)
        .env("STEADFAST_GATE_ID", &gate.gate_id)
        .env("STEADFAST_ITERATION", gate.iteration.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    crate::last_word::with_inherited_limits(|| shell.spawn()).map(|_| ())
}
