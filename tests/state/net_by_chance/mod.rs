//! What a script does between two hook calls, in a session without a loop, an undo takes back: files, permissions and
//! links, and of every repository what is staged, its references and its stashes. An undo of the undo brings it again.
//!
//! Trees and scripts are made by chance from a seed; `STEADFAST_NET_CASES` says how many are tried,
//! `STEADFAST_NET_SEED` with which the first begins, `STEADFAST_EXECUTABLES` where a faster build of both programs is.
//! `STEADFAST_NET_KEEP` leaves the places of failures. What failed once is a row of `kept.rs`.

mod chance;
mod kept;
mod look;
mod scripts;
mod trees;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::place::Place;
use chance::Chance;
use look::Seen;

pub(crate) const SESSION: &str = "11111111-2222-4333-8444-555555555555";
const CASES: u64 = 30;

/// Runs a script as a person at a shell would; what fails in it is no matter.
pub(crate) fn sh(place: &Place, folder: &Path, script: &str) -> Vec<u8> {
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", place.home())
        .env("LANG", "C.UTF-8")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "T")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "t@example.org")))
        .envs([("GIT_CONFIG_NOSYSTEM", "1"), ("FILTER_BRANCH_SQUELCH_WARNING", "1"), ("GIT_EDITOR", "true")])
        .envs([("GIT_CONFIG_COUNT", "2"), ("GIT_CONFIG_KEY_1", "gc.auto"), ("GIT_CONFIG_VALUE_1", "0")])
        .envs([("GIT_CONFIG_KEY_0", "protocol.file.allow"), ("GIT_CONFIG_VALUE_0", "always")])
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    output.stdout
}

pub(crate) fn bash(id: &str, command: &str) -> Value {
    json!({
        "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": id,
        "tool_response": {"stdout": "", "stderr": ""},
    })
}

/// A call with a script: what was there before it and after it, and the id it had. What the guard will not let through
/// in one line is a script of which it knows nothing.
fn call(place: &Place, id: &str, script: &str, as_text: bool) -> (Seen, Seen) {
    let stops = |answer: Option<Value>| {
        let answer = answer.unwrap_or_default();
        let decision = answer["hookSpecificOutput"]["permissionDecision"].as_str().unwrap_or_default();
        decision == "deny" || decision == "ask"
    };
    let mut fields = bash(id, script);
    if !as_text || stops(place.fire("pre-tool-use", SESSION, fields.clone())) {
        fields = bash(id, "bash ../script.sh");
        assert!(!stops(place.fire("pre-tool-use", SESSION, fields.clone())), "{script}");
    }
    let before = Seen::at(place);
    sh(place, &place.root(), script);
    let after = Seen::at(place);
    place.fire("post-tool-use", SESSION, fields);
    (before, after)
}

/// What there was before a call and after it, and what later calls did not see: it was ignored when they began.
struct Around<'s> {
    before: &'s Seen,
    after: &'s Seen,
    unseen: &'s BTreeSet<PathBuf>,
}

/// Fails where a place is not as it was seen.
fn same(what: &str, wanted: &Seen, now: &Seen, call: &Around) -> Result<(), String> {
    let Around { before, after, unseen } = call;
    let mut different = wanted.differences(now, before, after);
    different.retain(|(name, _)| !look::is_below(unseen, name));
    let different: Vec<String> = different.into_iter().map(|(_, told)| told).collect();
    // To objects that were destroyed before nobody wants to go back.
    let (was, is) = (wanted.told(before, after, unseen), now.told(before, after, unseen));
    if different.is_empty() && (was == is || wanted.is_broken()) {
        return Ok(());
    }
    let mut told = format!("{what}:\n  {}\n", different.join("\n  "));
    if was != is {
        let only = |these: &[&str], those: &[&str]| -> Vec<String> {
            let mut those = those.to_vec();
            let mut is_alone = |line: &&&str| match those.iter().position(|it| it == *line) {
                Some(at) => {
                    those.swap_remove(at);
                    false
                }
                None => true,
            };
            these.iter().filter(|line| is_alone(line)).take(20).map(|line| (*line).to_owned()).collect()
        };
        told += &format!("  git said {:#?}\n  and says {:#?}\n", only(&was, &is), only(&is, &was));
    }
    Err(told)
}

