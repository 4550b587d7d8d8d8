//! What follows from findings: the table of severity and mode, and what is never put as a question. Pure.

use crate::config::Mode;
use crate::model::finding::{Finding, Severity};

/// What to do about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CallDecision {
    /// Say nothing.
    Pass,
    /// Tell the model.
    Advise,
    /// Let a person decide, or deny where nobody can.
    Stop,
}

/// What to do about one finding.
pub fn act_on(severity: Severity, mode: Mode) -> CallDecision {
    match (mode, severity) {
        (Mode::Off, _) => CallDecision::Pass,
        (_, Severity::Critical) => CallDecision::Stop,
        (Mode::Minimal, _) | (_, Severity::Low) => CallDecision::Pass,
        (_, Severity::High) | (Mode::Aggressive, Severity::Medium) => CallDecision::Stop,
        (Mode::Standard, Severity::Medium) => CallDecision::Advise,
    }
}

/// The least severity that stops a call. A check of commits, which may name no mode, goes by the critical ones.
pub fn stops_from(mode: Mode) -> Severity {
    use Severity::{Critical, High, Low, Medium};
    let stopping =
        [Low, Medium, High].into_iter().find(|severity| act_on(*severity, mode) == CallDecision::Stop);
    stopping.unwrap_or(Critical)
}

/// Findings about the guard itself.
pub const GUARD: &[&str] = &["SF-001", "SF-002"];

/// Whether a stop is put to a person as a question. What concerns the guard itself is not: a quick yes, given among
/// many, would leave nobody to ask the next one.
pub fn may_ask(findings: &[Finding], can_ask: bool) -> bool {
    can_ask && !findings.iter().any(|finding| GUARD.contains(&finding.pattern_id))
}

/// The strongest act that any of the findings asks for.
pub fn act_on_all(findings: &[Finding], mode: Mode) -> CallDecision {
    findings.iter().map(|finding| act_on(finding.severity, mode)).max().unwrap_or(CallDecision::Pass)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_modes() {
        use Severity::{Critical, High, Low, Medium};
        let rows = [
            (Mode::Off, [CallDecision::Pass, CallDecision::Pass, CallDecision::Pass, CallDecision::Pass]),
            (Mode::Minimal, [CallDecision::Stop, CallDecision::Pass, CallDecision::Pass, CallDecision::Pass]),
            (
                Mode::Standard,
                [CallDecision::Stop, CallDecision::Stop, CallDecision::Advise, CallDecision::Pass],
            ),
            (
                Mode::Aggressive,
                [CallDecision::Stop, CallDecision::Stop, CallDecision::Stop, CallDecision::Pass],
            ),
        ];
        for (mode, acts) in rows {
            for (severity, act) in [Critical, High, Medium, Low].into_iter().zip(acts) {
                assert_eq!(act_on(severity, mode), act, "{mode:?} {severity:?}");
            }
            let least = [Low, Medium, High].into_iter().find(|one| act_on(*one, mode) == CallDecision::Stop);
            assert_eq!(stops_from(mode), least.unwrap_or(Critical), "{mode:?}");
        }
    }
}
