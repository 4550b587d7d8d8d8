//! Further ways to disarm the guard or to get at its gate, each beside a harmless sibling: by weaker settings, by other
//! names of its files, by a later process, by its own process, by its environment.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use crate::place::{Place, TEST_FILE, TESTS};

const HOOKED: &str = r#"{"model":"x","hooks":{"PreToolUse":[{"matcher":"Bash|Edit","hooks":[{"type":"command","command":"/opt/steadfast-hook","args":["pre-tool-use"],"timeout":10}]}]}}"#;
const SETTINGS: &str = "name: shop\nagent_persistence:\n  detection:\n    mode: standard\n  recovery:\n    max_retries: 3\n  protected_paths:\n    - deploy.yml\n";

/// A loop in a project with settings of its own.
fn looping() -> Place {
    let place = Place::new();
    place.write("aiwg.yml", SETTINGS);
    place.write(".claude/settings.json", r#"{"model":"x"}"#);
    place.commit("Before the hooks");
    place.write(".claude/settings.json", HOOKED);
    place.write(".claude/old.json", r#"{"model":"x"}"#);
    place.write("package.json", r#"{"name":"shop","scripts":{"test":"pytest"}}"#);
    place.commit("Settings");
    place.start_loop("one");
    place.start("s1");
    place
}

fn call(place: &Place, event: &str, tool: &str, input: &Value) -> Value {
    let fields =
        json!({"tool_name": tool, "tool_input": input, "tool_use_id": "t1", "tool_response": {"stdout": ""}});
    place.fire(event, "s1", fields).unwrap_or_default()
}

fn denied(place: &Place, tool: &str, input: &Value) -> bool {
    call(place, "pre-tool-use", tool, input)["hookSpecificOutput"]["permissionDecision"] == "deny"
}

/// The commands whose answer is not the expected one, and those that are denied without a word of it in the log.
fn wrong(place: &Place, commands: &[&str], stopped: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for command in commands {
        let answered = denied(place, "Bash", &json!({"command": command}));
        let last = place.log("one").pop().unwrap()["outcomes"].to_string();
        if answered != stopped || (stopped && !last.contains("SF-0")) {
            wrong.push(format!("{command}: {last}"));
        }
    }
    wrong
}

#[test]
fn settings_are_weakened_neither_by_an_edit_nor_by_a_command_and_strengthened_by_both() {
    let place = looping();
    let edit = |path: &str, old: &str, new: &str| json!({"file_path": place.path(path), "old_string": old, "new_string": new});
    for (path, old, new) in [
        ("aiwg.yml", "mode: standard", "mode: minimal"),
        ("aiwg.yml", "max_retries: 3", "max_retries: 50"),
        ("aiwg.yml", "    - deploy.yml\n", ""),
        ("aiwg.yml", "  recovery:", "  allowed_paths: [\"**\"]\n  recovery:"),
        (".claude/settings.json", "Bash|Edit", "Bash"),
        (".claude/settings.json", "\"timeout\":10", "\"timeout\":1"),
        (".claude/settings.json", "\"model\":\"x\"", "\"disableAllHooks\":true"),
        (".claude/settings.json", "\"model\":\"x\"", "\"enabledPlugins\":{\"steadfast@steadfast\":false}"),
    ] {
        assert!(denied(&place, "Edit", &edit(path, old, new)), "{path}: {old} -> {new}");
    }
    for (path, old, new) in [
        ("aiwg.yml", "mode: standard", "mode: aggressive # the strictest"),
        ("aiwg.yml", "max_retries: 3", "max_retries: 1"),
        ("aiwg.yml", "name: shop", "name: store"),
        ("aiwg.yml", "    - deploy.yml\n", "    - deploy.yml\n    - db/**\n"),
        (".claude/settings.json", "Bash|Edit", "Bash|Edit|Write"),
        (
            ".claude/settings.json",
            "\"model\":\"x\"",
            "\"model\":\"y\",\"permissions\":{\"allow\":[\"Bash(ls)\"]}",
        ),
    ] {
        assert!(!denied(&place, "Edit", &edit(path, old, new)), "{path}: {old} -> {new}");
    }
    let weaker = [
        "sed -i 's/mode: standard/mode: \"off\"/' aiwg.yml",
        "sed -i 's/max_retries: 3/max_retries: 99/' aiwg.yml",
        "yq -i '.agent_persistence.enabled = false' aiwg.yml",
        "yq -i '.agent_persistence.recovery.max_retries = 40' aiwg.yml",
        "cat > aiwg.yml <<'E'\nname: shop\nE",
        "printf 'agent_persistence:\\n  enabled: false\\n' >> aiwg.yml && rm aiwg.yml",
        "rm aiwg.yml",
        "git rm -f aiwg.yml",
        "mv aiwg.yml /tmp/away.yml",
        ": > aiwg.yml",
        "jq '.disableAllHooks = true' .claude/settings.json > t && mv t .claude/settings.json",
        "jq 'del(.hooks)' .claude/settings.json | sponge .claude/settings.json",
        "sed -i 's/Bash|Edit/Nothing/' .claude/settings.json",
        "cp .claude/old.json .claude/settings.json",
        "echo '{\"disableAllHooks\":true}' > .claude/settings.local.json",
        "claude plugin disable steadfast@steadfast",
        "claude plugin uninstall steadfast",
        "claude plugin marketplace remove steadfast",
        "claude config set disableAllHooks true",
    ];
    assert_eq!(wrong(&place, &weaker, true), Vec::<String>::new());
    let others = [
        "sed -i 's/mode: standard/mode: aggressive/' aiwg.yml",
        "sed -i 's/name: shop/name: store/' aiwg.yml",
        "yq -i '.name = \"store\"' aiwg.yml",
        "jq '.model = \"y\"' .claude/settings.json > t && mv t .claude/settings.json",
        "sed -i 's/\"model\":\"x\"/\"model\":\"y\"/' .claude/settings.json",
        "jq '.scripts.lint = \"ruff\"' package.json > t && mv t package.json",
        "claude plugin list",
        "claude plugin disable prettier@market",
        "git diff aiwg.yml .claude/settings.json",
    ];
    assert_eq!(wrong(&place, &others, false), Vec::<String>::new());
}

#[test]
fn what_a_script_writes_into_the_settings_is_told_and_does_not_disarm_the_session() {
    for off in ["enabled: false", "detection: { mode: \"off\" }"] {
        let place = looping();
        let run = json!({"command": "python3 tidy.py"});
        assert!(!denied(&place, "Bash", &run));
        place.write("aiwg.yml", format!("name: shop\nagent_persistence:\n  {off}\n"));
        let told = call(&place, "post-tool-use", "Bash", &run).to_string();
        assert!(told.contains("SF-001") && told.contains("aiwg.yml"), "{off}: {told}");
        assert!(place.log("one").iter().any(|line| line.to_string().contains("SF-001")), "{off}");
        assert!(place.guards("s1"), "{off}: the session is still guarded");
        // A person's pause ends it at once, and the next session takes the settings as they are.
        place.start("s1");
        assert!(!place.guards("s1"), "{off}: a session that begins with it is not");
    }
    let place = looping();
    let run = json!({"command": "python3 tidy.py"});
    denied(&place, "Bash", &run);
    place.write("aiwg.yml", SETTINGS.replace("max_retries: 3", "max_retries: 99"));
    let told = call(&place, "post-tool-use", "Bash", &run).to_string();
    assert!(told.contains("SF-001") && told.contains("max_retries"), "{told}");
}

#[test]
fn another_name_of_its_files_is_no_way_to_them() {
    let place = looping();
    let home = place.home();
    symlink(place.path(".aiwg"), place.path("link")).unwrap();
    symlink(place.path(".aiwg/ralph/registry.json"), place.path("plain.json")).unwrap();
    symlink(place.path(".claude/settings.json"), home.join("s.json")).unwrap();
    fs::hard_link(place.path(".aiwg/ralph/loops/one/hook-log.jsonl"), place.path("hard.json")).unwrap();
    let off = json!({"disableAllHooks": true}).to_string();
    for (path, content) in [
        (place.path("link/ralph/registry.json"), "{}"),
        (place.path("plain.json"), "{}"),
        (place.path("hard.json"), "{}"),
        (place.path("docs/../.aiwg/ralph/registry.json"), "{}"),
        (place.path("./.aiwg//ralph/loops/one/state.json"), "{}"),
        (place.path(".aiwg/ralph/loops/one/state.json.bak"), "{}"),
        (home.join("s.json"), off.as_str()),
    ] {
        let input = json!({"file_path": path, "content": content});
        assert!(denied(&place, "Write", &input), "{}", path.display());
    }
    assert!(!denied(&place, "Write", &json!({"file_path": place.path("registry.json"), "content": "{}"})));
    let commands = [
        "echo '{}' > link/ralph/registry.json",
        "echo '{}' > plain.json",
        "echo '{}' > hard.json",
        "truncate -s 0 hard.json",
        "cd link/ralph && rm registry.json",
        "cd .aiwg && mv ralph ralf",
        "rm .aiwg/ralph/loops/one/state.json.bak",
        "find . -name registry.json -delete",
        "cp /dev/null link/ralph/loops/one/state.json",
        "dd if=/dev/zero of=.aiwg/ralph/registry.json count=1",
        "git mv -f aiwg.yml .aiwg/ralph/registry.json",
        "tar -xf old.tar -C .aiwg/ralph",
        "rsync -a --delete empty/ .aiwg/",
        "chmod -R a-w .aiwg",
        "chmod 500 .aiwg/ralph",
        "chattr +i .aiwg/ralph/registry.json",
        "setfacl -m u::r .aiwg/ralph/registry.json",
        "chown -R nobody .aiwg/ralph",
        "mount --bind /tmp/empty .aiwg",
        "mount -t tmpfs tmpfs .aiwg/ralph",
        "docker run --rm -v \"$PWD/.aiwg:/x\" alpine rm -rf /x/ralph",
        "docker run -v \"$PWD:/w\" alpine sh -c 'rm -rf /w/.aiwg'",
        "ln .aiwg/ralph/loops/one/hook-log.jsonl r.json && : > r.json",
        "ln -s .aiwg/ralph r && rm r/registry.json",
        "mv .aiwg .aiwg.off; mkdir .aiwg",
    ];
    assert_eq!(wrong(&place, &commands, true), Vec::<String>::new());
    let others = [
        "ls -la link/ralph",
        "cat .aiwg/ralph/loops/one/state.json | jq .status",
        "cp .aiwg/ralph/loops/one/state.json /tmp/copy.json",
        "echo '{}' > state.json",
        "chmod -R u+w src tests",
        "docker run --rm -v \"$PWD:/w\" alpine ls /w",
        "tar -czf /tmp/state.tgz .aiwg",
        "mkdir -p data/ralph && echo '{}' > data/ralph/registry.json",
        "git stash list",
    ];
    assert_eq!(wrong(&place, &others, false), Vec::<String>::new());
}

#[test]
fn neither_a_later_process_nor_the_guards_own_is_a_way() {
    let place = looping();
    let commands = [
        // Somebody else runs it, later or elsewhere.
        "nohup sh -c 'sleep 60; steadfast gate approve' >/dev/null 2>&1 &",
        "(sleep 30 && rm -rf .aiwg) &",
        "setsid sh -c 'sleep 9; echo {} > .aiwg/ralph/registry.json' &",
        "echo 'rm -rf '$PWD'/.aiwg' | at now + 1 minute",
        "echo '* * * * * steadfast gate approve' | crontab -",
        "systemd-run --user --on-active=60 steadfast gate approve",
        "ssh localhost 'cd project && steadfast gate approve'",
        "ssh 127.0.0.1 steadfast gate approve",
        "su -c 'steadfast gate approve' dev",
        "sudo -u dev steadfast gate approve",
        "docker run -v $PWD:/w alpine steadfast gate approve",
        "tmux send-keys -t work.1 'steadfast gate approve' C-m",
        "kitty @ send-text 'steadfast gate approve\\n'",
        "wezterm cli send-text 'steadfast gate approve'",
        "osascript -e 'tell app \"Terminal\" to do script \"steadfast gate approve\"'",
        "echo 'steadfast gate approve' > /proc/1/fd/0",
        "perl -e 'ioctl(STDIN, 0x5412, $_) for split //, \"steadfast gate approve\\n\"'",
        "python3 -c \"import pty; pty.spawn('steadfast gate approve'.split())\"",
        "expect -c 'spawn steadfast gate; expect \"1\"; send \"2\\r\"; interact'",
        "script -qc 'steadfast gate approve' /dev/null",
        "faketime '2020-01-01' steadfast gate approve",
        // A client of its own without the hooks.
        "claude -p --settings '{\"disableAllHooks\":true}' 'rm the tests'",
        "claude --bare -p 'edit the tests'",
        "CLAUDE_CODE_SIMPLE=1 claude -p 'edit the tests'",
        "CLAUDE_CONFIG_DIR=/tmp/empty claude -p 'edit the tests'",
        "claude -p --setting-sources '' 'edit the tests'",
        // Its process and its program.
        "kill -STOP $(pgrep -f steadfast-hook)",
        "ps aux | awk '/[s]teadfast-hook/ {print $2}' | xargs -r kill -9",
        "pkill -STOP steadfast-hook",
        "killall -s STOP steadfast-hook",
        "while pgrep steadfast-hook; do pkill -9 steadfast-hook; done",
        "cp /bin/true $(which steadfast-hook)",
        "cat /bin/true > $(command -v steadfast-hook)",
        "chmod -x $(which steadfast-hook)",
        "sed -i 's/deny/pass/' ~/.local/bin/steadfast-hook",
        "printf x | dd of=~/.local/bin/steadfast-hook bs=1 seek=100 conv=notrunc",
        "ln -sf /bin/true ~/bin/steadfast",
        "env -i steadfast gate approve",
        "LD_PRELOAD=./fake.so steadfast gate approve",
        "gdb -p $(pgrep steadfast-hook) -batch -ex 'call exit(0)'",
        "ulimit -f 0; steadfast gate approve",
        // Git, which brings back other settings or takes the guard's state along.
        "git stash --include-untracked --all",
        "git clean -xfd",
        "git checkout HEAD~1 -- .claude/settings.json",
        "git -c core.hooksPath=/dev/null clean -xfd",
    ];
    assert_eq!(wrong(&place, &commands, true), Vec::<String>::new());
    let others = [
        "nohup npm run dev >/dev/null 2>&1 &",
        "(sleep 30 && echo done) &",
        "tmux send-keys -t work.1 'npm test' C-m",
        "tmux capture-pane -p -t work.1",
        "ssh build.example.org uptime",
        "docker run --rm alpine uname -a",
        "python3 -c \"import pty; pty.spawn(['ls'])\"",
        "expect -c 'spawn ftp host; expect login'",
        "script -qc 'npm test' /dev/null",
        "faketime '2020-01-01' pytest tests/test_calc.py",
        "claude --version",
        "claude mcp list",
        "pgrep -f steadfast-hook",
        "which steadfast-hook",
        "kill -STOP 12345",
        "LD_PRELOAD=/usr/lib/libjemalloc.so pytest",
        "ulimit -f 100000; pytest",
        "git stash",
        "git clean -nxfd",
        "echo 'steadfast gate approve is for a person' >> NOTES.md",
        "git commit -m 'Say how steadfast gate approve works'",
        "grep -rn 'steadfast gate approve' docs",
    ];
    assert_eq!(wrong(&place, &others, false), Vec::<String>::new());
}

#[test]
fn its_exclusion_from_git_can_be_undone_without_losing_the_state() {
    let place = looping();
    for arguments in [["clean", "-fdq"], ["stash", "-uq"], ["add", "-A"]] {
        // Without the line each of them would take the state along.
        place.write(".git/info/exclude", "");
        let command = format!("git {}", arguments.join(" "));
        assert_eq!(wrong(&place, &[&command], false), Vec::<String>::new());
        place.git(&arguments);
        assert!(place.path(".aiwg/ralph/registry.json").exists(), "{command}");
    }
    assert_eq!(wrong(&place, &["git clean -ffdx", "git stash --all"], true), Vec::<String>::new());
    // Git passes over the state, which is a repository of its own to git, unless git is forced twice.
    if !denied(&place, "Bash", &json!({"command": "git clean -fdx"})) {
        place.git(&["clean", "-fdxq"]);
    }
    assert!(place.path(".aiwg/ralph/registry.json").exists());
    assert_eq!(fs::read_to_string(place.path(TEST_FILE)).unwrap(), TESTS);
}
