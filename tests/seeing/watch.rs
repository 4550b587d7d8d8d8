//! The view that follows.

use std::io::{Read, Write};
use std::process::{Command, Stdio};

use crate::place::Place;
use crate::snapshot::assert_same;
use crate::terminal::{run, screen};

const STEADFAST: &str = env!("CARGO_BIN_EXE_steadfast");

fn busy() -> Place {
    let place = Place::new();
    place.start_loop("one");
    place.start("session-two");
    place.stop("session-two");
    assert!(place.guards("session-one"));
    place.lose_by_script("session-two").expect("the loss is seen");
    place
}

#[test]
fn it_shows_sessions_loops_and_the_newest_events() {
    let place = busy();
    assert_same(&place, "watch", &place.done(&["watch", "--once"]));
    let empty = Place::new();
    assert_same(&empty, "watch-nothing", &empty.done(&["watch", "--once"]));
    assert!(!empty.path(".aiwg").exists(), "a look writes nothing");
}

/// What was on a terminal on which a key is pressed once the view is there.
fn after_key(place: &Place, key: &str) -> String {
    let command = format!("sh -c 'stty -g; {STEADFAST} watch; echo ended with $?; stty -g'");
    let mut script = Command::new("script");
    script
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .env_clear()
        .current_dir(place.root());
    script.env("PATH", std::env::var_os("PATH").unwrap()).env("HOME", place.home());
    script.envs([("TERM", "xterm-256color"), ("NO_COLOR", "1")]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = script.spawn().expect("script makes a terminal");
    let (mut keyboard, mut shown) = (child.stdin.take().unwrap(), Vec::new());
    let mut screen = child.stdout.take().unwrap();
    let mut part = [0; 4096];
    let mut is_pressed = false;
    loop {
        let length = screen.read(&mut part).unwrap_or_default();
        if length == 0 {
            break;
        }
        shown.extend_from_slice(&part[..length]);
        if !is_pressed && String::from_utf8_lossy(&shown).contains("q ends") {
            keyboard.write_all(key.as_bytes()).unwrap();
            is_pressed = true;
        }
    }
    child.wait().unwrap();
    String::from_utf8(shown).unwrap().replace('\r', "")
}

#[test]
fn a_key_ends_it_and_the_terminal_is_as_it_was() {
    let place = busy();
    for key in ["q", "\u{3}"] {
        let shown = after_key(&place, key);
        let modes: Vec<&str> = shown.lines().filter(|line| line.matches(':').count() > 10).collect();
        assert!(shown.contains("ended with 0"), "{shown}");
        assert!(matches!(modes.as_slice(), [before, after] if before == after), "{modes:?} in {shown}");
        let (enter, leave) = (shown.find("\u{1b}[?1049h").unwrap(), shown.find("\u{1b}[?1049l").unwrap());
        assert!(enter < leave && shown.contains("Loop one  running"), "{shown}");
        assert!(!shown.contains("\u{1b}[31m"), "no colours: {shown}");
    }
}

#[test]
fn a_terminal_that_moves_nothing_gets_lines() {
    let place = busy();
    let command = format!("timeout --foreground --signal=INT 2 {STEADFAST} watch");
    let shown = screen(&run(&place, &command, "", &[("TERM", "dumb")]));
    assert!(shown.contains("Loop one  running") && !shown.contains('\u{1b}'), "{shown}");
}
