//! Projects by chance: files, folders and links of all kinds and names, and repositories in every state that git leaves
//! one in.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use super::chance::Chance;
use super::sh;
use crate::place::Place;

const NAMES: &[&[u8]] = &[
    b"a",
    b"b",
    b"c",
    b"src",
    b"docs",
    b"d e",
    "ü".as_bytes(),
    b"x.py",
    b"t_test.py",
    b"data.bin",
    b".env",
    b"build",
    b".gitignore",
    b"old.log",
    b"-rf",
    b"two\nlines",
    b"qu'ot\"es$(x)",
    b" spaces ",
    b"no\xffutf8",
    b"HEAD",
    b"refs",
    b"objects",
    b"index",
    b"x.lock",
    b"*",
    b"A",
    b".hidden",
    b"a\\b",
    b"long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-\
      long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-long-\
      long-long-long-long",
];
const MODES: &[u32] = &[0o644, 0o644, 0o644, 0o600, 0o755, 0o444, 0o400, 0o000, 0o4755, 0o666];
const FOLDER_MODES: &[u32] = &[0o755, 0o755, 0o755, 0o700, 0o777, 0o1777, 0o555, 0o2755];
const TARGETS: &[&str] = &["a", "../a", "nowhere", "src", ".", "..", "/nonexistent/x", "docs/b", "d e"];

