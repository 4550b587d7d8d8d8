//! Commands that only a person at a keyboard may give: `script` makes a terminal for what they read.

use std::fs;
use std::process::{Command, Output, Stdio};

/// Whether these arguments of `steadfast` need one.
pub(crate) fn is_needed(arguments: &[&str]) -> bool {
    matches!(arguments, ["loop", "abort" | "pause", ..] | ["ralph-abort" | "ralph-pause", ..])
}

/// Runs a command that begins with an empty environment at a terminal that only its input comes from.
pub(crate) fn run(command: &Command) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let [out, err] = ["out", "err"].map(|name| folder.path().join(name));
    let quoted = |text: &std::ffi::OsStr| format!("'{}'", text.to_string_lossy().replace('\'', r"'\''"));
    let words = std::iter::once(command.get_program()).chain(command.get_args()).map(quoted);
    let words: Vec<String> = words.collect();
    let line = format!("{} >{} 2>{}", words.join(" "), quoted(out.as_os_str()), quoted(err.as_os_str()));
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--command", &line, "/dev/null"]).env_clear();
    script.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    if let Some(directory) = command.get_current_dir() {
        script.current_dir(directory);
    }
    script.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = script.spawn().expect("script makes a terminal");
    // It would wait for seconds after the end of what is typed.
    let keyboard = child.stdin.take();
    let status = child.wait().expect("script ends");
    drop(keyboard);
    let read = |path| fs::read(path).unwrap_or_default();
    Output { status, stdout: read(&out), stderr: read(&err) }
}
