//! Executable files for tests.
//!
//! They are written by a child process. Were they written here, another test's thread could start a process in that
//! moment, which inherits the open file; until it is closed there, the system refuses to run the file.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable script, with its directories.
pub(crate) fn write(path: &Path, script: &str) {
    let mut shell = Command::new("/bin/sh")
        .args(["-c", "mkdir -p \"$(dirname \"$0\")\" && cat > \"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("a shell");
    shell.stdin.take().expect("its input").write_all(script.as_bytes()).expect("a written script");
    assert!(shell.wait().expect("the shell").success(), "{} was not written", path.display());
}
