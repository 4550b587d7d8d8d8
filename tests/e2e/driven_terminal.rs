//! What a person sees of `steadfast run` at a terminal, and what their keys and a closed terminal do to it.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::project::{Project, said, wait_for};
use crate::support::terminal::Terminal;

const START: &[&str] =
    &["Do it", "--until", "sh check.sh passes", "--loop-id", "one", "--max-iterations", "3"];
/// Fails with a long sentence, so that the line is longer than a terminal is wide.
const CHECK: &str = "[ -f ../slow ] && sleep 61\n[ -f done ] && exit 0\necho 'ValueError: the third row of the second table has no key at all, and none can be made'; exit 1\n";

fn project(agent: &str) -> Project {
    Project::with(&[("check.sh", CHECK), ("agent.sh", agent)])
}

fn command(project: &Project, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_steadfast"));
    project.clean(command.arg("run").args(args)).args(["--", "sh", "agent.sh"]);
    command
}

/// The rows of a screen that hold a living line.
fn living(screen: &str) -> Vec<&str> {
    screen.lines().filter(|row| row.starts_with("iteration ") && row.contains(" · ")).collect()
}

#[test]
fn the_line_lives_in_one_row_however_wide_the_terminal_is() {
    let agent = "echo \"{\\\"result\\\":\\\"tried\\\",\\\"total_cost_usd\\\":0.25}\"; touch ../working; while [ -f ../working ]; do sleep 0.1; done; date +%N > last\n";
    for (columns, variables) in [(120, &[][..]), (40, &[("NO_COLOR", "1")])] {
        let project = project(agent);
        let mut command = command(&project, START);
        command.env("TERM", "xterm-256color").envs(variables.iter().copied());
        // It stays on the screen when it has ended.
        let mut shown = Command::new("sh");
        project.clean(&mut shown).args(["-c", "\"$@\"; echo EXIT $?; sleep 60", "sh"]);
        shown.arg(command.get_program()).args(command.get_args()).env("TERM", "xterm-256color");
        shown.envs(variables.iter().copied());
        let Some(terminal) = Terminal::run(&project, &shown, columns, 20) else { return };
        let go_on = || {
            wait_for("the agent's work", || project.root().join("../working").exists());
            fs::remove_file(project.root().join("../working")).expect("removed");
        };
        terminal.wait("iteration 1/3 · ");
        go_on();
        terminal.wait("iteration 2/3 · ");
        terminal.wait("$0.25");
        // It ticks, and it is one row.
        thread::sleep(Duration::from_millis(2_200));
        let screen = terminal.now();
        let rows = living(&screen);
        assert_eq!(rows.len(), 1, "{screen}");
        assert!(
            rows[0].contains("s · $0.25 · last: FA") && rows[0].chars().count() < columns.into(),
            "{screen}"
        );
        assert!(!rows[0].contains(" 0s"), "{screen}");
        assert!(!screen.contains("[2K") && !screen.contains("[J"), "{screen}");
        // Narrower while it stands there: what wrapped is taken off as well.
        terminal.resize(24, 20);
        thread::sleep(Duration::from_millis(1_300));
        let narrow = terminal.now();
        assert_eq!(living(&narrow).len(), 1, "{narrow}");
        assert!(living(&narrow)[0].chars().count() < 24, "{narrow}");
        terminal.resize(columns, 20);
        project.write("done", "");
        go_on();
        terminal.wait("EXIT 0");
        let end = terminal.text();
        assert!(end.contains("iteration 2/3: PASS") && end.contains("Status: SUCCESS"), "{end}");
        assert!(living(&end).is_empty(), "nothing of the line is left: {end}");
    }
}

#[test]
fn a_terminal_that_moves_nothing_gets_plain_lines() {
    let project = project("date +%N > last\n");
    let mut shown = Command::new("sh");
    project.clean(&mut shown).args(["-c", "\"$@\"; echo EXIT $?; sleep 60", "sh"]);
    let command = command(&project, START);
    shown.arg(command.get_program()).args(command.get_args()).env("TERM", "dumb");
    let Some(terminal) = Terminal::run(&project, &shown, 100, 50) else { return };
    terminal.wait("EXIT 1");
    let screen = terminal.text();
    assert!(screen.contains("iteration 1/3 begins") && screen.contains("iteration 3/3: FAIL"), "{screen}");
    assert!(screen.contains("MAX_ITERATIONS") && living(&screen).is_empty(), "{screen}");
}

