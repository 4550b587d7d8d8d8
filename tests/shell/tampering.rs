//! Checks that count for less, by way of the shell.

use std::fs;

use serde_json::json;

use crate::place::{ONE_TEST, Place, TEST_FILE, TESTS};
use crate::{answer, level, level_of, wrong};

/// Commands that take a test out of its file, each in its own way; the result can be computed beforehand.
fn ways_to_lose_a_test() -> Vec<String> {
    let fewer = TESTS.replace(ONE_TEST, "");
    let patch = "--- a/tests/test_calc.py\n+++ b/tests/test_calc.py\n@@ -3,8 +3,5 @@\n def test_adds():\n     assert add(1, 2) == 3\n \n-def test_zero():\n-    assert add(0, 0) == 0\n-\n def test_negative():\n     assert add(-1, -2) == -3\n";
    vec![
        format!("cat > {TEST_FILE} <<'EOF'\n{fewer}EOF"),
        format!("cat <<'EOF' | tee {TEST_FILE}\n{fewer}EOF"),
        format!("printf '%s' '{fewer}' > {TEST_FILE}"),
        format!("cp fewer.txt {TEST_FILE}"),
        format!("mv fewer.txt {TEST_FILE}"),
        format!("mv -f ./fewer.txt \"$PWD\"/{TEST_FILE}"),
        format!("sed -i '/^def test_zero/,/^$/d' {TEST_FILE}"),
        format!("sed -i 's/^def test_zero/def _zero/' {TEST_FILE}"),
        format!("ed -s {TEST_FILE} <<'EOF'\n/^def test_zero/;/^$/d\nw\nq\nEOF"),
        format!("printf '%s\\n' 'g/test_zero/.,+2d' wq | ed -s {TEST_FILE}"),
        format!("ex -s {TEST_FILE} <<'EOF'\n:g/test_zero/.,.+2d\n:wq\nEOF"),
        format!("vim -es -u NONE -c '%s/def test_zero/def _zero/' -c wq {TEST_FILE}"),
        format!("vim -c 'g/test_zero/,+1d' -c ':x' {TEST_FILE}"),
        format!("git checkout HEAD -- {TEST_FILE}"),
        format!("git restore --source=HEAD {TEST_FILE}"),
        format!("git apply <<'EOF'\n{patch}EOF"),
        format!("patch -p1 <<'EOF'\n{patch}EOF"),
        format!("rm {TEST_FILE}"),
        format!("git rm -f {TEST_FILE}"),
        format!(": > {TEST_FILE}"),
        format!("truncate -s 0 {TEST_FILE}"),
        format!("cp /dev/null {TEST_FILE}"),
        format!("bash -c \"rm {TEST_FILE}\""),
        format!("find tests -name 'test_*.py' -delete"),
        format!("python3 -c \"import os; os.remove('{TEST_FILE}')\""),
    ]
}

