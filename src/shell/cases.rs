//! Commands and what they do: one table for what is found, one for what must stay silent.

use std::path::Path;

use proptest::prelude::*;

use crate::model::event::ShellDialect;
use crate::shell::effects::dispatch::effects;
use crate::shell::model::{EffectKind, ShellReading};
use crate::shell::read;

fn reading(text: &str) -> ShellReading {
    effects(text, ShellDialect::Posix, Path::new("/w"), Path::new("/home/ada"))
}

/// `Delete /w/src (r)`; `?` for a target that isn't known, `~` before one of which only a part is meant.
fn shown(reading: &ShellReading) -> String {
    let target = |target: &super::Target| {
        let partial = if target.partial { "~" } else { "" };
        let path = target.path.as_ref().map_or("?".to_owned(), |path| path.display().to_string());
        format!("{partial}{path}")
    };
    let effect = |effect: &super::Effect| {
        let targets = effect.targets.iter().map(target).collect::<Vec<_>>().join(" ");
        let detail =
            if effect.detail.contains(' ') { format!(" [{}]", effect.detail) } else { String::new() };
        format!("{:?}{detail} {targets}", effect.kind).trim_end().to_owned()
    };
    reading.effects.iter().map(effect).collect::<Vec<_>>().join("; ")
}

