//! Modules and names that are taken away while other files still import them.
//!
//! Importers are looked for only where something that was offered is gone, once for all that is gone, among the files that
//! git tracks, and in a bounded number of them.

use std::collections::BTreeSet;

use crate::config::Mode;
use crate::languages::is_test_path;
use crate::languages::modules::{self, ImportQuestion};
use crate::lifecycle::changes::file_text::read_text;
use crate::lifecycle::changes::successors::{given_beside, has_successor, namesakes, text_after};
use crate::lifecycle::changes::{touched, tree};
use crate::lifecycle::context::hook_context::HookContext;
use crate::model::finding::{Change, Finding, RegressionType, Severity};
use crate::state::loop_state::LoopState;

/// So many files are read to see whether they import what is gone.
const READ: usize = 100;
/// So many changes are looked at in one call; a checkout of many is no removal.
const LOOKED_AT: usize = 50;
/// In a larger repository nobody is looked for: a call must not cost more with every file beside it.
const SEARCHED: usize = 20_000;
/// What is said of every such loss.
const STILL: &str = "still imports";

/// What these changes take away from files that still import it: advice, because those files may change next. Of a name
/// that another one replaces nothing is said yet.
pub fn missed(context: &HookContext, changes: &[Change]) -> Vec<Finding> {
    look(context, changes, false)
}

/// The same where nothing comes next: another name is no excuse for files that have kept the old one.
pub fn still_missed(context: &HookContext, changes: &[Change]) -> Vec<Finding> {
    look(context, changes, true)
}

fn look(context: &HookContext, changes: &[Change], is_end: bool) -> Vec<Finding> {
    if context.config.detection.mode == Mode::Off || !context.config.looks_for(RegressionType::FeatureRemoval)
    {
        return Vec::new();
    }
    let changed = changes.iter().take(LOOKED_AT);
    let removals = changed.filter_map(|change| Removal::of(context, change, changes));
    let removals: Vec<Removal> = removals.filter(|removal| is_end || !removal.is_replaced).collect();
    let importers = importers_of(context, &removals, changes);
    let missed = removals.iter().filter_map(|removal| removal.missed(context, &importers));
    missed
        .chain(changes.iter().take(LOOKED_AT).filter_map(|change| undeclared(context, change, changes)))
        .collect()
}

/// What is said of a module whose declaration is gone while the file that declared it, or another one, still names it.
fn undeclared(context: &HookContext, change: &Change, changes: &[Change]) -> Option<Finding> {
    let (before, after) = (change.before.as_deref()?, change.after.as_deref()?);
    let gone = modules::undeclared(&change.path, before, after);
    if let Some(named) = gone.iter().find(|module| module.is_named) {
        return Some(finding(change, BTreeSet::from([named.name.clone()]), &change.path, 1));
    }
    let names: BTreeSet<String> = gone.iter().map(|module| module.name.clone()).collect();
    let others = with_words(context, &names, &["*.rs"], changes);
    gone.iter().find_map(|module| {
        let names_it = |(path, text): &&(String, String)| {
            modules::is_importer(&ImportQuestion { path, module: &module.path, project: "" }, text)
        };
        let users: Vec<&(String, String)> = others.iter().filter(names_it).collect();
        let (first, _) = users.first()?;
        Some(finding(change, BTreeSet::from([module.name.clone()]), first, users.len()))
    })
}

/// What the session's files have lost since the loop's start and others still import when the turn ends, which is a
/// regression then; with the files from the start to now.
pub fn standing(context: &HookContext, state: &LoopState) -> (Vec<Finding>, Vec<Change>) {
    let is_told = |path: &str| {
        state.regression_events.iter().any(|event| {
            event.regression_type == RegressionType::FeatureRemoval
                && (event.is_open() || event.human_decision.is_some())
                && event.named_files().any(|file| file == path)
        })
    };
    let mut changes = touched::since_start(context, |path| {
        !is_test_path(path) && modules::importers_of(path).is_some() && !is_told(path)
    });
    let is_silenced = |path: &str| {
        let mut hits = state.detected_patterns.iter().filter(|hit| hit.false_positive);
        hits.any(|hit| {
            hit.path.as_deref() == Some(path) && hit.what.as_deref().is_some_and(|what| what.contains(STILL))
        })
    };
    changes.retain(|change| !is_silenced(&change.path));
    let mut found = still_missed(context, &changes);
    settle(&mut found);
    (found, changes)
}

/// What is advice during a turn is a loss when the turn ends on it.
pub fn settle(findings: &mut [Finding]) {
    for finding in findings.iter_mut().filter(|finding| finding.what.contains(STILL)) {
        finding.severity = finding.severity.max(Severity::High);
    }
}

/// What a change takes away from who imports it.
struct Removal<'c> {
    change: &'c Change,
    /// Whether nothing is left of the file.
    is_whole: bool,
    /// Whether it has got a new name, or a new place, too.
    is_replaced: bool,
    /// Which files can import it.
    patterns: Vec<String>,
    /// The names that are no longer offered.
    lost: BTreeSet<String>,
}

