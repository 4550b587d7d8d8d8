//! `steadfast run`: a loop driven from outside, with a fresh session of any agent for each iteration.
//!
//! The loop is the same as in a session: its state, gates, limits and log. The driver starts sessions, ends iterations,
//! says that it is alive, and pauses the loop when it is interrupted or can't go on.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use anstream::println;
use anyhow::{Context, Result, bail};
use clap::Args;
use jiff::Timestamp;
use rustix::process::{Signal, kill_process_group};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::loops::StartArgs;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::hooks::pre_iteration::time_left;
use crate::lifecycle::session::driver;
use crate::lifecycle::session::driver::Step;
use crate::lifecycle::session::liveness;
use crate::lifecycle::session::liveness::Worker;
use crate::lifecycle::session::loop_resume;
use crate::lifecycle::session::loop_resume::Limits;
use crate::loops::verification;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_id;
use crate::state::loop_state::{LoopState, Status};

mod agent;
mod screen;

use agent::{Ended, Session};
use screen::{Look, Screen};

/// So many sessions in a row that fail without a change mean that the agent does not work here.
const MOST_FAILURES: u32 = 3;
/// How often a driver says that it is alive.
const BEAT: Duration = Duration::from_secs(60);
/// Exit code where a person has to decide.
const WAITS: u8 = 3;
/// Exit codes of what a signal ended begin here.
const SIGNALLED: i32 = 128;

/// Arguments of `steadfast run`.
#[derive(Debug, Args)]
pub struct RunArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Go on with the loop whose id stands in the place of the task
    #[arg(long)]
    resume: bool,
    /// The agent's command; `{prompt}` stands for the prompt, which otherwise is its last argument, or its standard input
    /// where the last word is `-`
    #[arg(last = true, value_name = "AGENT COMMAND")]
    agent: Vec<String>,
}

/// Runs a loop to its end. Answers 0 when its goal is reached, 1 at a limit, 3 where a person has to decide.
pub fn run(args: &RunArgs) -> Result<u8> {
    super::human::only("drive a loop")?;
    let project = Project::locate(&std::env::current_dir()?);
    let layout = Layout::of_project(project.root());
    liveness::put_aside_crashed(&layout, Timestamp::now());
    let look = if args.start.json { Look::Json } else { Look::of_terminal() };
    let (id, agent) = if args.resume {
        resumed(args, &project, &layout)?
    } else {
        match begun(args, &project)? {
            Some(begun) => begun,
            None => return Ok(0),
        }
    };
    end_left_behind(&layout, &id);
    let interruption = Interruption::watch()?;
    let driver =
        Driver { project: &project, layout: &layout, id, agent, interruption, screen: Screen::new(look) };
    let result = driver.drive();
    if result.is_err() {
        driver.pause();
    }
    result
}

/// Starts the loop. `None` when its criterion holds already.
fn begun(args: &RunArgs, project: &Project) -> Result<Option<(String, Vec<String>)>> {
    if args.agent.is_empty() {
        bail!("say which agent works: steadfast run \"<task>\" --until \"<command> passes\" -- claude -p");
    }
    agent::check(&args.agent)?;
    let mut request = args.start.request(project)?;
    let id = request.loop_id.clone().unwrap_or_else(|| loop_id::for_task(&request.task, Timestamp::now()));
    request.loop_id = Some(id.clone());
    // No session may claim it in between.
    request.session_id = Some(driver::session_of(&id));
    request.driver = Some(serde_json::to_string(&args.agent)?);
    let started = args.start.begin(project, &request)?;
    if args.start.json {
        println!("{}", super::loops::started_json(project, &started));
    } else if let Some(banner) = &started.met {
        println!("{banner}");
    } else {
        println!("{}", crate::text::session::started(&started.state, None));
    }
    Ok(started.met.is_none().then(|| (id, args.agent.clone())))
}

