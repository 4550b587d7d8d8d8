//! Calling a person about what is critical, once for an event: by `notify.command` of the configuration, and by the
//! terminal of the session where the host has one.
//!
//! The command runs on its own: nothing waits for it, it holds no stream of the hook open, and it is ended when it takes
//! too long.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::config::TerminalNotice;
use crate::hosts::EnvLookup;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::context::log::HookRecord;
use crate::model::verdict::{Attention, NotificationProtocol};
use crate::state::atomic::Durability;
use crate::state::gate::Gate;

/// The longest that a notification may take, seconds.
const LIMIT_SECONDS: &str = "30";
const SHELL: &str = "/bin/sh";
/// What terminals that read another protocol than iTerm2's call themselves.
const TERMINALS: &[(&str, NotificationProtocol)] = &[
    ("kitty", NotificationProtocol::Osc99),
    ("foot", NotificationProtocol::Osc777),
    ("rxvt", NotificationProtocol::Osc777),
];
/// Set by terminals made of VTE (GNOME's and others).
const VTE: &str = "VTE_VERSION";

/// Calls a person about a gate. A gate's events are each told once.
pub fn send(context: &mut HookContext, gate: &Gate) {
    let notify = context.config.notify.clone();
    if (notify.command.is_none() && notify.terminal == TerminalNotice::Off) || !is_new(context, gate) {
        return;
    }
    context.attention = attention(notify.terminal, title(gate), context.env.vars);
    let mut outcome = json!({"human_gate": gate.gate_id, "terminal": notify.terminal});
    if let Some(command) = &notify.command {
        let loop_id = context.bound.as_ref().map(|bound| bound.id.clone()).unwrap_or_default();
        outcome["command"] = match start(command, context.project.root(), gate, &loop_id) {
            Ok(()) => json!("notified"),
            Err(error) => json!(format!("the notification failed: {error}")),
        };
    }
    context.log("notify_human_if_critical", HookRecord::default().outcome(outcome));
}

/// Whether an event of the gate has not been told; remembers that all are.
fn is_new(context: &mut HookContext, gate: &Gate) -> bool {
    let new = context.change_state(Durability::Process, |state| {
        let known = state.notified_events.get_or_insert_default();
        let ids = if gate.event_ids.is_empty() { vec![gate.gate_id.clone()] } else { gate.event_ids.clone() };
        let before = known.len();
        known.extend(ids.into_iter().filter(|id| !known.contains(id)).collect::<Vec<_>>());
        known.len() > before
    });
    new == Some(true)
}

fn title(gate: &Gate) -> &str {
    gate.message.lines().next().unwrap_or_default()
}

fn attention(wanted: TerminalNotice, title: &str, variables: EnvLookup) -> Option<Attention> {
    match wanted {
        TerminalNotice::Off => None,
        TerminalNotice::Bell => Some(Attention::Bell),
        TerminalNotice::Desktop => {
            Some(Attention::Desktop { text: title.to_owned(), protocol: protocol(variables) })
        }
    }
}

/// The protocol that the session's terminal reads, by the names that it gives itself.
fn protocol(variables: EnvLookup) -> NotificationProtocol {
    let names = ["TERM", "TERM_PROGRAM"].map(|name| variables(name).unwrap_or_default().to_lowercase());
    let known = TERMINALS.iter().find(|(word, _)| names.iter().any(|name| name.contains(word)));
    match known {
        Some((_, protocol)) => *protocol,
        None if variables(VTE).is_some() => NotificationProtocol::Osc777,
        None => NotificationProtocol::Osc9,
    }
}

/// The watchdog is the shell's own: the hook has ended long before.
pub(crate) fn start(command: &str, root: &Path, gate: &Gate, loop_id: &str) -> std::io::Result<()> {
    let watched = "sh -c \"$STEADFAST_NOTIFY_COMMAND\" & job=$!; (sleep \"$STEADFAST_NOTIFY_LIMIT\"; kill \"$job\") & \
                   dog=$!; wait \"$job\"; kill \"$dog\"";
    let mut shell = Command::new(SHELL);
    shell
        .args(["-c", watched])
        .current_dir(root)
        .env("STEADFAST_NOTIFY_COMMAND", command)
        .env("STEADFAST_NOTIFY_LIMIT", LIMIT_SECONDS)
        .env("STEADFAST_TITLE", title(gate))
        .env("STEADFAST_MESSAGE", &gate.message)
        .env("STEADFAST_LOOP_ID", loop_id)
        .env("STEADFAST_GATE_ID", &gate.gate_id)
        .env("STEADFAST_DELEGATED_TO", gate.delegated_to().unwrap_or_default())
        .env("STEADFAST_ITERATION", gate.iteration.to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    std::os::unix::process::CommandExt::process_group(&mut shell, 0);
    crate::last_word::with_inherited_limits(|| shell.spawn()).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_is_called_in_its_own_language() {
        for (set, expected) in [
            (&[("TERM", "xterm-256color")][..], NotificationProtocol::Osc9),
            (&[("TERM", "xterm-kitty")], NotificationProtocol::Osc99),
            (&[("TERM", "foot-extra")], NotificationProtocol::Osc777),
            (&[("TERM", "xterm-256color"), ("VTE_VERSION", "7600")], NotificationProtocol::Osc777),
            (&[("TERM_PROGRAM", "iTerm.app"), ("TERM", "xterm-256color")], NotificationProtocol::Osc9),
            (&[], NotificationProtocol::Osc9),
        ] {
            let variables = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(protocol(&variables), expected, "{set:?}");
        }
    }
}
