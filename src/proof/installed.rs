//! Which folders hold installed packages: they are linked into a copy and never written.

use std::fs;
use std::path::Path;

use crate::model::folders::INSTALLED;

/// What a `vendor` holds whose content was installed; others are a project's own code.
const VENDORED: &[&str] = &["modules.txt", "autoload.php", "bundle", "cache"];

/// What a virtual environment of any name holds.
const ENVIRONMENT: &str = "pyvenv.cfg";

/// Whether the folder at `path` holds installed packages.
pub fn is_folder(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    match name {
        "vendor" => {
            let crates = || fs::read_dir(path).into_iter().flatten().flatten().take(8);
            VENDORED.iter().any(|part| path.join(part).exists())
                || crates().any(|entry| entry.path().join(".cargo-checksum.json").exists())
        }
        _ => INSTALLED.contains(&name) || path.join(ENVIRONMENT).is_file(),
    }
}
