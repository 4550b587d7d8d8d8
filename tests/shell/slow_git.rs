//! The verdict is the repository's, not the machine's: a git that takes seconds for each answer decides like a fast one.

use std::env;

use serde_json::json;

use crate::executable;
use crate::kinds::place_with_work;
use crate::level_of;
use crate::place::Place;

/// Longer than a busy machine makes any question wait.
const SLOW: &str = "#!/bin/sh\nsleep 1\nPATH=${PATH#*:}\nexec git \"$@\"\n";

#[test]
fn a_slow_git_gives_the_same_verdict_as_a_fast_one() {
    let place = place_with_work(Place::new());
    let folder = tempfile::tempdir().unwrap();
    executable::write(&folder.path().join("git"), SLOW);
    let path = format!("{}:{}", folder.path().display(), env::var("PATH").unwrap());
    let level = |command: &str, session: &str, variables: &[(&str, &str)]| {
        let input =
            json!({"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "toolu_1"});
        let answer = place.fire_with(variables, "pre-tool-use", session, input);
        (level_of(answer.clone()), answer)
    };
    std::thread::scope(|scope| {
        for (number, (command, expected)) in [
            ("git reset --hard", "deny"),
            ("git checkout -- calc.py", "deny"),
            ("git checkout -- docs/a.md", "silent"),
            ("git clean -fd", "deny"),
            ("git stash drop", "deny"),
            ("git branch -D work", "deny"),
            ("git branch -D merged", "silent"),
            ("git push --force-with-lease", "silent"),
            ("rm -rf dist", "silent"),
            ("rm -rf src docs", "deny"),
        ]
        .into_iter()
        .enumerate()
        {
            let (level, path) = (&level, &path);
            scope.spawn(move || {
                for (speed, variables) in [("fast", &[][..]), ("slow", &[("PATH", path.as_str())])] {
                    let (level, answer) = level(command, &format!("{speed}{number}"), variables);
                    assert_eq!(level, expected, "{command}, {speed}: {answer:?}");
                }
            });
        }
    });
}
