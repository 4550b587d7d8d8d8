//! What loops learned, kept for the next iteration and for the next loop: `.aiwg/ralph/reflections/`.
//!
//! Everything but [`store`] is pure. A reflection is written from what was measured, without the agent's effort; what
//! the agent said is only quoted.

pub mod choice;
mod index;
pub mod patterns;
pub mod prompt;
pub mod record;
mod reflection;
pub mod store;
