//! What users of such guards have reported, each in its smallest form: false alarms that must stay silent, and losses
//! that went unseen. Written for this project; the wording is ours.

use crate::agents::laziness_detector;
use crate::config::Config;
use crate::detectors::DETECTORS;
use crate::detectors::commands::destructive_command;
use crate::lifecycle::call::shell_call::cases::Scratch;
use crate::model::finding::{Change, Severity};
use crate::text::verdicts;

/// The worst that a command meets: `silent`, `told` (a note or a medium finding), or `stopped`.
fn level(scratch: &Scratch, command: &str) -> &'static str {
    let call = scratch.inspect(command);
    let mut findings = call.findings;
    findings.extend(laziness_detector::check(&call.changes, Vec::new, &Config::default()));
    let worst = findings.iter().map(|finding| finding.severity).max();
    match (worst, call.risks.iter().map(|risk| risk.level).max()) {
        (Some(Severity::Critical | Severity::High), _) => "stopped",
        (Some(Severity::Medium), _) | (_, Some(Severity::Medium | Severity::High | Severity::Critical)) => {
            "told"
        }
        _ => "silent",
    }
}

#[test]
fn reported_false_alarms_stay_silent() {
    let scratch = Scratch::new();
    scratch.write("scripts/clean.sh", "rm -rf build\n");
    for command in [
        // The safer way that a guard itself proposed.
        "find ./build -name '*.o' -print",
        "git stash push -u -m before",
        "git push --force-with-lease origin topic",
        "git clean -nd",
        "rm -i src/a.ts --help",
        // Redirections inside of quotes.
        "ssh host \"ls *.py 2>/dev/null | head\" > out.txt",
        "echo a=b | sed -E 's/=.*/=<set>/'",
        // Text that is data to another program.
        "mychecker preflight --cmd 'rm -rf /srv/data'",
        "grep -rn 'rm -rf' scripts/",
        "gh issue create --title x --body 'find ~/.tool -delete and rm -rf /'",
        "gh pr create --body \"$(cat <<'EOF'\nThis removes `git reset --hard` and rm -rf ~\nEOF\n)\"",
        "curl -d '{\"command\":\"rm -rf /\"}' http://localhost/api",
        "jq -n '{cmd: \"git push --force\"}'",
        // Prose in heredocs and messages, in any language and quoting.
        "git commit -q -m \"$(cat <<'EOF'\n„Messen\"\nRead-only\nEOF\n)\"",
        "cat > /tmp/report.md <<'EOF'\n- blocked: rm -rf / (3 times)\nEOF",
        "git commit -F - <<'EOF'\nfix: document bash -c \"rm -rf ~/x\"\nEOF",
        "cat > plan.md <<EOF\nstep 3: git reset --hard origin/main\nEOF",
        "git commit -F - <<EOF\nrows restore byte identical\nEOF",
        "python3 - <<'EOF'\nprint('docs mention: git restore file')\nEOF",
        "git commit -m 'café 修复'",
        "git commit -m 'Удалить rm -rf из скрипта'",
        // Busy machines and long pipelines are no reason.
        "echo \"built at $(date +%s)\" && ls -la",
        "for f in a b c; do n=$(wc -l < \"$f\"); if [ \"$n\" -gt 10 ]; then echo \"$f $n\"; fi; done | sort | uniq -c | sort -rn | head",
        // Devices that keep nothing.
        "dd if=big.bin of=/dev/null bs=1M",
        // What shells do when they start.
        "eval \"$(ssh-agent -s)\"",
        // A new file outside of the project.
        "cat > ~/Projects/demo/brand-new.md <<EOF\nhello\nEOF",
        // A branch that is made or moved without a loss.
        "git branch backup-$(date +%s)",
        "git branch -f copy main",
        // Scratch files.
        "find /tmp/steadfast-nothing -mmin +120 -type f -delete",
    ] {
        assert_eq!(level(&scratch, command), "silent", "{command}");
    }
    // By age, outside of the project: only what is there counts, and there is nothing.
    assert_ne!(level(&scratch, "find ~/.tool/sessions -mmin +120 -type f -delete"), "stopped");
}

