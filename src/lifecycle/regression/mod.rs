//! What was lost: its record, its recovery, and whether it is back.

pub mod alternatives;
pub mod cumulative_loss;
pub mod evidence;
pub mod fallen;
pub mod false_alarm;
pub mod measured;
pub mod mended;
pub mod records;
pub mod recovery;
pub mod settlement;
