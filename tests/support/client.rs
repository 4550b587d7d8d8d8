//! Where the real client is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The version that the bench is written for.
pub(crate) const VERSION: &str = "2.1.197";

/// The newest version that was looked at.
pub(crate) const NEWER: &str = "2.1.332";

/// The client, from `STEADFAST_CLAUDE` or where `.ci/run` puts it. When it is missing, one line says how to get it,
/// and the tests that need it end early.
pub(crate) fn claude() -> Option<PathBuf> {
    static MISSING: Once = Once::new();
    let found = match std::env::var_os("STEADFAST_CLAUDE") {
        Some(path) => PathBuf::from(path),
        None => installed("claude-client"),
    };
    existing(found, "end-to-end sessions", "claude-client", VERSION, &MISSING)
}

/// The newer client, from `STEADFAST_NEWER_CLAUDE` or where `.ci/run` puts it; missing, it is said in one line.
pub(crate) fn newer() -> Option<PathBuf> {
    static MISSING: Once = Once::new();
    let named = std::env::var_os("STEADFAST_NEWER_CLAUDE").map(PathBuf::from);
    let folder = format!("claude-client-{NEWER}");
    let found = named.unwrap_or_else(|| installed(&folder));
    existing(found, "sessions of the newer client", &folder, NEWER, &MISSING)
}

/// Where `npm install --prefix target/FOLDER` puts the client.
fn installed(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join(format!("target/{folder}/node_modules/@anthropic-ai"))
        .join(format!("claude-code-{}/claude", platform()))
}

fn existing(found: PathBuf, what: &str, folder: &str, version: &str, missing: &Once) -> Option<PathBuf> {
    if found.is_file() {
        return Some(found);
    }
    missing.call_once(|| {
        // Straight to stderr: what the print macros say in a passing test is not shown.
        let _ = writeln!(
            std::io::stderr(),
            "NOT RUN: {what}, {} is missing. Get it with: \
             npm install --prefix target/{folder} @anthropic-ai/claude-code@{version}",
            found.display()
        );
    });
    None
}

/// The Codex version that the bench is written for.
pub(crate) const CODEX: &str = "0.171.0";

/// The Codex client, from `STEADFAST_CODEX` or where `.ci/run` puts it. When it is missing, one line says how to get it.
pub(crate) fn codex() -> Option<PathBuf> {
    static MISSING: Once = Once::new();
    let packages = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/codex-client/node_modules/@openai");
    let vendor = packages.join(format!("codex-{}/vendor", platform()));
    let built = std::fs::read_dir(vendor).into_iter().flatten().flatten();
    let mut built = built.map(|entry| entry.path().join("bin/codex"));
    let found = std::env::var_os("STEADFAST_CODEX").map(PathBuf::from).or_else(|| built.next());
    let found = found.filter(|found| found.is_file());
    if found.is_none() {
        MISSING.call_once(|| {
            let _ = writeln!(
                std::io::stderr(),
                "NOT RUN: runs with Codex. Get it with: \
                 npm install --prefix target/codex-client @openai/codex@{CODEX}"
            );
        });
    }
    found
}

/// Another agent's client that npm brings: where it is looked for, and how to get it.
pub(crate) struct Other {
    /// What people call it.
    pub(crate) title: &'static str,
    /// A variable that names the file.
    pub(crate) variable: &'static str,
    /// The folder below `target`.
    pub(crate) folder: &'static str,
    /// The file below that folder's `node_modules`; `{platform}` is npm's name of this platform.
    pub(crate) file: &'static str,
    /// What npm installs.
    pub(crate) packages: &'static str,
}

impl Other {
    /// The client's file, from its variable or where `.ci/run` puts it. When it is missing, one line says how to get it.
    pub(crate) fn found(&self, missing: &Once) -> Option<PathBuf> {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("target").join(self.folder).join("node_modules");
        let file = self.file.replace("{platform}", &platform());
        let named = std::env::var_os(self.variable).map(PathBuf::from);
        let found = named.unwrap_or_else(|| folder.join(file));
        if found.is_file() {
            return Some(found);
        }
        missing.call_once(|| {
            let _ = writeln!(
                std::io::stderr(),
                "NOT RUN: sessions of {}. Get it with: npm install --prefix target/{} {}",
                self.title,
                self.folder,
                self.packages
            );
        });
        None
    }
}

/// The client's name of this platform.
fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let machine = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    format!("{system}-{machine}")
}
