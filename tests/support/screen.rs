//! The interactive client on a terminal of its own, with what a person sees there and types.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::api::Api;
use super::project::Project;
use super::script::{Thread, Turn};
use super::session::client;

/// The longest that anything takes to appear.
const PATIENCE: Duration = Duration::from_secs(60);
/// The end of the key that `client` sets.
const KEY: &str = "dummy-key";

/// A running client. It ends when dropped.
pub(crate) struct Screen {
    socket: String,
    api: Api,
}

impl Screen {
    /// Starts the client in `project`; `None` without tmux, which one line says.
    pub(crate) fn open(claude: &Path, project: &Project, turns: Vec<Turn>, args: &[&str]) -> Option<Self> {
        let has_tmux =
            Command::new("tmux").arg("-V").stdout(Stdio::null()).status().is_ok_and(|s| s.success());
        if !has_tmux {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "NOT RUN: an interactive session, tmux is missing");
            return None;
        }
        onboard(project);
        let api = Api::play(vec![Thread { mark: String::new(), turns }]);
        let mut command = client(claude, project);
        command
            .args(args)
            .env("ANTHROPIC_BASE_URL", api.url())
            .env("TERM", "xterm-256color")
            .env("IS_SANDBOX", "1");
        let variables = command
            .get_envs()
            .filter_map(|(name, value)| Some(format!("{}={}", name.to_str()?, value?.to_str()?)));
        let mut line = vec!["env".to_owned(), "-i".to_owned()];
        line.extend(variables);
        line.push(claude.to_str().expect("UTF-8").to_owned());
        line.extend(args.iter().map(|arg| (*arg).to_owned()));
        let shell: Vec<String> =
            line.iter().map(|word| format!("'{}'", word.replace('\'', "'\\''"))).collect();
        let socket = project.root().parent()?.join("tmux").to_str()?.to_owned();
        let screen = Screen { socket, api };
        let root = project.root();
        screen.tmux(&[
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "e2e",
            "-x",
            "160",
            "-y",
            "60",
            "-c",
            root.to_str().expect("UTF-8"),
            &shell.join(" "),
        ]);
        // What the client sends, byte for byte, beside what is drawn of it.
        screen.tmux(&["pipe-pane", "-t", "e2e", &format!("cat >> '{}.raw'", screen.socket)]);
        screen.wait("❯");
        // The first screen is drawn before it takes keys.
        thread::sleep(Duration::from_secs(1));
        Some(screen)
    }

    /// What is on the screen.
    pub(crate) fn text(&self) -> String {
        let shown = self.tmux(&["capture-pane", "-p", "-J", "-S", "-300", "-t", "e2e"]);
        String::from_utf8_lossy(&shown.stdout).into_owned()
    }

    /// All that the client has sent to its terminal.
    pub(crate) fn raw(&self) -> String {
        let bytes = fs::read(format!("{}.raw", self.socket)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Whether the terminal's bell has rung.
    pub(crate) fn has_rung(&self) -> bool {
        let flag = self.tmux(&["display-message", "-p", "-t", "e2e", "#{window_bell_flag}"]);
        flag.stdout.starts_with(b"1")
    }

    /// Waits until `text` is on the screen; panics when it never comes.
    pub(crate) fn wait(&self, text: &str) {
        self.wait_for(text, |screen| screen.contains(text).then_some(()));
    }

    /// Waits until the screen has what `find` looks for.
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

    /// The bodies of all requests to the model so far.
    pub(crate) fn sent(&self) -> Vec<String> {
        self.api.sent()
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

impl Drop for Screen {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

/// What the client asks at its first start, answered.
fn onboard(project: &Project) {
    let root = project.root();
    let state = json!({
        "hasCompletedOnboarding": true,
        "theme": "dark",
        "bypassPermissionsModeAccepted": true,
        "customApiKeyResponses": {"approved": [KEY], "rejected": []},
        "projects": {
            (root.to_str().expect("UTF-8")): {
                "hasTrustDialogAccepted": true,
                "hasCompletedProjectOnboarding": true,
            },
        },
    });
    fs::write(project.home().join(".claude.json"), state.to_string()).expect("a written file");
}