/// Goes on with a loop that a driver had begun, with its agent or another one.
fn resumed(args: &RunArgs, project: &Project, layout: &Layout) -> Result<(String, Vec<String>)> {
    let id = args.start.task.clone();
    loop_id::check(&id)?;
    let state = LoopState::read(layout, &id).with_context(|| format!("no loop {id}"))?;
    let stored = state.configuration.driver.as_deref();
    let stored: Vec<String> = stored.and_then(|agent| serde_json::from_str(agent).ok()).unwrap_or_default();
    let agent = if args.agent.is_empty() { stored } else { args.agent.clone() };
    if agent.is_empty() {
        bail!(
            "loop {id} was begun in a session; `steadfast loop resume {id}` goes on there, or name an agent after --"
        );
    }
    agent::check(&agent)?;
    let (max_iterations, timeout_minutes) = args.start.limits();
    let limits = Limits { max_iterations, timeout_minutes };
    if state.status == Status::Running && liveness::worker(layout, &id).is_some() {
        bail!("loop {id} is being driven by another process; `steadfast loop pause {id}` stops that");
    }
    if state.status != Status::Running {
        loop_resume::resume(project, layout, &id, limits, Some(&driver::session_of(&id)))
            .map_err(anyhow::Error::msg)?;
    }
    let driver = serde_json::to_string(&agent)?;
    change(layout, &id, |state| {
        state.configuration.driver = Some(driver);
    })?;
    Ok((id, agent))
}

fn change<T>(layout: &Layout, id: &str, change: impl FnOnce(&mut LoopState) -> T) -> Result<T> {
    let changed = change_state(layout, id, CLI_WAIT, Durability::Power, Timestamp::now(), change);
    changed.map(|changed| changed.value).map_err(anyhow::Error::msg)
}

/// Ends the session of a driver that was killed: two would work on the same files.
fn end_left_behind(layout: &Layout, id: &str) {
    if let Some(left) = liveness::agent_left_behind(layout, id, Timestamp::now()) {
        anstream::eprintln!("steadfast: the session that an earlier run left behind ({left}) is ended");
        kill_process_group(left, Signal::KILL).ok();
    }
    liveness::forget_agent(layout, id);
}

/// What a person, or the system, says by signals: the first asks for a pause, the second for one at once.
#[derive(Clone, Default)]
struct Interruption {
    signal: Arc<AtomicI32>,
    at_once: Arc<AtomicBool>,
}

impl Interruption {
    fn watch() -> Result<Interruption> {
        let interruption = Interruption::default();
        let (told, verifying) = (interruption.clone(), verification::interruption());
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
        std::thread::Builder::new().spawn(move || {
            for signal in signals.forever() {
                let again = told.signal.swap(signal, Ordering::Relaxed) != 0;
                told.at_once.fetch_or(again, Ordering::Relaxed);
                verifying.store(true, Ordering::Relaxed);
            }
        })?;
        Ok(interruption)
    }

    fn is_asked(&self) -> bool {
        self.signal.load(Ordering::Relaxed) != 0
    }

    fn is_urgent(&self) -> bool {
        self.at_once.load(Ordering::Relaxed)
    }

    fn exit_code(&self) -> u8 {
        u8::try_from(SIGNALLED + self.signal.load(Ordering::Relaxed)).unwrap_or(u8::MAX)
    }
}

struct Driver<'a> {
    project: &'a Project,
    layout: &'a Layout,
    id: String,
    agent: Vec<String>,
    interruption: Interruption,
    screen: Screen,
}

