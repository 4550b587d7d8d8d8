//! What a script does between two hook calls, in a session without a loop, an undo takes back: files, permissions and
//! links, and of every repository what is staged, its references and its stashes.
//!
//! Trees and scripts are made by chance from a seed; `STEADFAST_NET_CASES` says how many are tried,
//! `STEADFAST_NET_SEED` with which the first begins.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use crate::place::Place;

const SESSION: &str = "11111111-2222-4333-8444-555555555555";
const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "src",
    "docs",
    "d e",
    "ü",
    "x.py",
    "t_test.py",
    "data.bin",
    ".env",
    "build",
    ".gitignore",
];
/// What a script is made of.
const LINES: &[&str] = &[
    "rm -rf src docs",
    "rm -f a b c",
    "find . -name '*.py' -delete",
    "for f in *; do [ -f \"$f\" ] && echo gone > \"$f\"; done",
    "rm -rf nested",
    "rm -rf lib",
    "chmod -R go-rwx src",
    "mv src moved",
    "mv docs src",
    "ln -sf nowhere a",
    "mkdir -p made/deep && echo x > made/deep/x",
    "git init -q made2 && echo q > made2/q && git -C made2 add -A && git -C made2 commit -qm q",
    "rm -rf *",
    "rm .gitignore; echo '*' > .gitignore",
    "truncate -s 0 first",
    "git stash -q -u && git stash drop -q",
    "git stash -q; git stash clear",
    "git stash -q",
    "git checkout -q -b tmp; git add -A; git commit -qm t; git checkout -q main; git branch -D tmp",
    "git reset -q --hard",
    "git reset -q --hard HEAD~1",
    "git checkout-index -f -a",
    "git read-tree -u --reset HEAD",
    "git diff | git apply -R",
    "git rebase -q side",
    "git merge -q side",
    "git branch -D side",
    "git tag -d v1",
    "git clean -qfd",
    "git clean -qfdx",
    "git add -A; git commit -qm all; git reset -q --hard HEAD~1",
    "git update-ref -d refs/heads/side",
    "git reflog expire --expire=now --all; git gc -q --prune=now",
    "git filter-branch -f --tree-filter 'rm -f first' -- --all",
    "git submodule deinit -q -f --all",
    "git submodule update -q --force",
    "git submodule foreach -q 'git reset -q --hard; git clean -qfd'",
    "git worktree remove --force wt",
    "rm -rf wt; git worktree prune",
    "rm -rf .git",
    "rm -rf .git; git init -q",
    "git rm -rqf .",
    "git rm -rq --cached .",
    "git commit -q --amend -m x --allow-empty",
    "git pack-refs --all",
    "git add -A",
];

/// Numbers by chance, the same for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }

    fn percent(&mut self, share: usize) -> bool {
        self.below(100) < share
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn content(&mut self) -> Vec<u8> {
        let length = [0, 1, 40, 5_000][self.below(4)];
        let text = self.percent(60);
        (0..length)
            .map(|_| if text { b"0123456789\n"[self.below(11)] } else { self.below(256) as u8 })
            .collect()
    }
}

