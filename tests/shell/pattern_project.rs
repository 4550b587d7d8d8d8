//! The project in which the patterns of commands are proved by their own cases.

use std::fs;
use std::process::Command;

/// A project with sources and tests, some of them changed, ignored output, and a path and a command that its
/// configuration names. It is in `project`, beside a `home`.
pub(crate) fn pattern_project() -> tempfile::TempDir {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path().join("project");
    for (name, text) in [
        ("src/a.ts", "a\n"),
        ("src/b.ts", "b\n"),
        ("src/old/c.ts", "c\n"),
        ("tests/unit/d.test.ts", "it('d')\n"),
        ("tests/test_a.py", "def test_a():\n    assert a() == 1\n"),
        ("docs/guide.md", "guide\n"),
        ("README.md", "readme\n"),
        (".claude/settings.json", "{}\n"),
        (".aiwg/ralph/loops/a/state.json", "{}\n"),
        (
            "aiwg.yml",
            "agent_persistence:\n  protected_paths: [docs/guide.md]\n  denied_commands: [make deploy]\n",
        ),
        (".gitignore", "node_modules/\ndist/\n.aiwg/\n"),
        ("node_modules/x/index.js", "x\n"),
        ("dist/main.js", "x\n"),
    ] {
        fs::create_dir_all(root.join(name).parent().unwrap()).unwrap();
        fs::write(root.join(name), text).unwrap();
    }
    fs::create_dir_all(directory.path().join("home")).unwrap();
    let git = |arguments: &[&str]| {
        let who = ["-c", "user.email=ada@example.org", "-c", "user.name=Ada"];
        let status = Command::new("git").current_dir(&root).args(who).args(arguments).status().unwrap();
        assert!(status.success(), "git {arguments:?}");
    };
    git(&["init", "-q", "-b", "main"]);
    git(&["add", "-A"]);
    git(&["commit", "-q", "-m", "first"]);
    fs::write(root.join("src/a.ts"), "changed\n").unwrap();
    git(&["stash", "-q"]);
    fs::write(root.join("src/b.ts"), "changed\n").unwrap();
    directory
}
