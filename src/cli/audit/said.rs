//! What would have been said, where, and how often.

use std::collections::BTreeMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::config::Config;
use crate::lifecycle::call::decision::{CallDecision, act_on};
use crate::model::finding::{Finding, Severity, counted};
use crate::state::schema::DateTime;

/// The longest that a call is shown, in letters.
const LONGEST: usize = 100;

/// An audit: what `steadfast audit --json` prints.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub struct Audit {
    /// The folder of transcripts, or the range of commits.
    pub of: String,
    /// How many sessions, or how many commits.
    pub sources: usize,
    /// `session` or `commit`.
    pub kind: &'static str,
    /// How many calls that may change something, or how many changed files, were judged.
    pub judged: usize,
    /// Edits of which only the replaced piece is known.
    pub judged_by_piece: usize,
    /// Calls, files or commits that could not be judged.
    pub not_judged: usize,
    /// How often each pattern was found, the most severe first.
    pub patterns: Vec<Group>,
    /// Each time, in order.
    pub said: Vec<Said>,
}

/// How often a pattern was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Group {
    /// The catalogue's id; `risk` for what is at risk without being a finding.
    pub pattern_id: String,
    /// Its name.
    pub pattern_name: String,
    /// The worst of them.
    pub severity: Severity,
    /// How often a call would have been refused, or a person asked.
    pub stopped: usize,
    /// How often the agent would have been told.
    pub noted: usize,
}

/// What would have followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "Verdict")]
pub enum AuditVerdict {
    /// A person is asked; where nobody can answer, the call is refused.
    Stop,
    /// It runs, and the agent is told.
    Note,
}

/// One time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Said {
    /// When the call was made, or the commit.
    #[schemars(with = "Option<DateTime>")]
    pub at: Option<Timestamp>,
    /// The transcript and its line, or the commit and the file.
    pub place: String,
    /// The call, or the commit's subject.
    pub call: String,
    /// What would have followed.
    pub verdict: AuditVerdict,
    /// The catalogue's id.
    pub pattern_id: String,
    /// Its name.
    pub pattern_name: String,
    /// How bad it is.
    pub severity: Severity,
    /// The file, relative to its project.
    pub path: String,
    /// What happens.
    pub what: String,
    /// What is lost, by name.
    pub lost: Vec<String>,
}

/// Where something was said.
#[derive(Debug, Clone)]
pub(super) struct SaidAt {
    pub(super) at: Option<Timestamp>,
    pub(super) place: String,
    pub(super) call: String,
}

impl Said {
    /// What a finding says, where that is anything in the project's mode.
    pub(super) fn of(finding: &Finding, config: &Config, place: SaidAt) -> Option<Said> {
        let verdict = match act_on(finding.severity, config.detection.mode) {
            _ if !config.enabled => return None,
            CallDecision::Stop => AuditVerdict::Stop,
            CallDecision::Advise => AuditVerdict::Note,
            CallDecision::Pass => return None,
        };
        Some(Said {
            at: place.at,
            place: place.place,
            call: place.call,
            verdict,
            pattern_id: finding.pattern_id.to_owned(),
            pattern_name: finding.pattern_name.to_owned(),
            severity: finding.severity,
            path: finding.path.clone(),
            what: finding.what.clone(),
            lost: finding.lost.clone(),
        })
    }
}

/// A call on one line, cut.
pub(super) fn brief(call: &str) -> String {
    let line = call.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        line
    } else {
        format!("{}…", line.chars().take(LONGEST).collect::<String>())
    }
}

impl Audit {
    /// Counts what was said by pattern.
    pub(super) fn grouped(mut self) -> Audit {
        let mut groups: BTreeMap<&str, Group> = BTreeMap::new();
        for said in &self.said {
            let group = groups.entry(&said.pattern_id).or_insert_with(|| Group {
                pattern_id: said.pattern_id.clone(),
                pattern_name: said.pattern_name.clone(),
                severity: said.severity,
                stopped: 0,
                noted: 0,
            });
            group.severity = group.severity.max(said.severity);
            match said.verdict {
                AuditVerdict::Stop => group.stopped += 1,
                AuditVerdict::Note => group.noted += 1,
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.sort_by_key(|group| {
            (std::cmp::Reverse(group.severity), std::cmp::Reverse(group.stopped + group.noted))
        });
        self.patterns = groups;
        self
    }

    fn count(&self, verdict: AuditVerdict) -> usize {
        // Several findings of one call are one stop.
        let mut places: Vec<(&str, &str)> = self
            .said
            .iter()
            .filter(|said| said.verdict == verdict)
            .map(|said| (said.place.as_str(), said.call.as_str()))
            .collect();
        places.sort_unstable();
        places.dedup();
        places.len()
    }

    /// The whole in a sentence.
    pub(super) fn sum(&self) -> String {
        let unit = if self.kind == "commit" { "changed file" } else { "call" };
        let (stops, notes) = (self.count(AuditVerdict::Stop), self.count(AuditVerdict::Note));
        format!(
            "{} in {}: {} would have been stopped or asked about, {} noted.",
            counted(self.judged, unit),
            counted(self.sources, self.kind),
            stops,
            notes
        )
    }

    /// What was not judged, or not with all that a session knows.
    pub(super) fn gaps(&self) -> Vec<String> {
        let by_piece = (self.judged_by_piece > 0).then(|| {
            format!(
                "{} known only by the replaced piece, since the transcript does not have the file.",
                of_edits(self.judged_by_piece)
            )
        });
        let unit = if self.kind == "commit" { "file" } else { "call" };
        let not = (self.not_judged > 0).then(|| format!("Not judged: {}.", counted(self.not_judged, unit)));
        by_piece.into_iter().chain(not).collect()
    }
}

fn of_edits(count: usize) -> String {
    if count == 1 { "1 edit is".to_owned() } else { format!("{count} edits are") }
}
