//! Verdicts in real scratch repositories: what is found, what is only a risk, and what must stay silent.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::lifecycle::call::shell_call::*;

/// A repository with sources, tests, ignored output, and a home beside it.
pub(crate) struct Scratch {
    _directory: tempfile::TempDir,
    pub(crate) root: PathBuf,
    pub(crate) home: PathBuf,
}

impl Scratch {
    pub(crate) fn new() -> Scratch {
        let scratch = Scratch::without_git();
        for arguments in [
            &["init", "-q", "-b", "main"][..],
            &["config", "user.email", "ada@example.org"],
            &["config", "user.name", "Ada"],
            &["add", "-A"],
            &["commit", "-q", "-m", "first"],
        ] {
            scratch.git(arguments);
        }
        scratch
    }

    pub(crate) fn without_git() -> Scratch {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().canonicalize().unwrap();
        let scratch = Scratch { _directory: directory, root: base.join("project"), home: base.join("home") };
        for (name, text) in [
            ("src/a.ts", "a\n"),
            ("src/b.ts", "b\n"),
            ("src/old/c.ts", "c\n"),
            ("src/a.test.ts", "it('a')\n"),
            ("tests/unit/d.test.ts", "it('d')\n"),
            ("docs/guide.md", "guide\n"),
            ("docs/more.md", "more\n"),
            ("package.json", "{}\n"),
            ("README.md", "readme\n"),
            (".gitignore", "node_modules/\ndist/\n*.log\n"),
            ("node_modules/x/index.js", "x\n"),
            ("dist/main.js", "x\n"),
        ] {
            scratch.write(name, text);
        }
        fs::create_dir_all(&scratch.home).unwrap();
        fs::write(scratch.home.join(".profile"), "x\n").unwrap();
        scratch
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn git(&self, arguments: &[&str]) {
        let output = Command::new("git").current_dir(&self.root).args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    pub(crate) fn inspect(&self, command: &str) -> ShellCall {
        inspect(command, ShellDialect::Posix, &self.root, &Project::locate(&self.root), &self.home)
    }

    /// `SF-010 high src, bulk_deletion high src`.
    pub(crate) fn verdict(&self, command: &str) -> String {
        let call = self.inspect(command);
        let findings = call.findings.iter().map(|finding| {
            format!("{} {} {}", finding.pattern_id, finding.severity.name(), finding.path)
                .trim_end()
                .to_owned()
        });
        let risks =
            call.risks.iter().map(|risk| format!("{} {} {}", risk.name, risk.level.name(), risk.target));
        findings.chain(risks).collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn kept(&self, command: &str) -> Vec<String> {
        let call = self.inspect(command);
        call.keep.iter().map(|path| path.strip_prefix(&self.root).unwrap().display().to_string()).collect()
    }

    fn check(&self, table: &[(&str, &str)]) {
        for (command, expected) in table {
            assert_eq!(self.verdict(command), *expected, "{command}");
        }
    }
}

#[test]
fn deletions_inside_the_project() {
    let scratch = Scratch::new();
    assert!(scratch.verdict("rm -rf ..").starts_with("SF-010 critical /"));
    scratch.check(&[
        ("rm -rf src", "SF-010 high src"),
        ("rm -rf src/", "SF-010 high src"),
        ("rm -rf ./src/*", "SF-010 high src/*"),
        ("cd src && rm -rf *", "SF-010 high src/*"),
        ("npm test && sudo rm -rf src", "SF-010 high src"),
        ("bash -c 'rm -rf tests'", "SF-010 high tests"),
        ("(cd /; true); rm -rf src", "SF-010 high src"),
        ("git rm -rf src", "SF-010 high src"),
        ("find src -delete", "SF-010 high src"),
        ("python3 -c \"import shutil; shutil.rmtree('src')\"", "SF-010 high src"),
        ("mv src /tmp/away", "SF-010 high src"),
        ("rm -rf .", "SF-010 critical ."),
        ("rm -rf *", "SF-010 critical ./*"),
        ("rm -rf .git", "SF-010 critical .git"),
        ("rm -rf src/old", "bulk_deletion high src/old"),
        ("rm -r docs", "bulk_deletion high docs"),
        ("rm README.md", "file_deletion low README.md"),
        ("rm src/a.test.ts", "file_deletion high src/a.test.ts"),
        ("git rm src/a.ts", "version_control_deletion low src/a.ts"),
        ("git rm --cached src/a.ts", "version_control_deletion low src/a.ts"),
        ("git rm -r --cached src", "version_control_deletion low src"),
        ("> src/a.test.ts", "test_file_modification medium src/a.test.ts"),
        ("sed -i s/a/b/ src/a.test.ts", "test_file_modification medium src/a.test.ts"),
        ("rm -rf \"$UNSET_THING\"", "bulk_deletion high …"),
        ("rm .git/index.lock", ""),
        ("rm .git/index", "file_deletion low .git/index"),
        ("rm -f .git/packed-refs", "SF-010 medium .git/packed-refs"),
        ("git rm nothing.ts", ""),
        ("git rm -f nothing.ts", "version_control_deletion low nothing.ts"),
        ("shred -u nothing.ts", "file_deletion medium nothing.ts"),
        ("shred README.md", "file_deletion medium README.md"),
        ("find -L /tmp/nothing-here -delete", "SF-011 medium /tmp/nothing-here"),
        ("git restore -", "SF-012 medium"),
        ("rm src", ""),
    ]);
}

#[test]
fn most_of_the_tracked_files_by_name() {
    let scratch = Scratch::new();
    let verdict = scratch.verdict("rm src/a.ts src/b.ts README.md package.json .gitignore docs/guide.md");
    assert!(verdict.starts_with("SF-010 high"), "{verdict}");
    assert!(!scratch.verdict("rm src/a.ts src/b.ts README.md").contains("SF-"));
}

#[test]
fn what_is_made_again_or_temporary_is_silent() {
    let scratch = Scratch::new();
    let silent = [
        "rm -rf node_modules",
        "rm -rf node_modules dist && npm install",
        "rm -rf ./dist/*",
        "find . -name node_modules -type d -prune -exec rm -rf {} +",
        "rm -rf coverage",
        "rm -rf /tmp/steadfast-nothing-here",
        "T=$(mktemp -d); rm -rf \"$T\"",
        "rm -f app.log",
        "cargo clean",
        "docker run --rm -it image",
        "npm rm left-pad",
        "git checkout -b work",
        "git checkout main",
        "git stash",
        "git commit -m \"rm -rf /\"",
        "grep -r \"rm -rf\" .",
        "echo \"git reset --hard\"",
        "cat <<'E' > /tmp/notes.md\nrm -rf /\nE",
        "git reset --hard",
        "git checkout -- .",
        "git checkout .",
        "git restore src",
        "git clean -fd",
        "git clean -fdx",
        "git stash clear",
        "git checkout -f main",
        "echo hi > new.ts",
        "echo hi >> README.md",
        "mv src lib",
        "cp src/a.ts src/z.ts",
        "chmod +x src/a.ts",
        "rm -rf ~/.cache/thing",
    ];
    for command in silent {
        assert_eq!(scratch.verdict(command), "", "{command}");
        assert!(!scratch.kept(command).iter().any(|name| name.starts_with("node_modules")), "{command}");
    }
}

#[test]
fn a_folder_that_only_has_the_name_of_output_is_kept() {
    let scratch = Scratch::new();
    scratch.write("build/release.sh", "x\n");
    scratch.git(&["add", "build"]);
    scratch.git(&["commit", "-q", "-m", "scripts"]);
    assert_eq!(scratch.verdict("rm -rf build"), "bulk_deletion high build");
    assert_eq!(scratch.kept("rm -rf build"), ["build/release.sh"]);
}

#[test]
fn what_tools_leave_goes_silently_and_is_kept() {
    let scratch = Scratch::new();
    scratch.write("app.log", "by hand\n");
    scratch.write("src/a.ts.orig", "old\n");
    scratch.write("src/a.o", "made\n");
    scratch.write("dist/build.log", "made\n");
    let command = "rm -f app.log src/a.ts.orig src/a.o dist/build.log";
    assert_eq!(
        (scratch.verdict(command), scratch.kept(command)),
        (String::new(), vec!["app.log".to_owned(), "src/a.ts.orig".to_owned()])
    );
}

#[test]
fn places_outside_of_the_project() {
    let scratch = Scratch::new();
    for (command, expected) in [
        ("rm -rf ~", "SF-011 critical"),
        ("rm -rf /", "SF-011 critical"),
        ("rm -rf /*", "SF-011 critical"),
        ("rm -rf $HOME/", "SF-011 critical"),
        ("sudo rm -rf /etc", "SF-011 critical"),
        ("cd / && rm -rf etc", "SF-011 critical"),
        ("chmod -R 777 /", "SF-011 high"),
        ("dd if=/dev/zero of=/dev/sda", "SF-017 critical"),
        ("echo x > /etc/passwd", "SF-011 high"),
    ] {
        let verdict = scratch.verdict(command);
        assert!(verdict.starts_with(expected), "{command}: {verdict}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_to_where_they_lead() {
    let scratch = Scratch::new();
    std::os::unix::fs::symlink("/etc", scratch.root.join("link")).unwrap();
    assert_eq!(scratch.verdict("rm link"), "file_deletion low link", "the link itself is ours");
    assert!(scratch.verdict("rm -f link/hostname link/passwd").starts_with("SF-011 critical"));
    assert!(scratch.verdict("echo x > link/passwd").starts_with("SF-011 high"));
}

#[test]
fn git_work_that_would_be_lost_is_named() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "changed\n");
    scratch.write("new.ts", "new\n");
    for (command, expected, kept) in [
        ("git reset --hard", "SF-012 high src/a.ts", &["src/a.ts"][..]),
        ("git checkout -- .", "SF-012 high src/a.ts", &["src/a.ts"]),
        ("git checkout src/a.ts", "SF-012 high src/a.ts", &["src/a.ts"]),
        ("git checkout -- src/b.ts", "", &[]),
        ("git restore src", "SF-012 high src/a.ts", &["src/a.ts"]),
        ("git restore --staged src", "", &[]),
        ("git checkout -f", "SF-012 high src/a.ts", &["src/a.ts"]),
        ("git switch --discard-changes main", "SF-012 high src/a.ts", &["src/a.ts"]),
        ("cd src && git reset --hard", "SF-012 high src/a.ts", &["src/a.ts"]),
        ("git clean -fd", "SF-012 high new.ts", &["new.ts"]),
        ("git clean -fd docs", "", &[]),
        ("git clean -nfd", "", &[]),
    ] {
        assert_eq!(scratch.verdict(command), expected, "{command}");
        assert_eq!(scratch.kept(command), kept, "{command}");
    }
    scratch.git(&["stash", "-q"]);
    assert_eq!(scratch.verdict("git stash drop"), "SF-012 high");
    assert_eq!(scratch.verdict("git stash clear"), "SF-012 high");
}

#[test]
fn commits_that_nothing_else_holds() {
    let scratch = Scratch::new();
    scratch.git(&["checkout", "-q", "-b", "work"]);
    scratch.git(&["commit", "-q", "--allow-empty", "-m", "second"]);
    scratch.git(&["checkout", "-q", "main"]);
    scratch.git(&["branch", "-q", "merged"]);
    scratch.check(&[
        ("git branch -D work", "SF-012 high"),
        ("git branch -D merged", ""),
        ("git branch -D nothing", ""),
        ("git push --force origin main", "SF-013 high"),
        ("git push origin main", ""),
        ("git reflog expire --expire=now --all", "SF-013 high"),
        ("git filter-branch --all", "SF-013 high"),
        ("git gc --prune=now", "SF-013 medium"),
        ("git rebase work", ""),
        ("git commit --no-verify -m x", "LP-R006 high"),
        ("git branch -f work main", "SF-012 medium"),
        ("git branch -M main work", "SF-012 high"),
        ("git checkout -B work main", "SF-012 high"),
        ("git checkout -Bwork main", "SF-012 high"),
        ("git switch -C work main", "SF-012 high"),
        ("git worktree add -B work ../tree main", "SF-012 high"),
        ("git update-ref refs/heads/work main", "SF-012 high"),
        ("git fetch . +main:work", "SF-012 high"),
        ("git branch | grep -v main | xargs git branch -D", "SF-012 high"),
        ("echo 'delete refs/heads/work' | git update-ref --stdin", "SF-013 high"),
        ("git checkout -B fresh main", ""),
        ("git branch -f merged main", ""),
        ("git update-ref refs/backup/x main", ""),
        ("git fetch origin '+refs/heads/*:refs/remotes/origin/*'", ""),
    ]);
    scratch.git(&["checkout", "-q", "work"]);
    scratch.check(&[
        ("git reset --hard HEAD~1", "SF-012 high"),
        ("git reset --keep HEAD~1", "SF-012 high"),
        ("git checkout -B work main", "SF-012 high"),
        ("GIT_SEQUENCE_EDITOR='sed -i 1d' git rebase -i HEAD~1", "SF-013 high"),
        ("git -c sequence.editor='sed -i s/pick/drop/' rebase -i HEAD~1", "SF-013 high"),
        ("GIT_SEQUENCE_EDITOR=true git rebase -i HEAD~1", ""),
        ("git reset --soft HEAD~1", ""),
    ]);
    // What another branch holds is not lost.
    scratch.git(&["branch", "-q", "kept"]);
    assert_eq!(scratch.verdict("git reset --hard HEAD~1"), "");
}

#[test]
fn patterns_of_git_choose_in_the_whole_tree_and_a_clean_begins_where_it_runs() {
    let scratch = Scratch::new();
    scratch.write("src/more/own.ts", "x = 1\n");
    scratch.write("src/a.ts", "changed\n");
    scratch.check(&[
        ("git checkout -- ':(glob)**/*.ts'", "SF-012 high src/a.ts"),
        ("git checkout -- ':/src'", "SF-012 high src/a.ts"),
        ("git checkout -- ':(top)src'", "SF-012 high src/a.ts"),
        ("git restore ':!docs'", "SF-012 high src/a.ts"),
        ("cd tests && git clean -fd", ""),
        ("cd src && git clean -fd", "SF-012 high src/more/own.ts"),
        ("git archive HEAD | tar x", "SF-012 high src/a.ts"),
        ("git archive HEAD | tar x -C /tmp", ""),
        ("git show HEAD:src/a.ts | tee src/a.ts", "SF-012 high src/a.ts"),
        ("git status --short | cut -c4- | xargs rm -f", "SF-012 high src/more/own.ts"),
    ]);
}

#[test]
fn a_forced_push_is_judged_by_what_the_remote_has() {
    let scratch = Scratch::new();
    let remote = scratch.home.join("remote.git");
    scratch.git(&["init", "-q", "--bare", remote.to_str().unwrap()]);
    scratch.git(&["remote", "add", "origin", remote.to_str().unwrap()]);
    scratch.git(&["push", "-q", "-u", "origin", "main"]);
    assert_eq!(scratch.verdict("git push -f"), "SF-013 medium");
    assert_eq!(scratch.verdict("git push --force-with-lease"), "");
    assert_eq!(scratch.verdict("git push --force-with-lease origin main"), "SF-013 medium");
    assert_eq!(scratch.verdict("git push --force-with-lease origin main:topic"), "");
    scratch.git(&["commit", "-q", "--amend", "--allow-empty", "-m", "other"]);
    assert_eq!(scratch.verdict("git push -f origin main"), "SF-013 high");
    assert_eq!(scratch.verdict("git push origin +main"), "SF-013 high");
    assert_eq!(scratch.verdict("git push --force-with-lease"), "SF-013 medium");
}

#[test]
fn the_guard_is_not_for_the_agent_to_switch_off() {
    let scratch = Scratch::new();
    scratch.write(".aiwg/ralph/registry.json", "{}");
    scratch.write(".claude/settings.json", "{}");
    for command in [
        "rm -rf .aiwg",
        "rm -rf .aiwg/ralph",
        "echo '{}' > .aiwg/ralph/registry.json",
        "sed -i s/a/b/ .aiwg/ralph/registry.json",
        "mv .aiwg/ralph /tmp/x",
        "rm .claude/settings.json",
        "rm -rf .claude",
        "steadfast gate approve",
        "pkill -f steadfast-hook",
        "python3 -c \"import os; os.remove('.aiwg/ralph/registry.json')\"",
    ] {
        assert!(
            scratch.verdict(command).starts_with("SF-002 critical"),
            "{command}: {}",
            scratch.verdict(command)
        );
    }
    assert!(scratch.verdict("cat .aiwg/ralph/registry.json").is_empty());
}

#[test]
fn results_are_computed_where_words_decide_them() {
    let scratch = Scratch::new();
    let shown = |command: &str| {
        let text =
            |text: &Option<String>| text.as_deref().map_or("-".to_owned(), |text| text.trim_end().to_owned());
        let changes = scratch.inspect(command).changes;
        let one =
            |change: &Change| format!("{}: {} -> {}", change.path, text(&change.before), text(&change.after));
        changes.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    for (command, expected) in [
        ("rm src/a.ts", "src/a.ts: a -> -"),
        ("rm -r src/old", "src/old/c.ts: c -> -"),
        ("git rm src/a.ts", "src/a.ts: a -> -"),
        ("git rm --cached src/a.ts", ""),
        ("cat > src/a.ts <<'E'\nnew\nE", "src/a.ts: a -> new"),
        ("cat > src/a.ts <<E\nnew $UNSET\nE", ""),
        ("echo more >> src/a.ts", "src/a.ts: a -> a\nmore"),
        ("> src/a.ts", "src/a.ts: a -> "),
        ("mv src/a.ts src/z.ts", "src/a.ts: a -> -, src/z.ts: - -> a"),
        ("mv src/a.ts docs", "docs/a.ts: - -> a, src/a.ts: a -> -"),
        ("mv src/old src/older", "src/old/c.ts: c -> -, src/older/c.ts: - -> c"),
        ("cp src/a.ts src/b.ts", "src/b.ts: b -> a"),
        ("cp src/a.ts src/z.ts && rm src/a.ts", "src/a.ts: a -> -, src/z.ts: - -> a"),
        ("sed s/a/b/ src/a.ts > /tmp/x && mv /tmp/x src/a.ts", "src/a.ts: a -> b"),
        ("grep -v a src/a.ts > t && mv t src/a.ts", "src/a.ts: a -> "),
        ("sed s/a/b/ src/a.ts | tee t > /dev/null; cp t src/a.ts", "src/a.ts: a -> b, t: - -> b"),
        // The shell empties the file before it is read.
        ("sed s/a/b/ src/a.ts > src/a.ts", "src/a.ts: a -> "),
        ("sed s/a/b/ src/*.ts > t && mv t src/a.ts", ""),
        ("cat src/b.ts > src/a.ts", "src/a.ts: a -> b"),
        ("sed s/a/c/ src/a.ts | sponge src/a.ts", "src/a.ts: a -> c"),
        ("cat /dev/null > src/a.ts", "src/a.ts: a -> "),
        ("tee src/a.ts < /dev/null", "src/a.ts: a -> "),
        ("install -m 644 /dev/null src/a.ts", "src/a.ts: a -> "),
        ("ln -sf /dev/null src/a.ts", "src/a.ts: a -> "),
        ("mv src/a.ts src/new/", "src/a.ts: a -> -, src/new/a.ts: - -> a"),
        ("grep -rl a src/old | xargs sed -i s/c/d/", "src/old/c.ts: c -> d"),
        ("sed s/b/c/ < src/b.ts >> src/a.ts", "src/a.ts: a -> a\nc"),
        ("sed -i s/a/b/ src/a.ts", "src/a.ts: a -> b"),
        ("sed -i.bak -e 's/a/b/' -e 's/b/c/' src/a.ts", "src/a.ts: a -> c"),
        ("sed -i '' 's/a/b/' src/a.ts src/b.ts", "src/a.ts: a -> b"),
        ("sed -i 1d src/a.ts", "src/a.ts: a -> "),
        ("sed -i 's/[a-z]/b/' src/a.ts", "src/a.ts: a -> b"),
        ("sed -i -n 's/a/b/p' src/a.ts", "src/a.ts: a -> b"),
        ("sed -i 's/\\(a\\)\\1/b/' src/a.ts", ""),
        ("perl -0pi -e 's/a\\n/c/' src/a.ts", "src/a.ts: a -> c"),
        (
            "python3 -c \"p='src/a.ts'; s=open(p).read(); open(p,'w').write(s.replace('a','b'))\"",
            "src/a.ts: a -> b",
        ),
        ("sed -i \"s/a/$X/\" src/a.ts", ""),
        ("perl -pi -e 's/a/b/' src/a.ts", "src/a.ts: a -> b"),
        ("find src -name 'a.ts' -exec sed -i s/a/b/ {} +", "src/a.ts: a -> b"),
        ("git apply <<'E'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-a\n+new\nE", "src/a.ts: a -> new"),
        ("git apply <<'E'\n--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1 +1 @@\n-x\n+new\nE", ""),
        (
            "printf -- '--- a/src/a.ts\\n+++ /dev/null\\n@@ -1 +0,0 @@\\n-a\\n' | git apply",
            "src/a.ts: a -> -",
        ),
        ("rm src/*.test.ts", "src/a.test.ts: it('a') -> -"),
        (
            "find . -name '*.test.ts' -delete",
            "src/a.test.ts: it('a') -> -, tests/unit/d.test.ts: it('d') -> -",
        ),
        ("find . -name '*.test.ts' -mtime +9 -delete", ""),
        ("ls | head -3", ""),
    ] {
        assert_eq!(shown(command), expected, "{command}");
    }
}

#[test]
fn what_can_be_lost_is_kept() {
    let scratch = Scratch::new();
    for (command, expected) in [
        ("rm -rf src", &["src/a.test.ts", "src/a.ts", "src/b.ts", "src/old/c.ts"][..]),
        ("rm -r docs node_modules", &["docs/guide.md", "docs/more.md"]),
        ("sed -i s/a/b/ src/a.ts", &["src/a.ts"]),
        ("echo x > src/a.ts", &["src/a.ts"]),
        ("mv src/a.ts src/b.ts", &["src/a.ts", "src/b.ts"]),
        ("cp src/a.ts src/b.ts", &["src/b.ts"]),
        ("find src -mtime +9 -delete", &["src/a.test.ts", "src/a.ts", "src/b.ts", "src/old/c.ts"]),
        ("cat src/a.ts", &[]),
    ] {
        assert_eq!(scratch.kept(command), expected, "{command}");
    }
}

#[test]
fn without_git_the_files_themselves_count() {
    let scratch = Scratch::without_git();
    scratch.check(&[
        ("rm -rf src", "SF-010 high src"),
        ("rm -rf node_modules", ""),
        ("rm -rf docs", "bulk_deletion high docs"),
        ("git reset --hard", ""),
        ("rm src/a.ts", "file_deletion low src/a.ts"),
    ]);
}

#[test]
fn more_than_can_be_kept_is_said() {
    let scratch = Scratch::new();
    let folder = scratch.root.join("data/many");
    fs::create_dir_all(&folder).unwrap();
    for number in 0..=place::MOST_FILES {
        fs::write(folder.join(format!("{number}")), "").unwrap();
    }
    assert_eq!(scratch.verdict("rm -rf data/many"), "SF-015 high data/many");
}

#[test]
fn a_call_that_only_reads_says_so() {
    let scratch = Scratch::new();
    let call = scratch.inspect("git status && ls | head");
    assert!(call.read_only && !call.runs_code);
    let call = scratch.inspect("./deploy.sh");
    assert!(call.runs_code && !call.read_only);
    let nowhere = Project::locate(Path::new("/nowhere/at/all"));
    inspect(
        "rm -rf x && git reset --hard",
        ShellDialect::Posix,
        Path::new("/nowhere/at/all"),
        &nowhere,
        Path::new("/home/u"),
    );
}

#[test]
fn what_is_printed_of_a_file_is_an_edit_of_it_when_it_takes_its_place() {
    let scratch = Scratch::new();
    let rows: &[(&str, &[&str])] = &[
        ("sed /it/d gone.test.ts > t && mv t gone.test.ts", &["gone.test.ts"]),
        ("sed /it/d gone.test.ts > /tmp/t-of-it; cp /tmp/t-of-it ./gone.test.ts", &["gone.test.ts"]),
        ("grep -v it gone.test.ts | sponge gone.test.ts", &["gone.test.ts"]),
        ("sed -i /it/d gone.test.ts", &["gone.test.ts"]),
        ("sed /it/d gone.test.ts > /tmp/out", &[]),
        ("grep -v it gone.test.ts > found && mv found kept", &[]),
        ("cat gone.test.ts | head -3 > /tmp/out", &[]),
        ("grep -v it gone.test.ts | tee /tmp/out", &[]),
        ("cat gone.test.ts src/a.ts > t && mv t src/a.ts", &[]),
    ];
    for (command, expected) in rows {
        let unseen: Vec<String> = scratch.inspect(command).unseen.into_iter().map(|it| it.path).collect();
        assert_eq!(unseen, *expected, "{command}");
    }
}

#[test]
fn what_rests_on_reckoning_anothers_output_is_told_and_not_stopped() {
    let scratch = Scratch::new();
    for (command, severity) in [
        ("$(printf r)m -rf /", "medium"),
        ("r$(printf m) -rf /", "medium"),
        ("rm -rf $(printf /)", "medium"),
        ("rm -rf \"$(echo /etc)\"", "medium"),
        ("X=$(echo /etc); rm -rf $X", "medium"),
        ("echo -ne 'rm\\x20-rf\\x20/' | bash", "medium"),
        // Written in words, or printed by what prints the same everywhere.
        ("rm -rf / $(printf x)", "critical"),
        ("echo 'rm -rf /' | bash", "critical"),
        ("printf '\\162\\155\\040-rf\\040/' | bash", "critical"),
        ("eval \"$(printf 'rm -rf /')\"", "critical"),
        ("rm -rf \"$(pwd)\"", "critical"),
        ("IFS=:; TOOL='rm:-rf:/'; $TOOL", "critical"),
    ] {
        let worst = scratch.inspect(command).findings.iter().map(|finding| finding.severity).max();
        assert_eq!(worst.map(|worst| worst.name()), Some(severity), "{command}");
    }
    assert_eq!(scratch.verdict("git commit --no-verify -m \"$(echo x)\""), "LP-R006 high");
}

#[test]
fn a_tilde_out_of_a_variable_is_meant_for_the_home_where_no_file_has_its_name() {
    let scratch = Scratch::new();
    for command in ["W='rm -rf ~'; $W", "D='~/'; rm -rf $D", "D=\"~\"; rm -rf -- $D"] {
        assert!(scratch.verdict(command).starts_with("SF-011"), "{command}: {}", scratch.verdict(command));
    }
    assert!(!scratch.verdict("D='~'; rm -rf \"$D\"").contains("SF-"));
    scratch.write("~", "made by mistake\n");
    assert_eq!(scratch.verdict("D='~'; rm $D"), "file_deletion low ~");
}

#[test]
fn a_plus_beside_a_lease_for_the_same_branch_is_told() {
    let scratch = Scratch::new();
    for (command, expected) in [
        ("git push --force-with-lease origin +main", "SF-013 medium"),
        ("git push --force-with-lease=main origin +main", "SF-013 medium"),
        ("git push --force-with-lease=main:abc origin +HEAD:refs/heads/main", "SF-013 medium"),
        ("git push --force-with-lease=other origin +main", "SF-013 high"),
        ("git push --force-with-lease=main origin +main +next", "SF-013 high"),
        ("git push --force --force-with-lease origin +main", "SF-013 high"),
        ("git push origin +main", "SF-013 high"),
    ] {
        assert_eq!(scratch.verdict(command), expected, "{command}");
    }
}

#[test]
fn a_project_may_permit_deny_and_protect() {
    use crate::shell::CommandPattern;
    let scratch = Scratch::new();
    let pattern = |text: &str| CommandPattern::parse(text).unwrap();
    let config = Config {
        allowed_commands: vec![
            pattern("rm docs"),
            pattern("git commit --no-verify"),
            pattern("steadfast *"),
            pattern("make *"),
        ],
        denied_commands: vec![pattern("npm publish"), pattern("make deploy")],
        protected_paths: vec!["docs/*.md".to_owned(), "src/old".to_owned()],
        build_folders: vec!["tests/unit".to_owned()],
        ..Config::DEFAULT
    };
    let verdict = |command: &str| {
        let project = Project::locate(&scratch.root);
        let (cwd, home, known) = (&*scratch.root, &*scratch.home, &ScriptContext::default());
        let said = CommandInPlace { command, dialect: ShellDialect::Posix, cwd, home, known };
        let call = inspect_said(&said, &project, &config);
        let ids: Vec<&str> = call.findings.iter().map(|finding| finding.pattern_id).collect();
        (ids.join(" "), !call.keep.is_empty())
    };
    for (command, ids, kept) in [
        ("rm -r docs", "", true),
        ("git commit --no-verify -m x", "", false),
        ("steadfast gate approve", "SF-002", false),
        ("npm publish --tag x", "SF-024 SF-027", false),
        ("make deploy", "SF-024", false),
        ("make test", "", false),
        ("rm docs/guide.md", "SF-025", true),
        ("mv docs/guide.md x", "SF-025", true),
        ("echo x > src/old/c.ts", "SF-025", true),
        ("rm -rf src/old", "SF-025", true),
        ("rm -r docs/../src/old", "SF-025", true),
        ("git rm -r src/old", "SF-025", true),
        // A new file is written too, by whatever.
        ("echo x > docs/new.md", "SF-025", false),
        ("cp README.md docs/more.md", "SF-025", true),
        ("tee src/old/new.ts < README.md", "SF-025", false),
        ("touch docs/new.md src/new.ts", "SF-025", false),
        ("touch docs/guide.md src/new.ts", "", false),
        ("ln -s ../README.md docs/link.md", "SF-025", false),
        ("rsync README.md src/old", "SF-025", false),
        ("rsync -n README.md src/old", "", false),
        ("cd docs && rsync guide.md ../x", "", false),
        // Tracked files are sources, whatever the configuration calls their folder.
        ("rm -rf tests/unit", "", true),
        ("rm -rf src/a.ts", "", true),
        ("echo npm publish", "", false),
    ] {
        assert_eq!(verdict(command), (ids.to_owned(), kept), "{command}");
    }
}

#[test]
fn files_that_git_brings_are_known_before_they_come() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "second\n");
    scratch.git(&["commit", "-q", "-am", "second"]);
    scratch.write("src/b.ts", "dirty\n");
    let shown = |command: &str| {
        let changes = scratch.inspect(command).changes;
        let one = |change: &Change| format!("{}: {:?} -> {:?}", change.path, change.before, change.after);
        changes.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    let to_first = "src/a.ts: Some(\"second\\n\") -> Some(\"a\\n\")";
    let to_index = "src/b.ts: Some(\"dirty\\n\") -> Some(\"b\\n\")";
    for (command, expected) in [
        ("git checkout HEAD~1 -- src/a.ts", to_first),
        ("git checkout HEAD~1 src/a.ts", to_first),
        ("cd src && git restore --source=HEAD~1 a.ts", to_first),
        ("git restore -s HEAD~1 src/a.ts", to_first),
        ("git checkout -- src/b.ts", to_index),
        ("git restore src", to_index),
        ("git checkout HEAD -- src/a.ts", ""),
    ] {
        assert_eq!(shown(command), expected, "{command}");
    }
    assert_eq!(scratch.kept("git checkout HEAD~1 -- src/a.ts"), ["src/a.ts"]);
}
