//! When the calls of a loop ran, as its log tells: the last change of a file is held against it.
//!
//! No program can set back when a file was last changed (its ctime), so a change outside of these times is none of the
//! loop's calls'.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use crate::state::audit;
use crate::state::audit::Filter;
use crate::state::layout::Layout;

/// A file system's clock lags behind the system's by a tick.
const TICK: SignedDuration = SignedDuration::from_millis(10);

/// When the calls of one loop ran.
pub(crate) struct CallTimes {
    spans: Vec<(Timestamp, Timestamp)>,
    /// The same without the times of the hooks themselves.
    inner: Vec<(Timestamp, Timestamp)>,
    has_calls: bool,
    /// Of calls of which no end was told: from their beginning to the next word of the session.
    open: Vec<(Timestamp, Timestamp)>,
}

impl CallTimes {
    /// The times of a loop's calls since a moment. A call whose end is not known may have run until the session
    /// spoke again.
    pub(crate) fn of(layout: &Layout, loop_id: &str, since: Timestamp) -> Self {
        let filter = Filter { hook: None, since: Some(since) };
        let lines = audit::read(&layout.hook_log(loop_id), filter).ok();
        let (mut spans, mut inner, mut open, mut running) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut has_calls = false;
        for line in lines.into_iter().flatten().flatten() {
            let took = SignedDuration::from_millis(i64::try_from(line.duration_ms).unwrap_or_default());
            let before = |took| line.timestamp.checked_sub(took).unwrap_or(line.timestamp);
            match line.hook_name.as_str() {
                "pre_tool_call" if !is_denied(&line.outcomes) => {
                    running.push((before(TICK), line.timestamp));
                }
                // Of several calls at once it is not said which has ended; together they cover the same time.
                "post_tool_call" => {
                    let Some((began, judged)) = running.pop() else { continue };
                    spans.push((began, line.timestamp));
                    inner.push((judged, before(took)));
                    has_calls = true;
                }
                "post_iteration" => {
                    open.extend(running.drain(..).map(|(began, _)| (began, line.timestamp)));
                    // The commands of the criterion.
                    spans.push((before(took), line.timestamp));
                    inner.push((before(took), line.timestamp));
                }
                "UserPromptSubmit" | "SessionStart" => {
                    open.extend(running.drain(..).map(|(began, _)| (began, line.timestamp)));
                }
                _ => {}
            }
        }
        open.extend(running.into_iter().map(|(began, _)| (began, Timestamp::MAX)));
        CallTimes { spans, inner, has_calls, open }
    }

    /// Whether any call is known.
    pub(crate) fn is_known(&self) -> bool {
        !self.spans.is_empty()
    }

    /// Whether the end of any call of the session was told.
    pub(crate) fn has_calls(&self) -> bool {
        self.has_calls
    }

    /// Whether a call ran then.
    pub(crate) fn hold(&self, at: Timestamp) -> bool {
        self.spans.iter().any(|(began, ended)| (*began..=*ended).contains(&at))
    }

    /// Whether a call ran then for sure: not only a hook before or after it, in which a person may write as well.
    pub(crate) fn surely_hold(&self, at: Timestamp) -> bool {
        self.inner.iter().any(|(began, ended)| (*began..=*ended).contains(&at))
    }

    /// Whether a call ran then, or may have.
    pub(crate) fn may_hold(&self, at: Timestamp) -> bool {
        self.hold(at) || self.open.iter().any(|(began, ended)| (*began..=*ended).contains(&at))
    }
}

fn is_denied(outcomes: &[Value]) -> bool {
    outcomes.iter().any(|outcome| outcome == "deny")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::audit::Line;

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
        ];
        for (hook, outcome, second) in rows {
            let line = Line { outcomes: vec![outcome.into()], ..Line::new(hook, "l", 1, at(second)) };
            audit::append(&layout.log("l"), line).unwrap();
        }
        let times = CallTimes::of(&layout, "l", at(0));
        let held: Vec<i64> = (0..90).step_by(5).filter(|second| times.hold(at(*second))).collect();
        assert_eq!(held, [10, 15, 20, 50, 55, 60]);
        let may: Vec<i64> = (0..90).step_by(5).filter(|second| times.may_hold(at(*second))).collect();
        assert_eq!(
            may,
            [10, 15, 20, 40, 45, 50, 55, 60, 65, 70],
            "one of the two may have run until the prompt"
        );
        assert!(!CallTimes::of(&layout, "none", at(0)).is_known());
    }
}
