//! What a driver shows: one living line on a terminal, plain lines in a pipe, or a row of JSON for each event.

use std::cell::{Cell, RefCell};
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use serde_json::json;

use super::agent::Ended;
use crate::ralph::report::duration;
use crate::state::loop_state::LoopState;

/// How often the living line is drawn.
const DRAWN: Duration = Duration::from_millis(500);

/// How things are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// With a living line.
    Terminal,
    /// Line by line.
    Plain,
    /// As JSON.
    Json,
}

impl Look {
    /// As the standard output can show it.
    pub(super) fn of_terminal() -> Look {
        if std::io::stdout().is_terminal() { Look::Terminal } else { Look::Plain }
    }
}

/// The screen.
pub(super) struct Screen {
    look: Look,
    drawn: Cell<Instant>,
    head: RefCell<String>,
    tail: RefCell<String>,
}

impl Screen {
    pub(super) fn new(look: Look) -> Screen {
        Screen { look, drawn: Instant::now().into(), head: RefCell::default(), tail: RefCell::default() }
    }

    /// A session begins.
    pub(super) fn begin(&self, state: &LoopState, cost: Option<f64>) {
        let (number, max) = (state.iteration.max(1), state.configuration.max_iterations);
        let last = state
            .iteration_history
            .last()
            .map(|last| format!(" · last: {}", last.result))
            .unwrap_or_default();
        *self.head.borrow_mut() = format!("iteration {number}/{max}");
        *self.tail.borrow_mut() =
            format!("{last}{}", cost.map(|cost| format!(" · ${cost:.2}")).unwrap_or_default());
        match self.look {
            Look::Terminal => self.draw(Duration::ZERO),
            Look::Plain => self.line(&format!("{} begins", self.head.borrow())),
            Look::Json => self.row(&json!({"event": "begin", "iteration": number, "max_iterations": max})),
        }
    }

    /// Time goes by.
    pub(super) fn tick(&self, running: Duration) {
        if self.look == Look::Terminal && self.drawn.get().elapsed() >= DRAWN {
            self.draw(running);
        }
    }

    /// An iteration has been verified.
    pub(super) fn iteration(&self, state: &LoopState, ended: &Ended) {
        let Some(last) = state.iteration_history.last() else { return };
        let cost = ended.cost_usd.map(|cost| format!(", ${cost:.2}")).unwrap_or_default();
        let crash = if ended.succeeded() {
            String::new()
        } else {
            format!(", the session ended with {}", ended.how())
        };
        match self.look {
            Look::Json => self.row(&json!({
                "event": "iteration", "iteration": last.iteration, "result": last.result,
                "passed": last.metrics_snapshot.get("verification_status"), "quality_score": last.quality_score,
                "seconds": ended.took.as_secs_f64(), "cost_usd": ended.cost_usd, "session": ended.how(),
            })),
            _ => self.line(&format!(
                "iteration {}/{}: {} ({}{cost}{crash})",
                last.iteration,
                state.configuration.max_iterations,
                last.result,
                duration(ended.took.as_secs())
            )),
        }
    }

    /// The loop is over.
    pub(super) fn over(&self, state: &LoopState, banner: &str) {
        match self.look {
            Look::Json => self.row(&json!({
                "event": "over", "loop_id": state.loop_id, "status": state.status.name(),
                "iterations": state.metrics.total_iterations, "report": state.completion_report_path,
            })),
            _ => self.line(banner),
        }
    }

    /// Something else.
    pub(super) fn say(&self, event: &str, text: &str) {
        match self.look {
            Look::Json => self.row(&json!({"event": event, "text": text})),
            _ => self.line(text),
        }
    }

    fn draw(&self, running: Duration) {
        self.drawn.set(Instant::now());
        let line = format!("{} · {}{}", self.head.borrow(), duration(running.as_secs()), self.tail.borrow());
        let short: String = line.chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect();
        self.write(&format!("\r\u{1b}[2K{short}"));
    }

    fn line(&self, text: &str) {
        let clear = if self.look == Look::Terminal { "\r\u{1b}[2K" } else { "" };
        self.write(&format!("{clear}{text}\n"));
    }

    fn row(&self, row: &serde_json::Value) {
        self.write(&format!("{row}\n"));
    }

    /// A reader that is gone stops no loop.
    fn write(&self, text: &str) {
        let mut out = anstream::stdout().lock();
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    }
}