#[test]
fn a_verification_is_shown_and_can_be_interrupted() {
    let project = project("date +%N > last\n");
    let mut shown = Command::new("sh");
    project.clean(&mut shown).args(["-c", "trap : INT; \"$@\"; echo EXIT $?; sleep 60", "sh"]);
    let command = command(&project, START);
    shown.arg(command.get_program()).args(command.get_args()).env("TERM", "xterm-256color");
    // The check at the start is over before it becomes slow.
    project.write("agent.sh", "touch ../slow\n");
    let Some(terminal) = Terminal::run(&project, &shown, 100, 20) else { return };
    terminal.wait("iteration 1/3 · verifying · ");
    terminal.key("C-c");
    terminal.wait("EXIT 130");
    assert!(terminal.text().contains("--resume"), "{}", terminal.text());
    let state = project.state_of("one");
    assert_eq!((&state["status"], &state["iteration_history"]), (&json!("paused"), &json!([])), "{state:#}");
    let left = Command::new("pgrep").args(["-f", "^sleep 61"]).output().expect("pgrep");
    assert!(left.stdout.is_empty(), "still running: {left:?}");
    fs::remove_file(project.root().join("../slow")).expect("removed");
    project.write("agent.sh", "touch done\n");
    let resumed = self::command(&project, &["one", "--resume"]).output().expect("steadfast");
    assert!(resumed.status.success() && project.state_of("one")["iteration"] == 1, "{}", said(&resumed));
}

fn signalled(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success());
}

#[test]
fn each_signal_pauses_and_a_second_one_waits_for_nothing() {
    // An agent that does not listen to the first.
    let project = project("trap '' INT TERM HUP; echo $$ > ../agent; touch ../working; sleep 62; sleep 62\n");
    let begin = |args: &[&str]| {
        let mut command = command(&project, args);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("steadfast");
        wait_for("the agent", || project.root().join("../working").exists());
        fs::remove_file(project.root().join("../working")).expect("removed");
        child
    };
    let agent_is_gone = || {
        let pid = fs::read_to_string(project.root().join("../agent")).expect("its number");
        let stat = fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
        // One that has ended may wait for a parent that asks.
        stat.is_empty() || stat.contains(") Z ")
    };
    for (number, (signals, code)) in
        [(&["-TERM"][..], 143), (&["-HUP"], 129), (&["-INT", "-INT"], 130)].into_iter().enumerate()
    {
        let child = if number == 0 { begin(START) } else { begin(&["one", "--resume"]) };
        let begun = Instant::now();
        for signal in signals {
            signalled(&child, signal);
            thread::sleep(Duration::from_millis(100));
        }
        let output = child.wait_with_output().expect("its end");
        assert_eq!(output.status.code(), Some(code), "{}", said(&output));
        let limit = if signals.len() > 1 { 2 } else { 10 };
        assert!(begun.elapsed() < Duration::from_secs(limit), "{signals:?} took {:?}", begun.elapsed());
        assert!(agent_is_gone(), "{signals:?} left the agent");
        let state = project.state_of("one");
        assert_eq!((&state["status"], &state["iteration_history"]), (&json!("paused"), &json!([])));
    }
    // A driver that is killed can end nothing: who goes on with the loop ends the session that was left behind.
    let mut child = begin(&["one", "--resume"]);
    child.kill().expect("killed");
    child.wait().expect("its end");
    assert!(!agent_is_gone());
    project.write("agent.sh", "touch done\n");
    let resumed = command(&project, &["one", "--resume"]).output().expect("steadfast");
    assert!(resumed.status.success() && said(&resumed).contains("left behind"), "{}", said(&resumed));
    assert!(agent_is_gone());
}

#[test]
fn a_person_is_asked_before_an_interactive_start() {
    let project = Project::with(&[("package.json", "{\"scripts\": {\"test\": \"false\"}}\n")]);
    let mut shown = Command::new("sh");
    project.clean(&mut shown).args(["-c", "\"$@\"; echo EXIT $?; sleep 60", "sh"]);
    shown.arg(env!("CARGO_BIN_EXE_steadfast")).args(["loop", "start", "Fix it", "--until", "tests pass"]);
    shown.args(["--interactive", "--loop-id", "one"]).env("TERM", "xterm-256color");
    let Some(terminal) = Terminal::run(&project, &shown, 100, 40) else { return };
    terminal.wait("1. npm test passes");
    terminal.line("1");
    terminal.wait("Start? [y/N]");
    assert!(project.loops().is_empty(), "nothing begins before the answer");
    terminal.line("y");
    terminal.wait("EXIT 0");
    assert_eq!(project.state_of("one")["completion_criteria"], "npm test passes");
}