/// Runs a script as a person at a shell would; what fails in it is no matter.
fn sh(place: &Place, folder: &Path, script: &str) -> String {
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", place.home())
        .env("LANG", "C.UTF-8")
        .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "T")))
        .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "t@example.org")))
        .envs([
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("FILTER_BRANCH_SQUELCH_WARNING", "1"),
            ("GIT_CONFIG_COUNT", "1"),
        ])
        .envs([("GIT_CONFIG_KEY_0", "protocol.file.allow"), ("GIT_CONFIG_VALUE_0", "always")])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn grow(chance: &mut Chance, folder: &Path, depth: usize) {
    for _ in 0..1 + chance.below(5) {
        let name = chance.one(NAMES);
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match chance.below(10) {
            0..6 => {
                let content =
                    if name == ".gitignore" { b"build/\n*.log\n".to_vec() } else { chance.content() };
                fs::write(&path, content).unwrap();
                let mode = [0o644, 0o644, 0o600, 0o755, 0o444][chance.below(5)];
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
            6 => symlink(chance.one(&["a", "../a", "nowhere", "src"]), &path).unwrap(),
            _ if depth < 3 => {
                fs::create_dir(&path).unwrap();
                grow(chance, &path, depth + 1);
            }
            _ => {}
        }
    }
}

fn furnish(chance: &mut Chance, place: &Place) {
    let root = place.root();
    place.write("first", "one\n");
    grow(chance, &root, 0);
    sh(place, &root, "git add -A; git commit -qm one");
    for _ in 0..chance.below(3) {
        grow(chance, &root, 0);
        sh(place, &root, "git add -A; git commit -qm more --allow-empty");
    }
    let parts = [
        (
            50,
            "git checkout -q -b side; echo s > side-file; git add -A; git commit -qm side; git checkout -q main",
        ),
        (40, "echo stashed >> first; git stash -q"),
        (30, "git tag v1; git pack-refs --all; git gc -q"),
        (
            30,
            "git init -q -b main nested; cd nested; echo n > n; git add -A; git commit -qm n; echo dirty >> n; echo u > u",
        ),
        (
            30,
            "git init -q -b main ../lib; (cd ../lib; echo l > l; git add -A; git commit -qm l); \
             git submodule add -q \"$(realpath ../lib)\" lib; git commit -qm sub; \
             cd lib; git checkout -q -b mine; echo w >> l; git commit -qam mine; echo u > new",
        ),
        (20, "git worktree add -q wt -b wtb; echo d > wt/dirty"),
        (30, "echo changed >> first; rm -f a"),
        (30, "git add -A -- src docs b"),
    ];
    for (share, script) in parts {
        if chance.percent(share) {
            sh(place, &root, script);
        }
    }
    grow(chance, &root, 0);
}

type Tree = BTreeMap<PathBuf, (u32, Vec<u8>)>;

/// What is at every path of the project, but the guard's own, git's objects, and indexes, which git is asked about.
fn tree(root: &Path) -> Tree {
    let mut tree = BTreeMap::new();
    let mut pending = vec![root.to_owned()];
    while let Some(folder) = pending.pop() {
        let is_repository = folder.join("HEAD").exists() && folder.join("refs").exists();
        for child in fs::read_dir(&folder).unwrap().flatten() {
            let (path, name) = (child.path(), child.file_name());
            let is_gits = is_repository && (name == "objects" || name == "index");
            if is_gits || name == ".aiwg" {
                continue;
            }
            let metadata = path.symlink_metadata().unwrap();
            let content = if metadata.is_dir() {
                pending.push(path.clone());
                Vec::new()
            } else if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else {
                fs::read(&path).unwrap()
            };
            tree.insert(path, (metadata.permissions().mode(), content));
        }
    }
    tree
}

/// What git says of every repository in the project.
fn repositories(place: &Place) -> String {
    let asks = "find . -name .git -not -path './.aiwg/*' -not -path '*/.git/*' | sort | while read -r mark; do \
                (cd \"$(dirname \"$mark\")\"; echo \"== $mark\"; git ls-files -s; git for-each-ref; git stash list; \
                git symbolic-ref -q HEAD; git rev-parse HEAD; git status --porcelain; \
                git fsck --connectivity-only 2>&1 | grep -E 'missing|broken|invalid|error') ; done";
    sh(place, &place.root(), asks)
}

fn differences(before: &Tree, after: &Tree) -> Vec<PathBuf> {
    let names = before.keys().chain(after.keys());
    let mut different: Vec<PathBuf> =
        names.filter(|name| before.get(*name) != after.get(*name)).cloned().collect();
    different.dedup();
    different
}

/// What git ignores now: the net leaves that to the commands that name it.
fn ignored(place: &Place) -> Vec<PathBuf> {
    let listed =
        sh(place, &place.root(), "git ls-files --others --ignored --exclude-standard --directory -z");
    let names = listed.split('\0').filter(|name| !name.is_empty());
    names.map(|name| place.root().join(name.trim_end_matches('/'))).collect()
}

fn try_one(seed: u64) {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let place = Place::new();
    furnish(&mut chance, &place);
    let script: Vec<&str> = (0..1 + chance.below(4)).map(|_| chance.one(LINES)).collect();
    let script = script.join("\n");
    let call = json!({
        "tool_name": "Bash", "tool_input": {"command": "bash ../script.sh"}, "tool_use_id": "toolu_1",
        "tool_response": {"stdout": "", "stderr": ""},
    });
    let said = format!("seed {seed}:\n{script}\n");
    assert_eq!(place.fire("pre-tool-use", SESSION, call.clone()), None, "{said}");
    let mut unseen = ignored(&place);
    let (files, git) = (tree(&place.root()), repositories(&place));
    sh(&place, &place.root(), &script);
    let (files_left, git_left) = (tree(&place.root()), repositories(&place));
    unseen.extend(ignored(&place));
    let differences = |before: &Tree, after: &Tree| {
        let mut different = differences(before, after);
        different.retain(|path| !unseen.iter().any(|it| path.starts_with(it)));
        different
    };
    place.fire("post-tool-use", SESSION, call);
    if files == files_left && git == git_left {
        return;
    }
    let undone = place.steadfast(&["undo", "--tool-call", "toolu_1"]);
    let told = format!("{said}{undone:?}");
    assert_eq!(differences(&files, &tree(&place.root())), Vec::<PathBuf>::new(), "{told}");
    assert_eq!(repositories(&place), git, "{told}");
    place.steadfast(&["undo", "--last"]);
    assert_eq!(
        differences(&files_left, &tree(&place.root())),
        Vec::<PathBuf>::new(),
        "the undo undone: {told}"
    );
}

#[test]
fn whatever_a_script_does_is_undone() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let first = number("STEADFAST_NET_SEED").unwrap_or(1);
    for seed in first..first + number("STEADFAST_NET_CASES").unwrap_or(12) {
        try_one(seed);
    }
}

