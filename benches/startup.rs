//! What a hook process costs above a process that does nothing, measured in the same run.
//!
//! `cargo build --release --example noop && cargo bench --bench startup`. One round runs every case once, each round
//! begins with another case, and only ratios to the floor of the same run are worth comparing between machines.
//!
//! `STEADFAST_BESIDE='NAME=COMMAND; NAME=COMMAND'` measures other guards in the same rounds, each with `ls` and with the
//! judged command on its standard input.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a program for people at a terminal")]

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio, exit, id};
use std::time::{Duration, Instant};

use steadfast::last_word;

/// How many rounds there are, unless `STEADFAST_ROUNDS` says another number.
const ROUNDS: usize = 300;
/// How often arming the last word is measured, each time in a process of its own.
const ARMINGS: usize = 60;
/// The argument that makes this program arm the last word, print the nanoseconds and exit.
const ARM: &str = "--arm-once";

/// Where the other guards are named.
const BESIDE: &str = "STEADFAST_BESIDE";

struct Case {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    input: PathBuf,
    /// Whether it has to succeed: how others say no is theirs.
    is_ours: bool,
}

fn main() {
    if std::env::args().any(|argument| argument == ARM) {
        return arm_once();
    }
    let hook = PathBuf::from(env!("CARGO_BIN_EXE_steadfast-hook"));
    let noop = hook.with_file_name("examples").join("noop");
    if !noop.exists() {
        println!("{} is missing: cargo build --release --example noop", noop.display());
        exit(1);
    }
    let place = std::env::temp_dir().join(format!("steadfast-startup-{}", id()));
    let project = place.join("project");
    fs::create_dir_all(&project).expect("a temporary directory");
    let cases = cases(&place, &project, &noop, &hook);
    let rounds = std::env::var("STEADFAST_ROUNDS").ok().and_then(|said| said.parse().ok()).unwrap_or(ROUNDS);
    let mut times = vec![Vec::with_capacity(rounds); cases.len()];
    for round in 0..rounds {
        for step in 0..cases.len() {
            let turn = (round + step) % cases.len();
            times[turn].push(timed(&cases[turn], &place, &project));
        }
    }
    report(&cases, &mut times);
    report_arming();
    fs::remove_dir_all(&place).expect("the temporary directory goes");
}

