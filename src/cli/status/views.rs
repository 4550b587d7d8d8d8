//! The views of `steadfast status`: for people as the documents' lines, for programs as JSON of their own.
//!
//! Invariant: both say the same, and a line of a view is never wider than the terminal it is drawn on.

use std::io::{self, IsTerminal, Write, stdout};

use owo_colors::OwoColorize;
use serde_json::{Map, Value, json};

use super::StatusArgs;
use crate::config::Config;
use crate::lifecycle::measuring::performance::PersistenceFigures;
use crate::state::audit::{self, Filter};
use crate::state::layout::Layout;
use crate::state::loop_state::LoopState;
use crate::text::{persistence, session};

/// What the views of a loop are made from.
pub(super) struct Views<'a> {
    pub(super) args: &'a StatusArgs,
    pub(super) state: &'a LoopState,
    pub(super) metrics: PersistenceFigures,
    pub(super) breaches: Vec<String>,
    /// Whether the configuration lets the hooks act.
    enabled: bool,
}

impl<'a> Views<'a> {
    /// Of one loop, with what its log tells.
    pub(super) fn of(
        args: &'a StatusArgs,
        state: &'a LoopState,
        layout: &Layout,
        config: &Config,
    ) -> Views<'a> {
        let lines = audit::read(&layout.hook_log(&state.loop_id), Filter::default()).ok();
        let metrics = PersistenceFigures::of(state, lines.into_iter().flatten(), jiff::Timestamp::now());
        let breaches = metrics.breaches(&config.performance);
        Views { args, state, metrics, breaches, enabled: config.enabled }
    }

    /// The wanted views, each under its name.
    pub(super) fn json(&self) -> Value {
        let state = self.state;
        let mut views = Map::from_iter([
            ("loop_id".to_owned(), json!(state.loop_id)),
            ("status".to_owned(), json!(state.status)),
            ("hooks".to_owned(), json!(session::hooks_active(state, self.enabled))),
            ("hooks_active".to_owned(), json!(session::are_hooks_active(state, self.enabled))),
        ]);
        if self.args.persistence {
            views.insert("persistence".to_owned(), self.persistence_json());
        }
        if self.args.regressions {
            views.insert("regressions".to_owned(), json!(state.regression_events));
        }
        if self.args.quality {
            views.insert("quality".to_owned(), self.quality_json());
        }
        Value::Object(views)
    }

    fn persistence_json(&self) -> Value {
        let state = self.state;
        let last = state.iteration_history.last();
        let current = last.map(|record| &record.metrics_snapshot);
        let quality = last.filter(|record| record.iteration == state.iteration);
        json!({
            "baseline_metrics": state.baseline_metrics,
            "current_metrics": current,
            "regression_events": state.regression_events.len(),
            "worst_regression": state.regression_events.iter().max_by_key(|event| event.severity)
                .map(|event| json!({"severity": event.severity, "type": event.regression_type})),
            "reinforcement_level": state.reinforcement_level,
            "recovery_attempts": state.recovery_attempts,
            "best_iteration": state.best_iteration.as_ref()
                .map(|best| json!({"iteration": best.iteration, "quality_score": best.quality_score})),
            "current_iteration": {
                "iteration": state.iteration,
                "quality_score": quality.map(|record| record.quality_score),
            },
            "persistence_metrics": self.metrics,
            "over_target": self.breaches,
        })
    }

    fn quality_json(&self) -> Value {
        let best = persistence::best(self.state);
        let iterations = self.state.iteration_history.iter().map(|record| {
            json!({
                "iteration": record.iteration,
                "quality_score": record.quality_score,
                "quality_delta": record.quality_delta,
                "quality_breakdown": record.quality_breakdown,
                "best": best == Some(record.iteration) && !record.is_reverted(),
                "attempt": record.attempt,
                "reverted_to": record.reverted_to,
                "regression": record.regression_detected,
            })
        });
        iterations.collect()
    }

    /// The documents' lines, each view after the other.
    pub(super) fn print(&self, out: &mut dyn Write, named: bool) -> io::Result<()> {
        if named {
            writeln!(out, "{}", self.state.loop_id.bold())?;
        }
        if self.args.persistence {
            writeln!(out, "{}", persistence::persistence(self.state, self.metrics.false_positive_rate))?;
            writeln!(out, "  Hooks: {}", session::hooks_active(self.state, self.enabled))?;
            for breach in &self.breaches {
                writeln!(out, "  {}", format!("Over target: {breach}").yellow())?;
            }
        }
        if self.args.regressions {
            for line in persistence::regressions(self.state).lines() {
                match line.strip_suffix("(CRITICAL)").or_else(|| line.strip_suffix("(HIGH)")) {
                    Some(_) => writeln!(out, "{}", line.red())?,
                    None => writeln!(out, "{line}")?,
                }
            }
        }
        if self.args.quality {
            self.print_quality(out)?;
        }
        Ok(())
    }

    fn print_quality(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "Quality Trajectory:")?;
        let lines = persistence::quality(self.state, columns());
        for line in &lines {
            let marks: String = line.marks.iter().map(|mark| format!(" ⬅ {mark}")).collect();
            let bar = match line.marks.as_slice() {
                [] => line.bar.clone(),
                marks if marks.contains(&"REGRESSION") => line.bar.red().to_string(),
                _ => line.bar.green().to_string(),
            };
            writeln!(out, "  {} {bar}{}", line.label, marks.bold())?;
        }
        if lines.is_empty() {
            writeln!(out, "  no iteration has ended yet")?;
        }
        Ok(())
    }
}

/// How wide the terminal is; `None` in a pipe.
fn columns() -> Option<usize> {
    if !stdout().is_terminal() {
        return None;
    }
    let size = rustix::termios::tcgetwinsize(stdout()).ok()?;
    Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
}
