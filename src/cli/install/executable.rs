//! The hook's executable: a file of its own, or a second name of the command's.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::{env, fs, io, path};

use anyhow::{Context, Result, bail, ensure};

use crate::cli::install::record::home;
use crate::hosts::claude_code::registration::HOOK_BINARY;

/// The hook's executable in `bin_dir`, or beside this executable. Where this executable came alone, as a package
/// brings it, it gets the hook's name as a second one: beside it, or in the user's own data folder.
pub(super) fn hook_binary(bin_dir: Option<&Path>) -> Result<PathBuf> {
    let own = env::current_exe().ok();
    let directory = match (bin_dir, own.as_deref().and_then(Path::parent)) {
        (Some(directory), _) => path::absolute(directory)?,
        (None, Some(directory)) => directory.to_owned(),
        (None, None) => bail!("cannot tell where this executable is; give --bin-dir"),
    };
    let mut binary = directory.join(HOOK_BINARY);
    if !binary.exists()
        && let Some(own) = own.filter(|own| own.parent() == Some(&directory))
    {
        binary = second_name(&own, binary)?;
    }
    let executable = fs::metadata(&binary)
        .with_context(|| format!("{} is missing; build it, or give --bin-dir", binary.display()))?
        .permissions()
        .mode()
        & 0o111;
    ensure!(executable != 0, "{} is not executable", binary.display());
    Ok(binary)
}

/// Makes `second` the same file as `first`, or a link to it among the user's own data where that folder belongs to
/// somebody else. Returns the name that now exists.
fn second_name(first: &Path, second: PathBuf) -> Result<PathBuf> {
    if fs::hard_link(first, &second).is_ok() {
        return Ok(second);
    }
    let data = match env::var_os("XDG_DATA_HOME").filter(|value| Path::new(value).is_absolute()) {
        Some(directory) => PathBuf::from(directory),
        None => home()?.join(".local/share"),
    };
    let link = data.join("steadfast").join(HOOK_BINARY);
    let made = fs::create_dir_all(data.join("steadfast")).and_then(|()| {
        // A link of an earlier installation may lead to an executable that has gone.
        match fs::remove_file(&link) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => symlink(first, &link),
        }
    });
    made.with_context(|| format!("neither {} nor {} can be made", second.display(), link.display()))?;
    Ok(link)
}
