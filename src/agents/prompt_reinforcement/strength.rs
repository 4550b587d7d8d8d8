//! How strongly the agent is reminded: the level of an iteration, and why.

use crate::state::loop_state::Level;

/// What decides the level of an iteration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signals<'a> {
    /// The iteration that begins, from 1.
    pub iteration: u32,
    /// From which iteration on which level holds.
    pub thresholds: &'a [(u32, Level)],
    /// The level before any threshold.
    pub default_level: Level,
    /// How often the last error came in a row.
    pub same_error: u32,
    /// Whether the last three quality deltas are all below the plateau's.
    pub plateau: bool,
    /// What a plateau's deltas stay below, points.
    pub plateau_points: f64,
    /// The level that such a standstill asks for.
    pub plateau_level: Level,
    /// Whether quality fell by more than that.
    pub falling: bool,
    /// The iteration of a regression that this one follows, or that it tries anew.
    pub regression: Option<u32>,
}

/// The documents' thresholds.
pub const THRESHOLDS: &[(u32, Level)] = &[(3, Level::Standard), (5, Level::Aggressive)];

/// The level, and the reason as the state's history words it: every trigger is named.
pub fn level(signals: Signals) -> (Level, String) {
    if signals.default_level == Level::Off {
        return (Level::Off, "Reinforcement is off".to_owned());
    }
    let passed = signals.thresholds.iter().filter(|(from, _)| *from <= signals.iteration);
    let reached = passed.max_by_key(|(from, _)| *from);
    let usual = reached.map_or(signals.default_level, |(_, level)| *level);
    let triggers = triggers(signals, reached.map(|(from, _)| *from));
    let reason = match triggers.as_slice() {
        [] => "Loop initialization".to_owned(),
        [only] if only.ends_with("threshold") => format!("{only} reached"),
        several => several.join(" + "),
    };
    // ADAPTIVE is no strength of its own: the evidence chooses one.
    (if usual == Level::Adaptive { usual } else { raised(usual, signals) }, reason)
}

/// The level to which the evidence raises `level`.
fn raised(level: Level, signals: Signals) -> Level {
    let by_errors = match signals.same_error {
        0 | 1 => level,
        2 => stronger(level),
        _ => Level::Aggressive,
    };
    let fell = signals.falling || signals.regression.is_some();
    let by_loss = if fell { Level::Aggressive } else { by_errors };
    if signals.plateau { by_loss.max(signals.plateau_level) } else { by_loss }
}

/// What speaks for a level, in words; `threshold` is the iteration of the one that is reached.
fn triggers(signals: Signals, threshold: Option<u32>) -> Vec<String> {
    let mut triggers = Vec::from_iter(threshold.map(|from| format!("Iteration {from} threshold")));
    if signals.same_error >= 2 {
        triggers.push("repeated error pattern".to_owned());
    }
    if signals.plateau {
        triggers.push(plateau_reason(signals.plateau_points));
    }
    if signals.falling {
        triggers.push("Quality fell".to_owned());
    }
    if let Some(iteration) = signals.regression {
        triggers.push(format!("Regression detected in iteration {iteration}"));
    }
    triggers
}

/// A plateau, as the state's history words it.
pub fn plateau_reason(points: f64) -> String {
    format!("Quality plateau detected (3 iterations < {}% delta)", (points * 100.0).round() / 100.0)
}

fn stronger(level: Level) -> Level {
    match level {
        Level::Off | Level::Minimal => Level::Standard,
        _ => Level::Aggressive,
    }
}

/// How strongly the evidence alone asks for a reminder: what ADAPTIVE uses.
pub fn strength(signals: Signals, risks: usize) -> Level {
    if signals.same_error >= 3 || signals.plateau || signals.falling || signals.regression.is_some() {
        Level::Aggressive
    } else if signals.same_error == 2 || risks > 0 {
        Level::Standard
    } else {
        Level::Minimal
    }
}
