//! A refusal that was wrong: its findings are silent from now on, and counted as false alarms.

use anyhow::{Result, ensure};
use jiff::Timestamp;

use crate::cli::human;
use crate::lifecycle::regression::false_alarm::{self, Hit};
use crate::state::allowance::{Allowance, RefusedFinding};
use crate::state::layout::Layout;

/// Notes it; answers what is silent.
pub(super) fn note(layout: &Layout, refused: &Allowance, why: &str, now: Timestamp) -> Result<String> {
    ensure!(!why.trim().is_empty(), "a reason is needed: --false-alarm 'it moved to another repository'");
    let hits = false_alarm::hits(layout).map_err(anyhow::Error::msg)?;
    let by = human::decider(Some(why.trim().to_owned()));
    let mut ids: Vec<String> = Vec::new();
    for finding in &refused.findings {
        let Some(hit) = hits.iter().rev().find(|hit| is_of(hit, finding)) else { continue };
        false_alarm::mark(layout, &hit.event_id, &by, now).map_err(anyhow::Error::msg)?;
        ids.push(hit.pattern_id.clone());
    }
    ensure!(
        !ids.is_empty(),
        "nothing is on record of what was found in it; `steadfast patterns hits` lists what is"
    );
    ids.dedup();
    Ok(format!("Noted as a false alarm: {}. The same finding is silent from now on.", ids.join(", ")))
}

fn is_of(hit: &Hit, finding: &RefusedFinding) -> bool {
    (&hit.pattern_id, &hit.path, &hit.lost) == (&finding.pattern_id, &finding.path, &finding.lost)
        && hit.what.as_ref().is_none_or(|what| *what == finding.what)
}
