//! When the calls of a loop ran, as its log tells: the last change of a file is held against it.
//!
//! No program can set back when a file was last changed (its ctime), so a change outside of these times is none of the
//! loop's calls'. While the criterion runs, its commands write, and so may a person: that is said apart.

use jiff::{SignedDuration, Timestamp};

use crate::state::audit;
use crate::state::audit::{Filter, Line};
use crate::state::layout::Layout;

/// A file system's clock lags behind the system's by a tick.
pub(crate) const TICK: SignedDuration = SignedDuration::from_millis(10);

/// What the log says of a call that can change nothing but the files that it names.
pub(crate) const NAMES_ALL: &str = "changes what it names";

/// What the log says of a call that passed in a pause and may change any file: nobody has judged it.
pub(crate) const UNJUDGED: &str = "pass: the loop is paused, and the call may change any file";

type TimeSpan = (Timestamp, Timestamp);

/// When the calls of one loop ran.
#[derive(Default)]
pub(crate) struct CallTimes {
    spans: Vec<TimeSpan>,
    /// Those of calls that may change any file.
    code: Vec<TimeSpan>,
    /// The same without the times of the hooks themselves.
    inner: Vec<TimeSpan>,
    /// When the ends of turns ran the criterion.
    verified: Vec<TimeSpan>,
    /// Those of calls in a pause that may change any file.
    unjudged: Vec<TimeSpan>,
    /// Of calls of which no end was told: from their beginning to the next word of the session.
    open: Vec<TimeSpan>,
}

/// A call that runs.
struct RunningCall {
    began: Timestamp,
    judged: Timestamp,
    /// Whether another one ran at the same time: then it is not said which of them has ended.
    beside: bool,
    /// Whether it ran in a pause and may change any file.
    unjudged: bool,
}

impl CallTimes {
    /// The times of a loop's calls since a moment. A call whose end is not known may have run until the session
    /// spoke again.
    pub(crate) fn of(layout: &Layout, loop_id: &str, since: Timestamp) -> Self {
        let filter = Filter { hook: None, since: Some(since) };
        let lines = audit::read(&layout.hook_log(loop_id), filter).ok();
        let (mut times, mut running) = (CallTimes::default(), Vec::new());
        for line in lines.into_iter().flatten().flatten() {
            times.add(&line, &mut running);
        }
        times.leave_open(&mut running, Timestamp::MAX);
        times
    }

    fn add(&mut self, line: &Line, running: &mut Vec<RunningCall>) {
        let took = SignedDuration::from_millis(i64::try_from(line.duration_ms).unwrap_or_default());
        let before = |took| line.timestamp.checked_sub(took).unwrap_or(line.timestamp);
        match line.hook_name.as_str() {
            "pre_tool_call" if !line.says("deny") => {
                let (began, judged) = (before(TICK), line.timestamp);
                running.push(RunningCall { began, judged, beside: false, unjudged: line.says(UNJUDGED) });
                if running.len() > 1 {
                    running.iter_mut().for_each(|call| call.beside = true);
                }
            }
            // Of several calls at once it is not said which has ended; together they cover the same time.
            "post_tool_call" => {
                let Some(call) = running.pop() else { return };
                if call.unjudged || call.beside && running.iter().any(|other| other.unjudged) {
                    self.unjudged.push((call.began, line.timestamp));
                }
                self.spans.push((call.began, line.timestamp));
                // What may change nothing passes.
                if call.beside || !line.says(NAMES_ALL) && !line.says("pass") {
                    self.code.push((call.began, line.timestamp));
                    self.inner.push((call.judged, before(took)));
                }
            }
            "post_iteration" => {
                self.leave_open(running, line.timestamp);
                self.verified.push((before(took), line.timestamp));
            }
            "UserPromptSubmit" | "SessionStart" => self.leave_open(running, line.timestamp),
            _ => {}
        }
    }

