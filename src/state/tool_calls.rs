//! `tool-calls.jsonl`: every judged call of a loop, one compact line each. `state.json` holds the newest alone.

use std::io::{self, Write};

use super::layout::Layout;
use super::own_file;
use super::records::ToolCallRecord;

/// Appends a call with a single write, so that parallel hooks never mix their lines.
pub fn append(layout: &Layout, loop_id: &str, record: &ToolCallRecord) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(record)?;
    bytes.push(b'\n');
    own_file::append(&layout.tool_calls(loop_id))?.write_all(&bytes)
}
