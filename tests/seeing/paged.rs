//! Long output at a terminal: through the pager, its lines broken between words; into a pipe as it is.

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::runs;
use crate::terminal::{run, screen};

/// A project with something to tell: a refused command, and a commit that deletes a test.
fn told() -> Place {
    let place = Place::new();
    place.done(&["install"]);
    runs(&place, "s1", "git push --force origin main");
    place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
    place.commit("Tidy up");
    place
}

/// What `steadfast` shows at a terminal of this size.
fn shown(place: &Place, arguments: &str, size: (u16, u16), variables: &[(&str, &str)]) -> String {
    let (rows, columns) = size;
    let steadfast = env!("CARGO_BIN_EXE_steadfast");
    let command = format!("stty rows {rows} cols {columns}; {steadfast} {arguments}");
    let colourless = [("TERM", "xterm"), ("NO_COLOR", "1")];
    screen(&run(place, &command, "", &[&colourless[..], variables].concat()))
}

/// A terminal on which everything has room.
const ENDLESS: u16 = 60_000;
const COMMANDS: &[&str] = &[
    "audit --range HEAD~1..HEAD",
    "check --range HEAD~1..HEAD",
    "explain --last",
    "explain 'rm -rf ~ && git push --force origin main'",
    "log",
    "status --all",
    "today",
    "patterns",
    "patterns show SF-013",
    "config show",
    "hooks show",
    "schema state",
];

#[test]
fn what_is_longer_than_the_terminal_goes_through_the_pager() {
    let place = told();
    let pager = [("PAGER", "sed s/^/paged:/")];
    for arguments in COMMANDS {
        let long = shown(&place, arguments, (2, 80), &pager);
        assert!(long.lines().all(|line| line.starts_with("paged:")), "{arguments}: {long}");
        let bodies: Vec<&str> = long.lines().filter_map(|line| line.strip_prefix("paged:")).collect();
        let short = shown(&place, arguments, (ENDLESS, 80), &pager);
        assert_eq!(short.lines().collect::<Vec<_>>(), bodies, "{arguments}: nothing is lost on the way");
        for none in [("PAGER", "cat"), ("PAGER", ""), ("STEADFAST_PAGER", "cat"), ("TERM", "dumb")] {
            let plain = shown(&place, arguments, (2, 80), &[pager[0], none]);
            assert!(!plain.contains("paged:"), "{arguments}, {none:?}: {plain}");
        }
    }
}

#[test]
fn a_narrow_terminal_breaks_no_word() {
    let place = told();
    let letters = |text: &str| text.split_whitespace().collect::<String>();
    // Definitions, schemas and the code of cases are shown as they are.
    let as_it_is = ["hooks show", "schema state", "patterns show SF-013"];
    for arguments in COMMANDS.iter().filter(|arguments| !as_it_is.contains(arguments)) {
        let narrow = shown(&place, arguments, (ENDLESS, 40), &[]);
        for line in narrow.lines() {
            let is_one_word = !line.trim().contains(' ');
            assert!(line.chars().count() <= 40 || is_one_word, "{arguments}: {line:?} in\n{narrow}");
        }
        let wide = shown(&place, arguments, (ENDLESS, 400), &[]);
        assert_eq!(letters(&narrow), letters(&wide), "{arguments}: nothing is lost");
    }
}
