//! Our reading of shell text against bash itself: a few thousand generated texts of harmless commands, each run in a
//! scratch folder. What bash changed must have been kept beforehand, and what we computed must be what bash made.
//!
//! `DIFFERENTIAL_TEXTS=10000 cargo test --test shell_differential` runs that many in all.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use steadfast::lifecycle::call::shell_call::inspect;
use steadfast::model::event::ShellDialect;
use steadfast::project::Project;

/// How many texts the tests generate and run in all, where nobody asks for more.
const TEXTS: usize = 3_000;
/// How many tests share them.
const TESTS: usize = 3;

/// How many texts one of the tests generates and runs.
fn texts() -> usize {
    let asked = std::env::var("DIFFERENTIAL_TEXTS").ok().and_then(|text| text.parse().ok());
    asked.unwrap_or(TEXTS).div_ceil(TESTS)
}

const FILES: &[(&str, &str)] = &[
    ("a.txt", "alpha\nbeta\n"),
    ("b.txt", "beta\n"),
    ("with space.txt", "space\n"),
    ("-dash", "dash\n"),
    (".hidden", "hidden\n"),
    ("sub/c.txt", "gamma\n"),
    ("sub/d.md", "delta\n"),
    ("sub/deep/e.txt", "epsilon\n"),
    ("other/a.txt", "other\n"),
];

/// A small generator of numbers: the same texts in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % bound as u64).unwrap()
    }

    fn of<'t>(&mut self, choices: &[&'t str]) -> &'t str {
        choices[self.below(choices.len())]
    }
}

/// One file, in many spellings.
const ONE: &[&str] = &[
    "a.txt",
    "./b.txt",
    "sub/c.txt",
    "'with space.txt'",
    "with\\ space.txt",
    "\"with space.txt\"",
    "sub/../b.txt",
    "$'a.txt'",
    "a''.txt",
    "\"$PWD\"/a.txt",
    "$(echo b.txt)",
    "\"$(printf sub)/d.md\"",
    "\"${NOT_SET:-a.txt}\"",
    "./-dash",
    "`echo a.txt`",
    ".hidden",
    "missing.txt",
];
/// Several.
const SOME: &[&str] = &[
    "*.txt",
    "sub/*.txt",
    "{a,b}.txt",
    "sub/{c.txt,d.md}",
    "?.txt",
    "[ab].txt",
    "a.txt b.txt",
    "*/a.txt",
    "a.txt sub/d.md",
];
/// One file that is only written to.
const TARGETS: &[&str] =
    &["a.txt", "new.txt", "sub/new.txt", "'with space.txt'", "\"$PWD/b.txt\"", "sub/c.txt"];