/// What stands in a history, with its share in hundred.
const HISTORY: &[(usize, &str)] = &[
    (
        50,
        "git checkout -q -b side; echo s > side-file; echo s >> first; git add -A; git commit -qm side; git checkout -q main",
    ),
    (40, "echo stashed >> first; git stash -q"),
    (15, "echo u > for-stash; echo s2 >> calc.py; git add calc.py; git stash -q -u"),
    (20, "git tag v1; git tag -a -m note v2; git notes add -m noted"),
    (20, "git pack-refs --all"),
    (10, "git gc -q"),
    (10, "git commit-graph write --reachable"),
    (
        25,
        "git init -q -b main nested; cd nested; echo n > n; git add -A; git commit -qm n; echo n2 >> n; git stash -q; echo dirty >> n; echo u > u; git branch other",
    ),
    (
        10,
        "mkdir -p docs; git init -q -b main docs/inner && cd docs/inner && echo i > i && git add -A && git commit -qm i && git init -q -b main deep && cd deep && echo d > d && git add -A && git commit -qm d && echo dirty >> d",
    ),
    (
        8,
        "git init -q --ref-format=reftable -b main reft && cd reft && echo n > n && git add -A && git commit -qm n && git branch b2 && echo n2 >> n && git stash -q",
    ),
    (
        5,
        "git init -q --object-format=sha256 -b main sha && cd sha && echo n > n && git add -A && git commit -qm n && echo n2 >> n && git stash -q",
    ),
    (5, "git clone -q --shared . shared && echo s >> shared/first"),
    (5, "git clone -q --bare --no-hardlinks . bare.git"),
    (
        25,
        "git init -q -b main ../lib; (cd ../lib; echo l > l; git add -A; git commit -qm l); \
          git submodule add -q \"$(realpath ../lib)\" lib; git commit -qm sub; \
          cd lib; git checkout -q -b mine; echo w >> l; git commit -qam mine; echo u > new; echo d >> l; git stash -q; echo e >> l",
    ),
    (
        8,
        "git init -q -b main ../in; (cd ../in; echo i > i; git add -A; git commit -qm i); git init -q -b main ../out; \
         (cd ../out; echo o > o; git submodule add -q \"$(realpath ../in)\" in; git add -A; git commit -qm o); \
         git submodule add -q \"$(realpath ../out)\" deps/out; git submodule update -q --init --recursive; git commit -qm deps; \
         echo dirty >> deps/out/in/i; echo u > deps/out/u",
    ),
    (20, "git worktree add -q wt -b wtb; echo d > wt/dirty; echo w >> wt/first"),
    (
        5,
        "git worktree add -q --detach wt2; cd wt2; echo d >> first; git stash -q; git checkout -q -b wt2b; git commit -q --allow-empty -m w",
    ),
    (8, "git config core.splitIndex true; git update-index --split-index"),
    (6, "git update-index --index-version 4"),
    (6, "git update-index --untracked-cache"),
    (5, "git update-index --assume-unchanged first; echo assumed >> first"),
    (5, "git update-index --skip-worktree calc.py; echo skipped >> calc.py"),
    (4, "git sparse-checkout set --no-cone '/*' '!/docs'"),
    (
        5,
        "printf '* text=auto\\n*.py eol=crlf\\n' > .gitattributes; git add -A; git commit -qm attributes; git checkout -q -f .",
    ),
    (
        4,
        "git config filter.up.clean 'tr a-z A-Z'; git config filter.up.smudge 'tr A-Z a-z'; echo '*.txt filter=up' > .gitattributes; echo abc > f.txt; git add -A; git commit -qm filter",
    ),
    (
        5,
        "git config alias.x status; printf '#!/bin/sh\\nexit 0\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    ),
    (5, "echo '*.log' > .git/info/exclude; echo t > kept.log; git add -f kept.log; git commit -qm kept"),
    (
        6,
        "git remote add origin ../elsewhere; git update-ref refs/remotes/origin/main HEAD; git branch -q -u origin/main",
    ),
    (6, "head -c 4000000 /dev/urandom > huge.bin; git add huge.bin; git commit -qm huge; rm huge.bin"),
    (
        5,
        "git clone -q --reference . . referring; git -C referring checkout -q -b r; echo r >> referring/first",
    ),
    (5, "git config rerere.enabled true; git config core.logAllRefUpdates always; git tag logged"),
    (3, "git update-ref refs/heads/d/e/e/p HEAD; git symbolic-ref refs/heads/alias refs/heads/main"),
];

/// What is not committed, and states that git is in the middle of.
const DIRT: &[(usize, &str)] = &[
    (30, "echo changed >> first; rm -f a"),
    (30, "git add -A -- src docs b"),
    (8, "echo new > intended; git add -N intended"),
    (6, "git checkout -q --detach"),
    (4, "git checkout -q --orphan unborn"),
    (8, "git stash -q; git merge -q side"),
    (5, "git stash -q; git rebase -q side"),
    (5, "git stash -q; git cherry-pick side; echo half >> side-file"),
    (5, "git bisect start -q HEAD HEAD~1"),
    (5, "git rm -q --cached calc.py"),
    (5, "git mv first second"),
    (5, "mkdir -p odd; echo 'gitdir: nowhere' > odd/.git; echo o > odd/o"),
    (4, "mkdir -p odd2/.git; echo o > odd2/o"),
    (5, "mkdir -p empty/deep/er"),
    (6, "mkdir -p hard; echo h > hard/one; ln hard/one hard/two"),
    (5, "mkdir -p shut; echo s > shut/s; chmod 555 shut"),
    (20, "git status -s >/dev/null"),
    (6, "head -c 5000000 /dev/urandom > huge.bin; head -c 2000000 /dev/zero > huge-too.bin"),
    (5, "d=$(printf 'deep/%.0s' $(seq 100)); mkdir -p $d; echo d > ${d}d; chmod 700 deep/deep"),
    (6, "mkfifo pipe; mkdir -p src; mkfifo src/pipe"),
    (5, "rm -f First; cp first First; cp calc.py Calc.py; git add First"),
    (4, "ln first hard-first; ln calc.py src-calc; git add hard-first"),
];

/// Where the project's repository is, where it is not simply in the project.
const ELSEWHERE: &[(usize, &str)] = &[
    (
        5,
        "cd ..; mv project main-tree; git -C main-tree worktree add -q -f ../project -b own; cp -an main-tree/. project/; cd project; git reset -q",
    ),
    (
        4,
        "mv .git ..; printf '/*\\n!/project\\n' >> ../.git/info/exclude; git read-tree HEAD; cd ..; git add -A project; git commit -qm moved",
    ),
    (4, "mv .git ../elsewhere.git; echo 'gitdir: ../elsewhere.git' > .git"),
];

pub(super) fn furnish(chance: &mut Chance, place: &Place) -> Vec<&'static str> {
    let root = place.root();
    let mut used = Vec::new();
    place.write("first", "one\n");
    grow(chance, &root, 0);
    let mut script = String::from("git add -A; git commit -qm one");
    for part in chosen(chance, HISTORY, &mut used) {
        script += &format!("\n({part})");
    }
    sh(place, &root, &script);
    grow(chance, &root, 0);
    let more = if chance.percent(50) { "git add -A; git commit -qm more --allow-empty" } else { ":" };
    let mut script = more.to_owned();
    let moved = chosen(chance, ELSEWHERE, &mut used);
    // Working trees and submodules know where the repository was.
    let can_move = !used.iter().any(|part| part.contains("submodule") || part.contains("worktree add -q wt"));
    for part in moved.into_iter().take(usize::from(can_move)).chain(chosen(chance, DIRT, &mut used)) {
        script += &format!("\n({part})");
    }
    sh(place, &root, &script);
    grow(chance, &root, 0);
    used
}

fn chosen(
    chance: &mut Chance,
    parts: &'static [(usize, &str)],
    used: &mut Vec<&'static str>,
) -> Vec<&'static str> {
    let parts: Vec<&str> =
        parts.iter().filter(|(share, _)| chance.percent(*share)).map(|(_, part)| *part).collect();
    used.extend(&parts);
    parts
}

fn grow(chance: &mut Chance, folder: &Path, depth: usize) {
    for _ in 0..1 + chance.below(6) {
        let name = OsStr::from_bytes(chance.one(NAMES));
        let path = folder.join(name);
        if path.symlink_metadata().is_ok() {
            continue;
        }
        match chance.below(10) {
            0..6 => {
                let content =
                    if name == ".gitignore" { b"build/\n*.log\n".to_vec() } else { chance.content() };
                fs::write(&path, content).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(chance.one(MODES))).unwrap();
            }
            6 => symlink(chance.one(TARGETS), &path).unwrap(),
            _ if depth < 3 => {
                fs::create_dir(&path).unwrap();
                grow(chance, &path, depth + 1);
                fs::set_permissions(&path, fs::Permissions::from_mode(chance.one(FOLDER_MODES))).unwrap();
            }
            _ => {}
        }
    }
}