#[test]
fn reported_losses_are_seen() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "changed\n");
    scratch.write("src/old/c.ts", "changed\n");
    for command in [
        "FOO=1 rm -rf /",
        "mkfs.ext4 -L lsblk /dev/sdb1",
        "awk 'BEGIN{system(\"rm -rf ~\")}'",
        "osascript -e 'do shell script \"rm -rf ~\"'",
        "node -e 'require(\"child_process\").spawnSync(\"rm\",[\"-rf\",\"/etc\"])'",
        "time git reset --hard",
        "bash -c \"rm -rf /\"",
        "r\\m -rf / ; r''m -rf /",
        "python3 -c \"import shutil; shutil.rmtree('src')\"",
        "git checkout -- src/",
        "git reset --hard HEAD",
        "/bin/rm -rf ../../*",
        "rm -rf ..",
        "git push --force",
        "git commit -nm 'wip'",
        "git -c core.hooksPath=/dev/null commit -m wip",
        "git reset --hard; : '\"'",
    ] {
        assert_eq!(level(&scratch, command), "stopped", "{command}");
    }
    for command in [
        "mv *.md docs/ && rm -rf docs",
        "sed -i 's/a/b/' src/a.test.ts",
        "rm -rf src/old && gh repo clone me/old",
    ] {
        assert_ne!(level(&scratch, command), "silent", "{command}");
        assert!(!scratch.inspect(command).keep.is_empty(), "{command} is kept");
    }
}

#[test]
fn a_home_is_not_deleted_on_the_word_of_an_assignment() {
    let scratch = Scratch::new();
    assert_eq!(level(&scratch, "HOME=\"$(mktemp -d)\"; ./install.sh; rm -rf \"$HOME\""), "stopped");
    for command in [
        "export HOME=$(mktemp -d); git config --global user.name a; rm -rf \"$HOME/.cache\"",
        "T=$(mktemp -d); HOME=$T ./install.sh; rm -rf \"$T\"",
    ] {
        assert_eq!(level(&scratch, command), "silent", "{command}");
    }
    assert_eq!(level(&scratch, "./install.sh; rm -rf \"$HOME\""), "stopped");
    assert_eq!(level(&scratch, "HOME=; rm -rf \"$HOME\"/*"), "stopped", "an empty value leaves the root");
}

#[test]
fn text_that_is_too_long_to_read_is_not_taken_for_harmless() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "changed\n");
    let call = scratch.inspect(&format!(": '{}' && git reset --hard", "x".repeat(300 * 1024)));
    assert!(call.reading.unread && call.runs_code && !call.read_only);
    assert_eq!(call.findings.first().map(|finding| finding.severity), Some(Severity::High));
}

#[test]
fn every_remedy_passes_what_it_is_the_remedy_for() {
    let scratch = Scratch::new();
    scratch.write("src/a.ts", "changed\n");
    let kept = verdicts::Safety::Kept { files: 3, undo: "--tool-call toolu_1" };
    let detectors = DETECTORS.iter().map(|detector| detector.instead);
    let risks = ["bulk_deletion", "file_deletion", "version_control_deletion", "test_file_modification"]
        .map(|class| verdicts::risk("src/a.ts", class, Severity::High, kept));
    let texts = destructive_command::remedies().into_iter().chain(detectors).map(str::to_owned).chain(risks);
    for text in texts {
        // A text as a whole, and each command that it names.
        for command in std::iter::once(text.as_str()).chain(text.split('`').skip(1).step_by(2)) {
            let found = scratch.inspect(command);
            let stopped = found.findings.iter().any(|finding| finding.severity >= Severity::High);
            assert!(!stopped, "{command}: {:?}", found.findings);
        }
    }
}

#[test]
fn reported_edits_that_only_look_bad_pass() {
    let edit = |path: &str, before: Option<&str>, after: Option<&str>| Change {
        path: path.to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    for change in [
        edit("src/a.js", None, Some("while ((m = re.exec(s)) !== null) { use(m); }\n")),
        edit("docs/sec.md", None, Some("pickle serialization is refused by our layer.\n")),
        edit("a.py", Some("x = 1\n"), Some("x = ast.literal_eval(s)\n")),
        edit("notes.md", None, Some("The word eval() appears here.\n")),
        edit("src/u.go", Some("func max(a, b int) int { if a > b { return a }; return b }\n"), Some("")),
        edit("src/init.ts", Some("init();\n"), Some("try { init(); } catch (e) { report(e); }\n")),
        edit("AGENTS.md", None, Some("# Agents\n")),
    ] {
        let findings = laziness_detector::check(std::slice::from_ref(&change), Vec::new, &Config::default());
        let stopping = findings.iter().any(|finding| finding.severity >= Severity::High);
        assert!(!stopping, "{}: {findings:?}", change.path);
    }
    let emptied = edit(
        "tests/test_a.py",
        Some("def test_a():\n    assert f() == 1\n    assert g() == 2\n    assert h() == 3\n"),
        Some("def test_a():\n    pass\n"),
    );
    let findings = laziness_detector::check(&[emptied], Vec::new, &Config::default());
    assert!(findings.iter().any(|finding| finding.severity >= Severity::High), "{findings:?}");
}
