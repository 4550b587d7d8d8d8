//! Every public report of a false alarm or a miss as a row of data: the smallest input, the verdict, and where our
//! policy differs, why. What is no verdict is a test of its own, which the row names.

use std::path::Path;

use serde_json::{Value, json};
use steadfast::lifecycle::call::explain;
use tempfile::TempDir;

use crate::place::Place;
use crate::{answer, kinds, level_of};

/// A new folder that is not among the temporary ones, in which the build itself may be.
fn lasting_folder() -> Option<TempDir> {
    let home = std::env::var("HOME").unwrap_or_default();
    let temporary = [std::env::temp_dir(), "/tmp".into(), "/var/tmp".into(), "/dev/shm".into()];
    let lasts = |path: &&str| {
        Path::new(path).is_absolute() && !temporary.iter().any(|it| Path::new(path).starts_with(it))
    };
    let folders = [env!("CARGO_TARGET_TMPDIR"), home.as_str(), "/opt", "/srv"];
    folders.into_iter().filter(lasts).find_map(|folder| tempfile::tempdir_in(folder).ok())
}

/// What the reports speak of: drafts, a nested repository, and a home that is not among the temporary folders.
fn place(scratch: TempDir) -> Place {
    let place = kinds::place_with_work(Place::in_folder(scratch));
    for name in ["Catalog/a.py", "Catalog/b.py", "Catalog/c.py", "app/config.py", "src/d.py"] {
        place.write(name, "host = 'instance-uat'\n");
    }
    place.commit("For the reports");
    place.write("src/a.py", "a = 2\n");
    place.write("shot.png", "drawn by hand\n");
    place.write("out/log/old.log", "old\n");
    place.write("my-app/main.py", "unsaved\n");
    place.git(&["init", "--quiet", "my-app"]);
    place.write("../home/Documents/letter.txt", "dear\n");
    place.write("../home/.tool/sessions/old.json", "{}\n");
    place
}

/// The answer to an edit that makes a file of `before` into one of `after`.
fn edit(place: &Place, session: &str, row: &Value) -> Option<Value> {
    let path = row["path"].as_str().expect("a path");
    let content = row["after"].as_str().expect("a text");
    if let Some(before) = row["before"].as_str() {
        place.write(path, before);
    }
    let input = json!({"file_path": place.path(path), "content": content});
    place.fire(
        "pre-tool-use",
        session,
        json!({"tool_name": "Write", "tool_input": input, "tool_use_id": "t"}),
    )
}

/// What is wrong with the answer to one row.
fn wrong(place: &Place, number: usize, row: &Value) -> Option<String> {
    let session = format!("r{number}");
    let command = row["command"].as_str();
    let said = match command {
        Some(command) => answer(place, "Bash", &session, command),
        None => edit(place, &session, row),
    };
    let text = said.as_ref().map(Value::to_string).unwrap_or_default();
    let level = level_of(said);
    let kept = || {
        let explained = explain::command(command.unwrap_or_default(), &place.root(), &place.home());
        explained.kept.iter().map(|path| path.display().to_string()).collect::<Vec<_>>()
    };
    let keeps = row["keeps"].as_str().is_none_or(|name| kept().iter().any(|path| path.ends_with(name)));
    let says = row["says"].as_str().is_none_or(|words| text.contains(words));
    (row["verdict"] != level || !keeps || !says)
        .then(|| format!("{row}: {level}, kept {:?}, said {text}", kept()))
}

#[test]
fn every_report_has_its_verdict() {
    let Some(scratch) = lasting_folder() else {
        eprintln!("not run: every folder that can be written here is a temporary one");
        return;
    };
    let place = place(scratch);
    let tests = include_str!("reported.rs");
    let mut all_wrong = Vec::new();
    for (number, line) in include_str!("../../fixtures/commands/reports.jsonl").lines().enumerate() {
        let row: Value = serde_json::from_str(line).expect("a row");
        match row["test"].as_str() {
            Some(test) if tests.contains(&format!("\nfn {test}()")) => {}
            Some(test) => all_wrong.push(format!("there is no test {test}")),
            None => all_wrong.extend(wrong(&place, number, &row)),
        }
    }
    assert!(all_wrong.is_empty(), "{}", all_wrong.join("\n"));
}