#[test]
fn a_test_lost_by_a_command_whose_result_can_be_computed_is_stopped() {
    let place = Place::new();
    place.write("fewer.txt", TESTS.replace(ONE_TEST, ""));
    // The committed file has a test less, so that git's own ways back to it lose one.
    let fewer = TESTS.replace(ONE_TEST, "");
    let mut wrong = Vec::new();
    for (number, command) in ways_to_lose_a_test().into_iter().enumerate() {
        let from_git = command.starts_with("git checkout") || command.starts_with("git restore");
        if from_git {
            place.write(TEST_FILE, &fewer);
            place.commit("Fewer");
            place.write(TEST_FILE, TESTS);
        }
        if level(&place, number, &command) != "deny" {
            wrong.push(command);
        }
        if from_git {
            place.commit("All");
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn a_test_lost_by_a_script_is_found_afterwards_with_the_bytes_kept() {
    let place = Place::new();
    place.start("s");
    let told = place.lose_by_script("s").expect("a loss is told").to_string();
    assert!(told.contains("test_zero"), "{told}");
    let undone = place.steadfast(&["undo", "--tool-call", "toolu_script"]);
    assert!(undone.status.success(), "{}", String::from_utf8_lossy(&undone.stderr));
    assert_eq!(fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
}

#[test]
fn what_an_editor_does_in_its_own_way_is_kept_before_and_judged_afterwards() {
    let place = Place::new();
    for (number, command) in [
        format!("vim -c '%!python3 tidy.py' -c wq {TEST_FILE}"),
        format!("vim -S tidy.vim {TEST_FILE}"),
        format!("ed -s {TEST_FILE} < tidy.ed"),
    ]
    .into_iter()
    .enumerate()
    {
        let (session, id) = (format!("editor{number}"), format!("toolu_editor{number}"));
        let input = json!({"command": command});
        let fields = json!({
            "tool_name": "Bash", "tool_input": input, "tool_use_id": id, "tool_response": {"stdout": "", "stderr": ""},
        });
        assert_ne!(level_of(place.fire("pre-tool-use", &session, fields.clone())), "deny", "{command}");
        place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
        let told = place.fire("post-tool-use", &session, fields).expect("a loss is told").to_string();
        assert!(told.contains("test_zero"), "{command}: {told}");
        assert!(place.steadfast(&["undo", "--tool-call", &id]).status.success(), "{command}");
        assert_eq!(fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS, "{command}");
    }
}

#[test]
fn a_change_that_the_client_saw_is_judged_though_the_words_only_read() {
    let place = Place::new();
    let opening =
        json!({"tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_1"});
    place.fire("pre-tool-use", "s", opening.clone());
    place.fire("post-tool-use", "s", opening);
    for (id, diff) in [
        ("toolu_unseen", json!(null)),
        ("toolu_unknown", json!({"files": [], "moreFiles": 0, "unavailable": true})),
        ("toolu_seen", json!({"files": [{"filePath": place.path(TEST_FILE), "hunks": []}], "moreFiles": 0})),
    ] {
        let fields = json!({
            "tool_name": "Bash", "tool_input": {"command": "git log -1"}, "tool_use_id": id,
            "tool_response": {"stdout": "", "stderr": "", "bashEditDiff": diff},
        });
        assert_eq!(place.fire("pre-tool-use", "s", fields.clone()), None, "{id}");
        place.write(TEST_FILE, TESTS.replace(ONE_TEST, ""));
        let told = place.fire("post-tool-use", "s", fields).map(|told| told.to_string());
        assert_eq!(
            told.as_ref().is_some_and(|told| told.contains("test_zero")),
            id == "toolu_seen",
            "{told:?}"
        );
        place.write(TEST_FILE, TESTS);
    }
}

#[test]
fn words_that_bend_checks_are_stopped_or_told() {
    let place = Place::new();
    place.write("tests/run.sh", "exit 0\n");
    place.commit("Runner");
    let rows = [
        ("git commit --no-verify -m x", "deny"),
        ("git commit -nm x", "deny"),
        ("git push --no-verify", "deny"),
        ("git merge --no-verify topic", "deny"),
        ("HUSKY=0 git commit -m x", "deny"),
        ("export HUSKY=0 && git commit -m x", "deny"),
        ("env HUSKY=0 git commit -m x", "deny"),
        ("SKIP=flake8 git commit -m x", "deny"),
        ("LEFTHOOK=0 git commit -m x", "deny"),
        ("git -c core.hooksPath=/dev/null commit -m x", "deny"),
        ("git config core.hooksPath /dev/null", "deny"),
        ("git config --global core.hooksPath ''", "deny"),
        (
            "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/dev/null git commit -m x",
            "deny",
        ),
        ("git -c commit.gpgsign=false commit -m x", "told"),
        ("git commit --no-gpg-sign -m x", "told"),
        ("git config commit.gpgsign false", "told"),
        ("pytest || true", "told"),
        ("pytest; true", "told"),
        ("pytest || :", "told"),
        ("(cd app && npm test) || exit 0", "told"),
        ("set +e; pytest; exit 0", "told"),
        ("npx jest --passWithNoTests", "told"),
        ("npm test -- --passWithNoTests", "told"),
        ("pytest -k 'not zero' && git push", "told"),
        ("pytest -k='not zero' && git push", "told"),
        ("pytest --deselect tests/test_calc.py::test_zero && git push", "told"),
        ("pytest --ignore=tests/test_calc.py && git push", "told"),
        ("cargo test -- --skip zero && git push", "told"),
        ("cargo nextest run -E 'not test(zero)' && git push", "told"),
        ("npx jest --testPathIgnorePatterns calc && git push", "told"),
        ("npx vitest run --exclude tests/calc && git push", "told"),
        ("go test -skip TestZero ./... && git push", "told"),
        ("npx jest -u", "told"),
        ("npx vitest -u", "told"),
        ("npx jest --updateSnapshot", "told"),
        ("npx playwright test --update-snapshots", "told"),
        ("pytest --snapshot-update", "told"),
        ("INSTA_UPDATE=always cargo test", "told"),
        ("cargo insta accept", "told"),
        ("pytest --cov-fail-under=0", "told"),
        ("npx vitest run --coverage.thresholds.lines=10", "told"),
        ("npx nyc --check-coverage=false npm test", "told"),
        ("npx mocha --timeout 0", "told"),
        ("npx mocha --no-timeouts", "told"),
        ("npx jest --testTimeout=0", "told"),
        ("go test -timeout 0 ./...", "told"),
        ("pytest --timeout=0", "told"),
        ("chmod -x tests/run.sh", "told"),
        ("chmod 644 tests/run.sh", "told"),
        // Plain runs.
        ("pytest", "silent"),
        ("pytest -k zero", "silent"),
        // Who looks for a fault leaves tests out; the end of the turn tells of it.
        ("pytest -k 'not zero'", "silent"),
        ("pytest --deselect tests/test_calc.py::test_zero -x", "silent"),
        ("cargo test zero", "silent"),
        ("npm test 2>&1 | tail -20", "silent"),
        ("git commit -m 'skip --no-verify in docs'", "silent"),
        ("git config core.hooksPath .githooks", "silent"),
        ("npx mocha --timeout 10000", "silent"),
        ("chmod +x tests/run.sh", "silent"),
    ];
    assert_eq!(wrong(&place, &rows), Vec::<String>::new());
}

#[test]
fn our_own_hook_is_not_killed_replaced_or_decided_for() {
    let place = Place::new();
    assert!(place.start("s").is_none() || place.loops().is_empty());
    let hooks =
        r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"steadfast-hook","args":["stop"]}]}]}}"#;
    place.write(".claude/settings.json", hooks);
    place.write("bin/steadfast-hook", "x");
    // A clean gives up what no commit holds; here the guard's own state is asked about alone.
    place.commit("Set up");
    assert_eq!(level(&place, 900, "rm -rf node_modules"), "silent");
    // A first writing call leaves the guard's state behind.
    answer(&place, "Bash", "s901", "python3 tidy.py");
    assert!(place.path(".aiwg/ralph").is_dir());
    let stopped = [
        "pkill steadfast-hook",
        "pkill -9 -f steadfast",
        "killall -q steadfast-hook",
        "kill -9 $(pgrep steadfast-hook)",
        "kill $(pidof steadfast-hook)",
        "ps aux | grep steadfast | awk '{print $2}' | xargs kill",
        "pgrep steadfast | xargs kill -9",
        "rm bin/steadfast-hook",
        "cp /bin/true bin/steadfast-hook",
        "ln -sf /bin/true bin/steadfast-hook",
        "mv bin/steadfast-hook bin/off",
        "printf '#!/bin/sh\\n' > bin/steadfast-hook",
        "chmod -x bin/steadfast-hook",
        "chmod 000 bin/steadfast-hook",
        "echo '{}' > .claude/settings.json",
        "jq 'del(.hooks)' .claude/settings.json | tee .claude/settings.json",
        "sed -i '/hooks/d' .claude/settings.json",
        "cp /dev/null .claude/settings.json",
        "mv .claude/settings.json /tmp/",
        "rm -rf .claude",
        "python3 -c \"open('.claude/settings.json', 'w').write('{}')\"",
        "rm -rf .aiwg",
        "rm .aiwg/ralph/registry.json",
        "echo '{}' > .aiwg/ralph/registry.json",
        "mv .aiwg /tmp/away",
        "find .aiwg -delete",
        "git clean -ffdx .aiwg",
        "git clean -ffdx",
        "git -C .. clean -ffdX project",
        "chmod -R 000 .aiwg",
        "steadfast gate approve x",
        "steadfast uninstall",
        "steadfast loop abort",
        "npx steadfast uninstall",
        "bash -c 'steadfast gate approve x'",
        "env -u CLAUDECODE steadfast gate approve x",
        "script -qc 'steadfast gate approve x' /dev/null",
    ];
    let silent = [
        "git clean -fdx -e .aiwg",
        "git clean -nfdx",
        "steadfast status",
        "steadfast explain 'rm -rf src'",
        "pgrep steadfast-hook",
        "cat .claude/settings.json",
        "ls .aiwg/ralph",
        "which steadfast",
    ];
    let stopped = stopped.map(|command| (command, "deny"));
    let silent = silent.map(|command| (command, "silent"));
    assert_eq!(wrong(&place, &[&stopped[..], &silent].concat()), Vec::<String>::new());
}

