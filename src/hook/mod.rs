//! The fast path of `steadfast-hook`: read, understand, judge, record, answer.
//!
//! Whatever comes and whatever fails, it prints at most one answer and exits with 0: other exit codes let the action
//! through, or refuse it, without anybody having decided so. The one exception is a refusal in a host that takes it as 2.

#[cfg(debug_assertions)]
mod fault;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit};

use crate::hosts::{HookCall, HookOutput, Host, PATIENCE, Registration, Unreadable, downgrade, registry};
use crate::last_word::{self, LastWord};
use crate::lifecycle::changes::net;
use crate::lifecycle::{self, Env};
use crate::model::event::EventKind;
use crate::model::verdict::{Answer, Verdict};
use crate::state::witness;

/// The most that is read of an event, in bytes.
const STDIN_LIMIT: usize = 16 * 1024 * 1024;
/// The address space that a hook may use, in bytes: many times what the largest event needs.
const ADDRESS_SPACE: u64 = 1024 * 1024 * 1024;
/// The stack that a hook needs, in bytes: deep shell texts are bounded far below it.
const ROOM: usize = 2 << 20;
/// What the person reads when a call in a loop could not be judged.
const FAILED: &str = "Steadfast failed while it judged this call, so nothing about it was checked. A loop runs in \
                      this session or something is lost in it; without a person's decision the call does not happen.";
/// What the person reads when another event of such a session could not be judged.
const UNJUDGED: &str = "Steadfast failed or was ended while it looked at what happened, so nothing about it was checked \
                        or recorded. A loop runs in this session or something is lost in it: `steadfast status`.";
/// What the person reads in a session in which nothing else is at stake.
const UNCHECKED: &str = "Steadfast failed, was ended or ran out of time while it looked at this, so nothing about it was \
                         checked or recorded. `steadfast log` and `steadfast doctor` say what is known of it.";
const USAGE: &str = "usage: steadfast-hook EVENT [--host NAME] < event.json\n\nReads one hook event of a coding agent (EVENT \
                     is for example pre-tool-use) and prints the answer.\nWithout --host the event's own form says \
                     which agent has sent it.\nAgents run it; the command for people is steadfast.\n";

/// The option that names the host; what an installation writes into the host's own configuration has it.
const HOST_OPTION: &str = "--host";

/// What the hook's process was called with.
#[derive(Default)]
struct HookArguments {
    event: Option<String>,
    host: Option<&'static dyn Host>,
}

/// Answers the event that the arguments and stdin give. Returns the exit code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = HookArguments::of(arguments);
    match arguments.event.as_deref() {
        Some("--help" | "-h") => print(USAGE),
        Some("--version" | "-V") => print(concat!("steadfast-hook ", env!("CARGO_PKG_VERSION"), "\n")),
        Some(net::AHEAD) => lay_net_ahead(),
        None if io::stdin().is_terminal() => print(USAGE),
        event => return with_room(|| answer(arguments.host, event.unwrap_or_default())),
    }
    0
}

impl HookArguments {
    /// A host that is not known is none: its event's form is looked at.
    fn of(arguments: impl IntoIterator<Item = OsString>) -> Self {
        let mut said = HookArguments::default();
        let mut rest = arguments.into_iter().skip(1).map(|word| word.to_string_lossy().into_owned());
        while let Some(word) = rest.next() {
            if word == HOST_OPTION {
                said.host = rest.next().and_then(|name| registry::named(&name));
            } else if said.event.is_none() {
                said.event = Some(word);
            }
        }
        said
    }
}

/// Looks at the project around the working directory before any call does. Nobody waits for it.
fn lay_net_ahead() {
    // What calls wait for comes first.
    let _ = rustix::process::nice(10);
    if let Ok(directory) = env::current_dir() {
        lifecycle::lay_net_ahead(&directory);
    }
}

/// Runs `work` on a stack that has room for it, where the process was started with a small one.
fn with_room(work: impl FnOnce() -> u8 + Send) -> u8 {
    let is_small = getrlimit(Resource::Stack).current.is_some_and(|bytes| bytes < ROOM as u64);
    if !is_small {
        return work();
    }
    thread::scope(|scope| {
        // Without a thread nothing is said: the stack has no room for it.
        let thread = thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok()).unwrap_or_default()
    })
}

