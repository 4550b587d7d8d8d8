//! The fast path of `steadfast-hook`: read, understand, judge, record, answer.
//!
//! Whatever comes and whatever fails, it exits with 0 and prints at most one answer: other exit codes let the
//! action through, or refuse it, without anybody having decided so.

#[cfg(debug_assertions)]
mod fault;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, getrlimit};

use crate::hosts::{Host, Unreadable, registry};
use crate::last_word;
use crate::lifecycle::changes::net;
use crate::lifecycle::{self, Env};
use crate::model::verdict::{Answer, Verdict};
use crate::state::witness;

/// The most that is read of an event, in bytes.
const STDIN_LIMIT: usize = 16 * 1024 * 1024;
/// The address space that a hook may use, in bytes: many times what the largest event needs.
const ADDRESS_SPACE: u64 = 1024 * 1024 * 1024;
/// How long an event may take to arrive, and to be answered where its host's registration says nothing else.
const DEADLINE: Duration = Duration::from_secs(8);
/// The stack that a hook needs, in bytes: deep shell texts are bounded far below it.
const ROOM: usize = 2 << 20;
/// What the person reads when a call in a loop could not be judged.
const FAILED: &str = "Steadfast failed while it judged this call, so nothing about it was checked. A loop runs in \
                      this session or something is lost in it; without a person's decision the call does not happen.";
/// What the person reads when another event of such a session could not be judged.
const UNJUDGED: &str = "Steadfast failed or was ended while it looked at what happened, so nothing about it was checked \
                        or recorded. A loop runs in this session or something is lost in it: `steadfast status`.";
const USAGE: &str = "usage: steadfast-hook EVENT < event.json\n\nReads one hook event of a coding agent (EVENT is \
                     for example pre-tool-use) and prints the answer.\nAgents run it; the command for people is \
                     steadfast.\n";

