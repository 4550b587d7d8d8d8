//! The end of a report: what was found, how faults were met, which iteration was best, and what it cost.

use crate::loops::report::markdown::{code, duration, one_line, or_unknown};
use crate::loops::report::summary::LoopSummary;

pub(super) fn regressions(of: &LoopSummary) -> String {
    let mut out = String::from("\n## Regression events\n\n");
    if of.regression_events.is_empty() {
        out.push_str("None: no finding.\n");
    }
    for event in &of.regression_events {
        let place = if event.path.is_empty() { String::new() } else { format!(" in {}", code(&event.path)) };
        out.push_str(&format!(
            "- Iteration {}: {} {} ({}){place}: {}\n",
            event.iteration,
            event.pattern_id,
            event.regression_type,
            event.severity,
            one_line(&event.outcome)
        ));
        for lost in event.lost.iter().take(50) {
            out.push_str(&format!("  - {}\n", code(lost)));
        }
        if event.lost.len() > 50 {
            out.push_str(&format!("  - and {} more\n", event.lost.len() - 50));
        }
    }
    out
}

/// What persons decided, with their reasons; nothing where nobody was asked.
pub(super) fn decisions(of: &LoopSummary) -> String {
    if of.decisions.is_empty() {
        return String::new();
    }
    let lines = of.decisions.iter().map(|decision| {
        let reason = decision.reason.as_ref().map(|reason| format!(": {}", one_line(reason)));
        let by = decision.by.as_ref().map(|by| format!(" by {}", one_line(by)));
        let (reason, by) = (reason.unwrap_or_default(), by.unwrap_or_default());
        format!("- Iteration {}: {}, {}{by}{reason}\n", decision.iteration, decision.about, decision.decision)
    });
    format!("\n## Decisions of persons\n\n{}", lines.collect::<String>())
}

pub(super) fn recoveries(of: &LoopSummary) -> String {
    let mut out = String::from("\n## Recovery attempts\n\n");
    if of.recovery_attempts.is_empty() {
        out.push_str("None.\n");
    }
    for attempt in &of.recovery_attempts {
        let helped = match attempt.helped {
            Some(true) => "helped",
            Some(false) => "did not help",
            None => "outcome unknown",
        };
        out.push_str(&format!(
            "- Iteration {}: {}; {} ({helped})\n",
            attempt.iteration,
            one_line(&attempt.fault),
            one_line(&attempt.action)
        ));
    }
    out
}

pub(super) fn best_and_final(of: &LoopSummary) -> String {
    let quality =
        |quality: Option<f64>| quality.map_or("unknown".to_owned(), |quality| format!("{quality:.1}"));
    let mut out = String::from("\n## Best and final iteration\n\n");
    match &of.best {
        Some(best) => out.push_str(&format!(
            "- Best: iteration {}, quality {}: {}\n",
            best.iteration,
            quality(best.quality),
            or_unknown(&best.reason)
        )),
        None => out.push_str("- Best: none was selected\n"),
    }
    match of.kept().next_back() {
        Some(last) => {
            out.push_str(&format!("- Final: iteration {}, quality {}\n", last.number, quality(last.quality)))
        }
        None => out.push_str("- Final: there was no iteration\n"),
    }
    out
}

pub(super) fn costs(of: &LoopSummary) -> String {
    let costs = of.costs.clone().unwrap_or_default();
    let tokens = costs.tokens.map_or("unknown".to_owned(), |tokens| tokens.to_string());
    let usd = costs.usd.map_or("unknown".to_owned(), |usd| format!("{usd:.2} USD"));
    let verifying: u64 =
        of.iterations.iter().filter_map(|one| one.verification.as_ref()).map(|one| one.duration_ms).sum();
    format!(
        "\n## Costs\n\n- Time: {}, of it {} in verification\n- Tokens: {tokens}\n- Money: {usd}\n",
        duration(of.seconds()),
        duration(verifying / 1000)
    )
}