/// A command that changes files, sure to end well.
fn command(numbers: &mut Numbers, patterns: bool) -> String {
    let files = |numbers: &mut Numbers| {
        if patterns && numbers.below(3) == 0 {
            numbers.of(SOME).to_owned()
        } else {
            numbers.of(ONE).to_owned()
        }
    };
    if numbers.below(3) == 0 {
        return by_the_shell(numbers);
    }
    match numbers.below(32) {
        20 => {
            format!("cd sub && rm -f {}", numbers.of(&["c.txt", "../a.txt", "*.txt", "deep/e.txt", "./d.md"]))
        }
        21 => "pushd sub > /dev/null; rm -f c.txt; popd > /dev/null; rm -f a.txt".to_owned(),
        22 => format!("cd other && cd {} && rm -f a.txt", numbers.of(&["..", "-", "../sub", "\"$OLDPWD\""])),
        23 => format!(
            "rm {} {}",
            numbers.of(&["-f", "-rf", "-f --"]),
            numbers.of(&["link/c.txt", "link/*.txt", "link", "filelink"])
        ),
        24 => "find sub -name '*.txt' -exec sh -c 'rm \"$1\"' _ {} \\;".to_owned(),
        25 => format!(
            "printf '%s\\0' {} | xargs -0 rm -f",
            numbers.of(&["a.txt", "'with space.txt'", "sub/c.txt"])
        ),
        26 => format!(
            "FILES=({}); rm -f \"${{FILES[@]}}\"",
            numbers.of(&["a.txt b.txt", "'with space.txt'", "sub/*.txt"])
        ),
        27 => format!("A=sub; B={}; rm -f \"$A/$B\"", numbers.of(&["c.txt", "d.md", "'deep/e.txt'"])),
        28 => format!("echo x > {}", numbers.of(&["link/c.txt", "filelink", "link/new.txt"])),
        29 => format!("{{ rm -f a.txt; echo x > {}; }}", numbers.of(TARGETS)),
        30 => format!("rm -f {} > /dev/null 2>&1 < /dev/null", numbers.of(ONE)),
        31 => format!("while read -r f; do rm -f \"$f\"; done <<< {}", numbers.of(&["a.txt", "sub/c.txt"])),
        0 | 1 => format!("rm -f -- {}", files(numbers)),
        2 => format!("rm -rf {}", numbers.of(&["sub", "sub/", "./sub/deep", "other", "sub/deep other"])),
        3 => format!("echo hi > {}", numbers.of(TARGETS)),
        4 => format!("echo more >> {}", numbers.of(TARGETS)),
        5 => format!("printf 'x\\ny\\n' | tee {} > /dev/null", numbers.of(TARGETS)),
        6 => format!("cat > {} <<'E'\n$HOME `rm a.txt`\nE\n", numbers.of(TARGETS)),
        7 => format!(": > {}", numbers.of(TARGETS)),
        8 => "mv a.txt moved.txt".to_owned(),
        9 => format!("mv sub/c.txt {}", numbers.of(&["other", "other/", "c2.txt", "./other/new.txt"])),
        10 => format!("cp b.txt {}", numbers.of(&["sub", "copy.txt", "a.txt", "sub/c.txt"])),
        11 => format!(
            "sed -i '{}' a.txt",
            numbers.of(&["s/a/b/", "s/a/b/g", "1d", "/beta/d", "s/^al/AL/", "s/a$/&!/"])
        ),
        12 => format!(
            "find {} -name '{}' -delete",
            numbers.of(&[".", "sub", "other"]),
            numbers.of(&["*.txt", "c.*", "a.txt"])
        ),
        13 => format!("find sub -type f -exec rm -f {{}} {}", numbers.of(&["+", "\\;"])),
        14 => format!("echo {} | xargs rm -f", numbers.of(&["a.txt", "a.txt b.txt", "sub/c.txt"])),
        15 => "for f in a.txt sub/d.md; do rm -f \"$f\"; done".to_owned(),
        16 => format!("X={}; rm -f \"$X\"", numbers.of(&["a.txt", "'sub/c.txt'", "b.txt"])),
        17 => format!("truncate -s 0 {}", numbers.of(&["a.txt", "sub/c.txt"])),
        18 => format!("python3 -c \"import os; os.remove('{}')\"", numbers.of(&["a.txt", "sub/c.txt"])),
        _ => format!("ls {}; echo 'rm -rf sub'; grep -rc 'rm b.txt' . || true", numbers.of(&["sub", "."])),
    }
}

