//! The day, by session.

use serde_json::json;

use crate::fits_schema;
use crate::place::Place;
use crate::snapshot::assert_same;

fn day() -> Place {
    let place = Place::new();
    assert!(place.guards("session-one"));
    place.lose_by_script("session-one").expect("the loss is seen");
    place.done(&["undo", "--tool-call", "toolu_script"]);
    place.start_loop("one");
    place.start("session-two");
    place.stop("session-two");
    place
}

#[test]
fn it_tells_what_was_stopped_lost_and_undone() {
    let place = day();
    assert_same(&place, "today", &place.done(&["today"]));
    let printed = place.done(&["today", "--json"]);
    let day = fits_schema(&place, "today", &printed);
    let counts = json!({"stopped": 1, "asked": 0, "advised": 0, "lost": 1, "undone": 1, "decided": 0});
    assert_eq!(day["totals"], counts, "{day:#}");
    let kinds: Vec<&str> =
        day["sessions"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["loop", "session"], "the newest first");
}

#[test]
fn a_day_without_anything_says_so_and_writes_nothing() {
    let place = Place::new();
    assert_same(&place, "today-nothing", &place.done(&["today"]));
    fits_schema(&place, "today", &place.done(&["today", "--json"]));
    assert!(!place.path(".aiwg").exists());
    let wrong = place.steadfast(&["today", "--since", "yesterday"]);
    assert_eq!(wrong.status.code(), Some(1));
    assert_same(&place, "today-error", &String::from_utf8(wrong.stderr).unwrap());
}

#[test]
fn since_takes_an_age() {
    let place = day();
    assert!(place.done(&["today", "--since", "0s"]).contains("nothing to report"));
    assert!(place.done(&["today", "--since", "1h"]).starts_with("Since "));
}