#[test]
fn deletions_are_found_however_they_are_written() {
    for (text, expected) in [
        ("rm -rf src", "Delete /w/src"),
        ("rm a b -f", "Delete /w/a /w/b"),
        ("rm -- -x", "Delete /w/-x"),
        ("/bin/rm x", "Delete /w/x"),
        ("r''m x", "Delete /w/x"),
        ("\\rm x", "Delete /w/x"),
        ("\"rm\" x", "Delete /w/x"),
        ("$'\\x72m' x", "Delete /w/x"),
        ("r\\\nm x", "Delete /w/x"),
        ("$(echo rm) -rf x", "Delete /w/x"),
        ("R=rm; $R x", "Delete /w/x"),
        ("C='rm -rf'; $C x", "Delete /w/x"),
        ("A=r; B=m; $A$B x", "Delete /w/x"),
        ("rm {a,b}.ts", "Delete /w/a.ts /w/b.ts"),
        ("rm *.ts", "Delete /w/*.ts"),
        ("rm ~/x \"$HOME/y\" \"$PWD/z\"", "Delete /home/ada/x /home/ada/y /w/z"),
        ("D=src; rm -rf $D", "Delete /w/src"),
        ("D=src; rm -rf \"${D}/a\"", "Delete /w/src/a"),
        ("D=${UNSET:-src}; rm -r $D", "Delete /w/src"),
        ("D=(a b); rm \"${D[@]}\"", "Delete /w/a /w/b"),
        ("rm -rf \"$UNSET\"", "Delete ?"),
        ("cd src && rm x", "Delete /w/src/x"),
        ("cd /etc; rm x", "Delete /etc/x"),
        ("(cd src; rm x); rm y", "Delete /w/src/x; Delete /w/y"),
        ("cd src && cd - && rm x", "Delete /w/x"),
        ("cd $UNSET && rm x", "Delete ?"),
        ("tar czf x.tgz src --remove-files", "Delete [tar --remove-files] /w/src"),
        ("tar --remove-files -czf x.tgz src lib", "Delete [tar --remove-files] /w/src /w/lib"),
        ("tar -c --file=x.tar --remove-files a", "Delete [tar --remove-files] /w/a"),
        ("tar cfC x.tar src a --remove-files", "Delete [tar --remove-files] /w/src/a"),
        ("tar -cf x.tar -C src a -C ../lib b --remove-f", "Delete [tar --remove-files] /w/src/a /w/lib/b"),
        ("tar cf x.tar -T list --remove-files", "Delete [tar --remove-files] ?"),
        ("tar cf x.tar --exclude=b src --remove-files", "Delete [tar --remove-files] ~/w/src"),
        ("zip -rm x.zip src", "Delete [zip --move] /w/src"),
        ("zip --move -r x.zip src lib", "Delete [zip --move] /w/src /w/lib"),
        ("7z a x.7z src -sdel", "Delete [7z -sdel] /w/src"),
        ("rar m x.rar src", "Delete /w/src"),
        ("rsync -a --remove-source-files src host:/b", "Delete [rsync --remove-source-files] /w/src"),
        ("rsync -a --remove-source-files src/ ../b", "Move [rsync --remove-source-files] /w/src /b"),
        ("rclone move src remote:b", "Delete /w/src"),
        ("aws s3 mv --recursive src s3://b/src", "Delete /w/src"),
        ("gzip -9 src/a.js", "Delete /w/src/a.js"),
        ("zstd --rm src/a.js", "Delete [zstd --rm] /w/src/a.js"),
        ("git archive -o x.tar HEAD && rm -rf src", "Delete /w/src"),
        ("sudo -u root rm x", "Delete /w/x"),
        ("sudo -n -- rm x", "Delete /w/x"),
        ("env A=b rm x", "Delete /w/x"),
        ("env -C src rm x", "Delete /w/src/x"),
        ("env -S 'rm -rf x'", "Delete /w/x"),
        ("A=b rm x", "Delete /w/x"),
        ("timeout -k 1 5 rm x", "Delete /w/x"),
        ("nice -n 5 nohup command rm x", "Delete /w/x"),
        ("time rm x", "Delete /w/x"),
        ("exec rm x", "Delete /w/x"),
        ("busybox rm x", "Delete /w/x"),
        ("bash -c 'rm x'", "Delete /w/x"),
        ("bash -lc 'cd src && rm x'", "Delete /w/src/x"),
        ("bash -euo pipefail -c 'rm x'", "Delete /w/x"),
        ("sh -c 'rm \"$1\"' _ x", "Delete /w/x"),
        ("eval 'rm x'", "Delete /w/x"),
        ("eval rm x", "Delete /w/x"),
        ("eval \"rm -rf $UNSET/a src\"", "Delete ? /w/src"),
        ("bash -c \"cd $UNSET; rm x\"", "Delete ?"),
        ("echo 'rm x' | bash", "Delete /w/x"),
        ("echo 'rm x' > >(bash)", "Delete /w/x"),
        ("echo 'rm x' | tee >(bash)", "Delete /w/x"),
        ("exec 3> >(sh); echo 'rm x' >&3", "Delete /w/x"),
        ("exec {fd}> >(sh); echo 'rm x' >&$fd", "Delete /w/x"),
        ("ls > >(rm x)", "Delete /w/x"),
        ("time { ls; rm x; }", "Delete /w/x"),
        ("cd src; cd \"$OLDPWD\"; rm x", "Delete /w/x"),
        ("while read -r f; do rm \"$f\"; done <<< x", "Delete /w/x"),
        ("echo x | while read f; do rm \"$f\"; done", "Delete /w/x"),
        ("find src -name '*.ts' | while read f; do rm \"$f\"; done", "Delete /w/src/**/*.ts"),
        ("find src -exec sh -c 'rm \"$1\"' _ {} \\;", "Delete /w/src/**/*"),
        ("printf 'a b\\0' | xargs -0 rm", "Delete /w/a b"),
        ("docker run -v /w:/app -w /app i rm x", "Delete /w/x"),
        ("docker run --mount type=bind,src=/w,dst=/app i rm /app/x", "Delete /w/x"),
        ("docker run -v $PWD:/app i sh -c 'cd /app && rm x'", "Delete /w/x"),
        ("cmd /c \"del x\"", "Delete /w/x"),
        ("powershell -NoProfile -Command Remove-Item x", "Delete /w/x"),
        ("pwsh -c 'cd src; ri x'", "Delete /w/src/x"),
        ("cmd //c del C:\\\\x", "Delete /C:/x"),
        ("exec 3<<<'rm x'; source /dev/fd/3", "Delete /w/x"),
        ("exec 3<<<'rm x'; bash <&3", "Delete /w/x"),
        ("T=ls; true && T=rm || T=ls; $T x", "Delete /w/x"),
        ("T=rm; false && T=ls; $T x", "Delete /w/x"),
        ("T=rm; : || T=ls; $T x", "Delete /w/x"),
        ("bash <<< 'rm x'", "Delete /w/x"),
        ("bash <<'E'\nrm x\nE", "Delete /w/x"),
        ("cat <<'E' | sh\nrm x\nE", "Delete /w/x"),
        ("bash <<E\nrm x $UNSET\nE", "Delete /w/x ?"),
        ("echo a b | xargs rm -f", "Delete /w/a /w/b"),
        ("xargs rm < list", "Delete ~?"),
        ("echo a | xargs -I{} rm -rf {}/b", "Delete /w/a/b"),
        ("parallel ::: 'rm a' 'rm b'", "Delete /w/a; Delete /w/b"),
        ("python -c'import os; os.remove(\"x\")'", "Delete /w/x"),
        ("zsh -lc -- 'rm x'", "Delete /w/x"),
        ("$SHELL -c 'rm x'", "Delete /w/x"),
        ("X=rm bash -c '\"$X\" x'", "Delete /w/x"),
        ("x=1; eval \"${x+rm x}\"", "Delete /w/x"),
        ("unshare --mount rm x", "Delete /w/x"),
        ("parallel rm ::: a b", "Delete /w/a /w/b"),
        ("find src -name '*.ts' -delete", "Delete [find -delete] /w/src/**/*.ts"),
        ("find src -delete", "Delete [find -delete] /w/src"),
        ("find . -mtime +3 -delete", "Delete [find -delete] ~/w"),
        ("find src -name '*.ts' -exec rm {} \\;", "Delete /w/src/**/*.ts"),
        ("find src -type f -exec sudo rm -f {} +", "Delete /w/src"),
        ("find src -name '*.ts' | xargs rm", "Delete /w/src/**/*.ts"),
        ("find . -path './lib/*' -type f -delete", "Delete [find -delete] /w/lib"),
        ("find . -path './lib/*' -name '*.ts' -delete", "Delete [find -delete] /w/lib/**/*.ts"),
        ("find . -path '*/out/*' -exec rm {} +", "Delete /w/**/out/**/*"),
        ("find . -regex './lib/.*\\.ts' -delete", "Delete [find -delete] /w/lib/**/*.ts"),
        ("find . -path './lib/*' -mtime +3 -delete", "Delete [find -delete] ~/w/lib"),
        ("find . -path './lib/*' -o -name x -delete", "Delete [find -delete] ~/w"),
        ("fd -HI '^(out|tmp)$' web -X rm -rf", "Delete /w/web/**/out /w/web/**/tmp"),
        ("fd '\\.ts$' src -x rm", "Delete /w/src/**/*.ts"),
        ("fd -g '*.ts' src | xargs rm", "Delete /w/src/**/*.ts"),
        ("fd 'a+b' src -x rm", "Delete ~/w/src"),
        ("git for-each-ref --format='rm -rf lib/%(refname)' refs/heads | sh", "Delete ?"),
        ("awk 'BEGIN { printf \"\" > \"a.ts\" }'", "Truncate /w/a.ts"),
        ("git ls-files '*.spec.ts' | xargs rm", "Delete /w/**/*.spec.ts"),
        ("for f in a b; do rm \"$f\"; done", "Delete /w/a /w/b"),
        ("for f in *.c; do rm \"$f\"; done", "Delete /w/*.c"),
        ("if true; then rm x; fi", "Delete /w/x"),
        ("while read f; do rm \"$f\"; done < l", "Delete ~?"),
        ("f() { rm \"$1\"; }; f src", "Delete /w/src"),
        ("f() { rm x; }", ""),
        ("f() { rm x; }; export -f f; xargs bash -c f", "Delete /w/x"),
        ("trap 'rm x' EXIT", "Delete /w/x"),
        ("echo \"$(rm x)\"", "Delete /w/x"),
        ("diff <(rm x) y", "Delete /w/x"),
        ("[[ -f $(rm x) ]]", "Delete /w/x"),
        ("echo ok # '\nrm x", "Delete /w/x"),
        ("a & rm x", "Delete /w/x"),
        ("! rm x", "Delete /w/x"),
        ("case $x in a) rm x;; esac", "Delete /w/x"),
        ("cat <<E && rm x\nhello\nE", "Delete /w/x"),
        ("rm !(keep)", "Delete /w/*"),
        ("rmdir d; unlink u; shred -u s", "Delete /w/d; Delete /w/u; Delete /w/s"),
        ("python3 -c \"import os; os.remove('x')\"", "Delete /w/x"),
        ("python3 - <<'E'\nimport shutil\nshutil.rmtree('src')\nE", "Delete /w/src"),
        ("node -e \"require('fs').rmSync('x')\"", "Delete /w/x"),
        ("perl -e 'unlink \"x\"'", "Delete /w/x"),
        ("ruby -e 'File.delete(\"x\")'", "Delete /w/x"),
        ("python -c 'import os; os.system(\"rm -rf src\")'", "Delete /w/src"),
        ("npx rimraf src", "Delete /w/src"),
        ("printf 'rm x' > /tmp/s; bash /tmp/s", "Overwrite /tmp/s; Delete /w/x"),
        ("git worktree remove --force ../b", "Delete [git worktree remove --force] /b"),
    ] {
        assert_eq!(shown(&reading(text)), expected, "{text}");
    }
}

