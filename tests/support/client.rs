//! Where the real client is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Once;

/// The version that the bench is written for.
pub(crate) const VERSION: &str = "2.1.197";

/// The client, from `STEADFAST_CLAUDE` or where `.ci/run` puts it. When it is missing, one line says how to get it,
/// and the tests that need it end early.
pub(crate) fn claude() -> Option<PathBuf> {
    static MISSING: Once = Once::new();
    let found = match std::env::var_os("STEADFAST_CLAUDE") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("target/claude-client/node_modules/@anthropic-ai")
            .join(format!("claude-code-{}/claude", platform())),
    };
    if found.is_file() {
        return Some(found);
    }
    MISSING.call_once(|| {
        // Straight to stderr: what the print macros say in a passing test is not shown.
        let _ = writeln!(
            std::io::stderr(),
            "NOT RUN: end-to-end sessions, {} is missing. Get it with: \
             npm install --prefix target/claude-client @anthropic-ai/claude-code@{VERSION}",
            found.display()
        );
    });
    None
}

/// The client's name of this platform.
fn platform() -> String {
    let system = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let machine = if cfg!(target_arch = "x86_64") { "x64" } else { "arm64" };
    format!("{system}-{machine}")
}