impl Driver<'_> {
    fn drive(&self) -> Result<u8> {
        let _heart = Heart::start(self.layout, &self.id);
        let mut prompt = match driver::begin(self.project, &self.id).map_err(anyhow::Error::msg)? {
            Step::GoesOn(prompt) => prompt,
            Step::Over(why) | Step::Waits(why) => return self.waits(&why),
        };
        let mut failures = 0;
        loop {
            let state = self.state()?;
            if state.status != Status::Running {
                return self.waits(&format!("the loop is {}", state.status.name()));
            }
            let ended = self.session(&state, &prompt)?;
            self.add_cost(&ended)?;
            if self.interruption.is_asked() {
                return Ok(self.interrupted());
            }
            let step = self.screen.during("verifying", || driver::end(self.project, &self.id, &ended.said));
            let step = step.map_err(anyhow::Error::msg)?;
            // What was over before the interruption is over.
            if self.interruption.is_asked() && !matches!(step, Step::Over(_)) {
                return Ok(self.interrupted());
            }
            let state = self.state()?;
            let last = state.iteration_history.last();
            let changed = last.is_some_and(|record| !record.artifacts.is_empty());
            self.screen.iteration(&state, &ended);
            failures = if ended.succeeded() || changed { 0 } else { failures + 1 };
            match step {
                Step::Over(banner) => return self.over(&banner),
                Step::Waits(why) => return self.waits(&why),
                Step::GoesOn(_) if failures >= MOST_FAILURES => {
                    let log = ended.log.display();
                    return self.waits(&format!(
                        "{failures} sessions in a row failed ({}) and changed nothing; their output is in {log}",
                        ended.how()
                    ));
                }
                Step::GoesOn(next) => prompt = next,
            }
        }
    }

    /// One session, with the loop kept alive beside it.
    fn session(&self, state: &LoopState, prompt: &str) -> Result<Ended> {
        let number = state.iteration.max(1);
        let log = self.layout.iterations(&self.id).join(format!("session-{number:03}.log"));
        let left = time_left(state, Timestamp::now()).unwrap_or_default();
        let mut session = Session::start(&self.agent, prompt, self.project.root(), &self.id, &log)
            .with_context(|| format!("{} can't be started", self.agent.first().map_or("", String::as_str)))?;
        if let Err(error) = liveness::note_agent(self.layout, &self.id, session.pid()) {
            anstream::eprintln!("steadfast: {error}");
        }
        self.screen.begin(state, state.metrics.total_cost_usd);
        let ended = loop {
            if let Some(ended) = session.poll()? {
                break ended;
            }
            let over = session.running_for() > left || self.paused_meanwhile(&session);
            if over || self.interruption.is_asked() {
                break session.stop(|| self.interruption.is_urgent())?;
            }
            self.screen.tick();
            std::thread::sleep(agent::PAUSE);
        };
        liveness::forget_agent(self.layout, &self.id);
        Ok(ended)
    }

    fn interrupted(&self) -> u8 {
        self.pause();
        self.screen.say("interrupted", &format!("paused; `steadfast run {} --resume` goes on", self.id));
        self.interruption.exit_code()
    }

    /// Whether a person has paused or ended the loop while the session works. Looked at now and then.
    fn paused_meanwhile(&self, session: &Session) -> bool {
        session.look_is_due() && self.state().is_ok_and(|state| state.status != Status::Running)
    }

    fn state(&self) -> Result<LoopState> {
        Ok(LoopState::read(self.layout, &self.id)?)
    }

    fn add_cost(&self, ended: &Ended) -> Result<()> {
        let Some(cost) = ended.cost_usd else { return Ok(()) };
        change(self.layout, &self.id, |state| {
            let before = state.metrics.total_cost_usd.unwrap_or(0.0);
            state.metrics.total_cost_usd = Some(before + cost);
        })
    }

    fn over(&self, banner: &str) -> Result<u8> {
        let state = self.state()?;
        liveness::forget(self.layout, &self.id);
        self.screen.over(&state, banner);
        Ok(u8::from(state.status != Status::Completed))
    }

    fn waits(&self, why: &str) -> Result<u8> {
        self.pause();
        self.screen.say(
            "waits",
            &format!("{why}\nLoop {} is paused; `steadfast run {} --resume` goes on.", self.id, self.id),
        );
        Ok(WAITS)
    }

    /// Puts the loop aside; what is over stays so.
    fn pause(&self) {
        let paused = change(self.layout, &self.id, |state| {
            if state.status.may_become(Status::Paused) {
                state.status = Status::Paused;
            }
        });
        liveness::forget(self.layout, &self.id);
        if let Err(error) = paused {
            anstream::eprintln!("steadfast: {error:#}");
        }
    }
}

/// Says that this process works for the loop for as long as it lives, whatever the driver is doing.
struct Heart {
    _stop: mpsc::Sender<()>,
}

impl Heart {
    fn start(layout: &Layout, id: &str) -> Heart {
        let (stop, stopped) = mpsc::channel::<()>();
        let (layout, id) = (layout.clone(), id.to_owned());
        let beat = move || {
            if let Some(worker) = Worker::myself(Timestamp::now()) {
                // A beat that can't be written is made up for by the next.
                liveness::note(&layout, &id, &worker).ok();
            }
        };
        beat();
        std::thread::spawn(move || {
            while stopped.recv_timeout(BEAT) == Err(mpsc::RecvTimeoutError::Timeout) {
                beat();
            }
        });
        Heart { _stop: stop }
    }
}