#[test]
fn writes_are_found_with_their_targets() {
    for (text, expected) in [
        ("> f", "Truncate /w/f"),
        (": > f", "Truncate /w/f"),
        ("echo hi > f", "Overwrite /w/f"),
        ("echo hi >> f", "Overwrite /w/f"),
        ("ls >| f", "Overwrite /w/f"),
        ("ls &> f", "Overwrite /w/f"),
        ("ls 2> f", "Overwrite /w/f"),
        ("{ ls; } > f", "Overwrite /w/f"),
        ("ls | tee f", "Overwrite /w/f"),
        ("cat <<'E' > f\nrm -rf /\nE", "Overwrite /w/f"),
        ("cat > f <<'E'\nrm -rf /\nE", "Overwrite /w/f"),
        ("cp /dev/null f", "Truncate /w/f"),
        ("truncate -s 0 f", "Truncate /w/f"),
        ("dd if=/dev/zero of=f", "Overwrite /w/f"),
        ("mv a b", "Move /w/a /w/b"),
        ("mv -t d a b", "Move /w/a /w/b /w/d"),
        ("cp a b", "Copy /w/a /w/b"),
        ("ln -sf a b", "Copy /w/a /w/b"),
        ("install -m 644 a b", "Copy /w/a /w/b"),
        ("sed -i 's/a/b/' f g", "EditInPlace /w/f /w/g"),
        ("sed -i '' 's/a/b/' f", "EditInPlace /w/f"),
        ("sed -i.bak 's/a/b/' f", "EditInPlace /w/f"),
        ("sed -Ei.bak 's/a/b/' f", "EditInPlace /w/f"),
        ("sed -i -e 's/a/b/' f", "EditInPlace /w/f"),
        ("perl -pi -e 's/a/b/' f", "EditInPlace /w/f"),
        ("rsync -a --delete a/ b/", "Copy [rsync --delete] /w/a /w/b"),
        ("chmod -R 777 d", "ChangeMode [chmod for everybody] /w/d"),
        ("chmod -R 755 d", "ChangeMode /w/d"),
        ("tar xzf x.tgz --remove-files", "Copy /w/x.tgz /w"),
        ("tar -C there -xf x.tar", "Overwrite /w/there; Copy /w/x.tar /w/there"),
        ("unzip -o x.zip", "Copy /w/x.zip /w"),
        ("chown -R me d", "ChangeMode /w/d"),
        ("mkfs.ext4 /dev/sda1", "Overwrite /dev/sda1"),
        ("curl -o f http://x", "Overwrite /w/f"),
    ] {
        assert_eq!(shown(&reading(text)), expected, "{text}");
    }
}

