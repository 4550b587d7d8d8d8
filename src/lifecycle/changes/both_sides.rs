//! Asks the project's other files about an edit where the edit alone gives a suspicion.
//!
//! One search for the words of all suspicions about a file, and a bounded number of files that are read.

use crate::agents::laziness_detector;
use crate::config::Mode;
use crate::detectors::checks::both_settings::is_lock_file;
use crate::detectors::product::both_sides::Suspicions;
use crate::detectors::product::other_sides::{OtherSide, OtherSides};
use crate::languages::{file_name, is_test_path};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::touched::began_at;
use crate::lifecycle::changes::tree;
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, Severity};

/// So many files of a kind are read.
const READ: usize = 20;
/// So many changes are looked at in one call.
const LOOKED_AT: usize = 20;

/// Adds what the other files confirm of changes of which nothing worse is known.
pub(crate) fn add(context: &HookContext, changes: &[Change], findings: &mut Vec<Finding>) {
    if context.config.detection.mode == Mode::Off {
        return;
    }
    let is_told =
        |change: &Change| findings.iter().any(|it| it.path == change.path && it.severity >= Severity::High);
    let product = changes.iter().filter(|it| !is_test_path(&it.path) && !is_told(it));
    let found: Vec<Finding> = product
        .take(LOOKED_AT)
        .filter_map(|change| {
            let suspicions = Suspicions::of(change)?;
            let mut sides = sides(context, &suspicions.words(), changes);
            suspicions.confirmed(&mut sides)
        })
        .collect();
    let found = laziness_detector::tuned(found, &context.config);
    // The same cause was advice so far.
    findings.retain(|it| {
        it.severity > Severity::Medium
            || !found.iter().any(|new| new.path == it.path && new.pattern_id == it.pattern_id)
    });
    findings.extend(found);
}

fn sides(context: &HookContext, words: &[&str], changes: &[Change]) -> OtherSides {
    let mut found = tree::files_with(&context.project, words, false, &[]);
    found.retain(|path| !is_made(path) && !changes.iter().any(|it| it.path == *path));
    let (mut tests, mut others): (Vec<String>, Vec<String>) =
        found.into_iter().partition(|path| is_test_path(path));
    let is_cut = others.len() > READ;
    tests.truncate(READ);
    others.truncate(READ);
    let read = texts(context, [tests, others].concat());
    let (tests, others) = read.into_iter().partition(|side| is_test_path(&side.path));
    OtherSides { tests, others, is_cut }
}

/// Files with their texts now and when the session began.
fn texts(context: &HookContext, paths: Vec<String>) -> Vec<OtherSide> {
    let began = began_at(context);
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let before = tree::texts_at(&context.project, &began, &names).unwrap_or_default();
    let mut before = before.into_iter();
    let side = |path: String| {
        let began = before.next().flatten();
        let now = read_text(&context.project.root().join(&path))?;
        Some(OtherSide { path, now, began })
    };
    paths.into_iter().filter_map(side).collect()
}

/// Whether a tool has made a file of others, or written down in it what it has chosen.
fn is_made(path: &str) -> bool {
    let name = file_name(path);
    is_lock_file(name) || name == "go.sum" || name.ends_with(".min.js")
}
