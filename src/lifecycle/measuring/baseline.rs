//! The baseline of a loop: what was there before it, measured as far as the time allows.
//!
//! The sources are always counted; what needs the project's tools is measured when a person waits at a terminal, or
//! comes from an earlier measurement of the same tree.

use std::fs;
use std::time::{Duration, SystemTime};

use jiff::Timestamp;
use serde_json::{Map, json};

use crate::checkpoint::store::Store;
use crate::checkpoint::watch::Watch;
use crate::config::Config;
use crate::languages;
use crate::lifecycle::changes::{tree, untracked_changes};
use crate::lifecycle::measuring::measure::Figures;
use crate::lifecycle::measuring::{measure, reports};
use crate::project::Project;
use crate::state::records::Baseline;
use crate::state::test_record::TestRecord;

/// The largest repository whose files are all read at loop start.
const FILE_LIMIT: usize = 50_000;

/// How a baseline is measured.
pub struct BaselineMeasuring<'a> {
    /// What all commands may take; zero runs none.
    pub time: Duration,
    /// Told what runs next.
    pub say: &'a mut dyn FnMut(&str),
}

/// A baseline, and what later looks need of it.
#[derive(Debug, Clone, Default)]
pub struct MeasuredBaseline {
    /// The numbers.
    pub baseline: Baseline,
    /// The files with tests as they are.
    pub watch: Watch,
    /// The tests by name.
    pub tests: TestRecord,
}

/// Measures the project.
pub fn take(
    project: &Project,
    config: &Config,
    measuring: &mut BaselineMeasuring,
    now: Timestamp,
) -> MeasuredBaseline {
    let inventory = Inventory::take(project);
    let mut figures = measure::measure(&mut measure::MeasureRequest {
        project,
        config,
        time: measuring.time,
        wanted: &|_| true,
        say: measuring.say,
    });
    match reports::coverage(project.root(), inventory.newest) {
        Ok(Some(report)) => figures.add_report(&report.path, &report.reading),
        Err(why) if figures.coverage.is_none() => {
            figures.unavailable.insert("coverage_percentage".to_owned(), json!(why));
        }
        _ => {}
    }
    let mut taken = assembled(&inventory, figures, now);
    taken.watch = inventory.watch;
    taken.watch.began = Some(now.as_second());
    taken
}

fn assembled(inventory: &Inventory, mut figures: Figures, now: Timestamp) -> MeasuredBaseline {
    let mut test_count_note = None;
    let listed = figures.test_count;
    if listed.is_none() && inventory.tests.is_some() {
        figures.sources.insert("test_count".to_owned(), json!([{"inventory": "the tests in the sources"}]));
        // Why no runner was asked stays known.
        test_count_note = figures.unavailable.shift_remove("test_count");
    } else if listed.is_none() {
        let reason = json!(format!("more than {FILE_LIMIT} files, and no runner listed them"));
        figures.unavailable.insert("test_count".to_owned(), reason);
    }
    let baseline = Baseline {
        captured_at: now,
        test_count: listed.or(inventory.tests),
        coverage_percentage: figures.coverage,
        file_count: inventory.files,
        lines_of_code: inventory.lines,
        unavailable: figures.unavailable,
        branch_coverage_percentage: figures.branches,
        typescript_errors: figures.typescript,
        type_errors: figures.types.map(|found| found.errors),
        lint_errors: figures.lint.map(|found| found.errors),
        lint_warnings: figures.lint.map(|found| found.warnings),
        custom_metrics: (!figures.custom.is_empty()).then_some(figures.custom),
        inventory_test_count: inventory.tests,
        test_count_note,
        sources: Some(figures.sources),
        accepted: None,
        extra: Map::new(),
    };
    let tests = TestRecord { listed: figures.test_names, ..TestRecord::default() };
    MeasuredBaseline { baseline, tests, ..MeasuredBaseline::default() }
}

/// What the sources hold.
struct Inventory {
    tests: Option<u64>,
    files: Option<u64>,
    lines: Option<u64>,
    watch: Watch,
    /// When a source was last changed.
    newest: SystemTime,
}

impl Inventory {
    fn take(project: &Project) -> Inventory {
        let store = Store::of_project(project.root());
        let mut watch = Watch { base_commit: tree::head_commit(project), ..Watch::default() };
        let mut newest = SystemTime::UNIX_EPOCH;
        let files = tree::files(project, FILE_LIMIT + 1);
        if files.len() > FILE_LIMIT {
            return Inventory { tests: None, files: None, lines: None, watch, newest };
        }
        let (mut tests, mut lines) = (0, 0);
        for path in &files {
            if languages::Language::of_path(path).is_none() {
                continue;
            }
            let place = project.root().join(path);
            if let Ok(changed) = fs::metadata(&place).and_then(|file| file.modified()) {
                newest = newest.max(changed);
            }
            let Some(text) = crate::lifecycle::call::view::read_text(&place) else { continue };
            lines += text.lines().count() as u64;
            let here = languages::count_tests(path, &text).unwrap_or_default() as u64;
            tests += here;
            // What no commit holds is kept, so that its past is known when a script changes it.
            if here > 0 || watch.base_commit.is_none() {
                watch.files.insert(path.clone(), untracked_changes::known(&store, &place, here));
            }
        }
        Inventory { tests: Some(tests), files: Some(files.len() as u64), lines: Some(lines), watch, newest }
    }
}