/// Runs a script as a call of the session between its two hooks.
fn call(place: &Place, id: &str, script: &str) {
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": script}, "tool_use_id": id,
        "tool_response": {"stdout": "", "stderr": ""},
    });
    place.fire("pre-tool-use", SESSION, fields.clone());
    sh(place, &place.root(), script);
    place.fire("post-tool-use", SESSION, fields);
}

#[test]
fn what_a_script_takes_of_any_kind_comes_back_and_goes_again() {
    let place = Place::new();
    place.write("photo.png", [0u8, 159, 146, 150, 255].repeat(100));
    place.write("notes.txt", "mine\n");
    place
        .write("clean.py", "import os\nfor name in ('photo.png', 'notes.txt', 'calc.py'): os.remove(name)\n");
    call(&place, "toolu_1", "python3 clean.py");
    assert!(!place.path("photo.png").exists() && !place.path("calc.py").exists());
    let told = place.done(&["undo", "--tool-call", "toolu_1"]);
    for name in ["photo.png", "notes.txt", "calc.py"] {
        assert!(place.path(name).exists() && told.contains(name), "{name}: {told}");
    }
    place.done(&["undo", "--last"]);
    assert!(!place.path("photo.png").exists(), "an undo can be undone");
}

#[test]
fn the_last_one_is_the_newest_call_and_never_an_older_one() {
    let place = Place::new();
    call(&place, "toolu_1", "python3 -c \"open('kept.txt', 'w').write('good work')\"");
    call(&place, "toolu_2", "python3 quiet.py");
    let output = place.steadfast(&["undo", "--last"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && told.contains("steadfast undo --tool-call toolu_1"), "{told}");
    assert!(place.path("kept.txt").exists());
    let list = place.done(&["undo", "--list"]);
    assert!(list.contains("created kept.txt"), "{list}");
}

#[test]
fn a_call_that_never_ended_is_undone_too() {
    let place = Place::new();
    let fields = json!({
        "tool_name": "Bash", "tool_input": {"command": "python3 tidy.py"}, "tool_use_id": "toolu_1",
    });
    place.write("notes.txt", "mine\n");
    place.fire("pre-tool-use", SESSION, fields);
    fs::remove_file(place.path("notes.txt")).unwrap();
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(fs::read_to_string(place.path("notes.txt")).unwrap(), "mine\n");
}

#[test]
fn what_git_ignores_is_never_taken_for_new() {
    let place = Place::new();
    place.write(".gitignore", ".env\n");
    place.write(".env", "SECRET=1\n");
    call(&place, "toolu_1", "python3 -c \"import os; os.remove('.gitignore')\"");
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert!(place.path(".gitignore").exists());
    assert_eq!(fs::read_to_string(place.path(".env")).unwrap(), "SECRET=1\n", "it was there before");
}

#[test]
fn nothing_of_the_net_shows_in_git() {
    let place = Place::new();
    place.write("calc.py", "changed\n");
    call(&place, "toolu_1", "git stash -q && git stash drop -q");
    let root = place.root();
    assert_eq!(sh(&place, &root, "git for-each-ref | wc -l").trim(), "1");
    assert_eq!(sh(&place, &root, "git log --all --oneline | wc -l").trim(), "1");
    assert_eq!(sh(&place, &root, "git status --porcelain"), "");
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(fs::read_to_string(place.path("calc.py")).unwrap(), "changed\n");
}

/// Begins a call of an agent of the session that nobody knows the effect of.
fn begin(place: &Place, agent: Option<&str>, id: &str, script: &str) {
    place.fire("pre-tool-use", SESSION, of_agent(agent, id, script));
}

fn of_agent(agent: Option<&str>, id: &str, script: &str) -> serde_json::Value {
    let mut fields = json!({
        "tool_name": "Bash", "tool_input": {"command": script}, "tool_use_id": id,
        "tool_response": {"stdout": "", "stderr": ""},
    });
    if let Some(agent) = agent {
        fields["agent_id"] = json!(agent);
    }
    fields
}

/// The lines of the list of what is kept that are about a call.
fn listed(place: &Place, id: &str) -> String {
    let list = place.done(&["undo", "--list"]);
    let lines: Vec<&str> = list.lines().skip_while(|line| !line.ends_with(id)).take(2).collect();
    lines.join("\n")
}

#[test]
fn a_call_that_the_client_refused_is_not_credited_with_a_later_one() {
    let place = Place::new();
    place.write("notes.txt", "mine\n");
    begin(&place, None, "toolu_refused", "python3 tidy.py");
    call(&place, "toolu_1", "python3 -c \"open('notes.txt', 'w').write('theirs')\"");
    let edit = json!({
        "tool_name": "Write", "tool_use_id": "toolu_2", "tool_response": {},
        "tool_input": {"file_path": place.path("new.txt"), "content": "new\n"},
    });
    begin(&place, None, "toolu_denied", "python3 other.py");
    place.fire("pre-tool-use", SESSION, edit.clone());
    place.write("new.txt", "new\n");
    place.fire("post-tool-use", SESSION, edit);
    place.fire("stop", SESSION, json!({"last_assistant_message": "done"}));
    assert_eq!(listed(&place, "toolu_refused"), "");
    assert_eq!(listed(&place, "toolu_denied"), "");
    assert!(listed(&place, "toolu_1").contains("changed notes.txt"), "{}", listed(&place, "toolu_1"));
    assert!(listed(&place, "toolu_2").contains("created new.txt"), "{}", listed(&place, "toolu_2"));
}

#[test]
fn what_a_call_that_was_broken_off_had_done_is_its_own() {
    let place = Place::new();
    begin(&place, None, "toolu_broken", "python3 tidy.py");
    place.write("made.txt", "half\n");
    call(&place, "toolu_1", "python3 -c \"open('notes.txt', 'w').write('theirs')\"");
    place.fire("stop", SESSION, json!({"last_assistant_message": "done"}));
    let broken = listed(&place, "toolu_broken");
    assert!(broken.contains("created made.txt") && !broken.contains("notes.txt"), "{broken}");
    place.done(&["undo", "--tool-call", "toolu_broken"]);
    assert!(!place.path("made.txt").exists() && place.path("notes.txt").exists());
}

#[test]
fn calls_side_by_side_keep_what_each_of_them_changes() {
    for other in [None, Some("agent-2")] {
        let place = Place::new();
        begin(&place, None, "toolu_long", "python3 long.py");
        begin(&place, other, "toolu_short", "python3 short.py");
        place.write("short.txt", "x\n");
        place.fire("post-tool-use", SESSION, of_agent(other, "toolu_short", "python3 short.py"));
        place.write("long.txt", "x\n");
        place.fire("post-tool-use", SESSION, of_agent(None, "toolu_long", "python3 long.py"));
        let long = listed(&place, "toolu_long");
        assert!(long.contains("long.txt"), "{other:?}: {long}");
        place.done(&["undo", "--tool-call", "toolu_long"]);
        assert!(!place.path("long.txt").exists(), "{other:?}");
    }
}

#[test]
fn a_call_that_removes_nobody_knows_what_is_undone() {
    let place = Place::new();
    place.write("notes.txt", "mine\n");
    let fields = of_agent(None, "toolu_1", "rm \"$NOTES\"");
    place.fire("pre-tool-use", SESSION, fields.clone());
    fs::remove_file(place.path("notes.txt")).unwrap();
    place.fire("post-tool-use", SESSION, fields);
    place.done(&["undo", "--tool-call", "toolu_1"]);
    assert_eq!(fs::read_to_string(place.path("notes.txt")).unwrap(), "mine\n");
}