    fn leave_open(&mut self, running: &mut Vec<RunningCall>, until: Timestamp) {
        let unjudged = running.iter().filter(|call| call.unjudged);
        self.unjudged.extend(unjudged.map(|call| (call.began, until)));
        self.open.extend(running.drain(..).map(|call| (call.began, until)));
    }

    /// Whether a call or the end of a turn was told.
    pub(crate) fn is_known(&self) -> bool {
        self.has_calls() || !self.verified.is_empty()
    }

    /// Whether the end of any call of the session was told.
    pub(crate) fn has_calls(&self) -> bool {
        !self.spans.is_empty()
    }

    /// Whether a call ran then.
    pub(crate) fn hold(&self, at: Timestamp) -> bool {
        hold(&self.spans, at)
    }

    /// Whether a call that may change any file ran then, hooks included.
    pub(crate) fn hold_code(&self, at: Timestamp) -> bool {
        hold(&self.code, at)
    }

    /// Whether a call that may change any file ran then for sure: not only a hook before or after it, in which a person
    /// may write as well.
    pub(crate) fn surely_hold(&self, at: Timestamp) -> bool {
        hold(&self.inner, at)
    }

    /// Whether a call ran then, or may have.
    pub(crate) fn may_hold(&self, at: Timestamp) -> bool {
        self.hold(at) || hold(&self.open, at)
    }

    /// Whether a call that may change any file ran between two moments, and nobody judged it.
    pub(crate) fn ran_unjudged(&self, from: Timestamp, to: Timestamp) -> bool {
        self.unjudged.iter().any(|(began, ended)| *began <= to && from <= *ended)
    }

    /// Whether the criterion ran then.
    pub(crate) fn verified(&self, at: Timestamp) -> bool {
        hold(&self.verified, at)
    }
}

fn hold(spans: &[TimeSpan], at: Timestamp) -> bool {
    spans.iter().any(|(began, ended)| (*began..=*ended).contains(&at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_counts_from_its_judgement_to_its_report() {
        let scratch = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(scratch.path());
        std::fs::create_dir_all(layout.loop_dir("l")).unwrap();
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        let rows = [
            ("pre_tool_call", "pass", 10),
            ("post_tool_call", "PASS", 20),
            ("pre_tool_call", "deny", 30),
            ("pre_tool_call", "ask", 40),
            // Refused by the person, so the next report is not this one's.
            ("pre_tool_call", "pass", 50),
            ("post_tool_call", "PASS", 60),
            ("UserPromptSubmit", "", 70),
            ("post_tool_call", "PASS", 80),
            ("pre_tool_call", "pass", 100),
            ("post_tool_call", NAMES_ALL, 110),
            ("post_iteration", "", 120),
        ];
        for (hook, outcome, second) in rows {
            let line = Line {
                outcomes: vec![outcome.into()],
                duration_ms: if hook == "post_iteration" { 5_000 } else { 0 },
                ..Line::new(hook, "l", 1, at(second))
            };
            audit::append(&layout.log("l"), line).unwrap();
        }
        let times = CallTimes::of(&layout, "l", at(0));
        let seconds = |is_meant: &dyn Fn(Timestamp) -> bool| -> Vec<i64> {
            (0..130).step_by(5).filter(|second| is_meant(at(*second))).collect()
        };
        assert_eq!(seconds(&|at| times.hold(at)), [10, 15, 20, 50, 55, 60, 100, 105, 110]);
        assert_eq!(
            seconds(&|at| times.may_hold(at)),
            [10, 15, 20, 40, 45, 50, 55, 60, 65, 70, 100, 105, 110],
            "one of the two may have run until the prompt"
        );
        let surely = seconds(&|at| times.surely_hold(at));
        assert_eq!(surely, [10, 15, 20, 50, 55, 60], "not a call that names all that it changes");
        assert_eq!(seconds(&|at| times.verified(at)), [115, 120], "the criterion is no call");
        assert!(!CallTimes::of(&layout, "none", at(0)).has_calls());
    }
}
