//! Texts as they were last read and found good: `snapshots/`. `BLESS=1` writes them anew.

use std::path::Path;

use crate::place::Place;
use crate::settled;

/// What differs from run to run.
const RULES: &[(&str, &str)] = &[
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?Z)?", "TIME"),
    (r"(?-u:\b)[0-9]{2}:[0-9]{2}(?-u:\b)", "HH:MM"),
    (r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{20,}", "UUID"),
    (r"ralph-session-[0-9a-f]{8}", "ralph-session-ID"),
    (r"(?-u:\b)[0-9a-f]{10} ", "COMMIT "),
    (r"/[^ \n]*/\.claude", "HOME/.claude"),
];

/// Asserts that a text is as it was, but for what differs from run to run.
pub(crate) fn assert_same(place: &Place, name: &str, text: &str) {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/seeing/snapshots").join(format!("{name}.txt"));
    let home = place.home().canonicalize().unwrap();
    settled::assert_same(&file, &settled::settled(text, &place.root(), &home, RULES));
}

#[test]
fn the_help_of_each_command_is_as_it_was() {
    let place = Place::new();
    for command in ["statusline", "today", "report", "watch", "audit", "allow"] {
        assert_same(&place, &format!("help-{command}"), &place.done(&[command, "--help"]));
    }
}