#[test]
fn literal_content_is_known() {
    for (text, expected) in [
        ("cat > f <<'E'\na\nE", Some("a\n")),
        ("cat <<E > f\na $X\nE", None),
        ("echo hi > f", Some("hi\n")),
        ("printf 'a\\nb' | tee f", Some("a\nb")),
        ("> f", Some("")),
        ("date > f", None),
        ("ls 2> f", None),
    ] {
        let reading = reading(text);
        let content = reading.effects.last().and_then(|effect| effect.content.as_deref());
        assert_eq!(content, expected, "{text}");
    }
}

#[test]
fn git_work_and_history() {
    for (text, expected) in [
        ("git rm -r src", "GitRemove [git rm] /w/src"),
        ("git rm --cached f", "GitRemove [git rm --cached] /w/f"),
        ("git clean -fdx", "DiscardGitWork [git clean with ignored files]"),
        ("git clean -n -fd", ""),
        ("git clean -d", ""),
        ("git reset --hard HEAD~1", "DiscardGitWork [git reset --hard] /w/HEAD~1"),
        ("git -C sub reset --hard", "DiscardGitWork [git reset --hard]"),
        ("git checkout -- a b", "DiscardGitWork [git checkout of paths] /w/a /w/b"),
        ("git checkout .", "DiscardGitWork [git checkout of paths] /w"),
        ("git checkout HEAD~1 -- a", "DiscardGitWork [git checkout of paths] /w/a"),
        ("git checkout main a", "DiscardGitWork [git checkout of paths] /w/a"),
        ("git checkout -f", "DiscardGitWork [git checkout --force]"),
        ("git checkout -b x", ""),
        ("git checkout -bfix", ""),
        (
            "git checkout -f -B x main",
            "DiscardGitWork [git checkout --force]; DiscardGitWork [git move of a branch] /w/x /w/main",
        ),
        ("git switch -cfeature", ""),
        ("git clean --forc", "DiscardGitWork [git clean]"),
        ("git push origin -- +main", "Publish [git push --force] /w/origin /w/+main"),
        ("git -c 'alias.w=reset --hard' w", "DiscardGitWork [git reset --hard]"),
        ("git -c 'alias.w=!rm x' w", "Delete /w/x"),
        ("git restore a", "DiscardGitWork [git restore] /w/a"),
        ("git restore --staged a", ""),
        ("git restore --source=HEAD --staged --worktree a", "DiscardGitWork [git restore] /w/a"),
        ("git switch --discard-changes main", "DiscardGitWork [git switch --discard-changes]"),
        ("git stash drop", "DiscardGitWork [git stash drop]"),
        ("git stash", ""),
        ("git branch -D x", "DiscardGitWork [git branch -D] /w/x"),
        ("git branch -d x", ""),
        ("git push --force", "Publish [git push --force]"),
        ("git push -f origin main", "Publish [git push --force] /w/origin /w/main"),
        ("git push origin +main", "Publish [git push --force] /w/origin /w/+main"),
        ("git push origin :old", "Publish [git push --delete] /w/origin /w/:old"),
        ("git push origin main", ""),
        ("git rebase main", "RewriteHistory [git rebase]"),
        ("git rebase --abort", ""),
        ("git filter-branch --all", "RewriteHistory [git filter-branch]"),
        ("git reflog expire --all", "RewriteHistory [git reflog expire]"),
        ("git gc --prune=now", "RewriteHistory [git gc --prune]"),
        ("git gc", ""),
        ("git update-ref -d refs/heads/x", "RewriteHistory [git update-ref -d] /w/refs/heads/x"),
        ("git commit --no-verify -m x", "BypassChecks"),
        ("git commit -nm x", "BypassChecks"),
        ("git commit -m n", ""),
        ("git commit -mn", ""),
        ("git commit -am 'fix -n'", ""),
        ("git push --no-verify", "BypassChecks"),
        ("HUSKY=0 git commit -m x", "BypassChecks [git hooks switched off]"),
        ("git -c core.hooksPath=/dev/null commit", "BypassChecks [git hooks switched off]"),
        ("git config core.hooksPath /dev/null", "BypassChecks"),
        ("git config core.hooksPath", ""),
        ("git config core.hooksPath .husky", ""),
        ("git mv a b", "Move [git mv] /w/a /w/b"),
    ] {
        assert_eq!(shown(&reading(text)), expected, "{text}");
    }
}

