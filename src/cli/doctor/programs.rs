//! The executables: their versions, whether they can be run, how fast they answer, and whether they refuse what they must.

use std::env;
use std::ffi::OsStr;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::diagnosis::{DoctorFinding, Fix, Outcome};
use crate::cli::guard::{plugin_executable, shown};
use crate::cli::install::trial;
use crate::hosts::claude_code::registration::HOOK_BINARY;
use crate::lifecycle::session::calling::CallingSettings;
use crate::lifecycle::session::health;

/// How often each process is started for its speed.
const ROUNDS: usize = 7;
/// A hook that takes longer than this for a call that changes nothing is felt by its person.
const SLOW: Duration = Duration::from_millis(50);
/// Programs that do nothing.
const NOTHING: &[&str] = &["/bin/true", "/usr/bin/true"];
/// A call that changes nothing.
const HARMLESS: &str = r#"{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"session_id":"steadfast-trial"}"#;

const CHECK: &str = "executables";

/// The two executables of this installation.
pub(super) fn installed() -> Vec<DoctorFinding> {
    let Ok(own) = env::current_exe() else {
        return vec![DoctorFinding::new(CHECK, Outcome::Warning, "where this executable lies is not known")];
    };
    let mut findings = vec![hook_beside(&own)];
    if health::on_path(Path::new("steadfast")).is_none() {
        let folder = own.parent().unwrap_or(&own);
        let says =
            "`steadfast` is not found on PATH: commands that messages name are not found as they stand";
        let mend = format!("add {} to PATH", shown(folder));
        findings.push(DoctorFinding::new(CHECK, Outcome::Note, says).mend(mend));
    }
    findings
}

/// The hook's executable beside this one.
fn hook_beside(own: &Path) -> DoctorFinding {
    let version = env!("CARGO_PKG_VERSION");
    let hook = own.with_file_name(HOOK_BINARY);
    if !hook.is_file() {
        let says = format!("{HOOK_BINARY} is not beside {}", shown(own));
        let mend = "install both executables into one folder: ./install.sh in a clone of Steadfast";
        return DoctorFinding::new(CHECK, Outcome::Fault, says).mend(mend);
    }
    if !is_executable(&hook) {
        let says = format!("{} is not executable", shown(&hook));
        let finding =
            DoctorFinding::new(CHECK, Outcome::Fault, says).mend(format!("chmod 755 {}", shown(&hook)));
        return finding.fix(Fix::Executable(hook));
    }
    match version_of(&hook) {
        Some(other) if other == version => {
            let folder = shown(own.parent().unwrap_or(own));
            DoctorFinding::ok(CHECK, format!("steadfast and {HOOK_BINARY} {version} in {folder}"))
        }
        other => {
            let other = other.unwrap_or_else(|| "unknown".to_owned());
            let says = format!("this is steadfast {version}, and {} is version {other}", shown(&hook));
            DoctorFinding::new(CHECK, Outcome::Warning, says)
                .mend("`steadfast update` says how to get both anew")
        }
    }
}

fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.permissions().mode() & 0o111 != 0)
}

/// What an executable of ours says of its version.
fn version_of(program: &Path) -> Option<String> {
    let said =
        Command::new(program).arg("--version").stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let said = String::from_utf8(said.stdout).ok()?;
    said.trim().strip_prefix(HOOK_BINARY).map(|version| version.trim().to_owned())
}

/// What would be called in a session: the registered programs, else what the plugin finds, else the one beside us.
pub(super) fn called(calling: &CallingSettings) -> Vec<PathBuf> {
    let found =
        |program: PathBuf| if program.is_absolute() { Some(program) } else { health::on_path(&program) };
    let programs: Vec<PathBuf> = calling.programs().into_iter().filter_map(found).collect();
    if !programs.is_empty() {
        return programs;
    }
    let by_plugin = calling.plugin.as_deref().and_then(plugin_executable);
    let beside = || env::current_exe().ok().map(|own| own.with_file_name(HOOK_BINARY));
    by_plugin.or_else(beside).into_iter().collect()
}

