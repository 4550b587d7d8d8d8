//! The human gate through the real binaries: what opens it, what it holds back, who can decide, and what follows.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;

mod before_the_call;
mod decisions;
mod disarming;
mod documents;
mod endings;
mod left_open;
mod options;
mod protocol;
mod proving;
mod refusals;
mod sequences;
mod settled;
mod stuck;
mod taking_back;
mod terminal;
mod tools;

#[path = "../state/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the state")]
mod place;

/// A session in its loop, with the gate open or not.
fn looping(open: bool) -> place::Place {
    let place = place::Place::new();
    place.start_loop("one");
    place.start("s1");
    if open {
        place.lose_by_script("s1").expect("the loss is seen");
    }
    place
}

/// A file that the session's agent writes by a call, with both events.
fn write_by_call(place: &place::Place, session: &str, path: &str, text: &str) {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    let id = format!("toolu_write{}", CALLS.fetch_add(1, Ordering::Relaxed));
    let input = json!({"file_path": place.path(path), "content": text});
    let fields = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": id, "tool_response": {}});
    place.fire("pre-tool-use", session, fields.clone());
    place.write(path, text);
    place.fire("post-tool-use", session, fields);
}
