//! `laziness-detector`: asks the detectors about a change, and keeps what the configuration looks for.

use serde_json::{Value, json};

use super::{answer, input};
use crate::config::{Config, Mode};
use crate::definitions::envelope::{AgentRequest, AgentVerdict, Reply};
use crate::detectors::{self, catalogue};
use crate::languages;
use crate::model::finding::{Change, Finding, Severity};
use crate::shell::ComputedEdit;

/// So many findings at high are dealt with together.
const MANY: usize = 3;

/// The findings in `changes`. The session's other changed files are asked for only when something is missing.
pub fn check(changes: &[Change], elsewhere: impl FnOnce() -> Vec<Change>, config: &Config) -> Vec<Finding> {
    if changes.is_empty() || config.detection.mode == Mode::Off {
        return Vec::new();
    }
    tuned(detectors::judge_lazily(changes, elsewhere), config)
}

/// The findings once more, with the session's other files and those that the changes name; `None` where they change nothing.
pub fn check_again(
    changes: &[Change],
    others: (&[Change], &[Change]),
    found: &[Finding],
    config: &Config,
) -> Option<Vec<Finding>> {
    Some(tuned(detectors::judged_again(changes, others, found)?, config))
}

/// The finding in an edit of a file that can't be read, or in which nothing fits the edit.
pub fn check_unseen(path: &str, edit: &ComputedEdit, config: &Config) -> Option<Finding> {
    if config.detection.mode == Mode::Off {
        return None;
    }
    tuned(detectors::judge_unseen(path, edit).into_iter().collect(), config).pop()
}

/// Findings as the configuration wants them.
pub fn tuned(mut findings: Vec<Finding>, config: &Config) -> Vec<Finding> {
    findings.retain_mut(|finding| {
        let looked_for = finding.regression_type.is_none_or(|kind| config.looks_for(kind));
        // The guard's own files are no matter of taste.
        let may_be_tuned = finding.regression_type.is_some();
        match severity_of(finding, config) {
            None if may_be_tuned => return false,
            Some(severity) if may_be_tuned => finding.severity = severity,
            _ => {}
        }
        looked_for && !(may_be_tuned && config.allows(&finding.path))
    });
    findings
}

/// A finding as the configuration has it, `None` when its pattern is switched off. What is no regression and shows in a
/// call is the guard's own matter; what only a loop's figures show may be tuned whatever it is.
pub fn as_configured(mut finding: Finding, config: &Config) -> Option<Finding> {
    finding.severity = severity_of(&finding, config)?;
    Some(finding)
}

/// A finding's severity as the configuration has it, under the pattern's id or any other id of it; `None` is off.
fn severity_of(finding: &Finding, config: &Config) -> Option<Severity> {
    if config.pattern_severity.is_empty() {
        return Some(finding.severity);
    }
    let pattern = catalogue().into_iter().find(|pattern| pattern.id == finding.pattern_id);
    let others = pattern.map(|pattern| pattern.aliases).unwrap_or_default();
    let mut all = std::iter::once(finding.pattern_id).chain(others.iter().copied());
    all.find_map(|name| config.pattern_severity.get(name).copied()).unwrap_or(Some(finding.severity))
}

/// What findings together come to: whether they block, warn or are only logged, and what the way out is.
pub fn decision(findings: &[Finding]) -> (&'static str, Option<&'static str>) {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    match (count(Severity::Critical), count(Severity::High), count(Severity::Medium)) {
        (1.., ..) => ("block", Some("FIX_ROOT_CAUSE")),
        (0, MANY.., _) => ("block", Some("FIX_ALL_ISSUES")),
        (0, 1.., _) => ("block", Some("PROVIDE_JUSTIFICATION_OR_FIX")),
        (0, 0, 1..) => ("warn", None),
        (0, 0, 0) if findings.is_empty() => ("pass", None),
        (0, 0, 0) => ("log", None),
    }
}

/// Answers `loop_start` with what is looked for, and `pre_tool_call` with what was found in the call.
pub fn reply(request: &AgentRequest) -> Reply {
    if request.metadata.hook_name == "loop_start" {
        let (mode, patterns) = (input(request, "detection_mode"), input(request, "patterns_enabled"));
        let facts = json!({"detection_mode": mode, "patterns_enabled": patterns, "patterns": pattern_ids()});
        return answer("Detection is on".to_owned(), Some(AgentVerdict::Pass), facts);
    }
    let target = input(request, "target_path").as_str().unwrap_or_default();
    let found = input(request, "findings").as_array().cloned().unwrap_or_default();
    let (verdict, content) = if !found.is_empty() {
        let severe = |finding: &Value| matches!(finding["severity"].as_str(), Some("critical" | "high"));
        let verdict = if found.iter().any(severe) { AgentVerdict::Block } else { AgentVerdict::Warn };
        (verdict, format!("{} patterns in {target}", found.len()))
    } else if languages::is_test_path(target) {
        (AgentVerdict::Warn, format!("{target} is a test file"))
    } else {
        (AgentVerdict::Pass, format!("nothing in {target}"))
    };
    answer(content, Some(verdict), json!({"detected": !found.is_empty(), "patterns": found}))
}

/// Every pattern that is looked for, by id.
pub fn pattern_ids() -> Vec<&'static str> {
    detectors::DETECTORS.iter().map(|detector| detector.id).collect()
}
