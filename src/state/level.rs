//! How strongly the agent is reminded, and how that changed.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::schema::DateTime;

/// How strongly the agent is reminded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Not at all.
    Off,
    /// Once, briefly.
    #[default]
    Minimal,
    /// At each iteration.
    Standard,
    /// At each iteration, with everything that failed.
    Aggressive,
    /// As the evidence asks.
    Adaptive,
}

impl Level {
    /// The word in files and on the screen.
    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "OFF",
            Level::Minimal => "MINIMAL",
            Level::Standard => "STANDARD",
            Level::Aggressive => "AGGRESSIVE",
            Level::Adaptive => "ADAPTIVE",
        }
    }
}

/// A change of the reinforcement level.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LevelChange {
    /// When.
    #[schemars(with = "DateTime")]
    pub timestamp: Timestamp,
    /// In which iteration.
    pub iteration: u32,
    /// Equal to the previous change's `to_level`.
    pub from_level: Level,
    /// The new level.
    pub to_level: Level,
    /// Every cause.
    pub reason: String,
}
