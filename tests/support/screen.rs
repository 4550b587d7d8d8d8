//! The interactive client on a terminal of its own, with what a person sees there and types.

use std::fs;
use std::ops::Deref;
use std::path::Path;
use std::thread;
use std::time::Duration;

use serde_json::json;

use super::api::Api;
use super::project::Project;
use super::script::{Thread, Turn};
use super::session::client;
use super::terminal::Terminal;

/// The end of the key that `client` sets.
const KEY: &str = "dummy-key";

/// A running client. It ends when dropped.
pub(crate) struct Screen {
    terminal: Terminal,
    api: Api,
}

impl Screen {
    /// Starts the client in `project`; `None` without tmux, which one line says.
    pub(crate) fn open(claude: &Path, project: &Project, turns: Vec<Turn>, args: &[&str]) -> Option<Self> {
        Screen::with_agents(claude, project, Vec::new(), turns, args)
    }

    /// The same with subagents, each known by a mark in its prompt.
    pub(crate) fn with_agents(
        claude: &Path,
        project: &Project,
        mut agents: Vec<Thread>,
        turns: Vec<Turn>,
        args: &[&str],
    ) -> Option<Self> {
        onboard(project);
        agents.push(Thread { mark: String::new(), turns });
        let api = Api::play(agents);
        let mut command = client(claude, project);
        command
            .args(args)
            .env("ANTHROPIC_BASE_URL", api.url())
            .env("TERM", "xterm-256color")
            .env("IS_SANDBOX", "1");
        let screen = Screen { terminal: Terminal::run(project, &command, 160, 60)?, api };
        screen.wait("❯");
        // The first screen is drawn before it takes keys.
        thread::sleep(Duration::from_secs(1));
        Some(screen)
    }

    /// The bodies of all requests to the model so far.
    pub(crate) fn sent(&self) -> Vec<String> {
        self.api.sent()
    }
}

impl Deref for Screen {
    type Target = Terminal;

    fn deref(&self) -> &Terminal {
        &self.terminal
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