#[test]
fn what_only_looks_like_a_command_is_silent() {
    for text in [
        "git commit -m \"rm -rf /\"",
        "git commit -m \"$(cat <<'EOF'\nFix: don't rm -rf src (or git reset --hard)\nEOF\n)\"",
        "grep -r \"rm -rf\" .",
        "echo \"git reset --hard\"",
        "echo rm x",
        "cat <<'E'\nrm -rf src\nE",
        "cat <<E | grep rm\nrm -rf src\nE",
        "bash -n -c 'rm x'",
        "docker run --rm image rm -rf /data",
        "docker exec c rm -rf /app/node_modules",
        "ssh host 'rm -rf build'",
        "npm rm left-pad",
        "cargo clean",
        "sed 's/git reset --hard/x/' f",
        "sed -n 1,5p f",
        "ls 2>/dev/null >&2",
        "ls > /dev/null 2>&1",
        "python -c \"print('os.remove(1)')\"",
        "jq '.a > 1' f.json",
        "gh pr create --body 'we rm -rf src'",
        "git log --grep='reset --hard'",
        "find . -name rm",
        "find . -exec echo -delete + -print",
        "exec 3>/dev/tcp/localhost/80",
        "rsync --dry-run --delete a/ b/",
        "command -v rm",
        "# rm x",
        "alias rm='rm -i'",
        "man rm",
        "curl -X DELETE http://localhost/a",
        "rsync -a a/ b/",
        "rsync -an --remove-source-files a/ b/",
        "tar czf x.tgz src",
        "tar tzf x.tgz --remove-files",
        "tar xzf x.tgz --strip-components=1",
        "unzip -n x.zip",
        "unzip -l x.zip",
        "rm -f \"\"",
        "zip -r x.zip src",
        "7z a x.7z src",
        "gzip -k a",
        "gzip -c a | wc -c",
        "gunzip a.gz",
        "zstd a",
        "tar cf - src | gzip",
        "rclone copy src remote:b",
        "aws s3 mv s3://a/b s3://a/c",
        "ln -s a b",
        "steadfast status",
        "steadfast loop status --json",
        "steadfast loop list",
        "steadfast ralph-status --all --persistence",
        "steadfast gate list",
        "steadfast patterns show LP-001",
        "steadfast check --staged",
        "steadfast gate diff",
        "git commit -m 'Document steadfast gate approve'",
        "grep -rn 'steadfast gate approve' docs",
        "echo 'a person runs: steadfast gate approve'",
        "echo 'steadfast status' | at now",
        "tmux send-keys -t 0 'steadfast status' Enter",
        "tmux new -d 'npm run dev'",
    ] {
        assert_eq!(shown(&reading(text)), "", "{text}");
    }
}

