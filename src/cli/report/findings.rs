//! What was lost, with the change that lost it, and what was stopped.

use std::path::Path;

use super::ReportSources;
use crate::checkpoint::catalogue;
use crate::checkpoint::manifest::Manifest;
use crate::checkpoint::node::Node;
use crate::checkpoint::objects::Digest;
use crate::checkpoint::store::Store;
use crate::cli::checkpoint::patch::{Patch, PathSide};
use crate::cli::page::{Html, patch};
use crate::cli::seen::{self, Sort};
use crate::cli::transcripts::{self, TranscriptCall};
use crate::model::finding::Severity;
use crate::state::loop_state::LoopState;
use crate::state::records::{RecoveryOutcome, RegressionEvent};

/// So many lost names are shown.
const NAMES: usize = 40;
/// So many stopped calls are shown with their change.
const CALLS: usize = 60;

/// Adds both.
pub(super) fn write(told: &ReportSources<'_>, html: &mut Html) {
    let events = &told.state.regression_events;
    if !events.is_empty() {
        let kept = catalogue::list(told.store, Some(&told.state.loop_id)).unwrap_or_default().checkpoints;
        html.section("What was lost", |html| {
            events.iter().rev().for_each(|event| regression(told, event, &kept, html));
        });
    }
    stopped(told, html);
}

fn regression(told: &ReportSources<'_>, event: &RegressionEvent, kept: &[Manifest], html: &mut Html) {
    let (class, end) = ended(event);
    let severe = if event.severity >= Severity::High { "badge bad" } else { "badge warn" };
    html.within("article", &[], |html| {
        html.element("span", severe, event.severity.name()).element("span", class, end);
        html.element("h3", "", &event.regression_type.name().replace('_', " "));
        let pattern = event.details.get("pattern_id").and_then(|id| id.as_str()).unwrap_or_default();
        let at = seen::date_and_clock(event.timestamp);
        html.element(
            "p",
            "soft",
            &format!("{} {pattern}{}, {at}", event.display_id(), told.place(event.iteration)),
        );
        names(&event.lost(), html);
        for path in files(event) {
            if let Some((before, after)) = sides(told.store, &path, event, kept) {
                write_patch(html, Patch { path, before, after }, "before and after the call");
            }
        }
    });
}

fn names(lost: &[String], html: &mut Html) {
    if lost.is_empty() {
        return;
    }
    html.within("ul", &[], |html| {
        lost.iter().take(NAMES).for_each(|name| {
            html.element("li", "", name);
        });
        let more = lost.len().saturating_sub(NAMES);
        if more > 0 {
            html.element("li", "soft", &format!("and {more} more"));
        }
    });
}

/// How it ended, with how that looks.
fn ended(event: &RegressionEvent) -> (&'static str, &'static str) {
    use crate::state::records::HumanDecision::{Abort, Approve, Reject};
    match (event.human_decision, event.recovery_outcome) {
        _ if event.false_positive == Some(true) => ("badge", "called a false alarm"),
        (Some(Approve), _) => ("badge warn", "accepted by a person"),
        (Some(Reject), _) => ("badge good", "rejected and put back"),
        (Some(Abort), _) => ("badge warn", "ended by a person"),
        (None, Some(RecoveryOutcome::Success)) => ("badge good", "came back"),
        (None, Some(RecoveryOutcome::Skipped)) => ("badge", "recorded only"),
        _ => ("badge bad", "open"),
    }
}

/// The files that it names, also where only the lost names begin with them.
fn files(event: &RegressionEvent) -> Vec<String> {
    let named = event.named_files().map(str::to_owned);
    let of_names = event.lost().into_iter().filter_map(|lost| Some(lost.split_once(": ")?.0.to_owned()));
    let mut files: Vec<String> = named.chain(of_names).collect();
    files.sort();
    files.dedup();
    files
}