/// Answers the event that the arguments and stdin give.
pub fn run(arguments: impl IntoIterator<Item = OsString>) {
    let argument = arguments.into_iter().nth(1).map(|argument| argument.to_string_lossy().into_owned());
    match argument.as_deref() {
        Some("--help" | "-h") => print(USAGE),
        Some("--version" | "-V") => print(concat!("steadfast-hook ", env!("CARGO_PKG_VERSION"), "\n")),
        Some(net::AHEAD) => lay_net_ahead(),
        None if io::stdin().is_terminal() => print(USAGE),
        argument => with_room(|| answer(registry::caller(&variable), argument.unwrap_or_default())),
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
fn with_room(work: impl FnOnce() + Send) {
    let is_small = getrlimit(Resource::Stack).current.is_some_and(|bytes| bytes < ROOM as u64);
    if !is_small {
        return work();
    }
    thread::scope(|scope| {
        // Without a thread nothing is said: the stack has no room for it.
        thread::Builder::new().stack_size(ROOM).spawn_scoped(scope, work).ok();
    });
}

/// From the bytes of an event to the bytes of its answer.
fn answer(host: &dyn Host, argument: &str) {
    let started = Instant::now();
    last_word::arm(Vec::new(), Some(DEADLINE), ADDRESS_SPACE);
    witness::keep_below(env::var_os("XDG_STATE_HOME"), env::var_os("HOME"));
    let event = received(io::stdin().lock()).and_then(|bytes| host.read(argument, &bytes, &variable));
    let name = match &event {
        Ok(event) => &event.host_event,
        Err(_) => host.event_name(argument).unwrap_or(argument),
    };
    last_word::set_deadline(deadline(host, name));
    let guard = || prepare_to_ask(host, name);
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
        Err(why) => lifecycle::handle_unread(name, why, &env),
    };
    let output = expressed(host, name, answer);
    if last_word::claim()
        && let Some(output) = output
    {
        print(&(output + "\n"));
    }
}

fn variable(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// Makes a question the last word, if the event can be answered with one. All others fail open, and a person hears it.
fn prepare_to_ask(host: &dyn Host, event: &str) {
    let told = || Answer { human: Some(UNJUDGED.to_owned()), ..Answer::default() };
    let asked = host.write(event, &Verdict::Ask(FAILED.to_owned()).into());
    if let Ok(Some(output)) = asked.or_else(|_| host.write(event, &told())) {
        last_word::set_answer(output.into_bytes());
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
    let registered = host.registrations().iter().find(|one| one.event == event);
    registered
        .map_or(Some(DEADLINE), |one| one.deadline_seconds.map(|seconds| Duration::from_secs(seconds.into())))
}

/// The answer in the host's words, or the nearest one that the host has words for.
fn expressed(host: &dyn Host, event: &str, mut answer: Answer) -> Option<String> {
    loop {
        match host.write(event, &answer) {
            Ok(output) => return output,
            Err(_) if answer.verdict == Verdict::Pass => return None,
            Err(_) => answer.verdict = nearest(answer.verdict),
        }
    }
}

/// What to say instead of a verdict that the host can't express: never less strict where the action can still be
/// stopped, and still heard by the model where it can't.
fn nearest(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Ask(reason) => Verdict::Deny(reason),
        Verdict::Feedback(reason) => Verdict::Context(reason),
        _ => Verdict::Pass,
    }
}

/// Writes to stdout. A host that has closed it doesn't want the answer, which is no failure.
fn print(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::{Registration, Unsupported, Variables};
    use crate::model::event::Event;

    /// A host that can express only the verdicts named.
    struct Mute(&'static [&'static str]);

    impl Host for Mute {
        fn name(&self) -> &'static str {
            "mute"
        }

        fn recognises(&self, _: Variables) -> bool {
            true
        }

        fn registrations(&self) -> &'static [Registration] {
            &[]
        }

        fn read(&self, _: &str, _: &[u8], _: Variables) -> Result<Event, Unreadable> {
            Err(Unreadable::Empty)
        }

        fn write(&self, event: &str, answer: &Answer) -> Result<Option<String>, Unsupported> {
            let verdict = answer.verdict.name();
            if self.0.contains(&verdict) {
                return Ok(Some(format!("{verdict} {}", answer.human.as_deref().unwrap_or_default())));
            }
            Err(Unsupported { verdict, event: event.to_owned() })
        }
    }

    #[test]
    fn what_a_host_cannot_express_becomes_the_nearest_it_can() {
        let text = || "T".to_owned();
        let all: &[&str] = &["pass", "context", "ask", "deny", "feedback", "continue", "halt"];
        let cases: &[(&[&str], Verdict, Option<&str>)] = &[
            (all, Verdict::Ask(text()), Some("ask H")),
            (&["pass", "deny"], Verdict::Ask(text()), Some("deny H")),
            (&["pass", "context"], Verdict::Ask(text()), Some("pass H")),
            (&["pass", "context"], Verdict::Feedback(text()), Some("context H")),
            (&["pass"], Verdict::Feedback(text()), Some("pass H")),
            (&["pass", "ask"], Verdict::Deny(text()), Some("pass H")),
            (&["pass", "context"], Verdict::Continue(text()), Some("pass H")),
            (&["pass", "context"], Verdict::Halt(text()), Some("pass H")),
            (&[], Verdict::Ask(text()), None),
        ];
        for (can, verdict, expected) in cases {
            let answer =
                Answer { verdict: verdict.clone(), human: Some("H".to_owned()), ..Answer::default() };
            let output = expressed(&Mute(can), "any", answer);
            assert_eq!(output.as_deref(), *expected, "{verdict:?} where {can:?}");
        }
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
        let host = registry::caller(&|_| None);
        assert_eq!(deadline(host, "PreToolUse"), Some(Duration::from_secs(50)));
        assert_eq!(deadline(host, "Stop"), None);
        assert_eq!(deadline(host, "no such event"), Some(DEADLINE));
    }
}
