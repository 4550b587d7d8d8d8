//! The small things that people expect of a command: its version, how it is updated, completions, a manual, errors that a
//! program can read, and a purge.

use std::fs;

use serde_json::{Value, json};

use crate::place::{CRITERIA, Place};
use crate::{as_person, json_in, run_in};

#[test]
fn it_says_its_version_and_how_it_is_updated() {
    let place = Place::new();
    let root = place.root();
    let (code, said) = run_in(&place, &root, &["version"]);
    let version = env!("CARGO_PKG_VERSION");
    assert!(code == Some(0) && said.starts_with(&format!("steadfast {version}\n")), "{said}");
    assert_eq!(json_in(&place, &root, &["version"]).1["version"], version);
    let (code, said) = run_in(&place, &root, &["update"]);
    assert!(code == Some(0) && said.contains("install.sh"), "{said}");
    assert_eq!(json_in(&place, &root, &["update"]).1["way"], "script");
}

#[test]
fn completions_and_the_manual_name_every_command() {
    let place = Place::new();
    let root = place.root();
    let help = run_in(&place, &root, &["--help"]).1;
    let commands: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.is_empty())
        // A line that goes on is indented further.
        .filter_map(|line| {
            line.strip_prefix("  ").filter(|line| !line.starts_with(' '))?.split_whitespace().next()
        })
        .filter(|name| name.chars().all(|c| c.is_ascii_lowercase()))
        .collect();
    assert!(commands.contains(&"doctor") && commands.len() > 20, "{commands:?}");
    for shell in ["bash", "zsh", "fish"] {
        let (code, said) = run_in(&place, &root, &["completions", shell]);
        assert_eq!(code, Some(0), "{shell}");
        for command in commands.iter().filter(|name| **name != "help") {
            assert!(said.contains(command), "{shell}: {command}");
        }
    }
    let (code, said) = run_in(&place, &root, &["man"]);
    assert!(code == Some(0) && said.contains(".TH steadfast 1"), "{said}");
    let pages = place.home().join("man");
    assert_eq!(run_in(&place, &root, &["man", "--dir", pages.to_str().unwrap()]).0, Some(0));
    assert!(pages.join("steadfast.1").exists() && pages.join("steadfast-undo.1").exists());
}

#[test]
fn an_error_is_json_where_json_is_wanted() {
    let place = Place::new();
    let root = place.root();
    for (arguments, code) in [
        (&["status", "no-such-loop"][..], 1),
        (&["patterns", "show", "XX"], 1),
        (&["patterns", "show"], 2),
        (&["undo", "--tool-call", "toolu_none"], 2),
        (&["checkpoint", "show", "none"], 2),
        (&["check", "typo.js"], 2),
        (&["status", "--no-such-option"], 2),
        (&["explain"], 1),
        (&["loop", "resume", "no-such-loop"], 1),
        (&["hooks", "show", "no_such_hook"], 2),
        (&["prove", "--range", "A..B"], 2),
    ] {
        let (exit, said) = json_in(&place, &root, arguments);
        assert_eq!(exit, Some(code), "{arguments:?}: {said}");
        assert_eq!(said["error"]["code"], code, "{arguments:?}: {said}");
        assert!(said["error"]["message"].as_str().is_some_and(|message| message.len() > 5), "{said}");
        let output = as_person(&place, &root).args(arguments).output().unwrap();
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{arguments:?}: a person reads it on stderr"
        );
    }
    assert!(
        !place.path(".aiwg/ralph/loops/no-such-loop").exists(),
        "nothing is written for what is not there"
    );
}

#[test]
fn what_was_refused_is_listed_for_programs_too() {
    let place = Place::new();
    let root = place.root();
    let (code, said) = run_in(&place, &root, &["allow"]);
    assert!(code == Some(0) && said.contains("No call that you could allow"), "{said}");
    let call =
        json!({"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "git push --force"}});
    place.fire("pre-tool-use", "s1", call);
    let refused = json_in(&place, &root, &["allow"]).1["refused"].take();
    assert_eq!((&refused[0]["call"], &refused[0]["allowed_at"]), (&json!("git push --force"), &Value::Null));
    let said = run_in(&place, &root, &["allow"]).1;
    assert!(said.contains("refused  git push --force") && said.contains("`steadfast allow CODE`"), "{said}");
    let log = run_in(&place, &root, &["log"]).1;
    assert!(log.contains("deny, SF-013 ") && !log.contains('{'), "{log}");
}

#[test]
fn a_purge_takes_all_that_is_kept_of_a_project_and_spares_an_open_loop() {
    let place = Place::new();
    let root = place.root();
    place.done(&["install"]);
    place.delete_test("s1");
    place.write(".aiwg/notes.md", "mine\n");
    place.done(&["loop", "start", "Work", "--until", CRITERIA]);
    let (code, said) = run_in(&place, &root, &["uninstall", "--purge"]);
    assert!(code == Some(1) && said.contains("nothing was removed"), "{said}");
    assert!(place.path(".aiwg/ralph").exists());
    place.done(&["loop", "abort"]);
    let (code, said) = run_in(&place, &root, &["uninstall", "--purge"]);
    assert!(code == Some(0) && said.contains("Earlier calls can't be undone any more"), "{said}");
    assert!(
        !place.path(".aiwg/ralph").exists() && place.path(".aiwg/notes.md").exists(),
        "what is not ours stays"
    );
    let exclude = fs::read_to_string(place.path(".git/info/exclude")).unwrap_or_default();
    assert!(!exclude.contains(".aiwg/ralph"), "{exclude}");
    let outside = place.home().join(".local/state/steadfast/projects");
    assert_eq!(fs::read_dir(outside).map(Iterator::count).unwrap_or_default(), 0);
    let (code, status) = json_in(&place, &root, &["status"]);
    assert_eq!((code, &status["loops"]), (Some(0), &json!([])), "{status}");
    assert!(status["guard"].is_object() && status["project"] != Value::Null);
}

#[test]
fn an_abort_shows_the_changes_of_its_own_loop_alone() {
    let place = Place::new();
    let write = |session: &str, path: &str| {
        let input = json!({"file_path": place.path(path), "content": "x = 1\n"});
        let call = json!({"tool_name": "Write", "tool_input": input, "tool_use_id": format!("t-{path}"),
            "tool_response": {}});
        place.fire("pre-tool-use", session, call.clone());
        place.write(path, "x = 1\n");
        place.fire("post-tool-use", session, call);
    };
    write("other", "before.py");
    place.start_loop("one");
    place.start("s1");
    write("other", "theirs.py");
    write("s1", "ours.py");
    let said = place.done(&["loop", "abort", "one"]);
    assert!(said.contains("Changes: 1 file, kept"), "{said}");
}

#[test]
fn a_table_fits_a_narrow_terminal_without_broken_words() {
    let place = Place::new();
    let wide = run_in(&place, &place.root(), &["config", "show"]).1;
    assert!(wide.lines().all(|line| line.ends_with("default")), "a pipe gets whole rows");
    let (code, said) = run_in(&place, &place.root(), &["check", "--help"]);
    assert!(code == Some(0) && said.lines().all(|line| line.chars().count() <= 100), "{said}");
}