#[test]
fn what_a_clean_leaves_out_is_not_given_up() {
    let place = Place::new();
    place.write(".gitignore", "*.log\n");
    place.commit("Set up");
    place.write("notes/plan.md", "Three steps\n");
    place.write("run.log", "x\n");
    let rows = [
        ("git clean -fd", "deny"),
        ("git clean -fd -e docs", "deny"),
        ("git clean -fd -e notes", "silent"),
        ("git clean -fde '*.md'", "silent"),
        ("git clean -fd -eplan.md", "silent"),
        ("git clean -fd --exclude=notes/", "silent"),
        ("git clean -fdx --exclude 'notes/*' -e '*.log' -e .aiwg", "silent"),
        ("git clean -fd -e notes -- notes", "silent"),
    ];
    assert_eq!(wrong(&place, &rows), Vec::<String>::new());
}

#[test]
fn every_tool_that_runs_a_shell_is_judged_alike() {
    let place = Place::new();
    for (tool, command) in [
        ("Bash", "rm -rf tests"),
        ("Monitor", "rm -rf tests"),
        ("PowerShell", "Remove-Item -Recurse -Force tests"),
    ] {
        assert_eq!(level_of(answer(&place, tool, &format!("s{tool}"), command)), "deny", "{tool}");
    }
    let input = json!({"tool_name": "Read", "tool_input": {"command": "rm -rf tests"}, "tool_use_id": "t"});
    assert_eq!(place.fire("pre-tool-use", "s", input), None, "a reading tool runs nothing");
}