/// Runs scripts, each as a call, and undoes the last, that again, and all in turn; after the session, where it `ends`.
fn undone(place: &Place, scripts: &[String], as_text: bool, ends: bool) -> Result<(), String> {
    let run = |(number, script): (usize, &String)| {
        let id = format!("toolu_{number}");
        let (before, after) = call(place, &id, script, as_text);
        (id, before, after)
    };
    let calls: Vec<(String, Seen, Seen)> = scripts.iter().enumerate().map(run).collect();
    if ends {
        place.fire("session-end", SESSION, json!({"reason": "other"}));
    }
    // What later calls have left, and what they did not see.
    let (mut left, mut unseen) = (BTreeSet::new(), BTreeSet::new());
    for (id, before, after) in calls.iter().rev() {
        if before.is_like(after) {
            continue;
        }
        let output = place.steadfast(&["undo", "--tool-call", id]);
        let told = |error: String| -> String {
            let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text));
            format!("{error}  undo {id} said {}\n{out}{err}", output.status)
        };
        let is_as = |what: &str, wanted: &Seen| -> Result<Seen, String> {
            let now = Seen::at(place).without(&left);
            same(what, wanted, &now, &Around { before, after, unseen: &unseen }).map_err(told)?;
            Ok(now)
        };
        let now = is_as("undone", before)?;
        // Objects that came back with a later call's undo leave nothing to do for this one.
        if !String::from_utf8_lossy(&output.stdout).contains("takes this undo back") {
            unseen.extend(before.ignored().cloned());
            left.extend(now.left(before, after));
            continue;
        }
        place.steadfast(&["undo", "--last"]);
        is_as("the undo undone", after)?;
        if calls.len() > 1 {
            place.steadfast(&["undo", "--last"]);
            let now = is_as("undone once more", before)?;
            left.extend(now.left(before, after));
        }
        unseen.extend(before.ignored().cloned());
    }
    Ok(())
}

fn try_one(seed: u64) -> Result<(), String> {
    let mut chance = Chance::of(seed);
    let place = Place::new();
    let parts = trees::furnish(&mut chance, &place);
    let scripts: Vec<String> = (0..chance.one(&[1, 1, 1, 2])).map(|_| scripts::script(&mut chance)).collect();
    let as_text = chance.percent(40);
    let ends = chance.percent(20);
    let outcome = undone(&place, &scripts, as_text, ends);
    let root = place.root();
    if outcome.is_err() && std::env::var_os("STEADFAST_NET_KEEP").is_some() {
        std::mem::forget(place);
    }
    outcome.map_err(|error| {
        let (parts, root) = (parts.join("\n    "), root.display());
        format!(
            "seed {seed} in {root}, as text: {as_text}, ends: {ends}\n  parts\n    {parts}\n  scripts {scripts:#?}\n{error}"
        )
    })
}

#[test]
fn whatever_a_script_does_is_undone() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("STEADFAST_NET_SEED").unwrap_or(1);
    let mut failures = Vec::new();
    for seed in first..first + number("STEADFAST_NET_CASES").unwrap_or(CASES) {
        if let Err(error) = try_one(seed) {
            // A long run shows what it finds when it finds it.
            eprintln!("{error}");
            failures.push(seed);
        }
    }
    assert!(failures.is_empty(), "seeds {failures:?}");
}

#[test]
fn what_was_not_undone_once_is() {
    let mut failures = Vec::new();
    let single = kept::CASES.iter().map(|(name, furnished, script)| (*name, *furnished, vec![*script]));
    let in_turn =
        kept::IN_TURN.iter().map(|(name, furnished, one, two)| (*name, *furnished, vec![*one, *two]));
    for (name, furnished, scripts) in single.chain(in_turn) {
        for as_text in [false, true] {
            let place = Place::new();
            place.write("first", "one\n");
            sh(&place, &place.root(), &format!("git add -A; git commit -qm one\n{furnished}"));
            let scripts: Vec<String> = scripts.iter().map(|script| (*script).to_owned()).collect();
            if let Err(error) = undone(&place, &scripts, as_text, false) {
                failures.push(format!("{name}, as text: {as_text}: {scripts:?}\n{error}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// What agents do by the way: a script that tidies up, and git's commands that lose work.
const SEQUENCES: &[&str] = &[
    "python3 cleanup.py",
    "git stash -u && git stash drop",
    "git branch -D side",
    "git submodule deinit -f lib",
    "git submodule deinit -f --all && rm -rf .git/modules && git gc -q --prune=now",
    "git reset -q --hard HEAD~1; git reflog expire --expire=now --all; git gc -q --prune=now",
];

#[test]
fn what_agents_do_is_undone_after_the_session_and_by_a_second_undo() {
    let furnished = "git checkout -q -b side; echo s > side-file; git add -A; git commit -qm side; git checkout -q main; \
         git init -q -b main ../lib; (cd ../lib; echo l > l; git add -A; git commit -qm l); \
         git submodule add -q \"$(realpath ../lib)\" lib; git commit -qm sub; (cd lib; echo d >> l; echo u > new); \
         head -c 300000 /dev/urandom > photo.bin; git add photo.bin; git commit -qm photo; \
         echo changed >> first; head -c 3000 /dev/urandom > untracked.bin; echo mine > notes.txt; mkdir empty; \
         printf 'import os\nfor name in (\"first\", \"calc.py\", \"photo.bin\", \"untracked.bin\", \"notes.txt\"):\n\
         \x20   os.remove(name)\n' > cleanup.py";
    let mut failures = Vec::new();
    for script in SEQUENCES {
        let place = Place::new();
        place.write("first", "one\n");
        sh(
            &place,
            &place.root(),
            &format!("git branch -q -M main; git add -A; git commit -qm one; {furnished}"),
        );
        if let Err(error) = undone(&place, &[(*script).to_owned()], true, true) {
            failures.push(format!("{script}\n{error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
