//! `steadfast doctor` and the first line of `steadfast status`: guarded or not, with why, and how it is mended.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::place::Place;
use crate::{json_in, run_in};

/// The findings of one check that came out so.
fn found<'a>(diagnosis: &'a Value, check: &str, outcome: &str) -> Vec<&'a str> {
    let findings = diagnosis["findings"].as_array().into_iter().flatten();
    let wanted = findings.filter(|finding| finding["check"] == check && finding["outcome"] == outcome);
    wanted.filter_map(|finding| finding["says"].as_str()).collect()
}

fn doctor(place: &Place, folder: &Path) -> (Option<i32>, Value) {
    let (code, diagnosis) = json_in(place, folder, &["doctor"]);
    let schema: Value = serde_json::from_str(&place.done(&["schema", "doctor"])).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&diagnosis)
        .map(|it| it.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{diagnosis:#}");
    (code, diagnosis)
}

fn change_settings(path: &Path, change: impl FnOnce(&mut Value)) {
    let mut settings: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut settings);
    fs::write(path, settings.to_string()).unwrap();
}

#[test]
fn an_installation_makes_a_folder_guarded_and_everything_else_says_why_not() {
    let place = Place::new();
    let root = place.root();
    let (code, before) = doctor(&place, &root);
    assert_eq!((code, &before["guarded"]), (Some(1), &json!(false)), "{before:#}");
    assert!(before["why"].as_str().unwrap().contains("`steadfast install`"), "{before:#}");
    assert!(run_in(&place, &root, &["status"]).1.contains("Not guarded: no settings"));

    place.done(&["install"]);
    let (code, after) = doctor(&place, &root);
    assert_eq!((code, &after["guarded"]), (Some(0), &json!(true)), "{after:#}");
    assert!(found(&after, "trial", "ok")[0].contains("was refused by"), "{after:#}");
    assert!(found(&after, "speed", "ok").len() + found(&after, "speed", "warning").len() == 1, "{after:#}");
    let (code, said) = run_in(&place, &root, &["status"]);
    assert!(code == Some(0) && said.starts_with("Guarded by "), "{said}");
    assert_eq!(json_in(&place, &root, &["status"]).1["guard"]["guarded"], json!(true));
    assert!(!place.path(".aiwg").exists(), "looking leaves nothing");

    let settings = place.path(".claude/settings.local.json");
    let sound = fs::read(&settings).unwrap();
    for (what, why, change) in [
        ("all hooks are off", "disableAllHooks", json!({"disableAllHooks": true})),
        ("the program is gone", "which is not there", Value::Null),
    ] {
        change_settings(&settings, |value| match change.as_object() {
            Some(keys) => value.as_object_mut().unwrap().extend(keys.clone()),
            None => {
                let text = value.to_string().replace(crate::place::HOOK, "/nowhere/steadfast-hook");
                *value = serde_json::from_str(&text).unwrap();
            }
        });
        let (code, diagnosis) = doctor(&place, &root);
        assert_eq!((code, &diagnosis["guarded"]), (Some(1), &json!(false)), "{what}: {diagnosis:#}");
        assert!(diagnosis["why"].as_str().unwrap().contains(why), "{what}: {diagnosis:#}");
        assert!(run_in(&place, &root, &["status"]).1.contains("Not guarded: "), "{what}");
        fs::write(&settings, &sound).unwrap();
    }
    for (configuration, why) in
        [("enabled: false", "switches Steadfast off"), ("detection: {mode: off}", "switches detection off")]
    {
        place.write("aiwg.yml", format!("agent_persistence:\n  {configuration}\n"));
        let (code, diagnosis) = doctor(&place, &root);
        assert_eq!((code, &diagnosis["guarded"]), (Some(1), &json!(false)), "{configuration}");
        assert!(diagnosis["why"].as_str().unwrap().contains(why), "{configuration}: {diagnosis:#}");
    }
}

#[test]
fn a_folder_below_says_that_the_hooks_above_do_not_apply() {
    let place = Place::new();
    place.done(&["install", "--client", "2.1.197"]);
    let below = place.path("tests");
    let (code, diagnosis) = doctor(&place, &below);
    assert_eq!((code, &diagnosis["guarded"]), (Some(1), &json!(false)), "{diagnosis:#}");
    assert!(
        diagnosis["why"].as_str().unwrap().contains("does not read with a client before 2.1.332"),
        "{diagnosis:#}"
    );
    let (code, said) = run_in(&place, &below, &["install"]);
    assert!(code == Some(0) && said.contains("Guarded: your sessions that are started in"), "{said}");
    assert_eq!(doctor(&place, &below).1["guarded"], json!(true));

    place.git(&["worktree", "add", "--quiet", "../linked"]);
    let linked = place.root().parent().unwrap().join("linked");
    let (_, diagnosis) = doctor(&place, &linked);
    assert_eq!(diagnosis["guarded"], json!(false), "{diagnosis:#}");
    assert!(diagnosis["why"].as_str().unwrap().contains("the hooks stand in"), "{diagnosis:#}");
    place.done(&["install", "--scope", "user"]);
    assert_eq!(
        doctor(&place, &linked).1["guarded"],
        json!(true),
        "a user's own settings are read everywhere"
    );
}

