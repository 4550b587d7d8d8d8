//! Verification with real processes.

use crate::loops::criteria::clause::ForbiddenOutput;
use crate::loops::verification::*;

fn passes(command: &str) -> Check {
    Check::CommandPasses { command: command.to_owned() }
}

fn run_one(check: Check, deadline: Duration) -> CheckResult {
    let criteria = Criteria { text: String::new(), checks: vec![check] };
    let directory = tempfile::tempdir().expect("directory");
    let mut verification = run(&criteria, directory.path(), deadline, &[("GIVEN", "yes")]);
    assert_eq!(verification.passed, verification.checks[0].passed);
    verification.checks.remove(0)
}

const LONG: Duration = Duration::from_secs(30);

#[test]
fn exit_codes_decide() {
    let cases: &[(&str, bool, &str)] = &[
        ("true", true, "exit code 0"),
        ("exit 3", false, "exit code 3"),
        ("no-such-program-here", false, "exit code 127: the program was not found or may not be run"),
        ("kill -9 $$", false, "killed by signal 9"),
        ("test \"$GIVEN\" = yes", true, "exit code 0"),
        // Nothing to read: a command that asks gets the end of input, not the host's own stdin.
        ("read line", false, "exit code 1"),
    ];
    for (command, passed, reason) in cases {
        let result = run_one(passes(command), LONG);
        assert_eq!((result.passed, result.reason.as_str()), (*passed, *reason), "{command}: {result:?}");
    }
}

#[test]
fn silence_and_coverage_decide() {
    let silent = |command: &str, silence| Check::CommandSilent { command: command.into(), silence };
    let coverage =
        |command: &str, percent, bound| Check::CoverageAbove { command: command.into(), percent, bound };
    let cases = [
        (silent("true", ForbiddenOutput::Output), true),
        (silent("echo a", ForbiddenOutput::Output), false),
        (silent("grep x /dev/null", ForbiddenOutput::Output), true),
        (silent("grep x /no/such/file", ForbiddenOutput::Output), false),
        (silent("false", ForbiddenOutput::Errors), false),
        (silent("echo Found 0 errors", ForbiddenOutput::Errors), true),
        (silent("echo Found 2 errors >&2", ForbiddenOutput::Errors), false),
        (coverage("echo 'TOTAL 4 1 75%'", 75.0, BoundSense::AtLeast), true),
        (coverage("echo 'TOTAL 4 1 75%'", 75.0, BoundSense::Above), false),
        (coverage("echo 'TOTAL 4 1 75%'; exit 1", 10.0, BoundSense::Above), false),
        (coverage("echo nothing", 10.0, BoundSense::Above), false),
    ];
    for (check, passed) in cases {
        let result = run_one(check.clone(), LONG);
        assert_eq!(result.passed, passed, "{check}: {result:?}");
    }
}

#[test]
fn both_streams_keep_their_order() {
    let result = run_one(passes("echo one; echo two >&2; printf '\\033[31mthree\\033[0m\\n'; exit 1"), LONG);
    assert_eq!(result.output_tail, "one\ntwo\nthree\n");
}

#[test]
fn the_deadline_holds_against_a_family_that_ignores_sigterm() {
    let started = Instant::now();
    // The grandchild ignores every polite signal, holds the pipe and outlives its parents.
    let command = "sh -c 'trap \"\" TERM INT HUP; echo $$; while :; do sleep 1; done' & sh -c 'trap \"\" TERM; sleep 300'";
    let result = run_one(passes(command), Duration::from_millis(700));
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
    assert!(result.timed_out && !result.passed, "{result:?}");
    let pid: u32 = result.output_tail.trim().parse().expect("the grandchild's number");
    let state = || std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let dead = || state().is_empty() || state().contains(") Z ");
    assert!(
        (0..200).any(|_| dead() || {
            std::thread::sleep(Duration::from_millis(10));
            false
        }),
        "{}",
        state()
    );
}

#[test]
fn a_pipe_left_open_does_not_hang() {
    let started = Instant::now();
    let result = run_one(passes("sleep 60 & echo started"), LONG);
    assert!(result.passed && !result.timed_out, "{result:?}");
    assert_eq!(result.output_tail, "started\n");
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

#[test]
fn a_process_that_left_the_group_does_not_hang() {
    let started = Instant::now();
    let result = run_one(passes("setsid sleep 4 & echo started; exit 1"), LONG);
    assert_eq!(result.reason, "exit code 1");
    assert!(started.elapsed() < Duration::from_secs(3), "{:?}", started.elapsed());
}

#[test]
fn huge_and_binary_output_is_bounded() {
    let result = run_one(passes("head -c 50000000 /dev/zero | tr '\\0' 'a'; echo; echo end; exit 1"), LONG);
    assert_eq!((result.output_bytes, result.output_tail.len() <= SHOWN), (50_000_005, true));
    assert!(result.output_tail.ends_with("end\n"));
    let result = run_one(passes("head -c 100000 /dev/urandom; echo; echo end"), LONG);
    assert!(result.passed && result.output_tail.len() <= SHOWN && result.output_tail.ends_with("end\n"));
}

#[test]
fn every_check_runs_within_one_deadline() {
    let checks = vec![passes("exit 2"), passes("sleep 10"), passes("true")];
    let criteria = Criteria { text: String::new(), checks };
    let verification = run(&criteria, Path::new("/"), Duration::from_millis(400), &[]);
    let outcome: Vec<(bool, bool)> =
        verification.checks.iter().map(|check| (check.passed, check.timed_out)).collect();
    assert_eq!(outcome, [(false, false), (false, true), (false, true)]);
    assert!(verification.duration_ms < 3_000 && !verification.passed);
}

#[test]
fn a_missing_directory_is_a_failed_check() {
    let criteria = Criteria { text: String::new(), checks: vec![passes("true")] };
    let verification = run(&criteria, Path::new("/no/such/directory"), LONG, &[]);
    assert!(
        !verification.passed && verification.checks[0].reason.contains("/no/such/directory"),
        "{verification:?}"
    );
}

#[test]
fn no_checks_is_not_success() {
    let criteria = Criteria { text: String::new(), checks: vec![] };
    assert!(!run(&criteria, Path::new("/"), LONG, &[]).passed);
}
