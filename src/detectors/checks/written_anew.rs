//! Commands that record what the code gives as what the tests expect.

use crate::detectors::checks::idle_commands::words;

/// Whether a runner of tests is told to record what it gets as what it expects.
pub(super) fn rewrites_snapshots(text: &str) -> bool {
    let words = words(text);
    let has = |all: &[&str]| words.iter().any(|word| all.contains(&word.as_str()));
    const ALWAYS: &[(&[&str], &[&str])] = &[
        (
            &["jest", "vitest", "ava", "playwright"],
            &[
                "-u",
                "--update",
                "--updateSnapshot",
                "--update-snapshots",
                "--update-snapshots=all",
                "--update=all",
            ],
        ),
        (&["pytest"], &["--snapshot-update", "--inline-snapshot=fix", "--force-regen", "--regen-all"]),
        (&["flutter"], &["--update-goldens"]),
        (&["go"], &["-update", "-test.update", "-update-golden"]),
        (&["cargo"], &["INSTA_UPDATE=always", "INSTA_FORCE_PASS=1", "UPDATE_EXPECT=1"]),
    ];
    ALWAYS.iter().any(|(runners, flags)| has(runners) && has(flags))
}
