//! Lines of a log that are past their time go when a session begins, and no younger ones.

use std::thread::sleep;
use std::time::{Duration, Instant};

use jiff::{SignedDuration, Timestamp};
use steadfast::state::audit::{self, Line};
use steadfast::state::layout::Layout;

use crate::place::Place;

/// How long a process in the background may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn a_session_that_begins_lets_old_lines_of_all_logs_go_and_no_younger_ones() {
    let place = Place::new();
    place.start_loop("new");
    let layout = Layout::of_project(&place.root());
    for days in [200, 91, 90, 89, 1] {
        let time = Timestamp::now() - SignedDuration::from_hours(24 * days) + SignedDuration::from_mins(5);
        let line = Line::new(&format!("days-{days}"), "old", 1, time);
        audit::append(&layout.log("old"), line).unwrap();
    }
    let names = || -> Vec<String> {
        let lines = place.log("old").into_iter();
        lines.map(|line| line["hook_name"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(names().len(), 5);
    let before = place.log("new").len();
    place.start("s1");
    let begun = Instant::now();
    while names().len() > 3 && begun.elapsed() < PATIENCE {
        sleep(Duration::from_millis(20));
    }
    assert_eq!(names(), ["days-90", "days-89", "days-1"]);
    assert!(place.log("new").len() >= before, "the young log is whole");
    assert!(place.done(&["log", "verify", "old"]).contains("old: untouched"));
}
