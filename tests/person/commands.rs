//! Every command as a person meets it: its help, what it says in a small project, its JSON, and a command line that it does
//! not understand. What it said when it was last read stands in `snapshots/`, a file for each command.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use serde_json::Value;

use crate::place::Place;
use crate::settled;

/// A command: its name, whether it changes something, and what is run of it.
type Row = (&'static str, Effect, &'static [&'static str]);

/// Whether a command leaves the project as it is, so that others can be run in it.
#[derive(Clone, Copy, PartialEq)]
enum Effect {
    Looks,
    Changes,
}
use Effect::{Changes, Looks};

/// Every command with what is run of it beside `--help`. The last line of each is not understood, or can't be done.
const COMMANDS: &[Row] = &[
    ("install", Changes, &["install --dry-run", "install --dry-run --json", "install --host nobody"]),
    ("uninstall", Looks, &["uninstall", "uninstall --scope all"]),
    ("hosts", Looks, &["hosts", "hosts --json", "hosts --all"]),
    ("doctor", Looks, &["doctor", "doctor --json", "doctor nowhere"]),
    ("status", Looks, &["status", "status one", "status --json", "status one --persistence", "status two"]),
    ("today", Looks, &["today", "today --json", "today --since soon"]),
    ("watch", Looks, &["watch --once", "watch two --once"]),
    ("report", Looks, &["report one --html ../page.html", "report two --html ../page.html"]),
    (
        "audit",
        Looks,
        &["audit --range HEAD~1..HEAD", "audit --range HEAD~1..HEAD --json", "audit --range A..B"],
    ),
    ("statusline", Looks, &["statusline", "statusline --colour"]),
    (
        "loop",
        Changes,
        &[
            "loop status",
            "loop status --json",
            "loop pause one",
            "loop resume one",
            "loop start 'Make it right' --until 'sh check.sh passes' --loop-id three",
            "loop abort three",
            "loop start",
        ],
    ),
    ("baseline", Looks, &["baseline --commands", "baseline --commands --json", "baseline two"]),
    ("benchmark", Looks, &["benchmark --fast"]),
    ("best", Looks, &["best one", "best one --json", "best two"]),
    ("run", Looks, &["run 'Make it right' --until 'sh check.sh passes'", "run"]),
    ("migrate", Looks, &["migrate --dry-run", "migrate --json", "migrate --from nowhere"]),
    (
        "reflect",
        Looks,
        &["reflect list", "reflect list --json", "reflect show one", "reflect patterns", "reflect show two"],
    ),
    (
        "undo",
        Changes,
        &["undo", "undo --list", "undo --list --json", "undo --last", "undo --last --json", "undo --first"],
    ),
    (
        "checkpoint",
        Changes,
        &[
            "checkpoint list",
            "checkpoint list --json",
            "checkpoint diff one/iteration-000-baseline",
            "checkpoint verify",
            "checkpoint verify --json",
            "checkpoint tag mine",
            "checkpoint gc --dry-run",
            "checkpoint show none",
        ],
    ),
    ("check", Looks, &["check", "check --json", "check --range A..B"]),
    ("prove", Looks, &["prove --range HEAD~1..HEAD --until 'sh check.sh passes'", "prove --range A..B"]),
    (
        "gate",
        Looks,
        &[
            "gate list",
            "gate list --json",
            "gate diff",
            "gate history",
            "gate suggest",
            "gate approve",
            "gate open",
        ],
    ),
    (
        "patterns",
        Looks,
        &[
            "patterns list",
            "patterns list --json",
            "patterns show SF-012",
            "patterns hits",
            "patterns hits --json",
            "patterns show LP-999",
        ],
    ),
    ("allow", Looks, &["allow", "allow --json", "allow WRONG"]),
    ("hook", Looks, &["hook pre_tool_call", "hook no_such_hook"]),
    ("hooks", Looks, &["hooks check", "hooks check --json", "hooks show", "hooks show no_such_hook"]),
    (
        "config",
        Looks,
        &["config check", "config check --json", "config show", "config show --json", "config show --all"],
    ),
    ("log", Looks, &["log one", "log one --json", "log verify one", "log two"]),
    ("schema", Looks, &["schema today", "schema yesterday"]),
    (
        "explain",
        Looks,
        &[
            "explain 'rm -rf tests'",
            "explain 'rm -rf tests' --json",
            "explain --last",
            "explain SF-012",
            "explain",
        ],
    ),
    ("version", Looks, &["version", "version --json", "version --short"]),
    ("update", Looks, &["update", "update --json", "update now"]),
    ("completions", Looks, &["completions bash", "completions cmd"]),
    ("man", Looks, &["man", "man undo"]),
];

/// Whose `--json` has a schema, by the words before it.
const SCHEMAS: &[(&str, &str)] =
    &[("doctor", "doctor"), ("today", "today"), ("audit", "audit"), ("migrate", "migration")];

/// So many lines of what a command says are looked at: its beginning shows its form.
const LINES: usize = 60;

/// So much of a line.
const WIDTH: usize = 200;

/// Words of the lines in which the doctor and a status say how fast a machine is.
const SPEED: [&str; 4] = [
    " speed:",
    "Mend: a debug build, a slow disk",
    "Over target: integration overhead",
    "Over target: detection latency",
];

/// What differs from run to run and from machine to machine.
const RULES: &[(&str, &str)] = &[
    (r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?Z?)?", "TIME"),
    (r"\b[0-9]{2}:[0-9]{2}(:[0-9]{2})?\b", "HH:MM"),
    (r"\b[0-9a-f]{8}(-[0-9a-f]{1,12}){1,4}", "UUID"),
    (r"ralph-session-[0-9a-f]{8}", "ralph-session-ID"),
    (r"\b[0-9a-f]{40,64}\b", "DIGEST"),
    (r"(?m)\[[0-9a-f]{8}\]|^[0-9a-f]{7,10}\b", "ID"),
    (r"-[0-9]{8}TIME.md|-[0-9]{8}T[0-9]{6}Z", "-TIME"),
    (r" +[0-9]+(\.[0-9]+)? ?(ms|µs|kB|s)\b", " N $2"),
    (r"\b(allow|code) [A-Z0-9]{8}\b", "$1 CODE"),
    (r#"("code": ")[A-Z0-9]{8}""#, "${1}CODE\""),
    (r#"("[a-z_]*(_ms|_seconds|_bytes|pid|size|_at_unix)": ?)[0-9.]+"#, "${1}N"),
    (r"open for [0-9]+ min", "open for N min"),
    (r"\b0\.1\.0\b", "VERSION"),
];

/// The project: a refused edit, a loss that was undone, and a loop that waits at a gate.
fn prepared() -> Place {
    let place = Place::new();
    place.write("NOTES.md", "The sums of the shop.\n");
    place.commit("Second");
    fs::create_dir_all(programs(&place)).unwrap();
    let folders = std::env::var_os("PATH").unwrap();
    for name in ["git", "sh", "cat", "python3"] {
        let mut found = std::env::split_paths(&folders).map(|folder| folder.join(name));
        if let Some(program) = found.find(|path| path.is_file()) {
            symlink(program, programs(&place).join(name)).unwrap();
        }
    }
    assert!(place.guards("5e551017-one"));
    place.lose_by_script("5e551017-one").expect("the loss is seen");
    place.done(&["undo", "--tool-call", "toolu_script"]);
    place.start_loop("one");
    place.start("aa11bb22-two");
    place.stop("aa11bb22-two");
    place.lose_by_script("aa11bb22-two").expect("the loss is seen");
    place
}

fn programs(place: &Place) -> PathBuf {
    place.home().join("programs")
}

/// The words of a line; what stands in quotes is one.
fn words(line: &str) -> Vec<&str> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(at, part)| if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
        .collect()
}

fn run(place: &Place, words: &[&str]) -> Output {
    let mut command = place.command_of_steadfast();
    command.env_remove("CLAUDE_PROJECT_DIR").env("PATH", programs(place)).env("USER", "ada");
    command.args(words).stdin(Stdio::null()).output().unwrap()
}

/// What a command line gave, as it stands in a snapshot.
fn told(place: &Place, line: &str) -> String {
    let output = run(place, &words(line));
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let wants_json = line.contains("--json");
    if wants_json {
        let value = parsed(&out).unwrap_or_else(|error| panic!("{line}: {error}: {out}{err}"));
        let schema = SCHEMAS.iter().find(|(name, _)| output.status.success() && line.starts_with(name));
        if let Some((_, subject)) = schema {
            fits(place, subject, &value);
        }
    }
    let mut text = format!("$ steadfast {line}\n");
    for (name, said) in [("", out), ("on stderr:\n", err)] {
        if said.is_empty() {
            continue;
        }
        text.push_str(name);
        // How fast a machine is says nothing of the words.
        let is_of_speed = |line: &&str| SPEED.iter().any(|words| line.contains(words));
        for line in said.lines().filter(|line| !is_of_speed(line)).take(LINES) {
            writeln!(text, "{line}").unwrap();
        }
        if said.lines().count() > LINES {
            text.push_str("[and so on]\n");
        }
    }
    match output.status.code() {
        Some(0) => text,
        code => format!("{text}exit code {}\n", code.unwrap()),
    }
}

/// What was printed as JSON: one value, or one a line.
fn parsed(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).or_else(|_| text.lines().map(serde_json::from_str::<Value>).collect())
}

fn fits(place: &Place, subject: &str, value: &Value) {
    let schema = run(place, &["schema", subject]);
    let schema: Value = serde_json::from_slice(&schema.stdout).unwrap();
    let faults: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(value)
        .map(|error| error.to_string())
        .collect();
    assert!(faults.is_empty(), "{subject}: {faults:?} in {value:#}");
}

/// The commands that a help lists.
fn listed(help: &str) -> BTreeSet<String> {
    let lines =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_says_what_it_said() {
    let (looked_at, folder) =
        (prepared(), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/person/snapshots"));
    for (name, effect, lines) in COMMANDS {
        let own = (*effect == Changes).then(prepared);
        let place = own.as_ref().unwrap_or(&looked_at);
        let help = told(place, &format!("{name} --help"));
        let parts: Vec<String> =
            listed(&help).iter().map(|part| told(place, &format!("{name} {part} --help"))).collect();
        let said = lines.iter().map(|line| told(place, line));
        let text = std::iter::once(help).chain(parts).chain(said).collect::<Vec<_>>().join("\n");
        let home = place.home().canonicalize().unwrap();
        let programs = Path::new(env!("CARGO_BIN_EXE_steadfast")).parent().unwrap().display().to_string();
        let text = text.replace(&programs, "PROGRAMS");
        let text = settled::settled(&text, &place.root(), &home, RULES);
        let cut = |line: &str| line.chars().take(WIDTH).collect::<String>().trim_end().to_owned() + "\n";
        let text: String = text.lines().map(cut).collect();
        settled::assert_same(&folder.join(format!("{name}.txt")), &text);
        assert!(
            lines.last().is_some_and(|line| !run(place, &words(line)).status.success()),
            "{name}: the last line was understood"
        );
    }
}

#[test]
fn no_command_is_left_out() {
    let place = Place::new();
    let known: BTreeSet<String> = COMMANDS.iter().map(|(name, ..)| (*name).to_owned()).collect();
    assert_eq!(listed(&place.done(&["--help"])), known);
}
