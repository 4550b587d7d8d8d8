//! `steadfast log --profile`: how long each hook takes.

use std::collections::BTreeMap;
use std::io::{self, Write};

use owo_colors::OwoColorize;
use serde_json::{Value, json};

use super::listing::printable;
use crate::state::audit::Line;

/// One hook's times.
pub(super) struct Profile {
    pub(super) hook: String,
    pub(super) count: usize,
    pub(super) total_ms: u64,
    pub(super) p95_ms: u64,
    pub(super) max_ms: u64,
}

/// The times by hook, the longest together first.
pub(super) fn profiles(lines: impl Iterator<Item = io::Result<Line>>) -> io::Result<Vec<Profile>> {
    let mut times: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for line in lines {
        let line = line?;
        times.entry(line.hook_name).or_default().push(line.duration_ms);
    }
    let mut profiles: Vec<Profile> = times
        .into_iter()
        .map(|(hook, mut times)| {
            times.sort_unstable();
            // The nearest rank: the least time that 95 of 100 do not exceed.
            let rank = (times.len() * 95).div_ceil(100).max(1) - 1;
            Profile {
                hook,
                count: times.len(),
                total_ms: times.iter().fold(0, |sum, time| sum.saturating_add(*time)),
                p95_ms: times.get(rank).copied().unwrap_or_default(),
                max_ms: times.last().copied().unwrap_or_default(),
            }
        })
        .collect();
    profiles.sort_by_key(|profile| std::cmp::Reverse((profile.total_ms, profile.count)));
    Ok(profiles)
}

/// Writes the times by hook.
pub(super) fn profile(
    lines: impl Iterator<Item = io::Result<Line>>,
    as_json: bool,
    out: &mut dyn Write,
) -> io::Result<u8> {
    let profiles = profiles(lines)?;
    if as_json {
        let rows: Vec<Value> = profiles
            .iter()
            .map(|p| json!({"hook": p.hook, "count": p.count, "total_ms": p.total_ms, "p95_ms": p.p95_ms, "max_ms": p.max_ms}))
            .collect();
        writeln!(out, "{:#}", Value::Array(rows))?;
        return Ok(0);
    }
    let header = format!("{:<24} {:>8} {:>10} {:>8} {:>8}", "hook", "count", "total ms", "p95 ms", "max ms");
    writeln!(out, "{}", header.bold())?;
    for p in &profiles {
        let hook = printable(&p.hook, 24);
        writeln!(out, "{hook:<24} {:>8} {:>10} {:>8} {:>8}", p.count, p.total_ms, p.p95_ms, p.max_ms)?;
    }
    Ok(0)
}
