//! The driver of a loop: one session of an agent for each iteration, until the loop is over or waits.

use anyhow::{Context, Result};
use jiff::Timestamp;

use super::agent::{self, AgentSession, EndedSession};
use super::heart::Heartbeat;
use super::interruption::Interruption;
use super::screen::Screen;
use crate::lifecycle::context::hook_context::change_state;
use crate::lifecycle::events::driver::{self, DriverStep, ReportedStep};
use crate::lifecycle::hooks::pre_iteration::time_left;
use crate::lifecycle::session::liveness;
use crate::project::Project;
use crate::state::atomic::Durability;
use crate::state::layout::Layout;
use crate::state::lock::CLI_WAIT;
use crate::state::loop_state::{LoopState, Status};

/// So many sessions in a row that fail without a change mean that the agent does not work here.
const MOST_FAILURES: u32 = 3;
/// Exit code where a person has to decide.
const WAITS: u8 = 3;
/// Drives one loop: a session, its verification, and the next.
pub(super) struct Driver<'a> {
    pub(super) project: &'a Project,
    pub(super) layout: &'a Layout,
    pub(super) id: String,
    pub(super) agent: Vec<String>,
    pub(super) interruption: Interruption,
    pub(super) screen: Screen,
}

impl Driver<'_> {
    /// Drives the loop to its end; answers the exit code.
    pub(super) fn drive(&self) -> Result<u8> {
        let _heart = Heartbeat::start(self.layout, &self.id);
        let mut prompt = match self.heard(driver::begin(self.project, &self.id))? {
            DriverStep::GoesOn(prompt) => prompt,
            DriverStep::Over(why) | DriverStep::Waits(why) => return self.waits(&why),
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
            let step = self.heard(step)?;
            // What was over before the interruption is over.
            if self.interruption.is_asked() && !matches!(step, DriverStep::Over(_)) {
                return Ok(self.interrupted());
            }
            failures = if self.got_on(&ended)? { 0 } else { failures + 1 };
            match step {
                DriverStep::Over(banner) => return self.over(&banner),
                DriverStep::Waits(why) => return self.waits(&why),
                DriverStep::GoesOn(_) if failures >= MOST_FAILURES => {
                    let log = ended.log.display();
                    return self.waits(&format!(
                        "{failures} sessions in a row failed ({}) and changed nothing; their output is in {log}",
                        ended.how()
                    ));
                }
                DriverStep::GoesOn(next) => prompt = next,
            }
        }
    }

    /// Shows what the person hears of a step, and answers the step.
    fn heard(&self, stepped: Result<ReportedStep, String>) -> Result<DriverStep> {
        let ReportedStep { step, told } = stepped.map_err(anyhow::Error::msg)?;
        for message in told {
            self.screen.say("told", &message);
        }
        Ok(step)
    }

    /// Shows an iteration that ended. Whether its session succeeded, or changed anything.
    fn got_on(&self, ended: &EndedSession) -> Result<bool> {
        let state = self.state()?;
        self.screen.iteration(&state, ended);
        let last = state.iteration_history.last();
        Ok(ended.succeeded() || last.is_some_and(|record| record.own_artifacts().next().is_some()))
    }

    /// One session, with the loop kept alive beside it.
    fn session(&self, state: &LoopState, prompt: &str) -> Result<EndedSession> {
        let number = state.iteration.max(1);
        let log = self.layout.iterations(&self.id).join(format!("session-{number:03}.log"));
        let left = time_left(state, Timestamp::now()).unwrap_or_default();
        let mut session = AgentSession::start(&self.agent, prompt, self.project.root(), &self.id, &log)
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
    fn paused_meanwhile(&self, session: &AgentSession) -> bool {
        session.look_is_due() && self.state().is_ok_and(|state| state.status != Status::Running)
    }

    fn state(&self) -> Result<LoopState> {
        Ok(LoopState::read(self.layout, &self.id)?)
    }

    fn add_cost(&self, ended: &EndedSession) -> Result<()> {
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
    pub(super) fn pause(&self) {
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

/// Changes the state of a loop.
pub(super) fn change<T>(layout: &Layout, id: &str, change: impl FnOnce(&mut LoopState) -> T) -> Result<T> {
    let changed = change_state(layout, id, CLI_WAIT, Durability::Power, Timestamp::now(), change);
    changed.map(|changed| changed.value).map_err(anyhow::Error::msg)
}
