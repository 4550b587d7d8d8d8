//! What settings that are shared call: a few lines of shell that are committed with them, and that find each person's own
//! executable. A path of this machine would be nobody else's.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::files::{read, replace};
use super::trial::{self, Trial};

/// What the settings call: the client puts in the folder that the session was started in.
pub(super) const COMMAND: &str = "${CLAUDE_PROJECT_DIR}/.claude/hooks/steadfast-hook";
/// The script, seen from the project.
pub(super) const NAME: &str = ".claude/hooks/steadfast-hook";
/// The plugin's own, which finds an executable in the same places.
const SCRIPT: &str = include_str!("../../../hooks/run");
/// The same seen from the project's `.claude`.
const BELOW: &str = "hooks/steadfast-hook";

/// Lays the script beside the shared settings. What somebody else has put there stays, and is an error.
pub(super) fn bring(claude: &Path) -> Result<()> {
    let path = claude.join(BELOW);
    match read(&path)? {
        Some(now) if now == SCRIPT => {}
        Some(now) if !now.contains("steadfast-hook") => {
            bail!("{} is somebody else's; nothing was changed", path.display())
        }
        _ => replace(&path, SCRIPT)?,
    }
    fs::set_permissions(&path, Permissions::from_mode(0o755))
        .with_context(|| format!("cannot make {} executable", path.display()))
}

/// Takes the script out again, where it is as it was written.
pub(super) fn take_out(claude: &Path) -> Result<()> {
    let path = claude.join(BELOW);
    if read(&path).is_ok_and(|now| now.as_deref() == Some(SCRIPT)) {
        fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        // Refused by the system unless it is empty.
        let _ = fs::remove_dir(claude.join("hooks"));
    }
    Ok(())
}

/// Tries the script as it will be called. It goes by where executables are installed, so the one at `binary` has to be
/// found there.
pub(super) fn tried(binary: &Path) -> Result<Trial> {
    let scratch = tempfile::tempdir().context("cannot make a scratch directory for the trial")?;
    bring(scratch.path())?;
    trial::run(&scratch.path().join(BELOW)).with_context(|| {
        format!(
            "shared settings call the steadfast-hook in ~/.local/bin or on PATH, as each person has it, and none answered: \
             put {} there (./install.sh does), or use `--scope local` or `--scope user`",
            binary.display()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_brought_once_and_a_foreign_one_stays() {
        let scratch = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            bring(scratch.path()).unwrap();
        }
        let path = scratch.path().join(BELOW);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o755);
        assert!(COMMAND.ends_with(NAME) && NAME.ends_with(BELOW));
        take_out(scratch.path()).unwrap();
        assert!(!scratch.path().join("hooks").exists());
        fs::create_dir(scratch.path().join("hooks")).unwrap();
        fs::write(&path, "echo mine").unwrap();
        assert!(bring(scratch.path()).is_err());
        take_out(scratch.path()).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "echo mine");
    }
}
