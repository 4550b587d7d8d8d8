//! A gate with its diff, and its end when the loss is back.

use crate::place::{Place, TEST_FILE, TESTS};
use crate::snapshot::assert_same;
use crate::terminal::{at_terminal, screen};

fn open_gates(place: &Place) -> usize {
    let id = place.only_loop();
    let gates = place.state(&id)["human_gates"].as_array().cloned().unwrap_or_default();
    gates.iter().filter(|gate| gate["decided_at"].is_null()).count()
}

/// A session without a loop that lost a test and brought it back in none of its tries.
fn session_with_gate() -> Place {
    let place = Place::new();
    place.lose_by_script("session-one").expect("the loss is seen");
    for _ in 0..5 {
        place.stop("session-one");
        if open_gates(&place) > 0 {
            return place;
        }
    }
    panic!("no gate: {:#}", place.state(&place.only_loop()));
}

#[test]
fn a_gate_shows_its_diff_outside_of_a_loop_too() {
    let place = session_with_gate();
    let shown = screen(&at_terminal(&place, "gate", "s\n"));
    for part in ["in Session session-", "-def test_zero():", "-    assert add(0, 0) == 0"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert_same(&place, "gate-diff", &place.done(&["gate", "diff"]));
    assert_eq!(open_gates(&place), 1);
    let decided = screen(&at_terminal(&place, "gate", "reject\n"));
    assert!(decided.contains("Rejected"), "{decided}");
    assert_eq!(std::fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
}

#[test]
fn an_undo_that_brings_the_loss_back_closes_the_gate() {
    for ended in [false, true] {
        let place = session_with_gate();
        if ended {
            place.fire("session-end", "session-one", serde_json::json!({"reason": "prompt_input_exit"}));
        }
        place.done(&["undo", "--tool-call", "toolu_script"]);
        assert_eq!(open_gates(&place), 0, "the session has ended: {ended}");
        let listed = place.done(&["gate", "list"]);
        assert!(listed.contains("Nothing waits for a decision"), "{listed}");
    }
}

#[test]
fn a_session_is_called_one_and_ends_with_itself() {
    let place = Place::new();
    assert!(place.guards("session-one"));
    assert_same(&place, "status-session", &place.done(&["status"]));
    place.fire("session-end", "session-one", serde_json::json!({"reason": "prompt_input_exit"}));
    assert!(place.done(&["status"]).contains("\nNo loop is running"), "{}", place.done(&["status"]));
    let all = place.done(&["status", "--all"]);
    assert!(all.contains("\nSession session- completed"), "{all}");
}
