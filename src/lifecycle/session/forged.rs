//! Events that something else than the session's client has sent: a hook that the agent's own shell starts, by whatever
//! name, from a script or as an orphan.
//!
//! The client calls its hooks itself, and sets `CLAUDE_PROJECT_DIR` for what it calls; a shell for the agent has it not.
//! Where the client of the session is not known or is gone, nothing is said: a false word here would cost every answer.

use rustix::process::getppid;

use crate::lifecycle::context::alarm;
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::session::liveness::{self, Worker};
use crate::lifecycle::session::processes::{self, Process};
use crate::text::disarming as text;

/// What the client sets for the hooks that it calls, and for nothing else.
const OF_HOOKS: &str = "CLAUDE_PROJECT_DIR";

/// Refuses an event that was not sent by the session's client; the next one that is tells of it.
pub(crate) fn refuse(context: &HookContext) -> bool {
    let Some(by) = caller(context) else { return false };
    alarm::leave(context, &text::forged(&context.event.host_event, &by));
    true
}

/// Who has called this hook, if that was not the client.
fn caller(context: &HookContext) -> Option<String> {
    let bound = context.bound.as_ref()?;
    let client = liveness::worker(&context.layout, &bound.id)?;
    if Worker::parent().as_ref() == Some(&client) || client.is_dead(context.env.now) {
        return None;
    }
    // A driver starts the client that calls the hooks of its loop.
    if liveness::is_driven(context) || client.heartbeat.is_some() {
        return None;
    }
    by_another(&processes::above(getppid()?), client.pid)
}

/// Says of the processes above a hook, nearest first, what is wrong with them.
fn by_another(above: &[Process], client: u32) -> Option<String> {
    let nearest = above.first()?;
    let said = || match nearest.command.as_str() {
        "" => format!("process {}", nearest.pid),
        command => format!("process {} ({command})", nearest.pid),
    };
    if let Some(at) = above.iter().position(|process| process.pid == client) {
        let is_worker = |process: &&Process| above.get(at).is_some_and(|client| is_copy(process, client));
        let workers = above.iter().take(at).rev().take_while(is_worker).count();
        // What the client itself has started for a hook, as a script around it.
        let started = above.get(at.checked_sub(workers + 1)?)?;
        return (!started.sets(OF_HOOKS)?).then(said);
    }
    // The session is resumed by another process of the same client, which may have a script around its hooks too.
    let program = processes::program(client)?;
    let is_client = |process: &Process| processes::program(process.pid).as_ref() == Some(&program);
    (!above.iter().any(is_client)).then(said)
}

/// Whether a process is the client once more: its program, in its very environment, or with its very script and nothing
/// that loads other code. What it starts for the agent is another one.
fn is_copy(process: &Process, client: &Process) -> bool {
    let program = processes::program(client.pid);
    let is_program = program.is_some() && processes::program(process.pid) == program;
    let (Some(own), Some(known)) = (&process.environment, &client.environment) else { return false };
    let has_script = || processes::script(process).is_some_and(|own| processes::script(client) == Some(own));
    is_program && (own == known || has_script() && !loads_code(own, known))
}

/// Whether an environment has a variable, which another has not, that makes an interpreter load other code.
fn loads_code(environment: &[u8], known: &[u8]) -> bool {
    const LOADING: &[&[u8]] = &[b"NODE_", b"PYTHON", b"LD_", b"DYLD_", b"BUN_", b"DENO_", b"RUBY", b"PERL5"];
    let variables = |all| <[u8]>::split(all, |byte| *byte == 0);
    let is_known = |variable: &[u8]| variables(known).any(|it| it == variable);
    variables(environment)
        .any(|variable| LOADING.iter().any(|head| variable.starts_with(head)) && !is_known(variable))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_loads_other_code_makes_another_program_of_one() {
        let known = b"PATH=/bin\0NODE_OPTIONS=--max-old-space-size=4096\0";
        let rows: [(&[u8], bool); 4] = [
            (known, false),
            (b"PATH=/bin\0A_MARK=1\0", false),
            (b"PATH=/bin\0NODE_OPTIONS=--require ./forge.js\0", true),
            (b"PATH=/bin\0LD_PRELOAD=/tmp/x.so\0", true),
        ];
        for (environment, loads) in rows {
            assert_eq!(loads_code(environment, known), loads, "{}", String::from_utf8_lossy(environment));
        }
    }

    fn process(pid: u32, variables: &str) -> Process {
        let environment = Some(variables.as_bytes().to_vec());
        Process { pid, command: format!("p{pid}"), environment, parent: 0, terminal: 0 }
    }

    #[test]
    fn a_shell_below_the_client_is_told_from_a_script_around_a_hook() {
        let client = std::process::id();
        let hooks = "PATH=/bin\0CLAUDE_PROJECT_DIR=/p\0";
        let rows: [(Vec<Process>, bool); 7] = [
            (vec![process(client, "")], false),
            (vec![process(9_000_001, hooks), process(client, "")], false),
            (vec![process(9_000_001, "PATH=/bin\0"), process(client, "")], true),
            // An inner process may set what it likes: the one that the client has started tells.
            (vec![process(9_000_002, hooks), process(9_000_001, "A=1\0"), process(client, "")], true),
            (vec![Process { environment: None, ..process(9_000_001, "") }, process(client, "")], false),
            (vec![process(9_000_001, hooks), process(1, "")], true),
            // Another program in the client's environment is no worker of it.
            (vec![process(9_000_001, "A=1\0"), process(client, "A=1\0")], true),
        ];
        for (at, (above, forged)) in rows.into_iter().enumerate() {
            assert_eq!(by_another(&above, client).is_some(), forged, "row {at}");
        }
    }
}