/// From the bytes of an event to its answer, which is printed. Returns the exit code.
fn answer(host: Option<&'static dyn Host>, argument: &str) -> u8 {
    let started = Instant::now();
    keep_own_bits();
    last_word::arm(LastWord::default(), Some(PATIENCE), ADDRESS_SPACE);
    witness::keep_below(env::var_os("XDG_STATE_HOME"), env::var_os("HOME"));
    let bytes = received(io::stdin().lock());
    let call = |bytes| HookCall { argument, bytes, env: &variable };
    let (host, event) = match &bytes {
        Ok(bytes) => registry::received(host, &call(bytes)),
        Err(why) => (registry::received(host, &call(&[])).0, Err(why.clone())),
    };
    let name = match &event {
        Ok(event) => &event.host_event,
        Err(_) => host.event_name(argument).unwrap_or(argument),
    };
    last_word::set_deadline(deadline(host, name));
    let before_call = event.as_ref().is_ok_and(|event| matches!(event.kind, EventKind::PreToolUse(_)));
    let guard = |is_at_stake| prepare_to_speak(host, name, before_call, is_at_stake);
    let env = Env {
        started,
        now: jiff::Timestamp::now(),
        // Not `env::home_dir`, which asks the user database and so loads libraries into a static executable.
        home: env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from),
        vars: &variable,
        guard: &guard,
    };
    #[cfg(debug_assertions)]
    fault::provoke(&env);
    let answer = match &event {
        Ok(event) => lifecycle::handle(event, &env),
        Err(why) => lifecycle::handle_unread(why, is_before_call(host, name)),
    };
    let fitted = downgrade::fitted(host.registration(name), answer);
    let output = host.write(name, &fitted.answer);
    if let (Ok(event), Some(text)) = (&event, &fitted.later) {
        lifecycle::keep_unsaid(event, &env, text);
    }
    if last_word::claim() { give(&output) } else { 0 }
}

/// A mask of modes that takes away the owner's own bits would make files that the next hook can't read.
fn keep_own_bits() {
    let owner = rustix::fs::Mode::RWXU;
    let mask = rustix::process::umask(owner.complement());
    rustix::process::umask(mask.difference(owner));
}

/// Whether an event of which only the name is known comes before a call.
fn is_before_call(host: &dyn Host, event: &str) -> bool {
    host.registration(event).is_some_and(|registration| registration.argument == "pre-tool-use")
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// Makes a question the last word of a call that has not run, where something is at stake. Everything else fails open,
/// and a person hears it.
fn prepare_to_speak(host: &dyn Host, event: &str, before_call: bool, is_at_stake: bool) {
    let told = |text: &str| Answer { human: Some(text.to_owned()), ..Answer::default() };
    let answer = match (is_at_stake, before_call) {
        (true, true) => Verdict::Ask(FAILED.to_owned()).into(),
        (true, false) => told(UNJUDGED),
        (false, _) => told(UNCHECKED),
    };
    let output = host.write(event, &downgrade::fitted(host.registration(event), answer).answer);
    if !output.is_silent() {
        last_word::set_answer(LastWord {
            stdout: output.stdout.into_bytes(),
            stderr: output.stderr.into_bytes(),
            code: output.code,
        });
    }
}

/// All of the event, if it isn't larger than is read.
fn received(stdin: impl Read) -> Result<Vec<u8>, Unreadable> {
    let mut bytes = Vec::new();
    // What a broken stdin gave is judged as far as it goes, like a cut-off event.
    let _ = stdin.take(STDIN_LIMIT as u64 + 1).read_to_end(&mut bytes);
    if bytes.len() > STDIN_LIMIT {
        return Err(Unreadable::TooLarge { limit: STDIN_LIMIT });
    }
    Ok(bytes)
}

/// How long the host's event may take to be answered. `None` where the lifecycle sets its own deadline.
fn deadline(host: &dyn Host, event: &str) -> Option<Duration> {
    host.registration(event).map_or(Some(PATIENCE), Registration::patience)
}

/// Gives an answer to the host. Returns the exit code that goes with it.
fn give(output: &HookOutput) -> u8 {
    if !output.stderr.is_empty() {
        let _ = writeln!(io::stderr(), "{}", output.stderr);
    }
    if !output.stdout.is_empty() {
        print(&format!("{}\n", output.stdout));
    }
    output.code
}

/// Writes to stdout. A host that has closed it doesn't want the answer, which is no failure.
fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_host_is_named_before_or_after_the_event() {
        let said = |words: &[&str]| {
            let words = std::iter::once("steadfast-hook").chain(words.iter().copied()).map(OsString::from);
            let said = HookArguments::of(words);
            (said.event.unwrap_or_default(), said.host.map_or("", |host| host.name()))
        };
        let claude = ("stop".to_owned(), "claude-code");
        assert_eq!(said(&["stop", "--host", "claude-code"]), claude);
        assert_eq!(said(&["--host", "claude-code", "stop"]), claude);
        assert_eq!(said(&["stop", "--host", "no-such-host"]), ("stop".to_owned(), ""));
        assert_eq!(said(&["--host"]), (String::new(), ""));
        assert_eq!(said(&["pre-tool-use"]), ("pre-tool-use".to_owned(), ""));
    }

    #[test]
    fn an_event_is_read_up_to_its_limit() {
        let exact = vec![b'x'; STDIN_LIMIT];
        assert_eq!(received(exact.as_slice()).map(|bytes| bytes.len()), Ok(STDIN_LIMIT));
        let endless = io::repeat(b'x');
        assert_eq!(received(endless), Err(Unreadable::TooLarge { limit: STDIN_LIMIT }));
    }

    #[test]
    fn each_event_has_its_deadline() {
        let host = registry::named("claude-code").unwrap();
        assert_eq!(deadline(host, "PreToolUse"), Some(Duration::from_secs(50)));
        assert_eq!(deadline(host, "Stop"), None);
        assert_eq!(deadline(host, "no such event"), Some(PATIENCE));
    }
}
