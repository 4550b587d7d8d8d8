//! What was lost: its record, its recovery, and whether it is back.

pub mod alternatives;
pub mod cumulative_loss;
pub mod evidence;
pub mod fallen;
pub mod false_alarm;
pub mod hits;
pub mod measured;
pub mod mended;
mod own_tests;
pub mod questions;
pub mod records;
pub mod recovery;
pub mod settlement;
pub mod unproven;