#[test]
fn the_guard_is_named_when_it_is_disarmed() {
    for text in [
        "steadfast gate approve 1234",
        "steadfast patterns false-positive 1234 --reason x",
        "steadfast accept",
        "steadfast loop abort",
        "steadfast loop resume one",
        "steadfast ralph-abort one",
        "steadfast ralph 'x' --completion true",
        "steadfast loop start 'x' --until true",
        "steadfast reflect clear --all",
        "steadfast run x --resume",
        "./target/release/steadfast uninstall",
        "env -u CLAUDECODE steadfast gate approve",
        "pkill -f steadfast",
        "bash -c 'steadfast loop pause'",
        "tmux send-keys -t 0 'steadfast gate' Enter",
        "expect -c 'spawn steadfast gate reject'",
        "echo 'steadfast gate approve' | at now",
        "python3 -c 'import os; os.system(\"steadfast gate approve\")'",
        "echo 'steadfast gate approve' >> ~/.zshrc",
        "git stash -a",
        "rm -f \"$(which steadfast-hook)\"",
        "rm `type -p steadfast-hook`",
        "hook=$(which steadfast-hook); chmod -x $hook",
        "rm $(readlink -f $(which steadfast-hook))",
        "rename s/bin/nib/ ~/.local/bin",
        "python3 -c \"import os; h = os.path.expanduser; os.rename(h('~/.local/state'), h('~/.s'))\"",
        "steadfast install --bin-dir ./mine .",
        "python3 -c 'import os, signal; os.kill(os.getppid(), signal.SIGSTOP)'",
        "ruby -e 'Process.kill(:TERM, Process.ppid)'",
        "perl -e 'kill 19, getppid'",
        "kill -STOP `pidof claude`",
        "kill $(pgrep -n claude)",
        "for one in /proc/[0-9]*; do kill -9 ${one#/proc/}; done",
        "echo 1 > /sys/fs/cgroup/a/cgroup.freeze",
        "echo 900 | tee /proc/$PPID/oom_score_adj",
        "echo 'cargo() { true; }' >> ~/.bashrc",
    ] {
        let reading = reading(text);
        assert!(reading.effects.iter().any(|effect| effect.kind == EffectKind::DisarmsGuard), "{text}");
    }
    for text in [
        "which steadfast-hook && rm out.txt",
        "ls -l $(which steadfast-hook)",
        "mkdir -p ~/.local/bin && cp tool ~/.local/bin/",
        "steadfast install --dry-run",
        "python3 -c 'import os; print(os.getppid())'",
        "kill $(pgrep -f 'node server.js')",
        "kill -0 $(pidof claude)",
        "echo 100 > /proc/self/oom_score_adj",
        "echo 'npm() { command npm --silent \"$@\"; }' >> ~/.bashrc",
        "python3 -c \"import os; os.rename('.local/a', '.local/b')\"",
    ] {
        let reading = reading(text);
        assert!(reading.effects.iter().all(|effect| effect.kind != EffectKind::DisarmsGuard), "{text}");
    }
}

