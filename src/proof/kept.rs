//! The newest proof of a loop or session, kept beside its state for the report.

use std::io;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::proof::judgement::Judgement;
use crate::state::atomic::{self, Durability};
use crate::state::layout::Layout;
use crate::state::own_file;

/// The longest file that is read, in bytes.
const LONGEST: u64 = 8 << 20;

/// Keeps a proof in the place of the one before.
pub fn keep(layout: &Layout, loop_id: &str, judgement: &Judgement, now: Timestamp) -> io::Result<()> {
    let kept = json!({"proved_at": now, "proof": judgement});
    atomic::write(&layout.proof(loop_id), &serde_json::to_vec_pretty(&kept)?, Durability::Process)
}

/// The newest proof, with the time of it under `proved_at`; `None` where there was none.
pub fn kept(layout: &Layout, loop_id: &str) -> Option<Value> {
    let bytes = own_file::read_within(&layout.proof(loop_id), LONGEST).ok()?;
    let value: Value = serde_json::from_slice(&bytes).ok()?;
    value["proof"].is_object().then_some(value)
}