/// The versions of what is called, where another one than this is.
pub(super) fn versions(calling: &CallingSettings) -> Vec<DoctorFinding> {
    let own = env!("CARGO_PKG_VERSION");
    let other = |program: &PathBuf| version_of(program).filter(|version| version != own);
    let others =
        called(calling).into_iter().filter_map(|program| other(&program).map(|version| (program, version)));
    let finding = |(program, version): (PathBuf, String)| {
        let says = format!("the client calls {} of version {version}, and this is {own}", shown(&program));
        DoctorFinding::new("version", Outcome::Warning, says)
            .mend("`steadfast install` registers the one beside this command")
    };
    others.map(finding).collect()
}

/// A recorded edit that deletes a test goes through each program that is called.
pub(super) fn tried(calling: &CallingSettings) -> Vec<DoctorFinding> {
    let try_one = |program: PathBuf| match trial::run(&program) {
        Ok(trial) => {
            let took = trial.took.as_secs_f64() * 1000.0;
            let says =
                format!("an edit that deletes a test was refused by {} after {took:.0} ms", shown(&program));
            DoctorFinding::ok("trial", says)
        }
        Err(error) => DoctorFinding::new("trial", Outcome::Fault, format!("{error:#}"))
            .mend("`steadfast install` registers the executable beside this command, after the same trial"),
    };
    called(calling).into_iter().map(try_one).collect()
}

/// What a harmless call costs, beside a process that does nothing.
pub(super) fn speed(calling: &CallingSettings) -> Vec<DoctorFinding> {
    let Some(program) = called(calling).into_iter().next() else { return Vec::new() };
    let Ok(scratch) = tempfile::tempdir() else { return Vec::new() };
    let nothing = NOTHING.iter().map(Path::new).find(|path| path.exists());
    let (mut hooks, mut floors) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        floors.extend(nothing.and_then(|nothing| took(nothing, &[], scratch.path())));
        hooks.extend(took(&program, &["pre-tool-use".as_ref()], scratch.path()));
    }
    let (Some(hook), floor) = (median(&mut hooks), median(&mut floors)) else { return Vec::new() };
    let ms = |time: Duration| format!("{:.1} ms", time.as_secs_f64() * 1000.0);
    let beside =
        floor.map(|floor| format!("; a process that does nothing takes {}", ms(floor))).unwrap_or_default();
    let says = format!("a call that changes nothing costs {}{beside}", ms(hook));
    if hook > SLOW && floor.is_none_or(|floor| hook > floor * 10) {
        let mend = "a debug build, a slow disk or a virus scanner may be why: `steadfast log --profile` says what takes time";
        return vec![DoctorFinding::new("speed", Outcome::Warning, says).mend(mend)];
    }
    vec![DoctorFinding::ok("speed", says)]
}

fn took(program: &Path, arguments: &[&OsStr], scratch: &Path) -> Option<Duration> {
    let started = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(scratch).env("CLAUDE_PROJECT_DIR", scratch);
    command.env("CLAUDE_CONFIG_DIR", scratch).env("XDG_STATE_HOME", scratch);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that ends without reading is measured all the same.
        let _ = std::io::Write::write_all(&mut stdin, HARMLESS.as_bytes());
    }
    child.wait().ok().filter(|status| status.success())?;
    Some(started.elapsed())
}

fn median(times: &mut [Duration]) -> Option<Duration> {
    times.sort();
    times.get(times.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_one_in_the_middle() {
        let times = |ms: &[u64]| ms.iter().map(|ms| Duration::from_millis(*ms)).collect::<Vec<_>>();
        assert_eq!(median(&mut times(&[9, 1, 2])), Some(Duration::from_millis(2)));
        assert_eq!(median(&mut times(&[])), None);
    }
}