#[test]
fn what_is_safe_to_mend_is_mended() {
    let place = Place::new();
    let root = place.root();
    place.done(&["install"]);
    let settings = place.path(".claude/settings.local.json");
    change_settings(&settings, |value| {
        value["hooks"].as_object_mut().unwrap().remove("Stop");
        value["model"] = json!("opus");
    });
    let (code, diagnosis) = doctor(&place, &root);
    assert_eq!(code, Some(1), "{diagnosis:#}");
    assert!(found(&diagnosis, "registration", "fault")[0].contains("not for Stop"), "{diagnosis:#}");
    let (code, said) = run_in(&place, &root, &["doctor", "--fix"]);
    assert!(code == Some(0) && said.contains("Mended: registered every event"), "{said}");
    let mended: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
    assert_eq!(mended["model"], "opus", "a foreign key stays");
    assert!(mended["hooks"]["Stop"].is_array());

    fs::write(&settings, "{ broken").unwrap();
    let (code, said) = run_in(&place, &root, &["doctor", "--fix"]);
    assert!(code == Some(1) && said.contains("not JSON that the client can use"), "{said}");
    assert_eq!(fs::read_to_string(&settings).unwrap(), "{ broken", "what is not understood stays");
}

#[test]
fn events_state_and_log_are_looked_at() {
    let place = Place::new();
    let root = place.root();
    place.done(&["install"]);
    place.delete_test("s1");
    let (code, diagnosis) = doctor(&place, &root);
    assert_eq!(code, Some(0), "{diagnosis:#}");
    assert!(found(&diagnosis, "events", "ok")[0].contains("the newest event came at 20"), "{diagnosis:#}");
    assert!(found(&diagnosis, "state", "ok")[0].starts_with("1 loop"), "{diagnosis:#}");

    let log = place.directory(&place.only_loop()).join("hook-log.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    fs::write(&log, text.replace("\"deny\"", "\"pass\"")).unwrap();
    let (code, diagnosis) = doctor(&place, &root);
    assert_eq!(code, Some(1));
    assert!(
        found(&diagnosis, "state", "fault")[0].contains("was changed by something else"),
        "{diagnosis:#}"
    );
}

#[test]
fn a_session_that_edited_files_without_an_event_is_found_in_its_transcript() {
    let place = Place::new();
    let root = place.root();
    place.done(&["install"]);
    let name: String =
        root.to_str().unwrap().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let folder = place.home().join(".claude/projects").join(name);
    fs::create_dir_all(&folder).unwrap();
    let row =
        |at: &str| json!({"timestamp": at, "message": {"content": [{"type": "tool_use", "name": "Edit"}]}});
    fs::write(folder.join("old.jsonl"), row("2020-01-01T00:00:00Z").to_string()).unwrap();
    assert_eq!(
        found(&doctor(&place, &root).1, "events", "fault"),
        Vec::<&str>::new(),
        "before the installation"
    );
    fs::write(folder.join("new.jsonl"), row("2199-01-01T00:00:00Z").to_string()).unwrap();
    // The file's own time must be after the settings'.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    fs::File::options().append(true).open(folder.join("new.jsonl")).unwrap().set_modified(later).unwrap();
    let (code, diagnosis) = doctor(&place, &root);
    assert_eq!(code, Some(1), "{diagnosis:#}");
    assert!(found(&diagnosis, "events", "fault")[0].contains("no event of it came"), "{diagnosis:#}");
}

#[test]
fn trust_and_the_executables_are_looked_at() {
    let place = Place::new();
    let root = place.root();
    place.done(&["install"]);
    let list = place.home().join(".claude.json");
    fs::write(&list, json!({"projects": {}}).to_string()).unwrap();
    assert_eq!(found(&doctor(&place, &root).1, "trust", "note").len(), 1);
    let trusted = json!({"projects": {root.to_str().unwrap(): {"hasTrustDialogAccepted": true}}});
    fs::write(&list, trusted.to_string()).unwrap();
    assert_eq!(found(&doctor(&place, &root).1, "trust", "ok").len(), 1);

    let built = place.home().join("built");
    fs::create_dir(&built).unwrap();
    let own = built.join("steadfast");
    fs::copy(env!("CARGO_BIN_EXE_steadfast"), &own).unwrap();
    let run = |arguments: &[&str]| {
        let output = crate::as_person(&place, &root).args(arguments).output().unwrap();
        crate::said(&output)
    };
    assert!(run(&["doctor"]).contains("executables"), "the one that was built is whole");
    let copied = |arguments: &[&str]| {
        let mut command = place.command(own.to_str().unwrap());
        let output = command.env_remove("CLAUDE_PROJECT_DIR").args(arguments).output().unwrap();
        (output.status.code(), crate::said(&output))
    };
    let (code, said) = copied(&["doctor"]);
    assert!(code == Some(1) && said.contains("steadfast-hook is not beside"), "{said}");
    let hook = built.join("steadfast-hook");
    fs::copy(crate::place::HOOK, &hook).unwrap();
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o644)).unwrap();
    let (_, said) = copied(&["doctor", "--fix"]);
    assert!(said.contains("Mended: made ") && said.contains("executable"), "{said}");
    assert_eq!(hook.metadata().unwrap().permissions().mode() & 0o777, 0o755);
}
