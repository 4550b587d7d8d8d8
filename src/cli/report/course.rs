//! What happened when, what persons decided, and what it cost.

use super::ReportSources;
use crate::cli::page::Html;
use crate::cli::seen::{self, Sort};
use crate::lifecycle::ending::spent;
use crate::lifecycle::measuring::performance::PersistenceFigures;
use crate::state::audit::{self, Filter};
use crate::state::gate::Gate;
use crate::state::loop_state::Kind;
use crate::text::gate as words;

/// So many events are shown: the newest.
const EVENTS: usize = 400;

/// Adds the three.
pub(super) fn write(told: &ReportSources<'_>, html: &mut Html) {
    gates(told, html);
    costs(told, html);
    timeline(told, html);
}

fn gates(told: &ReportSources<'_>, html: &mut Html) {
    let gates = &told.state.human_gates;
    if gates.is_empty() {
        return;
    }
    html.section("Decisions of persons", |html| {
        gates.iter().rev().for_each(|gate| one_gate(told, gate, html))
    });
}

fn one_gate(told: &ReportSources<'_>, gate: &Gate, html: &mut Html) {
    let decision = match (gate.decision, gate.is_open()) {
        (_, true) => ("badge bad", "waits".to_owned()),
        (Some(decision), _) => ("badge warn", decision.name().replace('_', " ")),
        (None, _) => ("badge good", "closed: it came back".to_owned()),
    };
    html.within("article", &[], |html| {
        html.element("span", decision.0, &decision.1);
        html.element("h3", "", words::about(gate));
        let asked = format!("Asked{}, {}.", told.place(gate.iteration), seen::date_and_clock(gate.opened_at));
        let decided = gate.decided_at.map(|at| {
            let by = gate.decided_by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
            let via = gate.decided_via.as_deref().map(|via| format!(" ({via})")).unwrap_or_default();
            format!(" Decided {}{by}{via}.", seen::date_and_clock(at))
        });
        html.element("p", "soft", &format!("{asked}{}", decided.unwrap_or_default()));
        if let Some(reason) = &gate.reason {
            html.element("p", "", reason);
        }
        if !gate.message.is_empty() {
            html.within("details", &[], |html| {
                html.element("summary", "", "What was asked");
                html.element("pre", "asked", &gate.message);
            });
        }
    });
}

fn costs(told: &ReportSources<'_>, html: &mut Html) {
    let spent = spent::costs(told.state, told.now);
    let lines = audit::read(&told.layout.hook_log(&told.state.loop_id), Filter::default()).ok();
    let metrics = PersistenceFigures::of(told.state, lines.into_iter().flatten(), told.now);
    let tokens = |count: Option<u64>| count.map_or("unknown".to_owned(), grouped);
    let usd = |usd: Option<f64>| usd.map_or("unknown".to_owned(), |usd| format!("${usd:.2}"));
    html.section("What it cost", |html| {
        html.facts(&[
            ("Tokens", tokens(spent.total.0)),
            ("Money, where the client says", usd(spent.total.1)),
            (
                "A call's check, 95th percentile",
                metrics.detection_latency_p95_ms.map(|ms| format!("{ms} ms")).unwrap_or_default(),
            ),
            (
                "Time with the guard, more than without",
                metrics.integration_overhead_percentage.map(|more| format!("{more:.1}%")).unwrap_or_default(),
            ),
            (
                "Findings called false alarms",
                format!(
                    "{} of {}",
                    metrics.false_positive_count,
                    metrics.false_positive_count + metrics.true_positive_count
                ),
            ),
        ]);
        let rows: Vec<Vec<String>> = (told.state.iteration_history.iter().zip(&spent.by_iteration))
            .filter(|(_, cost)| cost.0.is_some())
            .map(|(record, cost)| vec![record.iteration.to_string(), tokens(cost.0), usd(cost.1)])
            .collect();
        if told.state.kind == Kind::Explicit && !rows.is_empty() {
            html.table(&["Iteration", "Tokens", "Money"], &rows);
        }
    });
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

fn timeline(told: &ReportSources<'_>, html: &mut Html) {
    let earlier = told.events.len().saturating_sub(EVENTS);
    html.section("Timeline", |html| {
        if told.events.is_empty() {
            html.element("p", "soft", "Nothing has happened that anybody has to know of.");
        }
        if earlier > 0 {
            html.element("p", "soft", &format!("{earlier} earlier events: steadfast log has them"));
        }
        html.within("ol", &[("class", "events")], |html| {
            for event in told.events.iter().skip(earlier) {
                html.within("li", &[], |html| {
                    html.element("time", "", &seen::date_and_clock(event.at));
                    html.element("span", badge(event.sort), event.sort.word());
                    html.element("p", "", &event.in_words());
                });
            }
        });
    });
}

fn badge(sort: Sort) -> &'static str {
    match sort {
        Sort::Stopped | Sort::Lost | Sort::Gate | Sort::Trouble => "badge bad",
        Sort::Asked | Sort::Decided | Sort::Undone => "badge warn",
        Sort::Ended | Sort::Iteration => "badge good",
        Sort::Began | Sort::Advised => "badge",
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_stand_apart() {
        let rows = [(0, "0"), (999, "999"), (1_000, "1\u{202f}000"), (1_234_567, "1\u{202f}234\u{202f}567")];
        for (number, expected) in rows {
            assert_eq!(grouped(number), expected);
        }
    }
}
