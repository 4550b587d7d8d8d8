use crate::loops::reflexion::store::*;
use crate::loops::reflexion::{choice, prompt};

fn trial(loop_id: &str, number: u32, signature: &str, said: &str, files: &[&str]) -> Reflection {
    let mut one = Reflection {
        trial_number: number,
        loop_id: loop_id.to_owned(),
        timestamp: Timestamp::from_second(1_800_000_000 + i64::from(number)).unwrap(),
        task: "Fix: the \"auth\" tests\n# all".to_owned(),
        task_type: Some("test fixes".to_owned()),
        signature: signature.to_owned(),
        reflection: format!("Failed: {signature}"),
        ..Reflection::default()
    };
    if signature.is_empty() {
        one.outcome = TrialOutcome::Success;
    }
    one.actor_output.strategy = said.to_owned();
    one.actor_output.files_modified = files.iter().map(|file| (*file).to_owned()).collect();
    one.self_reflection.lessons_learned = vec![format!("message of {signature}")];
    one
}

#[test]
fn two_sightings_make_a_pattern_and_another_loop_hears_of_it() {
    let directory = tempfile::tempdir().unwrap();
    let reflections = Reflections::of(&Layout::of_project(directory.path()));
    let first = trial("a", 1, "s", "mock the clock", &["clock.js"]);
    reflections.add(&first, None).unwrap();
    assert!(reflections.index().patterns.is_empty(), "one sighting is none");
    reflections.add(&first, None).unwrap();
    assert!(reflections.index().patterns.is_empty(), "and the same trial counts once");
    let second = trial("a", 2, "s", "mock it again", &["clock.js"]);
    reflections.add(&second, Some(&first)).unwrap();
    reflections.add(&trial("a", 3, "", "pass a time zone", &["zone.js"]), Some(&second)).unwrap();
    reflections.close("a", TrialOutcome::Success, Timestamp::now()).unwrap();

    let index = reflections.index();
    assert_eq!((index.total_loops, index.total_reflections, index.patterns.len()), (1, 3, 1));
    assert_eq!(index.loops["a"].task, "Fix: the \"auth\" tests\n# all");
    let file = directory.path().join(".aiwg/ralph/reflections/patterns").join(format!("{}.yaml", id_of("s")));
    let pattern: FailurePattern = read(&file).unwrap();
    assert_eq!((pattern.frequency, pattern.success_rate), (2, 1.0));
    assert_eq!(pattern.resolved_by, ["a change of zone.js: pass a time zone"]);

    let all: Vec<FailurePattern> = index.seen.into_values().collect();
    let heard = choice::of_others(&all, "b", "Fix the login tests", Some("s"));
    let own = trial("b", 1, "s", "sleep longer", &["a.js"]);
    let text = prompt::fill(prompt::TEMPLATE, &[&own], 1, &heard, prompt::LONGEST).unwrap();
    for part in ["\"sleep longer\": failed", "Known from earlier loops (2x): message of s", "zone.js"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains('{'), "{text}");
}

#[test]
fn what_is_cleared_is_gone_and_a_damaged_file_costs_itself() {
    let directory = tempfile::tempdir().unwrap();
    let reflections = Reflections::of(&Layout::of_project(directory.path()));
    for (id, number) in [("a", 1), ("a", 2), ("b", 1)] {
        reflections.add(&trial(id, number, "s", "", &[]), None).unwrap();
    }
    let folder = directory.path().join(".aiwg/ralph/reflections");
    fs::write(folder.join("loops/a/iteration-9.yaml"), "{ [").unwrap();
    assert_eq!(reflections.of_loop("a").len(), 2);
    assert_eq!(reflections.clear(Some("a"), Timestamp::now()).unwrap(), 2);
    assert!(!folder.join("loops/a").exists());
    assert_eq!(reflections.index().seen.len(), 1, "the other loop saw it too");
    assert_eq!(reflections.clear(None, Timestamp::now()).unwrap(), 1);
    let index = reflections.index();
    assert!(index.loops.is_empty() && index.seen.is_empty() && index.patterns.is_empty());
    assert_eq!(fs::read_dir(folder.join("patterns")).unwrap().count(), 0);
    fs::write(folder.join("index.yaml"), "\u{0}").unwrap();
    reflections.add(&trial("c", 1, "s", "", &[]), None).unwrap();
    assert_eq!(reflections.index().total_loops, 1);
}
