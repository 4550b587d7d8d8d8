//! The human gate through the real binaries: what opens it, what it holds back, who can decide, and what follows.

#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

mod decisions;
mod disarming;
mod documents;
mod endings;
mod options;
mod protocol;
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
