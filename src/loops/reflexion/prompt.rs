//! What the next trial reads, from the template.

use crate::loops::reflexion::patterns::FailurePattern;
use crate::loops::reflexion::reflection::{Reflection, TrialOutcome};

/// The built-in template.
pub const TEMPLATE: &str = include_str!("../../../templates/self-reflection-prompt.md");
/// The longest text, in letters.
pub const LONGEST: usize = 3_000;
/// The longest single statement, in letters.
const STATEMENT: usize = 300;

/// Fills the template, in at most so many letters. `None` when there is nothing to tell.
pub fn fill(
    template: &str,
    own: &[&Reflection],
    trials: usize,
    others: &[&FailurePattern],
    letters: usize,
) -> Option<String> {
    if own.is_empty() && others.is_empty() {
        return None;
    }
    let reflections: Vec<String> = own.iter().map(|one| trial(one)).collect();
    let patterns: Vec<String> = others.iter().map(|pattern| known(pattern)).collect();
    let text = template
        .replace("{trials_in_view}", &own.len().to_string())
        .replace("{trials}", &trials.to_string())
        .replace("{reflections}", &reflections.join("\n"))
        .replace("{patterns}", &patterns.join("\n"));
    let lines = text.lines().map(str::trim_end).filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    let short: String = text.chars().take(letters).collect();
    Some(if short.len() < text.len() { format!("{}…", short.trim_end()) } else { text })
}

fn trial(one: &Reflection) -> String {
    let outcome = match one.outcome {
        TrialOutcome::Success => "succeeded",
        TrialOutcome::Failure => "failed",
        TrialOutcome::Partial => "failed in part",
    };
    let approach = match one.actor_output.strategy.as_str() {
        "" => "an approach that was not stated".to_owned(),
        said => format!("\"{}\"", cut(said)),
    };
    let mut text = format!("- Trial {}, {approach}: {outcome}. {}", one.trial_number, cut(&one.reflection));
    if !one.strategy_change.is_empty() {
        text.push_str(&format!("\n  Strategy change: {}", cut(&one.strategy_change)));
    }
    text
}

fn known(pattern: &FailurePattern) -> String {
    let ended = match pattern.resolved_by.last() {
        Some(by) => format!("it was gone after {}", cut(by)),
        None => "nothing has ended it so far".to_owned(),
    };
    format!("- Known from earlier loops ({}x): {} ({ended})", pattern.frequency, cut(&pattern.description))
}

fn cut(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(STATEMENT).collect();
    if short.len() < line.len() { format!("{short}…") } else { short }
}