/// A command whose words the shell makes: out of variables, fields, patterns, descriptors and files.
fn by_the_shell(numbers: &mut Numbers) -> String {
    let one = numbers.of(&["a.txt", "sub/c.txt", "b.txt", "sub/d.md"]).to_owned();
    match numbers.below(38) {
        0 => format!("printf -v c '%s -f %s' rm {one}; $c"),
        1 => format!("declare -A by=([go]='rm -f {one}' [stay]=ls); ${{by[go]}}"),
        2 => format!("words=(rm); words+=(-f {one}); \"${{words[@]}}\""),
        3 => format!("words=(ls 'rm -f {one}'); ${{words[1]}}"),
        4 => format!("read -r p o f <<< 'rm -f {one}'; $p $o $f"),
        5 => format!("IFS=, read -r p o f <<< 'rm,-f,{one}'; $p $o \"$f\""),
        6 => format!("read -ra words <<< 'rm -f {one}'; \"${{words[@]}}\""),
        7 => format!("mapfile -t lines <<< '{one}'; rm -f \"${{lines[0]}}\""),
        8 => format!("x=x{one}; rm -f \"${{x:1}}\""),
        9 => format!("x=RM; ${{x,,}} -f {one}"),
        10 => format!("x=y; y='{one}'; rm -f \"${{!x}}\""),
        11 => format!("x='rm -f {one}'; ${{x@P}}"),
        12 => format!("{{rm,-f,{one}}}"),
        13 => format!("/bin/r[m] -f {one}"),
        14 => format!("set -- rm -f {one}; \"$@\""),
        15 => format!("set -- x {one}; shift; rm -f \"$1\""),
        16 => format!("true; (trap 'rm -f {one}' EXIT; ls > /dev/null)"),
        17 => format!("exec 3<<'E'\nrm -f {one}\nE\n. /dev/fd/3; exec 3<&-"),
        18 => format!("source /dev/stdin <<< 'rm -f {one}'"),
        19 => format!("echo $(( $(rm -f {one}; echo 1) + 1 )) > /dev/null"),
        20 => format!("case ab in a) rm -f b.txt;; ab) rm -f {one};; esac"),
        21 => "true; (CDPATH=sub; cd deep > /dev/null && rm -f e.txt)".to_owned(),
        22 => format!("cat > /dev/null <<'E'; rm -f {one}\nrm -f other/a.txt\nE"),
        23 => format!("x='ls -f {one}'; ${{x/ls/rm}}"),
        24 => format!("echo '{}' | rev | bash", one.chars().rev().collect::<String>() + " f- mr"),
        25 => "for f in *.txt; do mv \"$f\" \"${f%.txt}.bak\"; done".to_owned(),
        26 => "for f in sub/*.txt; do mv $f ${f/sub/other}; done".to_owned(),
        27 => "for n in a b; do cp $n.txt copy-$n.md; done".to_owned(),
        28 => format!("set -- x {one}; rm -f \"${{@:2}}\""),
        29 => format!("words=(x {one} y); rm -f \"${{words[@]:1:1}}\""),
        30 => "find . -path ./node_modules -prune -o -name '*.txt' -exec rm -f {} +".to_owned(),
        31 => format!("f() {{ local -n r=$1; rm -f \"$r\"; }}; x={one}; f x"),
        32 => "for f in *.txt; do [ -f \"$f\" ] && mv \"$f\" \"sub/$f\"; done".to_owned(),
        33 => format!("i=0; while [ $i -lt 1 ]; do rm -f {one}; i=$((i+1)); done"),
        34 => "for f in {a,b}.txt; do mv $f ${f%.txt}.old; done".to_owned(),
        35 => format!("while IFS= read -r f; do mv \"$f\" \"$f.old\"; done < <(printf '%s\\n' {one})"),
        36 => "for f in a.txt b.txt; do mv -f \"$f\" one.txt; done".to_owned(),
        _ => format!("x={one}; rm -f \"${{x%.*}}\".{{txt,md}}"),
    }
}

/// The command as shells are told to run it.
fn wrapped(numbers: &mut Numbers, command: &str) -> String {
    let quoted = format!("'{}'", command.replace('\'', "'\\''"));
    match numbers.below(22) {
        14 => format!("nohup bash -c {quoted} > /dev/null"),
        15 => format!("timeout 20 bash -c {quoted}"),
        16 => format!("nice -n 1 bash -c {quoted} < /dev/null"),
        17 => format!("command bash -c {quoted}"),
        18 => format!("for n in 1; do {command}\ndone"),
        19 => format!("printf '%s' {quoted} | bash"),
        20 => format!("until true; do :; done; {command}"),
        21 => format!("time {{ {command}\n}}"),
        // The last line of a here-document stands alone.
        0 if command.ends_with("\nE") => format!("({command}\n)"),
        0 => format!("({command})"),
        1 => format!("{{ {command}\n}}"),
        2 => format!("bash -c {quoted}"),
        3 => format!("eval {quoted}"),
        4 => format!("if true; then {command}\nfi"),
        5 => format!("f() {{ {command}\n}}; f"),
        6 => format!("true && {command}"),
        7 => format!("false || {command}"),
        8 => format!("env A=1 bash -c {quoted}"),
        // A descriptor that `exec` opens in there is not to be found under `/dev/fd`.
        9 if !command.starts_with("exec") => format!("echo \"$({command}\n)\" > /dev/null"),
        10 => format!("bash <<'OUTER'\n{command}\nOUTER\n"),
        11 => format!("case x in x) {command}\n;; esac"),
        12 => format!("# rm -rf other\n{command}"),
        _ => command.to_owned(),
    }
}