#[test]
fn code_that_starts_processes_without_end_is_a_flood() {
    for (text, is_one) in [
        ("python3 -c 'import os\nwhile True:\n    os.fork()'", true),
        ("perl -e 'fork while 1'", true),
        ("ruby -e 'loop { fork }'", true),
        ("node -e 'while (true) require(\"child_process\").spawn(\"node\")'", true),
        ("python3 -c 'import subprocess\nfor f in files: subprocess.Popen([f])'", false),
        ("node -e 'for (;;) { if (done()) break; step() }'", false),
        ("python3 -c 'while True: time.sleep(1)'", false),
    ] {
        let found = reading(text).effects.iter().any(|effect| effect.kind == EffectKind::Floods);
        assert_eq!(found, is_one, "{text}");
    }
}

#[test]
fn reading_checking_and_running_code_are_told_apart() {
    for (text, expected) in [
        ("ls -la", "reads"),
        ("git status && git diff | head", "reads"),
        ("cat f | sort | uniq -c", "reads"),
        ("cd src && grep -n x *.rs", "reads"),
        ("find . -name '*.ts' | xargs grep -l foo", "reads"),
        ("find src -name '*.ts' -exec grep -l x {} +", "reads"),
        ("python3 -c 'import json,sys; print(json.load(sys.stdin))' < f", "reads"),
        ("for f in *.rs; do wc -l \"$f\"; done", "reads"),
        ("cargo test --lib 2>&1 | tail -5", "checks"),
        ("npx vitest run", "checks"),
        ("npm test", "checks"),
        ("python -m pytest -q", "checks"),
        ("cd app && RUST_LOG=debug cargo build", "checks"),
        ("uv run pytest", "checks"),
        ("./gradlew test", "checks"),
        ("make test", "checks"),
        ("source .venv/bin/activate && pytest", "checks"),
        ("timeout 60 go test ./...", "checks"),
        ("npm install", "code"),
        ("npm run generate", "code"),
        ("make", "code"),
        ("python script.py", "code"),
        ("./script.sh", "code"),
        ("bash script.sh", "code"),
        ("eslint --fix src", "code"),
        ("jest -u", "code"),
        ("cargo fmt", "code"),
        ("curl http://x | bash", "code"),
        ("eval \"$X\"", "code"),
        ("$X y", "code"),
        ("git merge x", "code"),
        ("unknown-program", "code"),
        ("mkdir -p a", "other"),
        ("git add -A", "other"),
        ("git commit -m x", "other"),
        ("rm x", "other"),
        ("echo a > f", "other"),
        ("sed -i s/a/b/ f", "other"),
        ("perl -pi -e 's/a/b/' f", "other"),
    ] {
        let reading = reading(text);
        let found = match (reading.read_only, reading.runs_code, reading.runs_checks) {
            (true, false, false) => "reads",
            (false, true, _) => "code",
            (false, false, true) => "checks",
            (false, false, false) => "other",
            _ => "contradiction",
        };
        assert_eq!(found, expected, "{text}");
        assert!(!reading.unread, "{text}");
    }
}

#[test]
fn powershell_deletions_and_writes() {
    for (text, expected) in [
        ("Remove-Item -Recurse -Force src", "Delete /w/src"),
        ("ri a, b", "Delete /w/a /w/b"),
        ("del .\\a\\b.txt", "Delete /w/a/b.txt"),
        ("rd /s /q src", "Delete /w/src"),
        ("Remove-Item -Path \"src\" -WhatIf", ""),
        ("Get-ChildItem src | Remove-Item -Recurse", "Delete /w/src"),
        ("Set-Content -Path f -Value 'x'", "Overwrite /w/f"),
        ("Clear-Content f", "Truncate /w/f"),
        ("Move-Item a b", "Move /w/a /w/b"),
        ("cd src; rm x", "Delete /w/src/x"),
        ("git reset --hard", "DiscardGitWork [git reset --hard]"),
        ("Write-Output 'Remove-Item x'", ""),
        ("echo x > f", "Overwrite /w/f"),
        ("Remove-Item $env:TEMP", "Delete ?"),
    ] {
        let reading = effects(text, ShellDialect::PowerShell, Path::new("/w"), Path::new("/home/ada"));
        assert_eq!(shown(&reading), expected, "{text}");
    }
}

