//! Whether this guard is called at all: what the client's settings register is looked at when a session begins, because
//! a hook that never starts tells nobody.
//!
//! Settings that register nothing of ours are not ours to judge: then a plugin or somebody's own wiring has called us.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use regex::Regex;

use crate::detectors::listed_tools;
use crate::hosts::claude_code::registration::REGISTRATIONS;
use crate::hosts::claude_code::settings_files::Registered;
use crate::hosts::claude_code::{registration, versions};
use crate::lifecycle::context::hook_context::HookContext;
use crate::lifecycle::session::calling::CallingSettings;
use crate::text::health as text;

/// How long another program of the settings may take to answer an empty event.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often it is looked at meanwhile.
const LOOK: Duration = Duration::from_millis(2);

/// What is wrong with the way in which the client calls the guard, in sentences for the person.
pub(crate) fn faults(context: &HookContext) -> Vec<String> {
    let home = context.env.home.as_deref();
    let own =
        (context.env.vars)("CLAUDE_CONFIG_DIR").map(PathBuf::from).or(home.map(|home| home.join(".claude")));
    let start = context.event.project_dir.as_deref().unwrap_or(context.project.root());
    let version = (context.env.vars)(versions::AGENT_VARIABLE).and_then(|said| versions::of_agent(&said));
    let calling = CallingSettings::around(start, own.as_deref(), version);
    let registered: Vec<&Registered> = calling.in_force().flat_map(|seen| &seen.registered).collect();
    if registered.is_empty() {
        return Vec::new();
    }
    let broken = calling.programs().into_iter().filter_map(|program| broken(&program));
    left_out(&registered).into_iter().chain(broken).collect()
}

/// The events and the tools that are not registered, in sentences.
pub fn left_out(registered: &[&Registered]) -> Vec<String> {
    let missing: Vec<&str> = REGISTRATIONS
        .iter()
        // Older clients do not know the others.
        .filter(|one| !one.settings_only)
        .map(|one| one.event)
        .filter(|event| !registered.iter().any(|one| one.event == *event))
        .collect();
    let tools = tools_left_out(registered);
    let unregistered = (!missing.is_empty()).then(|| text::events_left_out(&missing));
    let narrow = (!tools.is_empty()).then(|| text::tools_left_out(&tools));
    unregistered.into_iter().chain(narrow).collect()
}

/// What the person hears of a client that is newer than all that were tested.
pub(crate) fn untested_client(context: &HookContext) -> Option<String> {
    let version = versions::of_agent(&(context.env.vars)(versions::AGENT_VARIABLE)?)?;
    let (version, newest) = versions::untested(version)?;
    Some(text::untested_client(&version, &newest))
}

/// The tools for which a call is not judged before it runs, although the event itself is registered.
fn tools_left_out(registered: &[&Registered]) -> Vec<&'static str> {
    let wanted = REGISTRATIONS.iter().find(|one| one.event == "PreToolUse").and_then(|one| one.matcher);
    let of_event = registered.iter().filter(|one| one.event == "PreToolUse");
    let matchers: Vec<Option<&str>> = of_event.map(|one| one.matcher.as_deref()).collect();
    if matchers.is_empty() || matchers.contains(&wanted) {
        return Vec::new();
    }
    let covers = |tool: &str| matchers.iter().any(|matcher| matcher.is_none_or(|it| takes(it, tool)));
    let left_out = registration::KINDS_OF_TOOLS.iter().filter(|(tool, _)| !covers(tool));
    left_out.map(|(_, called)| *called).collect()
}

/// Whether a matcher takes a tool, as the client reads it: a list of names, or else a pattern. One that is no pattern
/// takes nothing there; here it counts as one that somebody has thought about.
fn takes(matcher: &str, tool: &str) -> bool {
    match listed_tools(matcher) {
        _ if matches!(matcher, "" | "*") => true,
        Some(names) => names.contains(&tool),
        None => Regex::new(matcher).map_or(true, |pattern| pattern.is_match(tool)),
    }
}

/// Why a registered program can't guard anything; `None` when it can, or is the one that runs now.
pub fn broken(program: &Path) -> Option<String> {
    let found = if program.components().count() == 1 { on_path(program) } else { Some(program.to_owned()) };
    let Some(real) = found.and_then(|found| found.canonicalize().ok()) else {
        return Some(text::program_missing(program));
    };
    if std::env::current_exe().and_then(|own| own.canonicalize()).is_ok_and(|own| own == real) {
        return None;
    }
    let started = Instant::now();
    let mut command = Command::new(&real);
    command.arg("pre-tool-use").stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Some(text::program_does_not_start(program, &error.to_string())),
    };
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(b"{\"hook_event_name\":\"PreToolUse\"}").ok();
    }
    let code = ended(&mut child, started);
    (code != Some(0)).then(|| text::program_fails(program, code, started.elapsed()))
}

/// Where a program lies that is called by its name alone.
pub fn on_path(name: &Path) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|found| found.is_file())
}

/// The exit code of a program, which is not waited for longer than it may take.
fn ended(child: &mut Child, started: Instant) -> Option<i32> {
    while started.elapsed() < PATIENCE {
        if let Ok(Some(status)) = child.try_wait() {
            return status.code();
        }
        std::thread::sleep(LOOK);
    }
    child.kill().ok();
    child.wait().ok();
    None
}