impl<'c> Removal<'c> {
    /// `None` where nothing is taken away, or something else takes its place.
    fn of(context: &HookContext, change: &'c Change, changes: &[Change]) -> Option<Self> {
        let before = change.before.as_deref().filter(|_| !is_test_path(&change.path))?;
        let patterns = modules::importers_of(&change.path)?;
        let after = change.after.as_deref().filter(|after| !after.trim().is_empty());
        let offered = modules::offered(&change.path, before);
        let now = after.map(|after| modules::offered(&change.path, after)).unwrap_or_default();
        let mut lost: BTreeSet<String> = offered.difference(&now).cloned().collect();
        let mut is_whole = after.is_none();
        if is_whole && has_successor(context, change, changes) {
            // What a file gives to its folder is missed where no other file there gives it.
            is_whole = false;
            lost.retain(|_| modules::is_by_folder(&change.path));
        }
        if !lost.is_empty() && modules::is_by_folder(&change.path) {
            let beside = given_beside(context, change, changes);
            lost.retain(|name| !beside.contains(name));
        }
        // Whoever passes on all of another module may pass on these.
        if !is_whole && (lost.is_empty() || now.contains(modules::ALL)) {
            return None;
        }
        // A new name, or a new place, may be the old one's, and the importers' turn is next.
        let has_moved = || changes.iter().any(|other| other.before.is_none() && other.after == change.before);
        let is_replaced =
            if after.is_some() { now.difference(&offered).next().is_some() } else { has_moved() };
        Some(Removal { change, is_whole, is_replaced, patterns, lost })
    }

    /// What is said of it, with those of the `importers` that do import it.
    fn missed(&self, context: &HookContext, importers: &[(String, String)]) -> Option<Finding> {
        let project = project_name(context, &self.change.path);
        let of_module = ImportQuestion { path: "", module: &self.change.path, project: &project };
        let mut used = BTreeSet::new();
        let mut of_it = Vec::new();
        for (path, text) in importers.iter().filter(|(path, _)| *path != self.change.path) {
            let asking = ImportQuestion { path, ..of_module };
            let taken = modules::taken(&asking, text, &self.lost);
            if self.is_whole && modules::is_importer(&asking, text) || !taken.is_empty() {
                used.extend(taken);
                of_it.push((path, text));
            }
        }
        let is_asked = self.is_whole && !of_it.is_empty();
        let stand_ins = if is_asked { namesakes(context, self.change) } else { Vec::new() };
        of_it.retain(|(path, text)| {
            !stand_ins
                .iter()
                .any(|module| modules::is_importer(&ImportQuestion { path, module, ..of_module }, text))
        });
        of_it.first().map(|(first, _)| finding(self.change, used, first, of_it.len()))
    }
}

/// The name under which the project's folders are imported; empty where there is none.
fn project_name(context: &HookContext, module: &str) -> String {
    let Some((file, word)) = modules::manifest_of(module) else { return String::new() };
    let text = read_text(&context.project.root().join(file)).unwrap_or_default();
    let name = text.lines().find_map(|line| line.trim().strip_prefix(word)?.split_whitespace().next());
    name.unwrap_or_default().to_owned()
}

fn finding(change: &Change, used: BTreeSet<String>, importer: &str, count: usize) -> Finding {
    let more = if count > 1 { format!(", as {} others do", count - 1) } else { String::new() };
    let is_gone = change.after.as_deref().is_none_or(|after| after.trim().is_empty());
    let gone = match (is_gone, used.first()) {
        (false, Some(name)) if used.len() == 1 => format!("`{name}`"),
        (false, Some(_)) => format!("{} names", used.len()),
        _ => "the module".to_owned(),
    };
    let pattern = &crate::detectors::product::feature_removal::DELETED.pattern;
    Finding {
        severity: Severity::Medium,
        lost: used.into_iter().collect(),
        confidence: 0.8,
        ..pattern.finding(&change.path, format!("{gone} would be gone while {importer} {STILL} it{more}"))
    }
}

/// The files that may import one of the modules, as they are after the changes: one question for all of them. Tests of a
/// module don't count: they go with it.
fn importers_of(
    context: &HookContext,
    removals: &[Removal<'_>],
    changes: &[Change],
) -> Vec<(String, String)> {
    let mut names: BTreeSet<String> =
        removals.iter().flat_map(|removal| modules::names_of(&removal.change.path)).collect();
    // Files of one folder see each other's names without a word of the folder.
    let alone = removals.iter().filter(|removal| modules::is_by_folder(&removal.change.path));
    names.extend(alone.flat_map(|removal| removal.lost.iter().cloned()));
    names.remove("");
    let patterns: BTreeSet<&str> =
        removals.iter().flat_map(|removal| &removal.patterns).map(String::as_str).collect();
    let patterns: Vec<&str> = patterns.into_iter().collect();
    with_words(context, &names, &patterns, changes)
}

/// The files of these patterns that hold one of the words, as they are after the changes.
fn with_words(
    context: &HookContext,
    names: &BTreeSet<String>,
    patterns: &[&str],
    changes: &[Change],
) -> Vec<(String, String)> {
    if names.is_empty() || context.project.git().tracked_count().is_none_or(|count| count > SEARCHED) {
        return Vec::new();
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let found = tree::files_with(&context.project, &names, true, patterns);
    let others = found.into_iter().filter(|path| !is_test_path(path)).take(READ);
    others.filter_map(|path| text_after(context, &path, changes).map(|text| (path, text))).collect()
}
