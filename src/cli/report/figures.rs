//! Quality, tests and coverage over a loop's iterations.

use serde_json::Value;

use super::ReportSources;
use crate::cli::page::{Chart, Html, Series};
use crate::state::loop_state::Kind;
use crate::state::records::IterationRecord;

/// Adds the figures of a loop; a session without one has none.
pub(super) fn write(told: &ReportSources<'_>, html: &mut Html) {
    if told.state.kind == Kind::Implicit {
        return;
    }
    let records = &told.state.iteration_history;
    html.section("Quality over the iterations", |html| {
        if records.is_empty() {
            html.element("p", "soft", "No iteration has ended yet.");
            return;
        }
        charts(told, records, html);
        let rows: Vec<Vec<String>> = records.iter().map(row).collect();
        html.within("details", &[], |html| {
            html.element("summary", "", "The figures, and how each iteration ended");
            html.table(&["#", "Quality", "Tests", "Coverage", "Result", "What was learned"], &rows);
        });
    });
}

fn charts(told: &ReportSources<'_>, records: &[IterationRecord], html: &mut Html) {
    let mut labels: Vec<String> = records.iter().map(|record| record.iteration.to_string()).collect();
    let at = |name: &'static str| records.iter().map(move |record| figure(record, name));
    let marked: Vec<usize> =
        (0..).zip(records).filter(|(_, record)| record.regression_detected).map(|(at, _)| at).collect();
    let quality = [
        Series {
            name: "quality %",
            points: records.iter().map(|record| Some(record.quality_score)).collect(),
        },
        Series { name: "line coverage %", points: at("coverage_percentage").collect() },
    ];
    Chart { title: "Quality", labels: &labels, series: &quality, top: Some(100.0), marked: &marked }
        .draw(html);
    // The count at the start says whether tests have come or gone.
    let baseline = told.state.baseline_metrics.as_ref();
    let start = baseline.and_then(|baseline| baseline.test_count).map(|count| count as f64);
    labels.insert(0, "start".to_owned());
    let tests = [
        Series { name: "tests", points: std::iter::once(start).chain(at("test_count")).collect() },
        Series { name: "passed", points: std::iter::once(None).chain(records.iter().map(passed)).collect() },
    ];
    let marked: Vec<usize> = marked.iter().map(|at| at + 1).collect();
    Chart { title: "Tests", labels: &labels, series: &tests, top: None, marked: &marked }.draw(html);
}

fn figure(record: &IterationRecord, name: &str) -> Option<f64> {
    record.metrics_snapshot.get(name).and_then(Value::as_f64)
}

fn passed(record: &IterationRecord) -> Option<f64> {
    record.test_results.as_ref()?.get("passed")?.as_f64()
}

fn row(record: &IterationRecord) -> Vec<String> {
    let shown =
        |value: Option<f64>, unit: &str| value.map_or("-".to_owned(), |value| format!("{value:.0}{unit}"));
    let back = if record.is_reverted() { " (taken back)" } else { "" };
    vec![
        record.iteration.to_string(),
        format!("{:.0}%", record.quality_score),
        shown(figure(record, "test_count"), ""),
        shown(figure(record, "coverage_percentage"), "%"),
        format!("{}{back}", record.result),
        record.learnings.clone(),
    ]
}