/// What was there before the call that lost it, and after.
fn sides(
    store: &Store,
    path: &str,
    event: &RegressionEvent,
    kept: &[Manifest],
) -> Option<(PathSide, PathSide)> {
    let name = Path::new(path);
    let changed = |manifest: &Manifest| {
        let after = manifest.after.as_ref()?.changed.iter().find(|entry| entry.path == name)?;
        Some(after.node.clone())
    };
    // The newest call before it that changed the file; the list begins with the newest.
    let mut before_it = kept.iter().filter(|manifest| manifest.created_at <= event.timestamp);
    let (manifest, after) = before_it.find_map(|manifest| Some((manifest, changed(manifest)?)))?;
    let before = manifest.entry(name).map_or(Node::Absent, |entry| entry.node.clone());
    Some((side(store, name, &before)?, side(store, name, &after)?))
}

/// The bytes that were there: kept ones, or those on the disk while they are the same.
fn side(store: &Store, name: &Path, node: &Node) -> Option<PathSide> {
    match node {
        Node::Absent => Some(PathSide::Absent),
        Node::File { sha256, mode, .. } => {
            let on_disk =
                || std::fs::read(store.path(name)).ok().filter(|bytes| Digest::of(bytes) == *sha256);
            let bytes = store.objects().read(sha256).ok().or_else(on_disk)?;
            Some(PathSide::File(bytes, *mode))
        }
        _ => None,
    }
}

fn write_patch(html: &mut Html, of: Patch, about: &str) {
    let mut bytes = Vec::new();
    if of.write(&mut bytes, false).is_ok() && !bytes.is_empty() {
        patch(html, &of.path, about, &String::from_utf8_lossy(&bytes));
    }
}

/// The calls that did not run, with what they would have changed where the client's transcript has it.
fn stopped(told: &ReportSources<'_>, html: &mut Html) {
    let held = |sort: Sort| matches!(sort, Sort::Stopped | Sort::Asked);
    let events: Vec<_> = told.events.iter().filter(|event| held(event.sort)).collect();
    if events.is_empty() {
        return;
    }
    let calls = calls(told.state);
    html.section("What was stopped or asked", |html| {
        for event in events.iter().rev().take(CALLS) {
            html.within("article", &[], |html| {
                html.element(
                    "span",
                    if event.sort == Sort::Asked { "badge warn" } else { "badge bad" },
                    event.sort.word(),
                );
                html.element("h3", "", event.target.as_deref().unwrap_or("a call"));
                let ids = event.patterns.join(", ");
                html.element("p", "", &event.what);
                html.element(
                    "p",
                    "soft",
                    &format!("{ids}{}, {}", told.place(event.iteration), seen::date_and_clock(event.at)),
                );
                let is_it = |call: &&TranscriptCall| {
                    event.target.as_deref().is_some_and(|target| call.is_called(target))
                        && call.at.is_none_or(|at| at <= event.at)
                };
                if let Some((path, before, after)) =
                    calls.iter().rev().find(is_it).and_then(TranscriptCall::piece)
                {
                    let side = |text: String| PathSide::File(text.into_bytes(), 0o644);
                    write_patch(
                        html,
                        Patch { path, before: side(before), after: side(after) },
                        "what it would have changed",
                    );
                }
            });
        }
        let more = events.len().saturating_sub(CALLS);
        if more > 0 {
            html.element("p", "soft", &format!("and {more} earlier ones: steadfast log has them"));
        }
    });
}

/// The calls of the sessions that worked for it, oldest first.
fn calls(state: &LoopState) -> Vec<TranscriptCall> {
    let known = state.transcripts.iter().flatten().map(std::path::PathBuf::from);
    let of_session = state.session_id.as_deref().and_then(transcripts::of_session);
    let mut files: Vec<std::path::PathBuf> = known.chain(of_session).collect();
    files.sort();
    files.dedup();
    let mut calls: Vec<TranscriptCall> = files.iter().flat_map(|file| transcripts::calls(file)).collect();
    calls.sort_by_key(|call| call.at);
    calls
}
