//! Which checkpoints are given up, by count and by age.
//!
//! Invariant: a loop's baseline, what a person tagged, what is pinned, and a full list that another checkpoint builds
//! on are never given up. The bytes go later, when [`gc`](crate::checkpoint::gc) finds that nothing names them.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::checkpoint::Error;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::objects_lock;
use crate::checkpoint::store::Store;

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionPolicy {
    /// The trees of this many iterations, the newest ones.
    pub iterations: usize,
    /// Anything this young, and nothing older.
    pub age: Duration,
}

/// A checkpoint by its name and age.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Brief {
    path: PathBuf,
    iteration: u32,
    label: String,
    age: Duration,
}

/// Gives up checkpoints of a loop, except for those of the `pinned` iterations. Answers which, or with `dry_run` which
/// would go.
pub fn apply(
    store: &Store,
    loop_id: &str,
    policy: RetentionPolicy,
    pinned: &BTreeSet<u32>,
    dry_run: bool,
) -> Result<Vec<PathBuf>, Error> {
    let briefs: Vec<Brief> = catalogue::files(store, Some(loop_id))?.into_iter().filter_map(brief).collect();
    let candidates = expired(&briefs, policy, pinned);
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    // Nothing may begin to build on what is being removed.
    let _alone = (!dry_run).then(|| objects_lock::alone(store)).transpose()?;
    let goes = |brief: &&Brief| candidates.contains(&brief.path);
    let bases: BTreeSet<String> =
        briefs.iter().filter(|brief| !goes(brief)).filter_map(|brief| base(&brief.path)).collect();
    let mut gone = Vec::new();
    for brief in briefs.iter().filter(goes) {
        let Ok(manifest) = Manifest::read(&brief.path) else { continue };
        if !manifest.tags.is_empty() || bases.contains(&manifest.checkpoint_id) {
            continue;
        }
        if !dry_run {
            fs::remove_file(&brief.path).map_err(Error::io("remove", &brief.path))?;
        }
        gone.push(brief.path.clone());
    }
    Ok(gone)
}

/// Which of the checkpoints of a loop are too many or too old. Pure.
fn expired(briefs: &[Brief], policy: RetentionPolicy, pinned: &BTreeSet<u32>) -> BTreeSet<PathBuf> {
    let iterations: BTreeSet<u32> =
        briefs.iter().filter(|brief| is_counted(brief)).map(|brief| brief.iteration).collect();
    let newest: BTreeSet<u32> = iterations.into_iter().rev().take(policy.iterations).collect();
    let goes = |brief: &&Brief| {
        let is_kept = brief.label == "baseline" || pinned.contains(&brief.iteration);
        let is_too_many = is_counted(brief) && !newest.contains(&brief.iteration);
        !is_kept && (is_too_many || brief.age > policy.age)
    };
    briefs.iter().filter(goes).map(|brief| brief.path.clone()).collect()
}

/// Trees are counted; what was kept for a call is small and goes by its age.
fn is_counted(brief: &Brief) -> bool {
    matches!(brief.label.as_str(), "pre" | "final")
}

fn brief(path: PathBuf) -> Option<Brief> {
    let name = path.file_name()?.to_str()?.split('.').next()?.strip_prefix("iteration-")?;
    let (iteration, label) = name.split_once('-').unwrap_or((name, ""));
    let modified = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
    // One that was named twice has a number behind its label.
    let label = match label.rsplit_once('-') {
        Some((label @ ("baseline" | "pre" | "final"), number)) if number.parse::<u32>().is_ok() => label,
        _ => label,
    };
    Some(Brief {
        iteration: iteration.parse().ok()?,
        label: label.to_owned(),
        age: modified.elapsed().unwrap_or_default(),
        path,
    })
}

fn base(path: &Path) -> Option<String> {
    Manifest::read(path).ok()?.base
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brief(name: &str, days: u64) -> Brief {
        let (iteration, label) = name.split_once('-').unwrap();
        let age = Duration::from_secs(days * 86_400);
        Brief { path: name.into(), iteration: iteration.parse().unwrap(), label: label.into(), age }
    }

    #[test]
    fn the_newest_the_young_and_the_pinned_stay() {
        let briefs = [
            brief("0-baseline", 90),
            brief("1-pre", 3),
            brief("1-final", 3),
            brief("2-pre", 2),
            brief("2-final", 2),
            brief("3-pre", 1),
            brief("1-call-x", 3),
            brief("1-call-old", 31),
            brief("4-call-old", 31),
            brief("2-pre-revert", 2),
        ];
        let day = |days: u64| Duration::from_secs(days * 86_400);
        type Case = (&'static str, usize, u64, &'static [u32], &'static [&'static str]);
        let cases: [Case; 5] = [
            ("by age", 9, 30, &[], &["1-call-old", "4-call-old"]),
            ("by count", 2, 365, &[], &["1-final", "1-pre"]),
            ("pinned", 2, 30, &[1], &["4-call-old"]),
            ("none counted", 0, 365, &[2], &["1-final", "1-pre", "3-pre"]),
            ("everything old", 9, 0, &[1, 2, 3, 4], &[]),
        ];
        for (name, iterations, days, pinned, goes) in cases {
            let policy = RetentionPolicy { iterations, age: day(days) };
            let expected: BTreeSet<PathBuf> = goes.iter().map(PathBuf::from).collect();
            let pinned = pinned.iter().copied().collect();
            assert_eq!(expired(&briefs, policy, &pinned), expected, "{name}");
        }
    }

    #[test]
    fn names_are_read_as_they_are_written() {
        let directory = tempfile::tempdir().unwrap();
        let cases = [
            ("iteration-007.json.gz", 7, ""),
            ("iteration-000-baseline-2.json.gz", 0, "baseline"),
            ("iteration-1234-final.json.gz", 1234, "final"),
            ("iteration-003-pre-12.json.gz", 3, "pre"),
            ("iteration-003-pre-revert-2.json.gz", 3, "pre-revert-2"),
            ("iteration-003-call-toolu-2.json.gz", 3, "call-toolu-2"),
        ];
        for (name, iteration, label) in cases {
            let path = directory.path().join(name);
            fs::write(&path, "").unwrap();
            let brief = super::brief(path).unwrap();
            assert_eq!((brief.iteration, brief.label.as_str()), (iteration, label), "{name}");
        }
    }
}