fn cases(place: &Path, project: &Path, noop: &Path, hook: &Path) -> Vec<Case> {
    let test_file = project.join("sums.test.js");
    let source: String = (0..100)
        .map(|n| {
            format!(
                "test('adds {n}', () => {{\n  const sum = add({n}, 1);\n  expect(sum).toBe({});\n}});\n\n",
                n + 1
            )
        })
        .collect();
    fs::write(&test_file, &source).expect("the test file");
    let event = |name: &str, tool: &str, input: String| {
        let path = place.join(format!("{name}.json"));
        let json = format!(
            r#"{{"session_id":"5e5510","transcript_path":"/tmp/t.jsonl","cwd":{:?},"permission_mode":"default","hook_event_name":"PreToolUse","tool_name":"{tool}","tool_input":{input},"tool_use_id":"toolu_1"}}"#,
            project.display().to_string(),
        );
        fs::write(&path, json + "\n").expect("an event");
        path
    };
    let ls = event("ls", "Bash", r#"{"command":"ls"}"#.to_owned());
    let read = event("read", "Read", format!(r#"{{"file_path":{test_file:?}}}"#));
    let edit = event(
        "edit",
        "Edit",
        format!(
            r#"{{"file_path":{test_file:?},"old_string":"test('adds 50', () => {{\n  const sum","new_string":"test.skip('adds 50', () => {{\n  const sum","replace_all":false}}"#
        ),
    );
    let command = event(
        "command",
        "Bash",
        r#"{"command":"cd . && git commit --no-verify -m 'x' && rm -rf tests"}"#.to_owned(),
    );
    // The same edit by the shell's roads.
    let shell = |name: &str, command: &str| {
        event(name, "Bash", serde_json::json!({ "command": command }).to_string())
    };
    let sed = shell("sed", r#"sed -i "s/^test('adds 50'/test.skip('adds 50'/" sums.test.js"#);
    let skipped = source.replace("test('adds 50'", "test.skip('adds 50'");
    let heredoc = shell("heredoc", &format!("cat > sums.test.js <<'EOF'\n{skipped}EOF"));
    let script = shell(
        "script",
        "python3 - <<'PY'\nold = \"test('adds 50'\"\nnew = \"test.skip('adds 50'\"\ns = open('sums.test.js').read()\n\
         open('sums.test.js', 'w').write(s.replace(old, new))\nPY",
    );
    let case = |name: &str, program: &Path, input: &Path| Case {
        name: name.to_owned(),
        program: program.to_owned(),
        arguments: vec!["pre-tool-use".to_owned()],
        input: input.to_owned(),
        is_ours: true,
    };
    let mut cases = vec![
        case("floor (a process that exits)", noop, &ls),
        case("pass-through: ls", hook, &ls),
        case("another tool: Read", hook, &read),
        case("judged edit, 500-line test file", hook, &edit),
        case("the same by sed -i", hook, &sed),
        case("the same by a here-document", hook, &heredoc),
        case("the same by a python script", hook, &script),
        case("judged command", hook, &command),
    ];
    cases.extend(beside(&[("ls", &ls), ("command", &command)]));
    cases
}

/// The other guards, with each event.
fn beside(events: &[(&str, &Path)]) -> Vec<Case> {
    let named = std::env::var(BESIDE).unwrap_or_default();
    let guards = named.split(';').filter_map(|guard| guard.trim().split_once('='));
    let of_guard = |(name, command): (&str, &str)| {
        let mut words = command.split_whitespace().map(str::to_owned);
        let program = PathBuf::from(words.next().unwrap_or_default());
        let arguments: Vec<String> = words.collect();
        let of_event = |(event, input): &(&str, &Path)| Case {
            name: format!("{name}: {event}"),
            program: program.clone(),
            arguments: arguments.clone(),
            input: input.to_path_buf(),
            is_ours: false,
        };
        events.iter().map(of_event).collect::<Vec<_>>()
    };
    guards.flat_map(of_guard).collect()
}

/// The time from before the process starts until it is known to have ended.
fn timed(case: &Case, home: &Path, project: &Path) -> Duration {
    let mut command = Command::new(&case.program);
    command
        .args(&case.arguments)
        .env_clear()
        .env("HOME", home)
        .env("CLAUDE_PROJECT_DIR", project)
        .env("CLAUDE_CODE_ENTRYPOINT", "cli")
        .current_dir(project)
        .stdin(File::open(&case.input).expect("the event"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if !case.is_ours {
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
    }
    let started = Instant::now();
    let status = command.status().expect("the program starts");
    let taken = started.elapsed();
    assert!(status.success() || !case.is_ours, "{}: {status}", case.name);
    taken
}

fn report(cases: &[Case], times: &mut [Vec<Duration>]) {
    for samples in times.iter_mut() {
        samples.sort_unstable();
    }
    let at = |samples: &[Duration], share: usize| samples[(samples.len() - 1) * share / 100];
    println!("{} rounds; milliseconds, and times the floor", times[0].len());
    println!("{:34}{:>8}{:>8}{:>8}{:>9}{:>9}", "", "min", "median", "p99", "x min", "x median");
    let floor = times[0].clone();
    for (case, samples) in cases.iter().zip(times.iter()) {
        let [low, middle, high] = [0, 50, 99].map(|share| at(samples, share).as_secs_f64() * 1e3);
        let [low_ratio, middle_ratio] =
            [0, 50].map(|share| at(samples, share).as_secs_f64() / at(&floor, share).as_secs_f64());
        println!("{:34}{low:>8.3}{middle:>8.3}{high:>8.3}{low_ratio:>9.2}{middle_ratio:>9.2}", case.name);
    }
}

fn arm_once() {
    let started = Instant::now();
    last_word::arm(last_word::LastWord::default(), Some(Duration::from_secs(8)), 1 << 30);
    let taken = started.elapsed();
    println!("{}", taken.as_nanos());
}

fn report_arming() {
    let program = std::env::current_exe().expect("this program");
    let mut times: Vec<u64> = (0..ARMINGS)
        .map(|_| {
            let output = Command::new(&program).arg(ARM).output().expect("this program starts");
            String::from_utf8_lossy(&output.stdout).trim().parse().expect("nanoseconds")
        })
        .collect();
    times.sort_unstable();
    println!("arming the last word: min {} ns, median {} ns of {ARMINGS}", times[0], times[ARMINGS / 2]);
}