#[test]
fn hostile_texts_stay_bounded_and_are_called_unread() {
    let nested = |open: &str, close: &str| format!("{}rm x{}", open.repeat(3_000), close.repeat(3_000));
    for (name, text) in [
        ("too long", format!("rm x # {}", "x".repeat(70_000))),
        ("substitutions", nested("$(", ")")),
        ("subshells", nested("( ", " )")),
        ("groups", nested("{ ", "; }")),
        ("only openings", "$(".repeat(20_000)),
        ("commands", "a;".repeat(6_000)),
        ("unclosed", "rm 'x".to_owned()),
        ("calls itself", "f() { f; f; }; f".to_owned()),
        ("expansions", format!("rm {}x{}", "${a:-".repeat(3_000), "}".repeat(3_000))),
    ] {
        assert!(reading(&text).unread, "{name}");
    }
    // What grows by itself or nests in itself is given up after so many steps, whatever the clock says.
    for (name, text) in [
        ("a value that doubles", format!("a=xx\n{}rm $a", "a=$a$a\n".repeat(60))),
        ("a value that is added to itself", format!("a=x\n{}", "a+=$a\n".repeat(60))),
        ("wrappers", format!("{}rm x", "sudo ".repeat(12_000))),
        ("variables of env", format!("{}rm x", "env A=1 ".repeat(8_000))),
        (
            "functions that call each other",
            (0..40).fold("f40".to_owned(), |text, at| format!("f{at}() {{ f{0}; f{0}; }}; {text}", at + 1))
                + "; f0",
        ),
        ("a pipeline", "ls|".repeat(20_000)),
        ("a pipeline below a here-document", format!("cat <<E\nE\n{}", "ls|".repeat(20_000))),
        ("substitutions in a here-document", format!("cat <<E\n{}\nE\n", "$(ls) ".repeat(10_000))),
    ] {
        let reading = reading(&text);
        assert!(reading.unread, "{name}");
    }
    let chain = format!("{}rm x", "a && ".repeat(1_900));
    assert_eq!(shown(&reading(&chain)), "Delete /w/x");
    let pipes = format!("a{}", " | a".repeat(1_900));
    assert!(!reading(&pipes).unread);
    let calls = format!("python -c '{}'", "f(".repeat(20_000));
    assert!(reading(&calls).effects.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(text in "\\PC{0,60}") {
        read(&text, ShellDialect::Posix);
        effects(&text, ShellDialect::PowerShell, Path::new("/w"), Path::new("/h"));
    }

    #[test]
    fn no_shell_like_text_makes_it_panic(
        parts in prop::collection::vec(prop::sample::select(vec![
            "rm", " ", "-rf", "'", "\"", "$(", ")", "`", "${", "}", "{", ",", "|", "&&", ";", "\n", "<<E", "<<<", ">", "\\",
            "$'", "x", "é", "for f in", "do", "done", "if", "case", "in", "((", "[[", "]]", "python -c", "os.remove(", "f()",
            "find", "-exec", "xargs", "bash -c", "git", "push", "+", "*", "~", "=", "A=", "$A", "!", "#", "printf", "%", "cd",
        ]), 0..30)
    ) {
        let text = parts.concat();
        effects(&text, ShellDialect::Posix, Path::new("/w"), Path::new("/h"));
        effects(&text, ShellDialect::PowerShell, Path::new("/w"), Path::new("/h"));
    }

    #[test]
    fn the_first_look_agrees_with_the_parser(
        parts in prop::collection::vec(prop::sample::select(vec![
            "ls", "cat f", "git status", "git diff x", "cargo test", "grep 'a b' f", " | ", " && ", "; ", " ", "\n", "-x",
            "2>&1", ">/dev/null", "\"a b\"", "npm run lint", "wc -l", "--fix", "eslint", "||",
        ]), 1..8)
    ) {
        let text = parts.concat();
        if let Some(quick) = crate::shell::effects::fast_path::harmless(&text) {
            // A trailing blank-free comment sends the text past the first look.
            let parsed = reading(&format!("(\n{text}\n)"));
            if !parsed.unread {
                prop_assert_eq!(quick.read_only, parsed.read_only, "{}", text);
                prop_assert_eq!(quick.runs_checks, parsed.runs_checks, "{}", text);
                prop_assert!(!parsed.runs_code && parsed.effects.is_empty(), "{}", text);
            }
        }
    }
}
