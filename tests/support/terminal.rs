//! A terminal of a given size, made by tmux: what is on it, and what a person types there.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::project::Project;

/// The longest that anything takes to appear.
const PATIENCE: Duration = Duration::from_secs(60);

/// A terminal with a command on it. It ends when dropped.
pub(crate) struct Terminal {
    socket: String,
}

impl Terminal {
    /// Runs a command, with its own variables and no others, in `project`; `None` without tmux, which one line says.
    pub(crate) fn run(project: &Project, command: &Command, columns: u16, rows: u16) -> Option<Self> {
        let has_tmux =
            Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
        if !has_tmux {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "NOT RUN: a session at a terminal, tmux is missing");
            return None;
        }
        let socket = project.root().parent()?.join("tmux").to_str()?.to_owned();
        let terminal = Terminal { socket };
        let root = project.root();
        terminal.tmux(
            &["-f", "/dev/null", "new-session", "-d", "-s", "e2e"]
                .into_iter()
                .chain(["-x", &columns.to_string(), "-y", &rows.to_string()])
                .chain(["-c", root.to_str()?, &line(command)])
                .collect::<Vec<_>>(),
        );
        // What is sent to it, byte for byte, beside what is drawn of that.
        terminal.tmux(&["pipe-pane", "-t", "e2e", &format!("cat >> '{}.raw'", terminal.socket)]);
        Some(terminal)
    }

    /// All that was sent to it.
    pub(crate) fn raw(&self) -> String {
        let bytes = std::fs::read(format!("{}.raw", self.socket)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether its bell has rung.
    pub(crate) fn has_rung(&self) -> bool {
        let flag = self.tmux(&["display-message", "-p", "-t", "e2e", "#{window_bell_flag}"]);
        flag.stdout.starts_with(b"1")
    }

    /// What is on it now and was on it before.
    pub(crate) fn text(&self) -> String {
        self.captured(&["-S", "-300"])
    }

    /// What is on it now.
    pub(crate) fn now(&self) -> String {
        self.captured(&[])
    }

    fn captured(&self, more: &[&str]) -> String {
        let shown = self.tmux(&[&["capture-pane", "-p", "-J", "-t", "e2e"], more].concat());
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }

    /// Waits until `text` is there; panics when it never comes.
    pub(crate) fn wait(&self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text).then_some(()));
    }

    /// Waits until there is what `find` looks for.
    pub(crate) fn wait_for<T>(&self, what: &str, find: impl Fn(&str) -> Option<T>) -> T {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let screen = self.text();
            if let Some(found) = find(&screen) {
                return found;
            }
            assert!(Instant::now() < deadline, "never saw {what:?}; the screen:\n{screen}");
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Gives it another size.
    pub(crate) fn resize(&self, columns: u16, rows: u16) {
        self.tmux(&["resize-window", "-t", "e2e", "-x", &columns.to_string(), "-y", &rows.to_string()]);
    }

    /// Types a line.
    pub(crate) fn line(&self, text: &str) {
        self.tmux(&["send-keys", "-t", "e2e", "-l", text]);
        thread::sleep(Duration::from_millis(500));
        self.key("Enter");
    }

    /// Presses a key, by tmux's name of it.
    pub(crate) fn key(&self, name: &str) {
        self.tmux(&["send-keys", "-t", "e2e", name]);
    }

    fn tmux(&self, args: &[&str]) -> Output {
        Command::new("tmux")
            .args(["-S", &self.socket])
            .args(args)
            .stdin(Stdio::null())
            .output()
            .expect("tmux")
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// The command as a line of shell.
fn line(command: &Command) -> String {
    let variables = command
        .get_envs()
        .filter_map(|(name, value)| Some(format!("{}={}", name.to_str()?, value?.to_str()?)));
    let mut words = vec!["env".to_owned(), "-i".to_owned()];
    words.extend(variables);
    words.extend(Path::new(command.get_program()).to_str().map(str::to_owned));
    words.extend(command.get_args().filter_map(|arg| arg.to_str()).map(str::to_owned));
    let quoted: Vec<String> = words.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
    quoted.join(" ")
}
