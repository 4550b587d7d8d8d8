//! A person lets a refused command run once, and nobody else can.

use std::fs;

use serde_json::{Value, json};

use crate::place::Place;
use crate::terminal::{at_terminal, run, screen};
use crate::{answer, level_of};

const COMMAND: &str = "rm -rf tests";

/// The code that the person is shown with a refusal; the model must not see it.
fn code(said: &Value) -> String {
    let shown = said["systemMessage"].as_str().expect("the person is told");
    let code = shown.split("/steadfast:allow ").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(!said["hookSpecificOutput"].to_string().contains(&code), "the model sees the code: {said}");
    code
}

fn typed(place: &Place, session: &str, prompt: &str) -> String {
    let said = place.fire("user-prompt-submit", session, json!({"prompt": prompt})).unwrap_or_default();
    assert_eq!(said["decision"], "block", "the prompt must not reach the model: {said}");
    said["reason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_code_typed_by_a_person_allows_exactly_one_command_once() {
    let place = Place::new();
    let code = code(&answer(&place, "Bash", "s", COMMAND).unwrap());
    let stored = fs::read_to_string(place.path(".aiwg/ralph/allowances.json")).unwrap();
    assert!(!stored.contains(&code), "the code itself is on the disk");

    assert!(typed(&place, "s", "/steadfast:allow WRONGONE").contains("not one that was shown"));
    assert_eq!(level_of(answer(&place, "Bash", "s", COMMAND)), "deny");
    // Refused again, there is a new code, and the old one is void.
    assert!(typed(&place, "s", &format!("/steadfast:allow {code}")).contains("not one that was shown"));
    let code = self::code(&answer(&place, "Bash", "s", COMMAND).unwrap());
    assert!(typed(&place, "s", &format!("/steadfast:allow {code}")).contains(COMMAND));

    assert_eq!(
        level_of(answer(&place, "Bash", "s", "rm -rf  tests")),
        "deny",
        "another text is another command"
    );
    assert_eq!(answer(&place, "Bash", "s", COMMAND), None, "the allowed command runs");
    assert_eq!(level_of(answer(&place, "Bash", "s", COMMAND)), "deny", "once is once");
    let log = place.log(&place.only_loop());
    assert!(log.iter().any(|line| line.to_string().contains("allowed once by a person")), "{log:#?}");
    let undo = place.done(&["undo", "--list"]);
    assert!(undo.contains(COMMAND), "what it deletes is kept all the same: {undo}");
}

#[test]
fn a_terminal_of_a_persons_own_allows_it_and_an_agents_shell_does_not() {
    let place = Place::new();
    let code = code(&answer(&place, "Bash", "s", COMMAND).unwrap());
    let refused = place.steadfast(&["allow", &code]);
    assert!(!refused.status.success(), "no terminal, no permission");
    let inside =
        run(&place, &format!("{} allow {code}", env!("CARGO_BIN_EXE_steadfast")), "", &[("CLAUDECODE", "1")]);
    assert!(!inside.status.success(), "{}", screen(&inside));
    for command in [format!("steadfast allow {code}"), format!("bash -c 'steadfast allow {code}'")] {
        let said = answer(&place, "Bash", "s", &command).unwrap();
        assert_eq!(
            said["systemMessage"].as_str().map(|text| text.contains("/steadfast:allow")),
            None,
            "{said}"
        );
        assert_eq!(level_of(Some(said)), "deny", "{command}");
    }
    let headless = [("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")];
    let said = place
        .fire_with(
            &headless,
            "user-prompt-submit",
            "s",
            json!({"prompt": format!("/steadfast:allow {code}")}),
        )
        .unwrap();
    assert!(said.to_string().contains("program drives"), "{said}");

    let listed = place.done(&["allow"]);
    assert!(listed.contains("refused") && listed.contains(COMMAND), "{listed}");
    let allowed = at_terminal(&place, &format!("allow {code}"), "");
    assert!(allowed.status.success(), "{}", screen(&allowed));
    assert!(screen(&allowed).contains("Allowed once"), "{}", screen(&allowed));
    assert_eq!(answer(&place, "Bash", "s", COMMAND), None);
}
