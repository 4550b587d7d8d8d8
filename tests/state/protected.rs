//! Files that `protected_paths` keeps from the agent, whatever it writes them with.

use serde_json::json;

use crate::place::Place;
use crate::whose_loss::{bash, denied, losses, write};

fn protecting() -> Place {
    let place = Place::new();
    place.write("aiwg.yml", "agent_persistence:\n  protected_paths: [schema/]\n");
    place.write("schema/one.sql", "create table one;\n");
    place.write("notes.sql", "select 1;\n");
    place.write("sync.py", "open('schema/one.sql', 'a').write('drop table one;')\n");
    place.write("more.py", "open('schema/' + 'two.sql', 'w').write('create table two;')\n");
    place.commit("A schema");
    place.start_loop("one");
    place.start("s1");
    place
}

#[test]
fn a_protected_file_is_kept_from_every_way_of_writing() {
    let place = protecting();
    assert!(denied(write(&place, "s1", "schema/two.sql", "x\n").as_ref()));
    for command in [
        "echo x > schema/two.sql",
        "cp notes.sql schema/",
        "mv notes.sql schema/notes.sql",
        "tee schema/two.sql < notes.sql",
        "touch schema/two.sql",
        "install -m 644 notes.sql schema/two.sql",
        "ln -s ../notes.sql schema/two.sql",
        "sed -i s/one/two/ schema/one.sql",
        "cd schema && cat ../notes.sql >> one.sql",
    ] {
        assert!(bash(&place, "s1", command).0, "{command}");
    }
    for command in ["cp schema/one.sql copy.sql", "cat schema/*.sql > all.sql", "git add schema"] {
        assert!(!bash(&place, "s1", command).0, "{command}");
    }
}

#[test]
fn what_a_script_writes_there_is_told_and_holds_until_it_is_back() {
    for (script, path) in [("sync.py", "schema/one.sql"), ("more.py", "schema/two.sql")] {
        let place = protecting();
        let (stopped, said) = bash(&place, "s1", &format!("python3 {script}"));
        let said = said.unwrap_or_default().to_string();
        assert!(stopped || said.contains("SF-004") && said.contains(path), "{script}: {said}");
        place.write("done", "");
        place.stop("s1");
        assert_eq!(losses(&place, "one").len(), 1, "{script}");
        assert_ne!(place.state("one")["status"], "completed", "{script}");
        for words in [&["status", "one"][..], &["gate", "list"], &["status", "one", "--regressions"]] {
            let told = place.done(words);
            assert!(told.contains(path), "{script}: {words:?}: {told}");
        }
        place.git(&["checkout", "--quiet", "--", "schema"]);
        place.git(&["clean", "--quiet", "--force", "schema"]);
        place.stop("s1");
        let state = place.state("one");
        assert_eq!(state["regression_events"][0]["recovery_outcome"], "success", "{script}");
        assert!(state["recovery_history"].to_string().contains("keeps for a person"), "{script}");
    }
}

#[test]
fn what_git_brings_there_is_nobodys_writing() {
    let place = protecting();
    place.git(&["checkout", "--quiet", "-b", "other"]);
    place.write("schema/one.sql", "create table one, two;\n");
    place.commit("Another schema");
    place.git(&["checkout", "--quiet", "-"]);
    assert_eq!(bash(&place, "s1", "git merge --quiet other"), (false, None));
    place.write("done", "");
    place.stop("s1");
    assert_eq!((&place.state("one")["status"], losses(&place, "one")), (&json!("completed"), Vec::new()));
}
