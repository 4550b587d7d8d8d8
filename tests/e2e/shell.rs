//! What an agent does to files through the shell.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::samples::{MATH, MATH_TESTS};
use crate::support::client::claude;
use crate::support::project::{Project, said};
use crate::support::script::Turn;
use crate::support::session::Session;

/// How the client introduces a hook's advice before a shell call.
const ADVICE: &str = "PreToolUse:Bash hook additional context: ";

/// Sources with a folder in them that may go.
const SOURCES: &[(&str, &str)] = &[
    ("src/index.js", "module.exports = require(\"./cart.js\");\n"),
    ("src/cart.js", "exports.total = (items) => items.length;\n"),
    ("src/old/cart.js", "// The former cart.\nexports.total = () => 0;\r\n"),
    ("src/old/deep/notes.txt", "without a last newline"),
];

#[test]
fn a_bulk_deletion_is_refused_and_a_small_one_can_be_undone_to_the_byte() {
    let Some(claude) = claude() else { return };
    let project = Project::with(SOURCES);
    project.write_script("src/old/run.sh", "#!/bin/sh\nexit 0\n");
    fs::set_permissions(project.path("src/old/run.sh"), fs::Permissions::from_mode(0o750)).expect("a mode");
    symlink("deep/notes.txt", project.path("src/old/link")).expect("a symbolic link");
    project.commit();
    let project = project.install();

    let played = Session::of(&claude, &project)
        .prompt("Clean up.")
        .turn(Turn::bash("rm -rf src"))
        .turn(Turn::bash("rm -r src/old"))
        .turn(Turn::say("Cleaned up."))
        .play()
        .ended_well();

    assert!(played.result(0).is_error, "{:?}", played.result(0));
    assert_eq!(project.text("src/index.js"), SOURCES[0].1);
    assert!(!played.result(1).is_error, "{:?}", played.result(1));
    assert!(!project.path("src/old").exists(), "the small deletion goes on");
    assert_eq!(played.told(ADVICE), 1, "one warning is expected: {}", played.conversation(""));

    let undone = project.steadfast(&["undo", "--last"]);
    assert!(undone.status.success(), "{}", said(&undone));
    for (path, text) in &SOURCES[2..] {
        assert_eq!(project.text(path), *text, "{path}");
    }
    let mode = fs::metadata(project.path("src/old/run.sh")).expect("the script").permissions().mode();
    assert_eq!(mode & 0o777, 0o750);
    let link = fs::read_link(project.path("src/old/link")).expect("the symbolic link");
    assert_eq!(link.to_str(), Some("deep/notes.txt"));
    assert_eq!(project.git(&["status", "--porcelain"]), "", "git sees a difference");
}

/// Commands that take the test `is commutative` out of the file, which no one can read off their text for sure.
const REWRITES: &[(&str, &str)] = &[
    ("sed", "sed -i '/^test(\"is commutative\"/,/^});/d' math.test.js"),
    (
        "python",
        "python3 -c 'import re; p = \"math.test.js\"; s = open(p).read(); \
         open(p, \"w\").write(re.sub(r\"(?s)test\\(.is commutative.*?\\n}\\);\\n\", \"\", s))'",
    ),
    ("a script", "sh ./tidy.sh"),
];

#[test]
fn tests_lost_through_the_shell_are_found_after_the_call() {
    let Some(claude) = claude() else { return };
    for (name, command) in REWRITES {
        let project = Project::with(MATH);
        project.write_script("tidy.sh", &format!("#!/bin/sh\n{}\n", REWRITES[0].1));
        project.commit();
        let project = project.install();

        let played = Session::of(&claude, &project)
            .prompt("Make the tests pass.")
            .turn(Turn::bash(command))
            .turn(Turn::read(&project.path("math.test.js")))
            .turn(Turn::write(&project.path("math.test.js"), MATH_TESTS))
            .play()
            .ended_well();

        let refused = played.result(0).is_error;
        let told = played.conversation("");
        assert!(told.contains("math.test.js: is commutative"), "{name}: not named in {told}");
        assert!(told.contains("LP-0"), "{name}: no pattern is named in {told}");
        if refused {
            // Better still: the command was understood before it ran.
            assert!(
                project.text("math.test.js").contains("is commutative"),
                "{name}: refused, but it has run"
            );
            continue;
        }
        let state = project.json(&format!("{}/state.json", project.only_loop()));
        let events = state["regression_events"].as_array().cloned().unwrap_or_default();
        let lost = events.iter().find(|event| event["regression_type"] == "test_deletion");
        let lost = lost.unwrap_or_else(|| panic!("{name}: no test_deletion in {events:#?}"));
        assert!(lost.to_string().contains("is commutative"), "{name}: {lost}");
    }
}

/// Every file with its content, permissions and link, but git's and the tools' own.
fn tree(project: &Project) -> Vec<(String, u32, Vec<u8>)> {
    let mut tree = Vec::new();
    let mut folders = vec![project.root()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            let metadata = fs::symlink_metadata(&path).expect("its metadata");
            let name = path.strip_prefix(project.root()).expect("a path inside").display().to_string();
            if matches!(name.as_str(), ".git" | ".aiwg" | ".claude") {
                continue;
            }
            let content = if metadata.is_symlink() {
                fs::read_link(&path).expect("a link").into_os_string().into_encoded_bytes()
            } else if metadata.is_dir() {
                folders.push(path);
                Vec::new()
            } else {
                fs::read(&path).expect("its bytes")
            };
            tree.push((name, metadata.permissions().mode(), content));
        }
    }
    tree.sort();
    tree
}

#[test]
fn a_whole_session_of_destruction_that_was_let_through_is_taken_back() {
    let Some(claude) = claude() else { return };
    for in_a_loop in [false, true] {
        let project = Project::with(SOURCES);
        project.write_script("src/old/run.sh", "#!/bin/sh\nexit 0\n");
        symlink("deep/notes.txt", project.path("src/old/link")).expect("a symbolic link");
        project.write("notes/one.txt", "one\n");
        project.write("notes/two.txt", "one\r\none");
        project.write("aiwg.yml", "agent_persistence:\n  detection:\n    mode: off\n");
        project.commit();
        let project = project.install();
        // Work that no commit holds.
        project.write("src/cart.js", "exports.total = (items) => items.length; // mine\n");
        project.write("src/untracked.js", "exports.mine = true;\n");
        project.write("notes/two.txt", "one, mine\r\none");
        let before = tree(&project);
        if in_a_loop {
            let started = project.steadfast(&["loop", "start", "Tidy", "--until", "true passes"]);
            assert!(started.status.success(), "{}", said(&started));
        }

        let played = Session::of(&claude, &project)
            .prompt("Clean up.")
            .turn(Turn::bash("rm -rf src && git checkout -- . && sed -i 's/one/two/' notes/*.txt"))
            .turn(Turn::bash("printf 'x = 1\\n' > made.py && chmod 755 notes/one.txt"))
            .turn(Turn::say("Cleaned up."))
            .play()
            .ended_well();
        for call in 0..2 {
            assert!(!played.result(call).is_error, "let through: {:?}", played.result(call));
        }
        assert!(!project.path("src/untracked.js").exists() && project.path("made.py").exists());
        assert_ne!(tree(&project), before);

        let undone = project.steadfast(&["undo", "--session"]);
        assert!(undone.status.success(), "in a loop: {in_a_loop}: {}", said(&undone));
        assert_eq!(tree(&project), before, "in a loop: {in_a_loop}: {}", said(&undone));
    }
}