fn text(numbers: &mut Numbers) -> String {
    let first = command(numbers, true);
    let first = wrapped(numbers, &first);
    match numbers.below(3) {
        0 => format!("{first}\n{}", command(numbers, false)),
        _ => first,
    }
}

fn lay(root: &Path) {
    fs::create_dir_all(root.join("other")).unwrap();
    fs::create_dir_all(root.join("sub/deep")).unwrap();
    for (name, text) in FILES {
        fs::write(root.join(name), text).unwrap();
    }
    std::os::unix::fs::symlink("sub", root.join("link")).unwrap();
    std::os::unix::fs::symlink("b.txt", root.join("filelink")).unwrap();
}

fn found(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_symlink() {
                let to = fs::read_link(&path).unwrap().display().to_string();
                files.insert(path.strip_prefix(root).unwrap().to_path_buf(), format!("-> {to}"));
            } else if path.is_dir() {
                open.push(path);
            } else {
                files.insert(
                    path.strip_prefix(root).unwrap().to_path_buf(),
                    fs::read_to_string(&path).unwrap(),
                );
            }
        }
    }
    files
}

fn bash(root: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new("bash");
    command
        .args(arguments)
        .current_dir(root)
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("HOME", root);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
}

#[test]
fn what_bash_does_was_known_and_kept() {
    compare(0x5eed_cafe_f00d_0001);
}

#[test]
fn what_bash_does_was_known_and_kept_in_other_texts() {
    compare(0x5eed_cafe_f00d_0002);
}

#[test]
fn what_bash_does_was_known_and_kept_in_still_others() {
    compare(0x5eed_cafe_f00d_0003);
}

/// Runs the texts that a seed makes. The three share the machine's processors.
fn compare(seed: u64) {
    let mut numbers = Numbers(seed);
    let home = tempfile::tempdir().unwrap();
    let mut computed = 0;
    let mut wrong = Vec::new();
    for _ in 0..texts() {
        let text = text(&mut numbers);
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().canonicalize().unwrap();
        lay(&root);
        let before = found(&root);
        let call = inspect(&text, ShellDialect::Posix, &root, &Project::at(&root), home.path());
        assert!(bash(&root, &["-n", "-c", &text]), "bash does not take {text:?}");
        if call.reading.unread {
            wrong.push(format!("bash reads all of {text:?}"));
        }
        bash(&root, &["-c", &text]);
        let after = found(&root);

        for (path, old) in &before {
            let changed = after.get(path) != Some(old);
            if changed && !call.keep.contains(&root.join(path)) {
                wrong.push(format!("{path:?} is not kept before {text:?}"));
            }
        }
        if call.read_only && before != after {
            wrong.push(format!("{text:?} does not only read"));
        }
        for change in &call.changes {
            let now = after.get(Path::new(&change.path)).cloned();
            // A write into a folder that the text removed before fails; only `mkdir` would bring it back.
            if now.is_none() && !root.join(&change.path).parent().is_some_and(Path::is_dir) {
                continue;
            }
            if now != change.after {
                wrong.push(format!("{} after {text:?}: {now:?}, not {:?}", change.path, change.after));
            }
            computed += 1;
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(computed > texts() / 2, "only {computed} results were computed");
}
