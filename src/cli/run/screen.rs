//! What a driver shows: one living line on a terminal, plain lines in a pipe, or a row of JSON for each event.
//!
//! Invariant: the living line is one line of the terminal, however narrow that is, and nothing is left of it.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::agent::EndedSession;
use crate::loops::report::duration;
use crate::state::loop_state::LoopState;

/// How often the living line is drawn.
const DRAWN: Duration = Duration::from_millis(500);
/// How wide a terminal is that does not say it.
const WIDE: usize = 80;
/// A narrower one gets no living line: there is nothing to be read in it.
const NARROWEST: usize = 10;

/// How things are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum ScreenStyle {
    /// With a living line.
    Terminal,
    /// Line by line.
    Plain,
    /// As JSON.
    Json,
}

impl ScreenStyle {
    /// As the standard output can show it.
    pub(in crate::cli) fn of_terminal() -> ScreenStyle {
        let moves = std::env::var_os("TERM").is_some_and(|term| !term.is_empty() && term != "dumb");
        if moves && std::io::stdout().is_terminal() { ScreenStyle::Terminal } else { ScreenStyle::Plain }
    }
}

/// The screen.
pub(super) struct Screen {
    look: ScreenStyle,
    line: Mutex<ProgressLine>,
}

/// The living line.
struct ProgressLine {
    drawn: Instant,
    /// How many columns of it stand on the terminal.
    shown: usize,
    begun: Instant,
    head: String,
    doing: &'static str,
    tail: String,
}

impl Screen {
    pub(super) fn new(look: ScreenStyle) -> Screen {
        let now = Instant::now();
        let (head, tail) = (String::new(), String::new());
        Screen {
            look,
            line: Mutex::new(ProgressLine { drawn: now, shown: 0, begun: now, head, doing: "", tail }),
        }
    }

    /// A session begins.
    pub(super) fn begin(&self, state: &LoopState, cost: Option<f64>) {
        let (number, max) = (state.iteration.max(1), state.configuration.max_iterations);
        let last = state.iteration_history.last();
        let last = last.map(|last| format!(" · last: {}", last.result)).unwrap_or_default();
        let mut line = self.living();
        line.begun = Instant::now();
        line.head = format!("iteration {number}/{max}");
        line.doing = "";
        // The cost is short and is asked for; what failed may be long.
        line.tail = format!("{}{last}", cost.map(|cost| format!(" · ${cost:.2}")).unwrap_or_default());
        match self.look {
            ScreenStyle::Terminal => line.draw(),
            ScreenStyle::Plain => write(&format!("{} begins\n", line.head)),
            ScreenStyle::Json => {
                self.row(&json!({"event": "begin", "iteration": number, "max_iterations": max}))
            }
        }
    }

    /// Time goes by.
    pub(super) fn tick(&self) {
        if self.look == ScreenStyle::Terminal && self.living().drawn.elapsed() >= DRAWN {
            self.living().draw();
        }
    }

    /// Does `work`, and says so meanwhile.
    pub(super) fn during<T>(&self, doing: &'static str, work: impl FnOnce() -> T) -> T {
        if self.look != ScreenStyle::Terminal {
            return work();
        }
        self.living().doing = doing;
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let ticking = thread::Builder::new().spawn_scoped(scope, || {
                while !done.load(Ordering::Relaxed) {
                    self.living().draw();
                    thread::park_timeout(DRAWN);
                }
            });
            let result = work();
            done.store(true, Ordering::Relaxed);
            if let Ok(ticking) = ticking {
                ticking.thread().unpark();
            }
            result
        })
    }

    fn living(&self) -> MutexGuard<'_, ProgressLine> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An iteration has been verified.
    pub(super) fn iteration(&self, state: &LoopState, ended: &EndedSession) {
        let Some(last) = state.iteration_history.last() else { return };
        let cost = ended.cost_usd.map(|cost| format!(", ${cost:.2}")).unwrap_or_default();
        let crash = if ended.succeeded() {
            String::new()
        } else {
            format!(", the session ended with {}", ended.how())
        };
        match self.look {
            ScreenStyle::Json => self.row(&json!({
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
            ScreenStyle::Json => self.row(&json!({
                "event": "over", "loop_id": state.loop_id, "status": state.status.name(),
                "iterations": state.metrics.total_iterations, "report": state.completion_report_path,
            })),
            _ => self.line(banner),
        }
    }

    /// Something else.
    pub(super) fn say(&self, event: &str, text: &str) {
        match self.look {
            ScreenStyle::Json => self.row(&json!({"event": event, "text": text})),
            _ => self.line(text),
        }
    }

    fn line(&self, text: &str) {
        let clear = if self.look == ScreenStyle::Terminal { self.living().cleared() } else { String::new() };
        write(&format!("{clear}{text}\n"));
    }

    fn row(&self, row: &serde_json::Value) {
        write(&format!("{row}\n"));
    }
}

impl ProgressLine {
    fn draw(&mut self) {
        self.drawn = Instant::now();
        let width = width();
        let clear = self.cleared();
        let doing = if self.doing.is_empty() { String::new() } else { format!(" · {}", self.doing) };
        let time = duration(self.begun.elapsed().as_secs());
        let line = cut(&format!("{}{doing} · {time}{}", self.head, self.tail), width);
        self.shown = line.chars().count();
        write(&format!("{clear}{line}"));
    }

    /// What takes the line off the terminal. Where that became narrower, the line takes several rows of it now; they are
    /// cleared one by one, since some terminals keep what is cleared at once.
    fn cleared(&mut self) -> String {
        let rows = std::mem::take(&mut self.shown).saturating_sub(1) / width().max(1);
        format!("\r\u{1b}[2K{}", "\u{1b}[1A\u{1b}[2K".repeat(rows))
    }
}

/// The terminal's width in columns, as it is now.
pub(in crate::cli) fn width() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stdout());
    size.ok().map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0).unwrap_or(WIDE)
}

/// The text in one row of so many columns: the last stays free, since some terminals begin a new row there. Letters
/// that are wider than a column are rare here, and each counts as two.
pub(in crate::cli) fn cut(text: &str, columns: usize) -> String {
    if columns < NARROWEST {
        return String::new();
    }
    let wide = |letter: char| if u32::from(letter) < 0x1100 { 1 } else { 2 };
    let plain = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter });
    if plain.clone().map(wide).sum::<usize>() < columns {
        return plain.collect();
    }
    let mut used = 1;
    let mut short: String = plain
        .take_while(|letter| {
            used += wide(*letter);
            used < columns
        })
        .collect();
    short.push('…');
    short
}

/// Straight to the standard output: the line is made of movements, which a filter for colours would take out. A reader
/// that is gone stops no loop.
fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_is_one_row_of_any_terminal() {
        let text = "iteration 2/10 · 45s · last: FAIL: exit code 1";
        assert_eq!(cut(text, 80), text);
        assert_eq!(cut(text, 24), "iteration 2/10 · 45s ·…");
        assert_eq!(cut(text, 9), "");
        assert_eq!(cut("a\nb\u{1b}[2K", 80), "a b [2K");
        for columns in 10..60 {
            assert!(cut(text, columns).chars().count() < columns, "{columns}");
            let wide = cut(&"測".repeat(40), columns);
            assert!(wide.chars().count() * 2 <= columns, "{columns}: {wide}");
        }
    }
}
