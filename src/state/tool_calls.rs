//! `tool-calls.jsonl`: every judged call of a loop, one compact line each. `state.json` holds the newest alone.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::layout::Layout;
use super::loop_state::LoopState;
use super::own_file;
use super::records::ToolCallRecord;

/// Appends a call with a single write, so that parallel hooks never mix their lines.
pub fn append(layout: &Layout, loop_id: &str, record: &ToolCallRecord) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(record)?;
    bytes.push(b'\n');
    own_file::append(&layout.tool_calls(loop_id))?.write_all(&bytes)
}

/// Counts the calls on record that the state has not counted yet: those as well whose hook could not have the state's
/// lock. Reads what was added since.
pub fn count(layout: &Layout, state: &mut LoopState) -> io::Result<()> {
    let mut file = own_file::open(&layout.tool_calls(&state.loop_id))?;
    let length = file.metadata()?.len();
    // A state of an older version has counted all calls but the newest, which is the one that is recorded now.
    let begins = (state.tool_calls_total == 0).then_some(0);
    let counted = state.tool_calls_counted.or(begins).filter(|counted| *counted <= length);
    let new = match counted {
        Some(counted) => {
            file.seek(SeekFrom::Start(counted))?;
            let mut added = Vec::new();
            file.take(length - counted).read_to_end(&mut added)?;
            added.iter().filter(|byte| **byte == b'\n').count() as u64
        }
        None => 1,
    };
    state.tool_calls_total += new;
    state.tool_calls_counted = Some(length);
    Ok(())
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;

    #[test]
    fn calls_that_could_not_be_counted_are_counted_with_the_next() {
        let dir = tempfile::tempdir().unwrap();
        let layout = Layout::of_project(dir.path());
        std::fs::create_dir_all(layout.loop_dir("l")).unwrap();
        let call = ToolCallRecord { tool: "Edit".to_owned(), ..ToolCallRecord::default() };
        let mut state = LoopState::new("l", "t", Timestamp::UNIX_EPOCH);
        assert!(count(&layout, &mut state).is_err());
        for (added, total) in [(2, 2), (5, 7), (0, 7), (1, 8)] {
            (0..added).for_each(|_| append(&layout, "l", &call).unwrap());
            count(&layout, &mut state).unwrap();
            assert_eq!(state.tool_calls_total, total);
        }
        state.tool_calls_counted = None;
        append(&layout, "l", &call).unwrap();
        count(&layout, &mut state).unwrap();
        assert_eq!(state.tool_calls_total, 9, "as an older version left it");
    }
}
